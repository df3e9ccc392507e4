package scenario

import (
	"errors"
	"fmt"
	"strings"

	"boardwatchd/clockproto"
	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/watch"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
)

// The times of a case before its first line, in µs after its beginning.
const (
	leverAtUS = 1_000_000
	setUpUS   = 2_500_000 // the program has read the board by then
	clockAtUS = 3_370_000 // off the full second, so that no press coincides with a tick of the clock
	firstActs = 5_000_000 // the first line's gap begins
	startedUS = 1_500_000 // so much later where it is a press: three seconds after a start it may belong to that
	judgedUS  = 2_000_000 // time for the last press of a preamble to be judged
)

// A Plan is a case as events with times: those that the equipment detects, and people's inputs. Squares are those of
// the board as it is turned; see Case.turned.
type Plan struct {
	Table    legal.Placement // before the beginning
	Clock    emulator.ClockOptions
	ScanUS   int64
	Acts     []emulator.Act
	Cues     []Cue
	Preamble int   // presses before the first line
	Begins   int64 // of the first line
	Ends     int64 // of the last line

	left table // the table at the end, by the board's squares
}

// planError is an act that is impossible.
type planError struct {
	act  *Act
	text string
}

func (e *planError) Error() string { return e.act.String() + ": " + e.text }

// clockOptions returns a clock with a time control in the notation of the case files: 90+30, 5+0, "G/60 d5", "40/90+30,
// 30+30". The delay of a d control is not emulated: the clock just runs.
func clockOptions(tc string) (emulator.ClockOptions, error) {
	t, err := timeControl(tc)
	if err != nil {
		return emulator.ClockOptions{}, err
	}
	o := emulator.ClockOptions{White: clockproto.Left, Lag: emulator.LagNone, BaseSec: t.Periods[0].BaseSec, BonusSec: t.Periods[0].IncrementSec}
	if len(t.Periods) > 1 {
		o.NextSec = t.Periods[1].BaseSec
	}
	return o, nil
}

func timeControl(tc string) (config.TimeControl, error) {
	plain := strings.NewReplacer("G/", "", " d", "d", ";d", "d").Replace(tc)
	t, err := config.ParseTimeControl(plain)
	if err == nil && len(t.Periods) == 0 {
		err = errors.New("is not given, neither by the case nor by its profile")
	}
	if err != nil {
		return t, fmt.Errorf("the time control %q: %w; it looks like 90+30 or G/60 d5", tc, err)
	}
	return t, nil
}

// planner plays a case with hands that make only the mistakes of the case.
type planner struct {
	c       *Case
	now     int64
	turn    turn
	table   table
	acts    []emulator.Act
	cues    []Cue
	moves   int  // number of ordinary moves made
	at      *Act // the line being played
	err     error
	hasBase bool
	base    legal.Position // the last position that legal moves lead to

	started, running bool
	up               legal.Side // the side whose time runs, or would run, by the lever
}

// Plan plays the case from the given instant. The error names the line that is impossible.
func (c *Case) Plan(from int64) (*Plan, error) {
	clock, err := clockOptions(c.TC)
	if err != nil {
		return nil, err
	}
	p := &planner{c: c, turn: c.turned()}
	p.table.place = c.Start.Setup.Placement
	plan := &Plan{Table: p.turn.placement(c.Start.Setup.Placement), Clock: clock, ScanUS: scanUS}
	if c.Scan > 0 {
		plan.ScanUS = c.Scan
	}
	if err := p.prepare(from); err != nil {
		return nil, err
	}
	plan.Preamble = len(c.Start.Moves)
	p.preamble()
	p.now = max(p.now, from+firstActs)
	if len(c.Acts) > 0 && c.Acts[0].Verb == Press && !homeArray(&c.Start.Setup.Placement) {
		p.now += startedUS // in the middle of a game the clock was not started just now
	}
	plan.Begins = p.now
	for i := range c.Acts {
		p.at = &c.Acts[i]
		p.now += p.at.Gap
		p.do(p.at)
		if p.err != nil {
			return nil, p.err
		}
	}
	plan.Acts, plan.Cues, plan.Ends = p.acts, p.cues, p.now
	plan.left = p.turn.table(&p.table)
	return plan, nil
}

// prepare sets up the position, the earlier decisions, and the clock.
func (p *planner) prepare(from int64) error {
	s := p.c.Start.Setup
	pos, err := standing(&s, p.c.Unchecked)
	if err != nil && !homeArray(&s.Placement) {
		if p.c.Unchecked {
			return fmt.Errorf("no game can stand there, even unchecked: %w", err)
		}
		return fmt.Errorf("no game can stand there: %w; write unchecked: true if it is meant so", err)
	}
	p.base, p.hasBase = pos, err == nil
	if p.up = s.Turn; p.up == legal.NoSide {
		p.up = legal.White
	}
	p.now = from + setUpUS
	if !homeArray(&s.Placement) {
		p.cue(watch.Instruction{Do: watch.DoPosition, FEN: s.FEN(), Unchecked: p.c.Unchecked})
	}
	if p.c.Strikes != (Sides{}) {
		p.cue(strikes(p.c.Strikes))
	}
	if strings.Contains(p.c.Trace, "Appendix D") {
		p.cue(switched(rules.FlagAppendixD))
	}
	if first, ok := p.firstPress(); ok && len(p.c.Start.Moves) == 0 && first != p.up {
		if homeArray(&s.Placement) {
			p.lever(from+leverAtUS, first) // the other player starts the clock
			return nil
		}
		p.up = first // the side can press only because its time runs
	}
	p.now = from + clockAtUS
	p.run(p.up)
	return nil
}

