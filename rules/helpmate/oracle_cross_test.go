package helpmate_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

// Refusals of one version put to another: BOARDWATCHD_ORACLE_NEVER is a never.txt that the tests above have written
// (side, FEN, reason). A refusal for which this version finds a mate was wrong.
func TestRefusalsOfAnotherVersion(t *testing.T) {
	name := os.Getenv("BOARDWATCHD_ORACLE_NEVER")
	if name == "" {
		t.Skip("BOARDWATCHD_ORACLE_NEVER is not set: a list of refusals, one a line")
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := newCourt(t, helpmate.DefaultLimit, 0)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		who, rest, _ := strings.Cut(lines.Text(), " ")
		fen := strings.TrimSpace(rest)
		fen, reason := fen[:strings.LastIndexByte(fen, ' ')], fen[strings.LastIndexByte(fen, ' ')+1:]
		side := legal.White
		if who == "black" {
			side = legal.Black
		}
		b := board(t, fen)
		if a := c.ask(b, side); a.Verdict == helpmate.Possible {
			c.wrong("%s %s: was never (%s), is possible", side, fen, reason)
		}
	}
	c.report("refusals of another version")
}
