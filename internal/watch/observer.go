package watch

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"boardwatchd/clockproto"
	"boardwatchd/detector/evidence"
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/rules/legal"
)

// An Observer shows a board from its journal: the output of the machine that wrote it, and the squares and clock in the
// board's bytes. It judges nothing, and needs a small part of a Machine's time and memory. Values that no record
// contains (Counted) are empty unless a ruling states them.
type Observer struct {
	dec     dgt.Decoder
	view    View
	changed bool // by an effect of the machine, since the last View

	live    legal.Placement
	seen    bool
	stale   bool // the Placement of view is older than live
	touches []Touch
	scanUS  int64 // the delay that a report may have

	clock observedClock

	answers answers

	counted   *Counted // waits until the journal has reached that point
	isCounted bool     // a Counted was applied

	start string // the position before the first ply of the row
	plies []observedPly
	pos   legal.Position
	known bool // pos is valid

	saidAt int64 // time of the machine's last output about the position
}

// observedClock describes a clock at the side of the board: the presses show which of its sides is White's.
type observedClock struct {
	last   evidence.ClockReading
	valid  bool
	low    bool // the clock says that its battery is low
	at     int64
	white  evidence.ClockSide
	fixed  bool // by the configuration
	doubts int  // consecutive moves that contradict it
}

// observedPly is a ply of the game; an illegal one that was not taken back has the position after it.
type observedPly struct {
	ply      int
	uci, fen string
}

// Step takes any record.
func (o *Observer) Step(r record.Record) {
	v := &o.view
	if r.Kind.Input() && r.Kind != record.Close {
		v.At = max(v.At, r.At)
	}
	o.answers.step(r)
	switch r.Kind {
	case record.Rx:
		o.receive(r)
	case record.Say:
		o.hear(r.Body)
	case record.Open:
		o.open(r.Body)
	case record.Up, record.Down:
		o.dec.Abort()
		o.clock.valid = o.clock.valid && r.Kind == record.Up
		v.Link = "down"
		if r.Kind == record.Up {
			v.Link = "up"
		}
	case record.Gap:
		o.gap(parseAnnotation(r.Body))
	case record.Late:
		if since := parseAnnotation(r.Body).Since; r.At-since >= reportLateUS {
			v.LateUS += r.At - since
		}
	case record.Instruct:
		switch parseInstruction(r.Body).Do {
		case DoPause:
			v.Held = true
		case DoResume:
			v.Held = false
		}
	}
	v.Garbage = o.dec.Stats().Garbage + v.LeftOut
	o.count()
}

// Counted is the part of a View that no record contains: conclusions of the machine that are not reported, or not yet.
type Counted struct {
	At      int64                      `json:"at"`
	FEN     string                     `json:"fen"`
	Profile string                     `json:"profile"`
	Strikes [2]int                     `json:"strikes"`
	ToLose  int                        `json:"to_lose"`
	Finish  FinishView                 `json:"finish"`
	Hands   [len(HandsKinds)]HandsView `json:"hands"`
}

// Counted returns that part of a view.
func (v *View) Counted() Counted {
	return Counted{v.At, v.FEN, v.Profile, v.Strikes, v.ToLose, v.Finish, v.Hands}
}

// Count sets the machine's conclusions at a moment, which hold until a later effect contradicts them.
func (o *Observer) Count(c Counted) {
	o.counted = &c
	o.count()
}

func (o *Observer) count() {
	c := o.counted
	if c == nil || c.At > o.view.At {
		return
	}
	o.counted, o.isCounted = nil, true
	before := o.view
	v := &o.view
	v.Profile, v.Strikes, v.ToLose, v.Finish, v.Hands = c.Profile, c.Strikes, c.ToLose, c.Finish, c.Hands
	if c.At >= o.saidAt {
		v.FEN = c.FEN
	}
	o.changed = o.changed || before != *v
}

