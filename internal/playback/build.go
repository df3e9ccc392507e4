package playback

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"boardwatchd/internal/live"
	"boardwatchd/internal/people"
	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
)

// A Builder makes a Recording of the records of one recording. It belongs to one goroutine.
type Builder struct {
	people *people.Book
	obs    watch.Observer
	rec    Recording
	g      *Game

	at            int64 // of the last input, µs
	placement     string
	fen           string
	clock         reading
	levers        live.Levers
	runningBefore string // the side whose clock ran before the clock was last stopped
	pressed       int64  // time of the last judged press
	awaySince     int64  // start of the absence, in milliseconds; -1: the link is up, or nothing is known
	findings      map[string]*Finding

	white, black string // the players, as last reported
}

// New makes a Builder. The book has the names for the ids in the journal, and may be nil.
func New(book *people.Book) *Builder {
	b := &Builder{people: book, awaySince: -1, findings: map[string]*Finding{}}
	b.rec.Wall, b.rec.Damage = [][2]int64{}, []string{}
	b.begin(0, 0)
	return b
}

// begin begins a game with the state that was shown before.
func (b *Builder) begin(number int, t int64) {
	b.g = &Game{
		Game: number, From: t, To: t, Placement: b.placement, FEN: b.fen, Touches: []Touch{}, Presses: []Press{}, Positions: []Position{}, Clock: []int64{},
		Away: [][2]int64{}, Moves: []json.RawMessage{}, Results: []json.RawMessage{}, Notes: []json.RawMessage{}, Findings: []*Finding{},
		White: b.white, Black: b.black,
	}
	if b.clock != (reading{}) {
		b.g.read(b.rec.Seq, t, b.clock)
	}
	b.rec.Games = append(b.rec.Games, b.g)
}

// Record takes the next record: an input, or an output of the machine.
func (b *Builder) Record(r record.Record) {
	b.rec.Seq = max(b.rec.Seq, int64(r.Seq))
	if r.Kind.Input() && r.Kind != record.Close {
		b.at = max(b.at, r.At)
	}
	var o said.Any
	switch r.Kind {
	case record.Open:
		b.opened(r)
	case record.Gap:
		b.absent(r)
	case record.Instruct:
		b.instructed(r.Body)
	case record.Decide:
		b.decided(r)
	case record.Say:
		if json.Unmarshal(r.Body, &o) != nil {
			o = said.Any{}
		}
	}
	b.obs.Step(r)
	if o.Type == "game" && (len(b.g.Moves) > 0 || b.g.Result != "") {
		b.end()
		b.begin(o.Game, ms(b.at))
	}
	b.readState(int64(r.Seq))
	b.hear(&o, r.Body)
	b.g.To = max(b.g.To, ms(b.at))
}

// readState takes the present state of the board and of the record.
func (b *Builder) readState(seq int64) {
	v := b.obs.View()
	t := ms(v.At)
	touches := b.obs.Touches()
	for _, x := range touches {
		b.g.Touches = append(b.g.Touches, Touch{x.Seq, ms(x.At), ms(x.At - x.Lo), x.Square, x.Was, x.Is, x.Dump})
	}
	if v.Placement != b.placement {
		if len(touches) == 0 || b.placement == "" {
			b.g.Touches = append(b.g.Touches, Touch{Seq: seq, T: t, Was: b.placement, Is: v.Placement, Dump: true})
		}
		b.placement = v.Placement
	}
	if v.FEN != b.fen {
		b.fen = v.FEN
		b.g.Positions = append(b.g.Positions, Position{seq, t, v.FEN})
	}
	b.read(seq, v.Clock)
	switch up := v.Link == "" || v.Link == "up"; {
	case up && b.awaySince >= 0:
		b.back(t)
	case !up && b.awaySince < 0:
		b.awaySince = t
	}
}

// back ends an absence.
func (b *Builder) back(t int64) {
	b.g.Away = append(b.g.Away, [2]int64{max(b.awaySince, b.g.From), t})
	b.awaySince = -1
}

func (b *Builder) read(seq int64, c watch.ClockView) {
	now := reading{c.White, c.Black, c.Running}
	if !c.Known {
		now = reading{-1, -1, ""}
		if b.clock == (reading{}) {
			return // there was no reading yet
		}
	}
	if now == b.clock {
		return
	}
	t := ms(c.At)
	if !c.Known {
		t = ms(b.at)
	}
	b.clock = now
	b.g.read(seq, t, now)
	if b.levers.Read(c.At, now.running); now.running == "" {
		return
	}
	if b.runningBefore != "" && b.runningBefore != now.running {
		b.g.Presses = append(b.g.Presses, Press{Seq: seq, T: t, Width: ms(live.PressLagUS), Side: b.runningBefore})
	}
	b.runningBefore = now.running
}

