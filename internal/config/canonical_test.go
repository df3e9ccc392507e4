package config

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// The bytes of version 1. If this test fails, old journals have become
// unreadable: do not change the line, change the program.
const canonicalV1 = `{"v":1,"board":"table-1","serial":"01234","event":"Sacramento Open","round":"3","white_clock":"left","chess960":"never","profile":"caa-3strike",` +
	`"time_control":[{"moves":40,"base":5400000000,"increment":30000000,"delay":0},{"moves":0,"base":1800000000,"increment":30000000,"delay":0}],` +
	`"timing":{"scan":500000,"clock_lag":1500000,"press_grace":2000000,"latency":1000,"settle":0,"probe":1000000,"silence":8000000}}`

// handsV2 is the addition for two hands at the end, handsV1 that of an earlier program.
const handsV2 = `,"two_hands":{"enabled":true,"most_ppm":400000,` +
	`"capture":{"slope_permille":1200,"offset":100,"advisory":4000,"prior_ppm":[6000,3000,800],"cap":[2485,3689,3689]},` +
	`"castling":{"slope_permille":1000,"offset":0,"advisory":6000,"prior_ppm":[15000,5000,1000],"cap":[6551,6551,6551]},` +
	`"promotion":{"slope_permille":1000,"offset":0,"advisory":0,"prior_ppm":[75000,20000,5000],"cap":[4094,4094,4094]}}`

const handsV1 = `,"two_hands":{"enabled":true,"time_trouble":30000000,"most_ppm":400000,` +
	`"capture":{"trouble_permille":2500,"slope_permille":1200,"offset":100,"advisory":4000,"amber":7100,"prior_ppm":[6000,3000,800],"cap":[2485,3689,3689]},` +
	`"castling":{"trouble_permille":2000,"slope_permille":1000,"offset":0,"advisory":5200,"amber":6900,"prior_ppm":[15000,5000,1000],"cap":[6551,6551,6551]},` +
	`"promotion":{"trouble_permille":2000,"slope_permille":1000,"offset":0,"advisory":3300,"amber":0,"prior_ppm":[75000,20000,5000],"cap":[4094,4094,4094]}}`

func TestCanonicalBytesAreFrozen(t *testing.T) {
	c, err := Parse("full.yaml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	core := c.Core(c.Boards[0])
	core.Rules, core.MatingBudget, core.TwoHands = nil, 0, TwoHands{} // as before they existed
	if got := string(core.Canonical()); got != canonicalV1 {
		t.Errorf("got  %s\nwant %s", got, canonicalV1)
	}
	back, err := ParseCanonical([]byte(canonicalV1))
	if err != nil || !reflect.DeepEqual(back, core) {
		t.Errorf("read back %+v, %v", back, err)
	}
}

// The complete rule sets follow the profile's name and change nothing else.
func TestCanonicalHoldsTheRules(t *testing.T) {
	c, err := Parse("full.yaml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	core := c.Core(c.Boards[0])
	set, err := json.Marshal(profile(t, "caa-3strike"))
	if err != nil {
		t.Fatal(err)
	}
	const name = `"profile":"caa-3strike",`
	want := strings.Replace(canonicalV1, name, name+`"rules":[`+string(set)+`],"mating_budget":250000,`, 1)
	want = strings.TrimSuffix(want, "}") + handsV2 + "}"
	got := string(core.Canonical())
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if back, err := ParseCanonical([]byte(got)); err != nil || !reflect.DeepEqual(back, core) {
		t.Errorf("read back %+v, %v", back, err)
	}
	if old, err := ParseCanonical([]byte(strings.Replace(want, handsV2, handsV1, 1))); err != nil || old.TwoHands.Capture != core.TwoHands.Capture {
		t.Errorf("of an earlier program: %+v, %v", old, err)
	}
	auto := Default().Core(NewBoard("a", Auto)).Canonical()
	if n := bytes.Count(auto, []byte(`"strikes_to_lose":`)); n != 3 || len(auto) > 8<<10 {
		t.Errorf("auto has %d rule sets in %d bytes, want 3 in at most 8 KiB", n, len(auto))
	}
	t.Logf("one rule set: %d bytes; the canonical form with one %d, with three %d", len(set), len(got), len(auto))
}

func TestCanonicalOfTheDefaults(t *testing.T) {
	core := Default().Core(NewBoard("ttyUSB0", "/dev/ttyUSB0"))
	b := core.Canonical()
	if back, err := ParseCanonical(b); err != nil || !reflect.DeepEqual(back, core) {
		t.Errorf("%s read back as %+v, %v", b, back, err)
	}
	if !bytes.Contains(b, []byte(`"time_control":[]`)) {
		t.Errorf("%s: an unknown time control is an empty list", b)
	}
}

func TestParseCanonicalRefuses(t *testing.T) {
	for name, change := range map[string][2]string{
		"a newer version":        {`{"v":1`, `{"v":2`},
		"a newer key":            {`"board":`, `"hall":"x","board":`},
		"a newer key of a rule":  {`"time_control":`, `"rules":[{"name":"x","moon":1}],"time_control":`},
		"rules of another shape": {`"time_control":`, `"rules":{},"time_control":`},
		"an unknown side":        {`"left"`, `"up"`},
		"an unknown mode":        {`"never"`, `"maybe"`},
		"a negative time":        {`"scan":500000`, `"scan":-1`},
		"a fraction":             {`"scan":500000`, `"scan":0.5`},
		"a time beyond an hour":  {`"scan":500000`, `"scan":3600000001`},
		"something after it":     {`8000000}}`, `8000000}}{}`},
		"a cut end":              {`8000000}}`, `8000000}`},
		"no version":             {`"v":1,`, ``},
		"a time of another kind": {`"scan":500000`, `"scan":"1s"`},
	} {
		t.Run(name, func(t *testing.T) {
			b := strings.Replace(canonicalV1, change[0], change[1], 1)
			if b == canonicalV1 {
				t.Fatal("the change does not apply")
			}
			if c, err := ParseCanonical([]byte(b)); err == nil {
				t.Errorf("accepted as %+v", c)
			}
		})
	}
}

// The core's answers do not depend on the page and the channels, and a journal may be copied to many places.
func TestCanonicalHasNothingOfPageAndAlerts(t *testing.T) {
	c, err := Parse("full.yaml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	c.Rules = nil // their texts mention alerts
	with := c.Core(c.Boards[0]).Canonical()
	c.HTTP, c.Alerts = HTTP{}, Alerts{}
	if without := c.Core(c.Boards[0]).Canonical(); !bytes.Equal(with, without) {
		t.Errorf("with    %s\nwithout %s", with, without)
	}
	for _, word := range []string{"http", "alert", "192.168", "token", "example.org"} {
		if bytes.Contains(with, []byte(word)) {
			t.Errorf("%s contains %s", with, word)
		}
	}
}
