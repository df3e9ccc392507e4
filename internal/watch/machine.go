package watch

import (
	"boardwatchd/clockproto"
	"boardwatchd/detector"
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/rules"
)

// An Effect is something to do, and the body of the record that says so. Tx is bytes for the board, Say is an object
// of contract section 3.
type Effect struct {
	Kind record.Kind
	Body []byte
}

// A Machine is the core of one board. It is not safe for concurrent use; see the package comment for the loop.
type Machine struct {
	board    string
	settings Settings
	source   Source
	opened   bool
	config   string // the settings in force, as they stand in the opening record

	dec  dgt.Decoder
	tr   *detector.Tracker
	link link

	docket *rules.Docket // nil where the opening has no rules
	proofs []proof       // what the findings of this game rest on

	now detector.Stamp
	out []Effect

	frames  int64
	garbage int64 // as last accounted for

	trace tracing // for the page
}

// New returns a machine that waits for its Open record. Without one it behaves as with the defaults.
func New() *Machine {
	s := defaultSettings()
	m := &Machine{settings: s, source: Capture}
	m.tr = detector.New(m.params())
	return m
}

// Tracker gives read access to the board's state, for the page and for tests. It must not be changed.
func (m *Machine) Tracker() *detector.Tracker { return m.tr }

// Stats are the decoder's counts.
func (m *Machine) Stats() dgt.Stats { return m.dec.Stats() }

// Step takes one input record and returns its effects. The slice is valid until the next call; the bodies stay valid.
// Effects among the records (a replay may pass them) are ignored.
func (m *Machine) Step(r record.Record) []Effect {
	clear(m.out)
	m.out = m.out[:0]
	switch {
	case !r.Kind.Input() || r.Kind == record.Close:
		return nil // a segment's end is the journal's own: live, the machine never saw it
	case r.Kind == record.Open && m.opened:
		m.reconfigure(r.Body)
		return nil
	}
	m.wake(detector.Stamp{Seq: detector.Seq(r.Seq), At: r.At})
	if m.docket != nil {
		m.tr.AskHands(m.docket.AsksHands())
	}
	switch r.Kind {
	case record.Rx:
		m.receive(r.Body)
	case record.Open:
		m.open(r.Body)
	case record.Up:
		m.linkUp(parseAnnotation(r.Body).Device)
	case record.Down:
		m.cut("link_down", parseAnnotation(r.Body).Cause)
	case record.Gap:
		m.cut("gap", parseAnnotation(r.Body).Cause)
	case record.Instruct:
		m.instruct(parseInstruction(r.Body))
	case record.Decide:
		d := parseDecision(r.Body)
		m.enter(rules.Decision{Finding: d.Finding, Do: d.Decision})
		m.handsDecided(d)
	}
	m.settle()
	return m.out
}

// open configures the machine.
func (m *Machine) open(body []byte) {
	o, err := ParseOpening(body)
	if err != nil {
		return
	}
	m.opened, m.config = true, string(o.Config)
	m.board, m.source, m.settings = o.Board, o.Source, o.settings()
	m.tr = detector.New(m.params())
	if m.trace.on {
		m.Trace()
	}
	m.openDocket()
}

// params are the tracker's: in a recording nobody answers.
func (m *Machine) params() detector.Params {
	p := m.settings.params()
	p.Passive = m.source != Live
	return p
}

// reconfigure takes the settings of a later segment's opening record: the operator has corrected the configuration and
// started the daemon again. The segments that a journal begins by itself carry the same settings and change nothing,
// so it does not matter that the machine does not see those while it lives.
func (m *Machine) reconfigure(body []byte) {
	o, err := ParseOpening(body)
	if err != nil || string(o.Config) == m.config {
		return
	}
	old := m.settings
	m.config, m.settings = string(o.Config), o.settings()
	m.tr.SetParams(m.params())
	m.newRules(&old)
}

// Deadline returns the earliest time at which the machine wants a Wake record.
func (m *Machine) Deadline() (int64, bool) {
	at, ok := m.tr.Deadline()
	if d := m.link.deadline(); d != 0 && (!ok || d < at) {
		return d, true
	}
	return at, ok
}

