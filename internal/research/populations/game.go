package populations

import (
	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// GameOptions say what is played, by whom, and how often somebody uses both hands.
type GameOptions struct {
	Options                           // Seed and Board; Family, Pace and Rates of both persons
	Plies      int                    // 0: 120
	TwoHanded  map[hands.Kind]float64 // rate per kind; nil: nobody ever does
	HurryAfter int                    // from this ply on people are a third faster; 0: never
	BonusSec   int                    // of the clock, per move
	BaseSec    int                    // 0: enough for what is played
}

// Ply is one half-move as it was made.
type Ply struct {
	Sample
	UCI, SAN string
	Side     legal.Side
	PressUS  int64
}

// Game is one whole game, with everything that the board could have seen of it.
type Game struct {
	Options GameOptions
	Start   legal.Position
	Plies   []Ply
	Changes []Report // of all plies, in order of arrival
	OverUS  int64
}

// Report is one report in a game with the half-move that made it, counted from 0.
type Report struct {
	hands.Report
	Ply int
}

// Play plays a random game in which captures are liked and both sides castle if they can. Two persons of the same
// family sit at the board.
func Play(o GameOptions) *Game {
	o.Options = o.filled()
	if o.Plies == 0 {
		o.Plies = 120
	}
	c := chanceOf(o.Seed, 1<<20|uint64(o.Family)<<8|uint64(o.Pace))
	g := &Game{Options: o, Start: legal.StartPosition()}
	persons := map[legal.Side]somebody{legal.White: meet(c, o.Family, o.Pace), legal.Black: meet(c, o.Family, o.Pace)}
	board := newScanner(o.Board, c)
	pos, now := g.Start, 3.0
	for len(g.Plies) < o.Plies {
		m, ok := c.wander(&pos)
		if !ok {
			break
		}
		now += o.think(c)
		now = g.make(c, persons[pos.Turn()], &board, &pos, m, now)
	}
	g.OverUS = int64(now*1e6) + 3_000_000
	return g
}

// think is the time from the opponent's press until the hand is at the piece. The board hears of a press about 0.7 s
// late (timing notes, 1.3); who moves before that is beyond these games.
func (o GameOptions) think(c chance) float64 {
	return 0.95 + c.gamma(1.3, [...]float64{2.5, 5, 15}[min(o.Pace, Classical)])
}

// make plays one half-move and returns the time of its press.
func (g *Game) make(c chance, who somebody, b *scanner, pos *legal.Position, m legal.Move, now float64) float64 {
	form := shapeOf(pos, m)
	two := c.happens(g.Options.TwoHanded[form.kind])
	table := pos.Placement()
	t := g.Options.task(c, form, &table)
	if after := g.Options.HurryAfter; after > 0 && len(g.Plies) >= after {
		t.haste = 0.67
	}
	who.step()
	x := act(g.Options.Options, t, who, b, two, now)
	press := float64(x.DoneUS)/1e6 + who.press(t, x.Style)
	for _, r := range x.Deed.Reports {
		g.Changes = append(g.Changes, Report{r, len(g.Plies)})
		// What the board tells of a press is late by more than any report is; the loop must not depend on it.
		press = max(press, float64(r.At)/1e6-0.3)
	}
	g.Plies = append(g.Plies, Ply{Sample: x, UCI: pos.UCI(m), SAN: pos.SAN(m), Side: pos.Turn(), PressUS: int64(press * 1e6)})
	*pos = pos.After(m)
	return press
}
