package live

import "strings"

// visible is the part of a summary whose change a reader notices, as a comparable value: without times that merely
// advance.
type visible struct {
	summary Summary // its pointers are nil, its times 0
	clocked bool
	clock   Clock // its age is 0
	sided   bool
	sides   ClockSides
	scan    Scan
	asked   bool
	finish  Finish
	names   Names
	wall    int64 // of the time line's beginning
}

// visible returns the visible part. The caller holds the lock, here and below.
func (b *Board) visible() visible {
	word, r := b.judge()
	v := visible{names: b.names, wall: b.wall.ms(0, b.rate())}
	s := &v.summary
	*s = Summary{
		Board: b.name, Table: b.table, Name: b.plain, Watching: b.watching, Gone: b.gone && !b.watching, Health: word, HealthWhat: r.what, HealthDetail: r.detail, HealthSay: r.say, HealthDo: r.do, Link: b.health.linkState(),
		Journal: "ok", Round: Word(b.clockset.round), Game: b.game.number, Playing: b.view.Playing, Result: Word(b.game.result), Signed: b.game.signed, Ply: b.game.plies,
		FEN: Word(b.view.FEN), Placement: Word(b.view.Placement), Reversed: b.game.reversed, Chess960: b.game.chess960,
		Paused: b.view.Held, AppendixD: b.view.AppendixD, Assistant: b.view.Assistant, NoTouch: b.view.NoTouch,
		Profile: Word(b.view.Profile), Strikes: Sides{White: b.view.Strikes[0], Black: b.view.Strikes[1]}, StrikesToLose: b.view.ToLose, Open: b.docket.open, Rate: b.rate(),
	}
	if b.contradicted() {
		s.Watching, s.Link = true, "up"
	}
	if b.degraded != "" {
		s.Journal = "degraded"
	}
	if b.viewed {
		s.Reversed, s.WhiteClock = b.view.Reversed, b.view.White
	}
	if n := len(b.game.last); n > 0 {
		s.Last, s.LastUCI = Word(b.game.last[n-1].san), Word(b.game.last[n-1].uci)
	}
	if s.Result == "" {
		s.Turn = Word(turn(b.view.FEN))
	}
	if c := &b.view.Clock; c.Known {
		v.clocked, v.clock = true, Clock{White: c.White, Black: c.Black, Running: Word(c.Running)}
	}
	if c := &b.view.Clock; c.Read && !c.Known && !c.Runs { // a running one would be a change every second
		v.sided, v.sides = true, ClockSides{c.Left, c.Right}
	}
	if f := &b.view.Finish; f.Asked {
		v.asked, v.finish = true, Finish{Since: seconds(f.Since), Result: Word(f.Result), By: Word(f.By)}
	}
	if c := &b.view.Scan; c.Verdict != "" {
		v.scan = Scan{c.PeriodMS, c.Order, float64(c.Fit) / 1000, c.Moves, c.Verdict, c.Held}
	}
	return v
}

// A reader lets the clock run on by itself (types.go, Clock). A reading is a change if it differs from that by more
// than foreseenUS, and always below shortSec, where every second counts.
const (
	foreseenUS = 1_000_000 // the rounding of whole seconds
	shortSec   = 60
)

// foreseen reports whether the clock shows the time that a reader of the last version expects.
func (b *Board) foreseen(now *visible) bool {
	before, after := b.shown.clock, now.clock
	if !b.shown.clocked || !now.clocked || before.Running == "" || before.Running != after.Running {
		return false
	}
	ran, runs, rested, rests := before.White, after.White, before.Black, after.Black
	if before.Running == "black" {
		ran, runs, rested, rests = rested, rests, ran, runs
	}
	off := int64(ran-runs)*1e6 - (b.view.Clock.At - b.shownClockAt)
	return runs >= shortSec && rested == rests && -foreseenUS <= off && off <= foreseenUS
}

// maxRate bounds the rate in an opening record: a simulation runs up to 100 times as fast as real time.
const maxRate = 1000

func (b *Board) rate() int64 { return max(b.info.Rate, min(b.wall.rate, maxRate), 1) }

// turn returns the side to move in a FEN.
func turn(fen string) string {
	_, rest, _ := strings.Cut(fen, " ")
	switch side, _, _ := strings.Cut(rest, " "); side {
	case "w":
		return "white"
	case "b":
		return "black"
	}
	return ""
}

// summary returns the board on one line, with its times.
func (b *Board) summary() Summary {
	v := b.visible()
	s := v.summary
	s.T, s.WallMS, s.StoodMS = seconds(b.t), b.wall.ms(b.t, b.rate()), b.wall.ms(b.stood, b.rate())
	if v.clocked {
		v.clock.Age = seconds(max(b.t-b.view.Clock.At, 0))
		s.Clock = &v.clock
	}
	if v.sided {
		s.ClockSides = &v.sides
	}
	if v.scan != (Scan{}) {
		s.Scan = &v.scan
	}
	if v.asked {
		s.Finish = &v.finish
	}
	if v.names != (Names{}) {
		s.Names = &v.names
	}
	return s
}

// seconds converts µs to the unit of the objects.
func seconds(us int64) float64 { return float64(us) / 1e6 }
