package players

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// fingerprint plays the options and returns a hash of every chunk with its time.
func fingerprint(t *testing.T, o Options) uint64 {
	t.Helper()
	h := fnv.New64a()
	if _, err := Record(o, func(at int64, dir byte, p []byte) { fmt.Fprintf(h, "%d%c%x;", at, dir, p) }); err != nil {
		t.Fatal(err)
	}
	return h.Sum64()
}

func TestSameSeedSameBytes(t *testing.T) {
	for _, o := range []Options{
		{Seed: 1},
		{Seed: 1, Habits: &Restless, Board: emulator.BoardOptions{Reversed: true}, Clock: emulator.ClockOptions{Lag: emulator.LagUniform}},
		{Seed: 1, Faults: emulator.Faults{BitFlip: 500, DropByte: 500, LoseField: 5000, Garbage: 2000}},
	} {
		if a, b := fingerprint(t, o), fingerprint(t, o); a != b {
			t.Errorf("%+v: two runs differ", o)
		}
		other := o
		other.Seed++
		if fingerprint(t, o) == fingerprint(t, other) {
			t.Errorf("%+v: another seed plays the same game", o)
		}
	}
}

func TestASeedIsForEver(t *testing.T) {
	// A recording is determined by its options. This number changes only when a measurement corrects the model.
	const want = 0x1e4ed257b119a9ab
	moves := Moves("e4 d5 exd5 Qxd5 Nc3 Qa5 d4 c6 Nf3 Bg4 Bf4 e6 h3 Bxf3 Qxf3 Bb4 Be2 Nd7 a3 O-O-O axb4 Qxa1+ Kd2 Qxh1 Qxc6+ bxc6 Ba6#")
	if got := fingerprint(t, Options{Seed: 2718, Games: []Game{{Moves: moves}}}); got != want {
		t.Errorf("seed 2718 plays %#x, was %#x", got, uint64(want))
	}
}

// listen makes a table whose board reports in the nice mode from the start.
func listen(t *testing.T, o Options) *Table {
	t.Helper()
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	e.Input(0, []byte{byte(dgt.SetUpdateNice)})
	return e
}

func TestTheSlicesOfTimeDoNotMatter(t *testing.T) {
	play := func(step int64) []byte {
		e := listen(t, Options{Seed: 9, Generator: GeneratorOptions{MaxPlies: 20}})
		var log bytes.Buffer
		for at := int64(0); at < 60*second; at += step {
			e.Advance(at, func(at int64, p []byte) { fmt.Fprintf(&log, "%d %x\n", at, p) })
		}
		return log.Bytes()
	}
	if a, b := play(7_919), play(20*second); !bytes.HasPrefix(a, b) || len(b) == 0 {
		t.Error("7.9 ms steps and 20 s steps give different bytes")
	}
}

func TestTheLastDumpIsTheTruth(t *testing.T) {
	chess960 := GeneratorOptions{Chess960: true}
	for name, o := range map[string]Options{
		"plain":               {},
		"reversed":            {Board: emulator.BoardOptions{Reversed: true}},
		"scan backwards":      {Board: emulator.BoardOptions{ScanReverse: true, Reversed: true}},
		"scan in one batch":   {Board: emulator.BoardOptions{ScanBatch: true}},
		"slow scan":           {Board: emulator.BoardOptions{ScanUS: 450_000}},
		"restless hands":      {Habits: &Restless, Count: 3},
		"tidy hands":          {Habits: &Tidy},
		"classical":           {Tempo: Classical, Clock: emulator.ClockOptions{BaseSec: 5400, BonusSec: 30}},
		"chess960":            {Generator: chess960, Count: 3},
		"chess960, restless":  {Generator: chess960, Habits: &Restless},
		"no clock":            {Clock: emulator.ClockOptions{None: true}},
		"white on the right":  {Clock: emulator.ClockOptions{White: clockproto.Right}},
		"sudden death":        {Clock: emulator.ClockOptions{BaseSec: 60, BonusSec: 0}},
		"two periods":         {Clock: emulator.ClockOptions{BaseSec: 60, NextSec: 60}},
		"polled clock":        {Clock: emulator.ClockOptions{Lag: emulator.LagPolled}},
		"ends with the kings": {Generator: GeneratorOptions{End: EndKings}, Count: 2},
		"ends by flag":        {Generator: GeneratorOptions{End: EndFlag}, Count: 2},
		"ends nowhere":        {Generator: GeneratorOptions{End: EndLeave}, Count: 2},
	} {
		for seed := range uint64(6) {
			o.Seed = seed
			checkTruth(t, fmt.Sprintf("%s, seed %d", name, seed), o)
		}
	}
}

