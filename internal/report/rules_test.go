package report

import (
	"testing"

	"boardwatchd/internal/config"
)

// TestLocalRulesAreNamedOnce: a rule that is not the usual one is reported with both values. The title says so itself
// and is no rule.
func TestLocalRulesAreNamedOnce(t *testing.T) {
	c, err := config.Parse("c.yaml", []byte("rules:\n  profile: fide-rapid-supervised\n  override: {strikes_to_lose: 3}\n"))
	if err != nil {
		t.Fatal(err)
	}
	list := rulesOf(c.Core(config.NewBoard("1", "")), []string{"fide-rapid-supervised"})
	if len(list) != 1 || list[0].Title == "FIDE rapid, supervised" {
		t.Fatalf("%+v", list)
	}
	if d := list[0].Differences; len(d) != 1 || d[0].Key != "strikes_to_lose" || string(d[0].Value) != "3" || string(d[0].Usual) != "2" {
		t.Errorf("the local rules are %+v", d)
	}
}
