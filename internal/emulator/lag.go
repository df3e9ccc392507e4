package emulator

import (
	"fmt"

	"boardwatchd/internal/random"
)

// Lag names a model of the delay from the clock's display to the board. The header of the protocol says "up to one
// second"; the recordings exclude plain polling for that hardware. DGT protocol notes, section 6.7.
type Lag uint8

// The models.
const (
	LagUnset      Lag = iota // means LagAsRecorded
	LagAsRecorded            // a steady delay near 0.67 s per board: ticks between the last piece and the press as recorded
	LagNone                  // the clock pushes every change, at once (a DGT3000 on I2C)
	LagFixed                 // a steady delay of LagUS
	LagUniform               // each change 0 to 1,000 ms late, in order: the worst documented case
	LagPolled                // the board polls every 330 to 500 ms and misses changes in between (Bluetooth 2.10)
)

func (l Lag) String() string {
	names := [...]string{"unset", "recorded", "none", "fixed", "uniform", "polled"}
	if int(l) < len(names) {
		return names[l]
	}
	return fmt.Sprintf("lag(%d)", uint8(l))
}

const (
	// Measured: with the presses of two blitz players this centre gives 14 % no tick, 77 % one, 8 % two between the
	// last field update and the press.
	recordedLagUS       = 670_000
	recordedLagSpreadUS = 60_000 // between boards
	recordedLagJitterUS = 15_000 // between messages of one board
	pollMinUS           = 330_000
	pollMaxUS           = 500_000
)

// relay carries the display of the clock to the board: delayed, but in order.
type relay struct {
	model   Lag
	steady  int64
	rng     random.Source
	queue   []faceAt
	head    int
	pollAt  int64
	current [7]byte // the display as the board knows it
}

type faceAt struct {
	at   int64
	face [7]byte
}

func newRelay(o ClockOptions, r random.Source) relay {
	y := relay{model: o.Lag, steady: o.LagUS, rng: r, pollAt: never}
	if y.model == LagUnset {
		y.model = LagAsRecorded
	}
	if y.model == LagAsRecorded && y.steady == 0 {
		y.steady = recordedLagUS + y.rng.Between(-recordedLagSpreadUS, recordedLagSpreadUS)
	}
	if y.model == LagPolled {
		y.pollAt = y.rng.Between(pollMinUS, pollMaxUS)
	}
	return y
}

// changed takes a new display.
func (y *relay) changed(now int64, face [7]byte) {
	due := now
	switch y.model {
	case LagPolled:
		return // fetched at the next poll
	case LagFixed:
		due += y.steady
	case LagUniform:
		due += y.rng.Below(second + 1)
	case LagAsRecorded:
		due += y.steady + y.rng.Between(-recordedLagJitterUS, recordedLagJitterUS)
	}
	if n := len(y.queue); n > y.head && y.queue[n-1].at > due {
		due = y.queue[n-1].at
	}
	y.queue = append(y.queue, faceAt{at: due, face: face})
}

func (y *relay) next() int64 {
	if y.head < len(y.queue) {
		return y.queue[y.head].at
	}
	return y.pollAt
}

// arrive updates the board's knowledge; face is the present display. It reports whether anything changed.
func (y *relay) arrive(now int64, face [7]byte) bool {
	was := y.current
	if y.model == LagPolled {
		y.current = face
		y.pollAt = now + y.rng.Between(pollMinUS, pollMaxUS)
		return y.current != was
	}
	y.current = y.queue[y.head].face
	y.head++
	if y.head == len(y.queue) {
		y.queue, y.head = y.queue[:0], 0
	}
	return y.current != was
}
