package watch

import (
	"fmt"
	"strings"

	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/rules/words"
)

// Intervals of the link in microseconds.
const (
	spacingUS    = 100_000    // between two commands: four within 6 ms made a clock stop answering (protocol notes, quirk 14)
	dumpWaitUS   = 1_000_000  // a dump normally takes 0.1 to 0.4 s (protocol notes, section 9)
	stallUS      = 500_000    // a short frame that stalls is given up (section 4, rule 4)
	stallPart    = 12         // it is given up after 1/12 of timing.silence, if that is longer
	logStallUS   = 15_000_000 // the log takes 8 s and was observed to take 15
	auditUS      = 30_000_000 // a dump this long after the last one, while frames arrive, checks the model
	noiseEveryUS = 10_000_000 // noise is reported at most this often
	modeLostUS   = 2_000_000  // a running clock ticks every second; silence means a lost update mode (quirk 17)
	clockLostUS  = 30_000_000 // silence of a running clock, while the board answers, after which it is reported
	modeEvery    = 3          // number of probes of an idle board after which the update mode is set again
)

// link is the state of the conversation with the board. A time of 0 means that nothing is awaited.
type link struct {
	live            bool // a port of this program is open
	silenceReported bool // silence has been reported

	silentSince int64 // of a reported silence
	tried       uint8 // number of measures tried against it
	up          bool  // connected now, by the records
	wasUp       bool  // was connected at some time

	queue  [16]byte // single-byte commands, oldest first
	queued int
	sendAt int64 // time when the next command may be sent

	dumpAt  int64 // time when the requested dump is overdue
	auditAt int64
	probeAt int64
	stallAt int64

	lastFrame int64
	lastClock int64
	running   bool // the clock ran at its last message
	clockMute bool // the silence of the clock was reported
	lever     clockproto.Side
	probes    int
	upAt      int64
	noiseAt   int64
	noise     int64

	serial, version     string
	identified          bool   // serial has been answered since the link is up
	otherSerial         bool   // a serial number is configured and the board has not sent it: its messages are ignored
	otherSerialReported bool   // the other serial number was reported
	otherNumber         string // the number of another board that was reported
	back                bool   // the board answers after a silence; it is reported when its number is the configured one
	batteryReported     bool
	flood               bool // garbage fills the line, and the journal has only its size

	touchedAt int64 // time of the last change of a square or the lever
	log       logRead
	boardID   boardIdentity
}

func (l *link) deadline() int64 {
	var first int64
	send := l.sendAt
	if l.queued == 0 {
		send = 0
	}
	for _, d := range [...]int64{send, l.dumpAt, l.auditAt, l.probeAt, l.stallAt, l.log.lookAt, l.log.dueAt, l.boardID.until} {
		if d != 0 && (first == 0 || d < first) {
			first = d
		}
	}
	return first
}

// holding reports whether messages are held for a moment before they are processed.
func (l *link) holding() bool { return l.log.reading() || l.boardID.until != 0 }

func (l *link) answered(at int64) {
	l.lastFrame = at
	if l.boardID.known() {
		l.boardID.lastHeard, l.boardID.lineCut = at, false
	}
}
func (l *link) clocked(at int64, r *clockproto.Reading) {
	running := r.Running && !r.NoClock
	if r.Up != l.lever || running != l.running {
		l.touchedAt = at
	}
	l.lastClock, l.running, l.lever, l.clockMute = at, running, r.Up, false
}
func (l *link) dumped()              { l.dumpAt, l.auditAt = 0, 0 }
func (l *link) has(c dgt.Short) bool { return indexOf(l.queue[:l.queued], byte(c)) >= 0 }

// keep takes over data that outlive a connection: the identity of the board, and a reported silence.
func (l *link) keep(old link) {
	l.silentSince, l.tried = old.silentSince, old.tried
	l.serial, l.version, l.silenceReported, l.wasUp = old.serial, old.version, old.silenceReported, old.wasUp || old.up
	l.log.failed = old.log.failed
	l.boardID.home, l.boardID.lastHeard, l.boardID.lineCut = old.boardID.home, old.boardID.lastHeard, old.boardID.lineCut
}

func indexOf(b []byte, c byte) int {
	for i, x := range b {
		if x == c {
			return i
		}
	}
	return -1
}

// push queues a command once.
func (l *link) push(c dgt.Short) {
	if l.has(c) || l.queued == len(l.queue) {
		return
	}
	l.queue[l.queued] = byte(c)
	l.queued++
}

