package watch

import (
	"boardwatchd/clockproto"
	"boardwatchd/detector"
	"boardwatchd/detector/evidence"
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// An Effect is an action, with the body of its record. Tx is bytes for the board, Say is an object of contract section
// 3.
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
	config   string      // the settings in force, as in the opening record
	boot     string      // the run of the computer in which the segment was begun
	before   *ScanBefore // of the opening record

	dec  dgt.Decoder
	tr   *detector.Tracker
	link link

	docket *rules.Docket // nil if the opening has no rules
	proofs []proof       // the evidence of this game's findings
	other  other         // the output of another revision of the core
	stopAt int64         // time when the clock was stopped
	spans  []Span        // of unknown plies, the oldest first

	result, resultBy string // of the game, as the board or a person last gave it; "": none

	resigned  legal.Side // the side that resigned, by the result being entered
	gameEnded bool       // the tracker has ended its game by that result
	unsign    bool       // a person says that the game goes on: the signing is taken back with the result

	now  evidence.Stamp
	out  []Effect
	late lateness

	lateUS  int64 // reported standstills of the program, added up
	answers answers

	clockLow bool // the last reading of the clock says that its battery is low

	frames  int64
	garbage int64 // as counted so far
	omitted int64 // bytes of garbage of which the journal has only the number

	trace   tracing // for the page
	written written
}

// New returns a machine that waits for its Open record. Without one it behaves as with the defaults.
func New() *Machine {
	s := defaultSettings()
	m := &Machine{settings: s, source: Capture}
	m.tr = detector.New(m.params())
	return m
}

// Tracker returns the board's state for reading, for the page and for tests. It must not be changed.
func (m *Machine) Tracker() *detector.Tracker { return m.tr }

// Stats returns the decoder's counts, including the bytes of which the journal has only the number.
func (m *Machine) Stats() dgt.Stats {
	st := m.dec.Stats()
	st.Bytes += m.omitted
	st.Garbage += m.omitted
	return st
}

// Step takes one input record and returns its effects. The slice is valid until the next call; the bodies stay valid.
// Effects among the records are ignored, except those of another revision of the core (package comment, A decision's
// life): a replay passes them in their place. The effects that Step returns for those are not written to a
// journal.
func (m *Machine) Step(r record.Record) []Effect {
	clear(m.out)
	m.out = m.out[:0]
	switch {
	case r.Kind == record.Say && m.other.on:
		m.hear(r.Body)
		return m.out
	case !r.Kind.Input() || r.Kind == record.Close:
		return nil // the end of a segment is the journal's own record: live, the machine never gets it
	case r.Kind == record.Open && m.opened:
		return m.reopen(r.Body)
	}
	m.hearCase()
	m.distrustFlood(r.Seq)
	late := m.late
	m.late = lateness{}
	switch st := (evidence.Stamp{Seq: evidence.Seq(r.Seq), At: r.At}); {
	case r.Kind == record.Late:
		m.resumeAfterStandstill(st, parseAnnotation(r.Body).Since)
	case r.Kind == record.Rx && late.since != 0:
		m.now = st // the deadlines of the standstill are handled between the bytes that waited: receiveLate
	default:
		m.wake(st)
	}
	if m.docket != nil {
		m.tr.AskHands(m.docket.AsksHands())
	}
	m.answers.step(r)
	switch r.Kind {
	case record.Rx:
		m.receive(r.Body, late)
	case record.Open:
		m.open(r.Body)
	case record.Up:
		m.linkUp(parseAnnotation(r.Body).Device)
	case record.Down:
		m.cut("link_down", parseAnnotation(r.Body).Cause)
	case record.Gap:
		if a := parseAnnotation(r.Body); a.LeftOut > 0 || a.Over {
			m.leftOut(a)
		} else {
			m.cut("gap", a.Cause)
		}
	case record.Instruct:
		m.instruct(parseInstruction(r.Body))
	case record.Decide:
		d := parseDecision(r.Body)
		m.enter(rules.Decision{Seq: int64(r.Seq), Finding: d.Finding, Do: d.Decision})
		m.handsDecided(d)
		if m.docket != nil {
			if result, ok := m.docket.AnsweredResult(d.Finding); ok {
				m.replaceResult(result)
			}
			m.resultByDecision()
		}
	}
	m.settle()
	return m.out
}

