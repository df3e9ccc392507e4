package offence

import (
	"math/bits"
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file holds what the checks share: reading a view, and building a shape.

// The confidence of each level of proof, in permille. The values are an order for sorting; they were not measured.
const (
	certainPermille = 990
	StrongPermille  = 900
	HintPermille    = 500
)

// Mover is the side that has the move in the view.
func (v *View) Mover() legal.Side { return v.Pos.Turn() }

// A transfer is one piece that is on another square than before.
type transfer struct {
	From, To      legal.Square
	Piece, Victim legal.Piece // Victim is the piece that was on To
}

func (t transfer) squares() uint64 { return 1<<t.From | 1<<t.To }

// Neighbouring reports whether the piece has gone no further than a push moves it.
func (t transfer) Neighbouring() bool { return play.Near(t.From, t.To) }

// OneTransfer returns the transfer that is the whole difference between a and b, if there is one.
func OneTransfer(a, b *legal.Placement) (t transfer, ok bool) {
	diff := play.Difference(a, b)
	if play.Count(diff) != 2 {
		return transfer{}, false
	}
	from, to := legal.Square(bits.TrailingZeros64(diff)), legal.Square(63-bits.LeadingZeros64(diff))
	if b[from] != legal.NoPiece {
		from, to = to, from
	}
	if b[from] != legal.NoPiece || a[from] == legal.NoPiece || b[to] != a[from] {
		return transfer{}, false
	}
	return transfer{From: from, To: to, Piece: a[from], Victim: a[to]}, true
}

// UCI writes a transfer in the form that the legality core reads.
func UCI(from, to legal.Square, promo legal.Kind) string {
	s := from.String() + to.String()
	if promo != legal.NoKind {
		s += string(rune(promo.Letter() | 0x20))
	}
	return s
}

// ShapeOf begins a shape of the side to move, about the board at the press.
func (v *View) ShapeOf(kind kinds.Kind, proof rules.Proof, set uint64) Shape {
	s := Shape{
		Kind: kind, Proof: proof, Side: v.Mover(), Squares: set, Board: v.At,
		Permille: certainPermille,
	}
	if row := kind.Row(); row.Transfer {
		s.Articles = row.FIDE // how the piece moves; the docket adds the articles about the consequences
	}
	switch proof {
	case rules.Strong:
		s.Permille = StrongPermille
	case rules.Hint:
		s.Permille = HintPermille
	}
	return s
}

// illegalShape makes a shape of an illegal verdict; it returns false where the move is legal or the verdict is in
// doubt.
func (v *View) illegalShape(verdict *legal.Verdict, uci string, set uint64) (Shape, bool) {
	if verdict.Legal || verdict.Doubt || !verdict.Kind.Illegal() {
		return Shape{}, false
	}
	s := v.ShapeOf(verdict.Kind, rules.Certain, set)
	s.UCI, s.Articles, s.Reason = uci, verdict.Articles, verdict.Reason
	s.After, s.Stands = v.made(&v.At)
	return s, true
}

// made returns the position in which the mover's turn has left these pieces, whatever was done; it returns false where
// they make no position (a king is missing, or there is one too many).
func (v *View) made(pieces *legal.Placement) (legal.Setup, bool) {
	s := v.Pos.Setup()
	s.Castling = play.KeptRights(&s, pieces)
	s.Placement = *pieces
	s.EnPassant = v.passedSquare(pieces)
	s.HalfMoves++
	if zeroing(&v.Base, pieces) {
		s.HalfMoves = 0
	}
	if s.Turn == legal.Black {
		s.FullMoves++
	}
	s.Turn = s.Turn.Other()
	_, err := s.Standing()
	return s, err == nil
}

// passedSquare returns the square that a pawn's double step has just passed over, for a move that was wrong only for
// what it did to the king. The opponent may answer it en passant, and that capture must not be reported as too late.
func (v *View) passedSquare(pieces *legal.Placement) legal.Square {
	t, ok := OneTransfer(&v.Base, pieces)
	s := v.Mover()
	if !ok || t.Piece != legal.PieceOf(s, legal.Pawn) || t.From.File() != t.To.File() || t.To.Rank()-t.From.Rank() != 2*play.Ahead(s) {
		return legal.NoSquare
	}
	passed := (t.From + t.To) / 2
	if _, before := play.LastRank(s.Other()); t.From.Rank() != before || v.Base[passed] != legal.NoPiece || t.Victim != legal.NoPiece {
		return legal.NoSquare
	}
	return passed
}

// zeroing reports whether a capture or a pawn move lies between two placements (FIDE Laws 9.3).
func zeroing(a, b *legal.Placement) bool {
	pieces := 0
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if a[i].Kind() == legal.Pawn || b[i].Kind() == legal.Pawn {
			return true
		}
		if a[i] != legal.NoPiece {
			pieces++
		}
		if b[i] != legal.NoPiece {
			pieces--
		}
	}
	return pieces != 0
}

// Played returns the position after a legal move, as a set-up.
func (v *View) Played(m legal.Move) legal.Setup {
	after := v.Pos.After(m)
	return after.Setup()
}

