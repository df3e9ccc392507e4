package players

import (
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// Tempo is how fast a pair of players is. Medians in µs; the shapes around them
// are in spreads.go.
type Tempo struct {
	Hand  int   // permille of the reaching time of a trained hand: blitz 750, classical 1,700 (timing notes, section 3.6)
	Press int64 // from the last piece to the clock
	Think int64 // from the opponent's press to the first touch
	React int64 // at least this long, however little there is to think about
}

// The three tempos. Blitz is the one that the recordings show.
var (
	// measured: no first touch is seen before the message of the press it answers.
	Blitz     = Tempo{Hand: 750, Press: 330_000, Think: 3_000_000, React: 800_000}
	Rapid     = Tempo{Hand: 1100, Press: 500_000, Think: 9_000_000, React: 1_000_000}
	Classical = Tempo{Hand: 1700, Press: 810_000, Think: 60_000_000, React: 1_500_000}
)

// Hands writes down what people do at the table as acts on a time line. Each
// verb begins at Now and moves Now to its end. The pieces that stand on the
// table are followed as people see them, which is not always what the coils see.
type Hands struct {
	Now   int64
	tempo Tempo
	rng   random.Source
	table legal.Placement
	blind [64]bool // stands or lies there, but the coil cannot read it
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

// Take hands over the acts written since the last Take.
func (h *Hands) Take() []emulator.Act {
	acts := h.acts
	h.acts = nil
	return acts
}

// Table is what stands on the board, as people see it.
func (h *Hands) Table() legal.Placement { return h.table }

// Wait lets time pass.
func (h *Hands) Wait(us int64) { h.Now += us }

func (h *Hands) sense(at int64, sq legal.Square, p legal.Piece) {
	h.acts = append(h.acts, emulator.Act{At: at, Verb: emulator.Sense, Square: sq, Piece: p})
}

// Lift takes the piece off a square; it is in the hand now.
func (h *Hands) Lift(sq legal.Square) {
	p := h.table[sq]
	h.sense(h.Now, sq, legal.NoPiece)
	h.table[sq], h.blind[sq] = legal.NoPiece, false
	if p != legal.NoPiece {
		h.held = append(h.held, p)
	}
}

// Put sets down the piece taken last.
func (h *Hands) Put(sq legal.Square) {
	if p := h.release(); p != legal.NoPiece {
		h.stand(sq, p)
	}
}

// PutPiece sets down a piece that may come from beside the board; one of its
// kind in the hand is used first.
func (h *Hands) PutPiece(sq legal.Square, p legal.Piece) {
	h.DropPiece(p)
	h.stand(sq, p)
}

// PutUnreadable sets down a piece that the board cannot read: upside down, or
// without a coil. Its square stays empty on the wire.
func (h *Hands) PutUnreadable(sq legal.Square, p legal.Piece) {
	h.DropPiece(p)
	h.table[sq], h.blind[sq] = p, true
	h.sense(h.Now, sq, legal.NoPiece)
}

func (h *Hands) stand(sq legal.Square, p legal.Piece) {
	h.table[sq], h.blind[sq] = p, false
	h.sense(h.Now, sq, p)
}

// Drop puts the piece taken last beside the board.
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

// Held is the piece taken last, NoPiece for an empty hand.
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

// Knock lays a piece over: it is there, but its coil is out of reach.
func (h *Hands) Knock(sq legal.Square) {
	h.blind[sq] = h.table[sq] != legal.NoPiece
	h.sense(h.Now, sq, legal.NoPiece)
}

// Stand sets a fallen piece up again.
func (h *Hands) Stand(sq legal.Square) { h.stand(sq, h.table[sq]) }

// Slide pushes a piece along the board; every coil on its way may see it, and
// while it is over a border zero, one or two of them do. Between squares that
// are not on one line the piece goes straight, without being seen on the way.
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
	// measured: rooks and queens that are pushed are seen on about half of the
	// squares they cross by a 225 ms scan.
	slideStepUS = 120_000
	borderUS    = 20_000 // how far from the border a coil begins or ceases to see the piece
)

// clock verbs: the side is a player's; the equipment knows where he sits.

// Press brings a player's end of the lever down.
func (h *Hands) Press(side legal.Side) { h.clockAct(emulator.PressOf, side, 0) }

// Run starts a player's clock with the start button.
func (h *Hands) Run(side legal.Side) { h.clockAct(emulator.RunOf, side, 0) }

// Pause stops both clocks.
func (h *Hands) Pause() { h.clockAct(emulator.PauseAll, legal.NoSide, 0) }

// Lever moves the lever of a stopped clock so that it is that player's turn.
func (h *Hands) Lever(turn legal.Side) { h.clockAct(emulator.LeverTo, turn, 0) }

// SetTime edits a player's time.
func (h *Hands) SetTime(side legal.Side, us int64) { h.clockAct(emulator.SetTime, side, us) }

// AddTime edits a player's time by a difference.
func (h *Hands) AddTime(side legal.Side, us int64) { h.clockAct(emulator.AddTime, side, us) }

// DropFlag makes a player's last flag fall.
func (h *Hands) DropFlag(side legal.Side) { h.clockAct(emulator.DropFlag, side, 0) }

// Unplug pulls the clock's plug out of the board; Plug puts it back.
func (h *Hands) Unplug() { h.clockAct(emulator.ClockOut, legal.NoSide, 0) }

// Plug puts the clock's plug back into the board.
func (h *Hands) Plug() { h.clockAct(emulator.ClockIn, legal.NoSide, 0) }

func (h *Hands) clockAct(v emulator.Verb, side legal.Side, us int64) {
	h.acts = append(h.acts, emulator.Act{At: h.Now, Verb: v, Side: side, US: us})
}

func (h *Hands) cue(ref int) {
	h.acts = append(h.acts, emulator.Act{At: h.Now, Verb: emulator.Cue, Ref: ref})
}

// scaled stretches a duration of a fast hand to these players' hands.
func (h *Hands) scaled(us int64) int64 { return us * int64(h.tempo.Hand) / handBlitz }

// handBlitz is the tempo at which the constants of this package were measured.
const handBlitz = 750

// reachUS is 100 ms + 95 ms × log2(2D/3 cm) for D = 0, 1, 2 … squares of 5.5 cm.
// timing notes, section 3.6 (Fitts), and 50 ms more: with less, more than the
// recorded 1.3 % of simple moves are seen placed before they are lifted.
var reachUS = [...]int64{150_000, 278_000, 373_000, 428_000, 468_000, 498_000, 523_000, 545_000, 563_000, 580_000, 595_000}

// carry draws the time from lifting a piece to setting it down.
func (h *Hands) carry(from, to legal.Square) int64 {
	base := reachUS[distance(from, to)] * int64(h.tempo.Hand) / 1000
	return h.rng.Around(base, &spreadTight)
}

// distance in squares, as the hand goes, rounded down.
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