// Decides reports whether the decision in this body can count (rules.Docket.Decides).
func (m *Machine) Decides(body []byte) bool {
	return m.docket == nil || m.docket.Decides(parseDecision(body).Finding)
}

// open configures the machine.
func (m *Machine) open(body []byte) {
	o, err := ParseOpening(body)
	if err != nil {
		return
	}
	m.opened, m.config, m.boot = true, string(o.Config), o.Boot
	m.board, m.source, m.settings = o.Board, o.Source, o.settings()
	m.tr, m.before = detector.New(m.params()), o.Scan
	if m.trace.on {
		m.Trace()
	}
	m.other = other{on: isOtherRevision(o.Core)}
	m.openDocket()
}

// params returns the tracker's parameters. In a recording nothing answers a request.
func (m *Machine) params() detector.Params {
	p := m.settings.params()
	p.Passive = m.source != Live
	return p
}

// reopen handles a later segment's opening record. Its effects are the decisions that are carried across a change of
// revision.
func (m *Machine) reopen(body []byte) []Effect {
	o, err := ParseOpening(body)
	if err != nil {
		return nil
	}
	m.noteRevision(o.Core)
	if o.Boot != m.boot { // the time for which it was off may not be known: its clock may be wrong after a start
		m.boot, m.link.boardID.lineCut = o.Boot, true
	}
	n := len(m.out)
	m.reconfigure(o)
	m.out = m.out[:n]
	return m.out
}

// reconfigure applies the settings of a later segment's opening record: the operator has corrected the configuration
// and restarted the daemon. The segments that a journal begins by itself have the same settings and change nothing, so
// the live machine does not need their opening records.
func (m *Machine) reconfigure(o Opening) {
	if string(o.Config) == m.config {
		return
	}
	old := m.settings
	m.config, m.settings = string(o.Config), o.settings()
	m.tr.SetParams(m.params())
	m.newRules(&old)
}

// Deadline returns the earliest time at which the machine needs a Wake record.
func (m *Machine) Deadline() (int64, bool) {
	at, ok := m.Undecided()
	if m.link.holding() {
		ok = false
	}
	if d := m.link.deadline(); d != 0 && (!ok || d < at) {
		return d, true
	}
	return at, ok
}

// Undecided returns the time of the next decision that waits only for time to pass; false: there is none.
func (m *Machine) Undecided() (int64, bool) {
	at, ok := m.tr.Deadline()
	if d := m.longStopDue(); d != 0 && (!ok || d < at) {
		return d, true
	}
	return at, ok
}

// longStopDue returns the time at which a stop of the clock without a reason becomes a long stop; 0: none is awaited.
func (m *Machine) longStopDue() int64 {
	if m.docket == nil || !m.docket.Stands() {
		return 0
	}
	return m.stopAt + rules.LongStopUS
}