// doneLater returns the legal move that the board showed in full while the press was pending. Pieces that came from
// nowhere are ignored: a captured piece may be read on another square before its own square reads empty.
func (v *View) doneLater() (m legal.Move, ok bool) {
	board := v.At
	for i := range v.Later {
		c := &v.Later[i]
		if next := placementWith(board, c); play.Surplus(&v.Base, &next)>>c.Square&1 != 0 {
			continue
		}
		board[c.Square] = c.Is
		if m, ok := play.OnePly(v.Pos, &board); ok {
			return m, true
		}
	}
	return 0, false
}

func placementWith(p legal.Placement, c *evidence.Change) legal.Placement {
	p[c.Square] = c.Is
	return p
}

// finishedLate returns the shape of a move that was begun before the press and finished after it (FIDE Laws 6.2.1). It
// returns false where nothing proves that, and where the move was not finished at all.
func (v *View) finishedLate() (Shape, bool) {
	m, ok := v.doneLater()
	if !ok {
		return Shape{}, false
	}
	c := v.Early(m)
	if c == nil {
		return Shape{}, false
	}
	return v.EarlyShape(m, c), true
}

// shown returns the longest time for which the board was as pieces has it, in microseconds; -1 where it was never
// reported so. The board of the press counts as staying for ever.
func (v *View) shown(pieces *legal.Placement) int64 { return v.shownFrom(0, pieces) }

// shownFrom is shown from the n-th change on.
func (v *View) shownFrom(n int, pieces *legal.Placement) int64 {
	longest := int64(-1)
	board := v.Origin
	if board == *pieces && n == 0 {
		longest = 0
	}
	for i := range v.Changes {
		board[v.Changes[i].Square] = v.Changes[i].Is
		if i >= n && board == *pieces {
			longest = max(longest, v.stood(i))
		}
	}
	return longest
}

// stood returns how long the board stayed as the i-th change left it.
func (v *View) stood(i int) int64 {
	if i+1 >= len(v.Changes) {
		return 1 << 62
	}
	return v.Changes[i+1].Window.Hi - v.Changes[i].Window.Hi
}

// Lifted returns the latest change that emptied the square, or nil if none was reported.
func (v *View) Lifted(sq legal.Square) *evidence.Change { return v.Latest(sq, legal.NoPiece) }

// Latest returns the latest change that put the given piece on the square, or nil if none was reported.
func (v *View) Latest(sq legal.Square, is legal.Piece) *evidence.Change {
	for i := len(v.Changes) - 1; i >= 0; i-- {
		if c := &v.Changes[i]; c.Square == sq && c.Is == is {
			return c
		}
	}
	return nil
}

// InTurnOf reports whether a change was reported between the press before this turn and the press at the given time.
func (v *View) InTurnOf(c *evidence.Change, press int64) bool {
	return c != nil && !c.FromDump && !c.UnknownCode && c.Window.Hi > v.Since && c.Window.Hi <= press
}

// QuietAfter returns how long surely nothing changed after change i.
func (v *View) QuietAfter(i int) int64 {
	if i+1 < len(v.Changes) {
		return evidence.Between(&v.Changes[i], &v.Changes[i+1])
	}
	return v.Now - v.Changes[i].Window.Hi
}

// InAir reports whether a piece of the side that was on the board is read nowhere.
func (v *View) InAir(s legal.Side) bool {
	base := v.Pos.Placement()
	return play.BySide(&v.At)[s] < play.BySide(&base)[s]
}

// AllThere reports whether every piece is read somewhere: the player has no fewer than before, and the opponent at most
// one fewer, which was captured. Extra pieces count where a dump has shown them; otherwise the report of a lift may be
// lost.
func (v *View) AllThere(s legal.Side, dumped bool) bool {
	was, is := play.BySide(&v.Base), play.BySide(&v.At)
	o := s.Other()
	return is[s] >= was[s] && is[o] >= was[o]-1 && (dumped || is[s] == was[s] && is[o] <= was[o])
}

// BegunAfter reports whether the board shows depth legal plies and then a turn begun. The turn must not have begun
// before the last of them was made.
func (v *View) BegunAfter(depth int) bool {
	return slices.ContainsFunc(play.PliesThenBegun(v.Pos, &v.At, depth, maxBegun), func(row []legal.Move) bool {
		before := play.After(*v.Pos, row[:depth-1])
		end := play.After(before, row[depth-1:])
		was, is := before.Placement(), end.Placement()
		last, begun := play.Difference(&was, &is), play.Difference(&is, &v.At)
		for i := len(v.Changes) - 1; i >= 0; i-- {
			switch sq := uint64(1) << v.Changes[i].Square; {
			case begun&sq != 0:
				return true
			case last&sq != 0:
				return false
			}
		}
		return true
	})
}

// maxBegun is the number of rows that are tried, after each of which a turn may have begun.
const maxBegun = 16

// Differing names the squares that differ, with the piece expected on each and the piece read there.
func (v *View) Differing() words.Sentence {
	var list []words.Sentence
	for set := v.Diff; set != 0; set &= set - 1 {
		sq := legal.Square(bits.TrailingZeros64(set))
		list = append(list, words.Say("why.square", sq, pieceOn(v.At[sq]), pieceOn(v.Base[sq])))
	}
	return words.List(", ", list)
}

func pieceOn(p legal.Piece) words.Sentence {
	if p == legal.NoPiece {
		return words.Say("stands.nothing")
	}
	return words.Say("stands."+p.Side().String(), p.Kind())
}
