package watch_test

import (
	"strings"
	"testing"

	"boardwatchd/clockproto"
	infer "boardwatchd/detector/play"
	"boardwatchd/dgt"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/rules/legal"
)

// A reader gives the bytes of records to the inference over whole games, without the machine between.
type reader struct {
	dec     dgt.Decoder
	heart   *infer.Heart // of the last game; nil before the first
	games   []*infer.Heart
	live    legal.Placement // as the wire has it
	known   bool
	turned  bool // White sits at the far side of the board
	reading *infer.Reading
}

func (r *reader) record(in record.Record) {
	if r.heart != nil {
		r.heart.Wake(in.At - 1)
	}
	switch in.Kind {
	case record.Down, record.Up:
		r.dec.Abort()
		r.gap(in.At)
	case record.Rx:
		r.dec.Feed(in.Body)
		for f, ok := r.dec.Next(); ok; f, ok = r.dec.Next() {
			r.frame(in.At, f)
		}
	}
}

func (r *reader) gap(at int64) {
	if r.heart != nil {
		r.heart.Gap(at)
	}
}

func (r *reader) frame(at int64, f dgt.Frame) {
	switch f.ID {
	case dgt.MsgBoard:
		if codes, ok := f.Board(); ok {
			var now legal.Placement
			for n, c := range codes {
				now[wireSquare(n)] = wirePiece(c)
			}
			lost := r.known && now != r.live
			r.live, r.known = now, true
			r.image(at, lost)
		}
	case dgt.MsgField:
		if u, ok := f.Field(); ok && r.known {
			r.live[wireSquare(int(u.Square))] = wirePiece(u.Piece)
			r.image(at, false)
		}
	case dgt.MsgClock:
		if d, ok := f.Clock(); ok && clockproto.Classify(d) == clockproto.Time {
			r.clock(at, d)
		}
	}
}

func (r *reader) clock(at int64, d dgt.ClockData) {
	c, err := clockproto.ParseReading(d)
	switch {
	case err != nil:
	case c.NoClock:
		r.gap(at)
	default:
		r.reading = &infer.Reading{Running: c.Running, Left: c.Left.Seconds, Right: c.Right.Seconds, Up: infer.LeftLever}
		if c.Up == clockproto.Right {
			r.reading.Up = infer.RightLever
		}
		if r.heart != nil {
			r.heart.Reading(at, *r.reading)
		}
	}
}

// image takes what the board reads now. The start array begins a game, if more than a few plies have been played before.
func (r *reader) image(at int64, lost bool) {
	start := legal.StartSetup(518).Placement
	near, far := r.live == start, turnedRound(r.live) == start
	if (near || far) && (r.heart == nil || len(r.heart.Moves()) > 4) {
		r.begin(at, !near)
		return
	}
	if r.heart == nil {
		return
	}
	seen := r.live
	if r.turned {
		seen = turnedRound(seen)
	}
	r.heart.Image(at, seen, lost)
}

func (r *reader) begin(at int64, turned bool) {
	if r.heart != nil {
		r.heart.Finish(at)
	}
	r.turned = turned
	white := infer.LeftLever
	if turned {
		white = infer.RightLever
	}
	r.heart = infer.Begin(legal.StartPosition(), at, white)
	r.games = append(r.games, r.heart)
	if r.reading != nil {
		r.heart.Reading(at, *r.reading)
	}
}

func turnedRound(p legal.Placement) (q legal.Placement) {
	for i := range p {
		q[63-i] = p[i]
	}
	return q
}

func wireSquare(n int) legal.Square { return legal.Square((7-n/8)*8 + n%8) }

// wirePiece is the piece of a code (dgt-protocol.md, 4).
func wirePiece(c dgt.Piece) legal.Piece {
	order := [...]legal.Kind{legal.Pawn, legal.Rook, legal.Knight, legal.Bishop, legal.King, legal.Queen}
	switch n := int(c) - 1; {
	case n >= 0 && n < 6:
		return legal.PieceOf(legal.White, order[n])
	case n >= 6 && n < 12:
		return legal.PieceOf(legal.Black, order[n-6])
	}
	return legal.NoPiece
}

// inferred returns what the inference says of the records that the machine was given.
func inferred(r *rig) []*infer.Heart {
	var rd reader
	for _, in := range r.inputs {
		rd.record(in)
	}
	if rd.heart != nil {
		rd.heart.Finish(r.inputs[len(r.inputs)-1].At)
	}
	return rd.games
}

