package detector

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file finds the ends and the claims that a game's committed positions alone show (FIDE Laws 9.2, 9.3, 9.6; for
// dead positions see dead.go). It finds facts, not consequences: a repetition that can be claimed is not reported until
// a player claims it (12.6), and package rules decides under which rule set a fivefold repetition ends the game.

// maxCounted is where the count of repetitions stops: more than the five of FIDE Laws 9.6.1 have no consequence.
const maxCounted = 5

// repetitions returns how many times the last position of the line has appeared, itself included and up to maxCounted,
// by FIDE Laws 9.2.3: same side to move, same pieces on the same squares, same possible moves. A position that came
// about by something illegal and may still be restored does not count.
func repetitions(line []node) int {
	last := len(line) - 1
	return appeared(line, &line[last].pos, last-2)
}

// repetitionsAfter returns how many times the position after a legal move would have appeared. The move need not be
// completed: a claim may be made for a move that is only intended (9.2.1), and not for one that was made on the board.
func repetitionsAfter(line []node, m legal.Move) int {
	last := &line[len(line)-1].pos
	if m.Captured() != legal.NoKind || last.PieceAt(m.From()).Kind() == legal.Pawn {
		return 1 // no earlier position can be the same
	}
	after := last.After(m)
	return appeared(line, &after, len(line)-2)
}

// appeared counts a position among the nodes of a line up to the one with the index newest, which is the first before
// it with the same side to move. No position before the last capture or pawn move can be the same.
func appeared(line []node, pos *legal.Position, newest int) int {
	n, key := 1, pos.Key()
	oldest := max(0, newest+1-pos.HalfMoves())
	step := 2
	if last := len(line) - 1; last > oldest && line[last].ply-line[oldest].ply != last-oldest {
		newest, step = last-1, 1 // plies are missing: the sides do not alternate
	}
	for i := newest; i >= oldest && n < maxCounted; i -= step {
		if q := &line[i]; q.pos.Key() == key && !q.wrong.open() && q.pos.Same(pos) {
			n++
		}
	}
	return n
}

// fiftyMoves is the number of half-moves without capture or pawn move after which a draw can be claimed (FIDE Laws
// 9.3), and seventyFiveMoves the number after which the game is drawn (9.6.2).
const (
	fiftyMoves       = 100
	seventyFiveMoves = 150
)

// drawn reports whether the last position of a line ends the game by itself, and by what. Mate and stalemate are
// reported elsewhere; a mate by the last of 75 moves comes first (FIDE Laws 9.6.2).
func drawn(line []node) (kind kinds.Kind, ok bool) {
	pos := &line[len(line)-1].pos
	switch {
	case dead(pos):
		return kinds.Dead, true
	case pos.HalfMoves() >= fivefoldLeast && repetitions(line) >= 5:
		return kinds.Fivefold, true
	case pos.HalfMoves() >= seventyFiveMoves && pos.Outcome() == legal.Move75:
		return kinds.Move75, true
	}
	return "", false
}

// drawsTold holds the plies at which automatic draws were reported; 0: none was.
type drawsTold struct{ dead, fivefold, move75 int }

// tell notes that a kind of draw is reported at a ply. It returns false where that kind was reported before.
func (d *drawsTold) tell(kind kinds.Kind, ply int) bool {
	at := &d.dead
	switch kind {
	case kinds.Fivefold:
		at = &d.fivefold
	case kinds.Move75:
		at = &d.move75
	}
	if *at != 0 {
		return false
	}
	*at = ply
	return true
}

// goBack forgets draws that came about after a ply, because the moves were taken back.
func (d *drawsTold) goBack(ply int) {
	for _, at := range [...]*int{&d.dead, &d.fivefold, &d.move75} {
		if ply < *at {
			*at = 0
		}
	}
}

// fivefoldLeast is the least number of half-moves in which a position can appear five times: each return takes both
// players two moves.
const fivefoldLeast = 16

// A claim is what a player could claim in a position (FIDE Laws 9.2, 9.3): for the position as it is, and for some move
// not yet made.
type claim struct {
	threefold, fifty     bool       // the position has appeared; the player to move may claim
	threefoldBy, fiftyBy legal.Move // a legal move that would bring it about, or NoMove
}

// claims returns what the player to move could claim. It lists all that player's moves, and is called when a claim is
// made, not at each commit.
func claims(line []node) claim {
	pos := &line[len(line)-1].pos
	c := claim{threefold: repetitions(line) >= 3, fifty: pos.HalfMoves() >= fiftyMoves}
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		if m.Captured() != legal.NoKind || pos.PieceAt(m.From()).Kind() == legal.Pawn {
			continue
		}
		if c.fiftyBy == legal.NoMove && pos.HalfMoves()+1 >= fiftyMoves {
			c.fiftyBy = m
		}
		if c.threefoldBy == legal.NoMove && repetitionsAfter(line, m) >= 3 {
			c.threefoldBy = m
		}
	}
	return c
}
