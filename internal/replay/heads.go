package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/watch"
)

// A HeadState is the outcome for a head that was noted outside the computer.
type HeadState string

// The states.
const (
	HeadHeld     HeadState = "held"      // the journal holds it: all up to it is unchanged
	HeadChanged  HeadState = "changed"   // another record has its number: something up to it was changed
	HeadMissing  HeadState = "missing"   // the journal ends before it
	HeadDamaged  HeadState = "damaged"   // its record, or one before it, cannot be read
	HeadMistyped HeadState = "mistyped"  // it differs in a few digits from what the journal holds
	HeadRemoved  HeadState = "removed"   // its journal was removed by the program, as its list says
	HeadOther    HeadState = "other"     // it belongs to a journal that was not read
	HeadNotFound HeadState = "not_found" // none of several journals holds it, and its own is not known
)

// A HeadResult is the outcome of one head in one journal. It is an object of the output.
type HeadResult struct {
	Type    string    `json:"type"` // head
	File    *string   `json:"file"` // of the journal; null if no single one is meant
	Journal *string   `json:"journal"`
	Seq     *int64    `json:"seq"` // of the head; null: not known
	Chain   string    `json:"chain"`
	State   HeadState `json:"state"`
	Record  *int64    `json:"record"`  // the record of the head, or the last one of a journal that ends before it
	WallMS  *int64    `json:"wall_ms"` // of that record, by the clock of the computer that wrote it
	After   *int64    `json:"after"`   // up to this record the journal is unchanged, by another head; null: not known
	Detail  string    `json:"detail"`
	head    journal.Head
}

// Heads compares heads with the journals that are read through Over.
type Heads struct {
	noted    []journal.Head
	byChain  map[record.Chain][]int
	bySeq    map[record.Seq][]int
	journals []*readHeads
}

// NewHeads returns a comparison for the heads that were noted.
func NewHeads(noted []journal.Head) *Heads {
	h := &Heads{byChain: map[record.Chain][]int{}, bySeq: map[record.Seq][]int{}}
	for _, n := range noted {
		if slices.Contains(h.noted, n) {
			continue
		}
		h.byChain[n.Chain] = append(h.byChain[n.Chain], len(h.noted))
		h.bySeq[n.Seq] = append(h.bySeq[n.Seq], len(h.noted))
		h.noted = append(h.noted, n)
	}
	return h
}

// A ChainedSource is a recording.Source.
type ChainedSource interface {
	Source
	Chain() record.Chain
	Damage() []journal.Damage
}

// Over returns a source with the items of src. A journal that was already read, through another one of its files, is
// not examined again.
func (h *Heads) Over(file string, src ChainedSource) Source {
	if len(h.noted) == 0 {
		return src
	}
	r := &readHeads{ChainedSource: src, file: file, of: h, at: make([]place, len(h.noted))}
	r.fileName, _, _ = journal.ParseSegmentName(filepath.Base(file))
	for _, other := range h.journals {
		if r.fileName != "" && other.fileName == r.fileName && filepath.Dir(other.file) == filepath.Dir(file) {
			return src
		}
	}
	h.journals = append(h.journals, r)
	return r
}

// readHeads compares one journal with all heads.
type readHeads struct {
	ChainedSource
	of       *Heads
	file     string
	fileName string // the journal's name by its file; "" if the file is not a segment
	opened   string // the journal's name by its first opening record
	at       []place
	begun    bool
	broken   bool // it could not be read to its end
	last     record.Seq
	lastAt   int64
	wall     wallTime
}

// place is the finding about one head.
type place struct {
	held        record.Seq // the record with its chain; 0: none
	heldMS      *int64
	afterDamage bool // damage precedes it
	there       bool // another record has its number
	otherMS     *int64
	near        record.Seq // a record whose chain has almost the same digits
}

// Next returns the next record, and compares it.
func (r *readHeads) Next() (recording.Item, error) {
	it, err := r.ChainedSource.Next()
	switch {
	case err == nil:
		r.take(it.Record, r.Chain())
	case !errors.Is(err, io.EOF):
		r.broken = true
	}
	return it, err
}

