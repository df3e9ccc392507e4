package live

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// Bounds of the data kept for one board.
const (
	maxItems     = 512
	maxDecisions = 64
)

// docket holds the findings of a board, in the order of their first appearance.
type docket struct {
	items   []*item
	byID    map[string]*item
	open    int // number of findings that wait for a person
	growing int // number of findings whose time line is not frozen
	dropped int // number of findings that were above the limit
}

// An item is the stored form of one finding.
type item struct {
	id, kind, state, alert string
	reported               bool // by a person
	finding, ruling        json.RawMessage
	decisions              []Decision
	decided                string
	own                    bool // the finding itself states its decision
	seq                    int64
	gists                  [2]gist // of the finding, of its ruling
	since                  int64   // seq of the last change of one of them
	waits                  bool
	wall                   int64 // of the window's end
	window                 window
	timeline               timeline
}

func (d *docket) find(id string) *item { return d.byID[id] }

// found stores a finding. It returns the state that the finding has entered.
func (b *Board) found(o *heard) (entered, bool) {
	d := &b.docket
	it := d.byID[o.ID]
	if o.ID == "" {
		return entered{}, false
	}
	if it == nil {
		it = &item{id: o.ID, window: window{micros(o.Window.Lo), micros(o.Window.Hi)}}
		it.wall = b.wall.ms(it.window.hi, b.rate())
		d.add(it)
	}
	changed := it.state != o.State
	it.kind, it.state, it.alert, it.finding, it.seq = string(o.Kind), o.State, o.Alert, o.raw, o.Seq
	it.reported = o.Proof == "report"
	it.noteMeaning(o)
	if o.Decided != nil {
		it.own, it.decided = true, o.decided
	}
	d.updateWaiting(it)
	b.freeze()
	return entered{string(o.Kind), o.State}, changed
}

// ruled stores a ruling with its finding.
func (b *Board) ruled(o *heard) {
	if it := b.docket.find(o.Finding); it != nil {
		it.ruling, it.seq = o.raw, max(it.seq, o.Seq)
		it.noteMeaning(o)
	}
}

// A gist is a checksum of the content that a decision is about: when any of it changes, the arbiter has to look again.
// Clocks to set are not part of it, because they change during the game.
type gist [sha256.Size]byte

// noteMeaning stores the number of the record with which the content of the finding or its ruling last changed.
func (it *item) noteMeaning(o *heard) {
	is := gist(sha256.Sum256(fmt.Appendf(nil, "%q %v", append(o.MustPlay, o.State, string(o.Kind), o.decided, o.Position, o.Result, o.Until), o.StrikesAfter)))
	was := &it.gists[0]
	if o.Type == "ruling" {
		was = &it.gists[1]
	}
	if *was != is {
		*was, it.since = is, it.seq
	}
}

// decided stores the arbiter's decision.
func (b *Board) decided(r record.Record) (Decision, bool) {
	var body struct {
		watch.Decision
		Request string `json:"request"`
		WallMS  int64  `json:"wall_ms"`
	}
	if json.Unmarshal(r.Body, &body) != nil || body.Finding == "" {
		return Decision{}, false
	}
	d := Decision{
		Type: "decision", Board: b.name, Seq: int64(r.Seq), T: seconds(r.At), Finding: body.Finding, Decision: body.Decision.Decision,
		By: b.boards.said(cmp.Or(body.By, body.Device)), Note: b.boards.said(body.Note), Request: body.Request, WallMS: body.WallMS,
	}
	if d.WallMS == 0 {
		d.WallMS = b.wall.ms(r.At, b.rate())
	}
	it := b.docket.find(d.Finding)
	if it == nil {
		return d, true
	}
	list := it.decisions[:len(it.decisions):len(it.decisions)] // readers keep the old list
	if len(list) == maxDecisions {
		list = append(list[:0:0], list[1:]...)
	}
	it.decisions = append(list, d)
	if !it.own {
		if it.decided = d.Decision; d.Decision == "undo" {
			it.decided = ""
		}
		b.docket.updateWaiting(it)
	}
	return d, true
}

// updateWaiting updates whether a finding waits for a person.
func (d *docket) updateWaiting(it *item) {
	waits := it.state == "confirmed" && (it.alert == "now" || it.alert == "advise") && (it.decided == "" || it.decided == "later")
	switch {
	case waits && !it.waits:
		d.open++
	case !waits && it.waits:
		d.open--
	}
	it.waits = waits
}

// add stores a new finding. Above the limit the oldest that does not wait for a person is dropped, or the oldest if all
// wait.
func (d *docket) add(it *item) {
	if d.byID == nil {
		d.byID = map[string]*item{}
	}
	if len(d.items) == maxItems {
		d.dropped++
		gone := 0
		for i, old := range d.items {
			if !old.waits {
				gone = i
				break
			}
		}
		if d.items[gone].waits {
			d.open--
		}
		if !d.items[gone].timeline.frozen {
			d.growing--
		}
		delete(d.byID, d.items[gone].id)
		d.items = append(d.items[:gone], d.items[gone+1:]...)
	}
	d.items = append(d.items, it)
	d.byID[it.id] = it
	d.growing++
}

// item returns a finding in the form for readers. The caller holds the lock.
func (b *Board) item(it *item) Item {
	line := it.timeline
	if !line.frozen {
		line = b.trace.line(it)
	}
	out := Item{
		Finding: it.finding, Ruling: it.ruling, Decisions: it.decisions, Timeline: line.shown(), TimelineComplete: line.complete,
		ClockAt: line.clock, WallMS: it.wall, ID: it.id, Seq: it.seq, Since: it.since, Waits: it.waits,
	}
	if out.Decisions == nil {
		out.Decisions = []Decision{}
	}
	return out
}

// freeze fixes the time lines to which nothing more can be added.
func (b *Board) freeze() {
	items := b.docket.items
	for i := len(items) - 1; i >= 0 && b.docket.growing > 0; i-- {
		it := items[i]
		if !it.timeline.frozen && b.t > it.window.hi+afterUS {
			it.timeline = b.trace.line(it)
			it.timeline.frozen = true
			b.docket.growing--
		}
	}
}