// besideRows are sets of generated games. What the inference got wrong when it was last counted may not grow. The machine is held to more by
// tests of its own.
var besideRows = []struct {
	name  string
	games int
	most  besideCount
	opt   func(seed int) players.Options
}{
	{"honest", 40, besideCount{}, restless(func(*players.Options) {})},
	{"honest blitz lookalikes", 40, besideCount{}, func(s int) players.Options { return rooms[2].honest(s) }},
	{"honest classical lookalikes", 20, besideCount{}, func(s int) players.Options { return rooms[0].honest(s) }},
	{"offences blitz", 40, besideCount{wrong: 8, missed: 50}, func(s int) players.Options { return rooms[2].options(s) }},
	{"unplugged", 30, besideCount{}, faulty(faults[0].tweak)},
	{"no clock tidy", 20, besideCount{wrong: 5}, func(s int) players.Options {
		o := players.Options{Seed: uint64(s), Count: 1, Habits: &players.Tidy}
		o.Clock.None = true
		return o
	}},
	{"no clock", 20, besideCount{wrong: 9}, func(s int) players.Options {
		o := players.Options{Seed: uint64(s), Count: 1, Habits: &players.AsRecorded}
		o.Clock.None = true
		return o
	}},
	{"polled", 20, besideCount{}, restless(func(o *players.Options) { o.Clock.Lag = emulator.LagPolled })},
	{"uniform lag", 20, besideCount{}, restless(func(o *players.Options) { o.Clock.Lag = emulator.LagUniform })},
	{"white right", 15, besideCount{}, restless(func(o *players.Options) { o.Clock.White = clockproto.Right })},
	{"reversed", 15, besideCount{}, restless(func(o *players.Options) { o.Board.Reversed = true })},
	{"flips", 40, besideCount{accused: 1}, faulty(func(_ uint64, o *players.Options) { o.Faults.BitFlip = 1000 })},
	{"power", 30, besideCount{}, faulty(faults[2].tweak)},
	{"lose fields", 30, besideCount{}, faulty(func(_ uint64, o *players.Options) { o.Faults.LoseField = 20000 })},
	{"clock gone", 30, besideCount{}, faulty(faults[10].tweak)},
}

// restless are games of restless players, who differ in one thing.
func restless(tweak func(o *players.Options)) func(seed int) players.Options {
	return func(seed int) players.Options {
		o := players.Options{Seed: uint64(seed), Count: 1, Habits: &players.Restless}
		tweak(&o)
		return o
	}
}

// faulty are games in which equipment fails.
func faulty(tweak func(seed uint64, o *players.Options)) func(seed int) players.Options {
	return func(seed int) players.Options {
		o := players.Options{Seed: uint64(seed), Count: 1}
		o.Generator.MinPlies = faultPlies
		tweak(uint64(seed), &o)
		return o
	}
}

// A besideCount is what the inference got wrong in a set of games.
type besideCount struct {
	wrong   int // games that are not exact
	accused int // findings in games without an offence
	missed  int // offences without a finding
}

// BOARDWATCHD_SEEDS=300 go test ./internal/watch -run InferenceBeside -v
func TestInferenceBesideTheMachine(t *testing.T) {
	long(t)
	for _, c := range besideRows {
		t.Run(c.name, func(t *testing.T) {
			_, last := seeds(t, c.games)
			var got besideCount
			machine, games, offences := 0, 0, 0
			for seed := 1; seed <= last; seed++ {
				r, truth := play(t, c.opt(seed))
				moves, hearts := r.moves(), inferred(r)
				for i, g := range truth.Games {
					games++
					offences += len(g.Offences)
					all, legally := truthLine(g)
					if i < len(moves) && strings.Join(moves[i], " ") == strings.Join(legally, " ") {
						machine++
					}
					if i >= len(hearts) {
						got.wrong++
						got.missed += len(g.Offences)
						continue
					}
					got.judge(t, seed, hearts[i], g, all)
				}
			}
			t.Logf("exact %d of %d games, the machine %d; accused %d; found %d of %d offences", games-got.wrong, games, machine, got.accused, offences-got.missed, offences)
			if last > c.games {
				return // the counts are of the usual number of games
			}
			if got.wrong > c.most.wrong || got.accused > c.most.accused || got.missed > c.most.missed {
				t.Errorf("got %+v, at most %+v before", got, c.most)
			}
		})
	}
}

// judge compares one game.
func (n *besideCount) judge(t *testing.T, seed int, h *infer.Heart, g players.GameTruth, want []string) {
	got := h.Moves()
	if strings.Join(got, " ") != strings.Join(want, " ") {
		n.wrong++
		k := parting(got, want)
		t.Logf("seed %d, end %v: from ply %d got %v want %v (%d, %d plies)", seed, g.End, k+1, tail(got, k), tail(want, k), len(got), len(want))
	}
	if len(g.Offences) == 0 {
		n.accused += len(h.Told())
		for _, f := range h.Told() {
			t.Logf("seed %d: accused %s %v ply %d of %d at %.1f s %v margin %d", seed, f.Kind, f.Side, f.Ply, len(g.Moves), float64(f.At)/second, f.Arcs, f.Margin)
		}
	}
	for _, o := range g.Offences {
		found := false
		for _, f := range h.Told() {
			if f.At >= o.PressAt && f.At-o.PressAt < 2_500_000 {
				found = true
				if f.Kind != o.Kind {
					t.Logf("seed %d: %s is called %s", seed, o.Kind, f.Kind)
				}
			}
		}
		if !found {
			n.missed++
			t.Logf("seed %d: missed %s %s at %.1f s", seed, o.Kind, o.Way, float64(o.PressAt)/second)
		}
	}
}

// parting is the number of plies that two lines share.
func parting(a, b []string) (k int) {
	for k < len(a) && k < len(b) && a[k] == b[k] {
		k++
	}
	return k
}

// truthLine are the plies as they count; an offence that stands is "?", and no ply among the legal ones.
func truthLine(g players.GameTruth) (all, legally []string) {
	steps, _ := g.Line()
	orthodox := g.Start.Placement == legal.StartSetup(518).Placement
	for _, s := range steps {
		if s.Offence != nil {
			all = append(all, "?")
			continue
		}
		uci := s.UCI
		if orthodox && s.Move.IsCastling() {
			uci = s.Move.From().String() + s.Move.To().String()
		}
		all, legally = append(all, uci), append(legally, uci)
	}
	return all, legally
}
