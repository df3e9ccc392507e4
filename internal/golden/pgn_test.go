package golden

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/notnil/chess"

	"boardwatchd/internal/pgn"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/replay"
	"boardwatchd/rules/legal"
)

// pgnTally counts what the PGN of all generated games has, and how much of it is the truth.
type pgnTally struct {
	games, parts, truth, moves, afterFaults, offences int
	clocks, clocksSame, elapsed, elapsedSame          int
	results, resultsAgain                             int
}

// A pgnJudge reads the PGN of games while they are played for their digests, with this program and with notnil/chess.
// Its moves, clock times and results are those that were played. Here it is a third of the games. With
// BOARDWATCHD_PGN=DIR it is all, and the texts are written there, for other readers (.ci/long).
type pgnJudge struct {
	mu     sync.Mutex
	sum    pgnTally
	faults []string
}

// wants says whether the PGN of a game is read.
func (j *pgnJudge) wants(n uint64) bool {
	return n%3 == 0 || testing.Short() || os.Getenv("BOARDWATCHD_PGN") != ""
}

// played has a game played, and takes what was said of it beside another one.
func (j *pgnJudge) played(n uint64, said func(int64, record.Kind, []byte), play func(func(int64, record.Kind, []byte)) (players.Truth, error)) error {
	c := &comparison{n: n}
	var games replay.Games
	var err error
	c.truth, err = play(func(at int64, k record.Kind, body []byte) {
		said(at, k, body)
		if k == record.Say {
			games.Said(body)
			c.said(body)
		}
	})
	if err != nil {
		return err
	}
	if err := c.read(&games); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	c.compare(&j.sum)
	for _, f := range c.faults {
		j.faults = append(j.faults, fmt.Sprintf("game %d: %s", n, f))
	}
	return nil
}

// judge is the test, when all games were played.
func (j *pgnJudge) judge(t *testing.T) {
	for _, f := range j.faults {
		t.Error(f)
	}
	sum := j.sum
	t.Logf("%+v", sum)
	elapsed := 985 // of a part of the games
	if os.Getenv("BOARDWATCHD_PGN") != "" {
		elapsed = 990
	}
	for _, bound := range []struct {
		what                  string
		part, whole, permille int
	}{
		{"moves in the PGN", sum.moves, sum.truth, 980},
		{"moves that were played, of those after faults of the equipment", sum.moves - sum.afterFaults, sum.moves, 999},
		{"clock times as played", sum.clocksSame, sum.clocks, 985},
		{"times of moves as played", sum.elapsedSame, sum.elapsed, elapsed},
		{"moves with a clock that have their time", sum.elapsed, sum.clocks, 900},
		{"results that were not shown again by kings in an analysis", sum.results - sum.resultsAgain, sum.results, 995},
	} {
		if bound.whole == 0 || bound.part*1000 < bound.whole*bound.permille {
			t.Errorf("%s: %d of %d", bound.what, bound.part, bound.whole)
		}
	}
}

// A comparison is one generated game beside its PGN.
type comparison struct {
	n       uint64
	truth   players.Truth
	written []pgn.Game
	results []string // as said, in order
	faults  []string
}

func (c *comparison) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// broken says that the equipment had faults.
func (c *comparison) broken() bool { return c.n%4 == 3 }

// said takes a result that was proposed.
func (c *comparison) said(body []byte) {
	var r struct{ Type, Result, State string }
	if json.Unmarshal(body, &r) == nil && r.Type == "result" && r.State == "proposed" {
		c.results = append(c.results, r.Result)
	}
}

// read has both readers read the PGN.
func (c *comparison) read(games *replay.Games) error {
	text, err := games.PGN(replay.Parts)
	if err != nil {
		return err
	}
	if dir := os.Getenv("BOARDWATCHD_PGN"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.pgn", c.n)), text, 0o644); err != nil {
			return err
		}
	}
	for r := pgn.NewReader(text); ; {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w in\n%s", err, text)
		}
		c.written = append(c.written, g)
		if err := notnilReads(g); err != nil {
			return err
		}
	}
}

// notnilReads: the other reader has the same moves. It knows no Chess960.
func notnilReads(g pgn.Game) error {
	if g.Start.Chess960 || len(g.Moves) == 0 {
		return nil
	}
	text, err := pgn.Append(nil, g)
	if err != nil {
		return err
	}
	read, err := chess.PGN(strings.NewReader(string(text)))
	if err != nil {
		return fmt.Errorf("notnil/chess: %w in\n%s", err, text)
	}
	moves := chess.NewGame(read).Moves()
	if len(moves) != len(g.Moves) {
		return fmt.Errorf("notnil/chess reads %d moves, not %d, in\n%s", len(moves), len(g.Moves), text)
	}
	pos, err := g.Start.Position()
	for i, m := range g.Moves {
		if err != nil || moves[i].String() != pos.UCI(m.Move) {
			return fmt.Errorf("notnil/chess reads %s as half-move %d (%v) in\n%s", moves[i], i+1, err, text)
		}
		pos = pos.After(m.Move)
	}
	return nil
}

// A row is one ply as it was written or played.
type row struct {
	ply  int
	side legal.Side
	uci  string
	pgn.Ply
	truth *players.MoveTruth
}

