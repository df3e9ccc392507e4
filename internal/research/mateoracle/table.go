package mateoracle

import (
	"slices"
	"strings"
)

// Tables answer for boards with up to four pieces, kings included, whether White can ever mate with the help of Black.
// They are made at their first use, each after the ones that its captures and promotions lead to.
//
// Dir, if set, is a folder where they are stored between runs.
type Tables struct {
	Dir  string
	made map[string]*Table
}

// A Table is one kind of material: all placements, with either side to move. The board may be turned left to right, so
// the white king is on the files a to d only.
type Table struct {
	pieces     string // besides the kings, White's first: "Qn"
	legal, can []uint64
	Counts     [3]Count // by side to move
}

// Count holds the number of placements, of those that end the game at once, and of the others in which White can never
// mate: because White's last pieces must be captured, or for other reasons.
type Count struct{ Legal, Mates, Stalemates, Forced, Others int }

// Of returns the table for the pieces besides the kings, in any order: "Q", "Bn", "nB".
func (ts *Tables) Of(pieces string) *Table {
	pieces = order(pieces)
	if ts.made == nil {
		ts.made = map[string]*Table{}
	}
	t := ts.made[pieces]
	if t == nil {
		t = &Table{pieces: pieces}
		ts.made[pieces] = t
		if !t.load(ts.Dir) {
			t.fill(ts)
			t.save(ts.Dir)
		}
	}
	return t
}

func order(pieces string) string {
	m := []byte(pieces)
	slices.SortFunc(m, func(a, b byte) int { return strings.IndexByte(codes, a) - strings.IndexByte(codes, b) })
	return string(m)
}

// Can reports whether White can ever mate. The board has at most four pieces and no castling right.
func (ts *Tables) Can(b Board) bool {
	if b.ep >= 0 { // the tables do not contain that right: look one move ahead
		for _, m := range b.Moves(nil) {
			after := b
			after.Play(m)
			if ts.Can(after) {
				return true
			}
		}
		return b.Mated() == Black
	}
	pieces := b.pieces()
	if len(pieces) == 0 {
		return false
	}
	t := ts.Of(pieces)
	return get(t.can, t.number(&b))
}

func (b *Board) pieces() string {
	var out []byte
	for _, m := range b.at {
		if m != 0 && upper(m) != 'K' {
			out = append(out, m)
		}
	}
	return order(string(out))
}

func get(set []uint64, n int) bool { return set[n>>6]>>(n&63)&1 != 0 }
func put(set []uint64, n int)      { set[n>>6] |= 1 << (n & 63) }

// A seat holds the squares of the kings and the other pieces.
type seat struct {
	turn Side
	at   [4]int // white king, black king, the other pieces in order
}

// size returns the number of entries of a table.
func (t *Table) size() int { return 2 * 32 << (6 * (1 + len(t.pieces))) }

// of returns the number of a seat, with the white king on the left half.
func (t *Table) of(s *seat) int {
	turned := 0
	if s.at[0]&4 != 0 {
		turned = 7
	}
	king := s.at[0] ^ turned
	n := int(s.turn-White)*32 + king>>3*4 + king&3
	for _, at := range s.at[1 : 2+len(t.pieces)] {
		n = n<<6 | at ^ turned
	}
	return n
}

func (t *Table) seat(n int) (s seat) {
	for i := 1 + len(t.pieces); i > 0; i-- {
		s.at[i] = n & 63
		n >>= 6
	}
	s.at[0] = n&31>>2*8 + n&3
	s.turn = White + Side(n>>5)
	return s
}

// number returns the number of a board with the table's pieces.
func (t *Table) number(b *Board) int {
	s := seat{turn: b.turn, at: [4]int{b.king(White), b.king(Black)}}
	used := -1
	for i := range t.pieces {
		if i == 0 || t.pieces[i] != t.pieces[i-1] {
			used = -1
		}
		for at := used + 1; at < 64; at++ {
			if b.at[at] == t.pieces[i] {
				used = at
				break
			}
		}
		s.at[2+i] = used
	}
	return t.of(&s)
}

// board sets up a seat; false if two pieces share a square or a pawn stands on an end rank.
func (t *Table) board(s *seat, b *Board) bool {
	*b = Board{turn: s.turn, ep: -1}
	b.at[s.at[0]] = 'K'
	if b.at[s.at[1]] != 0 {
		return false
	}
	b.at[s.at[1]] = 'k'
	for i := range t.pieces {
		at := s.at[2+i]
		if b.at[at] != 0 || upper(t.pieces[i]) == 'P' && (at < 8 || at >= 56) {
			return false
		}
		b.at[at] = t.pieces[i]
	}
	return true
}

