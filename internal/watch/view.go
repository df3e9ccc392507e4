package watch

import (
	"boardwatchd/clockproto"
	"boardwatchd/detector"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// A View is the machine's state at one moment, for the page. It is a value and has no consequences: conclusions are in
// the effects.
type View struct {
	At        int64  // µs on the board's time line
	Game      int    // 0: none yet
	Playing   bool   // a game is on
	Held      bool   // a person has paused the judgement
	FEN       string // the position of the record; "": none
	Placement string // the readings of the squares as in a FEN, White's side at the bottom; "" before the first dump
	Reversed  bool
	Clock     ClockView
	Lever     string // the side of the clock, left or right, on which the lever is up, as last read; "": not known
	White     string // White's side of the clock, left or right; "": not known
	Profile   string // the rule set in force; "": none, or no game
	Strikes   [2]int // the ledger: White, Black
	ToLose    int    // number of strikes that loses the game; 0: none
	AppendixD bool   // Appendix D, Assistant and NoTouch are switched by a person (Instruction.Name)
	Assistant bool
	NoTouch   bool
	Finish    FinishView
	Link      string // "" before the first connection, up, down, silent, wrong_board
	Serial    string // of the board, as sent on this link; "": not yet
	Scan      ScanView
	Hands     [len(HandsKinds)]HandsView
	Frames    int64
	Garbage   int64 // bytes that belong to no message
	LateUS    int64 // time for which this program stood still
	SlowUS    int64 // how late the board has answered for a minute; 0: in time
	LeftOut   int64 // part of Garbage of which the journal has only the number
}

// FinishView is a game that may be over, while the result is not entered: see rules.Docket.Finish.
type FinishView struct {
	Asked  bool
	Since  int64  // µs: time when the clock was stopped
	Result string // "": no result is shown
	By     string
}

// ScanView describes the board's scan, as last reported, and whether its timing is judged for two hands.
type ScanView struct {
	Verdict  string // new, judged, record_only, not_judged; "": nothing was reported
	PeriodMS int    // of one scan
	Order    string
	Fit      int    // permille
	Moves    int    // number of moves after it
	Held     string // board: suspicions are paused until an answer comes; "": they are not
}

// HandsView counts the judgements of one kind since the journal began.
type HandsView struct {
	Judged   int
	Unusual  int // at 3.5 nats or more
	Advisory int // at or above the advisory threshold
	Held     int // of the latter: not alerted
}

// HandsKinds are the kinds in View.Hands.
var HandsKinds = [...]string{"capture", "castling", "promotion"}

// ClockView is the clock as last read. Times are whole seconds.
type ClockView struct {
	Known        bool // whose side of the clock is whose is known
	White, Black int
	Running      string // the side whose time runs; "": none, or not known

	Read        bool // a connected clock was read; its sides may not be known yet
	Left, Right int
	Runs        bool  // the time of one side runs
	Low         bool  // the clock says that its battery is low
	At          int64 // µs of the reading
}

// A Touch is one changed square: a piece that was lifted, put down or replaced. Letters are those of a FEN, "" is an
// empty square.
type Touch struct {
	Seq     int64
	Lo, At  int64 // µs: not before Lo and not after At
	Square  string
	Was, Is string
	Dump    bool // shown by a dump, not by a field update
}

// maxTouches bounds the touches stored between two calls of Touches.
const maxTouches = 256

// tracing holds data for the page's time line; the core concludes nothing from it.
type tracing struct {
	on        bool
	lastShown legal.Placement
	reversed  bool
	touches   []Touch
}

// Trace begins to store the touches. A replay does not need them.
func (m *Machine) Trace() {
	m.trace = tracing{on: true, lastShown: m.tr.Live(), reversed: m.tr.Reversed()}
}

// Touches returns the touches since the last call, oldest first. Beyond 256 the oldest are dropped.
func (m *Machine) Touches() []Touch {
	list := m.trace.touches
	m.trace.touches = nil
	return list
}

// touched stores the change of a report or a dump.
func (m *Machine) touched(seen evidence.Window, dump bool) {
	t := &m.trace
	if !t.on {
		return
	}
	live, was := m.tr.Live(), t.lastShown
	turned := t.reversed != m.tr.Reversed()
	t.lastShown, t.reversed = live, m.tr.Reversed()
	if turned || live == was {
		return
	}
	for sq := range legal.Square(64) {
		if live[sq] == was[sq] {
			continue
		}
		if len(t.touches) == maxTouches {
			t.touches = append(t.touches[:0], t.touches[maxTouches/2:]...)
		}
		t.touches = append(t.touches, Touch{
			Seq: int64(m.now.Seq), Lo: seen.Lo, At: m.now.At, Square: sq.String(), Was: letter(was[sq]), Is: letter(live[sq]), Dump: dump,
		})
	}
}

// showDump stores the changes of a dump. The first dump changes nothing, because no pieces were known before it.
func (m *Machine) showDump(known bool) {
	if m.trace.on && !known {
		m.trace.lastShown, m.trace.reversed = m.tr.Live(), m.tr.Reversed()
		return
	}
	m.touched(evidence.Window{Lo: m.now.At, Hi: m.now.At}, true)
}

func letter(p legal.Piece) string {
	if p == legal.NoPiece {
		return ""
	}
	return p.String()
}

// written holds the texts of the last view: a view is asked for after every record, and most records are of the clock.
type written struct {
	pos       legal.Position
	fen       string
	live      legal.Placement
	placement string
}

func (w *written) fenOf(pos *legal.Position) string {
	if w.fen == "" || w.pos != *pos {
		w.pos, w.fen = *pos, pos.FEN()
	}
	return w.fen
}

func (w *written) placementOf(live *legal.Placement) string {
	if w.placement == "" || w.live != *live {
		w.live, w.placement = *live, live.String()
	}
	return w.placement
}

// View returns the present state.
func (m *Machine) View() View {
	v := View{
		At: m.now.At, Game: m.tr.Game(), Playing: m.tr.Playing(), Held: m.tr.Held(), Reversed: m.tr.Reversed(),
		Link: m.linkState(), Frames: m.frames, Garbage: m.garbage + m.omitted, LeftOut: m.omitted, LateUS: m.lateUS, SlowUS: m.answers.slow(m.now.At),
	}
	if m.link.identified {
		v.Serial = m.link.serial
	}
	if pos, ok := m.tr.Position(); ok {
		v.FEN = m.written.fenOf(&pos)
	}
	if m.tr.Seen() {
		live := m.tr.Live()
		v.Placement = m.written.placementOf(&live)
	}
	v.Clock = m.clockView()
	if up := m.link.lever; up != clockproto.NoSide {
		v.Lever = up.String()
	}
	for side := evidence.LeftSide; side <= evidence.RightSide; side++ {
		if m.tr.Side(side) == legal.White {
			v.White = sideNames[side]
		}
	}
	if s := m.tr.ScanTold(); s.Verdict != detector.ScanNew {
		v.Scan = ScanView{s.Verdict.String(), int(s.Sensor.PeriodUS+500) / 1000, s.Sensor.Order.String(), int(s.Sensor.Fit), s.Sensor.Moves, heldWord(m.tr.HandsPaused())}
	}
	for i, k := range [...]hands.Kind{hands.Capture, hands.Castling, hands.Promotion} {
		v.Hands[i] = HandsView(m.tr.HandsCounts(k))
	}
	if m.docket != nil {
		v.AppendixD, v.Assistant, v.NoTouch = m.docket.Switched()
	}
	if m.docket != nil && v.Game > 0 {
		f := &v.Finish
		if f.Result, f.By, f.Asked = m.docket.Finish(); f.Asked {
			f.Since = m.stopAt
		}
		s := m.docket.Strikes()
		v.Playing = v.Playing && !m.docket.Ruled()
		v.Profile, v.Strikes, v.ToLose = m.docket.Profile().Name, [2]int{s[legal.White], s[legal.Black]}, m.docket.Limit()
	}
	return v
}

func (m *Machine) clockView() ClockView {
	face, ok := m.tr.Face()
	if !ok {
		return ClockView{}
	}
	running, at := m.tr.Running()
	c := ClockView{Read: true, Left: face.Left, Right: face.Right, Runs: face.Running, Low: m.clockLow, At: at}
	if times := m.tr.Times(); times.Known {
		c.Known, c.White, c.Black = true, times.White, times.Black
		if running != legal.NoSide {
			c.Running = running.String()
		}
	}
	return c
}

// heldWord returns "board" while the board's suspicions are paused, else "".
func heldWord(paused bool) string {
	if paused {
		return "board"
	}
	return ""
}

func (m *Machine) linkState() string {
	l := &m.link
	switch {
	case l.otherSerialReported:
		return "wrong_board"
	case l.silenceReported:
		return "silent"
	case l.up:
		return "up"
	case l.wasUp:
		return "down"
	}
	return ""
}
