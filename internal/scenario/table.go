package scenario

import (
	"fmt"
	"slices"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/rules/legal"
)

// stepUS is the time between two steps of one line: of an ordinary move, or of an arbiter who puts pieces back. It is
// longer than a scan of a real board, so that their order can be seen.
const stepUS = 300_000

// held is a piece in a hand.
type held struct {
	piece legal.Piece
	actor Actor
	hand  Hand
}

// table holds the actual pieces on the table, and those in hands.
type table struct {
	place legal.Placement
	blind [64]bool // the board does not detect the piece there
	held  []held
}

func (t *table) take(h held) { t.held = append(t.held, h) }

// release takes a piece of the named kind, or any for NoPiece, out of a hand: out of the actor's given hand, otherwise
// out of the actor's other hand, otherwise out of anybody's. It returns NoPiece if no hand holds one.
func (t *table) release(piece legal.Piece, actor Actor, hand Hand) legal.Piece {
	for _, same := range [...]func(h held) bool{
		func(h held) bool { return h.actor == actor && (hand == 0 || h.hand == hand || h.hand == 0) },
		func(h held) bool { return h.actor == actor },
		func(held) bool { return true },
	} {
		for i := len(t.held) - 1; i >= 0; i-- {
			h := t.held[i]
			if same(h) && (piece == legal.NoPiece || h.piece == piece) {
				t.held = slices.Delete(t.held, i, i+1)
				return h.piece
			}
		}
	}
	return legal.NoPiece
}

// sense reports the piece that the board's coil now has above it.
func (p *planner) sense(sq legal.Square, piece legal.Piece) {
	p.act(emulator.Act{Verb: emulator.Sense, Square: p.turn.square(sq), Piece: piece})
}

func (p *planner) lift(sq legal.Square, actor Actor, hand Hand) {
	piece := p.table.place[sq]
	if piece == legal.NoPiece {
		p.fail("nothing stands on %s", sq)
		return
	}
	p.table.take(held{piece, actor, hand})
	p.table.place[sq], p.table.blind[sq] = legal.NoPiece, false
	p.sense(sq, legal.NoPiece)
}

func (p *planner) put(a *Act) {
	piece := p.table.release(a.Piece, a.Actor, a.Hand)
	if a.Piece != legal.NoPiece {
		piece = a.Piece // from beside the board, if it is not in a hand
	}
	if piece == legal.NoPiece {
		p.fail("%c holds nothing; name the piece, or lift it first", a.Actor)
		return
	}
	p.set(a.Square, piece, a.Reading != Readable)
}

func (p *planner) set(sq legal.Square, piece legal.Piece, blind bool) {
	p.table.place[sq], p.table.blind[sq] = piece, blind
	if blind {
		piece = legal.NoPiece
	}
	p.sense(sq, piece)
}

// drop puts a piece beside the board; a piece that is not in a hand was there before.
func (p *planner) drop(a *Act) {
	if p.table.release(a.Piece, a.Actor, a.Hand) == legal.NoPiece && a.Piece == legal.NoPiece {
		p.fail("%c holds nothing to put beside the board", a.Actor)
	}
}

func (p *planner) transfer(a *Act) {
	for i := len(p.table.held) - 1; i >= 0; i-- {
		if h := &p.table.held[i]; h.piece == a.Piece && h.actor == a.Actor {
			h.hand = a.ToHand
			return
		}
	}
	p.fail("%c does not hold %s", a.Actor, a.Piece)
}

func (p *planner) knock(sq legal.Square) {
	if p.table.place[sq] == legal.NoPiece {
		p.fail("nothing stands on %s", sq)
		return
	}
	p.table.blind[sq] = true
	p.sense(sq, legal.NoPiece)
}

func (p *planner) stand(sq legal.Square) {
	if p.table.place[sq] == legal.NoPiece || !p.table.blind[sq] {
		p.fail("nothing lies on %s", sq)
		return
	}
	p.set(sq, p.table.place[sq], false)
}

// slide pushes a piece; the coils on its way may detect it.
func (p *planner) slide(a *Act) {
	piece := p.table.place[a.Square]
	if piece == legal.NoPiece {
		p.fail("nothing stands on %s", a.Square)
		return
	}
	df, dr := a.To.File()-a.Square.File(), a.To.Rank()-a.Square.Rank()
	if a.Verb == Nudge && (df*df > 1 || dr*dr > 1) {
		p.fail("%s is no neighbour of %s; write slide for a longer way", a.To, a.Square)
		return
	}
	h := players.NewHands(p.now, p.turn.placement(p.table.place), players.Rapid, 1)
	h.Slide(p.turn.square(a.Square), p.turn.square(a.To))
	p.acts = append(p.acts, h.Take()...)
	p.now = h.Now
	p.table.place[a.Square], p.table.blind[a.Square] = legal.NoPiece, false
	p.table.place[a.To], p.table.blind[a.To] = piece, false
}