// firstPress returns the side that presses first, if no other action on the clock comes before.
func (p *planner) firstPress() (legal.Side, bool) {
	for i := range p.c.Acts {
		switch a := &p.c.Acts[i]; a.Verb {
		case Press:
			return a.clockSide(), true
		case Pause, Resume, Lever, SetTime, Flag:
			return legal.NoSide, false
		}
	}
	return legal.NoSide, false
}

// homeArray reports whether 32 pieces are on the home ranks, each side's own: a set-up before the first move, right or
// wrong.
func homeArray(t *legal.Placement) bool {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		want := legal.NoSide
		switch sq.Rank() {
		case 0, 1:
			want = legal.White
		case 6, 7:
			want = legal.Black
		}
		if t[sq].Side() != want {
			return false
		}
	}
	return true
}

// preamble plays the moves of the start, one second apart like the lines, or at the pace of the case.
func (p *planner) preamble() {
	think, press := p.c.Hands.gaps()
	for _, uci := range p.c.Start.Moves {
		p.now += think
		p.move(uci)
		p.now += press
		p.press(p.up)
	}
	if len(p.c.Start.Moves) > 0 {
		p.now += judgedUS
	}
}

func (p *planner) fail(format string, a ...any) {
	if p.err == nil {
		p.err = &planError{act: p.at, text: fmt.Sprintf(format, a...)}
	}
}

// do plays one line. It begins now, and advances now to its end.
func (p *planner) do(a *Act) {
	switch a.Verb {
	case Lift:
		p.lift(a.Square, a.Actor, a.Hand)
	case Put:
		p.put(a)
	case Drop:
		p.drop(a)
	case Hold:
		p.table.take(held{a.Piece, a.Actor, a.Hand})
	case Transfer:
		p.transfer(a)
	case Move:
		p.move(a.UCI)
	case Slide, Nudge:
		p.slide(a)
	case Knock:
		p.knock(a.Square)
	case Stand:
		p.stand(a.Square)
	case Restore:
		p.restore()
	case Wait:
		p.now += a.Wait
	case Press, Pause, Resume, Lever, SetTime, Flag:
		p.clock(a)
	case Say, Report, ResultOf, Resign, Sign:
		p.tell(a)
	case Leave, Return: // neither sensors nor the record notice it
	}
}

// clockSide returns the side of a press or a resume.
func (a *Act) clockSide() legal.Side {
	if a.Side != legal.NoSide {
		return a.Side
	}
	return a.Actor.Side()
}

// clock performs an act on the clock.
func (p *planner) clock(a *Act) {
	switch a.Verb {
	case Press:
		p.press(a.clockSide())
	case Pause:
		p.running = false
		p.act(emulator.Act{Verb: emulator.PauseAll})
	case Resume:
		p.run(a.clockSide())
	case Lever:
		if p.running {
			p.fail("the clock runs; pause it first, or write press")
			return
		}
		p.lever(p.now, p.up.Other())
	case SetTime:
		for _, e := range a.Edits {
			verb := emulator.AddTime
			if e.Set {
				verb = emulator.SetTime
			}
			p.act(emulator.Act{Verb: verb, Side: e.Side, US: int64(e.Sec) * 1_000_000})
		}
	case Flag:
		p.running = false
		p.act(emulator.Act{Verb: emulator.DropFlag, Side: a.Side})
	}
}

func (p *planner) act(a emulator.Act) {
	a.At = p.now
	p.acts = append(p.acts, a)
}

// run starts a side's clock with the button.
func (p *planner) run(side legal.Side) {
	p.started, p.running, p.up = true, true, side
	p.act(emulator.Act{Verb: emulator.RunOf, Side: side})
}

// lever moves the lever of a stopped clock.
func (p *planner) lever(at int64, turn legal.Side) {
	p.up = turn
	p.acts = append(p.acts, emulator.Act{At: at, Verb: emulator.LeverTo, Side: turn})
}

// press moves the lever down on a side. It starts a clock that was never started.
func (p *planner) press(side legal.Side) {
	if !p.started {
		p.run(side.Other())
		return
	}
	p.act(emulator.Act{Verb: emulator.PressOf, Side: side})
	if p.up == side {
		p.up = side.Other()
		p.learn()
	}
}

// learn compares the table at a press, as an arbiter would, with the positions after a legal move, or after one and
// its answer.
func (p *planner) learn() {
	if !p.hasBase || p.base.Placement() == p.table.place {
		return
	}
	var first, second legal.MoveList
	p.base.Moves(&first)
	for _, m := range first.Slice() {
		if after := p.base.After(m); after.Placement() == p.table.place {
			p.base = after
			return
		}
	}
	for _, m := range first.Slice() {
		after := p.base.After(m)
		after.Moves(&second)
		for _, n := range second.Slice() {
			if both := after.After(n); both.Placement() == p.table.place {
				p.base = both
				return
			}
		}
	}
}