// hear takes an output of the machine.
func (b *Builder) hear(o *said.Any, body []byte) {
	switch o.Type {
	case "game":
		b.g.Game = o.Game
	case "move":
		b.g.Moves = append(b.g.Moves, bytes.Clone(body))
		b.g.Plies = o.Ply
		b.g.White, b.g.Black = b.white, b.black
	case "takeback":
		b.g.Plies = o.Ply
		b.g.Notes = append(b.g.Notes, bytes.Clone(body))
	case "press":
		b.judged(o)
	case "result":
		b.g.Results = append(b.g.Results, bytes.Clone(body))
		if b.g.Result, b.g.By = o.Result, o.By; o.State == "withdrawn" || o.State == "questioned" {
			b.g.Result, b.g.By = "", ""
		}
		b.g.White, b.g.Black = b.white, b.black
	case "finding":
		b.found(o, body)
	case "ruling":
		if f := b.findings[o.Finding]; f != nil {
			f.ruled(o, body)
			b.g.Profile = o.Profile
		}
	case "health":
		if o.What != "scan" {
			b.g.Notes = append(b.g.Notes, bytes.Clone(body))
		}
	}
}

// judged finds the lever movement of a press. A press that the clock has not reported gets a row of its own.
func (b *Builder) judged(o *said.Any) {
	at := int64(o.T)
	if down, ok := b.levers.Pressed(o.Side, at, b.pressed); ok {
		at = down
	}
	b.pressed = at
	for i := len(b.g.Presses) - 1; i >= 0 && b.g.Presses[i].T >= ms(at); i-- {
		if p := &b.g.Presses[i]; p.T == ms(at) && p.Side == o.Side && p.Judged == "" {
			p.Judged = o.Judged
			return
		}
	}
	b.g.Presses = append(b.g.Presses, Press{o.Seq, ms(at), ms(live.PressLagUS), o.Side, o.Judged})
}

// ruled takes a ruling. A ruling that comes too late for an action does not replace the earlier proposal.
func (f *Finding) ruled(o *said.Any, body []byte) {
	open := f.head.Decision() == "" && (f.head.State == "suspected" || f.head.State == "confirmed")
	if open || f.Ruling == nil {
		f.Ruling, f.ruling = bytes.Clone(body), *o
		return
	}
	f.After = bytes.Clone(body)
}

// loudness are the levels of an alert, the strongest last.
var loudness = [...]string{"none", "log", "on_claim", "advise", "now"}

func (b *Builder) found(o *said.Any, body []byte) {
	f := b.findings[o.ID]
	if f == nil {
		f = &Finding{States: []State{}, Decisions: []Decision{}}
		b.findings[o.ID] = f
		b.g.Findings = append(b.g.Findings, f)
	}
	f.Finding, f.head, f.t = bytes.Clone(body), *o, ms(int64(o.Window.Hi))
	if slices.Index(loudness[:], o.Alert) > slices.Index(loudness[:], f.Alert) {
		f.Alert = o.Alert
	}
	if n := len(f.States); n == 0 || f.States[n-1].State != o.State {
		f.States = append(f.States, State{o.Seq, ms(int64(o.T)), o.State})
	}
}

func (b *Builder) decided(r record.Record) {
	var d struct {
		watch.Decision
		WallMS int64 `json:"wall_ms"`
	}
	if json.Unmarshal(r.Body, &d) != nil || b.findings[d.Finding] == nil {
		return
	}
	f := b.findings[d.Finding]
	f.Decisions = append(f.Decisions, Decision{
		int64(r.Seq), ms(r.At), d.Decision.Decision, b.people.Said(cmp.Or(d.By, d.Device)), b.people.Said(d.Note), d.WallMS,
	})
}

func (b *Builder) opened(r record.Record) {
	o, err := watch.ParseOpening(r.Body)
	if err != nil {
		return
	}
	b.rec.Board, b.rec.Journal, b.rec.Core = o.Board, o.Journal, o.Core
	var conf struct{ Event, Round string }
	if len(o.Config) > 0 && json.Unmarshal(o.Config, &conf) == nil {
		b.rec.Event, b.rec.Round = conf.Event, conf.Round
	}
	if then, err := time.Parse(time.RFC3339Nano, o.Wall); err == nil {
		b.rec.Wall = append(b.rec.Wall, [2]int64{ms(r.At), then.UnixMilli()})
	}
}

// absent takes a Gap record. The opening record of a restart comes before the absence, but its wall time is after it.
func (b *Builder) absent(r record.Record) {
	var a watch.Annotation
	if n := len(b.rec.Wall); json.Unmarshal(r.Body, &a) == nil && a.Away > 0 && n > 0 {
		b.rec.Wall[n-1][0] += ms(a.Away)
	}
}

func (b *Builder) instructed(body []byte) {
	var i watch.Instruction
	if json.Unmarshal(body, &i) != nil || i.Do != watch.DoNames {
		return
	}
	b.white, b.black = b.people.Said(string(i.White)), b.people.Said(string(i.Black))
	if len(b.g.Moves) == 0 {
		b.g.White, b.g.Black = b.white, b.black
	}
}

// end closes everything that is open in a game.
func (b *Builder) end() {
	if b.awaySince >= 0 {
		since := b.awaySince
		b.back(b.g.To)
		b.awaySince = since
	}
	slices.SortStableFunc(b.g.Touches, func(a, b Touch) int { return cmp.Compare(a.T, b.T) })
	slices.SortStableFunc(b.g.Presses, func(a, b Press) int { return cmp.Compare(a.T, b.T) })
	slices.SortStableFunc(b.g.Findings, func(a, b *Finding) int { return cmp.Compare(a.t, b.t) })
}

// Recording ends the recording and returns it.
func (b *Builder) Recording() *Recording {
	b.end()
	return &b.rec
}

func ms(us int64) int64 { return us / 1000 }
