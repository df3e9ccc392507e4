package hands

import "boardwatchd/rules/legal"

// A Report is one change of a square as the board reported it.
type Report struct {
	Square  legal.Square
	Was, Is legal.Piece
	Unread  bool  // the code was none of the twelve pieces: timing notes 1.1, "magic" pieces and misreads
	At      int64 // arrival at the host, µs
}

// Lift reports whether the square became empty.
func (r Report) Lift() bool { return r.Is == legal.NoPiece }

// Kind is the kind of manipulation.
type Kind uint8

// The manipulations that two hands can share (FIDE Laws 7.5.4). A promotion that captures is a Promotion.
const (
	NoKind Kind = iota
	Capture
	Castling
	Promotion
)

var kindNames = [...]string{"none", "capture", "castling", "promotion"}

// String is the name in the journal and in the lab's files.
func (k Kind) String() string { return nameOf(kindNames[:], int(k)) }

// A Handling is the final manipulation of one committed move.
type Handling struct {
	Kind      Kind
	From, To  legal.Square // of the piece that moves; in castling the king's
	Victim    legal.Square // where the captured piece stood: To, except en passant; NoSquare where there is none
	RookFrom  legal.Square // NoSquare, except in castling
	RookTo    legal.Square
	Mover     legal.Piece // the piece that left From
	Taken     legal.Piece // the piece on Victim
	Put       legal.Piece // the piece on To in the end: Mover, except in a promotion
	Reversed  bool        // White sits at the far side: the board's own field number is then 63-n (protocol notes 5.2)
	Reports   []Report    // all of this move by arrival: also hesitations, other squares and the other side's
	Trouble   bool        // a gap, a dump or a reconnection lies inside: the windows mean nothing
	Unpressed bool        // the move was never completed by a press, and Laws 7.5.4 needs one
}

// HandlingOf returns what a move requires of the hands on a board, without the reports.
func HandlingOf(board *legal.Placement, m legal.Move) Handling {
	d := Handling{From: m.From(), To: m.To(), Victim: m.Victim(), RookFrom: legal.NoSquare, RookTo: legal.NoSquare, Mover: board[m.From()]}
	d.Put = d.Mover
	if d.Victim < legal.NoSquare {
		d.Kind, d.Taken = Capture, board[d.Victim]
	}
	if m.IsCastling() {
		d.Kind, d.RookFrom, d.RookTo = Castling, m.RookFrom(), m.RookTo()
	}
	if p := m.Promotion(); p != legal.NoKind {
		d.Kind, d.Put = Promotion, legal.PieceOf(d.Mover.Side(), p)
	}
	return d
}

// Order is the order in which the board visits its squares. Timing notes 1.4.
type Order uint8

// The orders that are tried. Field 0 is a8, 63 is h1 (protocol notes 5.2).
const (
	UnknownOrder  Order = iota
	Raster              // 0, 1, 2 … 63
	RasterReverse       // 63 … 0
	Column              // 0, 8, 16 … 56, 1, 9 …
	ColumnReverse
	Batch // all at one instant, or reported at the end of a scan
)

var orderNames = [...]string{"unknown", "raster", "raster reversed", "columns", "columns reversed", "batch"}

// String is the name in the journal and on the page.
func (o Order) String() string { return nameOf(orderNames[:], int(o)) }

// Slot returns when a field is visited, in 64ths of the period.
func (o Order) Slot(field int) int64 {
	field &= 63
	switch o {
	case Raster:
		return int64(field)
	case RasterReverse:
		return int64(63 - field)
	case Column:
		return int64(field&7<<3 | field>>3)
	case ColumnReverse:
		return int64(63 - (field&7<<3 | field>>3))
	}
	return 0
}

// Field returns the board's own number of a square: a8 is 0 and h1 is 63, or the reverse where White sits at the far
// side (protocol notes 5.2).
func Field(sq legal.Square, reversed bool) int {
	n := int(sq) ^ 56
	if reversed {
		n = 63 - n
	}
	return n & 63
}

