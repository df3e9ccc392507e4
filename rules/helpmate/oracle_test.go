package helpmate_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"boardwatchd/internal/research/mateoracle"
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// The tests of this file hold the Solver against internal/research/mateoracle, which shares no code with it. They take
// seconds; these variables make them longer:
//
//	BOARDWATCHD_ORACLE            boards of each family
//	BOARDWATCHD_ORACLE_LIMIT      nodes for a question
//	BOARDWATCHD_ORACLE_POSITIONS  positions that the oracle may visit for one board
//	BOARDWATCHD_ORACLE_SEED       other boards
//	BOARDWATCHD_ORACLE_FOUND      a folder: open.txt and wrong.txt there grow by what was found
//	BOARDWATCHD_ORACLE_FAMILY     only this family
//	BOARDWATCHD_ORACLE_PIECES     boards of each kind with three or four pieces (oracle_pieces_test.go)
func setting(name string, standard int) int {
	if n, err := strconv.Atoi(os.Getenv("BOARDWATCHD_ORACLE" + name)); err == nil {
		return n
	}
	return standard
}

// sides are the oracle's names for the program's.
var sides = map[legal.Side]mateoracle.Side{legal.White: mateoracle.White, legal.Black: mateoracle.Black}

// A court asks the Solver and holds its answers against the oracle's.
type court struct {
	t               *testing.T
	solver          helpmate.Solver
	limit, most     int
	verdicts        [helpmate.Unknown + 1]int
	confirmed       int // answers "never" that the oracle has proved as well
	nodes, worst    int
	slowest         time.Duration
	slowestFEN      string
	spent           time.Duration
	found           string
	openCan, openNo int  // left open, where the oracle knows
	notPlain        bool // the last board was a never for deeper reasons than material
}

// enough nodes have been granted to take note of an unknown; with fewer only the quick proofs are tried.
const enough = 5000

func newCourt(t *testing.T, limit, most int) *court {
	return &court{t: t, limit: setting("_LIMIT", limit), most: setting("_POSITIONS", most), found: os.Getenv("BOARDWATCHD_ORACLE_FOUND")}
}