func (r *readHeads) take(rec record.Record, chain record.Chain) {
	r.wall.see(rec)
	if !r.begun {
		r.begun = true
		if o, err := watch.ParseOpening(rec.Body); rec.Kind == record.Open && err == nil {
			r.opened = o.Journal
		}
	}
	r.last, r.lastAt = rec.Seq, rec.At
	for _, i := range r.of.byChain[chain] {
		p := &r.at[i]
		p.held, p.heldMS, p.afterDamage = rec.Seq, r.wall.ms(rec.At), len(r.Damage()) > 0
	}
	for _, i := range r.of.bySeq[rec.Seq] {
		p := &r.at[i]
		p.there, p.otherMS = true, r.wall.ms(rec.At)
		if len(r.of.noted) <= maxTyped && typingSlips(r.of.noted[i].Chain, chain) <= typingErrors {
			p.near = rec.Seq
		}
	}
	if len(r.of.noted) > maxTyped {
		return
	}
	for i, h := range r.of.noted {
		if differing(h.Chain, chain) <= typingErrors {
			r.at[i].near = rec.Seq
		}
	}
}

// claims reports whether the journal may be the one of a noted head, by its names. A journal that a daemon had to call
// NAME--2, because NAME was taken, has the name NAME in its opening record.
func (r *readHeads) claims(name string) bool {
	if r.fileName == name {
		return true
	}
	return r.opened == name && !strings.HasPrefix(r.fileName, r.opened+"--")
}

// wallTime gives the wall time of a record, as far as the journal states it. In a simulation that is faster than real
// time it is only good near the beginning and near people's entries.
type wallTime struct {
	known bool
	at    int64     // µs on the time line, at the wall time then
	then  time.Time // the wall time at that moment
}

func (w *wallTime) see(r record.Record) {
	switch r.Kind {
	case record.Open:
		if o, err := watch.ParseOpening(r.Body); err == nil {
			if then, err := time.Parse(time.RFC3339Nano, o.Wall); err == nil {
				*w = wallTime{known: true, at: r.At, then: then}
			}
		}
	case record.Gap: // the opening record of a restart precedes the absence, but has the wall time after it
		var a watch.Annotation
		if json.Unmarshal(r.Body, &a) == nil && a.Away > 0 {
			w.at += a.Away
		}
	case record.Instruct, record.Decide: // an entry of a person has its own time
		var told struct {
			WallMS int64 `json:"wall_ms"`
		}
		if json.Unmarshal(r.Body, &told) == nil && told.WallMS > 0 {
			*w = wallTime{known: true, at: r.At, then: time.UnixMilli(told.WallMS)}
		}
	}
}

func (w *wallTime) ms(at int64) *int64 {
	if !w.known {
		return nil
	}
	ms := w.then.UnixMilli() + (at-w.at)/1000
	return &ms
}

// Results returns the outcomes of all journals, head by head. The journals must have been read to their ends.
func (h *Heads) Results() []HeadResult {
	var all []HeadResult
	for i := range h.noted {
		all = append(all, h.result(i)...)
	}
	h.findUnchanged(all)
	for i := range all {
		all[i].Detail = all[i].words()
	}
	return all
}

func (h *Heads) result(i int) (all []HeadResult) {
	head := h.noted[i]
	held := false
	for _, r := range h.journals {
		held = held || r.at[i].held > 0
	}
	claimed := false
	for _, r := range h.journals {
		mine := r.claims(head.Journal) || head.Journal == "" && len(h.journals) == 1
		claimed = claimed || mine
		if res := r.result(i); res.State == HeadHeld || res.State == HeadDamaged && r.at[i].held > 0 ||
			mine && (head.Seq > 0 || !held) || !held && res.State == HeadMistyped {
			all = append(all, res)
		}
	}
	if len(all) > 0 {
		return all
	}
	res := newResult(head)
	res.State = HeadNotFound
	if head.Journal != "" && !claimed {
		res.State, res.Journal = HeadOther, &head.Journal
	}
	return []HeadResult{res}
}

func newResult(h journal.Head) HeadResult {
	res := HeadResult{Type: "head", Chain: h.Chain.String(), head: h}
	if h.Seq > 0 {
		res.Seq = number(h.Seq)
	}
	if h.Journal != "" {
		res.Journal = &h.Journal
	}
	return res
}

func number(s record.Seq) *int64 { n := int64(s); return &n }

// typingErrors is the number of digits, of 32, in which a mistyped head may differ from a chain: two unrelated chains
// agree in 24 digits once in 10^22 times.
const typingErrors = 8

