package players

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// Truth is the record of the events at the table so far, for comparison with a watcher's output.
type Truth struct {
	Games     []GameTruth
	Placement legal.Placement // the pieces above the coils now, by the names of the squares
}

// GameTruth is one game.
type GameTruth struct {
	Start   legal.Setup
	StartAt int64 // the clock was started, or the first player began to think
	EndAt   int64 // 0 while it is played
	Moves   []MoveTruth
	End     End
	Result  string // "1-0", "0-1", "1/2-1/2" or "*"

	Offences  []Offence
	Innocents []Innocent
}

// Offence is a fault of a player, with its name in the laws notes. The name of a transfer is that of rules/legal
// Explain in the position before.
type Offence struct {
	Ply       int // of the move that it replaces or accompanies
	Side      legal.Side
	Kind      kinds.Kind
	Way       string          // one of several ways of doing it, or ""
	UCI       string          // "" if it is not a transfer
	FEN       string          // the position before
	At        int64           // time when it was on the board
	PressAt   int64           // time of the press; NotPressed: out of turn, or the flag fell first
	DoneAt    int64           // end of the part of the move after the press; 0 for none
	Placement legal.Placement // at the press
	Answered  bool            // the opponent had moved before the press
	After     After
	// Stands is the position from which the game continued if the offence was not dealt with: the ply then has no move
	// in Moves. Otherwise its Turn is NoSide.
	Stands     legal.Setup
	Restored   bool // the pieces are as before, or as the legal move left them
	RestoredAt int64
	Clock      ClockEdit // the arbiter's edit
}

// Innocent is an action that only looks like an offence.
type Innocent struct {
	Ply    int
	Side   legal.Side // side to move
	Kind   string     // a name of InnocentNames
	Detail string     // illegal_corrected: the kind it would have been
	At     int64
}

// Step is one ply of a game that counts.
type Step struct {
	Ply     int
	UCI     string // "" for an offence that stands
	Move    legal.Move
	Before  legal.Position
	Offence *Offence // the offence that stays instead of a move
}

// Line returns the plies of a game that count, in order: the legal moves, and the offences that stay because they were
// not dealt with. The last result is the position reached.
func (g *GameTruth) Line() (steps []Step, last legal.Position) {
	pos, err := g.Start.Position()
	if err != nil {
		return nil, pos
	}
	moves, offences := g.Moves, g.Offences
	for {
		for len(offences) > 0 && offences[0].Stands.Turn == legal.NoSide {
			offences = offences[1:]
		}
		switch {
		case len(offences) > 0 && (len(moves) == 0 || offences[0].Ply < moves[0].Ply):
			o := &offences[0]
			steps = append(steps, Step{Ply: o.Ply, Before: pos, Offence: o})
			if pos, err = o.Stands.Standing(); err != nil {
				return steps, pos
			}
			offences = offences[1:]
		case len(moves) > 0:
			m := &moves[0]
			steps = append(steps, Step{Ply: m.Ply, UCI: m.UCI, Move: m.Move, Before: pos})
			pos = pos.After(m.Move)
			moves = moves[1:]
		default:
			return steps, pos
		}
	}
}

// ply returns the move of a ply, nil if there is none.
func (g *GameTruth) ply(n int) *MoveTruth {
	for i := len(g.Moves) - 1; i >= 0; i-- {
		if g.Moves[i].Ply == n {
			return &g.Moves[i]
		}
	}
	return nil
}

// MoveTruth is one move that was made on the board.
type MoveTruth struct {
	Ply      int // 1 is the first move of the game
	Side     legal.Side
	Move     legal.Move
	UCI, SAN string
	LiftAt   int64    // the first movement of the hand, a hesitation included
	PlacedAt int64    // the last piece of the move was on the board, or was removed
	PressAt  int64    // NotPressed: the clock was not pressed, or there is none
	Left     [2]int64 // White's and Black's time after the press, whole seconds as displayed
	Extra    Extra
}

// NotPressed is the PressAt of a move without a press.
const NotPressed int64 = -1

// Extra is a set of actions that honest players add to a move.
type Extra uint16

// The extras.
const (
	Hesitated    Extra = 1 << iota // lifted, put back, moved after all
	TouchedOther                   // another own piece was lifted and put back first
	Adjusted                       // a piece of the other side was adjusted in the opponent's time
	ChangedMind                    // released on another square first
	EarlyReply                     // made before the opponent's press
	LongThink
)

// Moves counts the moves of all games.
func (t *Truth) Moves() int {
	n := 0
	for i := range t.Games {
		n += len(t.Games[i].Moves)
	}
	return n
}

func (t *Truth) game() *GameTruth { return &t.Games[len(t.Games)-1] }
