package players

import (
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// Tempo is the speed of a pair of players. Medians in µs; the distributions around them are in spreads.go.
type Tempo struct {
	Hand  int   // permille of the reaching time of a trained hand: blitz 750, classical 1,700 (timing notes, section 3.6)
	Press int64 // from the last piece to the clock
	Think int64 // from the opponent's press to the first touch
	React int64 // the least thinking time in any position
}

// The three tempos. Blitz is the one of the recordings.
var (
	// Measured: a first touch is never seen before the message of the press that it answers.
	Blitz     = Tempo{Hand: 750, Press: 330_000, Think: 3_000_000, React: 800_000}
	Rapid     = Tempo{Hand: 1100, Press: 500_000, Think: 9_000_000, React: 1_000_000}
	Classical = Tempo{Hand: 1700, Press: 810_000, Think: 60_000_000, React: 1_500_000}
)

// Hands writes people's actions at the table as acts with times. Each verb begins at Now and advances Now to its end.
// The table holds the actual pieces, which the coils do not always detect.
type Hands struct {
	Now   int64
	tempo Tempo
	rng   random.Source
	table legal.Placement
	blind [64]bool // there is a piece, but the coil cannot read it
	held  []legal.Piece
	acts  []emulator.Act
}

// NewHands returns hands at rest over a table.
func NewHands(at int64, table legal.Placement, tempo Tempo, seed uint64) *Hands {
	return newHands(at, table, tempo, random.New(seed))
}

func newHands(at int64, table legal.Placement, tempo Tempo, rng random.Source) *Hands {
	return &Hands{Now: at, table: table, tempo: tempo, rng: rng}
}

// Take returns the acts written since the last Take.
func (h *Hands) Take() []emulator.Act {
	acts := h.acts
	h.acts = nil
	return acts
}

// Table returns the actual pieces on the board.
func (h *Hands) Table() legal.Placement { return h.table }

// Wait lets time pass.
func (h *Hands) Wait(us int64) { h.Now += us }

func (h *Hands) sense(at int64, sq legal.Square, p legal.Piece) {
	h.acts = append(h.acts, emulator.Act{At: at, Verb: emulator.Sense, Square: sq, Piece: p})
}

// Lift takes the piece off a square into the hand.
func (h *Hands) Lift(sq legal.Square) {
	p := h.table[sq]
	h.sense(h.Now, sq, legal.NoPiece)
	h.table[sq], h.blind[sq] = legal.NoPiece, false
	if p != legal.NoPiece {
		h.held = append(h.held, p)
	}
}

// Put puts down the piece that was lifted last.
func (h *Hands) Put(sq legal.Square) {
	if p := h.release(); p != legal.NoPiece {
		h.stand(sq, p)
	}
}

// PutPiece puts down a piece that may come from beside the board; one of its kind in the hand is used first.
func (h *Hands) PutPiece(sq legal.Square, p legal.Piece) {
	h.DropPiece(p)
	h.stand(sq, p)
}

// PutUnreadable puts down a piece that the board cannot read: upside down, or without a coil. Its square stays empty on
// the wire.
func (h *Hands) PutUnreadable(sq legal.Square, p legal.Piece) {
	h.DropPiece(p)
	h.table[sq], h.blind[sq] = p, true
	h.sense(h.Now, sq, legal.NoPiece)
}

func (h *Hands) stand(sq legal.Square, p legal.Piece) {
	h.table[sq], h.blind[sq] = p, false
	h.sense(h.Now, sq, p)
}

// Drop puts the piece that was lifted last beside the board.
func (h *Hands) Drop() { h.release() }

// DropPiece puts one held piece of that kind beside the board.
func (h *Hands) DropPiece(p legal.Piece) {
	for i := len(h.held) - 1; i >= 0; i-- {
		if h.held[i] == p {
			h.held = append(h.held[:i], h.held[i+1:]...)
			return
		}
	}
}

// Hold takes a spare piece into the hand.
func (h *Hands) Hold(p legal.Piece) { h.held = append(h.held, p) }

// Held returns the piece that was lifted last, NoPiece for an empty hand.
func (h *Hands) Held() legal.Piece {
	if len(h.held) == 0 {
		return legal.NoPiece
	}
	return h.held[len(h.held)-1]
}

func (h *Hands) release() legal.Piece {
	p := h.Held()
	if p != legal.NoPiece {
		h.held = h.held[:len(h.held)-1]
	}
	return p
}

// Knock knocks a piece over: it stays on the square, but the board cannot read its coil.
func (h *Hands) Knock(sq legal.Square) {
	h.blind[sq] = h.table[sq] != legal.NoPiece
	h.sense(h.Now, sq, legal.NoPiece)
}

// Stand sets a fallen piece up again.
func (h *Hands) Stand(sq legal.Square) { h.stand(sq, h.table[sq]) }

// Slide pushes a piece along the board. Every coil on its way may detect it; over a border none, one or two of them do.
// Between squares that are not on one line the piece moves directly, without being detected on the way.
func (h *Hands) Slide(from, to legal.Square) {
	piece := h.table[from]
	path := append(line8(from, to), to)
	h.table[from], h.blind[from] = legal.NoPiece, false
	at := from
	for _, sq := range path {
		step := h.scaled(h.rng.Around(slideStepUS, &spreadHand))
		border := h.Now + step/2
		h.sense(border+h.rng.Between(-borderUS, borderUS), at, legal.NoPiece)
		h.sense(border+h.rng.Between(-borderUS, borderUS), sq, piece)
		h.Now += step
		at = sq
	}
	h.table[to] = piece
}

// Nudge pushes a piece to a neighbouring square by accident.
func (h *Hands) Nudge(from, to legal.Square) { h.Slide(from, to) }

const (
	// Measured: a 225 ms scan detects pushed rooks and queens on about half of the squares they cross.
	slideStepUS = 120_000
	borderUS    = 20_000 // distance from the border at which a coil begins or ceases to detect the piece
)

// Clock verbs: the side is a player's; the equipment knows its place at the clock.

// Press moves the lever down at a player's side.
func (h *Hands) Press(side legal.Side) { h.clockAct(emulator.PressOf, side, 0) }

// Run starts a player's clock with the start button.
func (h *Hands) Run(side legal.Side) { h.clockAct(emulator.RunOf, side, 0) }

// Pause stops both clocks.
func (h *Hands) Pause() { h.clockAct(emulator.PauseAll, legal.NoSide, 0) }

// Lever moves the lever of a stopped clock so that it is that player's turn.
func (h *Hands) Lever(turn legal.Side) { h.clockAct(emulator.LeverTo, turn, 0) }

// SetTime sets a player's time.
func (h *Hands) SetTime(side legal.Side, us int64) { h.clockAct(emulator.SetTime, side, us) }

// AddTime changes a player's time by a difference.
func (h *Hands) AddTime(side legal.Side, us int64) { h.clockAct(emulator.AddTime, side, us) }

// DropFlag makes a player's last flag fall.
func (h *Hands) DropFlag(side legal.Side) { h.clockAct(emulator.DropFlag, side, 0) }

// Unplug removes the clock's plug from the board; Plug puts it back.
func (h *Hands) Unplug() { h.clockAct(emulator.ClockOut, legal.NoSide, 0) }

// Plug puts the clock's plug back into the board.
func (h *Hands) Plug() { h.clockAct(emulator.ClockIn, legal.NoSide, 0) }

func (h *Hands) clockAct(v emulator.Verb, side legal.Side, us int64) {
	h.acts = append(h.acts, emulator.Act{At: h.Now, Verb: v, Side: side, US: us})
}

func (h *Hands) cue(ref int) {
	h.acts = append(h.acts, emulator.Act{At: h.Now, Verb: emulator.Cue, Ref: ref})
}

// scaled converts a duration of a fast hand to these players' hands.
func (h *Hands) scaled(us int64) int64 { return us * int64(h.tempo.Hand) / handBlitz }

// handBlitz is the tempo at which the constants of this package were measured.
const handBlitz = 750

// reachUS is 100 ms + 95 ms × log2(2D/3 cm) for D = 0, 1, 2 … squares of 5.5 cm (timing notes, section 3.6: Fitts), and
// 50 ms more: with less, more than the recorded 1.3 % of simple moves are reported as placed before they are lifted.
var reachUS = [...]int64{150_000, 278_000, 373_000, 428_000, 468_000, 498_000, 523_000, 545_000, 563_000, 580_000, 595_000}

// carry draws the time from lifting a piece to putting it down.
func (h *Hands) carry(from, to legal.Square) int64 {
	base := reachUS[distance(from, to)] * int64(h.tempo.Hand) / 1000
	return h.rng.Around(base, &spreadTight)
}

// distance returns the length of the hand's way in squares, rounded down.
func distance(a, b legal.Square) int {
	df, dr := spanOf(a.File(), b.File()), spanOf(a.Rank(), b.Rank())
	d := 0
	for (d+1)*(d+1) <= df*df+dr*dr {
		d++
	}
	return d
}

func spanOf(a, b int) int {
	if a > b {
		return a - b
	}
	return b - a
}

// line8 lists the squares strictly between two squares of one rank, file or
// diagonal, from the first to the second; none for any other pair.
func line8(from, to legal.Square) []legal.Square {
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	n := spanOf(df, 0)
	if m := spanOf(dr, 0); m > n {
		n = m
	}
	if n < 2 || df%n != 0 || dr%n != 0 {
		return nil
	}
	var between []legal.Square
	for i := 1; i < n; i++ {
		between = append(between, legal.SquareOf(from.File()+df/n*i, from.Rank()+dr/n*i))
	}
	return between
}
