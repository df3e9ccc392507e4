package live

import "slices"

// Levers are the presses as a clock reports them: the first reading in which the other side's time runs. A press is
// judged later, and this finds when it was. The zero value is ready.
type Levers struct {
	list recent[lever]
	last string // whose time ran in the last reading
	read bool
}

// A lever is a press as the clock told it: from now on that side's time runs.
type lever struct {
	at      int64
	running string
}

// PressLagUS bounds when a lever was moved: in the second before its reading arrived (protocol notes, section 6).
const PressLagUS = 1_000_000

// Bounds of a press.
const (
	judgedUS = 10_000_000 // a press is judged within this
	bounceUS = 350_000    // a lever that is down again so soon has bounced (package detector)
)

// Read takes whose time runs in a reading; "": nobody's. It says whether the lever has moved.
func (l *Levers) Read(at int64, running string) bool {
	moved := l.read && running != "" && l.last != running
	if moved {
		l.list.add(lever{at, running})
	}
	l.last, l.read = running, true
	return moved
}

// Pressed is when the lever went down for the press of a side that was judged at a time, after the press that was
// judged before. Where it bounced, it went down more than once for one press: the first time counts.
func (l *Levers) Pressed(side string, judged, before int64) (at int64, ok bool) {
	for _, l := range slices.Backward(l.list.all()) {
		switch {
		case side == "" || l.running == side || l.at > judged || judged-l.at > judgedUS:
		case !ok:
			at, ok = l.at, true
		case l.at > before && at-l.at < bounceUS:
			at = l.at
		}
	}
	return at, ok
}
