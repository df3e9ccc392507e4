package scenario

import (
	"strings"
	"testing"
)

const oneRule = `scenarios:
- id: A1
  profile: fide-standard
  rules: {promo_wrong_colour: illegal, bonus_s: 60}
  start: startpos
  actions: [W move e2e4, W press]
  press_results: [ok]
  expect: {finding: none}
`

func TestACaseChangesKeysOfItsRuleSet(t *testing.T) {
	f, err := Read("a.yaml", []byte(oneRule))
	if err != nil || len(f.Cases) != 1 || len(f.Cases[0].Problems) > 0 {
		t.Fatal(f, err)
	}
	c := &f.Cases[0]
	body, err := c.opening("")
	if err != nil || !strings.Contains(string(body), `"promo_wrong_colour":"illegal"`) || !strings.Contains(string(body), `"bonus_s":60`) {
		t.Errorf("%s %v", body, err)
	}
	body, err = c.opening("fide-rapid") // another rule set is used unchanged
	if err != nil || !strings.Contains(string(body), `"promo_wrong_colour":"irregularity"`) {
		t.Errorf("%s %v", body, err)
	}
}

func TestAnErrorInARuleNamesItsPlace(t *testing.T) {
	for name, row := range map[string]struct{ is, at, says string }{
		"no key":        {"{promo_wrong_color: illegal}", "a.yaml:4:11", "did you mean promo_wrong_colour"},
		"no value":      {"{rook_first: perhaps}", "a.yaml:4:11", "write irregularity, allowed"},
		"twice":         {"{bonus_s: 60, bonus_s: 60}", "a.yaml:4:24", "twice"},
		"nothing":       {"{}", "a.yaml:4:10", "promo_wrong_colour: illegal"},
		"a list":        {"[bonus_s]", "a.yaml:4:10", "promo_wrong_colour: illegal"},
		"no number":     {"{bonus_s: much}", "a.yaml:4:11", "bonus_s"},
		"out of range":  {"{bonus_s: 60, strikes_to_lose: 44}", "a.yaml:4:24", "0 to 9"},
		"an alias":      {"{bonus_s: *x}", "a.yaml", "not readable"},
		"not allowed":   {"{fide_rated: true, fide_rated_allowed: false}", "a.yaml:4:10", "fide_rated"},
		"a second line": {"\n    bonus_s: 60\n    restart: nothing", "a.yaml:6:5", "restart"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Read("a.yaml", []byte(strings.Replace(oneRule, "{promo_wrong_colour: illegal, bonus_s: 60}", row.is, 1)))
			if err != nil {
				if !strings.HasPrefix(err.Error(), row.at) || !strings.Contains(err.Error(), row.says) {
					t.Error(err)
				}
				return
			}
			c := &f.Cases[0]
			if len(c.Problems) != 1 || !c.Broken {
				t.Fatalf("broken %v, problems:\n%v", c.Broken, c.Problems)
			}
			if text := c.Problems[0].Error(); !strings.HasPrefix(text, row.at+": ") || !strings.Contains(text, row.says) {
				t.Errorf("%s\nwant %s: …%s…", text, row.at, row.says)
			}
		})
	}
}
