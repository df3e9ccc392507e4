package mateoracle

import (
	"fmt"
	"strings"
)

// A Side is White or Black; Nobody stands for "no side".
type Side uint8

const (
	Nobody Side = iota
	White
	Black
)

// Other returns the opponent.
func (s Side) Other() Side { return 3 - s }

// A piece is a piece or pawn written as in FEN: 'P' to 'K' and 'p' to 'k'; 0 is an empty square.
type piece = byte

// A Board holds the pieces, the side to move, the castling rights and the en passant square. It is comparable.
type Board struct {
	at       [64]piece // a1, b1, ... h8
	turn     Side
	castling uint8 // bits of castlingLetters
	ep       int8  // square passed over, -1 for none
	clock    int16 // half-moves since the last capture or pawn move
}

const castlingLetters = "KQkq"

func sideOf(m piece) Side {
	switch {
	case m == 0:
		return Nobody
	case m < 'a':
		return White
	}
	return Black
}

// upper returns the kind of a piece: its letter as White's.
func upper(m piece) byte { return m &^ 0x20 }

// ofSide returns a kind as a letter of the side.
func ofSide(kind byte, s Side) piece {
	if s == Black {
		return kind | 0x20
	}
	return kind
}

// Read reads a FEN of four or six fields with one king a side. It does not check whether the position is reachable.
func Read(fen string) (b Board, err error) {
	fields := strings.Fields(fen)
	if len(fields) < 4 {
		return b, fmt.Errorf("mateoracle: %q has %d fields, a FEN has at least four", fen, len(fields))
	}
	rows := strings.Split(fields[0], "/")
	if len(rows) != 8 {
		return b, fmt.Errorf("mateoracle: %q has %d ranks, not eight", fen, len(rows))
	}
	kings := map[piece]int{}
	for i, row := range rows {
		at := (7 - i) * 8
		end := at + 8
		for _, c := range []byte(row) {
			switch {
			case c >= '1' && c <= '8':
				at += int(c - '0')
			case strings.IndexByte("PNBRQKpnbrqk", c) >= 0 && at < end:
				b.at[at] = c
				at++
				kings[c]++
			default:
				return b, fmt.Errorf("mateoracle: rank %d of %q: %q", 8-i, fen, c)
			}
		}
		if at != end {
			return b, fmt.Errorf("mateoracle: rank %d of %q does not fill eight files", 8-i, fen)
		}
	}
	if kings['K'] != 1 || kings['k'] != 1 {
		return b, fmt.Errorf("mateoracle: %q: each side needs one king", fen)
	}
	b.turn = White
	if fields[1] == "b" {
		b.turn = Black
	}
	b.readRights(fields[2])
	b.ep = -1
	if len(fields[3]) == 2 {
		b.ep = int8(fields[3][0]-'a') + 8*int8(fields[3][1]-'1')
		b.dropEnPassant()
	}
	if len(fields) > 4 {
		if _, err := fmt.Sscan(fields[4], &b.clock); err != nil {
			return b, fmt.Errorf("mateoracle: half-move counter of %q: %w", fen, err)
		}
	}
	return b, nil
}

// readRights keeps the rights whose king and rook are at home.
func (b *Board) readRights(text string) {
	for i, home := range castlings {
		if strings.IndexByte(text, castlingLetters[i]) >= 0 && b.at[home.king] == ofSide('K', home.side) && b.at[home.rook] == ofSide('R', home.side) {
			b.castling |= 1 << i
		}
	}
}

// castlings are the four castling moves, in the order of castlingLetters.
var castlings = [4]struct {
	side       Side
	king, rook int
	empty      []int // between them
	safe       []int // the king's way, with both ends
	to, rookTo int
}{
	{White, 4, 7, []int{5, 6}, []int{4, 5, 6}, 6, 5},
	{White, 4, 0, []int{1, 2, 3}, []int{4, 3, 2}, 2, 3},
	{Black, 60, 63, []int{61, 62}, []int{60, 61, 62}, 62, 61},
	{Black, 60, 56, []int{57, 58, 59}, []int{60, 59, 58}, 58, 59},
}

// dropEnPassant removes an en passant square that no adjacent pawn can use, so that one position has one form.
func (b *Board) dropEnPassant() {
	if b.ep < 0 {
		return
	}
	victim := int(b.ep) + 8
	if b.turn == White {
		victim = int(b.ep) - 8
	}
	pawn := ofSide('P', b.turn)
	if rank := b.ep >> 3; (rank == 2 || rank == 5) && b.at[b.ep] == 0 && b.at[victim] == ofSide('P', b.turn.Other()) &&
		(victim&7 > 0 && b.at[victim-1] == pawn || victim&7 < 7 && b.at[victim+1] == pawn) {
		return
	}
	b.ep = -1
}

// FEN writes the board with six fields.
func (b *Board) FEN() string {
	var s strings.Builder
	for rank := 7; rank >= 0; rank-- {
		empty := 0
		for file := range 8 {
			m := b.at[rank*8+file]
			if m == 0 {
				empty++
				continue
			}
			if empty > 0 {
				s.WriteByte('0' + byte(empty))
			}
			empty = 0
			s.WriteByte(m)
		}
		if empty > 0 {
			s.WriteByte('0' + byte(empty))
		}
		if rank > 0 {
			s.WriteByte('/')
		}
	}
	s.WriteString([...]string{White: " w ", Black: " b "}[b.turn])
	if b.castling == 0 {
		s.WriteByte('-')
	}
	for i := range 4 {
		if b.castling>>i&1 != 0 {
			s.WriteByte(castlingLetters[i])
		}
	}
	s.WriteByte(' ')
	if b.ep < 0 {
		s.WriteByte('-')
	} else {
		s.WriteString(name(int(b.ep)))
	}
	fmt.Fprintf(&s, " %d 1", b.clock)
	return s.String()
}

func name(square int) string { return string([]byte{'a' + byte(square&7), '1' + byte(square>>3)}) }

// Mirror swaps the colours and turns the board top to bottom.
func (b *Board) Mirror() Board {
	m := Board{turn: b.turn.Other(), castling: b.castling<<2&12 | b.castling>>2, ep: b.ep, clock: b.clock}
	if b.ep >= 0 {
		m.ep = b.ep ^ 56
	}
	for s, x := range b.at {
		if x != 0 {
			x ^= 0x20
		}
		m.at[s^56] = x
	}
	return m
}

// Flip turns the board left to right; castling rights are lost.
func (b *Board) Flip() Board {
	f := Board{turn: b.turn, ep: b.ep, clock: b.clock}
	if b.ep >= 0 {
		f.ep = b.ep ^ 7
	}
	for s, x := range b.at {
		f.at[s^7] = x
	}
	return f
}

// Clock returns the number of half-moves since the last capture or pawn move.
func (b *Board) Clock() int { return int(b.clock) }

// WithClock returns the board with another counter.
func (b Board) WithClock(n int) Board {
	b.clock = int16(n)
	return b
}

// Castles reports whether a castling right is left.
func (b *Board) Castles() bool { return b.castling != 0 }

// Bare returns the board without castling rights, en passant and counter.
func (b Board) Bare() Board {
	b.castling, b.ep, b.clock = 0, -1, 0
	return b
}

// EnPassant reports whether a pawn stands where it may capture en passant.
func (b *Board) EnPassant() bool { return b.ep >= 0 }
