package helpmate_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"boardwatchd/internal/research/mateoracle"
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

// Boards with three and four pieces against tables made backwards from the mates: there the truth is known of every
// single board. BOARDWATCHD_ORACLE_PIECES=all asks about every board with three pieces, a number about that many of
// each kind with three and, if it is more than 100, four; BOARDWATCHD_ORACLE_TABLES is a folder where tables are kept
// (four pieces take 20 minutes to make once), and BOARDWATCHD_ORACLE_KINDS picks kinds, as in "Bn PP".
func TestBoardsWithFewPiecesAgainstTables(t *testing.T) {
	tables := mateoracle.Tables{Dir: os.Getenv("BOARDWATCHD_ORACLE_TABLES")}
	each := setting("_PIECES", 100)
	if testing.Short() {
		each = min(each, 20)
	}
	kinds := mateoracle.Kinds(1)
	if each > 100 {
		kinds = append(kinds, mateoracle.Kinds(2)...)
	}
	if only := os.Getenv("BOARDWATCHD_ORACLE_KINDS"); only != "" {
		kinds = strings.Fields(only)
	}
	for i, pieces := range kinds {
		t.Run("K"+pieces+"K", func(t *testing.T) {
			c := newCourt(t, helpmate.DefaultLimit, 0)
			table := tables.Of(pieces)
			if os.Getenv("BOARDWATCHD_ORACLE_PIECES") == "all" {
				table.Each(c.known)
			} else {
				r := rand.New(rand.NewPCG(uint64(setting("_SEED", 1)), uint64(i)))
				for range each {
					c.known(table.Random(r))
				}
				boards, can := table.Rare(r, each)
				for _, b := range boards {
					c.known(b, can)
				}
			}
			c.report("K" + pieces + "K")
		})
	}
}

// known asks whether White can mate, where the answer is known.
func (c *court) known(b mateoracle.Board, can bool) {
	c.t.Helper()
	a := c.ask(b, legal.White)
	switch {
	case a.Verdict == helpmate.Never && can:
		c.wrong("white %s: never (%s), but the table has a mate", b.FEN(), a.Reason)
	case a.Verdict == helpmate.Possible && !can:
		c.wrong("white %s: possible, but the table has no mate", b.FEN())
	case a.Verdict == helpmate.Never:
		c.confirmed++
	case a.Verdict == helpmate.Unknown && can:
		c.openCan++
		c.note("open.txt", "white %s can", b.FEN())
	case a.Verdict == helpmate.Unknown:
		c.openNo++
		c.note("open.txt", "white %s never", b.FEN())
	}
}
