package emulator

import "boardwatchd/rules/legal"

// People act at the table. The emulator asks them for the next acts, and knows nothing else about them.
type People interface {
	// Next returns the acts that follow one of their own cues (Act.Ref), or the beginning (Begin).
	Next(at int64, cue int, clock ClockView) []Act
	// FlagFell is called when the last flag falls on a player's clock. Of the acts to come those stay for which keep
	// returns true, or all if it is nil; the acts of then are added.
	FlagFell(at int64, side legal.Side) (keep func(Act) bool, then []Act)
	// Gone reports whether no further acts will come.
	Gone() bool
}

// Begin is the first cue: the people sit down. No Cue act has this value.
const Begin = 0

// ClockView is the clock as people see it at one instant. It is valid only during the call that it was passed to.
type ClockView struct {
	e  *Emulator
	at int64
}

// ToMove returns the time, in µs, of the player whose turn it is by the lever.
func (v ClockView) ToMove() int64 {
	c := &v.e.clock
	c.settle(v.at)
	return c.left[c.up]
}

// Seconds returns a player's displayed time at its last change.
func (v ClockView) Seconds(side legal.Side) int64 {
	return (v.e.clock.left[v.e.sideOf(side)] + second - 1) / second
}

// cue lets the people continue their plan.
func (e *Emulator) cue(now int64, ref int) {
	if e.people != nil {
		e.acts.add(e.people.Next(now, ref, ClockView{e, now}))
	}
}

// flagFell reports the flag to the people.
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
