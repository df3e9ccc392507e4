package helpmate

import "boardwatchd/rules/legal"

// Verdict answers whether a side can still be helped to give checkmate.
type Verdict uint8

// The verdicts. The zero value is none, so that a forgotten field is noticed.
const (
	NoVerdict Verdict = iota
	Never             // proved: no series of legal moves ends in checkmate by the side
	Possible          // there is a line, and it was played to the mate
	Unknown           // the budget ended first: a person has to look
)

// String is "never", "possible", "unknown" or "no verdict".
func (v Verdict) String() string {
	switch v {
	case Never:
		return "never"
	case Possible:
		return "possible"
	case Unknown:
		return "unknown"
	}
	return "no verdict"
}

// DefaultLimit is the budget for one question at a losing strike or a flag fall, in nodes: see the package comment for
// what it costs in time.
const DefaultLimit = 200_000

// CanMate tells whether there is any series of legal moves, both players helping, that ends in checkmate given by side
// (FIDE Laws 5.2.2, 6.9, 7.5.5). The limit is a budget of nodes, that is of moves tried; the same question with the same limit always
// gets the same answer. With a limit of 0 only the rules that need no search are asked.
//
// With Possible comes the line from pos, its last move mating; it is short only by chance. It is empty, and not nil, if the mate is on
// the board. The position's half-move counter is respected: no line runs through a draw by 9.6.2, and a
// position past it is Never; who plays by other rules clears the counter first. A side that is nobody is Unknown.
func CanMate(pos *legal.Position, side legal.Side, limit int) (Verdict, []legal.Move) {
	if pos == nil || side != legal.White && side != legal.Black {
		return Unknown, nil
	}
	verdict, line, _ := decide(pos, side, limit)
	if verdict != Possible {
		return verdict, nil
	}
	if !mates(*pos, side, line) {
		panic("helpmate: internal error: the line found does not mate in " + pos.FEN())
	}
	return Possible, line
}

// decide asks what is cheap first. Mate comes before material: a set-up board may show a mate that no game can reach.
func decide(pos *legal.Position, side legal.Side, limit int) (verdict Verdict, line []legal.Move, nodes int) {
	switch pos.Outcome() {
	case legal.Checkmate:
		if pos.Turn() == side {
			return Never, nil, 0
		}
		return Possible, []legal.Move{}, 0
	case legal.Stalemate, legal.Move75:
		return Never, nil, 0
	}
	irregular := inCheckOutOfTurn(pos)
	if !irregular && materialOf(pos).barren(side) {
		return Never, nil, 0
	}
	return explore(pos, side, limit, irregular)
}

// inCheckOutOfTurn: only a board left standing after an illegal move (A.5.2) shows the player who is NOT to move in check. What
// is known about material and about walls was proved for boards on which check comes from the last move.
func inCheckOutOfTurn(pos *legal.Position) bool {
	other := pos.Turn().Other()
	return len(pos.Attackers(pos.KingSquare(other), pos.Turn())) > 0
}

// mates plays the line, trusting nothing: every move must be legal, the game must not end before its last move, and
// the last position must be checkmate against the other side.
func mates(pos legal.Position, side legal.Side, line []legal.Move) bool {
	for _, m := range line {
		if pos.Outcome() != legal.Ongoing || !pos.IsLegal(m) {
			return false
		}
		pos = pos.After(m)
	}
	return pos.Outcome() == legal.Checkmate && pos.Turn() == side.Other()
}
