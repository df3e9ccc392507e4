package live

import (
	"encoding/json"
	"fmt"
	"strings"

	"boardwatchd/internal/watch"
	"boardwatchd/rules/words"
)

// The words for health that do not come from the machine.
const (
	notWatched  = "not_watched"
	unreachable = "unreachable"
	// JournalRead is the word for a board whose journal is being read at the start.
	JournalRead = "journal_read"
	// MirrorStalled is the word for a board of which a hall lacks some of what its computer has written.
	MirrorStalled   = "stands_still"
	notConnected    = "not_connected"
	journalDegraded = "journal_degraded"
)

// Words of the machine to which the table of conditions does not apply as it is.
const (
	notKnown    = "not_known"
	updatesLost = "updates_lost"
	slowAnswers = "slow_answers" // not of the machine's words, but of its view
)

// remarks is the number of health objects kept.
const remarks = 20

// recentUS is the time for which a single event keeps a board's health from being good.
const recentUS = 60_000_000

// backUS is the time after the link's return within which the first dumps arrive: they are requested within 0.6 s, and
// the second one must agree with the first.
const backUS = 10_000_000

// A condition is a word of the machine that lowers the health of a board.
type condition struct {
	what  string
	lasts bool   // until a healing word; otherwise for recentUS
	heals string // words that heal it, each surrounded by spaces
}

// conditions in the order of precedence. Other words are remarks and change nothing: board_identified, lever_bounced,
// claim_noted, report_noted, move_corrected, joined_midgame, promotion_read, sides_corrected, ambiguous_moves,
// instruction_refused.
var conditions = [...]condition{
	{"clock_missing", true, " link_up "}, // a reading of the clock heals it too
	{"board_disturbed", true, " board_explained game "},
	{"board_mismatch", true, " board_explained game "},
	{"flood", true, " flood_over link_up link_down gap "},
	{"played_on", true, " result_taken_back game "},
	{"clock_turned", true, " clock_turned_back game "},
	{"record_broken", false, " game "},
	{"cannot_judge", false, " game "},
	{updatesLost, false, " link_up "},
	{"noise", false, " link_up "},
	{notKnown, false, " game filled "}, // and for as long as a span is not filled in
	{slowAnswers, true, " link_up link_down gap "},
	{"battery_low", true, " link_up "},
}

// health is the quality of the watching of a board.
type health struct {
	link   remark // the word that last reported the link's state
	seen   bool   // a view of the machine was received; before that, the words count
	state  string // of the link, from the view
	active [len(conditions)]remark
	away   bool              // the program was absent or the link was down, and it has not been up since
	backAt int64             // time at which the link came up after that; 0: it was up before
	said   []json.RawMessage // the last health objects, oldest first
}

// A remark is a health object; its word is "" if there is none.
type remark struct {
	what, detail string
	say          *words.Sentence // detail in every language; nil: it has no translation
	do           *words.Sentence // what to do, as a sentence of the page's texts; nil: no advice
	at           int64
}

func (o *heard) remark() remark {
	var w struct {
		Say *words.Sentence `json:"say"`
	}
	if json.Unmarshal(o.raw, &w) != nil {
		w.Say = nil // the detail is shown
	}
	return remark{what: o.What, detail: o.Detail, say: w.Say, at: micros(o.T)}
}

// DiskRemedy returns advice against an error of the disk of a computer, as a sentence of the page's texts.
func DiskRemedy(trouble, computer string) words.Sentence {
	const space = "hall.journal_degraded.do"
	for _, of := range [...]struct{ says, remedy string }{
		{"no space left", space}, {"quota exceeded", space}, {"file too large", space},
		{"read-only file system", "hall.do_readonly"}, {"input/output error", "hall.do_readonly"},
		{"permission denied", "hall.do_denied"}, {"operation not permitted", "hall.do_denied"},
	} {
		if strings.Contains(trouble, of.says) {
			return words.Say(of.remedy, computer)
		}
	}
	return words.Say("hall.do_other", computer)
}

// hear handles a health object.
func (h *health) hear(o *heard) {
	if len(h.said) == remarks {
		h.said = append(h.said[:0:0], h.said[1:]...)
	}
	h.said = append(h.said, o.raw)
	r := o.remark()
	if linkStates[r.what] != "" {
		h.link = r
	}
	h.heal(r.what)
	switch {
	case r.what == "gap", r.what == "link_down":
		h.away, h.backAt = true, 0
	case r.what == "link_up":
		if h.backAt = 0; h.away {
			h.away, h.backAt = false, r.at
		}
	case r.what == updatesLost && h.backAt != 0 && r.at-h.backAt < backUS:
		return // moves played meanwhile are no fault of the cable that is in now; the line stays in the log
	}
	for i := range conditions {
		if conditions[i].what == r.what {
			h.active[i] = r
		}
	}
}

func (h *health) newGame() { h.heal("game") }

func (h *health) heal(word string) {
	for i := range conditions {
		if strings.Contains(conditions[i].heals, " "+word+" ") {
			h.active[i] = remark{}
		}
	}
}