// A Sensor is the board's scan as far as it is known. A report of field f arrives Slot(f)·PeriodUS/64 after the
// beginning of a scan, give or take the jitter of the line.
type Sensor struct {
	PeriodUS int64 // of one full scan
	Fit      int32 // 1000·R, timing notes 1.4
	Order    Order
	Lead     int32 // permille by which the order fits better than the best of the others
	JitterUS int64 // spread of the arrivals round the lattice
	Moves    int   // the number that the estimate rests on
}

// Pace is how fast the player's hands may have been, in permille of the standard time of a move (Tempo).
type Pace struct{ Usual, Fastest int32 }

// Abstention is the reason for no judgement, or for none to act upon.
type Abstention uint8

// The reasons to abstain (timing notes 3.1). SlowScan alone leaves a likelihood ratio, for the record only.
const (
	Spoke         Abstention = iota // a judgement was made
	NoSensor                        // too few moves for the fit that they show
	PoorFit                         // reports do not follow a scan: bus mode, Bluetooth jitter
	SlowScan                        // beyond PeriodMost
	NotPressed                      // the move was not completed by a press
	Trouble                         // gap, dump, reconnection inside
	TooFewReports                   // a change of this move was never reported
	Bounce                          // a piece left its square and was back again: flicker, or a hesitation too near
	Transient                       // the mover or the captured piece was read on a third square
	UnreadPiece                     // a code that is no piece
	WrongPiece                      // a square of the move showed a piece that does not belong to it
	OtherSide                       // a piece of the opponent that is not captured moved meanwhile
	OtherPiece                      // the player touched something else meanwhile
	NotThisKind                     // no capture, castling or promotion, or squares that make none
)

var abstentionNames = [...]string{
	"spoke", "no sensor", "poor fit", "slow scan", "not pressed", "trouble", "too few reports", "bounce", "transient",
	"unread piece", "wrong piece", "other side", "other piece", "not this kind",
}

// String is the name in the journal.
func (a Abstention) String() string { return nameOf(abstentionNames[:], int(a)) }

// Air is whether king and rook were off the board at one instant. It is judged only in castling: in a capture two
// pieces in the air are the normal picture of one hand, and prove nothing (timing notes 3.4).
type Air uint8

// The answers.
const (
	NotAsked Air = iota
	Apart        // one was back on the board before the other left
	MaybeTogether
	Together // whatever happened between the scans
)

var airNames = [...]string{"not asked", "apart", "maybe together", "together"}

// String is the name in the journal.
func (a Air) String() string { return nameOf(airNames[:], int(a)) }

// A Window is one change with the time in which it must have happened.
type Window struct {
	Square legal.Square
	Piece  legal.Piece // the piece that left or came
	Lift   bool
	Hidden bool  // never reported: it happened in the same scan as the next change of this square
	LoUS   int64 // it happened after this
	HiUS   int64 // it happened not after this, on the host's line
}

// A Judgement is the result of judging the timing of one handling.
type Judgement struct {
	Known   bool       // a result that may be acted upon
	Abstain Abstention // the reason why there is none
	Kind    Kind
	LLR     int32 // milli-nats: ln p(reports | two hands) − ln p(reports | one hand), before any cap
	// Like LLR, which is the smallest over the paces that the player may have had; this is the largest.
	Most  int32
	InAir Air // castling only
	// Permille: how far apart the two lifts are, relative to the king's flight or to the whole capture.
	Apart int32
	// Castling, permille of the king's flight: how far the rook's lift is from the king's landing.
	Follows     int32
	Uneven      int32    // castling, permille: how much longer one of the two pieces flew than the other
	SameLanding bool     // castling: king and rook were first seen on their squares in the same scan
	TotalUS     int64    // from the first change to the last
	Windows     []Window // the time line, in order of HiUS
}

// Silent reports whether there is no result even for the record.
func (j Judgement) Silent() bool { return j.Abstain != Spoke && j.Abstain != SlowScan }

func nameOf(names []string, n int) string {
	if n < len(names) {
		return names[n]
	}
	return "unknown"
}
