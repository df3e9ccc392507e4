package live

import "slices"

// Levers finds the time of each press: that of the first reading in which the other side's time runs. The judgement of
// a press comes later. The zero value is ready.
type Levers struct {
	list recent[lever]
	last string // the side whose time ran in the last reading
	read bool
}

// A lever is a press as the clock reported it: from then on that side's time runs.
type lever struct {
	at      int64
	running string
}

// PressLagUS bounds when a lever was moved: in the second before its reading arrived (protocol notes, section 6).
const PressLagUS = 1_000_000

// Bounds of a press.
const (
	judgedUS = 10_000_000 // a press is judged within this
	bounceUS = 350_000    // a lever that is down again within this time has bounced (package detector)
)

// Read notes the side whose time runs in a reading; "": neither. It reports whether the lever has moved.
func (l *Levers) Read(at int64, running string) bool {
	moved := l.read && running != "" && l.last != running
	if moved {
		l.list.add(lever{at, running})
	}
	l.last, l.read = running, true
	return moved
}

// Pressed returns the time at which the lever went down for a press of a side. Judged is the time of its judgement,
// before that of the press judged before it. A lever that bounced went down more than once for one press: the first
// time counts.
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