// pushSoon queues a command once, before the requests for the board's identity.
func (l *link) pushSoon(c dgt.Short) {
	if l.has(c) || l.queued == len(l.queue) {
		return
	}
	i := l.queued
	for ; i > 0; i-- {
		switch dgt.Short(l.queue[i-1]) {
		case dgt.RequestSerial, dgt.RequestVersion, dgt.RequestLongSerial:
			l.queue[i] = l.queue[i-1]
			continue
		}
		break
	}
	l.queue[i] = byte(c)
	l.queued++
}

// linkUp begins the conversation. The dump is requested within 0.6 s of the opening: after the settling time that some
// boards need, directly after the command that makes the board report changes, so that no change is missed.
func (m *Machine) linkUp(device string) {
	m.dec.Abort()
	m.account()
	m.cutLog()
	at, old := m.now.At, m.link
	m.link = link{live: m.source == Live, lastFrame: at, upAt: at, up: true}
	m.link.keep(old)
	m.tr.Gap(m.now)
	m.tr.DumpWanted() // requested below, in its order
	m.health("link_up", words.Verbatim(device))
	if !m.link.live {
		return
	}
	m.link.sendAt = at + m.settings.Timing.Settle
	m.link.probeAt = m.link.sendAt + m.settings.Timing.Probe
	if m.settings.Serial != "" {
		m.link.otherSerial = true
		m.link.push(dgt.RequestSerial)
		m.link.push(dgt.RequestLongSerial)
	}
	for _, c := range [...]dgt.Short{
		dgt.SetUpdateNice, dgt.RequestBoard, dgt.RequestClock, dgt.RequestSerial, dgt.RequestVersion, dgt.RequestLongSerial,
	} {
		m.link.push(c)
	}
	m.holdUntilIdentified()
}

// cut ends the conversation: the link is lost, or the record has a hole (a restart, a damaged journal).
func (m *Machine) cut(what, cause string) {
	m.dec.Abort()
	m.account()
	m.cutLog()
	old := m.link
	m.link = link{}
	m.link.keep(old)
	m.link.boardID.lineCut = m.link.boardID.lineCut || what == "link_down"
	m.tr.Gap(m.now)
	m.health(what, words.Verbatim(cause))
}

// askDump requests the whole position, unless a dump is already awaited.
func (m *Machine) askDump() {
	if m.late.reading {
		m.late.wanted = true
		return
	}
	if !m.link.live || m.link.dumpAt != 0 {
		return
	}
	m.link.pushSoon(dgt.RequestBoard)
	if m.link.sendAt <= m.now.At {
		m.sendNext()
	}
}

// linkDue handles the deadlines of the link that are due at the given time.
func (m *Machine) linkDue(at int64) {
	l := &m.link
	due := func(d int64) bool { return d != 0 && d <= at }
	switch {
	case l.queued > 0 && due(l.sendAt):
		m.sendNext()
	case due(l.stallAt):
		l.stallAt = 0
		m.dec.Abort()
		m.account()
		m.logStalled()
	case due(l.dumpAt):
		if l.dumpAt = 0; l.silenceReported {
			break // probes become less frequent
		}
		l.push(dgt.SetUpdateNice) // a board that does not answer may have switched to bus mode
		l.push(dgt.RequestBoard)
		l.sendAt = max(l.sendAt, at)
	case due(l.auditAt):
		l.auditAt = 0
		m.askDump()
	case due(l.boardID.until):
		m.numberOverdue()
	case due(l.log.dueAt):
		m.logDue()
	case due(l.log.lookAt):
		m.lookForQuiet(at)
	case due(l.probeAt):
		m.probe(at)
	}
}

// sendNext sends the oldest queued command.
func (m *Machine) sendNext() {
	l := &m.link
	if l.queued == 0 {
		return
	}
	c := l.queue[0]
	copy(l.queue[:], l.queue[1:l.queued])
	l.queued--
	l.sendAt = m.now.At + spacingUS
	if dgt.Short(c) == dgt.RequestBoard {
		l.dumpAt = m.now.At + dumpWaitUS
	}
	m.answers.sent(c, m.now.At)
	m.out = append(m.out, Effect{Kind: record.Tx, Body: []byte{c}})
}

