package watch

import (
	"bytes"

	"boardwatchd/detector"
	"boardwatchd/detector/evidence"
	"boardwatchd/dgt"
	"boardwatchd/rules/words"
)

// This file is about a standstill of the program itself: the computer was suspended or busy. The station writes a Late
// record, and the bytes that waited in the port follow it in one Rx record. Those bytes count first. Time lost by the
// program is not silence of the board. A deadline during the standstill counts as passed before a message only if the
// seconds of the clock prove it.

// lateness describes a standstill while the waiting bytes are processed.
type lateness struct {
	since   int64 // time at which the port was last known to be empty; 0: no standstill
	lost    int64
	reading bool  // the waiting messages are being processed: nothing is sent between them
	wanted  bool  // a dump is to be requested after them
	width   int64 // uncertainty of the present message's arrival: it may be stamped that much too late
}

// reportLateUS is the shortest standstill that is reported and after which a dump is requested.
const reportLateUS = 1_000_000

// resumeAfterStandstill handles a Late record. Deadlines up to the beginning of the standstill have passed; later ones
// of the link are moved by its length.
func (m *Machine) resumeAfterStandstill(st evidence.Stamp, since int64) {
	since = min(max(since, m.now.At, 1), st.At)
	m.wake(evidence.Stamp{Seq: st.Seq, At: since})
	m.now = st
	m.late = lateness{since: since, lost: st.At - since}
	m.link.postponeDeadlines(since, m.late.lost)
	if m.late.lost < reportLateUS {
		return
	}
	m.lateUS += m.late.lost
	m.health("late", words.Say("row.late", m.late.lost/1_000_000))
	m.askDump()
}

// postponeDeadlines moves the deadlines of the link after a standstill of the program.
func (l *link) postponeDeadlines(since, lost int64) {
	for _, at := range [...]*int64{&l.dumpAt, &l.auditAt, &l.probeAt, &l.stallAt, &l.log.dueAt, &l.log.lookAt, &l.boardID.until} {
		if *at > since {
			*at += lost
		}
	}
	for _, at := range [...]*int64{&l.lastFrame, &l.lastClock, &l.upAt, &l.silentSince} {
		if *at != 0 {
			*at += lost
		}
	}
}

// receiveLate processes the whole messages among the bytes that waited.
func (m *Machine) receiveLate(late lateness) {
	var frames []dgt.Frame
	for {
		f, ok := m.dec.Next()
		if !ok {
			break
		}
		f.Data = bytes.Clone(f.Data)
		frames = append(frames, f)
	}
	m.frames += int64(len(frames))
	m.takeWaited(late, frames)
}

// takeWaited processes messages that have waited. Each is stamped with the latest possible time of its arrival.
func (m *Machine) takeWaited(late lateness, frames []dgt.Frame) {
	faces := make([]*evidence.ClockReading, len(frames))
	for i, f := range frames {
		faces[i] = faceOf(f)
	}
	st := m.now
	m.late = late
	m.late.reading = true
	for i, w := range detector.Waited(evidence.Window{Lo: late.since, Hi: st.At}, faces) {
		m.handleDeadlines(st.Seq, w.Lo)
		m.link.answered(st.At)
		m.now = evidence.Stamp{Seq: st.Seq, At: w.Hi, Waited: true}
		m.late.width = w.Hi - w.Lo
		m.frame(frames[i])
	}
	wanted := m.late.wanted
	m.now, m.late = st, lateness{}
	if wanted {
		m.askDump()
	}
}

// faceOf returns the clock reading of a message; nil if it contains no time.
func faceOf(f dgt.Frame) *evidence.ClockReading {
	r, ok := timeOf(f)
	if !ok {
		return nil
	}
	c := reading(r)
	return &c
}

// Late returns the body of a Late record.
func Late(since int64) []byte { return Annotation{Since: since}.Body() }