// lowWord is the word for a battery; clockLowKey is the sentence about the clock's battery, and not the board's.
const (
	lowWord     = "battery_low"
	clockLowKey = "row.clock_battery"
)

// lowClock updates the condition of the clock's battery: the machine reports it once while the link is up, and each
// reading of the clock shows whether it still holds.
func (h *health) lowClock(v *watch.View) {
	const last = len(conditions) - 1 // battery_low
	switch low := &h.active[last]; {
	case !v.Clock.Read:
	case v.Clock.Low && low.what == "":
		*low = worded(lowWord, words.Say(clockLowKey))
		low.at = v.Clock.At
	case !v.Clock.Low && low.say != nil && low.say.Key == clockLowKey && v.Clock.At > low.at:
		*low = remark{}
	}
}

// slow updates the condition of a board that answers late.
func (h *health) slow(v *watch.View) {
	const at = len(conditions) - 2
	tenths := (v.SlowUS + 50_000) / 100_000
	if tenths == 0 {
		h.active[at] = remark{}
		return
	}
	h.active[at] = worded(slowAnswers, words.Say("row.slow_answers", fmt.Sprintf("%d.%d", tenths/10, tenths%10)))
	h.active[at].at = v.At
}

// see evaluates the machine's view.
func (h *health) see(v *watch.View) {
	h.seen, h.state = true, v.Link
	h.lowClock(v)
	h.slow(v)
	if missing := &h.active[0]; missing.what != "" && v.Clock.Read && v.Clock.At > missing.at {
		*missing = remark{}
	}
}

// linkStates gives the states of the link for words of the machine.
var linkStates = map[string]string{
	"link_up": "up", "answering": "up", "link_down": "down", "gap": "down", "no_answer": "silent", "wrong_board": "wrong_board",
	"not_identified": "silent",
}

// linkState returns up, down, silent, wrong_board or unknown.
func (h *health) linkState() string {
	state := h.state
	if !h.seen {
		state = linkStates[h.link.what]
	}
	switch {
	case state == "":
		return "unknown"
	case state == "wrong_board" && h.link.what == "not_identified":
		return "silent" // no board answers at all
	}
	return state
}

// judge returns the health of a board: the word, the problem, and the remark about it. The caller holds the lock.
func (b *Board) judge() (word Health, r remark) {
	h := &b.health
	state := h.linkState()
	switch {
	case b.stalled.what != "":
		return Bad, b.stalled // the rest is about the past
	case b.contradicted():
		return Good, remark{}
	case b.reading:
		return Warn, isRead
	case !b.watching && b.lost.what != "":
		return Bad, b.lost
	case !b.watching:
		return Bad, isNotWatched
	case state == "silent" && h.now("flood").what != "":
		return Bad, h.now("flood") // more informative: the board may answer without being received
	case state == "down", state == "silent", state == "wrong_board":
		if linkStates[h.link.what] == state {
			return Bad, h.link
		}
		return Bad, remark{what: map[string]string{"down": "link_down", "silent": "no_answer", "wrong_board": "wrong_board"}[state]}
	case b.degraded != "":
		return Bad, remark{what: journalDegraded, detail: b.degraded, do: b.mend}
	}
	for i := range conditions {
		if r := b.condition(i); r.what != "" {
			return Warn, r
		}
	}
	for _, r := range [...]remark{b.arrayset.reported, b.clockset.reported} {
		if r.what != "" {
			return Warn, r
		}
	}
	if state == "unknown" {
		return Warn, isNotConnected
	}
	return Good, remark{}
}

// condition returns the remark of a condition that holds. The caller holds the lock.
func (b *Board) condition(i int) remark {
	c := &conditions[i]
	if c.what == notKnown {
		if r := b.unfilled(); r.what != "" {
			return r
		}
	}
	if r := b.health.active[i]; c.lasts || b.t-r.at < recentUS {
		return r
	}
	return remark{}
}

// unfilled returns the remark of the first span of plies that is not filled in: of the whole round, or of the current
// game if the journal belongs to no round.
func (b *Board) unfilled() remark {
	for i := range b.spans.list {
		if s := &b.spans.list[i]; len(s.Moves) == 0 && (s.Game == b.game.number || b.clockset.round != "") {
			return s.reported
		}
	}
	return remark{}
}

// now returns the last remark with a condition's word that is not healed.
func (h *health) now(what string) remark {
	for i := range conditions {
		if conditions[i].what == what {
			return h.active[i]
		}
	}
	return remark{}
}

// Remarks that are no news when they are made again: a reader sees no difference (Board.show).
var (
	isRead         = worded(JournalRead, words.Say("row.journal_read"))
	isNotWatched   = worded(notWatched, words.Say("row.not_watched"))
	isNotConnected = worded(notConnected, words.Say("row.not_connected"))
)

// worded returns a remark with a text of this package.
func worded(what string, s words.Sentence) remark {
	return remark{what: what, detail: s.String(), say: &s}
}