// wake handles every deadline up to the record's time: first the tracker's, in order, each at its own time, then the
// link's, at the record's time. The tracker's conclusions must not depend on the time at which the timer fired.
// Commands are sent at the real time, and a missed hour causes one late probe, not 1,800.
func (m *Machine) wake(st evidence.Stamp) {
	if !m.link.holding() { // the link waits for a message that is held back, or that follows the board's log
		m.handleDeadlines(st.Seq, st.At)
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

// handleDeadlines handles every deadline of the tracker and of a stopped clock up to a time, in order, each at its own
// time.
func (m *Machine) handleDeadlines(seq evidence.Seq, to int64) {
	for {
		at, ok := m.Undecided()
		if !ok || at > to {
			return
		}
		m.now = evidence.Stamp{Seq: seq, At: at}
		if due, waits := m.tr.Deadline(); waits && due == at {
			m.tr.Wake(m.now)
		} else {
			m.enter(rules.LongStop{})
		}
		m.settle()
	}
}

// settle collects the tracker's conclusions and passes its request for a dump to the link.
func (m *Machine) settle() {
	if out := m.tr.Take(); len(out) > 0 {
		for i, o := range out {
			m.question(o)
			m.keepSpans(o)
			if v := m.said(o); v != nil {
				m.emit(v)
			}
			m.judge(o, out[i+1:])
		}
		m.tr.Release()
	}
	if m.tr.DumpWanted() {
		m.askDump()
	}
	m.wantLog()
}

func (m *Machine) emit(v any) {
	m.out = append(m.out, Effect{Kind: record.Say, Body: mustEncode("outcome", v)})
}

func (m *Machine) health(what string, detail words.Sentence) {
	m.emit(m.newHealth(m.now, m.tr.Game(), what, detail))
}

// receive takes a chunk of bytes. Chunk boundaries have no meaning except the arrival time.
func (m *Machine) receive(p []byte, late lateness) {
	m.dec.Feed(p)
	if late.since != 0 {
		m.receiveLate(late)
	}
	for {
		f, ok := m.dec.Next()
		if !ok {
			break
		}
		m.frames++
		m.link.answered(m.now.At)
		m.answers.heard(f.ID, m.now.At)
		if !m.heldAfterLog(f) {
			m.frame(f)
		}
	}
	m.noteLogBytes()
	m.account()
	m.stallWatch()
}

// frame dispatches one message.
func (m *Machine) frame(f dgt.Frame) {
	if m.link.otherSerial && (f.ID == dgt.MsgClock || f.ID == dgt.MsgField || f.ID == dgt.MsgBoard) {
		m.link.dumpAt = 0
		m.checkOtherBoard(f)
		return
	}
	if (f.ID == dgt.MsgClock || f.ID == dgt.MsgField || f.ID == dgt.MsgBoard) && m.heldUntilIdentified(f) {
		return
	}
	switch f.ID {
	case dgt.MsgClock:
		m.clock(f)
	case dgt.MsgField:
		if u, ok := f.Field(); ok {
			m.field(u)
		}
	case dgt.MsgLog:
		m.logReceived(f)
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
	seen := evidence.Window{Lo: m.now.At - m.late.width - m.settings.Timing.Scan - m.settings.Timing.Latency, Hi: m.now.At}
	m.link.touchedAt = m.now.At
	m.tr.Field(m.now, square(u.Square), pieces[u.Piece&15], seen)
	m.touched(seen, false)
}

func (m *Machine) dump(p *dgt.Placement) {
	m.link.dumped()
	defer m.showDump(m.tr.Seen())
	if n := m.tr.Dump(m.now, placement(p)); n > 0 {
		m.health("updates_lost", counted("row.updates_lost", n))
		m.askDump() // a dump has no checksum either: two must agree
	}
}

// timeOf returns the clock time of a message.
func timeOf(f dgt.Frame) (r clockproto.Reading, ok bool) {
	d, ok := f.Clock()
	if !ok || clockproto.Classify(d) != clockproto.Time {
		return r, false // an acknowledgement, a null message (protocol notes 5.4), or not a time at all
	}
	r, err := clockproto.ParseReading(d)
	return r, err == nil // quirk 7: invalid digits; the next tick repeats the time
}

func (m *Machine) clock(f dgt.Frame) {
	r, ok := timeOf(f)
	if !ok {
		return
	}
	m.link.clocked(m.now.At, &r)
	m.clockLow = r.BatteryLow
	if r.BatteryLow && !m.link.batteryReported {
		m.link.batteryReported = true
		m.health("battery_low", words.Say("row.clock_battery"))
	}
	m.tr.Clock(m.now, reading(r))
}