func (c *comparison) rows() (written, played []row) {
	for _, g := range c.written {
		pos, err := g.Start.Position()
		if err != nil {
			c.fault("a part begins from a position that readers refuse: %v", err)
		}
		for _, m := range g.Moves {
			ply := 2*pos.FullMoves() - 1
			if pos.Turn() == legal.Black {
				ply++
			}
			written = append(written, row{ply: ply, side: pos.Turn(), uci: pos.UCI(m.Move), Ply: m})
			pos = pos.After(m.Move)
		}
	}
	for _, g := range c.truth.Games {
		for i := range g.Moves {
			played = append(played, row{ply: g.Moves[i].Ply, side: g.Moves[i].Side, uci: g.Moves[i].UCI, truth: &g.Moves[i]})
		}
	}
	return written, played
}

func (c *comparison) compare(sum *pgnTally) {
	written, played := c.rows()
	sum.games += len(c.truth.Games)
	sum.parts += len(c.written)
	sum.truth += len(played)
	sum.moves += len(written)
	for i, j := range common(written, played) {
		switch w := &written[i]; {
		case j >= 0:
			c.times(sum, written, i, played, j)
		case c.wasOffence(w):
			sum.offences++
		case c.broken():
			sum.afterFaults++
		default:
			c.fault("ply %d: nobody has played %s", w.ply, w.uci)
		}
	}
	c.result(sum)
}

// wasOffence reports whether a player made an offence with that piece in that ply. The move did stand on the board
// then, and something that belongs to it was wrong (the pawn taken en passant was left, a pawn was not replaced by a
// queen).
func (c *comparison) wasOffence(w *row) bool {
	for _, g := range c.truth.Games {
		for _, o := range g.Offences {
			if o.Ply == w.ply && o.Side == w.side && o.UCI != "" && strings.HasPrefix(w.uci, o.UCI[:4]) {
				return true
			}
		}
	}
	return false
}

// quiet says that nothing else happened around a ply: no offence, and nothing that looks like one.
func (c *comparison) quiet(ply int) bool {
	for _, g := range c.truth.Games {
		for _, o := range g.Offences {
			if o.Ply >= ply-2 && o.Ply <= ply+2 {
				return false
			}
		}
		for _, in := range g.Innocents {
			if in.Ply >= ply-2 && in.Ply <= ply+2 {
				return false
			}
		}
	}
	return !c.broken() && len(c.truth.Games) == 1
}

// agreeSec: the clock of the emulator tells a press up to two seconds late.
const agreeSec = 3

// times compares the times of one move with the truth.
func (c *comparison) times(sum *pgnTally, written []row, i int, played []row, j int) {
	w, p := &written[i], played[j].truth
	if w.HasClock && p.PressAt != players.NotPressed {
		left := p.Left[0]
		if w.side == legal.Black {
			left = p.Left[1]
		}
		off := int64(w.ClockSec) - left
		sum.clocks++
		if off == 0 {
			sum.clocksSame++
		} else if (off > agreeSec || off < -agreeSec) && c.quiet(w.ply) {
			c.fault("ply %d: the clock is written as %d s and showed %d s", w.ply, w.ClockSec, left)
		}
	}
	if w.HasElapsed && j > 0 && p.PressAt != players.NotPressed && played[j-1].truth.PressAt != players.NotPressed {
		took := (p.PressAt - played[j-1].truth.PressAt + second/2) / second
		off := int64(w.ElapsedSec) - took
		sum.elapsed++
		if off <= 1 && off >= -1 {
			sum.elapsedSame++
		} else if (off > agreeSec || off < -agreeSec) && c.quiet(w.ply) {
			c.fault("ply %d: took %d s, and %d s are written", w.ply, took, w.ElapsedSec)
		}
	}
}

// result: a result that is written is the one that was shown first, unless kings in an analysis after the game have
// shown another one.
func (c *comparison) result(sum *pgnTally) {
	if len(c.truth.Games) != 1 || len(c.written) == 0 {
		return
	}
	for _, g := range c.written[:len(c.written)-1] {
		if g.Result != pgn.Unknown {
			c.fault("a part that goes on has the result %v", g.Result)
		}
	}
	got, want := c.written[len(c.written)-1].Result.String(), c.truth.Games[0].Result
	if got == "*" {
		return
	}
	sum.results++
	switch {
	case got == want:
	case slices.Index(c.results, want) == 0:
		sum.resultsAgain++
	default:
		c.fault("the result is written as %s and was %s", got, want)
	}
}

// common pairs what was written with what was played, as much as can be in order; -1 where there is nothing.
func common(a, b []row) []int {
	same := func(x, y *row) bool { return x.side == y.side && x.uci == y.uci }
	most := make([][]int, len(a)+1)
	for i := range most {
		most[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if most[i][j] = max(most[i+1][j], most[i][j+1]); same(&a[i], &b[j]) {
				most[i][j] = most[i+1][j+1] + 1
			}
		}
	}
	pairs := make([]int, len(a))
	for i, j := 0, 0; i < len(a); i++ {
		for j < len(b) && most[i][j] == most[i][j+1] {
			j++
		}
		if pairs[i] = -1; j < len(b) && same(&a[i], &b[j]) && most[i][j] == most[i+1][j+1]+1 {
			pairs[i] = j
			j++
		}
	}
	return pairs
}
