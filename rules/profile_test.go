package rules_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"boardwatchd/rules"
)

func TestEveryProfileIsWholeAndReadsBack(t *testing.T) {
	for _, name := range profiles {
		p := profile(t, name)
		for _, err := range p.Check() {
			t.Errorf("%s: %v", name, err)
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var q rules.Profile
		if err := json.Unmarshal(text, &q); err != nil {
			t.Fatal(err)
		}
		again, _ := json.Marshal(q)
		if string(again) != string(text) {
			t.Errorf("%s does not read back:\n%s\n%s", name, text, again)
		}
	}
}

// The table of the laws notes' section 2.
func TestProfilesAsTheTableHasThem(t *testing.T) {
	tests := []struct {
		name                   string
		class                  rules.Class
		bonus, strikes, claimS int
		window, flags          string
	}{
		{"fide-standard", rules.Standard, 120, 2, 120, "until_game_end", "arbiter_or_player"},
		{"fide-rapid", rules.Rapid, 60, 2, 60, "until_reply", "arbiter"},
		{"fide-rapid-supervised", rules.Rapid, 60, 2, 60, "until_game_end", "arbiter_or_player"},
		{"fide-blitz", rules.Blitz, 60, 2, 60, "until_reply", "arbiter"},
		{"fide-blitz-supervised", rules.Blitz, 60, 2, 60, "until_game_end", "arbiter_or_player"},
		{"caa-2strike", rules.Standard, 120, 2, 120, "by_class", "arbiter_or_player"},
		{"caa-3strike", rules.Standard, 120, 3, 120, "by_class", "arbiter_or_player"},
		{"ffe-youth-rapid", rules.Rapid, 60, 3, 60, "until_reply", "arbiter"},
		{"uscf-regular", rules.USRegular, 120, 0, 120, "last_moves", "players"},
		{"uscf-blitz", rules.USBlitz, 0, 1, 60, "until_reply", "players"},
		{"wbca-blitz", rules.Blitz, 0, 1, 0, "last_moves", "players"},
		{"rc-2017-draft", rules.Standard, 120, 2, 120, "by_class", "arbiter"},
	}
	if len(tests) != len(profiles) {
		t.Fatal("a profile is not in the table")
	}
	for _, tt := range tests {
		p := profile(t, tt.name)
		if p.BonusS != tt.bonus || p.StrikesToLose != tt.strikes || p.WrongClaimS != tt.claimS || p.Window != tt.window || p.FlagCall != tt.flags {
			t.Errorf("%s: %+v", tt.name, p)
		}
		if !slices.Contains(p.Classes, tt.class.String()) {
			t.Errorf("%s is not for %s", tt.name, tt.class)
		}
	}
}

func TestClasses(t *testing.T) {
	tests := []struct {
		base, increment, delay int
		fide, us               rules.Class
	}{
		{180, 2, 0, rules.Blitz, rules.USBlitz}, {600, 0, 0, rules.Blitz, rules.USBlitz}, {601, 0, 0, rules.Rapid, rules.USQuick},
		{480, 2, 0, rules.Blitz, rules.USBlitz}, {540, 2, 0, rules.Rapid, rules.USQuick}, {900, 10, 0, rules.Rapid, rules.USQuick},
		{1500, 5, 0, rules.Rapid, rules.USDual}, {3000, 9, 0, rules.Rapid, rules.USDual}, {3000, 10, 0, rules.Standard, rules.USDual},
		{3600, 0, 5, rules.Standard, rules.USDual}, {3600, 0, 6, rules.Standard, rules.USRegular}, {5400, 30, 0, rules.Standard, rules.USRegular},
		{300, 0, 0, rules.Blitz, rules.USBlitz}, {-1, 30, 0, rules.NoClass, rules.NoClass}, {600, -1, -1, rules.Blitz, rules.USBlitz},
	}
	for _, tt := range tests {
		if got := rules.ClassOf(tt.base, tt.increment, tt.delay, false); got != tt.fide {
			t.Errorf("%d+%dd%d: %s, want %s", tt.base, tt.increment, tt.delay, got, tt.fide)
		}
		if got := rules.ClassOf(tt.base, tt.increment, tt.delay, true); got != tt.us {
			t.Errorf("US %d+%dd%d: %s, want %s", tt.base, tt.increment, tt.delay, got, tt.us)
		}
	}
}

func TestRuleSetThatContradictsTheClockIsRefused(t *testing.T) {
	tests := []struct {
		name            string
		base, increment int
		ok              bool
	}{
		{"fide-standard", 5400, 30, true}, {"fide-standard", 900, 10, false}, {"fide-rapid", 180, 2, false}, {"fide-blitz", 180, 2, true},
		{"fide-blitz", 600, 5, false}, {"caa-2strike", 180, 2, true}, {"caa-2strike", 5400, 30, true}, {"wbca-blitz", 900, 0, false},
		{"uscf-blitz", 300, 0, true}, {"uscf-regular", 300, 0, false}, {"uscf-regular", 3600, 5, true}, {"fide-rapid", -1, 0, true},
	}
	for _, tt := range tests {
		err := profile(t, tt.name).Fits(tt.base, tt.increment, 0)
		if (err == nil) != tt.ok {
			t.Errorf("%s at %d+%d: %v", tt.name, tt.base, tt.increment, err)
		}
		if err != nil && !strings.Contains(err.Error(), tt.name) {
			t.Errorf("does not name the profile: %v", err)
		}
	}
}

func TestMistakesNameTheKey(t *testing.T) {
	tests := []struct {
		key    string
		change func(*rules.Profile)
	}{
		{"name", func(p *rules.Profile) { p.Name = "Two words" }}, {"title", func(p *rules.Profile) { p.Title = "" }},
		{"book", func(p *rules.Profile) { p.Book = "laws" }}, {"classes", func(p *rules.Profile) { p.Classes = nil }},
		{"classes", func(p *rules.Profile) { p.Classes = []string{"bullet"} }}, {"bonus_s", func(p *rules.Profile) { p.BonusS = -1 }},
		{"bonus_rapid_s", func(p *rules.Profile) { p.BonusRapidS = 601 }}, {"window", func(p *rules.Profile) { p.Window = "for ever" }},
		{"window_moves", func(p *rules.Profile) { p.Window = "last_moves" }}, {"time_pressure_moves", func(p *rules.Profile) { p.TimePressureS = 300 }},
		{"other_penalty_s", func(p *rules.Profile) { p.TwoHands = "penalty" }}, {"flag_called_by", func(p *rules.Profile) { p.FlagCall = "" }},
		{"fide_rated", func(p *rules.Profile) { p.FIDERated, p.FIDERatedAllowed = true, false }},
		{"strikes_to_lose", func(p *rules.Profile) { p.FIDERated, p.StrikesToLose = true, 3 }},
	}
	for _, tt := range tests {
		p := profile(t, "fide-standard")
		tt.change(&p)
		problems := p.Check()
		if len(problems) == 0 || !strings.HasPrefix(problems[0].Error(), tt.key+":") {
			t.Errorf("%s: %v", tt.key, problems)
		}
	}
}

func TestThreeStrikesAreRefusedInRatedPlay(t *testing.T) {
	for _, name := range []string{"caa-3strike", "ffe-youth-rapid", "rc-2017-draft", "uscf-regular"} {
		p := profile(t, name)
		p.FIDERated = true
		if len(p.Check()) == 0 {
			t.Errorf("%s in rated play", name)
		}
	}
}

// The document has a row for each key, with what may be written and what fide-standard has.
func TestTheDocumentHasEveryKey(t *testing.T) {
	text, err := os.ReadFile("../docs/rule-keys.md")
	if err != nil {
		t.Fatal(err)
	}
	var standard map[string]any
	written, _ := json.Marshal(profile(t, "fide-standard"))
	if err := json.Unmarshal(written, &standard); err != nil {
		t.Fatal(err)
	}
	values := rules.ValuesOfKeys()
	rows := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, " | ")
		key, isRow := strings.CutPrefix(cells[0], "| `")
		if !isRow || len(cells) != 4 {
			continue
		}
		key = strings.TrimSuffix(key, "`")
		rows[key] = true
		value, known := standard[key]
		if !known {
			t.Errorf("%s is no key of a rule set", key)
		}
		if want := values[key]; want != "" && cells[1] != want {
			t.Errorf("%s: the document has the values %s, the program %s", key, cells[1], want)
		}
		if want := inTheDocument(value); strings.Trim(cells[2], "`") != want {
			t.Errorf("%s: the document has %s for fide-standard, the program %s", key, cells[2], want)
		}
	}
	for key := range standard {
		if !rows[key] {
			t.Errorf("the document has no row for %s", key)
		}
	}
}

// inTheDocument returns a value as the document has it.
func inTheDocument(value any) string {
	switch v := value.(type) {
	case []any:
		return fmt.Sprint(v...)
	case map[string]any:
		return "empty"
	case string:
		return cmp.Or(v, "empty")
	}
	return fmt.Sprint(value)
}

func TestEveryFieldOfAProfileHasAKey(t *testing.T) {
	for f := range reflect.TypeFor[rules.Profile]().Fields() {
		if f.Tag.Get("json") == "" {
			t.Errorf("%s has none", f.Name)
		}
	}
}