// fill examines each placement for mates and for moves that leave the table, then works backwards from all won
// placements.
func (t *Table) fill(ts *Tables) {
	words := t.size() / 64
	t.legal, t.can = make([]uint64, words), make([]uint64, words)
	var todo []uint32
	var b Board
	var list []Move
	for n := range t.size() {
		s := t.seat(n)
		if !t.board(&s, &b) || b.attacked(s.at[2-b.turn], b.turn) {
			continue
		}
		put(t.legal, n)
		list = b.pseudo(list[:0])
		if s.turn == Black && b.Mated() == Black || t.leaves(ts, &b, list) {
			put(t.can, n)
			todo = append(todo, uint32(n))
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		todo = t.back(int(n), todo)
	}
	t.count()
}

// leaves reports whether one of the moves leads out of the table to a placement in which White can mate.
func (t *Table) leaves(ts *Tables, b *Board, list []Move) bool {
	for _, m := range list {
		double := upper(b.at[m.from]) == 'P' && (m.to-m.from == 16 || m.from-m.to == 16)
		if b.at[m.to] == 0 && m.promotion == 0 && !double {
			continue
		}
		after := *b
		after.Play(m)
		switch {
		case after.attacked(after.king(b.turn), after.turn):
		case double:
			if after.ep >= 0 && t.passant(ts, &after) {
				return true
			}
		case ts.Can(after):
			return true
		}
	}
	return false
}

// passant reports whether a capture en passant leads to a placement in which White can mate.
func (t *Table) passant(ts *Tables, b *Board) bool {
	for _, m := range b.Moves(nil) {
		if m.to == b.ep && upper(b.at[m.from]) == 'P' {
			after := *b
			after.Play(m)
			if ts.Can(after) {
				return true
			}
		}
	}
	return false
}

// back marks the placements from which a move within the table leads to this one.
func (t *Table) back(n int, todo []uint32) []uint32 {
	s := t.seat(n)
	var b Board
	t.board(&s, &b)
	s.turn = s.turn.Other()
	mark := func(i int, from int8) {
		old := s.at[i]
		s.at[i] = int(from)
		if p := t.of(&s); get(t.legal, p) && !get(t.can, p) {
			put(t.can, p)
			todo = append(todo, uint32(p))
		}
		s.at[i] = old
	}
	for i := range 2 + len(t.pieces) {
		at := s.at[i]
		if sideOf(b.at[at]) != s.turn {
			continue
		}
		switch upper(b.at[at]) {
		case 'K':
			b.empties(kingSteps[at], i, mark)
		case 'N':
			b.empties(knightSteps[at], i, mark)
		case 'B':
			b.rayEmpties(bishopRays[at], i, mark)
		case 'R':
			b.rayEmpties(rookRays[at], i, mark)
		case 'Q':
			b.rayEmpties(bishopRays[at], i, mark)
			b.rayEmpties(rookRays[at], i, mark)
		case 'P':
			b.pawnEmpties(at, s.turn, i, mark)
		}
	}
	return todo
}

func (b *Board) empties(from []int8, i int, mark func(int, int8)) {
	for _, f := range from {
		if b.at[f] == 0 {
			mark(i, f)
		}
	}
}

func (b *Board) rayEmpties(rays [][]int8, i int, mark func(int, int8)) {
	for _, ray := range rays {
		for _, f := range ray {
			if b.at[f] != 0 {
				break
			}
			mark(i, f)
		}
	}
}

func (b *Board) pawnEmpties(at int, side Side, i int, mark func(int, int8)) {
	back, fourth := -8, 3
	if side == Black {
		back, fourth = 8, 4
	}
	one := at + back
	if b.at[one] != 0 || one < 8 || one >= 56 {
		return
	}
	mark(i, int8(one))
	if two := one + back; at>>3 == fourth && b.at[two] == 0 {
		mark(i, int8(two))
	}
}

// count fills Counts; every placement counts twice.
func (t *Table) count() {
	var b Board
	for n := range t.size() {
		if !get(t.legal, n) {
			continue
		}
		s := t.seat(n)
		c := &t.Counts[s.turn]
		c.Legal += 2
		t.board(&s, &b)
		if get(t.can, n) {
			if b.Mated() != Nobody {
				c.Mates += 2
			}
			continue
		}
		list := b.Moves(nil)
		switch {
		case len(list) == 0 && b.InCheck():
			c.Mates += 2
		case len(list) == 0:
			c.Stalemates += 2
		case allTake(&b, list):
			c.Forced += 2
		default:
			c.Others += 2
		}
	}
}

func allTake(b *Board, list []Move) bool {
	for _, m := range list {
		if b.at[m.to] == 0 {
			return false
		}
	}
	return true
}
