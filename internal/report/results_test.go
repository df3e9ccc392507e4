package report

import (
	"fmt"
	"testing"
)

// TestResultsOfTheBoards: an analysis after the game, or a new beginning without a result, does not take its result
// away.
func TestResultsOfTheBoards(t *testing.T) {
	r := Report{Journals: []*Journal{
		{Games: []Game{
			{Board: "1", White: "A", Black: "B", Result: "1-0"}, {Board: "1", Result: "0-1"}, {Board: "1", White: "A", Black: "B"},
		}},
		{Games: []Game{{Board: "2", White: "C", Black: "D"}, {Board: "2", White: "C", Black: "D", Result: "1/2-1/2"}, {Board: "3"}}},
	}}
	if got := fmt.Sprint(r.Results()); got != "[{1 A B 1-0} {2 C D 1/2-1/2}]" {
		t.Errorf("the results are %s", got)
	}
}