// checkTruth plays to the end and compares updates, dump and truth.
func checkTruth(t *testing.T, name string, o Options) {
	t.Helper()
	e := listen(t, o)
	var d dgt.Decoder
	live := e.Placement()
	var dump legal.Placement
	take := func(_ int64, p []byte) {
		d.Feed(p)
		for f, ok := d.Next(); ok; f, ok = d.Next() {
			if u, ok := f.Field(); ok {
				live[squareOf(int(u.Square), o.Board.Reversed)] = pieceOf(u.Piece)
			}
			if b, ok := f.Board(); ok {
				for n, code := range b {
					dump[squareOf(n, o.Board.Reversed)] = pieceOf(code)
				}
			}
		}
	}
	for !e.Done() && e.Now() < 7*24*3600*second {
		at, ok := e.NextEvent()
		if !ok {
			break
		}
		e.Advance(at, take)
	}
	e.Input(e.Now(), []byte{byte(dgt.RequestBoard)})
	e.Advance(e.Now()+2*second, take)
	truth := e.Truth()
	if dump != truth.Placement {
		t.Errorf("%s: the dump is %s, the truth %s", name, dump, truth.Placement)
	}
	if live != dump {
		t.Errorf("%s: the updates do not add up to the dump", name)
	}
	if s := d.Stats(); s.Garbage != 0 {
		t.Errorf("%s: %d bytes of garbage", name, s.Garbage)
	}
	checkGames(t, name, &truth)
}

// checkGames replays the true moves.
func checkGames(t *testing.T, name string, truth *Truth) {
	t.Helper()
	for i := range truth.Games {
		g := &truth.Games[i]
		pos, err := g.Start.Position()
		if err != nil {
			t.Fatalf("%s: game %d: %v", name, i+1, err)
		}
		for _, m := range g.Moves {
			if !pos.IsLegal(m.Move) {
				t.Fatalf("%s: game %d ply %d: %s is not legal in %s", name, i+1, m.Ply, m.UCI, pos.FEN())
			}
			if m.PlacedAt < m.LiftAt || m.PressAt != NotPressed && m.PressAt < m.PlacedAt {
				t.Errorf("%s: game %d ply %d: lift %d, place %d, press %d", name, i+1, m.Ply, m.LiftAt, m.PlacedAt, m.PressAt)
			}
			pos = pos.After(m.Move)
		}
		if g.EndAt <= g.StartAt {
			t.Errorf("%s: game %d lasts from %d to %d", name, i+1, g.StartAt, g.EndAt)
		}
		if last := i == len(truth.Games)-1; last && g.End == EndStop && pos.Placement() != truth.Placement {
			t.Errorf("%s: the table shows %s, the moves give %s", name, truth.Placement, pos.Placement())
		}
	}
}

func TestGivenMovesArePlayed(t *testing.T) {
	moves := Moves("1. e4 {best by test} e5 2. Nf3 Nc6 (2... d6) 3.Bb5! a6 4. O-O 1/2-1/2")
	truth, err := Record(Options{Games: []Game{{Moves: moves, End: EndKings}}}, func(int64, byte, []byte) {})
	if err != nil {
		t.Fatal(err)
	}
	var played []string
	for _, m := range truth.Games[0].Moves {
		played = append(played, m.UCI)
	}
	if got, want := fmt.Sprint(played), "[e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1]"; got != want {
		t.Errorf("played %s, want %s", got, want)
	}
	if g := truth.Games[0]; g.Result != "1/2-1/2" || g.End != EndKings {
		t.Errorf("ended %s by %s", g.Result, g.End)
	}
}