// View returns the present view.
func (o *Observer) View() View {
	o.changed = false
	if o.stale {
		o.stale, o.view.Placement = false, o.live.String()
	}
	v := o.view
	v.White, v.SlowUS = sideNames[o.clock.white], o.answers.slow(v.At)
	return v
}

// Changed reports whether an effect of the machine has changed View's result since the last call of View.
func (o *Observer) Changed() bool { return o.changed }

// Touches returns the touches since the last call, like Machine.Touches. They are valid until the next Step.
func (o *Observer) Touches() []Touch {
	list := o.touches
	o.touches = o.touches[:0]
	return list
}

func (o *Observer) open(body []byte) {
	opening, err := ParseOpening(body)
	if err != nil {
		return
	}
	s := opening.settings()
	o.scanUS = s.Timing.Scan + s.Timing.Latency
	if white := clockSide(s.WhiteClock); white != evidence.NoClockSide {
		o.clock.white = white
	}
	o.clock.fixed = clockSide(s.WhiteClock) != evidence.NoClockSide
}

func (o *Observer) gap(a Annotation) {
	o.dec.Abort()
	o.view.LeftOut += a.LeftOut
	if a.LeftOut == 0 && !a.Over {
		o.view.Link = "down"
	}
}

// receive handles bytes of the board. Those of a wrong board are ignored.
func (o *Observer) receive(r record.Record) {
	o.dec.Feed(r.Body)
	for {
		f, ok := o.dec.Next()
		if !ok {
			return
		}
		o.view.Frames++
		o.answers.heard(f.ID, r.At)
		if o.view.Link == "wrong_board" {
			continue
		}
		switch f.ID {
		case dgt.MsgField:
			if u, ok := f.Field(); ok {
				o.put(r, square(u.Square), pieces[u.Piece&15], false)
			}
		case dgt.MsgBoard:
			if p, ok := f.Board(); ok {
				o.dump(r, placement(&p))
			}
		case dgt.MsgClock:
			if d, ok := f.Clock(); ok && clockproto.Classify(d) == clockproto.Time {
				if c, err := clockproto.ParseReading(d); err == nil {
					o.clock.low = c.BatteryLow
					o.read(reading(c), r.At)
				}
			}
		}
	}
}

func (o *Observer) dump(r record.Record, pl legal.Placement) {
	known := o.seen
	o.seen = true
	for sq, p := range pl {
		if known {
			o.put(r, legal.Square(sq), p, true)
			continue
		}
		o.live[o.oriented(legal.Square(sq))] = p
	}
	o.stale = o.stale || !known
}

// put puts a piece on a square of the board, numbered with White at the near side.
func (o *Observer) put(r record.Record, sq legal.Square, p legal.Piece, dump bool) {
	sq = o.oriented(sq)
	was := o.live[sq]
	if was == p {
		return
	}
	o.live[sq] = p
	if !o.seen {
		return
	}
	o.stale = true
	t := Touch{Seq: int64(r.Seq), Lo: r.At, At: r.At, Square: sq.String(), Was: letter(was), Is: letter(p), Dump: dump}
	if !dump {
		t.Lo -= o.scanUS
	}
	if len(o.touches) == maxTouches {
		o.touches = append(o.touches[:0], o.touches[maxTouches/2:]...)
	}
	o.touches = append(o.touches, t)
}

func (o *Observer) oriented(sq legal.Square) legal.Square {
	if o.view.Reversed {
		return 63 - sq
	}
	return sq
}

// read handles a reading of the clock.
func (o *Observer) read(c evidence.ClockReading, at int64) {
	k := &o.clock
	if c.Missing {
		k.valid = false
	} else {
		k.last, k.valid, k.at = c, true, at
	}
	if !k.fixed && k.white == evidence.NoClockSide && k.valid && c.Running && o.known && len(o.plies) == 0 {
		k.assume(c.Up, o.pos.Turn())
	}
	o.showClock()
}

