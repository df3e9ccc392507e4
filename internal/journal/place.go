package journal

import (
	"bytes"
	"encoding/json"
	"fmt"

	"boardwatchd/internal/record"
)

// place determines the place of a good line, and reports whether it is a record to return.
func (r *Reader) place(rec record.Record, chain record.Chain, ln line) bool {
	if r.supersededBy(rec, ln) {
		r.endRun()
		r.segments[r.at].Superseded++
		return false
	}
	if rec.Seq <= r.last.Seq {
		r.repeated(rec, ln.damage())
		return false
	}
	hole := rec.Seq > r.last.Seq+1 && (r.last.Seq > 0 || r.fromOne)
	announced := hole && announces(rec, r.last.Seq+1)
	if r.bad.lines > 0 || hole {
		r.endHole(hole && !announced, rec.Seq, ln.damage())
	}

	// The chain of the line before is known unless lines are missing, or this
	// is the first line of a segment that is read alone.
	if rec.Seq == r.last.Seq+1 || announced {
		if err := r.parser.Verify(ln.text, r.chain); err != nil {
			here := ln.damage()
			here.Cause, here.Problem = ChainBreak, err.Error()
			r.report(here)
		}
	}
	if rec.At < r.last.At {
		here := ln.damage()
		here.Cause, here.Problem = TimeBackwards, fmt.Sprintf("record %d says %d µs, record %d before it %d µs", rec.Seq, rec.At, r.last.Seq, r.last.At)
		r.report(here)
	}
	r.last, r.chain = rec, chain
	r.last.Body = nil
	seg := &r.segments[r.at]
	if seg.Records == 0 {
		seg.First = rec.Seq
	}
	seg.Last = rec.Seq
	seg.Records++
	return true
}

// damage describes the whole line, without a cause.
func (l *line) damage() Damage {
	return Damage{Line: l.number, Lines: 1, Offset: l.offset, Bytes: int64(len(l.text)) + 1}
}

// supersededBy reports whether a later segment contains this line and the rest of this segment again, because the
// writer was not sure of them and wrote them a second time. Then the later copy counts: only that one may have been
// acknowledged, and the lines here may be in any state.
func (r *Reader) supersededBy(rec record.Record, ln line) bool {
	if r.at < r.until {
		return true
	}
	next := r.last.Seq + 1
	j, ok := r.beginsAt[next]
	if !ok || j <= r.at || rec.Seq < next {
		return false
	}
	first := r.firsts[j]
	// The chain proves that the other segment continues exactly from this place: either its lines repeat these, or a
	// daemon that could not read further began it. Anything else is a file of another journal, and must not hide this
	// one.
	same := rec.Seq == next && bytes.Equal(ln.text, first.text)
	if rec.Seq == next && !same && !first.open || record.Verify(first.text, r.chain) != nil {
		return false
	}
	if first.open && !same {
		r.endRun()
		r.report(Damage{Line: ln.number, Lines: 1, Offset: ln.offset, Cause: LeftOut, Problem: fmt.Sprintf(
			"record %d and what follows it here are not counted: %s was begun after record %d, the last one that could be read then",
			rec.Seq, r.segments[j].Name, r.last.Seq)})
	}
	r.until = j
	return true
}

// repeated notes a line whose number has occurred before. Lines that the writer wrote again on purpose never come here:
// see supersededBy.
func (r *Reader) repeated(rec record.Record, here Damage) {
	r.endHole(false, 0, here)
	here.Cause, here.Problem = OutOfOrder, fmt.Sprintf("record %d stands after record %d", rec.Seq, r.last.Seq)
	if n := len(r.damage); n > 0 && r.damage[n-1].continuedBy(here, r.segments[r.at].Name) {
		r.damage[n-1].Lines++
		r.damage[n-1].Bytes += here.Bytes
		return
	}
	r.report(here)
}

// continuedBy reports whether d and the next damage are neighbours with one cause.
func (d Damage) continuedBy(next Damage, segment string) bool {
	return d.Segment == segment && d.Cause == next.Cause && d.Line+d.Lines == next.Line
}

// announces reports whether rec is the writer's own note that it had to drop the records from that number up to the
// note itself.
func announces(rec record.Record, from record.Seq) bool {
	var g gapBody
	return rec.Kind == record.Gap && json.Unmarshal(rec.Body, &g) == nil && g.From == from && g.To == rec.Seq
}

