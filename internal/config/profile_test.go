package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"boardwatchd/configs"
	"boardwatchd/rules"
)

// profile returns one of the program's own.
func profile(t testing.TB, name string, overrides ...Override) rules.Profile {
	t.Helper()
	p, err := Profile(name, overrides...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEveryProfileIsWhatItsFileIsCalled(t *testing.T) {
	names := configs.ProfileNames()
	if len(names) != 12 {
		t.Errorf("%d profiles: %v; the laws notes have 12", len(names), names)
	}
	for _, name := range names {
		p := profile(t, name)
		if p.Name != name {
			t.Errorf("%s calls itself %q", name, p.Name)
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		// The core reads the content of the journal.
		var back rules.Profile
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, p) {
			t.Errorf("%s came back as %+v, %v", name, back, err)
		}
		if problems := back.Check(); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

// jsonKeys returns the keys of a struct, in the order of its fields.
func jsonKeys(t reflect.Type) (keys []string) {
	for f := range t.Fields() {
		keys = append(keys, f.Tag.Get("json"))
	}
	return keys
}

func TestEveryKeyOfAProfileCanBeOverridden(t *testing.T) {
	other := map[string]string{
		"name": "club", "title": "Club", "law": "Ours", "edition": "2026", "note": "n", "book": "us", "time_control": "5+0", "classes": "[blitz]",
		"window": "until_reply", "arbiter": "never", "no_move": "improper", "promotion_incomplete": "improper", "two_hands": "nothing",
		"two_hands_mate": "draw", "king_capture": "claim", "ep_pawn_left": "illegal", "castle_king_only": "illegal", "promo_two": "illegal",
		"promo_wrong_colour": "illegal", "inverted_rook": "queen", "displaced": "illegal", "out_of_turn": "director", "touch_claim_lapses": "move",
		"restart_after_illegal": "nothing", "take_back_increment": "never", "mating_test": "material", "illegal_position": "nothing",
		"flag_called_by": "players", "fivefold": "nothing", "move75": "nothing", "articles": "{illegal.rook: ['1', '2']}", "fide_rated_allowed": "false",
		"time_pressure_s": "0", "clock_setting_moves": "7", "rook_first": "allowed",
	}
	base := profile(t, "fide-standard")
	keys := jsonKeys(reflect.TypeFor[rules.Profile]())
	for i, key := range keys {
		value := other[key]
		if value == "" {
			switch reflect.ValueOf(base).Field(i).Kind() {
			case reflect.Bool:
				value = "true"
			default:
				value = "7"
			}
		}
		p, err := Profile("fide-standard", Override{key, value})
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		for j, k := range keys {
			was, is := fmt.Sprint(reflect.ValueOf(base).Field(j)), fmt.Sprint(reflect.ValueOf(p).Field(j))
			if changed := was != is; changed != (k == key && value != "0") && k != "title" {
				t.Errorf("%s: %s changes %s from %s to %s", key, value, k, was, is)
			}
		}
	}
	if !reflect.DeepEqual(base, profile(t, "fide-standard")) {
		t.Error("an override changed the program's own profile")
	}
}

func TestLocalRulesShowInTheTitle(t *testing.T) {
	for _, c := range []struct {
		overrides []Override
		want      string
	}{
		{nil, "FIDE rapid, unsupervised"},
		{[]Override{{"strikes_to_lose", "3"}}, "FIDE rapid, unsupervised, with local rules"},
		{[]Override{{"fide_rated", "true"}, {"note", "'x'"}}, "FIDE rapid, unsupervised"},
		{[]Override{{"strikes_to_lose", "3"}, {"title", "School rapid"}}, "School rapid"},
	} {
		if got := profile(t, "fide-rapid", c.overrides...).Title; got != c.want {
			t.Errorf("%v: %q, want %q", c.overrides, got, c.want)
		}
	}
}

func TestOverrideOfArticlesKeepsTheOthers(t *testing.T) {
	c, err := Parse("f", []byte("rules: {profile: fide-rapid, override: {articles: {illegal.rook: [3.3]}}}"))
	if err != nil {
		t.Fatal(err)
	}
	got, was := c.Rules[0].Articles, profile(t, "fide-rapid").Articles
	if len(got) != len(was)+1 || !slices.Equal(got["illegal.rook"], []string{"3.3"}) || was["illegal.rook"] != nil {
		t.Errorf("%v became %v", was, got)
	}
}

func TestProfileRefuses(t *testing.T) {
	for _, c := range []struct {
		name      string
		overrides []Override
		words     []string
	}{
		{"nobody", nil, []string{`"nobody" is not one of: auto, caa-2strike`, "wbca-blitz"}},
		{"fide_rapid", nil, []string{"did you mean fide-rapid?"}},
		{"fide-rapid", []Override{{"bonus", "60"}}, []string{`unknown key "bonus"`, "did you mean bonus_s?"}},
		{"fide-rapid", []Override{{"bonus_s", "x"}}, []string{"fide-rapid: bonus_s: ", "not a whole number"}},
		{"fide-rapid", []Override{{"bonus_s", ""}}, []string{"is no value"}},
		{"fide-rapid", []Override{{"bonus_s", "[1"}}, []string{"is no value"}},
		{"fide-rapid", []Override{{"bonus_s", "900"}}, []string{"900 is out of range"}},
	} {
		_, err := Profile(c.name, c.overrides...)
		for _, w := range c.words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s %v: %v, should say %q", c.name, c.overrides, err, w)
			}
		}
	}
}

func TestParseProfileRefuses(t *testing.T) {
	whole := string(must(configs.Profile("fide-rapid")))
	for _, c := range []struct {
		claim, old, new string
		at              string
		words           []string
	}{
		{"a missing key", "strikes_to_lose: 2", "", "p.yaml:4:1", []string{"has no strikes_to_lose", "add a line"}},
		{"an unknown key", "strikes_to_lose: 2", "strikes_too_lose: 2", "p.yaml:21:1", []string{"unknown key", "did you mean strikes_to_lose?"}},
		{"a key with nothing after it", "strikes_to_lose: 2", "strikes_to_lose:", "p.yaml:21:", []string{"is empty"}},
		{"a wrong word", "window: until_reply", "window: for ever", "p.yaml:24:9", []string{"is not known"}},
		{"an empty file", whole, "", "p.yaml:1:1", []string{"copy one"}},
		{"no YAML", whole, "a: [", "p.yaml:1:", []string{"not readable as YAML"}},
		{"another file", whole, "boards: []\n", "p.yaml:1:1", []string{"unknown key"}},
		{"a huge file", whole, strings.Repeat("a: b\n", MaxBytes), "p.yaml: has", []string{"at most 32768"}},
	} {
		t.Run(c.claim, func(t *testing.T) {
			src := strings.Replace(whole, c.old, c.new, 1)
			_, err := ParseProfile("p.yaml", []byte(src))
			var ps Problems
			if !errors.As(err, &ps) || !strings.HasPrefix(ps[0].Error(), c.at) {
				t.Fatalf("%v\nshould point at %s", err, c.at)
			}
			for _, w := range c.words {
				if !strings.Contains(ps[0].Error(), w) {
					t.Errorf("%v\nshould say %q", ps[0], w)
				}
			}
		})
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

func TestRulesOfAWord(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "club.yaml")
	own := bytes.Replace(must(configs.Profile("fide-rapid")), []byte("name: fide-rapid"), []byte("name: club-rapid"), 1)
	if err := os.WriteFile(file, own, 0o644); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{
		Auto: "auto: fide-standard fide-rapid fide-blitz", "uscf-blitz": "uscf-blitz: uscf-blitz", file: "club-rapid: club-rapid",
	} {
		name, sets, err := Rules(word)
		for i, p := range sets {
			sep := " "
			if i == 0 {
				sep = ": "
			}
			name += sep + p.Name
		}
		if err != nil || name != want {
			t.Errorf("%s: %s, %v; want %s", word, name, err, want)
		}
	}
	for word, hint := range map[string]string{
		"nobody": "is not one of: auto, ", filepath.Join(dir, "none.yaml"): "no such file", dir + "/": "is a directory", "": "is not one of",
	} {
		if _, sets, err := Rules(word); err == nil || sets != nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%s: %v, should say %q", word, err, hint)
		}
	}
}

// FuzzParseProfile: no panic; an accepted profile is complete and valid for the core.
func FuzzParseProfile(f *testing.F) {
	for _, name := range configs.ProfileNames() {
		f.Add(must(configs.Profile(name)))
	}
	f.Add([]byte("name: x\nclasses: [a, [b]]\narticles: {illegal.rook: [a]}\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := ParseProfile("f", src)
		if err != nil {
			var ps Problems
			if !errors.As(err, &ps) || len(ps) == 0 || len(ps) > maxProblems+1 {
				t.Fatalf("%d problems: %v", len(ps), err)
			}
			return
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var back rules.Profile
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, p) {
			t.Fatalf("%s came back as %+v, %v", text, back, err)
		}
		if problems := back.Check(); len(problems) > 0 {
			t.Fatalf("%s: %v", text, problems)
		}
	})
}
