package populations

import (
	"cmp"
	"slices"
	"sync"

	"boardwatchd/clockproto"
	"boardwatchd/detector/hands"
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/rules/legal"
)

// likes returns the weights of the draw; without them random play rarely castles or promotes.
func likes(m legal.Move) float64 {
	switch {
	case m.IsCastling():
		return 400
	case m.Promotion() == legal.Queen:
		return 150
	case m.IsEnPassant():
		return 30
	case m.Promotion() != legal.NoKind || m.Captured() != legal.NoKind:
		return 3
	}
	return 1
}

// wander draws a legal move, false if there is none.
func (c chance) wander(p *legal.Position) (legal.Move, bool) {
	var list legal.MoveList
	p.Moves(&list)
	if list.Len() == 0 {
		return legal.NoMove, false
	}
	weights := make([]float64, list.Len())
	for i, m := range list.Slice() {
		weights[i] = likes(m)
	}
	return list.At(c.pick(weights)), true
}

// handlings holds manipulations of each kind from random legal games in which captures are preferred: so distances and
// directions are those of chess. They are drawn once.
var handlings = sync.OnceValue(func() map[hands.Kind][]hands.Handling {
	const games, plies = 150, 120
	c, list := chanceOf(20, 11), map[hands.Kind][]hands.Handling{}
	for range games {
		p := legal.StartPosition()
		for range plies {
			m, ok := c.wander(&p)
			if !ok {
				break
			}
			board := p.Placement()
			d := hands.HandlingOf(&board, m)
			list[d.Kind] = append(list[d.Kind], d)
			p = p.After(m)
		}
	}
	return list
})

// around returns a board with only the pieces that the manipulation needs.
func around(d *hands.Handling) (t legal.Placement) {
	t[d.From] = d.Mover
	if d.Victim < legal.NoSquare {
		t[d.Victim] = d.Taken
	}
	if d.RookFrom < legal.NoSquare {
		t[d.RookFrom] = legal.PieceOf(d.Mover.Side(), legal.Rook)
	}
	return t
}

// GameOptions choose the game, the players, and how often both hands are used.
type GameOptions struct {
	Options                           // Seed and Board; Family, Pace and Rates of both persons
	Plies      int                    // 0: 120
	Opening    []string               // UCI; random moves follow it
	TwoHanded  map[hands.Kind]float64 // rate per kind; nil: never
	HurryAfter int                    // from this ply on people are a third faster; 0: never
	BonusSec   int                    // of the clock, per move
	BaseSec    int                    // 0: enough for the game
}

// Ply is one half-move with its manipulation.
type Ply struct {
	Sample
	UCI     string
	PressUS int64
}

// Game is one whole game, with all reports of the board.
type Game struct {
	Options GameOptions
	Start   legal.Position
	Plies   []Ply
	Changes []hands.Report // of all plies, in order of arrival
	OverUS  int64
}

// Play plays a random game in which captures are preferred and both sides castle if they can. Two persons of the same
// family sit at the board.
func Play(o GameOptions) *Game {
	o.Options = o.filled()
	if o.Plies == 0 {
		o.Plies = 120
	}
	s := Sit(o.Options)
	g := &Game{Options: o, Start: legal.StartPosition()}
	persons := [...]somebody{s.who, meet(s.chance, o.Family)}
	pos, now := g.Start, 3.0
	for len(g.Plies) < o.Plies {
		m, ok := s.chance.wander(&pos)
		if n := len(g.Plies); n < len(o.Opening) {
			m, ok = pos.FindUCI(o.Opening[n])
		}
		if !ok {
			break
		}
		// This is the time from the opponent's press until the hand is at the piece. The board receives a press about
		// 0.7 s late (timing notes, 1.3); earlier moves do not occur in these games.
		now += 0.95 + s.chance.gamma(1.3, [...]float64{2.5, 5, 15}[o.Pace])
		s.who = persons[len(g.Plies)%2]
		now = g.make(s, &pos, m, now)
	}
	g.OverUS = int64(now*1e6) + 3_000_000
	return g
}

