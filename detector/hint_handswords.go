package detector

import (
	"strconv"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// reasonOfHands is a sentence that an arbiter can read out: what was seen and how much it weighs. A figure in per cent is not in it: until
// labelled data have earned one, words must do (timing notes, section 0, point 6).
func (t *Tracker) reasonOfHands(m legal.Move, o *HandsJudged, ratio int32) string {
	before := t.g.last().pos
	text := o.Side.Name() + "'s " + o.Kind.String() + " " + before.SAN(m) + ": "
	switch o.Kind {
	case hands.Castling:
		text += "the rook " + landed(o)
		switch o.InAir {
		case hands.Together:
			text += ", and king and rook were in the air together"
		case hands.MaybeTogether:
			text += ", and king and rook may have been in the air together"
		}
	case hands.Promotion:
		text += "the new piece stood there " + tenths(o.TotalUS) + " after the pawn was lifted"
	default:
		text += "both pieces were handled within " + tenths(o.TotalUS)
	}
	return text + ". For one hand that is unusual at this player's pace. " + weight(ratio) + "; please look."
}

// landed says how long the castling took.
func landed(o *HandsJudged) string {
	if o.SameLanding {
		return "was put down in the same scan of the board as the king, " + tenths(o.TotalUS) + " after the first lift"
	}
	return "stood " + tenths(o.TotalUS) + " after the first lift"
}

// weight is the ratio in words: up to 1:33, up to 1:1000, and more.
func weight(ratio int32) string {
	switch {
	case ratio < 3500:
		return "Weak evidence"
	case ratio < 6900:
		return "Moderate evidence"
	}
	return "Strong evidence"
}

// tenths writes a time with one decimal.
func tenths(us int64) string {
	n := (us + 50_000) / 100_000
	return strconv.FormatInt(n/10, 10) + "." + strconv.FormatInt(n%10, 10) + " s"
}