func board(t testing.TB, fen string) mateoracle.Board {
	t.Helper()
	b, err := mateoracle.Read(fen)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// admitted: the board is one that the program takes for a position. Only those are asked about here.
func admitted(b *mateoracle.Board) bool {
	setup, err := legal.ParseFEN(b.FEN())
	if err != nil {
		return false
	}
	_, err = setup.Position()
	return err == nil
}

func (c *court) note(file, format string, args ...any) {
	if c.found == "" {
		return
	}
	f, err := os.OpenFile(filepath.Join(c.found, file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		c.t.Fatal(err)
	}
	fmt.Fprintf(f, format+"\n", args...)
	if err := f.Close(); err != nil {
		c.t.Fatal(err)
	}
}

func (c *court) wrong(format string, args ...any) {
	c.t.Helper()
	c.note("wrong.txt", format, args...)
	c.t.Errorf("WRONG: "+format, args...)
}

// ask puts one question and replays what it gets.
func (c *court) ask(b mateoracle.Board, side legal.Side) helpmate.Answer {
	c.t.Helper()
	pos := legaltest.Position(c.t, b.FEN())
	before := time.Now()
	a := c.solver.Ask(&pos, side, c.limit)
	took := time.Since(before)
	c.spent += took
	if took > c.slowest {
		c.slowest, c.slowestFEN = took, fmt.Sprint(side, " ", b.FEN())
	}
	c.verdicts[a.Verdict]++
	c.nodes += a.Nodes
	c.worst = max(c.worst, a.Nodes)
	if a.Verdict == helpmate.Possible {
		c.replay(b, side, &pos, a.Line)
	}
	return a
}

// replay plays a line with the oracle's own generator and counter.
func (c *court) replay(b mateoracle.Board, side legal.Side, pos *legal.Position, line []legal.Move) {
	c.t.Helper()
	start, p := b, *pos
	for i, m := range line {
		text := p.UCI(m)
		if !plays(&b, text) {
			c.wrong("%s %s: half-move %d, %s, is not legal in %s", side, start.FEN(), i+1, text, b.FEN())
			return
		}
		if b.Clock() >= 150 && i < len(line)-1 {
			c.wrong("%s %s: the line runs through a draw by 9.6.2 at half-move %d", side, start.FEN(), i+1)
			return
		}
		p = p.After(m)
	}
	if b.Mated() != sides[side.Other()] {
		c.wrong("%s %s: the line ends without mate in %s", side, start.FEN(), b.FEN())
	}
}

// along asks again at every position of a line that was hard to find: from each of them the mate can be reached, so a
// proof of the contrary is wrong. Few nodes, so that it is the static proofs that are asked, near the places where a
// lock opens.
func (c *court) along(b mateoracle.Board, side legal.Side, a helpmate.Answer) {
	c.t.Helper()
	if a.Verdict != helpmate.Possible || a.Nodes < 400 {
		return
	}
	pos := legaltest.Position(c.t, b.FEN())
	for _, m := range a.Line {
		pos = pos.After(m)
		if later := c.solver.Ask(&pos, side, 300); later.Verdict == helpmate.Never {
			c.wrong("%s %s: never (%s), but it is on the way from %s to a mate", side, pos.FEN(), later.Reason, b.FEN())
			return
		}
	}
}

func plays(b *mateoracle.Board, uci string) bool {
	for _, m := range b.Moves(nil) {
		if m.String() == uci {
			b.Play(m)
			return true
		}
	}
	return false
}

// try asks for both sides and lets the oracle judge whatever is not shown by a line.
func (c *court) try(b mateoracle.Board) {
	c.t.Helper()
	c.notPlain = false
	var unproved []mateoracle.Side
	answers := map[legal.Side]helpmate.Answer{}
	for side := range sides {
		answers[side] = c.ask(b, side)
		c.along(b, side, answers[side])
		a := answers[side]
		if a.Verdict == helpmate.Never && a.Reason != helpmate.Material || a.Verdict == helpmate.Unknown && c.limit >= enough {
			unproved = append(unproved, sides[side])
		}
	}
	if len(unproved) == 0 {
		return
	}
	truth := mateoracle.Closure(b, c.most, unproved...)
	for side, a := range answers {
		c.judge(b, side, a, truth)
	}
}

func (c *court) judge(b mateoracle.Board, side legal.Side, a helpmate.Answer, truth mateoracle.Result) {
	c.t.Helper()
	switch a.Verdict {
	case helpmate.Never:
		c.notPlain = c.notPlain || a.Reason != helpmate.Material && a.Reason != helpmate.Over
		if truth.Mates(sides[side]) && a.Reason != helpmate.Counted {
			c.wrong("%s %s: never (%s), but there is a mate", side, b.FEN(), a.Reason)
		} else if truth.Closed {
			c.confirmed++
		} else {
			c.note("never.txt", "%-5s %s %s", side, b.FEN(), a.Reason)
			c.descend(b, side, a)
		}
	case helpmate.Unknown:
		if c.limit < enough {
			return
		}
		known := "open"
		switch {
		case truth.Mates(sides[side]):
			known = "can"
			c.openCan++
		case truth.Closed:
			known = "never"
			c.openNo++
		}
		c.note("open.txt", "%-5s %s %s", side, b.FEN(), known)
	}
}

// descend plays on at random from a board that is too large for the oracle: what was never possible must not become
// possible.
func (c *court) descend(b mateoracle.Board, side legal.Side, a helpmate.Answer) {
	c.t.Helper()
	start := b
	r := rand.New(rand.NewPCG(uint64(len(b.FEN())), 77))
	for range 3 {
		b = start
		for ply := range 60 {
			list := b.Moves(nil)
			if len(list) == 0 {
				if b.Mated() == sides[side.Other()] {
					c.wrong("%s %s: never (%s), but a random game mates", side, start.FEN(), a.Reason)
				}
				break
			}
			b.Play(list[r.IntN(len(list))])
			if ply%10 != 9 {
				continue
			}
			pos := legaltest.Position(c.t, b.FEN())
			if later := c.solver.Ask(&pos, side, min(c.limit, 20000)); later.Verdict == helpmate.Possible {
				c.wrong("%s %s: never (%s), but later, in %s, possible", side, start.FEN(), a.Reason, b.FEN())
				return
			}
		}
	}
}

// mirrored asks about the board with colours swapped, and left for right if neither side may castle: the Laws are
// symmetric.
func (c *court) mirrored(b mateoracle.Board) {
	c.t.Helper()
	boards := []mateoracle.Board{b.Mirror()}
	if !b.Castles() {
		boards = append(boards, b.Flip())
	}
	for side := range sides {
		here := c.ask(b, side)
		for i, m := range boards {
			other := side
			if i == 0 {
				other = side.Other()
			}
			there := c.ask(m, other)
			if here.Verdict != there.Verdict && here.Verdict != helpmate.Unknown && there.Verdict != helpmate.Unknown {
				c.wrong("%s %s: %s, but in the mirror %s: %s", side, b.FEN(), here.Verdict, m.FEN(), there.Verdict)
			}
		}
	}
}

// report says how a family went.
func (c *court) report(name string) {
	n := c.verdicts[helpmate.Never] + c.verdicts[helpmate.Possible] + c.verdicts[helpmate.Unknown]
	if n == 0 {
		c.t.Errorf("%s: no questions", name)
		return
	}
	c.t.Logf("%s: %d questions, never %d (%d confirmed), possible %d, unknown %d (can %d, never %d, open %d); nodes %d in the mean, at most %d; %v in the mean, at most %v (%s)",
		name, n, c.verdicts[helpmate.Never], c.confirmed, c.verdicts[helpmate.Possible], c.verdicts[helpmate.Unknown],
		c.openCan, c.openNo, c.verdicts[helpmate.Unknown]-c.openCan-c.openNo, c.nodes/n, c.worst, c.spent/time.Duration(n), c.slowest, c.slowestFEN)
}

// Every family of boards: answers "never" that the oracle can close are confirmed, lines are replayed, mirrors agree.
func TestFamiliesAgainstTheOracle(t *testing.T) {
	boards, most := setting("", 40), 20000
	if testing.Short() {
		boards = min(boards, 8)
	}
	confirmed := 0
	for i, family := range mateoracle.Families {
		if only := os.Getenv("BOARDWATCHD_ORACLE_FAMILY"); only != "" && only != family.Name {
			continue
		}
		t.Run(family.Name, func(t *testing.T) {
			c := newCourt(t, 20000, most)
			r := rand.New(rand.NewPCG(uint64(setting("_SEED", 1)), uint64(i)))
			for n := 0; n < boards; {
				b, ok := family.Make(r)
				if !ok || !admitted(&b) {
					continue
				}
				n++
				c.try(b)
				if n%5 == 0 {
					c.mirrored(b)
				}
			}
			c.report(family.Name)
			confirmed += c.confirmed
		})
	}
	if confirmed < boards/4 && os.Getenv("BOARDWATCHD_ORACLE_FAMILY") == "" {
		t.Errorf("only %d refusals were confirmed: the test proves nothing", confirmed)
	}
}

// Boards made by playing backwards from a mate, captures taken back until everything is in the way: there the side can
// mate, however well it is hidden.
func TestNeverIsNotSaidWhereAMateWasPlayedBack(t *testing.T) {
	boards := setting("", 40)
	if testing.Short() {
		boards = min(boards, 10)
	}
	c := newCourt(t, 20000, 0)
	r := rand.New(rand.NewPCG(uint64(setting("_SEED", 1)), 99))
	for n := 0; n < boards; {
		family := mateoracle.Families[r.IntN(len(mateoracle.Families))]
		b, ok := family.Make(r)
		if !ok || !admitted(&b) {
			continue
		}
		mate, side, ok := c.someMate(b)
		if !ok {
			continue
		}
		n++
		for range 12 {
			back := mateoracle.Back(mate, 1+r.IntN(40), r)
			if !admitted(&back) {
				continue
			}
			switch a := c.ask(back, side); a.Verdict {
			case helpmate.Never:
				c.wrong("%s %s: never (%s), but it was played back from the mate %s", side, back.FEN(), a.Reason, mate.FEN())
			case helpmate.Unknown:
				c.openCan++
				c.note("open.txt", "%-5s %s can", side, back.FEN())
			}
		}
	}
	c.report("played back")
}

// someMate is the end of a line that the Solver finds.
func (c *court) someMate(b mateoracle.Board) (mate mateoracle.Board, side legal.Side, ok bool) {
	for _, side = range []legal.Side{legal.White, legal.Black} {
		pos := legaltest.Position(c.t, b.FEN())
		a := c.solver.Ask(&pos, side, 5000)
		if a.Verdict != helpmate.Possible {
			continue
		}
		for _, m := range a.Line {
			if !plays(&b, pos.UCI(m)) {
				c.t.Fatalf("%s is not legal in %s", pos.UCI(m), b.FEN())
			}
			pos = pos.After(m)
		}
		return b.Bare(), side, true
	}
	return b, side, false
}
