package legal

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// A set-up with an en passant square says what the last move was. Whether a game can come to it is decided here by
// trying: every pawn of the side not to move is put back to the home rank in turn, the side to move must not be in
// check on that board, and one of the legal moves there must lead to the set-up.

// attacksPlainly reports whether the piece on one square attacks another, walking square by square over the placement.
func attacksPlainly(p *Placement, from, to Square) bool {
	piece := p[from]
	steps, far := [][2]int{}, false
	switch piece.Kind() {
	case King, Queen:
		steps = append(append(steps, rookSteps[:]...), bishopSteps[:]...)
		far = piece.Kind() == Queen
	case Rook:
		steps, far = rookSteps[:], true
	case Bishop:
		steps, far = bishopSteps[:], true
	case Knight:
		steps = knightSteps[:]
	case Pawn:
		up := piece.Side().forward() / 8
		steps = [][2]int{{-1, up}, {1, up}}
	}
	for _, step := range steps {
		for n := 1; n == 1 || far && n < 8; n++ {
			s := SquareOf(from.File()+n*step[0], from.Rank()+n*step[1])
			if s == to {
				return true
			}
			if s == NoSquare || p[s] != NoPiece {
				break
			}
		}
	}
	return false
}

func inCheckPlainly(p *Placement, side Side) bool {
	king := p.find(PieceOf(side, King))
	for s := A1; s < NoSquare; s++ {
		if p[s].Side() == side.Other() && attacksPlainly(p, s, king) {
			return true
		}
	}
	return false
}

// steppedTo reports whether a legal double step of some predecessor leads to the set-up.
func steppedTo(s *Setup) bool {
	them := s.Turn.Other()
	for at := A1; at < NoSquare; at++ {
		home := SquareOf(at.File(), them.homeRank()+them.forward()/8)
		if s.Placement[at] != PieceOf(them, Pawn) || s.Placement[home] != NoPiece {
			continue
		}
		before := Setup{Placement: s.Placement, Turn: them, EnPassant: NoSquare}
		before.Placement[at], before.Placement[home] = NoPiece, PieceOf(them, Pawn)
		if inCheckPlainly(&before.Placement, s.Turn) {
			continue
		}
		pos, err := before.Standing()
		if err != nil {
			continue
		}
		var list MoveList
		pos.Moves(&list)
		for _, m := range list.Slice() {
			if after := pos.After(m); after.step == s.EnPassant && after.Placement() == s.Placement {
				return true
			}
		}
	}
	return false
}

// steppedSetup puts kings, a pawn before an en passant square and some other pieces where the bytes say; false if they
// collide.
func steppedSetup(data []byte) (Setup, bool) {
	s := Setup{EnPassant: NoSquare, FullMoves: 1}
	if len(data) < 4 {
		return s, false
	}
	s.Turn = White + Side(data[0]>>7)
	them := s.Turn.Other()
	file := int(data[0]) & 7
	up := them.forward() / 8
	s.EnPassant = SquareOf(file, them.homeRank()+2*up)
	s.Placement[SquareOf(file, them.homeRank()+3*up)] = PieceOf(them, Pawn)
	for i, b := range data[1:min(len(data), 12)] {
		at, piece := Square(b&63), PieceOf(White+Side(i&1), King)
		if i >= 2 {
			// Two bits and the place in the data choose the piece: mostly pieces of the side that stepped.
			kinds := [...]Kind{Pawn, Knight, Bishop, Rook, Queen, Bishop, Rook, Queen}
			side := them
			if b>>7 != 0 && i%3 == 0 {
				side = s.Turn
			}
			piece = PieceOf(side, kinds[(int(b>>6)+3*i)&7])
		}
		if s.Placement[at] != NoPiece {
			return s, false
		}
		s.Placement[at] = piece
	}
	return s, true
}

// checkStepped compares the refusal with the predecessors and reports whether the set-up has one; judged is false where
// the set-up is refused for other reasons.
func checkStepped(t *testing.T, s *Setup) (stepped, judged bool) {
	t.Helper()
	const here = ImpossibleCheck | EnPassantOutOfCheck
	_, err := s.Position()
	var refusal Refusal
	if errors.As(err, &refusal) && refusal.Set&^here != 0 {
		return false, false
	}
	stepped = steppedTo(s)
	if stepped != (err == nil) {
		t.Fatalf("%s: refused for %v, but a double step leads to it: %t", s.FEN(), refusal.Reasons(), stepped)
	}
	if err == nil {
		return true, true
	}
	if inCheck := inCheckPlainly(&s.Placement, s.Turn); refusal.Set == ImpossibleCheck != inCheck {
		t.Fatalf("%s: refused for %v, in check: %t", s.FEN(), refusal.Reasons(), inCheck)
	}
	// The board may still stand so after an illegal move (FIDE Laws A.5.2), and the capture is possible then.
	standing, err := s.Standing()
	if err != nil {
		t.Fatalf("%s: %v", s.FEN(), err)
	}
	if standing.step != s.EnPassant {
		t.Fatalf("%s: the board left standing has lost the double step", s.FEN())
	}
	return false, true
}

func TestACheckOlderThanTheDoubleStepIsRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	var data [12]byte
	counts := [2]int{}
	for n := 0; n < 60_000; n++ {
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		s, ok := steppedSetup(data[:4+r.IntN(9)])
		if !ok {
			continue
		}
		switch stepped, judged := checkStepped(t, &s); {
		case judged && stepped:
			counts[0]++
		case judged:
			counts[1]++
		}
	}
	t.Logf("%d set-ups have a predecessor, %d have none", counts[0], counts[1])
	if counts[0] < 3000 || counts[1] < 3000 {
		t.Errorf("%d set-ups with a predecessor and %d without: the test proves little", counts[0], counts[1])
	}
}

func FuzzDoubleStepHasAPredecessor(f *testing.F) {
	f.Add([]byte{3, 4, 33, 5})                // d-file, Black to move after all
	f.Add([]byte{0x83, 4, 33, 5, 28, 61, 90}) // the same with more pieces
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, ok := steppedSetup(data); ok {
			checkStepped(t, &s)
		}
	})
}