// assume assigns a side of the clock to a player.
func (k *observedClock) assume(s evidence.ClockSide, player legal.Side) {
	if player == legal.Black {
		s = s.Other()
	}
	k.white, k.doubts = s, 0
}

// doubtsUntilCorrected is the number of consecutive moves after which the sides of the clock are exchanged.
const doubtsUntilCorrected = 2

// moved is called after a move with a press: the time of the other player runs.
func (k *observedClock) moved(next legal.Side) {
	if k.fixed || !k.valid || k.last.Up == evidence.NoClockSide || next == legal.NoSide {
		return
	}
	if k.player(k.last.Up) == next {
		k.doubts = 0
		return
	}
	if k.doubts++; k.doubts >= doubtsUntilCorrected || k.white == evidence.NoClockSide {
		k.assume(k.last.Up, next)
	}
}

func (k *observedClock) player(s evidence.ClockSide) legal.Side {
	switch {
	case k.white == evidence.NoClockSide || s == evidence.NoClockSide:
		return legal.NoSide
	case s == k.white:
		return legal.White
	}
	return legal.Black
}

// sideNames are the words for a side of the clock.
var sideNames = [...]string{evidence.NoClockSide: "", evidence.LeftSide: "left", evidence.RightSide: "right"}

// clockSide returns the side of the clock with that name, or none.
func clockSide(name string) evidence.ClockSide {
	return evidence.ClockSide(max(slices.Index(sideNames[:], name), 0))
}

func (o *Observer) showClock() {
	k := &o.clock
	o.view.Clock, o.view.Lever = ClockView{}, ""
	if !k.valid {
		return
	}
	o.view.Lever = sideNames[k.last.Up]
	c := ClockView{Read: true, Left: k.last.Left, Right: k.last.Right, Runs: k.last.Running, Low: k.low, At: k.at}
	if k.white == evidence.NoClockSide {
		o.view.Clock = c
		return
	}
	c.Known, c.White, c.Black = true, k.last.Left, k.last.Right
	if k.white == evidence.RightSide {
		c.White, c.Black = c.Black, c.White
	}
	if side := k.player(k.last.Up); k.last.Running && side != legal.NoSide {
		c.Running = side.String()
	}
	o.view.Clock = c
}

// linkWords gives the state of the link for the machine's health words.
var linkWords = [...]struct{ what, state string }{
	{"answering", "up"}, {"link_up", "up"}, {"link_down", "down"}, {"gap", "down"}, {"no_answer", "silent"}, {"wrong_board", "wrong_board"},
	{"not_identified", "wrong_board"},
}

// notObserved lists the beginnings of frequent effects that an Observer does not show.
var notObserved = [...]string{`{"type":"press",`, `{"type":"finding",`, `{"type":"hands",`}

// hear handles an effect of the machine.
func (o *Observer) hear(body []byte) {
	if slices.ContainsFunc(notObserved[:], func(begins string) bool { return bytes.HasPrefix(body, []byte(begins)) }) {
		return
	}
	var w said.Brief
	if said.ReadBrief(body, &w) != nil {
		return
	}
	before := o.view
	v := &o.view
	switch w.Type {
	case "game":
		o.newGame(&w)
		o.saidAt = v.At
	case "move":
		o.moved(&w)
		o.saidAt = v.At
	case "takeback":
		o.back(w.Ply)
		o.saidAt = v.At
	case "result":
		v.Playing = w.State == "withdrawn"
	case "ruling":
		if !o.isCounted && v.Game > 0 { // Counted has more detail
			v.Profile, v.Strikes, v.ToLose = w.Profile, [2]int{w.StrikesBefore.White, w.StrikesBefore.Black}, w.StrikesToLose
		}
	case "health":
		var more observedMore
		if json.Unmarshal(body, &more) == nil {
			o.health(&w, &more)
		}
	}
	o.changed = o.changed || before != o.view
}

