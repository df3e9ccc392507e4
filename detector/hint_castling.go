package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// rookFirst is FIDE Laws 4.4.2: the rook was touched and then the king. It is strong, not certain, because squares are
// seen in the order of the scan; in Chess960, where many people lift the rook first, it is a hint. Where the king's
// square is the rook's own, the rook has to go first, and where a piece does not move there is no order.
func (t *turn) rookFirst() (shape, bool) {
	m := t.m
	if !m.IsCastling() || m.From() == m.To() || m.RookFrom() == m.RookTo() || m.To() == m.RookFrom() || !t.moves(m.RookFrom()) {
		return shape{}, false
	}
	king := left(t.changes, 0, m.From(), t.home[m.From()])
	rook := t.rookTouched()
	if king < 0 || rook < 0 || !t.changes[rook].before(&t.changes[king]) {
		return shape{}, false
	}
	proof := rules.Strong
	if t.v.pos.Chess960() {
		proof = rules.Hint
	}
	return t.shape(kinds.RookFirst, proof, rookFirstPermille, 0), true
}

// rookTouched returns the first lift of the castling rook that was more than putting it in order, or -1.
func (t *turn) rookTouched() int {
	sq := t.m.RookFrom()
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

// stoodElsewhere says whether a piece of this code came to a square that is not its home, between two changes.
func (t *turn) stoodElsewhere(from, to int, p legal.Piece) bool {
	for _, c := range t.changes[from:to] {
		if c.is == p && t.home[c.sq] != p {
			return true
		}
	}
	return false
}

// bothInTheAir is evidence for a claim of two hands in castling (FIDE Laws 4.1, 7.5.4), and no more: one hand can hold
// king and rook. It was seen in none of six recorded castlings, and in half of the simulated two-handed ones (timing
// notes, section 0). What was put back entirely before the castling is not counted: the offence needs the press.
func (t *turn) bothInTheAir() (shape, bool) {
	m := t.m
	if !m.IsCastling() || t.v.pos.Chess960() || m.From() == m.To() || m.RookFrom() == m.RookTo() || m.To() == m.RookFrom() {
		return shape{}, false
	}
	rook := t.home[m.RookFrom()]
	if t.otherLifted(m.RookFrom(), rook) {
		return shape{}, false
	}
	begin := t.lastUndone()
	for _, k := range t.airborne(begin, t.home[m.From()]) {
		for _, r := range t.airborne(begin, rook) {
			if max(k.Lo, r.Lo) < min(k.Hi, r.Hi) {
				return t.shape(kinds.IllegalTwoHands, rules.Hint, twoHandsPermille, 0), true
			}
		}
	}
	return shape{}, false
}

// lastUndone returns after how many changes the squares of the castling last read as at the beginning.
func (t *turn) lastUndone() int {
	own := uint64(1)<<t.m.From() | 1<<t.m.To() | 1<<t.m.RookFrom() | 1<<t.m.RookTo()
	p := t.v.origin
	begin := 0
	for i, c := range t.changes {
		p[c.sq] = c.is
		if difference(&p, &t.home)&own == 0 {
			begin = i + 1
		}
	}
	return begin
}

// airborne returns when a piece of this code was certainly off the board, from a change on. The bounds are reversed:
// it was off the board at Lo at the latest, and until Hi at least.
func (t *turn) airborne(begin int, p legal.Piece) (off []Window) {
	home := countOf(&t.home, p)
	live := t.v.origin
	for _, c := range t.changes[:begin] {
		live[c.sq] = c.is
	}
	n := countOf(&live, p)
	var since int64
	for _, c := range t.changes[begin:] {
		was := n
		if c.was == p {
			n--
		}
		if c.is == p {
			n++
		}
		switch {
		case was >= home && n < home:
			since = c.win.Hi
		case was < home && n >= home && since < c.win.Lo:
			off = append(off, Window{Lo: since, Hi: c.win.Lo})
		}
	}
	return off
}
