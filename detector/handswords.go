package detector

import (
	"strconv"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// reasonOfHands returns a sentence that an arbiter can read out: what was seen and how much it weighs. It has no
// percentage: until labelled data support one, words must do (timing notes, section 0, point 6).
func (t *Tracker) reasonOfHands(m legal.Move, o *HandsJudged, ratio int32) words.Sentence {
	before, took := t.g.last().pos, tenths(o.TotalUS)
	seen := words.Say("hands.both", took)
	switch o.Kind {
	case hands.Castling:
		seen = words.Say("hands.rook", took)
		if o.SameLanding {
			seen = words.Say("hands.same", took)
		}
		switch o.InAir {
		case hands.Together:
			seen = words.Say("hands.together", seen)
		case hands.MaybeTogether:
			seen = words.Say("hands.perhaps", seen)
		}
	case hands.Promotion:
		seen = words.Say("hands.new", took)
	}
	return words.Say("hands."+o.Kind.String(), o.Side, before.SAN(m), seen, weight(ratio))
}

// weight returns the ratio in words: up to 1:33, up to 1:1000, and more.
func weight(ratio int32) words.Sentence {
	switch {
	case ratio < 3500:
		return words.Say("hands.weak")
	case ratio < 6900:
		return words.Say("hands.moderate")
	}
	return words.Say("hands.strong")
}

// tenths writes a time in seconds with one decimal.
func tenths(us int64) string {
	n := (us + 50_000) / 100_000
	return strconv.FormatInt(n/10, 10) + "." + strconv.FormatInt(n%10, 10)
}