// probe checks whether a silent board is alive. Only answers show that, not arbitrary bytes (reliability notes, B9 and
// B11).
func (m *Machine) probe(at int64) {
	l := &m.link
	t := &m.settings.Timing
	silent := at - l.lastFrame
	if l.log.reading() {
		l.probeAt = at + t.Probe // the answer would come after the log
		return
	}
	if silent >= 2*t.Probe { // the probe before had no answer
		m.requestNumberWhenHeard()
	}
	switch {
	case l.otherSerial:
		m.requestConfiguredNumber(at)
	case silent >= t.Silence && !l.silenceReported:
		l.silenceReported, l.silentSince, l.tried = true, l.lastFrame, 0
		m.tr.Gap(m.now)
		m.tr.DumpWanted()
		m.health("no_answer", words.Say("row.no_answer", silent/1_000_000))
		fallthrough
	case l.silenceReported, l.running && at-l.lastClock >= modeLostUS:
		m.restoreUpdates(at)
	case silent >= t.Probe:
		// A board that was switched off and on while the clock was stopped answers, but no longer reports.
		if l.probes++; l.probes%modeEvery == 0 {
			l.push(dgt.SetUpdateNice)
		}
		l.push(dgt.RequestSerial)
	}
	if l.queued > 0 && l.sendAt <= at {
		m.sendNext()
	}
	l.probeAt = at + l.probeEvery(at, t.Probe)
	if silent < t.Probe {
		l.probeAt = l.lastFrame + t.Probe
	}
}

// restoreUpdates sets the update mode again and requests board and clock, because the board or the running clock is
// silent.
func (m *Machine) restoreUpdates(at int64) {
	l := &m.link
	if lost := at - l.lastClock; l.silenceReported {
		m.recoverSilentBoard(at - l.silentSince)
	} else if lost >= clockLostUS && !l.clockMute {
		l.clockMute = true
		m.health("clock_missing", words.Say("row.clock_unheard", lost/1_000_000))
	}
	l.push(dgt.SetUpdateNice)
	l.push(dgt.RequestBoard)
	l.push(dgt.RequestClock)
	m.tr.Noise(m.now) // updates may have been missed
}

// The measures against a silence: first the station closes the port and opens it again; then the board is reset, once;
// then a person is asked to pull the plug. A reset of the USB port is not tried: it needs root, and can disconnect the
// other boards of a hub.
const (
	resetPart  = 4 // the board is reset after this many times the silence that counts
	wedgedPart = 8 // after this many times the silence that counts the plug must be pulled
)

// recoverSilentBoard takes the measure that is due against a silence.
func (m *Machine) recoverSilentBoard(since int64) {
	l, silence := &m.link, m.settings.Timing.Silence
	switch {
	case l.tried == 0 && since >= resetPart*silence:
		l.tried = 1
		l.push(dgt.Reset) // reporting is then off, and is set again afterwards
	case l.tried == 1 && since >= wedgedPart*silence:
		l.tried = 2
		m.health("no_answer", words.Say("row.wedged", since/1_000_000))
	}
}

// probeEvery returns the interval of probes: for a silent board it grows, because each probe is in the journal.
func (l *link) probeEvery(at, probe int64) int64 {
	if !l.silenceReported {
		return probe
	}
	silent := at - l.silentSince
	if silent >= seldomBehind*probe {
		return seldom * probe
	}
	return min(max(silent/4, probe), often*probe)
}

const (
	often        = 5  // times the usual interval, in a silence
	seldom       = 15 // times the usual interval, in a long silence
	seldomBehind = 300
)

// requestConfiguredNumber requests the configured serial number again: the first answer may have been lost, and the
// board's messages are ignored until it arrives.
func (m *Machine) requestConfiguredNumber(at int64) {
	l := &m.link
	l.push(dgt.RequestSerial)
	l.push(dgt.RequestLongSerial)
	if l.boardID.away {
		l.push(dgt.RequestBoard)
	}
	if at-l.upAt >= m.settings.Timing.Silence && !l.otherSerialReported {
		l.otherSerialReported = true
		m.health("not_identified", words.Say("row.not_identified", m.settings.Serial))
	}
}

// Silent reports whether the board has not answered for long. The caller may close the port and open it again.
func (m *Machine) Silent() bool { return m.link.silenceReported }

// account reports bytes outside frames to the tracker: reports may have been lost or, worse, invented.
func (m *Machine) account() {
	g := m.dec.Stats().Garbage
	n := g - m.garbage
	if n == 0 {
		return
	}
	m.garbage = g
	m.link.noise += n
	m.tr.Noise(m.now)
	// The rest of a message that was in progress when the port was opened is not noise (quirk 1).
	if m.link.live && m.now.At-m.link.upAt < m.settings.Timing.Settle {
		m.link.noise = 0
		return
	}
	if m.link.noiseAt == 0 || m.now.At-m.link.noiseAt >= noiseEveryUS {
		m.health("noise", counted("row.noise", int(m.link.noise)))
		m.link.noiseAt = m.now.At
		m.link.noise = 0
	}
}

