package detector

import (
	"strconv"
	"strings"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hands"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// handsWatch is what is known of the board's scan and of the players' hands (timing notes 1.4, 3.6).
type handsWatch struct {
	scan   hands.Scan // of the board, over all its games
	sensor hands.Sensor
	before hands.Sensor   // the board's scan of its last round, until this round's moves confirm or contradict it
	tempo  [3]hands.Tempo // of the players of this game
	base   int            // what the clock showed as the game began, s; -1: unknown
	bonus  int            // the greatest increment of a press

	timed bool // a report came off the full second: the recording has times
	odd   bool // the next report is that of a special piece
	said  ScanKnown
	tried int          // moves since the scan was last reported
	early []earlyHands // manipulations not yet judged

	judged                     []HandsJudged                   // of this game, for claims
	counts                     [hands.Promotion + 1]HandsCount // of this board, by kind
	asksCastling, asksCaptures bool                            // the rules in force
	unanswered                 int                             // suspicions reported since one was last answered
}

// newGame forgets the players; the state of the board stays.
func (h *handsWatch) newGame() {
	h.tempo, h.base, h.bonus, h.early, h.judged = [3]hands.Tempo{}, -1, 0, nil, nil
}

// OtherBoard notes that another board answers on this line: the known scan was that of the one before.
func (t *Tracker) OtherBoard() {
	h := &t.hands
	h.scan, h.sensor, h.before, h.said, h.tried, h.early = hands.Scan{}, hands.Sensor{}, hands.Sensor{}, ScanKnown{}, 0, nil
}

// RememberScan sets how this board scanned when it was last watched. Manipulations made before its scan is known again
// are judged by that, for the record, as soon as six moves agree.
func (t *Tracker) RememberScan(s hands.Sensor) { t.hands.before = s }

// judgedBy returns the sensor to judge by.
func (h *handsWatch) judgedBy() hands.Sensor {
	if !h.sensor.Trusted() && h.before.Trusted() && h.scan.Agrees(h.before) {
		return h.before
	}
	return h.sensor
}

// reported notes the arrival of one report, and reports whether it shows a special piece.
func (h *handsWatch) reported(st evidence.Stamp) (odd bool) {
	const second = 1_000_000
	if st.At%second != 0 {
		h.timed = true
	}
	odd, h.odd = h.odd, false
	return odd
}

// A ScanVerdict is how the timing of a board is used.
type ScanVerdict uint8

// The verdicts. The zero value means that too few moves have been seen.
const (
	ScanNew     ScanVerdict = iota
	HandsHeard              // captures, castlings and promotions are judged
	HandsLogged             // the scan is too slow: for the record only
	HandsBlind              // the reports do not follow a scan: nothing is judged
)

// ScanKnown reports how the board scans, when that becomes known or changes.
type ScanKnown struct {
	evidence.Stamp
	Game    int
	Sensor  hands.Sensor
	Verdict ScanVerdict
}

func (ScanKnown) outcome() {}

// String is the word on the wire.
func (v ScanVerdict) String() string {
	return [...]string{"new", "judged", "record_only", "not_judged"}[v&3]
}

// scanWords are the keys of the verdicts' sentences.
var scanWords = [...]string{"row.scan_new", "row.scan_judged", "row.scan_record_only", "row.scan_not_judged"}

// Hands returns the verdict in words.
func (s ScanKnown) Hands() words.Sentence { return words.Say(scanWords[s.Verdict]) }

// Detail returns a sentence about the scan.
func (s ScanKnown) Detail() words.Sentence {
	if s.Verdict == ScanNew {
		return s.Hands()
	}
	x := s.Sensor
	order := words.Say("order." + strings.ReplaceAll(x.Order.String(), " ", "_"))
	return words.Say("row.scan", (x.PeriodUS+500)/1000, order, thousandths(x.Fit), x.Moves, s.Hands())
}

// thousandths writes 950 as 0.950.
func thousandths(n int32) string {
	t := strconv.Itoa(int(1000 + min(max(n, 0), 1000)))
	return string(t[0]-1) + "." + t[1:]
}

// scanTries is the number of moves after which a board without a known scan is reported (timing notes 1.4: 60 moves
// give it to 1 ms).
const scanTries = 60

// scanRest is the least number of moves between two reports about the scan: a fit near the limit must not fill the
// record.
const scanRest = 20

// Scan returns how the board scans, as far as that is known now.
func (t *Tracker) Scan() ScanKnown {
	s := ScanKnown{Stamp: t.now, Game: t.games, Sensor: t.hands.sensor}
	switch {
	case s.Sensor.Trusted() && s.Sensor.PeriodUS > hands.PeriodMost:
		s.Verdict = HandsLogged
	case s.Sensor.Trusted():
		s.Verdict = HandsHeard
	case s.Sensor.Moves >= scanTries:
		s.Verdict = HandsBlind
	}
	return s
}

// ScanTold returns how the board scans, as last reported.
func (t *Tracker) ScanTold() ScanKnown { return t.hands.said }

// learn adds what a move shows about the board and the player. Where hands are not judged, nothing is reported; the
// scan is still measured, for presses that came too early (offence/early.go).
func (t *Tracker) learn(d *hands.Handling, s legal.Side) {
	h := &t.hands
	h.tempo[s].Reclass(t.classed().Tempo())
	if !d.Teach(&h.scan, &h.tempo[s]) {
		return
	}
	h.sensor = h.scan.Sensor()
	const contradicted = 12 // moves that do not agree
	if h.sensor.Trusted() || h.sensor.Moves >= contradicted && !h.scan.Agrees(h.before) {
		h.before = hands.Sensor{}
	}
	if !t.p.Hands.On {
		return
	}
	now, told := t.Scan(), &h.said
	if d.Kind == hands.NoKind && len(h.early) > 0 && now.Sensor.Trusted() {
		t.judgeEarly()
	}
	if h.tried++; now.Verdict != ScanNew && (told.Verdict == ScanNew || h.tried >= scanRest) && h.notable(&now) {
		h.said, h.tried = now, 0
		t.emit(now)
	}
}

// notable reports whether the scan deserves a new report. It becomes more exact with every move, so only a great change
// counts.
func (h *handsWatch) notable(now *ScanKnown) bool {
	is, was := &now.Sensor, &h.said.Sensor
	if now.Verdict != h.said.Verdict {
		return true
	}
	moved := max(is.PeriodUS-was.PeriodUS, was.PeriodUS-is.PeriodUS) > is.PeriodUS/25
	return now.Verdict != HandsBlind && h.tried >= scanTries && (moved || is.Order != was.Order)
}

// classed returns the class of play: of the configured time control, or else of what the clock showed as the game began
// (FIDE Laws A.1, B.1). Where nothing is known the hands count as the fastest: that accuses least.
func (t *Tracker) classed() Play {
	h := &t.hands
	c := t.p.Hands.Control
	if c == rules.NoClass {
		if now := t.c.Times(); h.base < 0 && now.Known {
			h.base = max(now.White, now.Black)
		}
		const longest = 180 // s: more is the time of the next period
		if t.pressGainedSec <= longest {
			h.bonus = max(h.bonus, t.pressGainedSec)
		}
		c = rules.ClassOf(wholeMinutes(h.base, h.bonus), h.bonus, 0, false)
	}
	switch c {
	case rules.Rapid, rules.USQuick:
		return RapidPlay
	case rules.Standard, rules.USRegular, rules.USDual:
		return ClassicalPlay
	}
	return BlitzPlay
}

// wholeMinutes returns the time that a clock began with: some seconds have run already, and many clocks add the first
// increment before the first move (5+5 shows 5:05, and is blitz).
func wholeMinutes(shown, bonus int) int {
	const minute = 60
	if shown < 0 {
		return shown
	}
	return (max(shown-bonus, 0) + minute - 1) / minute * minute
}