// maxTyped is the largest number of heads that a person types. More come from a file that a phone has written, without
// errors.
const maxTyped = 16

func (r *readHeads) result(i int) HeadResult {
	head, p := r.of.noted[i], r.at[i]
	res := newResult(head)
	res.File = &r.file
	if res.Journal == nil && (r.fileName != "" || r.opened != "") {
		name := r.fileName
		if name == "" {
			name = r.opened
		}
		res.Journal = &name
	}
	switch {
	case p.held > 0:
		res.State, res.Record, res.WallMS = HeadHeld, number(p.held), p.heldMS
		if p.afterDamage {
			res.State = HeadDamaged
		}
	case p.near > 0:
		res.State, res.Record = HeadMistyped, number(p.near)
	case head.Seq == 0:
		res.State = HeadNotFound
	case p.there:
		res.State, res.Record, res.WallMS = HeadChanged, number(head.Seq), p.otherMS
	case head.Seq > r.last && !r.broken:
		res.State, res.Record, res.WallMS = HeadMissing, number(r.last), r.wall.ms(r.lastAt)
	default: // verify names the damage
		res.State = HeadDamaged
	}
	return res
}

// differing counts the hexadecimal digits in which two chains differ.
func differing(a, b record.Chain) (n int) {
	for i := range a {
		d := a[i] ^ b[i]
		if d&0xf0 != 0 {
			n++
		}
		if d&0x0f != 0 {
			n++
		}
	}
	return n
}

// typingSlips counts the digits that were omitted, inserted or changed in typing one chain for the other: an omitted
// digit shifts all after it.
func typingSlips(a, b record.Chain) int {
	typed, there := a.String(), b.String()
	row := make([]int, len(there)+1)
	for i := range row {
		row[i] = i
	}
	for i := range len(typed) {
		before := row[0] // of the row above
		row[0] = i + 1
		for j := range len(there) {
			change := before
			if typed[i] != there[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, before+1, row[j]+1)
		}
	}
	return row[len(there)]
}

// findUnchanged finds, for a journal that was changed, the record up to which it is unchanged.
func (h *Heads) findUnchanged(all []HeadResult) {
	for i := range all {
		changed := &all[i]
		if changed.State != HeadChanged && changed.State != HeadMissing {
			continue
		}
		for _, res := range all {
			if res.State == HeadHeld && *res.File == *changed.File && *res.Record < *changed.Seq && (changed.After == nil || *res.Record > *changed.After) {
				changed.After = res.Record
			}
		}
	}
}

// words describes the outcome in a sentence.
func (res HeadResult) words() string {
	of := "head " + res.head.String()
	switch res.State {
	case HeadHeld:
		text := fmt.Sprintf("holds %s: record %d%s", of, *res.Record, when(res.WallMS))
		if res.Seq != nil && *res.Seq != *res.Record {
			text += fmt.Sprintf(", although the head says %d: its number was mistyped", *res.Seq)
		}
		return text
	case HeadChanged:
		text := fmt.Sprintf("never held %s: another record %d stands there%s, so that this journal was changed or cut at or before that record",
			of, *res.Record, when(res.WallMS))
		if res.After != nil {
			text += fmt.Sprintf(", after record %d", *res.After)
		}
		return text + "; or it is another journal of the same name"
	case HeadMissing:
		return fmt.Sprintf("ends with record %d%s, before %s: records are missing at its end", *res.Record, when(res.WallMS), of)
	case HeadDamaged:
		if res.Record != nil {
			return fmt.Sprintf("holds %s: record %d%s; but the journal is damaged before it", of, *res.Record, when(res.WallMS))
		}
		return fmt.Sprintf("is damaged where %s was: that record cannot be read", of)
	case HeadMistyped:
		return fmt.Sprintf("has almost the digits of %s at record %d: compare them again, they were mistyped", of, *res.Record)
	case HeadOther:
		return fmt.Sprintf("%s is of the journal %s, which is not among the files", of, res.head.Journal)
	}
	if res.File != nil {
		return fmt.Sprintf("does not hold %s; with its record's number (SEQ:CHAIN) more could be said", of)
	}
	return fmt.Sprintf("none of the journals holds %s; with its journal's name after it, or one journal at a time, more could be said", of)
}

func when(ms *int64) string {
	if ms == nil {
		return ""
	}
	return " of " + time.UnixMilli(*ms).Local().Format("2006-01-02 15:04:05")
}
