package presses

import (
	"math"

	"boardwatchd/rules/legal"
)

// Table is a board, a clock and two players, seen from the end of the board's cable. It is owned by one caller.
type Table struct {
	truth   Truth
	fields  []fieldReport
	clocks  []change
	now     int64
	image   [64]byte // as the scan knows it
	face    face     // as the board knows it
	nextF   int
	nextC   int
	link    link
	replies []reply
	inputs  []input
	line    line
	log     eeprom
	r       *rng // delays of replies
	tick    int64
	edges   []edge // of gaps and standstills
	out     bool   // the cable is out
	held    []byte // bytes for a host that stands still
	holding bool
	noise   *rng
}

// edge is an instant at which a window opens or closes.
type edge struct {
	at         int64
	open       bool
	standstill bool // of the host; else a gap
	loses      bool
}

type input struct {
	at int64
	b  byte
}

// New plays a game and sets up the table it was played on.
func New(o Options) *Table {
	o = o.filled(stream(o.Seed, 1))
	p, truth := plan(o, stream(o.Seed, 2))
	r := stream(o.Seed, 3)
	truth.ScanUS = r.between(200*ms, 250*ms)
	start := legal.StartPosition()
	t := &Table{r: stream(o.Seed, 5), noise: stream(o.Seed, 6), tick: math.MaxInt64}
	t.clocks = reports(o, stream(o.Seed, 4), p.clock.changes, truth.Presses, truth.EndAt)
	t.fields = scanned(r, truth, p.acts)
	windows(o, stream(o.Seed, 7), truth)
	for s, piece := range start.Setup().Placement {
		if !truth.Disturbed.dead(legal.Square(s)) {
			t.image[number(legal.Square(s), o.WhiteBoard == RightOrFar)] = code(piece)
		}
	}
	t.face = p.clock.changes[0].face
	t.log.powerUp(t.image, o.WhiteBoard == RightOrFar)
	t.truth = *truth
	t.edges = edges(truth)
	return t
}

func edges(truth *Truth) []edge {
	var list []edge
	for _, w := range truth.Gaps {
		list = append(list, edge{at: w.From, open: true, loses: w.LosesMode}, edge{at: w.To})
	}
	for _, w := range truth.Standstills {
		list = append(list, edge{at: w.From, open: true, standstill: true}, edge{at: w.To, standstill: true})
	}
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].at < list[j-1].at; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	return list
}

// Truth returns the record of the events at the table. Faults grows as bytes are sent; everything else is complete from
// the beginning.
func (t *Table) Truth() Truth { return t.truth }

// Connected reports whether the cable is plugged in, at the instant that Advance has reached.
func (t *Table) Connected() bool { return !t.out }

// Done reports whether the game is over and everything has been sent.
func (t *Table) Done() bool {
	_, more := t.NextEvent()
	return t.now >= t.truth.EndAt && !more
}

// Input gives the table bytes from the host, at an instant not before that of the last Advance or Input. They take
// effect when Advance reaches that instant, after the table's own events at the same instant.
func (t *Table) Input(at int64, p []byte) {
	at = max(at, t.now)
	if n := len(t.inputs); n > 0 {
		at = max(at, t.inputs[n-1].at)
	}
	for _, b := range p {
		t.inputs = append(t.inputs, input{at, b})
	}
}

// NextEvent returns the next instant of an event inside the table; false if there is none. Not every event sends bytes.
func (t *Table) NextEvent() (at int64, ok bool) {
	at, _ = t.next()
	// A board in UPDATE mode would never end.
	if at == math.MaxInt64 || at == t.tick && at > t.truth.EndAt && t.quietBut43() {
		if t.now < t.truth.EndAt {
			return t.truth.EndAt, true
		}
		return 0, false
	}
	return at, true
}

func (t *Table) quietBut43() bool {
	return len(t.inputs) == 0 && len(t.replies) == 0 && len(t.line.queue) == 0 &&
		t.nextC == len(t.clocks) && t.nextF == len(t.fields)
}

// next finds the earliest event; at one instant the order is that of the list.
func (t *Table) next() (int64, func(int64, func(int64, []byte))) {
	at, do := int64(math.MaxInt64), (func(int64, func(int64, []byte)))(nil)
	consider := func(when int64, what func(int64, func(int64, []byte))) {
		if when < at {
			at, do = when, what
		}
	}
	if len(t.line.queue) > 0 {
		consider(t.line.ends(), t.sent)
	}
	if len(t.edges) > 0 {
		consider(t.edges[0].at, t.edge)
	}
	if t.nextF < len(t.fields) {
		consider(t.fields[t.nextF].at, t.field)
	}
	if t.nextC < len(t.clocks) {
		consider(t.clocks[t.nextC].at, t.clock)
	}
	consider(t.tick, t.periodic)
	if len(t.replies) > 0 {
		consider(t.replies[0].at, t.answer)
	}
	if len(t.inputs) > 0 {
		consider(t.inputs[0].at, t.take)
	}
	return at, do
}

