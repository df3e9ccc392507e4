package watch

import (
	"bytes"
	"slices"
	"strings"

	"boardwatchd/detector"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/dgt"
	"boardwatchd/internal/said"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file is about the board's own log (protocol notes, section 7). The board keeps it with or without a listener, so
// it may contain moves played while the program was not listening. If plies of the record were not observed, the log is
// requested, once, at a quiet moment: at 9600 baud it takes eight seconds, and reports of the board in that time come
// after it. Its moves become part of the record and of the PGN, like those that a person fills in. No player is judged
// by them, because the log has no times. A log that does not fit, is damaged or does not arrive changes nothing.

// A logRead is one reading of the log.
type logRead struct {
	lookAt int64 // time of the next check for a quiet moment; 0: the log is not wanted
	since  int64 // time of the request; 0: no reading
	dueAt  int64 // time at which its beginning, or the dump after it, is overdue
	mute   bool  // this board does not answer the request, as observed since the link is up
	begun  bool  // bytes of it have arrived
	failed int   // number of times that the board fell silent, or its link ended, at the request: requests are limited

	data  []byte // the log, while the dump after it is awaited
	live  legal.Placement
	held  []dgt.Frame // frames after the log: the board made these reports at some time during the log
	nodes int         // plies of the record at the time of the request
}

func (r *logRead) reading() bool { return r.since != 0 }

// maxFailed is the number of times that a board may fall silent at the request before requests stop: each time the game
// is not watched for a while. The link may have ended by accident.
const maxFailed = 3

// wantLog starts looking for a quiet moment if there are unseen plies.
func (m *Machine) wantLog() {
	r := &m.link.log
	if m.tr.Unseen() && m.link.live && !r.mute && r.failed < maxFailed && !r.reading() && r.lookAt == 0 && !m.other.on {
		r.lookAt = max(m.now.At, m.link.touchedAt) + m.quietFor()
	}
}

// quietFor returns the time without a moved piece or a press that counts as quiet. While a clock runs it is long, so
// that the player to move is probably thinking.
func (m *Machine) quietFor() int64 {
	if side, _ := m.tr.Running(); side != legal.NoSide {
		return 2 * m.settings.Timing.Silence
	}
	return m.settings.Timing.Silence / 2
}

// lookForQuiet requests the log, or checks again later.
func (m *Machine) lookForQuiet(at int64) {
	l, r := &m.link, &m.link.log
	r.lookAt = 0
	if !m.tr.Unseen() {
		return
	}
	quiet := m.quietFor()
	if next := l.touchedAt + quiet; next > at {
		r.lookAt = next
		return
	}
	_, pending := m.dec.Pending()
	_, waits := m.tr.Deadline()
	pos, _ := m.tr.Position()
	side, _ := m.tr.Running()
	_, unexplained := m.tr.Unexplained()
	half := side != legal.NoSide && pos.Placement() != m.tr.Live() && !unexplained // a piece is in a hand
	if l.queued > 0 || l.dumpAt != 0 || pending > 0 || waits || half || l.silenceReported || l.flood || l.otherSerial || !m.tr.Seen() {
		r.lookAt = at + quiet
		return
	}
	l.push(dgt.RequestLog)
	*r = logRead{failed: r.failed, since: at, dueAt: at + m.logWait(), live: m.tr.Live(), nodes: pos.FullMoves()*2 + int(pos.Turn())}
	if l.sendAt <= at {
		m.sendNext()
	}
}

// logDue handles a log that has not begun, or a dump after it that has not come. The log is not requested again.
func (m *Machine) logDue() {
	r := &m.link.log
	r.dueAt = 0
	if id, n := m.dec.Pending(); n > 0 && id == dgt.MsgLog && r.data == nil {
		return // it is arriving; its end has a deadline of its own
	}
	damaged := r.begun && r.data == nil
	r.data = nil
	m.endLog()
	if damaged {
		m.tr.Looked()
		return
	}
	m.link.log.mute = true
	m.link.log.failed++
}

// logStalled handles a log that stops arriving.
func (m *Machine) logStalled() {
	if r := &m.link.log; r.reading() && r.data == nil {
		r.begun = false
		m.logDue()
	}
}

// cutLog ends a reading because the link has ended. Held frames have been reported.
func (m *Machine) cutLog() {
	if r := &m.link.log; r.reading() {
		r.data = nil
		r.failed++
	}
	m.endLog()
}

// noteLogBytes notes bytes of the log: the board is alive, and the clock cannot report meanwhile.
func (m *Machine) noteLogBytes() {
	l := &m.link
	if id, n := m.dec.Pending(); n == 0 || id != dgt.MsgLog {
		return
	}
	l.lastFrame = m.now.At // also for a log without a request
	if r := &l.log; r.reading() && r.data == nil {
		r.begun, r.dueAt = true, m.now.At+m.logWait() // a damaged log ends without a mark
	}
}

// logWait returns the waiting time for the beginning of the log, or for the dump after it.
func (m *Machine) logWait() int64 { return max(m.settings.Timing.Silence/2, dumpWaitUS) }

// logReceived stores the log. Some boards send one without a request (quirk 15): it is ignored. A dump is requested at
// once: frames before the dump were reported during the log.
func (m *Machine) logReceived(f dgt.Frame) {
	l := &m.link
	if !l.log.reading() || l.log.data != nil {
		return
	}
	l.log.data = bytes.Clone(f.Data)
	l.log.dueAt = m.now.At + m.logWait()
	l.pushSoon(dgt.RequestBoard)
	if l.sendAt <= m.now.At {
		m.sendNext()
	}
}

// heldAfterLog reports whether a message came after the log and must wait for the dump.
func (m *Machine) heldAfterLog(f dgt.Frame) bool {
	r := &m.link.log
	if r.data == nil || m.late.since != 0 || f.ID == dgt.MsgLog {
		return false
	}
	f.Data = bytes.Clone(f.Data)
	r.held = append(r.held, f)
	if f.ID == dgt.MsgBoard || len(r.held) == maxHeld {
		m.endLog()
	}
	return true
}

// maxHeld bounds the frames that wait for the dump: a flickering board must not fill the memory.
const maxHeld = 1000

// endLog processes the held frames, and then the moves of the log.
func (m *Machine) endLog() {
	l := &m.link
	r := l.log
	l.log = logRead{mute: r.mute, failed: r.failed}
	if !r.reading() {
		return
	}
	if l.running {
		l.lastClock = m.now.At // it could not report
	}
	if len(r.held) > 0 {
		m.takeWaited(lateness{since: r.since}, r.held)
	}
	if n := len(r.held); r.data == nil || n == 0 || r.held[n-1].ID != dgt.MsgBoard {
		return
	}
	l.log.failed = 0
	if pos, _ := m.tr.Position(); r.nodes != pos.FullMoves()*2+int(pos.Turn()) {
		return // play has continued meanwhile: the log will be read another time
	}
	live := m.tr.Live()
	if log, end, ok := m.logPositions(r.data); ok && (end == r.live || end == live) {
		m.fillFrom(log)
	}
	m.tr.Looked()
}

// logPositions turns a log into the sequence of positions on the board. The earliest squares are unknown, because the
// log is a ring; the sequence begins where all squares are known. False: the log is damaged.
func (m *Machine) logPositions(data []byte) (log []play.Logged, end legal.Placement, ok bool) {
	records, ok := wholeLog(data)
	if !ok {
		return nil, end, false
	}
	place, known := m.tr.Live(), ^uint64(0)
	for _, r := range records {
		if r.Kind == dgt.LogField {
			known &^= 1 << m.oriented(r.Square)
		}
	}
	for _, r := range records {
		entry := play.Logged{}
		switch r.Kind {
		case dgt.LogField:
			sq := m.oriented(r.Square)
			place[sq] = pieces[r.Piece&15]
			known |= 1 << sq
		case dgt.LogPowerUp: // one change for each piece follows
			place, known = legal.Placement{}, ^uint64(0)
			continue
		case dgt.LogStart, dgt.LogStartReversed, dgt.LogBoardEmpty:
			array := arrayOf(r.Kind, m.tr.Reversed())
			if !agrees(&place, &array, known) {
				continue
			}
			place, known = array, ^uint64(0)
		case dgt.LogLeftTime, dgt.LogRightTime:
			side := evidence.LeftSide
			if r.Kind == dgt.LogRightTime {
				side = evidence.RightSide
			}
			entry.Press, entry.Sec = m.tr.Side(side), (int(r.Hours)*60+int(r.Minutes))*60+int(r.Seconds)
			if entry.Press == legal.NoSide {
				return nil, end, false
			}
		default:
			continue
		}
		if entry.Place = place; known == ^uint64(0) {
			log = append(log, entry)
		}
	}
	return log, place, len(log) > 0
}

// wholeLog reads the records of a log. Only the first may be incomplete, and the end must be marked.
func wholeLog(data []byte) (records []dgt.LogRecord, ok bool) {
	s := dgt.ScanLog(data)
	front := -1
	for r, more := s.Next(); more; r, more = s.Next() {
		if front < 0 {
			front = s.Skipped()
		}
		if r.Kind == dgt.LogField && r.Square >= 64 || r.Kind == dgt.LogErased {
			return nil, false
		}
		records = append(records, r)
	}
	n := len(records)
	ok = n > 0 && front <= longestRecord-1 && s.Skipped() == front && records[n-1].Kind == dgt.LogEnd
	return records, ok
}

// longestRecord is the length of the longest record of a log (section 7).
const longestRecord = 5

// oriented returns a square of the board in the record's orientation.
func (m *Machine) oriented(n byte) legal.Square {
	if m.tr.Reversed() {
		return 63 - square(n)
	}
	return square(n)
}

// arrayOf returns the position for which the log has a mark.
func arrayOf(k dgt.LogKind, reversed bool) (p legal.Placement) {
	if k == dgt.LogBoardEmpty {
		return p
	}
	start := legal.StartSetup(518).Placement
	if (k == dgt.LogStartReversed) == reversed {
		return start
	}
	for sq := range start {
		p[63-sq] = start[sq]
	}
	return p
}

func agrees(a, b *legal.Placement, known uint64) bool {
	for sq := range a {
		if known>>sq&1 != 0 && a[sq] != b[sq] {
			return false
		}
	}
	return true
}

// fillFrom completes the record of the game from a log. If plies are reported again, later plies may get other numbers.
func (m *Machine) fillFrom(log []play.Logged) {
	for m.fillNext(log) {
	}
	if h, ok := m.tr.Unexplained(); ok && !m.hasFindingFrom(&h) {
		if row, ok := h.Fill(log); ok {
			if n := m.tr.Commit(m.now, row); n > 0 {
				m.health("log_read", words.Say("row.log_read", h.From, h.From+n-1))
				m.settle()
			}
		}
	}
}

// fillNext goes through the holes of the record until it has to report plies again. It returns false if it did not.
func (m *Machine) fillNext(log []play.Logged) bool {
	for _, h := range m.tr.Holes() {
		row, ok := h.Fill(log)
		switch {
		case ok && h.SpanFrom != 0 && m.fillSpan(&h, row), ok && m.tr.Shows(&h, row), m.hasFindingFrom(&h):
			m.tr.MarkKnown(&h)
			continue
		case ok && m.tr.Correct(m.now, &h, row):
			m.tr.MarkKnown(&h)
			m.corrected(h.From, len(row))
			continue
		case ok && m.rewrite(&h, log):
			return true
		}
		// The plies after the hole may have been misunderstood because of it. If this log does not help, another one
		// may.
		if all, ok := m.tr.ExtendToLastPosition(h); ok && m.rewrite(&all, log) {
			return true
		}
	}
	return false
}

// rewrite reports the plies of a hole and those after it again.
func (m *Machine) rewrite(h *detector.Hole, log []play.Logged) bool {
	if m.hasFindingFrom(h) || m.personFilled(h) {
		return false
	}
	row, ok := h.Fill(log)
	if !ok || !m.tr.Rewrite(m.now, h, row) {
		return false
	}
	m.corrected(h.From, len(row))
	return true
}

func (m *Machine) corrected(from, n int) {
	m.settle()
	m.health("log_corrected", words.Say("row.log_corrected", from, from+n-1))
}

// fillSpan fills in plies reported as unknown, unless they are filled in already. False: the record around them has
// other plies than the log.
func (m *Machine) fillSpan(h *detector.Hole, row []play.LoggedPly) bool {
	row, ok := m.tr.Span(h, row)
	if !ok {
		return m.personFilled(h)
	}
	for i := range m.spans {
		s := &m.spans[i]
		if s.Game != h.Game || s.From != h.SpanFrom || s.touched {
			continue
		}
		moves := make([]legal.Move, len(row))
		for n, p := range row {
			moves[n] = p.Move
		}
		if s.check(moves) != nil {
			return false // it is the other side's move
		}
		told, list := s.plies(moves)
		for n, p := range row {
			if p.Sec >= 0 {
				told[n].Clock = &row[n].Sec
			}
		}
		m.filled(s.Game, said.Filled{PlyFrom: s.From, Moves: told, By: byLog}, words.Say("row.filled_log", strings.Join(list, " ")))
	}
	return true
}

// personFilled reports whether a person has filled in plies of a hole: then the record stays unchanged.
func (m *Machine) personFilled(h *detector.Hole) bool {
	return slices.ContainsFunc(m.spans, func(s Span) bool { return s.Game == h.Game && s.From >= h.From && s.touched })
}

// byLog marks plies filled in from the board's own log.
const byLog = "log"

// hasFindingFrom reports whether there is a finding about the plies of a hole or later ones: then the record stays as
// it was at the time of the finding.
func (m *Machine) hasFindingFrom(h *detector.Hole) bool {
	for i := range m.proofs {
		if p := &m.proofs[i]; p.game == h.Game && p.ply >= h.From-1 {
			return true
		}
	}
	return false
}
