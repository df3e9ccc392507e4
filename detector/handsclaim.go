package detector

import (
	"strings"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file answers whoever claims that a move was made with two hands, and whoever denies it: what the timing of that
// move says, for and against, in words that were measured (docs/hands.md).

// maxKept bounds the manipulations of one game that are remembered: a game has some forty.
const maxKept = 256

// keep remembers what the timing of a half-move said. What is said later, when the scan is known, takes the place of
// what was said before.
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

// HandsOf is what the timing of a half-move of this game says; 0: of the player's last capture, castling or promotion.
func (t *Tracker) HandsOf(ply int, s legal.Side) (o HandsJudged, ok bool) {
	for _, j := range t.hands.judged {
		if j.Side == s && (j.Ply == ply || ply == 0 && j.Ply > o.Ply) {
			o, ok = j, true
		}
	}
	return o, ok
}

// claimSteps are what is said of 100 handlings. Never more is said than the ratio bears out, the lower edge of each step,
// and nothing by which people differ more than that, as docs/hands.md measures.
var claimSteps = map[hands.Kind][]int{
	hands.Castling:  {80, 90, 95, 97},
	hands.Capture:   {80, 90, 97},
	hands.Promotion: {95, 97},
}

// Meaning is what the timing says of the hands, in a sentence for whoever claims and for whoever denies.
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
		some = min(some, 90) // some people with two hands capture as others do with one, one after the other
	}
	if some == 0 || o.Stated <= 0 && o.Against >= 0 {
		return words.Say("timing.neither", words.Say(kind))
	}
	return words.Say("timing.speaks", word, words.Say(kind+"s"), some)
}
