package journal

import (
	"fmt"

	"boardwatchd/internal/record"
)

// Verdict is the state of a segment or of a journal.
type Verdict uint8

// The verdicts, from good to bad.
const (
	NoVerdict Verdict = iota // not read to the end yet
	Closed                   // complete, and the last record is a close record
	Unclosed                 // complete up to the end of a line, no close record: still being written, or a power cut
	Torn                     // the last line is incomplete, everything before it is complete
	Corrupt                  // something is damaged or missing before the end
)

var verdictNames = [...]string{"none", "closed", "unclosed", "torn", "corrupt"}

func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// Cause is the kind of damage at a place of a journal.
type Cause uint8

// The causes of damage. Only TornTail is expected in normal operation.
const (
	NoCause        Cause = iota
	TornTail             // an incomplete last line, or a tail of NUL bytes
	BadLines             // lines that are not records
	Hole                 // sequence numbers are missing
	ChainBreak           // a good line that does not follow the one before it
	OutOfOrder           // a sequence number that occurred before
	TimeBackwards        // a time smaller than the one before it
	MissingSegment       // a segment's file is missing
	Unreadable           // reading the file fails
	LeftOut              // good lines after a place from which a later segment continues
)

var causeNames = [...]string{"none", "torn tail", "bad lines", "hole", "chain break", "out of order",
	"time runs backwards", "missing segment", "unreadable", "left out"}

func (c Cause) String() string {
	if int(c) < len(causeNames) {
		return causeNames[c]
	}
	return fmt.Sprintf("Cause(%d)", uint8(c))
}

// Damage is one damaged place. Neighbouring bad lines are one damage.
type Damage struct {
	Segment  string     // the file's name; empty for a stream
	Line     int64      // the first line concerned, from 1; 0 for a whole segment
	Lines    int64      // the number of lines concerned
	Offset   int64      // of the first byte concerned
	Bytes    int64      // the number of bytes concerned
	Cause    Cause      //
	Problem  string     // in words
	From, To record.Seq // the records that are lost; 0, 0 if none or unknown
}

func (d Damage) String() string {
	s := d.Problem
	if d.From > 0 {
		s += fmt.Sprintf("; lost: records %d to %d", d.From, d.To)
	}
	where := d.Segment
	switch {
	case d.Lines > 1:
		where = fmt.Sprintf("%s lines %d to %d (byte %d)", where, d.Line, d.Line+d.Lines-1, d.Offset)
	case d.Line > 0:
		where = fmt.Sprintf("%s line %d (byte %d)", where, d.Line, d.Offset)
	}
	if where == "" {
		return fmt.Sprintf("%s: %s", d.Cause, s)
	}
	return fmt.Sprintf("%s: %s: %s", where, d.Cause, s)
}

// Segment describes one file of a journal.
type Segment struct {
	Name        string // the file's name; empty for a stream
	Number      int    // 1 for NAME.bwj, 2 for NAME.2.bwj …
	Verdict     Verdict
	First, Last record.Seq // of the records that this segment returned; 0, 0 if none
	Records     int64
	Superseded  int64 // records that a later segment contains again: see "After a failure" in the package documentation
}

// Last is the state of a journal that a writer needs to continue it.
type Last struct {
	Seq     record.Seq
	At      int64
	Chain   record.Chain
	Segment int
}
