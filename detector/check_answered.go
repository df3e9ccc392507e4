package detector

import "boardwatchd/rules/legal"

// The opponent answers before the press, or before its report: up to a second. What the press shows is then an offence
// and the reply to it, whole or begun. The board as it stood between the two is looked for; it must have stood still,
// or be the only one that explains what stands now.
//
// Innocent look-alikes: a legal move and its reply; a piece that was put on an illegal square on its way, and is not
// there now.

func seeAnswered(v *view) (shape, bool) {
	var found []middle
	board := v.origin
	for i := 0; i+1 < len(v.changes); i++ {
		board[v.changes[i].sq] = v.changes[i].is
		if !v.repliedOver(&board) {
			continue
		}
		k := 0
		for k < len(found) && found[k].board != board {
			k++
		}
		if k == len(found) {
			if k == maxBetween {
				return shape{}, false // a board that flickers so shows nothing
			}
			b := middle{board: board}
			b.shape, b.ok = v.offenceThen(board, i)
			found = append(found, b)
		}
		found[k].stood = max(found[k].stood, v.stood(i))
	}
	return v.oneOffence(found)
}

// maxBetween bounds the boards between move and reply that are looked at: each costs up to 0.1 ms.
const maxBetween = 32

// A middle is a board that stood between a move and the reply to it.
type middle struct {
	board legal.Placement
	stood int64
	shape shape
	ok    bool
}

// oneOffence returns what the boards show, if they agree. A whole reply goes before one that has only begun, and of
// those the one with the least in the opponent's hand.
func (v *view) oneOffence(found []middle) (best shape, ok bool) {
	whole, least := false, 64
	for i := range found {
		if found[i].ok {
			whole = whole || found[i].shape.answered
			least = min(least, squares(difference(&found[i].shape.board, &v.at)))
		}
	}
	longest := int64(-1)
	for i := range found {
		b := &found[i]
		if !b.ok || whole != b.shape.answered || !whole && squares(difference(&b.shape.board, &v.at)) > least {
			continue
		}
		if longest >= 0 && !b.shape.sameAs(&best) {
			return shape{}, false
		}
		if b.stood > longest {
			best, longest = b.shape, b.stood
		}
	}
	if longest < stillUS && best.squares&difference(&best.board, &v.at) != 0 {
		return shape{}, false // the reply took the piece that had just come: it may have been on its way only
	}
	return best, longest >= 0
}

func (s *shape) sameAs(o *shape) bool {
	return s.kind == o.kind && s.uci == o.uci && s.reply == o.reply
}

// repliedOver says that from this board to the one at the press only the opponent's turn can lie.
func (v *view) repliedOver(board *legal.Placement) bool {
	diff := difference(board, &v.at)
	if n := squares(diff); n == 0 || n > 4 {
		return false
	}
	for ; diff != 0; diff &= diff - 1 {
		sq := lowest(diff)
		if v.at[sq].Side() == v.mover() {
			return false
		}
	}
	return true
}

// offenceThen says what the board showed after the i-th change, if that is an offence and the rest is the reply to it.
func (v *view) offenceThen(board legal.Placement, i int) (shape, bool) {
	w := *v
	w.at, w.changes, w.later, w.final = board, v.changes[:i+1], nil, true
	if !w.prepare() {
		return shape{}, false
	}
	for _, c := range offences {
		s, ok := c.see(&w)
		if !ok {
			continue
		}
		if !s.kind.Illegal() {
			return shape{}, false
		}
		return v.answeredBy(s, &v.at)
	}
	return shape{}, false
}

// answeredBy adds the reply, which is played to the board as it stood: a pawn that was not exchanged is still a pawn.
func (v *view) answeredBy(s shape, at *legal.Placement) (shape, bool) {
	setup, ok := v.made(&s.board)
	if !ok {
		return shape{}, false
	}
	pos, err := setup.Standing()
	if err != nil {
		return shape{}, false
	}
	if s.reply, s.answered = onePly(&pos, at); s.answered {
		return s, true
	}
	for diff := difference(&s.board, at); diff != 0; diff &= diff - 1 {
		sq := lowest(diff)
		if at[sq] != legal.NoPiece || s.board[sq].Side() != s.side && s.squares>>sq&1 == 0 {
			continue
		}
		// The mover's own hand may be at work yet, as on a pawn taken en passant; or the reply has begun with its
		// victim.
		if s.squares>>sq&1 != 0 || !v.final || !takes(&pos, legal.Square(sq)) {
			return shape{}, false
		}
	}
	return s, inProgress(&s.board, at, pos.Turn())
}