// make plays one half-move and returns the time of its press.
func (g *Game) make(s *Session, pos *legal.Position, m legal.Move, now float64) float64 {
	table := pos.Placement()
	t := g.Options.task(hands.HandlingOf(&table, m), &table)
	if after := g.Options.HurryAfter; after > 0 && len(g.Plies) >= after {
		t.haste = 0.67
	}
	s.who.step()
	x := s.perform(t, s.who.choose(t, s.chance.happens(g.Options.TwoHanded[t.Kind])), now)
	press := float64(x.DoneUS)/1e6 + s.who.press()
	g.Changes = append(g.Changes, x.Handling.Reports...)
	for _, r := range x.Handling.Reports {
		// The board's message of a press is later than any report; the loop must not depend on that.
		press = max(press, float64(r.At)/1e6-0.3)
	}
	g.Plies = append(g.Plies, Ply{Sample: x, UCI: pos.UCI(m), PressUS: int64(press * 1e6)})
	*pos = pos.After(m)
	return press
}

// Records returns the host's input, in order of time: a dump and the clock, then the changes of the squares and of the
// clock.
func (g *Game) Records() []record.Record {
	var list []record.Record
	add := func(at int64, m dgt.Message) {
		list = append(list, record.Record{At: at, Kind: record.Rx, Body: m.AppendTo(nil)})
	}
	reversed := g.Options.Board.Reversed
	add(300_000, Dump(g.Start.Placement(), reversed))
	for _, r := range g.Changes {
		add(r.At, Update(r, reversed))
	}
	g.clock(add)
	slices.SortStableFunc(list, func(a, b record.Record) int { return cmp.Compare(a.At, b.At) })
	return list
}

const (
	// clockLagUS: the board knows the clock's display about two thirds of a second late (timing notes, 1.3).
	clockLagUS   = 670_000
	clockStartUS = 1_500_000
)

// clock adds the clock's messages: once a second, and at each press.
func (g *Game) clock(add func(at int64, m dgt.Message)) {
	base := int64(g.Options.BaseSec)
	if base == 0 {
		base = g.OverUS/1_000_000 + 60
	}
	left := [2]int64{base * 1_000_000, base * 1_000_000}
	now, turn := int64(clockStartUS), 0
	tell := func(at int64, running bool) { add(at+clockLagUS, dgt.ClockData(g.face(left, turn, running))) }
	tell(400_000-clockLagUS, false)
	tell(now, true)
	for _, p := range g.Plies {
		for {
			tick := now + (left[turn]-1)%1_000_000 + 1 // the display counts down
			if tick >= p.PressUS || left[turn] <= 0 {
				break
			}
			left[turn] -= tick - now
			now = tick
			tell(now, true)
		}
		left[turn] += int64(g.Options.BonusSec)*1_000_000 - min(p.PressUS-now, left[turn])
		now, turn = p.PressUS, 1-turn
		tell(now, true)
	}
	tell(g.OverUS-clockLagUS, false)
}

// face returns a reading; White sits at the left of the clock, or at the right of it if the board is reversed.
func (g *Game) face(left [2]int64, turn int, running bool) [7]byte {
	show := func(side int) clockproto.Face {
		return clockproto.Face{Seconds: int((left[side] + 999_999) / 1_000_000), PerMove: g.Options.BonusSec > 0}
	}
	r := clockproto.Reading{Left: show(0), Right: show(1), Running: running, Up: clockproto.Left, TurnBits: clockproto.TurnLeft}
	if g.Options.Board.Reversed {
		r.Left, r.Right = r.Right, r.Left
		turn = 1 - turn
	}
	if turn == 1 {
		r.Up, r.TurnBits = clockproto.Right, clockproto.TurnRight
	}
	return r.Encode()
}

// Plain plays a move that two hands cannot share. It has no kind.
func (s *Session) Plain() Sample { return s.Do(hands.NoKind, false) }

// Do makes a manipulation of a kind, with one hand or two, as it occurs in games.
func (s *Session) Do(kind hands.Kind, two bool) Sample {
	list := handlings()[kind]
	d := list[s.chance.IntN(len(list))]
	s.now += s.chance.between(2, 12)
	table := around(&d)
	t := s.options.task(d, &table)
	s.who.step()
	return s.perform(t, s.who.choose(t, two), s.now)
}