// move makes an ordinary move with one hand: the piece is lifted, a captured piece is removed, the piece is put down;
// castling begins with the king.
func (p *planner) move(uci string) {
	from, _ := legal.ParseSquare(uci[:2])
	to, _ := legal.ParseSquare(uci[2:4])
	piece := p.table.place[from]
	if piece == legal.NoPiece {
		p.fail("nothing stands on %s", from)
		return
	}
	put := piece
	if len(uci) == 5 {
		put, _ = pieceOf(uci[4:])
		put = legal.PieceOf(piece.Side(), put.Kind())
	}
	p.moves++
	if p.c.Hands != AsWritten {
		p.carry(from, to, put)
		return
	}
	if kingTo, rook, rookTo, ok := p.castling(piece, from, to); ok {
		p.castle(from, kingTo, rook, rookTo)
		return
	}
	p.remove(from)
	if victim := p.victim(piece, from, to); victim != legal.NoSquare {
		p.now += stepUS
		p.remove(victim)
	}
	p.now += stepUS
	p.set(to, put, false)
}

// castle moves the king and then the rook; a rook on the king's target is lifted before.
func (p *planner) castle(from, kingTo, rook, rookTo legal.Square) {
	king, own := p.table.place[from], p.table.place[rook]
	p.remove(from)
	p.now += stepUS
	if rook == kingTo {
		p.remove(rook)
		p.now += stepUS
	}
	p.set(kingTo, king, false)
	p.now += stepUS
	if rook != kingTo {
		p.remove(rook)
		p.now += stepUS
	}
	p.set(rookTo, own, false)
}

func (p *planner) remove(sq legal.Square) {
	p.table.place[sq], p.table.blind[sq] = legal.NoPiece, false
	p.sense(sq, legal.NoPiece)
}

// victim returns the square of the piece that a move captures, en passant included; NoSquare for none.
func (p *planner) victim(piece legal.Piece, from, to legal.Square) legal.Square {
	if p.table.place[to] != legal.NoPiece {
		return to
	}
	beside := legal.SquareOf(to.File(), from.Rank())
	if piece.Kind() == legal.Pawn && from.File() != to.File() && p.table.place[beside] == legal.PieceOf(piece.Side().Other(), legal.Pawn) {
		return beside
	}
	return legal.NoSquare
}

// castling recognises the king's step of two files beside a rook in the corner and, in Chess960 notation, the king that
// moves to its own rook's square.
func (p *planner) castling(piece legal.Piece, from, to legal.Square) (kingTo, rook, rookTo legal.Square, ok bool) {
	if piece.Kind() != legal.King || from.Rank() != to.Rank() {
		return 0, 0, 0, false
	}
	own := legal.PieceOf(piece.Side(), legal.Rook)
	rank, step := from.Rank(), to.File()-from.File()
	kingside := step > 0
	switch corner := map[bool]int{true: 7, false: 0}[kingside]; {
	case p.table.place[to] == own:
		rook = to
	case step*step == 4 && p.table.place[legal.SquareOf(corner, rank)] == own && p.table.place[to] == legal.NoPiece:
		rook = legal.SquareOf(corner, rank)
	default:
		return 0, 0, 0, false
	}
	if kingside {
		return legal.SquareOf(6, rank), rook, legal.SquareOf(5, rank), true
	}
	return legal.SquareOf(2, rank), rook, legal.SquareOf(3, rank), true
}

// arrange sets up a position, one piece at a time.
func (p *planner) arrange(want legal.Placement) {
	t := &p.table
	t.held = nil
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if t.place[sq] != legal.NoPiece && t.place[sq] == want[sq] && t.blind[sq] {
			p.set(sq, want[sq], false)
			p.now += stepUS
		}
		piece := t.place[sq]
		if piece == legal.NoPiece || piece == want[sq] {
			continue
		}
		p.remove(sq)
		p.now += stepUS
		if to := missing(piece, &t.place, &want); to != legal.NoSquare {
			p.set(to, piece, false)
			p.now += stepUS
		}
	}
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if want[sq] != t.place[sq] {
			p.set(sq, want[sq], false)
			p.now += stepUS
		}
	}
}

// missing returns an empty square on which that piece is wanted.
func missing(piece legal.Piece, have, want *legal.Placement) legal.Square {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if want[sq] == piece && have[sq] == legal.NoPiece {
			return sq
		}
	}
	return legal.NoSquare
}

// turn is the orientation of the board, in quarter turns, as seen from White's seat.
type turn uint8

const (
	straight    turn = iota
	quarter          // White's pieces are on the a- and b-files
	half             // on the seventh and eighth ranks
	threeFourth      // on the g- and h-files
)

// square returns the board's own name of the square that the players call sq.
func (t turn) square(sq legal.Square) legal.Square {
	f, r := sq.File(), sq.Rank()
	switch t {
	case quarter:
		return legal.SquareOf(r, 7-f)
	case half:
		return legal.SquareOf(7-f, 7-r)
	case threeFourth:
		return legal.SquareOf(7-r, f)
	}
	return sq
}

func (t turn) placement(p legal.Placement) (q legal.Placement) {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		q[t.square(sq)] = p[sq]
	}
	return q
}

func (t turn) table(p *table) (q table) {
	q.place = t.placement(p.place)
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		q.blind[t.square(sq)] = p.blind[sq]
	}
	return q
}

// String returns the stage direction for this orientation.
func (t turn) String() string {
	if int(t) < len(directions) && t > 0 {
		return "board shows the white pieces on " + directions[t]
	}
	return fmt.Sprintf("turn(%d)", uint8(t))
}

// directions are the words of `say` by which a case turns the board.
var directions = [...]string{straight: "", quarter: "the a- and b-files", half: "ranks 7 and 8", threeFourth: "the g- and h-files"}
