package config

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"boardwatchd/rules"
)

func TestWithRulesChangesTheRulesOnly(t *testing.T) {
	blitz := []rules.Profile{profile(t, "fide-blitz")}
	both := `"profile":"fide-blitz","rules":` + string(marshal(t, blitz))
	ofAuto := string(Default().Core(NewBoard("a", Auto)).Canonical())
	for _, c := range []struct{ claim, conf, want string }{
		{"nothing", ``, `{` + both + `}`},
		{"an empty object", `{}`, `{` + both + `}`},
		{"from before there were rules", canonicalV1, strings.Replace(canonicalV1, `"profile":"caa-3strike"`, both, 1)},
		{"auto's three", ofAuto, ofAuto[:strings.Index(ofAuto, `"profile"`)] + both + ofAuto[strings.Index(ofAuto, `,"mating_budget"`):]},
		{"no profile", `{"event":"x"}`, `{"event":"x",` + both + `}`},
		{"rules without a profile", `{"rules":[],"a":1}`, `{` + both + `,"a":1}`},
		{"keys of a newer program", `{"v":9,"profile":"x","moon":{"b":[1, 2]}}`, `{"v":9,` + both + `,"moon":{"b":[1,2]}}`},
		{"a name with a quotation mark", `{"event":"a\"b"}`, `{"event":"a\"b",` + both + `}`},
	} {
		t.Run(c.claim, func(t *testing.T) {
			got, err := WithRules([]byte(c.conf), "fide-blitz", blitz)
			if err != nil || string(got) != c.want {
				t.Errorf("%v\n got %s\nwant %s", err, got, c.want)
			}
		})
	}
	for _, conf := range []string{`[]`, `1`, `{`, `{}{}`, `{"a":}`, `null`, `"x"`} {
		if got, err := WithRules([]byte(conf), "fide-blitz", blitz); err == nil {
			t.Errorf("%s became %s", conf, got)
		}
	}
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// FuzzWithRules: the output is JSON with these rules, for any spelling; a second application changes nothing; and
// without the rules input and output are the same.
func FuzzWithRules(f *testing.F) {
	f.Add([]byte(canonicalV1))
	f.Add([]byte(`{"rules":1,"a":{"rules":2},"rules":3}`))
	f.Add([]byte(`{"a":"\ud800","\u0070rofile":""}`))
	sets := []rules.Profile{profile(f, "fide-blitz"), profile(f, "uscf-blitz")}
	f.Fuzz(func(t *testing.T, conf []byte) {
		got, err := WithRules(conf, "x", sets)
		if err != nil {
			return
		}
		var said struct {
			Profile string
			Rules   []rules.Profile
		}
		if err := json.Unmarshal(got, &said); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if len(conf) > 0 && bytes.ContainsAny(conf, "PRK\u017f\u212a") {
			return // Unmarshal accepts PROFILE for profile; the key stays unchanged, and the machine decides
		}
		if said.Profile != "x" || !reflect.DeepEqual(said.Rules, sets) {
			t.Fatalf("%s says %+v", got, said)
		}
		if again, err := WithRules(got, "x", sets); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%s became %s, %v", got, again, err)
		}
	})
}

func TestMisfit(t *testing.T) {
	for _, c := range []struct{ time, word, want string }{
		{"90+30", "fide-standard", ""},
		{"15+10", "fide-rapid-supervised", ""},
		{"", "fide-blitz", ""},
		{"3+2", Auto, ""},
		{"40/90+30, 30+30", "fide-standard", ""},
		{"10+0", "fide-blitz", ""},
		{"10+1", "fide-blitz", "fide-rapid (A.5"},
		{"59+0", "fide-standard", "fide-rapid-supervised (A.4"},
		{"5+4", "fide-rapid", "fide-blitz-supervised (B.2"},
		{"30+30", "fide-rapid", "write fide-standard"},
		{"5+0", "caa-3strike", ""},
		{"60d5", "uscf-regular", ""},
		{"60d5", "uscf-blitz", "write uscf-regular"},
		{"5d0", "uscf-regular", "write uscf-blitz"},
	} {
		tc, err := ParseTimeControl(c.time)
		if err != nil {
			t.Fatal(err)
		}
		_, sets, err := Rules(c.word)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := Misfit(tc, sets); err != nil {
			got = err.Error()
		}
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) || got != "" && !strings.Contains(got, c.word+" is for ") {
			t.Errorf("%s under %s: %q, want %q", c.time, c.word, got, c.want)
		}
	}
}

func TestInForceSaysWhatIsAssumed(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string // parts of the lines, in order
	}{
		{"", []string{"rules: auto, because rules.profile names none", "fide-standard (FIDE standard), FIDE Laws of Chess 2023, for standard play",
			"for rapid play; assumed: A.5, no adequate supervision", "for blitz play; assumed: B.3, no adequate supervision"}},
		{"time_control: 15+10", []string{"time_control 15+10 is rapid play", "fide-rapid (FIDE rapid, unsupervised)"}},
		{"rules: {profile: fide-rapid-supervised, fide_rated: true}", []string{"fide-rapid-supervised (FIDE rapid, supervised), FIDE Laws of Chess 2023, for rapid play, rated by FIDE"}},
		{"rules: {profile: fide-standard, override: {strikes_to_lose: 3, bonus_s: 60}}", []string{"(FIDE standard, with local rules)", "changed by rules.override: strikes_to_lose, bonus_s"}},
		{"rules: {override: {bonus_s: 60}}", []string{"auto", "with local rules", "with local rules", "with local rules", "changed by rules.override: bonus_s"}},
	} {
		conf, err := Parse("f", []byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		got := slices.DeleteFunc(conf.InForce(), func(l string) bool { return !strings.HasPrefix(l, "rules:") })
		if len(got) != len(c.want) {
			t.Errorf("%q: %d lines, want %d: %q", c.src, len(got), len(c.want), got)
			continue
		}
		for i, part := range c.want {
			if !strings.Contains(got[i], part) {
				t.Errorf("%q: line %d is %q, should say %q", c.src, i, got[i], part)
			}
		}
	}
}

// A word on the command line replaces the file's rules, and the same checks apply.
func TestChoose(t *testing.T) {
	parse := func(src string) Config {
		c, err := Parse("f", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := parse("rules: {profile: caa-3strike, override: {bonus_s: 30}}")
	if err := c.Choose("fide-rapid"); err != nil || c.Profile != "fide-rapid" || c.LocalRules != nil || !reflect.DeepEqual(c.Rules, []rules.Profile{profile(t, "fide-rapid")}) {
		t.Errorf("%+v, %v", c, err)
	}
	for src, hint := range map[string]string{
		"time_control: 90+30":       "fide-blitz is for blitz play",
		"rules: {fide_rated: true}": "",
	} {
		c := parse(src)
		err := c.Choose("fide-blitz")
		if (err == nil) != (hint == "") || err != nil && !strings.Contains(err.Error(), hint) {
			t.Errorf("%s: %v, want %q", src, err, hint)
		}
		if hint == "" && !c.Rules[0].FIDERated {
			t.Errorf("%s: the rating is forgotten", src)
		}
	}
	rated := parse("rules: {fide_rated: true}")
	if err := rated.Choose("caa-3strike"); err == nil || rated.Profile != Auto {
		t.Errorf("three strikes in rated play: %v, %s", err, rated.Profile)
	}
	if profile(t, "fide-blitz").FIDERated {
		t.Error("Choose changed the program's own profile")
	}
}
