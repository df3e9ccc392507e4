package detector

import "boardwatchd/detector/evidence"

// This file computes when inputs can have arrived that waited while the program stood still, and came in one read.
//
// Only the chess clock counts the time of a standstill. A side whose display went down by n seconds ran for more than
// n-1 seconds, and the readings came in order: so each input has a window. Where the clock was stopped or not read,
// only the standstill itself is known.

// Waited returns the windows in which inputs arrived that were read together after a standstill of the program. The
// readings represent the inputs, in order; nil is an input that is no reading of the clock. Both ends of the windows
// never decrease. Hi is the stamp of such an input: as usual, a stamp is the latest time at which the input can have
// arrived.
func Waited(still evidence.Window, readings []*evidence.ClockReading) []evidence.Window {
	list := make([]evidence.Window, len(readings))
	counted := make([]int64, len(readings)) // µs that the displays have counted up to the last reading
	var last *evidence.ClockReading
	sum := int64(0)
	for i, r := range readings {
		if r != nil && !r.Missing {
			sum += r.Since(last)
			last = r
		}
		counted[i] = sum
	}
	if sum-waitedSlackUS > still.Hi-still.Lo {
		sum = 0 // the clock was set, or runs faster than real time: it measures nothing
		clear(counted)
	}
	next := sum // counted at the next reading
	for i := len(readings) - 1; i >= 0; i-- {
		if r := readings[i]; r != nil && !r.Missing {
			next = counted[i]
		}
		list[i] = evidence.Window{
			Lo: max(still.Lo, still.Lo+counted[i]-waitedSlackUS),
			Hi: min(still.Hi, still.Hi-(sum-next)+waitedSlackUS),
		}
	}
	return list
}
