package detector

import (
	"strings"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file answers a claim that a move was made with two hands, and its denial: what the timing of that move shows,
// for and against, in words that were measured (docs/hands.md).

// maxKept bounds the manipulations of one game that are remembered: a game has some forty.
const maxKept = 256

// keep remembers the judgement of a half-move. A later judgement, when the scan is known, replaces an earlier one.
func (h *handsWatch) keep(o *HandsJudged) {
	for i := range h.judged {
		if h.judged[i].Ply == o.Ply {
			h.judged[i] = *o
			return
		}
	}
	if len(h.judged) == maxKept {
		h.judged = h.judged[:copy(h.judged, h.judged[1:])]
	}
	h.judged = append(h.judged, *o)
}

// HandsOf returns the judgement of a half-move of this game; ply 0: of the player's last capture, castling or
// promotion.
func (t *Tracker) HandsOf(ply int, s legal.Side) (o HandsJudged, ok bool) {
	for _, j := range t.hands.judged {
		if j.Side == s && (j.Ply == ply || ply == 0 && j.Ply > o.Ply) {
			o, ok = j, true
		}
	}
	return o, ok
}

// claimSteps are the statements about 100 handlings. A statement never says more than the ratio supports, which is the
// lower edge of its step, nor more precisely than people differ, as docs/hands.md measures.
var claimSteps = map[hands.Kind][]int{
	hands.Castling:  {80, 90, 95, 97},
	hands.Capture:   {80, 90, 97},
	hands.Promotion: {95, 97},
}

// Meaning returns a sentence about what the timing shows, for the claimant and for the opponent.
func (o *HandsJudged) Meaning() words.Sentence {
	kind := "deed." + o.Kind.String()
	if !o.Known {
		return words.Say("timing.nothing", words.Say(kind), words.Say("abstained."+strings.ReplaceAll(o.Abstain.String(), " ", "_")))
	}
	word, share := words.Say("timing.two_hands"), hands.Confidence(hands.Million/2, o.Stated)
	if o.Against < 0 {
		word, share = words.Say("timing.one_hand"), hands.Confidence(hands.Million/2, -o.Against)
	}
	some := 0
	for _, step := range claimSteps[o.Kind] {
		if int(share) >= step*10_000 {
			some = step
		}
	}
	if o.Kind == hands.Capture && o.Against < 0 {
		some = min(some, 90) // some people capture with two hands one after the other, as others do with one
	}
	if some == 0 || o.Stated <= 0 && o.Against >= 0 {
		return words.Say("timing.neither", words.Say(kind))
	}
	return words.Say("timing.speaks", word, words.Say(kind+"s"), some)
}
