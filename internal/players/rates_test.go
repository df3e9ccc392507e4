package players

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/sharedtest"
	"boardwatchd/rules/legal"
)

// tally counts the figures of reconstruction notes 1.
type tally struct {
	presses, exact                                 int
	updates, offLegal                              int
	moves, phantom                                 int
	simple, placeFirst                             int
	events                                         [16]int
	captures, over, victimFirst, moverFirst, ghost int
	castlings, kingFirst                           int
	ticks                                          [8]int
	quickReply                                     int
}

// turnLog holds the messages between two presses.
type turnLog struct {
	fields []dgt.FieldUpdate
	ticks  int // clock messages after the last field update
	quick  bool
}

// cutter cuts a stream into turns at the messages that move the lever of a
// running clock.
type cutter struct {
	d        dgt.Decoder
	turns    []turnLog
	turn     turnLog
	up       clockproto.Side
	sinceUp  int
	reversed bool
}

func (c *cutter) feed(t *testing.T, p []byte) {
	c.d.Feed(p)
	for f, ok := c.d.Next(); ok; f, ok = c.d.Next() {
		if u, ok := f.Field(); ok {
			if c.reversed {
				u.Square = 63 - u.Square
			}
			if len(c.turn.fields) == 0 {
				c.turn.quick = c.sinceUp == 0
			}
			c.turn.fields = append(c.turn.fields, u)
			c.turn.ticks = 0
		}
		d, ok := f.Clock()
		if !ok {
			continue
		}
		r, err := clockproto.ParseReading(d)
		if err != nil {
			t.Fatal(err)
		}
		c.turn.ticks++
		c.sinceUp++
		if c.up != clockproto.NoSide && r.Up != c.up && r.Running {
			c.turn.ticks--
			c.turns = append(c.turns, c.turn)
			c.turn, c.sinceUp = turnLog{}, 0
		}
		c.up = r.Up
	}
}

