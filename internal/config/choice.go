package config

// Types for keys with a fixed set of values. The zero of each type is invalid, so that a forgotten default is noticed.

// ClockSide is the side of White's clock face, as seen from the display.
type ClockSide uint8

// The values of boards.white_clock.
const (
	NoClockSide ClockSide = iota
	ClockAuto             // found by the start position
	ClockLeft
	ClockRight
)

var clockSideNames = []string{"auto", "left", "right"}

func (s ClockSide) String() string { return word(clockSideNames, uint8(s)) }

// Chess960 determines whether shuffled start positions are recognised.
type Chess960 uint8

// The values of boards.chess960.
const (
	NoChess960     Chess960 = iota
	Chess960Auto            // a start position that is not the orthodox one is Chess960
	Chess960Always          // castling is Chess960 castling even from the orthodox array
	Chess960Never           // only the orthodox array starts a game
)

var chess960Names = []string{"auto", "always", "never"}

func (c Chess960) String() string { return word(chess960Names, uint8(c)) }

// Level is the least severity that is logged.
type Level uint8

// The values of log.level.
const (
	NoLevel Level = iota
	Debug
	Info
	Warn
	Error
)

var levelNames = []string{"debug", "info", "warn", "error"}

func (l Level) String() string { return word(levelNames, uint8(l)) }

// Format is the shape of the log's lines.
type Format uint8

// The values of log.format.
const (
	NoFormat   Format = iota
	FormatAuto        // text for people on a terminal, JSON elsewhere
	FormatJSON
	FormatHuman
)

var formatNames = []string{"auto", "json", "human"}

func (f Format) String() string { return word(formatNames, uint8(f)) }

// Audience is the group that may read the metrics.
type Audience uint8

// The values of http.metrics.
const (
	NoAudience Audience = iota
	Local               // programs on this computer, and paired devices
	LAN                 // everybody who can reach the page
)

var audienceNames = []string{"local", "lan"}

func (a Audience) String() string { return word(audienceNames, uint8(a)) }

func word(names []string, v uint8) string {
	if v == 0 || int(v) > len(names) {
		return "invalid"
	}
	return names[v-1]
}
