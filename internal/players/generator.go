package players

import (
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// GeneratorOptions shape generated games.
type GeneratorOptions struct {
	MinPlies, MaxPlies int     // 0: 20 and 150; a finished game is shorter
	Chess960           bool    // every game begins from a start position of its own
	StartNumber        int     // with Chess960: this one, 1-based (number + 1); 0 draws
	End                End     // EndUnset draws one
	Chooser            Chooser // nil draws moves at random, so that every kind of move occurs
}

// A Chooser plays like a person, for games that people watch.
type Chooser interface {
	Choose(r *random.Source, h *legal.History) legal.Move
	// Balance returns the advantage of the side to move, in hundredths of a pawn.
	Balance(pos *legal.Position) int
}

// Limits at which a chooser's games end.
const (
	resignAfter = 50  // plies
	resignAt    = 800 // hundredths of a pawn, or more
	clearlyWon  = 250 // at the point where a game is cut short
)

// Weights of the draw. Random play rarely castles or promotes, and these games must contain every kind of move.
const (
	weightQuiet     = 16
	weightCapture   = 30
	weightPromotion = 160
	weightCastling  = 500
	weightEnPassant = 300
	weightKing      = 4 // a quiet king's move
	weightRook      = 8 // a quiet rook's move
	underPromotion  = 200
)

// generate plays a random legal game.
func generate(r *random.Source, o GeneratorOptions, m mood) game {
	if o.MinPlies <= 0 {
		o.MinPlies = 20
	}
	if o.MaxPlies < o.MinPlies {
		o.MaxPlies = max(150, o.MinPlies)
	}
	number := 518
	if drawn := int(r.Below(960)); o.Chess960 {
		number = drawn
		if o.StartNumber > 0 {
			number = o.StartNumber - 1
		}
	}
	g := game{start: legal.StartSetup(number), end: o.End, mood: m}
	if o.Chess960 {
		g.start.Chess960 = true
	}
	pos, err := g.start.Position()
	if err != nil {
		return g
	}
	g.first = pos
	length := int(r.Between(int64(o.MinPlies), int64(o.MaxPlies)))
	last := g.extend(r, pos, length, m)
	g.finish(r, &last)
	return g
}

// extend continues from a position until the game has this length or is over, and returns the last position.
func (g *game) extend(r *random.Source, pos legal.Position, length int, in mood) legal.Position {
	h := legal.NewHistory(pos)
	var list legal.MoveList
	for len(g.moves) < length && !over(h) {
		var m legal.Move
		if in.chooser != nil {
			if len(g.moves) > resignAfter && in.chooser.Balance(h.Position()) < -resignAt {
				break // resignation
			}
			m = in.chooser.Choose(r, h)
		} else {
			h.Position().Moves(&list)
			m = draw(r, h.Position(), &list, in)
		}
		g.add(h.Position(), m)
		h.Push(m)
	}
	return *h.Position()
}

// over reports whether a game ends by itself here: by mate, stalemate, an obviously dead position, five repetitions or
// 75 moves. FIDE Laws 5.1.1, 5.2.1, 5.2.2, 9.6.1, 9.6.2.
func over(h *legal.History) bool {
	pos := h.Position()
	if h.Outcome() != legal.Ongoing {
		return true
	}
	pieces, minor := 0, 0
	placement := pos.Placement()
	for _, p := range placement {
		if p != legal.NoPiece {
			pieces++
		}
		if k := p.Kind(); k == legal.Knight || k == legal.Bishop {
			minor++
		}
	}
	return pieces == 2 || pieces == 3 && minor == 1
}

// draw picks a legal move by weight.
func draw(r *random.Source, pos *legal.Position, list *legal.MoveList, in mood) legal.Move {
	var sum int64
	for _, m := range list.Slice() {
		sum += in.weigh(pos, m)
	}
	at := r.Below(sum)
	for _, m := range list.Slice() {
		if at -= in.weigh(pos, m); at < 0 {
			return m
		}
	}
	return list.At(0)
}

func weigh(pos *legal.Position, m legal.Move) int64 {
	switch {
	case m.IsCastling():
		return weightCastling
	case m.IsEnPassant():
		return weightEnPassant
	case m.Promotion() == legal.Queen:
		return weightPromotion
	case m.Promotion() != legal.NoKind:
		return weightPromotion * underPromotion / 1000
	case m.Captured() != legal.NoKind:
		return weightCapture
	}
	switch pos.PieceAt(m.From()).Kind() {
	case legal.King:
		return weightKing
	case legal.Rook:
		return weightRook
	}
	return weightQuiet
}

// finish chooses the end of the game.
func (g *game) finish(r *random.Source, last *legal.Position) {
	results := [...]string{"1-0", "0-1", "1/2-1/2"}
	g.result = results[r.Below(3)]
	way := r.Below(100)
	switch {
	case g.end != EndUnset:
	case way < 60:
		g.end = EndKings
	case way < 85:
		g.end = EndStop
	default:
		g.end = EndFlag
	}
	g.silentMate = r.Permille(500)
	if c := g.mood.chooser; c != nil {
		g.result = "1/2-1/2"
		if b := c.Balance(last); b > clearlyWon {
			g.result = winner(last.Turn())
		} else if b < -clearlyWon {
			g.result = winner(last.Turn().Other())
		}
	}
	switch last.Outcome() {
	case legal.Checkmate:
		g.result = winner(last.Turn().Other())
	case legal.Ongoing:
		if g.end == EndFlag {
			g.result = winner(last.Turn().Other())
		}
		return
	default:
		g.result = "1/2-1/2"
	}
	if g.end == EndFlag { // the game is over: the time cannot run out
		g.end = EndStop
	}
}

func winner(s legal.Side) string {
	if s == legal.White {
		return "1-0"
	}
	return "0-1"
}