// observedMore has the fields that an Observer reads of health lines, beside those of a Brief.
type observedMore struct {
	PeriodMS said.Seconds  `json:"period_ms"`
	Order    string        `json:"order"`
	Fit      said.Permille `json:"fit"`
	Verdict  string        `json:"verdict"`
	Held     bool          `json:"held"`
}

func (o *Observer) health(b *said.Brief, w *observedMore) {
	v := &o.view
	for _, l := range linkWords {
		if l.what == b.What {
			v.Link = l.state
		}
	}
	switch {
	case b.What == "scan":
		moves := 0
		_ = json.Unmarshal(b.Moves, &moves) // a number in a scan
		v.Scan = ScanView{Verdict: w.Verdict, PeriodMS: int(w.PeriodMS+500_000) / 1_000_000, Order: w.Order, Fit: int(w.Fit), Moves: moves, Held: v.Scan.Held}
	case b.What == "hands_held":
		v.Scan.Held = heldWord(w.Held)
	case b.FEN != "": // the game continues from there
		o.startFrom(b.FEN)
	}
}

func (o *Observer) newGame(g *said.Brief) {
	v := &o.view
	if g.Reversed != v.Reversed {
		v.Reversed = g.Reversed
		slices.Reverse(o.live[:])
		o.stale = o.seen
	}
	v.Game, v.Playing, v.Held, v.Strikes, v.Finish = g.Game, true, false, [2]int{}, FinishView{}
	o.startFrom(g.FEN)
	if k := &o.clock; !k.fixed {
		k.white = evidence.NoClockSide
		if k.valid && k.last.Running && o.known {
			k.assume(k.last.Up, o.pos.Turn())
		}
		o.showClock()
	}
}

// startFrom starts the row of plies at a position.
func (o *Observer) startFrom(fen string) {
	o.start, o.plies = strings.Clone(fen), nil
	o.replayPlies()
}

// moved adds a ply to the row. The ply is new, or replaces another and all after it, or corrects one and keeps those
// after it.
func (o *Observer) moved(w *said.Brief) {
	p := observedPly{w.Ply, strings.Clone(w.UCI), strings.Clone(w.FENAfter)}
	i := slices.IndexFunc(o.plies, func(x observedPly) bool { return x.ply >= w.Ply })
	switch {
	case i < 0:
		o.plies = append(o.plies, p)
		o.add(&p)
		o.view.FEN = o.fen()
	case w.Corrects && o.plies[i].ply == w.Ply:
		o.plies[i] = p
		o.replayPlies()
	default:
		o.plies = append(o.plies[:i], p)
		o.replayPlies()
	}
	if w.CommittedBy == "press" && !w.Corrects && o.known {
		o.clock.moved(o.pos.Turn())
		o.showClock()
	}
	o.view.Playing = true
}

func (o *Observer) back(ply int) {
	if i := slices.IndexFunc(o.plies, func(x observedPly) bool { return x.ply > ply }); i >= 0 {
		o.plies = o.plies[:i]
		o.replayPlies()
	}
}

// replayPlies recomputes the position after the row of plies.
func (o *Observer) replayPlies() {
	o.pos, o.known = positionOf(o.start)
	for i := range o.plies {
		o.add(&o.plies[i])
	}
	o.view.FEN = o.fen()
}

// add plays a ply.
func (o *Observer) add(p *observedPly) {
	if p.fen != "" {
		o.pos, o.known = positionOf(p.fen)
		return
	}
	if m, ok := o.pos.FindUCI(p.uci); ok && o.known {
		o.pos = o.pos.After(m)
		return
	}
	o.known = false
}

func (o *Observer) fen() string {
	if !o.known {
		return ""
	}
	return o.pos.FEN()
}

// positionOf reads a position, also one in which an illegal move was not taken back.
func positionOf(fen string) (pos legal.Position, ok bool) {
	s, err := legal.ParseFEN(fen)
	if err != nil {
		return pos, false
	}
	if pos, err = s.Position(); err != nil {
		pos, err = s.Standing()
	}
	return pos, err == nil
}
