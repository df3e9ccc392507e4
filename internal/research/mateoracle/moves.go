package mateoracle

// A Move goes from square to square; promotion is 'N', 'B', 'R', 'Q' or 0.
type Move struct {
	from, to  int8
	promotion byte
}

// String returns the move in UCI notation.
func (m Move) String() string {
	s := name(int(m.from)) + name(int(m.to))
	if m.promotion != 0 {
		s += string([]byte{m.promotion | 0x20})
	}
	return s
}

var (
	rookWays   = [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	bishopWays = [][2]int{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
	allWays    = append(append([][2]int{}, rookWays...), bishopWays...)
	leaps      = [][2]int{{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}}

	rookRays, bishopRays   [64][][]int8
	kingSteps, knightSteps [64][]int8
)

func init() {
	for s := range 64 {
		rookRays[s], bishopRays[s] = rays(s, rookWays), rays(s, bishopWays)
		kingSteps[s], knightSteps[s] = steps(s, allWays), steps(s, leaps)
	}
}

// step returns the square at that offset, -1 if it is off the board.
func step(s int, way [2]int) int {
	file, rank := s&7+way[0], s>>3+way[1]
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return -1
	}
	return rank*8 + file
}

func steps(s int, ways [][2]int) (out []int8) {
	for _, way := range ways {
		if t := step(s, way); t >= 0 {
			out = append(out, int8(t))
		}
	}
	return out
}

func rays(s int, ways [][2]int) (out [][]int8) {
	for _, way := range ways {
		var ray []int8
		for t := step(s, way); t >= 0; t = step(t, way) {
			ray = append(ray, int8(t))
		}
		if ray != nil {
			out = append(out, ray)
		}
	}
	return out
}

// attacked reports whether a piece of the side attacks the square.
func (b *Board) attacked(s int, by Side) bool {
	for _, t := range knightSteps[s] {
		if b.at[t] == ofSide('N', by) {
			return true
		}
	}
	for _, t := range kingSteps[s] {
		if b.at[t] == ofSide('K', by) {
			return true
		}
	}
	behind := -1 // a pawn attacks from the rank behind, seen from its side
	if by == Black {
		behind = 1
	}
	for _, file := range [2]int{-1, 1} {
		if t := step(s, [2]int{file, behind}); t >= 0 && b.at[t] == ofSide('P', by) {
			return true
		}
	}
	return b.hit(rookRays[s], ofSide('R', by), ofSide('Q', by)) || b.hit(bishopRays[s], ofSide('B', by), ofSide('Q', by))
}

// hit reports whether the first piece on any of the rays is one of the two.
func (b *Board) hit(rays [][]int8, one, two piece) bool {
	for _, ray := range rays {
		for _, t := range ray {
			if m := b.at[t]; m != 0 {
				if m == one || m == two {
					return true
				}
				break
			}
		}
	}
	return false
}

func (b *Board) king(s Side) int {
	k := ofSide('K', s)
	for i, m := range b.at {
		if m == k {
			return i
		}
	}
	return -1
}

// InCheck reports whether the side to move is in check.
func (b *Board) InCheck() bool { return b.attacked(b.king(b.turn), b.turn.Other()) }

// Moves appends all legal moves.
func (b *Board) Moves(list []Move) []Move {
	return b.legal(b.pseudo(list), len(list))
}

// legal keeps, from the index on, the moves after which the mover's king is not attacked.
func (b *Board) legal(list []Move, from int) []Move {
	us, king := b.turn, b.king(b.turn)
	out := list[:from]
	for _, m := range list[from:] {
		after := *b
		after.Play(m)
		k := king
		if int(m.from) == king {
			k = int(m.to)
		}
		if !after.attacked(k, us.Other()) {
			out = append(out, m)
		}
	}
	return out
}

// pseudo appends the moves of all pieces, without regard to the safety of the king.
func (b *Board) pseudo(list []Move) []Move {
	for s, m := range b.at {
		if sideOf(m) != b.turn {
			continue
		}
		switch upper(m) {
		case 'P':
			list = b.pawnMoves(list, s)
		case 'N':
			list = b.leap(list, s, knightSteps[s])
		case 'K':
			list = b.castle(b.leap(list, s, kingSteps[s]))
		case 'B':
			list = b.slide(list, s, bishopRays[s])
		case 'R':
			list = b.slide(list, s, rookRays[s])
		case 'Q':
			list = b.slide(b.slide(list, s, rookRays[s]), s, bishopRays[s])
		}
	}
	return list
}

// may reports whether the square is empty or has an opponent's piece other than the king.
func (b *Board) may(t int8) bool {
	return sideOf(b.at[t]) != b.turn && upper(b.at[t]) != 'K'
}

func (b *Board) leap(list []Move, s int, to []int8) []Move {
	for _, t := range to {
		if b.may(t) {
			list = append(list, Move{from: int8(s), to: t})
		}
	}
	return list
}

func (b *Board) slide(list []Move, s int, rays [][]int8) []Move {
	for _, ray := range rays {
		for _, t := range ray {
			if b.may(t) {
				list = append(list, Move{from: int8(s), to: t})
			}
			if b.at[t] != 0 {
				break
			}
		}
	}
	return list
}

func (b *Board) pawnMoves(list []Move, s int) []Move {
	ahead, home := 1, 1
	if b.turn == Black {
		ahead, home = -1, 6
	}
	if t := step(s, [2]int{0, ahead}); t >= 0 && b.at[t] == 0 {
		list = pawnTo(list, s, t)
		if u := step(t, [2]int{0, ahead}); s>>3 == home && b.at[u] == 0 {
			list = append(list, Move{from: int8(s), to: int8(u)})
		}
	}
	for _, file := range [2]int{-1, 1} {
		t := step(s, [2]int{file, ahead})
		if t >= 0 && (b.at[t] != 0 && b.may(int8(t)) || t == int(b.ep)) {
			list = pawnTo(list, s, t)
		}
	}
	return list
}

func pawnTo(list []Move, s, t int) []Move {
	if rank := t >> 3; rank != 0 && rank != 7 {
		return append(list, Move{from: int8(s), to: int8(t)})
	}
	for _, kind := range []byte("QRBN") {
		list = append(list, Move{int8(s), int8(t), kind})
	}
	return list
}

func (b *Board) castle(list []Move) []Move {
way:
	for i, c := range castlings {
		if b.castling>>i&1 == 0 || c.side != b.turn {
			continue
		}
		for _, s := range c.empty {
			if b.at[s] != 0 {
				continue way
			}
		}
		for _, s := range c.safe {
			if b.attacked(s, b.turn.Other()) {
				continue way
			}
		}
		list = append(list, Move{from: int8(c.king), to: int8(c.to)})
	}
	return list
}

// Play makes a legal move.
func (b *Board) Play(m Move) {
	mover := b.at[m.from]
	pawn := upper(mover) == 'P'
	b.clock++
	if pawn || b.at[m.to] != 0 {
		b.clock = 0
	}
	if pawn && m.to == b.ep {
		b.at[m.from&56|m.to&7] = 0
	}
	if upper(mover) == 'K' && (m.to-m.from == 2 || m.from-m.to == 2) {
		for _, c := range castlings {
			if c.king == int(m.from) && c.to == int(m.to) {
				b.at[c.rookTo], b.at[c.rook] = b.at[c.rook], 0
			}
		}
	}
	b.at[m.to], b.at[m.from] = mover, 0
	if m.promotion != 0 {
		b.at[m.to] = ofSide(m.promotion, b.turn)
	}
	if b.castling != 0 {
		b.loseRights()
	}
	b.turn, b.ep = b.turn.Other(), -1
	if pawn && (m.to-m.from == 16 || m.from-m.to == 16) {
		b.ep = (m.from + m.to) / 2
		b.dropEnPassant()
	}
}

// loseRights drops the rights whose king or rook is not at home any more. A rook that returns, or another one there,
// does not restore them.
func (b *Board) loseRights() {
	for i, c := range castlings {
		if b.at[c.king] != ofSide('K', c.side) || b.at[c.rook] != ofSide('R', c.side) {
			b.castling &^= 1 << i
		}
	}
}

// Mated returns the side that is checkmated on the board, or Nobody.
func (b *Board) Mated() Side {
	if !b.InCheck() || len(b.Moves(nil)) > 0 {
		return Nobody
	}
	return b.turn
}
