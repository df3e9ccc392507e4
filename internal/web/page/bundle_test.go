package page

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"boardwatchd/configs"
)

// TestBundle tries what may stand in a module that becomes a part of one script. That the script runs is tried in a
// browser (internal/e2e).
func TestBundle(t *testing.T) {
	for _, c := range []struct {
		claim, a, b string
		want        string // in the script, or in the error
		refused     bool
	}{
		{"a name is imported", "import { x } from './b.js';\nx();\n", "export const x = () => 1;\n", "const { x } = $b;\nx();", false},
		{"under another name", "import { x as y } from './b.js';\ny();\n", "export function x() {}\n", "const { x: y } = $b;", false},
		{"what is not imported may change", "import { x } from './b.js';\n", "export let n = 0;\nexport const x = () => n;\n", "return { x };", false},
		{"what changes is not imported", "import { n } from './b.js';\n", "export let n = 0;\n", "a.js imports n of b.js, which changes", true},
		{"a circle", "import { x } from './b.js';\n", "import { y } from './a.js';\n", "a.js imports itself", true},
		{"another form of import", "import * as b from './b.js';\n", "", "cannot stand in one script", true},
		{"another form of export", "export default 1;\n", "", "cannot stand in one script", true},
		{"the end of a script", "const x = '</script>';\n", "", "cannot stand in one script", true},
		{"a module that is not there", "import { x } from './c.js';\n", "", "c.js", true},
	} {
		script, err := bundled(fstest.MapFS{"js/a.js": {Data: []byte(c.a)}, "js/b.js": {Data: []byte(c.b)}}, "a.js")
		switch {
		case c.refused && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.claim, err, c.want)
		case !c.refused && (err != nil || !strings.Contains(string(script), c.want)):
			t.Errorf("%s: %v\n%s\nwant %q", c.claim, err, script, c.want)
		}
	}
}

func TestReplayFileIsOneScript(t *testing.T) {
	script, err := Bundle("replayfile.js")
	if err != nil {
		t.Fatal(err)
	}
	if left := regexp.MustCompile(`(?m)^(import|export) |(await|=>|return) import\(`).Find(script); left != nil {
		t.Errorf("the script has %q", left)
	}
}

// TestReplayOffersEveryProfile holds the list of the page against the profiles that there are.
func TestReplayOffersEveryProfile(t *testing.T) {
	list := regexp.MustCompile(`(?s)const profiles = \[(.*?)\]`).FindStringSubmatch(read(t, "js/replay.js"))
	if list == nil {
		t.Fatal("replay.js has no list of profiles")
	}
	var have []string
	for _, m := range regexp.MustCompile(`'([^']+)'`).FindAllStringSubmatch(list[1], -1) {
		have = append(have, m[1])
	}
	want := configs.ProfileNames()
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("replay.js offers %q, there are %q", have, want)
	}
}