// wake handles every deadline up to the record's time: first the tracker's, in order, each at its own time, then the
// link's, at the record's time. What the tracker concludes must not depend on when the timer fired; what is sent is sent
// when it is sent, and an hour slept through is one late probe, not 1,800.
func (m *Machine) wake(st detector.Stamp) {
	for {
		at, ok := m.tr.Deadline()
		if !ok || at > st.At {
			break
		}
		m.now = detector.Stamp{Seq: st.Seq, At: at}
		m.tr.Wake(m.now)
		m.settle()
	}
	m.now = st
	for {
		at := m.link.deadline()
		if at == 0 || at > st.At {
			break
		}
		m.linkDue(st.At)
		m.settle()
	}
}

// settle collects what the tracker concluded and hands its wish for a dump to the link.
func (m *Machine) settle() {
	if out := m.tr.Take(); len(out) > 0 {
		for i, o := range out {
			if v := m.said(o); v != nil {
				m.say(v)
			}
			m.judge(o, out[i+1:])
		}
		m.tr.Release()
	}
	if m.tr.DumpWanted() {
		m.askDump()
	}
}

func (m *Machine) say(v any) {
	m.out = append(m.out, Effect{Kind: record.Say, Body: mustEncode("outcome", v)})
}

func (m *Machine) health(what, detail string) {
	m.say(healthSaid{
		head: head{Type: "health", Seq: int64(m.now.Seq), T: Seconds(m.now.At), Board: m.board, Game: m.tr.Game()},
		What: what, Detail: detail,
	})
}

// receive takes a chunk of bytes. Chunk boundaries mean nothing beyond the arrival time.
func (m *Machine) receive(p []byte) {
	m.dec.Feed(p)
	for {
		f, ok := m.dec.Next()
		if !ok {
			break
		}
		m.frames++
		m.link.answered(m.now.At)
		m.frame(f)
	}
	m.account()
	m.stallWatch()
}

// frame dispatches one message.
func (m *Machine) frame(f dgt.Frame) {
	if m.link.stranger && (f.ID == dgt.MsgClock || f.ID == dgt.MsgField || f.ID == dgt.MsgBoard) {
		m.link.dumpAt = 0
		return
	}
	switch f.ID {
	case dgt.MsgClock:
		m.clock(f)
	case dgt.MsgField:
		if u, ok := f.Field(); ok {
			m.field(u)
		}
	case dgt.MsgBoard:
		if p, ok := f.Board(); ok {
			m.dump(&p)
		}
	default:
		m.identity(f)
	}
	m.settle()
}

func (m *Machine) field(u dgt.FieldUpdate) {
	if r := resultOf(u.Piece); r != "" {
		m.tr.ResultPiece(m.now, r)
	}
	seen := detector.Window{Lo: m.now.At - m.settings.Timing.Scan - m.settings.Timing.Latency, Hi: m.now.At}
	m.tr.Field(m.now, square(u.Square), pieces[u.Piece&15], seen)
	m.touched(seen, false)
}

func (m *Machine) dump(p *dgt.Placement) {
	m.link.dumped()
	defer m.dumpShown(m.tr.Seen())
	if n := m.tr.Dump(m.now, placement(p)); n > 0 {
		m.health("updates_lost", plural(n, "square")+" read otherwise than reported; the dump was taken over")
		m.askDump() // a dump has no checksum either: two must agree
	}
}

func (m *Machine) clock(f dgt.Frame) {
	d, ok := f.Clock()
	if !ok || clockproto.Classify(d) != clockproto.Time {
		return // an acknowledgement, a null message (protocol notes 5.4), or not a time at all
	}
	r, err := clockproto.ParseReading(d)
	if err != nil {
		return // quirk 7: digits that are none; the next tick tells again
	}
	m.link.clocked(m.now.At, r.Running && !r.NoClock)
	if r.BatteryLow && !m.link.batteryTold {
		m.link.batteryTold = true
		m.health("battery_low", "the clock says that its battery is low")
	}
	m.tr.Clock(m.now, reading(r))
}
