package hint

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// rookFirst is FIDE Laws 4.4.2: the rook was touched and then the king. It is strong, not certain, because squares are
// seen in the order of the scan; in Chess960, where many people lift the rook first, it is a hint. Where the king's
// square is the rook's own, the rook has to go first, and where a piece does not move there is no order.
func (t *Turn) rookFirst() (offence.Shape, bool) {
	m := t.M
	if !m.IsCastling() || m.From() == m.To() || m.RookFrom() == m.RookTo() || m.To() == m.RookFrom() || !t.moves(m.RookFrom()) {
		return offence.Shape{}, false
	}
	king := left(t.Changes, 0, m.From(), t.Home[m.From()])
	rook := t.rookTouched()
	if king < 0 || rook < 0 || !t.Changes[rook].Before(&t.Changes[king]) {
		return offence.Shape{}, false
	}
	proof := rules.Strong
	if t.V.Pos.Chess960() {
		proof = rules.Hint
	}
	return t.shape(kinds.RookFirst, proof, rookFirstPermille, 0), true
}

// rookTouched returns the first lift of the castling rook that was more than putting it in order, or -1.
func (t *Turn) rookTouched() int {
	sq := t.M.RookFrom()
	p := t.Home[sq]
	for i := left(t.Changes, 0, sq, p); i >= 0; {
		back := came(t.Changes, i+1, sq, p)
		if back < 0 || t.stoodElsewhere(i, back, p) {
			return i
		}
		i = left(t.Changes, back+1, sq, p)
	}
	return -1
}

// stoodElsewhere says whether a piece of this code came to a square that is not its home, between two changes.
func (t *Turn) stoodElsewhere(from, to int, p legal.Piece) bool {
	for _, c := range t.Changes[from:to] {
		if c.Is == p && t.Home[c.Square] != p {
			return true
		}
	}
	return false
}

// bothInTheAir is evidence for a claim of two hands in castling (FIDE Laws 4.1, 7.5.4), and no more: one hand can hold
// king and rook. It was seen in none of six recorded castlings, and in half of the simulated two-handed ones (timing
// notes, section 0). What was put back entirely before the castling is not counted: the offence needs the press.
func (t *Turn) bothInTheAir() (offence.Shape, bool) {
	m := t.M
	if !m.IsCastling() || t.V.Pos.Chess960() || m.From() == m.To() || m.RookFrom() == m.RookTo() || m.To() == m.RookFrom() {
		return offence.Shape{}, false
	}
	rook := t.Home[m.RookFrom()]
	if t.otherLifted(m.RookFrom(), rook) {
		return offence.Shape{}, false
	}
	begin := t.lastUndone()
	for _, k := range t.airborne(begin, t.Home[m.From()]) {
		for _, r := range t.airborne(begin, rook) {
			if max(k.Lo, r.Lo) < min(k.Hi, r.Hi) {
				return t.shape(kinds.IllegalTwoHands, rules.Hint, twoHandsPermille, 0), true
			}
		}
	}
	return offence.Shape{}, false
}

// lastUndone returns after how many changes the squares of the castling last read as at the beginning.
func (t *Turn) lastUndone() int {
	own := uint64(1)<<t.M.From() | 1<<t.M.To() | 1<<t.M.RookFrom() | 1<<t.M.RookTo()
	p := t.V.Origin
	begin := 0
	for i, c := range t.Changes {
		p[c.Square] = c.Is
		if play.Difference(&p, &t.Home)&own == 0 {
			begin = i + 1
		}
	}
	return begin
}

// airborne returns when a piece of this code was certainly off the board, from a change on. The bounds are reversed:
// it was off the board at Lo at the latest, and until Hi at least.
func (t *Turn) airborne(begin int, p legal.Piece) (off []evidence.Window) {
	home := play.CountOf(&t.Home, p)
	live := t.V.Origin
	for _, c := range t.Changes[:begin] {
		live[c.Square] = c.Is
	}
	n := play.CountOf(&live, p)
	var since int64
	for _, c := range t.Changes[begin:] {
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
