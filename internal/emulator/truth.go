package emulator

import "boardwatchd/rules/legal"

// Truth is what really happened at the table so far: what a watcher's answer is
// compared with.
type Truth struct {
	Games     []GameTruth
	Placement legal.Placement // what the coils have above them now, by the names of the squares
}

// GameTruth is one game.
type GameTruth struct {
	Start   legal.Setup
	StartAt int64 // the clock was started, or the first player began to think
	EndAt   int64 // 0 while it is played
	Moves   []MoveTruth
	End     End
	Result  string // "1-0", "0-1", "1/2-1/2" or "*"
}

// MoveTruth is one move that was made on the board.
type MoveTruth struct {
	Ply      int // 1 is the first move of the game
	Side     legal.Side
	Move     legal.Move
	UCI, SAN string
	LiftAt   int64    // the first thing the hand did, a hesitation included
	PlacedAt int64    // the last piece of the move stood, or was taken away
	PressAt  int64    // NotPressed: the clock was not pressed, or there is none
	Left     [2]int64 // White's and Black's time after the press, whole seconds as displayed
	Extra    Extra
}

// NotPressed is the PressAt of a move without a press.
const NotPressed int64 = -1

// Extra is a set of things that honest players do besides the move itself.
type Extra uint16

// The extras.
const (
	Hesitated    Extra = 1 << iota // lifted, put back, moved after all
	TouchedOther                   // another own piece was lifted and put back first
	Adjusted                       // a piece of the other side was set straight in the opponent's time
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
