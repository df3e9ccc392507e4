package live

import (
	"cmp"
	"slices"
	"strings"

	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// Bounds of a time line.
const (
	maxTraced  = 512       // stored touches and presses of a board
	maxMoments = 80        // of one finding
	maxClocks  = 64        // readings
	afterUS    = 3_000_000 // moments after the window are shown for this long
	nearUS     = 50_000    // difference of two readings that count as one

	maxTouches = 128 // in one step: a board with more has dropped some (watch.Machine.Touches)
)

// window is the time of an event: not before lo and not after hi.
type window struct{ lo, hi int64 }

// trace holds the recent touches and presses.
type trace struct {
	list   []traced        // in order of arrival
	from   int64           // no touch after this time is missing
	traces bool            // touches are reported at all
	begun  int64           // begin of the game
	clocks recent[reading] // each differs from the one before
	levers Levers
	room   []traced // buffer of line
}

// traced is the stored form of a Moment: a hall stores some hundred thousand.
type traced struct {
	window
	seq     int64
	what    moment
	dump    bool
	was, is byte // letters of a FEN; 0: an empty square
	square  legal.Square
	side    legal.Side // of a press
	judged  *string    // likewise
}

// moment is the kind of a Moment.
type moment uint8

const (
	press moment = iota + 1
	lift
	place
	replace
)

var momentWords = [...]string{press: "press", lift: "lift", place: "place", replace: "replace"}

// moment returns the entry in the form for readers.
func (x *traced) moment() Moment {
	m := Moment{T: seconds(x.hi), Lo: seconds(x.lo), What: momentWords[x.what], Seq: x.seq, Dump: x.dump, Was: letter(x.was), Is: letter(x.is)}
	if x.what == press {
		m.Side, m.Judged = sideWords[x.side], *x.judged
	} else {
		m.Square = x.square.String()
	}
	return m
}

// sideWords are the words for a side, as the machine writes them.
var sideWords = [...]string{legal.NoSide: "", legal.White: "white", legal.Black: "black"}

func sideOf(word string) legal.Side {
	return legal.Side(max(slices.Index(sideWords[:], word), 0))
}

// fine is the judgement of most presses, shared to save memory.
var fine = "ok"

func judgement(word string) *string {
	if word == fine {
		return &fine
	}
	return &word
}

func letter(b byte) string {
	if b == 0 {
		return ""
	}
	return string(rune(b))
}

func first(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

type reading struct {
	at      int64
	clock   Sides
	running string
}

// A timeline belongs to one finding.
type timeline struct {
	frozen   bool // nothing more is added
	complete bool
	moments  []traced
	clock    *Sides
}

// see evaluates the machine's view and the touches since the view before.
func (t *trace) see(v, was *watch.View, touches []watch.Touch) {
	if !t.traces {
		t.traces, t.from = true, v.At
	}
	if was.Placement == "" {
		touches = nil // the first dump: a set-up of 32 pieces at once is no touch
	}
	if len(touches) >= maxTouches {
		t.from = max(t.from, touches[0].At)
	}
	for _, x := range touches {
		square, _ := legal.ParseSquare(x.Square) // the observer or the machine has written it
		t.add(traced{window: window{x.Lo, x.At}, seq: x.Seq, what: touchWord(&x), dump: x.Dump, was: first(x.Was), is: first(x.Is), square: square})
	}
	t.read(v.Clock)
}

// hear handles a health object: after some of them touches may be missing.
func (t *trace) hear(o *heard) {
	switch o.What {
	case "gap", "link_down", "link_up", "no_answer", "updates_lost", "noise", "flood":
		t.from = max(t.from, micros(o.T))
	}
}

// touchWord names the change of a square.
func touchWord(x *watch.Touch) moment {
	switch {
	case x.Is == "":
		return lift
	case x.Was == "":
		return place
	}
	return replace
}

func (t *trace) add(x traced) {
	if len(t.list) == maxTraced {
		const gone = maxTraced / 8
		t.from = max(t.from, t.list[gone-1].hi+1)
		t.list = append(t.list[:0], t.list[gone:]...)
	}
	t.list = append(t.list, x)
}

func (t *trace) newGame(at int64) { t.begun = at }

// read stores a clock reading.
func (t *trace) read(c watch.ClockView) {
	if !c.Known {
		return
	}
	r := reading{c.At, Sides{White: c.White, Black: c.Black}, c.Running}
	list := t.clocks.all()
	if n := len(list); n > 0 && list[n-1].clock == r.clock && list[n-1].running == r.running {
		return
	}
	t.levers.Read(r.at, r.running)
	t.clocks.add(r)
}

// recent holds the last elements that were added, maxClocks at most. It moves them once in maxClocks additions.
type recent[T any] struct{ list []T }

func (r *recent[T]) add(x T) {
	if len(r.list) == 2*maxClocks {
		r.list = append(r.list[:0], r.all()[1:]...)
	}
	r.list = append(r.list, x)
}

// all returns the elements, oldest first.
func (r *recent[T]) all() []T { return r.list[max(len(r.list)-maxClocks, 0):] }

// press stores a press. It is received after its judgement; the clock's reading gives its time.
func (t *trace) press(o *heard) {
	at := micros(o.T)
	before := t.begun // the press that was judged before
	for i := range t.list {
		if x := &t.list[i]; x.what == press {
			before = x.hi
		}
	}
	if down, ok := t.levers.Pressed(o.Side, at, before); ok {
		at = down
	}
	t.add(traced{window: window{at - PressLagUS, at}, seq: o.Seq, what: press, judged: judgement(o.Judged), side: sideOf(o.Side)})
}

// line returns the time line of a finding: from the press before it.
func (t *trace) line(it *item) timeline {
	w, from := it.window, t.since(it)
	line := timeline{complete: t.traces && t.from <= from, clock: t.clockAt(w.hi)}
	t.room = t.room[:0]
	for _, x := range t.list {
		if x.hi >= from && x.hi <= w.hi+afterUS {
			t.room = append(t.room, x)
		}
	}
	list := t.room
	slices.SortStableFunc(list, func(a, b traced) int { return cmp.Compare(a.hi, b.hi) })
	if n := len(list) - maxMoments; n > 0 {
		list, line.complete = list[n:], false
	}
	line.moments = slices.Clone(list)
	return line
}

// shown returns the moments in the form for readers.
func (l *timeline) shown() []Moment {
	list := make([]Moment, len(l.moments))
	for i := range l.moments {
		list[i] = l.moments[i].moment()
	}
	return list
}

// since returns the beginning of a finding's time line: the press before its own, or the beginning of the game. A move
// that a person reports has just been pressed, so it is one press more.
func (t *trace) since(it *item) int64 {
	before := [2]int64{t.begun, t.begun} // the latest press, and the one before
	for i := range t.list {
		x := &t.list[i]
		if x.what == press && x.hi >= t.begun && x.hi < it.window.hi && !it.owns(x) {
			before = [2]int64{x.hi, before[0]}
		}
	}
	if it.reported {
		return before[1]
	}
	return before[0]
}

// owns reports whether a press is the finding's own.
func (it *item) owns(x *traced) bool {
	if x.hi >= it.window.hi-nearUS {
		return true
	}
	return x.hi >= it.window.lo && strings.TrimSuffix(*x.judged, "+reply") == it.kind
}

// clockAt returns the last reading of the clock at the given moment.
func (t *trace) clockAt(at int64) *Sides {
	for _, r := range slices.Backward(t.clocks.all()) {
		if r.at <= at {
			return &Sides{White: r.clock.White, Black: r.clock.Black}
		}
	}
	return nil
}
