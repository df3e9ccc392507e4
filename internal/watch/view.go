package watch

import (
	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// A View is what the machine shows at one moment, for the page. It is a value, and nothing follows from it: what was
// concluded is in the effects.
type View struct {
	At        int64  // µs on the board's time line
	Game      int    // 0: none yet
	Playing   bool   // a game is on
	Held      bool   // a person has said that nothing is to be judged
	FEN       string // the position of the record; "" where there is none
	Placement string // what the squares read, as a FEN has it, White's side at the bottom; "" before the first dump
	Reversed  bool
	Clock     ClockView
	Profile   string // the rule set in force; "" where there is none, or no game
	Strikes   [2]int // the ledger: White, Black
	ToLose    int    // so many strikes lose the game; 0: none do
	Finish    FinishView
	Link      string // "" before the first connection, up, down, silent, wrong_board
	Serial    string // of the board, as it has answered on this link; "": not yet
	Scan      ScanView
	Hands     [len(HandsKinds)]HandsView
	Frames    int64
	Garbage   int64 // bytes that belong to no message
	LateUS    int64 // that this program stood still for
	LeftOut   int64 // of these, those of which the journal has the number only
}

// FinishView is a game that may be over, while nobody has told the result: see rules.Docket.Finish.
type FinishView struct {
	Asked  bool
	Since  int64  // µs: when the clock was stopped
	Result string // "": nothing shows one
	By     string
}

// ScanView is how the board scans its squares, as last told, and whether its timing is judged for two hands.
type ScanView struct {
	Verdict  string // new, judged, record_only, not_judged; "": nothing has been told
	PeriodMS int    // of one scan
	Order    string
	Fit      int    // permille
	Moves    int    // that it rests on
	Held     string // board: suspicions are paused until somebody answers; "": they are not
}

// HandsView counts what was judged of one kind since the journal began.
type HandsView struct {
	Judged   int
	Unusual  int // at 3.5 nats or more
	Advisory int // at or above the advisory threshold
	Held     int // of the latter: nobody was told
}

// The kinds in View.Hands.
var HandsKinds = [...]string{"capture", "castling", "promotion"}

// ClockView is the clock as last read. Times are whole seconds.
type ClockView struct {
	Known        bool
	White, Black int
	Running      string // the side whose time runs; "": none, or not known
	At           int64  // µs of the reading
}

// A Touch is one square that reads differently than before: a piece that was lifted, put or replaced. Letters are those of a
// FEN, "" is an empty square.
type Touch struct {
	Seq     int64
	Lo, At  int64 // µs: not before Lo and not after At
	Square  string
	Was, Is string
	Dump    bool // found by a dump, not reported by itself
}

// maxTouches bounds what is kept between two calls of Touches.
const maxTouches = 256

// tracing is what the page's time line needs; the core concludes nothing from it.
type tracing struct {
	on       bool
	shown    legal.Placement
	reversed bool
	touches  []Touch
}

// Trace begins to keep the touches. A replay does without.
func (m *Machine) Trace() {
	m.trace = tracing{on: true, shown: m.tr.Live(), reversed: m.tr.Reversed()}
}

// Touches returns what was touched since the last call, oldest first. Of more than 256 the oldest are gone.
func (m *Machine) Touches() []Touch {
	list := m.trace.touches
	m.trace.touches = nil
	return list
}

// touched keeps what a report or a dump has changed.
func (m *Machine) touched(seen detector.Window, dump bool) {
	t := &m.trace
	if !t.on {
		return
	}
	live, was := m.tr.Live(), t.shown
	turned := t.reversed != m.tr.Reversed()
	t.shown, t.reversed = live, m.tr.Reversed()
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

// dumpShown keeps what a dump has changed; the first one only shows what stands there.
func (m *Machine) dumpShown(known bool) {
	if m.trace.on && !known {
		m.trace.shown, m.trace.reversed = m.tr.Live(), m.tr.Reversed()
		return
	}
	m.touched(detector.Window{Lo: m.now.At, Hi: m.now.At}, true)
}

func letter(p legal.Piece) string {
	if p == legal.NoPiece {
		return ""
	}
	return p.String()
}

// View returns what is shown now.
func (m *Machine) View() View {
	v := View{
		At: m.now.At, Game: m.tr.Game(), Playing: m.tr.Playing(), Held: m.tr.Held(), Reversed: m.tr.Reversed(),
		Link: m.linkState(), Frames: m.frames, Garbage: m.garbage + m.omitted, LeftOut: m.omitted, LateUS: m.lateUS,
	}
	if m.link.identified {
		v.Serial = m.link.serial
	}
	if pos, ok := m.tr.Position(); ok {
		v.FEN = pos.FEN()
	}
	if m.tr.Seen() {
		live := m.tr.Live()
		v.Placement = live.String()
	}
	if times := m.tr.Times(); times.Known {
		running, at := m.tr.Running()
		v.Clock = ClockView{Known: true, White: times.White, Black: times.Black, At: at}
		if running != legal.NoSide {
			v.Clock.Running = running.String()
		}
	}
	if s := m.tr.ScanTold(); s.Verdict != detector.ScanNew {
		v.Scan = ScanView{s.Verdict.String(), int(s.Sensor.PeriodUS+500) / 1000, s.Sensor.Order.String(), int(s.Sensor.Fit), s.Sensor.Moves, heldWord(m.tr.HandsPaused())}
	}
	for i, k := range [...]hands.Kind{hands.Capture, hands.Castling, hands.Promotion} {
		v.Hands[i] = HandsView(m.tr.HandsCounts(k))
	}
	if m.docket != nil && v.Game > 0 {
		f := &v.Finish
		if f.Result, f.By, f.Asked = m.docket.Finish(); f.Asked {
			f.Since = m.stopAt
		}
		s := m.docket.Strikes()
		v.Profile, v.Strikes, v.ToLose = m.docket.Profile().Name, [2]int{s[legal.White], s[legal.Black]}, m.docket.Limit()
	}
	return v
}

// heldWord is whose suspicions are paused: those of the board, or nobody's.
func heldWord(paused bool) string {
	if paused {
		return "board"
	}
	return ""
}

func (m *Machine) linkState() string {
	l := &m.link
	switch {
	case l.strangerTold:
		return "wrong_board"
	case l.told:
		return "silent"
	case l.up:
		return "up"
	case l.been:
		return "down"
	}
	return ""
}
