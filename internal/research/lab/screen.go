package lab

import (
	"fmt"
	"strings"

	"boardwatchd/rules/legal"
)

// A Screen is what the operator is to see, in words. How it is shown (large, in colours, or as lines in a pipe) is the
// caller's business.
type Screen struct {
	Phase    Phase
	Block    int // from 1
	Blocks   int
	What     What
	Card     string // its number
	Number   int    // how many cards of the block were seen to, this one included
	Of       int
	Minutes  int      // left, about
	Who      string   // "A plays, B puts back"
	Headline string   // the most important words: one hand or two, style, speed
	Text     []string // what to do, in short lines
	Diagram  []string // the board, where pieces are to be put up; from White's side
	Wrong    string   // what was not right; empty: nothing
	Keys     string
}

// Screen describes the present moment.
func (s *Session) Screen(now int64) Screen {
	out := Screen{Phase: s.phase, Block: s.block + 1, Blocks: s.blocks, Wrong: s.wrong, Minutes: s.minutes(now)}
	if s.phase != Ended {
		b := s.protocol.Blocks[s.block]
		out.What, out.Of = b.What, len(s.cards)
		out.Number = min(out.Of-len(s.todo)+1, out.Of)
		out.Who = s.Performer() + " plays, " + s.Resetter() + " puts back"
	}
	switch s.phase {
	case Setting:
		s.setting(&out)
	case Marking:
		out.Headline = "SYNC MARK"
		out.Text = []string{"The camera runs? Press the clock's lever and tap the table with the other hand, at the same moment.", "Then Enter."}
		out.Keys = "Enter done   s without a film   q stop"
	case Doing:
		c := s.cards[s.todo[0]]
		out.Card = c.ID
		out.Headline, out.Text = c.words(s.now)
		out.Keys = "Enter done   r repeat   s skip   p pause   q stop"
	case Clearing:
		out.Headline = "PUT BACK"
		out.Text = missing(s.board, s.want)
		out.Keys = "r repeat the last card   s skip   p pause   q stop"
	case Resting:
		out.Headline, out.Text, out.Keys = "PAUSE", []string{"Any key goes on."}, "any key goes on   q stop"
	case Ended:
		out.Headline = "STOPPED"
		out.Text = []string{fmt.Sprintf("%d of %d cards. The same command with the same --out goes on from here.", len(s.finished), s.protocol.Cards())}
		if s.Complete() {
			out.Headline, out.Text = "THAT WAS ALL", []string{fmt.Sprintf("%d cards. Thank you!", len(s.finished))}
		}
	}
	return out
}

func (s *Session) setting(out *Screen) {
	out.Headline = "SET UP"
	out.Text = []string{pieces(s.want)}
	if extra := beside(s.lanes); extra != "" {
		out.Text = append(out.Text, "Beside the board: "+extra+".")
	}
	switch {
	case !s.known:
		out.Wrong = "The board has not been read yet."
	case s.board != s.want:
		out.Text = append(out.Text, missing(s.board, s.want)...)
	}
	out.Diagram = diagram(s.want)
	out.Keys = "it goes on by itself when the pieces stand   p pause   q stop"
}

// words of a card.
func (c Card) words(l lane) (headline string, text []string) {
	hands := ""
	if c.What.Kind() != 0 {
		hands = "ONE HAND · "
		if c.Two() {
			hands = "TWO HANDS · "
		}
	}
	headline = hands + strings.ToUpper(c.Style+" · "+tempoWords[c.Tempo])
	text = []string{l.move()}
	if how := styleWords[c.What][c.Style]; how != "" {
		text = append(text, how)
	}
	return headline, text
}

var tempoWords = map[Tempo]string{Relaxed: "relaxed", Fast: "fast", Max: "as fast as you can"}

