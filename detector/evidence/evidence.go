package evidence

// A Seq is the sequence number of the journal record that an input came from: the handle of all evidence.
type Seq int64

// A Window is the time within which something happened, not before Lo and not after Hi, in microseconds of the
// journal's time line. Sensors report late, so a time is never a point.
type Window struct{ Lo, Hi int64 }

// A Stamp is the place of an input in the journal: its record, and that record's arrival time in microseconds.
type Stamp struct {
	Seq    Seq
	At     int64
	Waited bool // it arrived while the program stood still: At is only the latest possible time
}
