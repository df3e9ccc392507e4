package watch

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/rules/words"
)

// This file is about a line that sends garbage at full speed, which would fill the disk. Beyond a rate that no normal
// board approaches, the station records only the number of bytes outside messages, in a Gap record, and passes on only
// the messages. Such bytes have one consequence, distrust, which is preserved: during a flood nothing is trusted before
// a dump was received, and after each of these records a dump is requested, as after any gap.

// Wire returns a copy of the decoder after the last record: a caller that passes on only messages decodes the following
// bytes with it.
func (m *Machine) Wire() dgt.Decoder { return m.dec }

// leftOut handles a Gap record about omitted garbage, or about the end of a flood.
func (m *Machine) leftOut(a Annotation) {
	m.dec.Abort()
	m.account()
	m.omitted += a.LeftOut
	m.link.flood = !a.Over
	m.tr.Gap(m.now) // settle requests the dump
	what, detail := "flood", words.Say("row.flood", m.omitted)
	if a.Over {
		what, detail = "flood_over", words.Say("row.flood_over", m.omitted)
	}
	m.health(what, detail)
	if a.Over && m.link.live {
		l := &m.link // earlier commands to the board may have been lost
		l.push(dgt.SetUpdateNice)
		l.push(dgt.RequestBoard)
		l.push(dgt.RequestClock)
		l.sendAt = max(l.sendAt, m.now.At)
	}
}

// distrustFlood is called before each record of a flood: bytes may have been omitted since the one before.
func (m *Machine) distrustFlood(seq record.Seq) {
	if m.link.flood {
		m.tr.Noise(evidence.Stamp{Seq: evidence.Seq(seq), At: m.now.At})
		m.tr.DumpWanted() // not for each: a dump is requested after each Gap record, at each audit and by each press
	}
}
