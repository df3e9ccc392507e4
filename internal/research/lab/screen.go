package lab

import (
	"fmt"
	"strings"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// Screen returns the operator's display: the place in the protocol, the most important words, the task, the keys.
func (s *Session) Screen() []string {
	if s.over {
		return []string{fmt.Sprintf("%d of %d cards.", len(s.finished), s.protocol.Cards()), "THAT WAS ALL", "The same command with the same --out goes on with what is left."}
	}
	minutes := 0.0
	for _, b := range s.protocol.Blocks[s.block:] {
		minutes += b.Minutes
	}
	head := fmt.Sprintf("Block %d of %d: %s, %d cards, about %.0f min left. %s plays.", s.block+1, len(s.protocol.Blocks), s.protocol.Blocks[s.block].What, len(s.todo), minutes, s.performer())
	if s.setting {
		return []string{head, "SET UP", pieces(setUp(s.lanes)), "Then run the camera, press the clock's lever and tap the table at the same moment.", "Enter go on   q stop"}
	}
	c := s.todo[0]
	hand := map[bool]string{false: "ONE HAND · ", true: "TWO HANDS · "}[c.Two()]
	if c.What.Kind() == hands.NoKind {
		hand = ""
	}
	tempo := map[Tempo]string{Relaxed: "relaxed", Fast: "fast", Max: "as fast as you can"}[c.Tempo]
	back := map[bool]string{false: "Then put the pieces back.", true: "There it stays."}[c.lane.back]
	return []string{
		head + " Card " + c.ID, hand + strings.ToUpper(c.Style+" · "+tempo), c.lane.move(), styleWords[c.What][c.Style],
		back, "Enter done   r the last one was not as asked   s skip   q stop",
	}
}

// styleWords describe the styles. Timing notes, 2.2 and 3.1.
var styleWords = map[What]map[string]string{
	Plain: {"plain": "One move, as in a game."},
	Drop:  {"drop": "Drop it from a hand's breadth with one hand, and hit the lever with the other, at the same moment. Then take it off again."},
	Slide: {"slide": "Do not lift it: push it along over the squares."},
	Capture: {
		"swap":       "Carry your piece there, take the other one with the same fingers, put yours down.",
		"push":       "Push the other piece off its square with yours.",
		"hold first": "Take the captured piece first, keep it in your hand, then move with the same hand.",
		"put aside":  "Take the captured piece first, put it beside the board, then move.",
		"scoop":      "Grab both pieces with one hand in one go, as fast as you can.",
		"together":   "One hand takes the captured piece away, the other one moves: both at the same time.",
		"ahead":      "Take the captured piece away with the other hand, a little before the first one moves.",
		"first":      "Take the captured piece away with the other hand while the first one is reaching.",
		"late":       "Bring your piece, let it wait above the square; the other hand clears the square first.",
	},
	Castling: {
		"king then rook":   "The king first; then the rook with the same hand.",
		"both in one hand": "King and rook in the same hand, both at once.",
		"together":         "The king with one hand and the rook with the other, at the same time.",
		"staggered":        "The king with one hand; the other one takes the rook while you let go of the king.",
	},
	Promotion: {
		"swap on the eighth": "The pawn to the last rank; then take the queen and swap them, with the same hand.",
		"pawn off":           "The pawn goes off the board at once; the same hand fetches the queen and puts it there.",
		"queen pre-held":     "The queen is in your hand already, and the same hand moves the pawn.",
		"queen ready":        "The other hand holds the queen ready and puts it down at once.",
		"other hand fetches": "The other hand fetches the queen while you move the pawn.",
	},
	Press: {
		"same hand":   "Then press the lever with the same hand.",
		"other hand":  "Press the lever with the other hand.",
		"early press": "Press the lever with the other hand before the piece stands.",
	},
}

// move describes the pieces and their squares.
func (l lane) move() string {
	if l.RookFrom < legal.NoSquare {
		return fmt.Sprintf("%s castles: king %s to %s, rook %s to %s.", l.Mover.Side().Name(), l.From, l.To, l.RookFrom, l.RookTo)
	}
	text := name(l.Mover)
	if l.From < legal.NoSquare {
		text += " " + l.From.String()
	}
	if l.Victim < legal.NoSquare {
		text += " takes " + l.Taken.Kind().String()
	} else {
		text += " to"
	}
	text += " " + l.To.String()
	if l.Put != l.Mover {
		text += " and becomes a " + l.Put.Kind().String()
	}
	return text + "."
}

func name(p legal.Piece) string { return p.Side().Name() + "'s " + p.Kind().String() }

// pieces lists a board.
func pieces(t legal.Placement) string {
	var list []string
	for sq, p := range t {
		if p != legal.NoPiece {
			list = append(list, name(p)+" "+legal.Square(sq).String())
		}
	}
	return strings.Join(list, ", ") + ". Nothing else."
}
