package emulator

import "boardwatchd/rules/legal"

// People act at the table. The emulator asks them what happens next, and knows
// nothing else of them.
type People interface {
	// Next returns the acts that follow when one of their own cues has come (Act.Ref), or when time begins (Begin).
	Next(at int64, cue int, clock ClockView) []Act
	// FlagFell is called when the last flag falls on a player's clock. Of the acts that are still to come those happen
	// that keep wants, all where it is nil; then the others are added.
	FlagFell(at int64, side legal.Side) (keep func(Act) bool, then []Act)
	// Gone reports that nothing more will come from them.
	Gone() bool
}

// Begin is the first cue of all: the people sit down. No Cue act has it.
const Begin = 0

// ClockView is what people see of the clock at one instant. It is valid only
// during the call that it was handed to.
type ClockView struct {
	e  *Emulator
	at int64
}

// ToMove is the time, in µs, of the player whose turn it is by the lever.
func (v ClockView) ToMove() int64 {
	c := &v.e.clock
	c.settle(v.at)
	return c.left[c.up]
}

// Seconds is a player's time as displayed when it was last changed.
func (v ClockView) Seconds(side legal.Side) int64 {
	return (v.e.clock.left[v.e.sideOf(side)] + second - 1) / second
}

// cue lets the people go on with their plan.
func (e *Emulator) cue(now int64, ref int) {
	if e.people != nil {
		e.acts.add(e.people.Next(now, ref, ClockView{e, now}))
	}
}

// flagFell tells the people.
func (e *Emulator) flagFell(now int64, side int) {
	if e.people == nil {
		return
	}
	keep, then := e.people.FlagFell(now, e.playerAt(side))
	if keep != nil {
		e.acts.keep(keep)
	}
	e.acts.add(then)
}