// stallWatch sets the deadlines of an incomplete frame and of the audit.
func (m *Machine) stallWatch() {
	l := &m.link
	id, n := m.dec.Pending()
	switch {
	case n == 0:
		l.stallAt = 0
	case id == dgt.MsgLog:
		l.stallAt = m.now.At + logStallUS
	default:
		// stallUS is a twelfth of the usual silence. A longer silence belongs to a simulation whose time runs faster
		// than real time, in which a pause of this computer counts for more. A shorter one says nothing about the line.
		t := &m.settings.Timing
		l.stallAt = m.now.At + max(stallUS, t.Silence/stallPart) + 4*t.Latency
	}
	if l.live && l.auditAt == 0 && l.dumpAt == 0 {
		l.auditAt = m.now.At + auditUS
	}
	if l.silenceReported && l.lastFrame == m.now.At {
		l.silenceReported, l.silentSince, l.tried = false, 0, 0
		if l.back = l.otherSerial; !l.back {
			m.health("answering", words.Say("row.answering"))
		}
		l.push(dgt.SetUpdateNice)
		l.push(dgt.RequestBoard)
		l.push(dgt.RequestClock)
		l.sendAt = max(l.sendAt, m.now.At)
	}
}

// identity stores the board's version and serial numbers.
func (m *Machine) identity(f dgt.Frame) {
	msg, err := f.Message()
	if err != nil {
		return
	}
	switch msg := msg.(type) {
	case dgt.Serial:
		m.identified(string(msg.Digits[:]), len(msg.Digits))
	case dgt.LongSerial:
		m.identified(string(msg.Text[:]), len(msg.Text))
	case dgt.Version:
		v := fmt.Sprintf("%d.%02d", msg.Major, msg.Minor)
		if m.learn(&m.link.version, v) {
			m.health("board_identified", words.Say("row.firmware", v))
		}
	case dgt.Battery:
		if msg.Percent <= 10 && !m.link.batteryReported {
			m.link.batteryReported = true
			m.health("battery_low", words.Say("row.board_battery", int(msg.Percent)))
		}
	}
}

func (m *Machine) learn(have *string, now string) bool {
	if *have == now {
		return false
	}
	*have = now
	return true
}

// identified handles the board's short or long serial number. If one is configured, another board on this port is
// reported and not watched: its games would be recorded under a wrong name (reliability notes, F11).
func (m *Machine) identified(number string, length int) {
	if before := m.link.serial; length == serialLen && m.learn(&m.link.serial, number) {
		if before != "" {
			m.link.log.failed = 0
			m.tr.OtherBoard()
		}
		if b := m.before; b != nil && b.Serial == number {
			m.tr.RememberScan(b.sensor())
		}
		m.health("board_identified", words.Say("row.serial", number))
	}
	m.link.identified = m.link.identified || length == serialLen
	if length == serialLen {
		m.numberReceived(number)
	}
	want := m.settings.Serial
	switch {
	case want == "" || !m.link.otherSerial:
	case strings.TrimLeft(number, "0") == strings.TrimLeft(want, "0"):
		m.configuredBoard()
	case (len(want) > serialLen) == (length > serialLen) && m.link.otherNumber != number:
		m.link.otherSerialReported, m.link.otherNumber = true, number // once, not at each probe
		m.health("wrong_board", words.Say("row.wrong_board", number, want))
	}
}

// configuredBoard begins to watch: the board has sent the number that is configured.
func (m *Machine) configuredBoard() {
	l := &m.link
	if (l.otherSerialReported || l.back) && !l.silenceReported {
		m.health("answering", words.Say("row.answering"))
	}
	l.otherSerial, l.otherSerialReported, l.otherNumber, l.back = false, false, "", false
	l.push(dgt.RequestBoard)
	l.push(dgt.RequestClock)
	l.sendAt = max(l.sendAt, m.now.At)
}

// serialLen is the number of digits of the short serial number (protocol notes 5.6).
const serialLen = 5

// counted returns a sentence with a number; the singular has its own key.
func counted(key string, n int) words.Sentence {
	if n == 1 {
		return words.Say(key + "_one")
	}
	return words.Say(key, n)
}