func TestAMoveThatIsNotLegalIsAnError(t *testing.T) {
	_, err := New(Options{Games: []Game{{Moves: []string{"e4", "e5", "Ke3"}}}})
	if err == nil {
		t.Fatal("played Ke3")
	}
	for _, part := range []string{"game 1", "move 3", "Ke3"} {
		if !bytes.Contains([]byte(err.Error()), []byte(part)) {
			t.Errorf("%q does not name %s", err, part)
		}
	}
}

func TestAnAdjournedGameGoesOn(t *testing.T) {
	moves := Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6")
	truth, err := Record(Options{Games: []Game{{Moves: moves, AdjournAt: 3}}}, func(int64, byte, []byte) {})
	if err != nil {
		t.Fatal(err)
	}
	g := truth.Games[0]
	if len(g.Moves) != 6 {
		t.Fatalf("%d moves, want 6", len(g.Moves))
	}
	if pause := g.Moves[3].LiftAt - g.Moves[2].PressAt; pause < 200*second {
		t.Errorf("adjourned for %d s", pause/second)
	}
}

func TestEveryKindOfMoveOccurs(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(60) {
		r := random.New(seed)
		g := generate(&r, GeneratorOptions{}, mood{})
		for _, m := range g.moves {
			switch {
			case m.move.IsCastling() && m.move.To().File() == 6:
				kinds["castling short"]++
			case m.move.IsCastling():
				kinds["castling long"]++
			case m.move.IsEnPassant():
				kinds["en passant"]++
			case m.move.Promotion() == legal.Queen && m.move.Captured() != legal.NoKind:
				kinds["capture and promotion"]++
			case m.move.Promotion() == legal.Queen:
				kinds["promotion"]++
			case m.move.Promotion() != legal.NoKind:
				kinds["under-promotion"]++
			case m.move.Captured() != legal.NoKind:
				kinds["capture"]++
			}
		}
	}
	for _, k := range []string{"castling short", "castling long", "en passant", "promotion", "capture and promotion", "under-promotion", "capture"} {
		if kinds[k] < 3 {
			t.Errorf("%s: %d times in 60 games", k, kinds[k])
		}
	}
	t.Log(kinds)
}

func TestEveryEndHasItsOwnName(t *testing.T) {
	seen := map[string]bool{}
	for e := EndUnset; e <= EndLeave+1; e++ {
		if s := e.String(); seen[s] || (e > EndLeave) != strings.Contains(s, "(") {
			t.Errorf("end %d is called %q", e, s)
		}
		seen[e.String()] = true
	}
}

// FuzzMoves: splitting the joined result again gives the same, and no word is lost.
func FuzzMoves(f *testing.F) {
	f.Add("1. e4 {a (comment} e5 (1... c5) 2. Nf3! $4 1/2-1/2")
	f.Add("1.e4e5 }}{ (((")
	f.Fuzz(func(t *testing.T, text string) {
		once := Moves(text)
		twice := Moves(strings.Join(once, " "))
		if strings.Join(once, " ") != strings.Join(twice, " ") {
			t.Errorf("%q: first %q, then %q", text, once, twice)
		}
	})
}

func BenchmarkGame(b *testing.B) {
	b.ReportAllocs()
	moves, frames := 0, 0
	for i := range b.N {
		truth, err := Record(Options{Seed: uint64(i)}, func(_ int64, _ byte, p []byte) { frames += len(p) })
		if err != nil {
			b.Fatal(err)
		}
		moves += truth.Moves()
	}
	b.ReportMetric(float64(moves)/float64(b.N), "moves/game")
	b.ReportMetric(float64(frames)/float64(b.N), "bytes/game")
}
