package watch

import (
	"boardwatchd/detector"
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/rules/words"
)

// This file is about a line that sends garbage at full speed, which would fill the disk. Beyond a rate that no board comes near, the
// station keeps the bytes that are part of no message by their number, in a Gap record, and hands on the messages alone. Nothing follows
// from such bytes but distrust, and that is kept: during a flood nothing is believed until a dump has been seen, and behind each of these
// records the board is asked for one, as behind any gap.

// Wire is a copy of the decoder as it stands behind the last record: who hands on messages alone cuts what comes next with it.
func (m *Machine) Wire() dgt.Decoder { return m.dec }

// leftOut takes a Gap record that stands for garbage, or for the end of a flood of it.
func (m *Machine) leftOut(a Annotation) {
	m.dec.Abort()
	m.account()
	m.omitted += a.LeftOut
	m.link.flood = !a.Over
	m.tr.Gap(m.now) // settle asks for the dump
	what, detail := "flood", words.Say("row.flood", m.omitted)
	if a.Over {
		what, detail = "flood_over", words.Say("row.flood_over", m.omitted)
	}
	m.health(what, detail)
	if a.Over && m.link.live {
		l := &m.link // what the board was told may have been lost
		l.push(dgt.SetUpdateNice)
		l.push(dgt.RequestBoard)
		l.push(dgt.RequestClock)
		l.sendAt = max(l.sendAt, m.now.At)
	}
}

// distrustFlood comes before each record of a flood: bytes may have been left out since the one before.
func (m *Machine) distrustFlood(seq record.Seq) {
	if m.link.flood {
		m.tr.Noise(detector.Stamp{Seq: detector.Seq(seq), At: m.now.At})
		m.tr.DumpWanted() // not for each: one is asked for behind each Gap record, at each audit and by each press
	}
}
