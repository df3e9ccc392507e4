package rules

import (
	"strings"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// reason returns a sentence that an arbiter can read out: the finder's own, that of the legality core for an illegal
// move, or one by kind.
func (s *sheet) reason() words.Sentence {
	c := &s.m.c
	if !c.Reason.IsZero() {
		return c.Reason
	}
	if v := s.m.verdict(); !v.Reason.IsZero() {
		return v.Reason
	}
	key := reasonOf(c)
	if key == "" {
		return words.Say("strike.stop", string(c.Kind)) // of a kind that this revision does not know
	}
	with := words.Verbatim(onSquares(c))
	switch c.Kind {
	case kinds.Unreadable:
		with = words.Verbatim(onSquares(emptied(c)))
	case kinds.BonusWrong, kinds.ResultContradicted:
		with = c.Note
	}
	return words.Say(key, c.Side, with)
}

// reasonOf returns the key of the sentence for the kind of case, or of one that fits its details better.
func reasonOf(c *Case) (key string) {
	switch theirs, own := touchedFirst(c); {
	case c.Kind == kinds.IllegalNoMove && len(c.Squares) > 0:
		return "reason.no_move_other"
	case c.Kind == kinds.IllegalTwoHands && c.Proof != Reported:
		return "reason.hands_in_air"
	case c.Kind == kinds.TouchMove && theirs && !own:
		return "reason.touch_theirs"
	case c.Kind == kinds.TouchMove && theirs:
		return "reason.touch_both"
	case c.Kind == kinds.Displaced && c.Side == legal.NoSide:
		return "reason.displaced_by_nobody"
	case c.Kind == kinds.OutOfTurn && c.Side == legal.NoSide:
		return "reason.out_of_turn_by_nobody"
	}
	return c.Kind.Row().Text
}

// emptied returns a case with only those of its squares that wrongly read empty.
func emptied(c *Case) *Case {
	if !c.Stands {
		return c
	}
	var r Case
	for _, sq := range c.Squares {
		if c.At[sq&63] == legal.NoPiece && c.After.PieceAt(sq) != legal.NoPiece {
			r.Squares = append(r.Squares, sq)
		}
	}
	return &r
}

// onSquares names the squares of a case.
func onSquares(c *Case) string {
	if len(c.Squares) == 0 || len(c.Squares) > 8 {
		return ""
	}
	names := make([]string, len(c.Squares))
	for i, sq := range c.Squares {
		names[i] = sq.String()
	}
	return ": " + strings.Join(names, ", ")
}
