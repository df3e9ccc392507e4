package rules

import (
	"strings"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// reason is a sentence that an arbiter can read out: the finder's own, that of the legality core for a move that is not
// legal, or one by kind.
func (s *sheet) reason() string {
	c := &s.m.c
	if c.Reason != "" {
		return c.Reason
	}
	if v := s.m.verdict(); v.Reason != "" {
		return v.Reason
	}
	text := reasonOf(c)
	if text == "" {
		return string(c.Kind) + "."
	}
	squares := onSquares(c)
	if c.Kind == kinds.Unreadable {
		squares = onSquares(emptied(c))
	}
	return strings.NewReplacer("{side}", upperFirst(name(c.Side)), "{squares}", squares, "{note}", c.Note).Replace(text)
}

// reasonOf is the sentence of a kind, or the one that fits the case better.
func reasonOf(c *Case) string {
	switch theirs, own := touchedFirst(c); {
	case c.Kind == kinds.IllegalTwoHands && c.Proof != Reported:
		return "{side}'s pieces were in the air together; that may have been two hands."
	case c.Kind == kinds.TouchMove && theirs && !own:
		return "{side} has lifted one of the opponent's pieces, put it back and made a move that does not capture it."
	case c.Kind == kinds.TouchMove && theirs:
		return "{side} has lifted an own piece and one of the opponent's, put them back and made another move."
	case c.Kind == kinds.Displaced && c.Side == legal.NoSide:
		return "A piece was displaced when the clock was pressed{squares}. In whose turn is not known."
	}
	return c.Kind.Row().Reason
}

// emptied keeps of a case's squares those that read empty and should not.
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
