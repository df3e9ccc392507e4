package hint

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// rookFirst recognises FIDE Laws 4.4.2: the rook was touched and then the king. The proof is strong, not certain,
// because squares are seen in the order of the scan; in Chess960, where many people lift the rook first, it is a hint.
// Where the king's target is the rook's own square, the rook has to go first, and where a piece does not move there is
// no order.
func (t *turn) rookFirst() (offence.Shape, bool) {
	m := t.move
	if !m.IsCastling() || m.From() == m.To() || m.RookFrom() == m.RookTo() || m.To() == m.RookFrom() || !t.moves(m.RookFrom()) {
		return offence.Shape{}, false
	}
	king := left(t.changes, 0, m.From(), t.home[m.From()])
	rook := t.rookTouched()
	if king < 0 || rook < 0 || !t.changes[rook].Before(&t.changes[king]) {
		return offence.Shape{}, false
	}
	proof := rules.Strong
	if t.view.Pos.Chess960() {
		proof = rules.Hint
	}
	return t.shape(kinds.RookFirst, proof, rookFirstPermille, 0), true
}

// rookTouched returns the first lift of the castling rook that was more than an adjustment, or -1.
func (t *turn) rookTouched() int {
	sq := t.move.RookFrom()
	p := t.home[sq]
	for i := left(t.changes, 0, sq, p); i >= 0; {
		back := came(t.changes, i+1, sq, p)
		if back < 0 || t.stoodElsewhere(i, back, p) {
			return i
		}
		i = left(t.changes, back+1, sq, p)
	}
	return -1
}

// stoodElsewhere reports whether, between two changes, a piece of this code came to a square that is not its own.
func (t *turn) stoodElsewhere(from, to int, p legal.Piece) bool {
	for _, c := range t.changes[from:to] {
		if c.Is == p && t.home[c.Square] != p {
			return true
		}
	}
	return false
}

// bothInTheAir recognises king and rook off the board together, which is evidence for a claim of two hands in castling
// (FIDE Laws 4.1, 7.5.4), and no more: one hand can hold both. It was seen in none of six recorded castlings, and in
// half of the simulated two-handed ones (timing notes, section 0). An attempt that was put back entirely does not
// count: the offence needs the press.
func (t *turn) bothInTheAir() (offence.Shape, bool) {
	m := t.move
	if !m.IsCastling() || t.view.Pos.Chess960() || m.From() == m.To() || m.RookFrom() == m.RookTo() || m.To() == m.RookFrom() {
		return offence.Shape{}, false
	}
	rook := t.home[m.RookFrom()]
	if t.otherLifted(m.RookFrom(), rook) {
		return offence.Shape{}, false
	}
	begin := t.lastUndone()
	for _, k := range t.airborne(begin, t.home[m.From()]) {
		for _, r := range t.airborne(begin, rook) {
			if max(k.Lo, r.Lo) < min(k.Hi, r.Hi) {
				return t.shape(kinds.IllegalTwoHands, rules.Hint, twoHandsPermille, 0), true
			}
		}
	}
	return offence.Shape{}, false
}

// lastUndone returns the number of changes after which the squares of the castling last read as at the beginning.
func (t *turn) lastUndone() int {
	own := uint64(1)<<t.move.From() | 1<<t.move.To() | 1<<t.move.RookFrom() | 1<<t.move.RookTo()
	p := t.view.Origin
	begin := 0
	for i, c := range t.changes {
		p[c.Square] = c.Is
		if play.Difference(&p, &t.home)&own == 0 {
			begin = i + 1
		}
	}
	return begin
}

// airborne returns when a piece of this code was certainly off the board, from a change on. The bounds are reversed: it
// was off the board at Lo at the latest, and until Hi at least.
func (t *turn) airborne(begin int, p legal.Piece) (off []evidence.Window) {
	home := play.CountOf(&t.home, p)
	live := t.view.Origin
	for _, c := range t.changes[:begin] {
		live[c.Square] = c.Is
	}
	n := play.CountOf(&live, p)
	var since int64
	for _, c := range t.changes[begin:] {
		was := n
		if c.Was == p {
			n--
		}
		if c.Is == p {
			n++
		}
		switch {
		case was >= home && n < home:
			since = c.Window.Hi
		case was < home && n >= home && since < c.Window.Lo:
			off = append(off, evidence.Window{Lo: since, Hi: c.Window.Lo})
		}
	}
	return off
}
