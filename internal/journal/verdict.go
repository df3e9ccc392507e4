package journal

import (
	"fmt"

	"boardwatchd/internal/record"
)

// Verdict is what became of a segment or of a journal.
type Verdict uint8

// The verdicts, from good to bad.
const (
	NoVerdict Verdict = iota // not read to the end yet
	Closed                   // all there, and the last record is a close record
	Unclosed                 // all there up to the end of a line, no close record: still being written, or the power went
	Torn                     // the last line is not whole, everything before it is there
	Corrupt                  // something is damaged or missing before the end
)

var verdictNames = [...]string{"none", "closed", "unclosed", "torn", "corrupt"}

func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// Cause is what is wrong at a place of a journal.
type Cause uint8

// The causes of damage. Only TornTail is expected in normal life.
const (
	NoCause        Cause = iota
	TornTail             // a last line that is not whole, or a tail of NUL bytes
	BadLines             // lines that are not records
	Hole                 // sequence numbers are missing
	ChainBreak           // a good line that does not follow the one before it
	OutOfOrder           // a sequence number that was there before
	TimeBackwards        // a time smaller than the one before it
	MissingSegment       // a segment's file is not there
	Unreadable           // the file cannot be read on
)

var causeNames = [...]string{"none", "torn tail", "bad lines", "hole", "chain break", "out of order",
	"time runs backwards", "missing segment", "unreadable"}

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
	Lines    int64      // how many lines are concerned
	Offset   int64      // of the first byte concerned
	Bytes    int64      // how many bytes are concerned
	Cause    Cause      //
	Problem  string     // in words
	From, To record.Seq // the records that are lost by it; 0, 0 when none or unknown
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

// Segment is what is known about one file of a journal.
type Segment struct {
	Name        string // the file's name; empty for a stream
	Number      int    // 1 for NAME.bwj, 2 for NAME.2.bwj …
	Verdict     Verdict
	First, Last record.Seq // of the records that this segment gave; 0, 0 when none
	Records     int64
	Superseded  int64 // records that a later segment holds again: see "After a failure" in the package documentation
}

// Last is where a journal stands: what a writer must know to go on.
type Last struct {
	Seq     record.Seq
	At      int64
	Chain   record.Chain
	Segment int
}