// styleWords say how it is done. Timing notes, 2.2 and 3.1.
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
		"knock":      "Knock the captured piece over with yours, then put it away.",
		"together":   "One hand takes the captured piece away, the other one moves: both at the same time.",
		"ahead":      "Take the captured piece away with the other hand, a little before the first one moves.",
		"first":      "Take the captured piece away with the other hand while the first one is reaching.",
		"late":       "Bring your piece, let it wait above the square; the other hand clears the square first.",
		"sequential": "Take the captured piece away with one hand; then move with the other.",
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

// move says which pieces go where.
func (l lane) move() string {
	switch {
	case l.off:
		return fmt.Sprintf("%s to %s.", name(l.mover), l.to)
	case l.rookFrom < legal.NoSquare:
		return fmt.Sprintf("%s castles: king %s to %s, rook %s to %s.", l.mover.Side().Name(), l.from, l.to, l.rookFrom, l.rookTo)
	case l.put != l.mover && l.victim < legal.NoSquare:
		return fmt.Sprintf("%s %s takes %s %s and becomes a %s.", name(l.mover), l.from, plain(l.taken), l.to, plain(l.put))
	case l.put != l.mover:
		return fmt.Sprintf("%s %s to %s, and becomes a %s.", name(l.mover), l.from, l.to, plain(l.put))
	case l.victim < legal.NoSquare:
		return fmt.Sprintf("%s %s takes %s %s.", name(l.mover), l.from, plain(l.taken), l.to)
	}
	return fmt.Sprintf("%s %s to %s.", name(l.mover), l.from, l.to)
}

var kindWords = [...]string{"piece", "pawn", "knight", "bishop", "rook", "queen", "king"}

func plain(p legal.Piece) string { return kindWords[min(int(p.Kind()), len(kindWords)-1)] }

func name(p legal.Piece) string { return p.Side().Name() + "'s " + plain(p) }

// pieces lists a board.
func pieces(t legal.Placement) string {
	var side [2][]string
	for sq, p := range t {
		if p != legal.NoPiece {
			n := 0
			if p.Side() == legal.Black {
				n = 1
			}
			side[n] = append(side[n], plain(p)+" "+legal.Square(sq).String())
		}
	}
	var text []string
	for n, list := range side {
		if len(list) > 0 {
			text = append(text, [...]string{"White: ", "Black: "}[n]+strings.Join(list, ", "))
		}
	}
	if len(text) == 0 {
		return "The board is empty."
	}
	return strings.Join(text, ". ") + ". Nothing else."
}

// beside lists what must be at hand beside the board.
func beside(lanes []lane) string {
	var list []string
	seen := map[legal.Piece]bool{}
	for _, l := range lanes {
		p := legal.NoPiece
		switch {
		case l.off:
			p = l.mover
		case l.put != l.mover:
			p = l.put
		}
		if p != legal.NoPiece && !seen[p] {
			seen[p] = true
			list = append(list, name(p))
		}
	}
	return strings.Join(list, ", ")
}

// missing says what to put and what to take away.
func missing(is, want legal.Placement) (lines []string) {
	for sq := range legal.Square(64) {
		switch {
		case is[sq] == want[sq]:
		case want[sq] == legal.NoPiece:
			lines = append(lines, fmt.Sprintf("%s: take away what stands there (%s).", sq, name(is[sq])))
		default:
			lines = append(lines, fmt.Sprintf("%s: %s.", sq, name(want[sq])))
		}
	}
	const most = 8
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("… and %d more squares.", len(lines)-most))
	}
	return lines
}

// difference is missing in one line, for the journal.
func difference(is, want legal.Placement) string {
	return strings.TrimSuffix(strings.Join(missing(is, want), " "), ".")
}

func diagram(t legal.Placement) (rows []string) {
	for rank := 7; rank >= 0; rank-- {
		row := fmt.Sprintf("%d ", rank+1)
		for file := range 8 {
			letter := "·"
			if p := t[legal.SquareOf(file, rank)]; p != legal.NoPiece {
				letter = p.String()
			}
			row += " " + letter
		}
		rows = append(rows, row)
	}
	return append(rows, "   a b c d e f g h", "   capitals are White's")
}