// gapBody is the body of the gap record that replaces records which were dropped because the disk did not accept them
// and memory was full. The record has the number of the last of them.
type gapBody struct {
	Cause string     `json:"cause"`
	From  record.Seq `json:"from"`
	To    record.Seq `json:"to"`
}

// Dropped returns the number of dropped records that the body of a gap record states, including the record whose number
// it has; 0 for any other gap.
func Dropped(body []byte) int64 {
	var g gapBody
	if json.Unmarshal(body, &g) != nil || g.From < 1 || g.To < g.From {
		return 0
	}
	return int64(g.To-g.From) + 1
}

// run is a series of bad bytes that no good record follows yet: a tail, or damage, depending on the bytes that follow.
type run struct {
	line, lines   int64
	offset, bytes int64
	newline       bool // it contains a whole line
	nuls          bool // it contains a series of NUL bytes
	unread        bool // it contains a place that cannot be read
	problem       string
}

// nulRow distinguishes a page that was never written from a single flipped bit that turned a space into a NUL byte.
var nulRow = make([]byte, 16)

// note adds bytes from to to of a line to the run of bad bytes.
func (r *Reader) note(ln line, from, to int, problem string) {
	b := &r.bad
	if b.lines == 0 {
		b.line, b.offset, b.problem = ln.number, ln.offset+int64(from), problem
	}
	b.lines = ln.number - b.line + 1
	b.bytes = ln.offset + int64(to) - b.offset
	b.newline = b.newline || ln.whole
	b.nuls = b.nuls || bytes.Contains(ln.text[from:to], nulRow)
}

func (b run) damage(c Cause) Damage {
	return Damage{Line: b.line, Lines: b.lines, Offset: b.offset, Bytes: b.bytes, Cause: c, Problem: b.problem}
}

// noteUnread adds a place that cannot be read, up to the point where reading continues, to the run of bad bytes.
func (r *Reader) noteUnread(from int64, err error) {
	b := &r.bad
	if b.lines == 0 {
		b.line, b.lines, b.offset = r.lines.number, 1, from
	}
	b.bytes, b.unread, b.problem = r.lines.offset-b.offset, true, err.Error()
}

// endRun judges bad bytes at the end of a segment. A cut leaves one piece without a newline, and a page that was never
// written leaves NUL bytes; a whole bad line has another cause. Bytes that a later segment contains again are torn at
// worst.
func (r *Reader) endRun() {
	b := r.bad
	r.bad = run{}
	switch {
	case b.lines == 0:
	case r.at < r.until || r.rewritten():
		r.report(b.damage(TornTail))
	case b.unread:
		r.report(b.damage(Unreadable))
	case b.nuls || !b.newline:
		r.report(b.damage(TornTail))
	default:
		r.report(b.damage(BadLines))
	}
}

// rewritten reports whether a later segment begins with the records that should follow the last one here. A segment
// that begins with an open record does not count: it was begun by a daemon that had read the remaining records.
func (r *Reader) rewritten() bool {
	j, ok := r.beginsAt[r.last.Seq+1]
	return ok && j > r.at && !r.firsts[j].open && record.Verify(r.firsts[j].text, r.chain) == nil
}

// endHole judges bad bytes before a good line, and missing numbers.
func (r *Reader) endHole(hole bool, seq record.Seq, here Damage) {
	d := r.bad.damage(BadLines)
	if r.bad.unread {
		d.Cause = Unreadable
	}
	if r.bad.lines == 0 {
		if !hole {
			return
		}
		d = here
		d.Cause, d.Problem = Hole, fmt.Sprintf("record %d follows record %d", seq, r.last.Seq)
	}
	r.bad = run{}
	if hole {
		d.From, d.To = r.last.Seq+1, seq-1
	}
	r.report(d)
}

// report adds a damage of the current segment.
func (r *Reader) report(d Damage) {
	seg := &r.segments[r.at]
	d.Segment = seg.Name
	if d.Cause == TornTail {
		seg.Verdict = max(seg.Verdict, Torn)
	} else {
		seg.Verdict = Corrupt
	}
	r.damages++
	if len(r.damage) < maxDamage {
		r.damage = append(r.damage, d)
	}
}

// maxDamage bounds the memory for the damages of a hostile file.
const maxDamage = 1000
