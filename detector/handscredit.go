package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hands"
	"boardwatchd/rules/words"
)

// This file pauses the suspicions of two hands (timing notes 4.6). After two that were reported and not answered, they
// are paused until one is answered, so that an arbiter is sent to a board at most twice before saying what was seen
// there. A finding of an earlier game can no longer be answered, so that the next game begins without a pause.

// HandsUnusual is the logarithm, in milli-nats as stated before the cap, from which on a manipulation counts as one
// that looks like two hands: the level of the record, timing notes 3.7.
const HandsUnusual = 3500

// maxUnanswered is the number of suspicions that may be reported before the arbiter has answered one.
const maxUnanswered = 2

// HandsCount counts manipulations that were judged.
type HandsCount struct {
	Judged   int
	Unusual  int // at or above HandsUnusual
	Advisory int // suspected
	Held     int // suspected, but not reported, because suspicions were paused
}

// count counts a manipulation that was judged.
func (h *handsWatch) count(o *HandsJudged) {
	if !o.Known {
		return
	}
	c := &h.counts[o.Kind]
	c.Judged++
	if o.Stated >= HandsUnusual {
		c.Unusual++
	}
	if o.Suspected {
		c.Advisory++
	}
	if o.Unreported {
		c.Held++
	}
}

// HandsHeld reports that suspicions of a board are paused from now on, or reported again.
type HandsHeld struct {
	evidence.Stamp
	Game  int
	Held  bool
	Count HandsCount     // of the board
	Why   words.Sentence // why suspicions are reported again
}

func (HandsHeld) outcome() {}

// Detail returns a sentence about it.
func (h HandsHeld) Detail() words.Sentence {
	if h.Held {
		return words.Say("row.hands_paused", maxUnanswered)
	}
	return h.Why
}

// HandsPaused reports whether suspicions are for the record only, until one of those reported is answered.
func (t *Tracker) HandsPaused() bool { return t.hands.unanswered >= maxUnanswered }

// AskHands sets whether the rules in force ask about two hands: in castlings, and in captures. Suspicions that they do
// not ask about never pause the others.
func (t *Tracker) AskHands(castling, captures bool) {
	t.hands.asksCastling, t.hands.asksCaptures = castling, captures
}

// countUnanswered notes a suspicion that was reported. In a recording no arbiter is called to a board, and all are
// reported.
func (t *Tracker) countUnanswered(k hands.Kind) {
	asked := t.hands.asksCaptures
	if k == hands.Castling {
		asked = t.hands.asksCastling
	}
	if t.p.Passive || !asked {
		return
	}
	if t.hands.unanswered++; t.HandsPaused() {
		t.emit(HandsHeld{Stamp: t.now, Game: t.games, Held: true, Count: t.hands.counted()})
	}
}

// HandsAnswered notes that the arbiter has answered a suspicion of this game, in whatever way, or that a person has
// reported two hands.
func (t *Tracker) HandsAnswered(st evidence.Stamp) {
	t.now = st
	t.resumeHands(words.Say("row.hands_answered"))
}

// resumeHands ends a pause of suspicions.
func (t *Tracker) resumeHands(why words.Sentence) {
	paused := t.HandsPaused()
	if t.hands.unanswered = 0; paused {
		t.emit(HandsHeld{Stamp: t.now, Game: t.games, Why: why, Count: t.hands.counted()})
	}
}

// HandsCounts returns the counts of one kind since the journal began.
func (t *Tracker) HandsCounts(k hands.Kind) HandsCount {
	return t.hands.counts[k%hands.Kind(len(t.hands.counts))]
}

// counted returns the counts of all kinds together.
func (h *handsWatch) counted() (all HandsCount) {
	for _, c := range h.counts {
		all.Judged += c.Judged
		all.Unusual += c.Unusual
		all.Advisory += c.Advisory
		all.Held += c.Held
	}
	return all
}
