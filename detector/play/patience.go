package play

// Every duration of this package, in microseconds, each with its reason.
const (
	// lateUS: an image that appears later than this after the report of a press hardly belongs to before it.
	lateUS = 350_000
	// passingUS: a piece that is put down is released for longer than this before it, or a piece that it attacks, is
	// touched.
	passingUS = 300_000
	// quietImageUS: without a clock, an image that stays so long is more than a stage on a hand's way.
	quietImageUS = 150_000
	// firmUS: an image that stays so long was hardly a stop on the way; four scans of a slow board.
	firmUS = 1_000_000
	// backUS: without a clock, an earlier position must stay so long to be a take-back.
	backUS = 2_000_000
	// quickestUS: without a clock, two hands need at least so long for a ply.
	quickestUS = 500_000
	// hastyUS and calmUS: without a clock, plies that no dump shows are the less likely, the less time each had.
	hastyUS, calmUS = 1_500_000, 4_000_000
	// lastPlyUS: without a clock, a ply that stays so long needs no reply to be known.
	lastPlyUS = 10_000_000
)

// grades are the weights of an image without a clock, by how long it stayed. The weight is in quarters.
var grades = [...]struct {
	stoodUS int64
	weight  Cost
}{{0, 1}, {quietImageUS, fullWeight}, {firmUS, firmWeight}, {backUS, firmWeight}, {lastPlyUS, 2 * fullWeight}}

const (
	fullWeight Cost = 4
	firmWeight      = fullWeight * 3 / 2
	quietGrade      = 1 // also for an image that one dump has shown
	firmGrade       = 2 // also for an image that two dumps have shown
)

// CarriedOffUS is how long a captured piece may be seen on a neighbouring square while it is carried off
// (reconstruction notes, row 20), and StillUS how long a placement must have been on the board before that to be a
// finished move.
const (
	CarriedOffUS = 1_500_000
	StillUS      = 300_000
)

// BounceUS is the time within which a lever that comes back was not pressed on purpose: it bounced, or a sleeve caught
// it.
const BounceUS = 1_300_000

// PushedUS is how long before a press the opponent's piece must have come to rest for the player's own hand or sleeve
// to be as likely as a reply: where a reply waits for the press, the two are closer in time.
const PushedUS = 150_000
