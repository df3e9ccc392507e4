package wordstest

import (
	"strings"
	"testing"

	"boardwatchd/rules/words"
)

func TestFaults(t *testing.T) {
	white := words.Say("who.white")
	for _, c := range []struct {
		s    words.Sentence
		want string // "": no fault
	}{
		{words.Say("over.stalemate"), ""},
		{words.List(" ", []words.Sentence{words.Say("over.dead"), words.Say("dead.walls")}), ""},
		{words.Say("flag.loses_line", white, words.Say("who.black"), "41...Kh8 42.Qg7#"), ""},
		{words.Say("flag.open", white, white, "illegal.knight"), ""},
		{words.Say("rule.went_with", "961:illegal.knight"), ""},
		{words.Say("row.broken_piece", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), ""},
		{words.Say("reason.illegal.no_move", white, ": e4"), ""},
		{words.Sentence{}, "nothing is said"},
		{words.Verbatim("The game is over."), "English only"},
		{words.List(" ", []words.Sentence{words.Say("over.dead"), words.Verbatim("Please look.")}), "English only"},
		{words.Say("rule.withdrawn_for", "the lever came back"), "English only"},
		{words.Say("rule.unheard_of"), "no text"},
		{words.Say("flag.down"), "needs an argument 0"},
		{words.Say("over.stalemate", white), "does not say its argument 0"},
	} {
		if have := strings.Join(Faults(c.s), "; "); !strings.Contains(have, c.want) || c.want == "" && have != "" {
			t.Errorf("%+v: %q, want %q", c.s, have, c.want)
		}
	}
}
