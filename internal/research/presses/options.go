package presses

// Kind is a family of clocks, by the way in which its state reaches the board (protocol notes 6.7 and 16, step 5).
type Kind uint8

// The families. The zero value lets the seed choose.
const (
	AnyClock    Kind = iota
	EventClock       // every change is reported within some milliseconds
	PolledClock      // the board reads the state about once a second
	SlowClock        // a press is reported up to two seconds late and may be swallowed
)

func (k Kind) String() string {
	return [...]string{"any", "event", "polled", "slow"}[min(k, 3)]
}

// Pace is the speed of the players.
type Pace uint8

// The paces. The zero value lets the seed choose.
const (
	AnyPace Pace = iota
	Blitz
	Rapid
	Classical
	Quick // 0.5 to 1 s a ply, calmly; the seed does not choose it
)

func (p Pace) String() string {
	return [...]string{"any", "blitz", "rapid", "classical", "quick"}[min(p, 4)]
}

// Increment is the time added at each press.
type Increment uint8

// The increments. The zero value lets the seed choose.
const (
	AnyIncrement Increment = iota
	NoIncrement
	TwoSeconds
	ThirtySeconds
)

// Seconds returns the increment in seconds; 0 for AnyIncrement.
func (i Increment) Seconds() int64 { return [...]int64{0, 0, 2, 30}[min(i, 3)] }

// Seat is White's place at the clock or at the board.
type Seat uint8

// The seats. The zero value lets the seed choose.
const (
	AnySeat    Seat = iota
	LeftOrNear      // the left side of the clock; the near side of the board (connector at White's left)
	RightOrFar      // the right side of the clock; the far side of the board (numbering reversed)
)

// Model determines the requests that the board can answer.
type Model uint8

// The models.
const (
	WiredBoard Model = iota // does not know 48, 4C and 55 and does not answer them
	NewBoard                // answers hardware version, battery and long serial number
)

// GapKind is the state that a board loses while its cable is out.
type GapKind uint8

// The kinds of gaps. The zero value lets the seed choose for every gap.
const (
	AnyGap    GapKind = iota
	KeepsMode         // the board has its own power supply: it continues reporting in the same mode
	LosesMode         // the board was powered by the cable: bus mode and IDLE after the gap (section 2)
)

// Options describe one table. Every field may be left zero.
type Options struct {
	Seed       uint64
	Plies      int // the game ends after this number; 80 if zero
	Clock      Kind
	Pace       Pace
	Increment  Increment
	WhiteClock Seat
	WhiteBoard Seat
	Model      Model
	BaseSec    int64 // thinking time; by the pace if zero
	LeadInSec  int64 // from the first instant to the start of the clock; 8 if zero

	Habits *Habits // nil: DefaultHabits

	// Offences per 10,000 plies, five times as often in check and before a promotion, and twenty times where castling
	// looks possible and is not; OffencesAfterPair is the rate directly after a pair of plies without a movement of the
	// lever, eight times Offences if zero.
	Offences          int
	OffencesAfterPair int
	RestorePercent    int // offences after which the clock is stopped; 50 if zero, never if negative

	LostBytes   int // per million bytes
	FlippedBits int // per million bytes

	Disturbed Disturbance // of one square, for the rest of the game

	Gaps        int // per 10,000 plies
	GapKind     GapKind
	Standstills int // of the host, per 10,000 plies
}

// Habits are the rates of actions of people and clocks. Rates without another unit are per 10,000 plies.
type Habits struct {
	Forget         int // no press; the opponent moves all the same
	ForgetAgain    int // the same by a player who has forgotten once, within the next two own plies
	PressAfterTalk int // no press until the opponent has replied; then a player notices
	SlowPress      int // a press two to eight seconds after the move
	Bounce         int // the lever jumps back and is down again within a tenth of a second
	DoubleTap      int // a second press on the side that is down already
	StopAfterPress int // the opponent answers the press by stopping the clock
	PauseInThink   int // the clock is stopped while the player thinks
	LeverInPause   int // per 100 pauses: the lever is moved
	Touch          int // a piece is lifted, put back, and the same piece or another one is moved
	Adjust         int // a piece is adjusted
	Slide          int // a piece is pushed along the board
	Scramble       int // an episode of 6 to 20 fast plies begins; in blitz five times as often
	WrongStart     int // per 100 games: the lever is on the wrong side when the clock is started
	SwallowFirst   int // per 100 games: a slow clock swallows the first press
	Swallow        int // a slow clock swallows this press
}

// DefaultHabits returns the rates that are used when none are given. They are invented; see the package documentation.
func DefaultHabits() Habits {
	return Habits{
		Forget: 80, ForgetAgain: 2000, PressAfterTalk: 50, SlowPress: 120, Bounce: 30, DoubleTap: 60,
		StopAfterPress: 25, PauseInThink: 40, LeverInPause: 25, Touch: 120, Adjust: 150, Slide: 500, Scramble: 40,
		WrongStart: 25, SwallowFirst: 30, Swallow: 100,
	}
}

func (o Options) filled(r *rng) Options {
	draw := func(v uint8, n int64) uint8 {
		d := uint8(1 + r.between(0, n))
		if v != 0 {
			return v
		}
		return d
	}
	o.Clock = Kind(draw(uint8(o.Clock), 3))
	o.Pace = Pace(draw(uint8(o.Pace), 3))
	o.Increment = Increment(draw(uint8(o.Increment), 3))
	o.WhiteClock = Seat(draw(uint8(o.WhiteClock), 2))
	o.WhiteBoard = Seat(draw(uint8(o.WhiteBoard), 2))
	if o.Plies == 0 {
		o.Plies = 80
	}
	if o.BaseSec == 0 {
		o.BaseSec = [...]int64{0, 300, 900, 5400, 300}[o.Pace]
	}
	if o.LeadInSec == 0 {
		o.LeadInSec = 8
	}
	if o.Habits == nil {
		h := DefaultHabits()
		o.Habits = &h
	}
	if o.OffencesAfterPair == 0 {
		o.OffencesAfterPair = 8 * o.Offences
	}
	if o.RestorePercent == 0 {
		o.RestorePercent = 50
	}
	return o
}