// Advance lets time pass and emits the bytes that reach the host, in order, each piece with its instant. The pieces do
// not depend on the division of time into calls. The slice is the caller's.
func (t *Table) Advance(to int64, emit func(at int64, p []byte)) {
	for {
		at, do := t.next()
		if at > to || do == nil {
			break
		}
		t.now = max(t.now, at)
		do(at, emit)
	}
	t.now = max(t.now, to)
}

// field handles a change found by the scan.
func (t *Table) field(at int64, _ func(int64, []byte)) {
	f := t.fields[t.nextF]
	t.nextF++
	t.image[f.number] = f.code
	t.log.field(at, f)
	if t.link.mode.fields() {
		t.send(at, []byte{0x8e, 0, 5, f.number, f.code})
	}
}

// clock handles a change of the clock that has reached the board.
func (t *Table) clock(at int64, _ func(int64, []byte)) {
	old := t.face
	t.face = t.clocks[t.nextC].face
	t.nextC++
	if t.face.turn != old.turn {
		left, s := t.side(old.turn)
		t.log.lever(left, t.face.shown[s])
	}
	if t.link.mode == updateNice && t.bytes(old) != t.bytes(t.face) {
		t.sendClock(at)
	}
}

// side returns whether a player sits on the left of the clock, and the player's index.
func (t *Table) side(s legal.Side) (left bool, i int) {
	return (s == legal.White) == (t.truth.Options.WhiteClock == LeftOrNear), index(s)
}

func (t *Table) bytes(f face) [7]byte {
	o := t.truth.Options
	return f.bytes(o.WhiteClock == LeftOrNear, o.Increment.Seconds() > 0)
}

func (t *Table) sendClock(at int64) {
	d := t.bytes(t.face)
	t.send(at, append([]byte{0x8d, 0, 10}, d[:]...))
}

// periodic sends the clock every 500 ms in UPDATE mode (section 2).
func (t *Table) periodic(at int64, _ func(int64, []byte)) {
	t.tick = at + 500*ms
	t.sendClock(at)
}

// edge begins or ends a gap or a standstill of the host.
func (t *Table) edge(at int64, emit func(int64, []byte)) {
	e := t.edges[0]
	t.edges = t.edges[1:]
	switch {
	case e.standstill && e.open:
		t.holding = true
	case e.standstill:
		t.holding = false
		if len(t.held) > 0 {
			emit(at, t.held)
			t.held = nil
		}
	case e.open:
		if len(t.line.queue) > 0 {
			t.deliver(at, t.line.part(at), emit)
		}
		t.out = true
		if e.loses {
			t.line.queue, t.replies = nil, nil
			t.link = link{}
			t.tick = math.MaxInt64
		}
	default:
		t.out = false
		if len(t.line.queue) > 0 {
			t.line.cut = at
		}
	}
}

// line is the cable at 9600 baud: one message after the other (section 1.1).
type line struct {
	queue [][]byte
	start int64 // of the first message in the queue
	cut   int64 // bytes of the first message that were sent before this instant are lost
}

func duration(bytes int) int64 { return (int64(bytes)*3125 + 2) / 3 }

func (l *line) ends() int64 { return l.start + duration(len(l.queue[0])) }

// part returns the bytes of the first message that were sent before an instant.
func (l *line) part(at int64) []byte {
	n := (at - l.start) * 3 / 3125
	return l.queue[0][:min(max(n, 0), int64(len(l.queue[0])))]
}

func (t *Table) send(at int64, message []byte) {
	if t.link.dead {
		return
	}
	if len(t.line.queue) == 0 {
		t.line.start, t.line.cut = at, 0
	}
	for len(message) > packet { // the host gets a long message while it is being sent
		t.line.queue = append(t.line.queue, message[:packet])
		message = message[packet:]
	}
	t.line.queue = append(t.line.queue, message)
}

// packet is a part of a long message: the log takes eight seconds.
const packet = 128

// sent handles the end of the first message of the queue.
func (t *Table) sent(at int64, emit func(int64, []byte)) {
	message := t.line.queue[0]
	if t.line.cut > t.line.start {
		message = message[len(t.line.part(t.line.cut)):]
	}
	t.line.queue, t.line.start, t.line.cut = t.line.queue[1:], at, 0
	if !t.out {
		t.deliver(at, message, emit)
	}
}

// deliver adds the noise to the bytes and gives them to the host, or keeps them while it stands still.
func (t *Table) deliver(at int64, p []byte, emit func(int64, []byte)) {
	o := t.truth.Options
	clean := make([]byte, 0, len(p))
	for _, b := range p {
		switch {
		case t.noise.chance(o.LostBytes, 1_000_000):
			t.truth.Faults = append(t.truth.Faults, Fault{at, true, p[0]})
			continue
		case t.noise.chance(o.FlippedBits, 1_000_000):
			b ^= 1 << t.noise.between(0, 8)
			t.truth.Faults = append(t.truth.Faults, Fault{at, false, p[0]})
		}
		clean = append(clean, b)
	}
	switch {
	case len(clean) == 0:
	case t.holding:
		t.held = append(t.held, clean...)
	default:
		emit(at, clean)
	}
}