// turnsOf plays the options and cuts the recording into turns.
func turnsOf(t *testing.T, o Options) (Truth, []turnLog) {
	t.Helper()
	var c cutter
	truth, err := Record(o, func(_ int64, dir byte, p []byte) {
		if dir == emulator.FromBoard {
			c.feed(t, p)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := c.d.Stats(); s.Garbage != 0 {
		t.Fatalf("%d bytes of garbage on a clean line", s.Garbage)
	}
	return truth, c.turns
}

// count adds the turns of one game.
func (c *tally) count(t *testing.T, g *GameTruth, turns []turnLog) {
	pos, err := g.Start.Position()
	if err != nil {
		t.Fatal(err)
	}
	live := pos.Placement()
	for i, m := range g.Moves {
		if m.PressAt == NotPressed || i >= len(turns) {
			return
		}
		after := pos.After(m.Move)
		c.turn(&pos, m.Move, turns[i], &live)
		if c.presses++; live == after.Placement() {
			c.exact++
		}
		pos = after
	}
}

func (c *tally) turn(pos *legal.Position, m legal.Move, log turnLog, live *legal.Placement) {
	c.moves++
	c.events[min(len(log.fields), len(c.events)-1)]++
	c.ticks[min(log.ticks, len(c.ticks)-1)]++
	if log.quick {
		c.quickReply++
	}
	var list legal.MoveList
	pos.Moves(&list)
	legalNow := map[legal.Placement]bool{}
	for _, o := range list.Slice() {
		p := pos.After(o)
		legalNow[p.Placement()] = true
	}
	before := *live
	after := pos.After(m)
	goal := after.Placement()
	first := true
	for _, u := range log.fields {
		c.updates++
		live[legal.Square(u.Square^56)] = pieceOf(u.Piece)
		switch {
		case !legalNow[*live]:
			if *live != before {
				c.offLegal++
			}
		case first:
			first = false
			if *live != goal {
				c.phantom++
			}
		}
	}
	switch {
	case m.IsCastling():
		c.castling(m, log.fields)
	case m.Promotion() != legal.NoKind || m.IsEnPassant():
	case m.Captured() != legal.NoKind:
		c.capture(m, log.fields, codeOf(before[m.To()]))
	case len(log.fields) == 2:
		if c.simple++; log.fields[0].Piece != dgt.Empty {
			c.placeFirst++
		}
	}
}

func (c *tally) castling(m legal.Move, fields []dgt.FieldUpdate) {
	if c.castlings++; len(fields) == 4 {
		want := [4]legal.Square{m.From(), m.To(), m.RookFrom(), m.RookTo()}
		for i, u := range fields {
			if legal.Square(u.Square^56) != want[i] {
				return
			}
		}
		c.kingFirst++
	}
}

func (c *tally) capture(m legal.Move, fields []dgt.FieldUpdate, victim dgt.Piece) {
	c.captures++
	firstEmpty := legal.NoSquare
	seenEmpty, ghost, placed := false, false, false
	for _, u := range fields {
		sq := legal.Square(u.Square ^ 56)
		switch {
		case u.Piece == dgt.Empty && (sq == m.From() || sq == m.To()):
			if firstEmpty == legal.NoSquare {
				firstEmpty = sq
			}
			seenEmpty = seenEmpty || sq == m.To() && !placed
		case u.Piece == victim && sq != m.To():
			ghost = true
		case sq == m.To():
			placed = true
		}
	}
	switch {
	case !seenEmpty:
		c.over++
	case firstEmpty == m.To():
		c.victimFirst++
	default:
		c.moverFirst++
	}
	if ghost {
		c.ghost++
	}
}

// TestTheHandsAreAsFastAndCarelessAsRecordedOnes compares 300 games with the
// 95 % intervals of reconstruction notes 1.
func TestTheHandsAreAsFastAndCarelessAsRecordedOnes(t *testing.T) {
	games := uint64(300)
	if testing.Short() {
		games = 60
	}
	var c tally
	for seed := range games {
		truth, turns := turnsOf(t, Options{Seed: seed, Generator: GeneratorOptions{End: EndStop}})
		c.count(t, &truth.Games[0], turns)
	}
	c.compare(t)
}

// compare checks the tally against the intervals.
func (c *tally) compare(t *testing.T) {
	t.Helper()
	for _, row := range []struct {
		what     string
		n, of    int
		low, top int // permille
	}{
		{"press: the live board is exactly the position after the move", c.exact, c.presses, 1000, 1000},
		{"updates that leave the board in a non-legal state", c.offLegal, c.updates, 490, 580},
		{"moves of which a first-match engine makes another", c.phantom, c.moves, 24, 84},
		{"simple moves placed before they are lifted", c.placeFirst, c.simple, 3, 36},
		{"captures without an empty report", c.over, c.captures, 510, 800},
		{"captures, victim lifted first", c.victimFirst, c.captures, 95, 340},
		{"captures, capturer lifted first", c.moverFirst, c.captures, 28, 210},
		{"captures with a ghost of the victim", c.ghost, c.captures, 59, 280},
		{"castlings king up, king down, rook up, rook down", c.kingFirst, c.castlings, 900, 1000},
		{"turns of 2 updates (170 of 200)", c.events[2], c.moves, 794, 893},
		{"turns of 3 updates (9 of 200)", c.events[3], c.moves, 24, 83},
		{"turns of 4 updates (16 of 200)", c.events[4], c.moves, 50, 126},
		{"turns of 5 updates (3 of 200)", c.events[5], c.moves, 5, 43},
		{"turns of 6 updates (2 of 200)", c.events[6], c.moves, 2, 36},
		{"no tick between the last update and the press (28 of 198)", c.ticks[0], c.moves, 100, 196},
		{"one tick (153 of 198)", c.ticks[1], c.moves, 710, 826},
		{"two ticks (16 of 198)", c.ticks[2], c.moves, 50, 127},
		{"three ticks (1 of 198)", c.ticks[3], c.moves, 0, 28},
		{"next player's first update with no tick after the press", c.quickReply, c.moves, 20, 80},
	} {
		if row.of == 0 {
			t.Fatalf("%s: none happened", row.what)
		}
		rate := row.n * 1000 / row.of
		t.Logf("%4d ‰ [%3d, %4d] %6d/%6d %s", rate, row.low, row.top, row.n, row.of, row.what)
		if rate < row.low || rate > row.top {
			t.Errorf("%s: %d of %d = %d ‰, recorded %d to %d ‰", row.what, row.n, row.of, rate, row.low, row.top)
		}
	}
}

// shared returns the directory of data beside the project, or skips the test.
func shared(t testing.TB, name ...string) string {
	t.Helper()
	return sharedtest.Path(t, name...)
}

// TestTheTallyCountsTheRecordingsAsPublished checks the counting itself: on the real recordings it gives the published
// numbers with which the hands are compared.
func TestTheTallyCountsTheRecordingsAsPublished(t *testing.T) {
	dir := shared(t, "captures")
	var c tally
	for _, game := range []struct{ bytes, moves string }{
		{"dgtdriver-game1.bin", "dgtdriver-game1.uci"},
		{"dgtdriver-game2-rotated.bin", "dgtdriver-game2-rotated.uci"},
		{"dgtdriver-game3-johan.bin", "dgtdriver-game3-johan.pgn"},
	} {
		stream, err := os.ReadFile(filepath.Join(dir, game.bytes))
		if err != nil {
			t.Fatal(err)
		}
		list, err := os.ReadFile(filepath.Join(dir, game.moves))
		if err != nil {
			t.Fatal(err)
		}
		cut := cutter{reversed: strings.Contains(game.bytes, "rotated")}
		cut.feed(t, stream)
		g, err := Game{Moves: Moves(string(list))}.resolve()
		if err != nil {
			t.Fatalf("%s: %v", game.moves, err)
		}
		truth := GameTruth{Start: g.start}
		for i, m := range g.moves {
			truth.Moves = append(truth.Moves, MoveTruth{Ply: i + 1, Move: m.move})
		}
		c.count(t, &truth, cut.turns)
	}
	c.compare(t)
	for _, row := range []struct {
		what      string
		got, want int
	}{
		{"presses", c.presses, 198},
		{"presses with exactly one legal successor", c.exact, 198},
		{"no tick before the press", c.ticks[0], 28},
		{"one tick", c.ticks[1], 153},
		{"two ticks", c.ticks[2], 16},
		{"three ticks", c.ticks[3], 1},
		{"castlings", c.castlings, 6},
		{"castlings king first", c.kingFirst, 6},
		{"slide phantoms in pressed moves (published: 9 in 199 moves)", c.phantom, 8},
		{"updates with no tick after a press, within pressed moves (published: 8)", c.quickReply, 6},
		{"placed before lifted", c.placeFirst, 2},
	} {
		if row.got != row.want {
			t.Errorf("%s: %d, published %d", row.what, row.got, row.want)
		}
	}
}
