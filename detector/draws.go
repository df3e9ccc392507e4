package detector

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file reads the ends and the claims that a game's committed positions alone show (FIDE Laws 9.2, 9.3, 9.6; for
// dead positions see dead.go). It says what is so, never what is to be done: a repetition that can be claimed is no
// news until somebody claims (12.6), and under which rule set a fivefold repetition ends the game is for package rules.

// maxCounted is where counting repetitions stops: more than the five of FIDE Laws 9.6.1 are of no consequence.
const maxCounted = 5

// repetitions is how many times the last position of the line has appeared, now included and up to maxCounted, by FIDE
// Laws 9.2.3: same side to move, same pieces on the same squares, same possible moves. A position that came about by
// something illegal and may still be restored has not appeared.
func repetitions(line []node) int {
	last := len(line) - 1
	return appeared(line, &line[last].pos, last-2)
}

// repetitionsAfter is how many times the position after a legal move would have appeared. The move need not be
// completed: a claim may be made for a move that is only intended (9.2.1), and not for one that was made on the board.
func repetitionsAfter(line []node, m legal.Move) int {
	last := &line[len(line)-1].pos
	if m.Captured() != legal.NoKind || last.PieceAt(m.From()).Kind() == legal.Pawn {
		return 1 // nothing before it can be the same, and the line is not walked
	}
	after := last.After(m)
	return appeared(line, &after, len(line)-2)
}

// appeared counts a position among the nodes of a line up to the one with the index newest, which is the first before
// it with the same side to move. Nothing before the last capture or pawn move can be the same.
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

// The number of half-moves without capture or pawn move after which a draw can be claimed (FIDE Laws 9.3) and after
// which the game is drawn (9.6.2).
const (
	fiftyMoves       = 100
	seventyFiveMoves = 150
)

// drawn says whether the last position of a line ends the game by itself, and by what. Mate and stalemate are reported
// elsewhere; a mate by the last of 75 moves comes first (FIDE Laws 9.6.2).
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

// drawsTold are the plies that brought about the automatic draws that have been told; 0: none.
type drawsTold struct{ dead, fivefold, move75 int }

// tell notes that a kind of draw is told at a ply; it is no news if it has been told before.
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

// goBack forgets what ended the game above a ply: it is gone.
func (d *drawsTold) goBack(ply int) {
	for _, at := range [...]*int{&d.dead, &d.fivefold, &d.move75} {
		if ply < *at {
			*at = 0
		}
	}
}

// fivefoldLeast is how many half-moves it takes at least for a position to appear five times: a return takes both
// players two moves.
const fivefoldLeast = 16

// A claim is what a player could claim in a position (FIDE Laws 9.2, 9.3): for the position as it is, and for some move
// that he has not made yet.
type claim struct {
	threefold, fifty     bool       // the position has appeared; the player who has the move may claim
	threefoldBy, fiftyBy legal.Move // a legal move that would bring it about, or NoMove
}

// claims says what the player who has the move could claim. It lists all his moves and is asked when a claim is made,
// not at each commit.
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
