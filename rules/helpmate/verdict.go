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

// Reason says how a verdict was reached.
type Reason uint8

// The reasons. The first six go with Never, Played with Possible, the others with Unknown.
const (
	NoReason    Reason = iota
	Over               // the game is over: the side is mated, a side is stalemated, or 75 moves have passed (9.6.2)
	Material           // its pieces cannot mate on any squares
	Forced             // all play comes to an end: the side is mated, stalemate, or a dead position
	Walls              // the board alone proves it; Answer.Wall says how
	Visited            // no position that was visited is a mate, and those left out are dead
	Counted            // the 75-move rule ends the game before any mate
	Played             // a line was found, and checked move by move to the mate
	OutOfBudget        // the budget of nodes is used up
	OutOfMemory        // the memory for positions is used up
	NobodyAsks         // the question names no position or no side
	Internal           // the line that was found does not mate: an error in this package, which tests look for
)

var reasons = [...]string{
	NoReason: "", Over: "over", Material: "material", Forced: "forced", Walls: "walls", Visited: "visited", Counted: "counted",
	Played: "played", OutOfBudget: "budget", OutOfMemory: "memory", NobodyAsks: "no question", Internal: "internal",
}

// String is one lower-case word, "" for none.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return ""
}

// Wall says how the board alone proves that a side can never mate.
type Wall uint8

// The proofs from the board alone, the simplest first.
const (
	NoWall     Wall = iota
	Closed          // the enemy king can never be attacked: the pawns are locked and nothing can pass
	AlwaysFree      // the enemy king can be attacked, but never while all squares around it are denied to it
	MovesEnd        // a side has only pawn moves left, and play ends with them before any mate
	AnyCapture      // Closed or AlwaysFree before and after each first capture of a piece that had never moved
	AnyPlace        // wherever the freely moving pieces are, no move of the others leads to a mate
)

// Ends counts the ends of play if every line was followed to its end.
type Ends struct {
	Mated     int // the asked side is checkmated
	Stalemate int
	Dead      int // the position is one in which the side can never mate, by material or walls
	Late      int // a draw by the 75-move rule
}

// An Answer is a verdict with its reasons.
type Answer struct {
	Verdict Verdict
	Reason  Reason
	Wall    Wall // with Walls
	// DeadLeftOut says with Visited that some positions were left out because the side can never mate from them, by
	// material or walls.
	DeadLeftOut bool
	// Line is, with Possible, the moves that mate; empty, and not nil, if the mate is on the board. With Forced it is
	// the longest line of play to its end. With another Never it is the forced moves after which the reason holds.
	Line []legal.Move
	// Nodes is the part of the budget that was used.
	Nodes int
	// Positions is, with Forced and Visited, the number of positions that can be reached; those after a dead position
	// are not counted.
	Positions int
	Ends      Ends // with Forced
}

// DefaultLimit is the budget for one question, in nodes; the package comment gives its cost in time.
const DefaultLimit = 3_000_000

// A Solver answers questions and keeps its memory between them. The zero value is ready. It serves one caller at a
// time.
type Solver struct {
	quick  *quick
	forced *forced
	big    *search
	walls  mobility
	loose  *looseProof
	check  checker

	counted int // positions that countings hold at the moment
}

// Ask is Solver.Ask for a caller that asks seldom and keeps nothing. A board is one: there are hundreds in a hall, and
// a solver that was asked keeps 80 KB.
func Ask(pos *legal.Position, side legal.Side, limit int) Answer {
	return new(Solver).Ask(pos, side, limit)
}

// Dead is Solver.Dead for a caller that asks seldom.
func Dead(pos *legal.Position, limit int) bool {
	dead, _, _ := new(Solver).Dead(pos, limit)
	return dead
}

// Ask reports whether there is any series of legal moves, with both players helping, that ends in checkmate given by
// side (FIDE Laws 5.2.2, 6.9, 7.5.5). The limit is a budget of nodes, that is of moves tried; the same question with
// the same limit always gets the same answer, independent of earlier questions. With a limit of 0 only the rules that
// need no search are applied.
//
// The line that comes with Possible is short only by chance. The position's half-move counter is respected: no line
// runs through a draw by 9.6.2, and a position past it is Never. A caller with other rules clears the counter first.
// Without a side the answer is Unknown.
func (s *Solver) Ask(pos *legal.Position, side legal.Side, limit int) Answer {
	if pos == nil || side != legal.White && side != legal.Black {
		return Answer{Verdict: Unknown, Reason: NobodyAsks}
	}
	a := s.decide(pos, side, max(limit, 0))
	if a.Verdict == Possible && !s.check.mates(pos, side, a.Line) {
		// One process watches every board of a computer: an error here costs an answer and not the boards.
		return Answer{Verdict: Unknown, Reason: Internal, Nodes: a.Nodes}
	}
	return a
}

// decide tries the cheap tests first. Mate comes before material: a set-up board may show a mate that no game can
// reach.
func (s *Solver) decide(pos *legal.Position, side legal.Side, limit int) Answer {
	switch pos.Outcome() {
	case legal.Checkmate:
		if pos.Turn() == side {
			return Answer{Verdict: Never, Reason: Over}
		}
		return Answer{Verdict: Possible, Reason: Played, Line: []legal.Move{}}
	case legal.Stalemate, legal.Move75:
		return Answer{Verdict: Never, Reason: Over}
	}
	mat := materialOf(pos)
	if mat.barren(side) && !inCheckOutOfTurn(pos) {
		return Answer{Verdict: Never, Reason: Material}
	}
	p := progress{pos: pos, side: side, mat: mat, limit: limit}
	return s.search(&p)
}

// inCheckOutOfTurn reports whether the player who is NOT to move is in check, which happens only after an illegal move
// that stands (A.5.2). The facts about material and walls were proved for positions in which check comes from the last
// move.
func inCheckOutOfTurn(pos *legal.Position) bool {
	other := pos.Turn().Other()
	return pos.Attacked(pos.KingSquare(other), pos.Turn())
}

// lastHalfMove is the count of half-moves at which a draw by seventy-five moves ends the game, unless the last one
// mated (FIDE Laws 9.6.2).
const lastHalfMove = 150

// A checker replays lines.
type checker struct {
	pos  legal.Position
	list legal.MoveList
	undo legal.Undo
}

// mates replays the line, trusting nothing: every move must be legal, the game must not end before its last move, and
// the last position must be checkmate against the other side.
func (c *checker) mates(pos *legal.Position, side legal.Side, line []legal.Move) bool {
	c.pos = *pos
	for _, m := range line {
		if c.pos.HalfMoves() >= lastHalfMove || !c.pos.Lists(m) {
			return false
		}
		c.pos.Make(m, &c.undo)
	}
	c.pos.Moves(&c.list)
	return c.list.Len() == 0 && c.pos.InCheck() && c.pos.Turn() == side.Other()
}

// mates is checker.mates for a single line.
func mates(pos legal.Position, side legal.Side, line []legal.Move) bool {
	return new(checker).mates(&pos, side, line)
}
