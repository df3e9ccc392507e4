package scenario

import (
	"encoding/json"

	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules"
)

// Options choose how cases are played.
type Options struct {
	// Profile replaces the rule set of all cases, to try another one. "" is each case's own.
	Profile string
	// Equip changes the equipment before a case begins: a slower board, a clock with delayed messages; may be nil.
	Equip func(e *emulator.Options)
	// Record receives every record, in order, as in a journal; may be nil.
	Record func(r record.Record) error
}

// The equipment of the cases; see the package comment.
const (
	scanUS    = 20_000
	latencyUS = 1_000
)

// The time for which a case continues after its last line.
const (
	quietUS    = 4_500_000  // at least: reports settle, dumps are compared, mates become results
	patienceUS = 40_000_000 // at most, while the machine still has deadlines
)

// Play plays a case through an emulated board, its cable and the machine, as a daemon would receive it, and returns the
// output.
func (c *Case) Play(o Options) (*Said, *Plan, error) {
	plan, err := c.Plan(0)
	if err != nil {
		return nil, nil, err
	}
	opening, err := c.opening(o.Profile)
	if err != nil {
		return nil, nil, err
	}
	equipment := plan.Equipment()
	if o.Equip != nil {
		o.Equip(&equipment)
	}
	e := emulator.New(equipment)
	d := daemon{m: watch.New(), said: &Said{}, cues: plan.Cues, record: o.Record}
	d.step(0, record.Open, opening)
	d.step(0, record.Up, watch.Annotation{Device: "emulated"}.Body())
	end := plan.Ends + quietUS
	for limit := end; limit < plan.Ends+patienceUS; {
		emulator.Run(e, d.host, emulator.Never/2, limit)
		at, waits := d.m.Undecided()
		if !waits || at > plan.Ends+patienceUS {
			break
		}
		limit = max(limit, at) + 1
	}
	return d.said, plan, d.err
}

// Equipment returns the emulated board, clock and cable on which the plan is played.
func (p *Plan) Equipment() emulator.Options {
	return emulator.Options{
		Seed:  1,
		Board: emulator.BoardOptions{ScanUS: p.ScanUS}, Clock: p.Clock, Line: emulator.LineOptions{LatencyUS: latencyUS},
		Script: p.Acts, Table: p.Table,
	}
}

// opening returns the body of the opening record: the configuration of a daemon that watches this board.
func (c *Case) opening(profile string) ([]byte, error) {
	conf := config.Default()
	if err := c.Configure(&conf, profile); err != nil {
		return nil, err
	}
	board := config.NewBoard("1", "")
	board.WhiteClock = config.ClockLeft
	return watch.Opening{
		Format: watch.Format, Journal: c.ID, Segment: 1, Core: watch.Revision, Software: "scenarios", Source: watch.Live, Board: board.Name,
		Config: json.RawMessage(conf.Core(board).Canonical()),
	}.Body(), nil
}

// Configure sets the configuration of a daemon for the case: its time control, and its rule set with the case's own
// keys, or the named rule set without them. Whether rule set and time control fit is not checked, because a case is a
// question about that rule set.
func (c *Case) Configure(conf *config.Config, profile string) (err error) {
	if profile == "" {
		profile = c.Profile
	}
	if conf.TimeControl, err = timeControl(c.TC); err != nil {
		return err
	}
	conf.LocalRules = nil
	if profile == c.Profile && len(c.Rules) > 0 {
		p, err := config.Profile(profile, c.Rules...)
		if err != nil {
			return err
		}
		for _, o := range c.Rules {
			conf.LocalRules = append(conf.LocalRules, o.Key)
		}
		conf.Profile, conf.Rules = profile, []rules.Profile{p}
		return nil
	}
	conf.Profile, conf.Rules, err = config.Rules(profile)
	return err
}

// daemon is the station's loop without files, ports and clocks.
type daemon struct {
	m      *watch.Machine
	seq    record.Seq
	said   *Said
	cues   []Cue
	record func(record.Record) error
	err    error
}

// host receives the bytes of the cable, applies people's inputs, and wakes the machine at its deadlines.
func (d *daemon) host(at int64, rx []byte) (tx []byte, wakeAt int64) {
	if len(rx) > 0 {
		tx = append(tx, d.step(at, record.Rx, rx)...)
	}
	for len(d.cues) > 0 && d.cues[0].At <= at {
		c := &d.cues[0]
		confirm := ""
		if c.Decides() {
			confirm = d.said.Confirm()
		}
		if body := c.Body(confirm); body != nil {
			tx = append(tx, d.step(at, c.Kind, body)...)
		}
		d.cues = d.cues[1:]
	}
	wakeAt = emulator.Never
	if len(d.cues) > 0 {
		wakeAt = d.cues[0].At
	}
	for {
		due, ok := d.m.Deadline()
		if !ok || due > at {
			if ok {
				wakeAt = min(wakeAt, due)
			}
			return tx, wakeAt
		}
		tx = append(tx, d.step(at, record.Wake, nil)...)
	}
}

// step steps the machine with one record. Records and effects are numbered as in a journal.
func (d *daemon) step(at int64, k record.Kind, body []byte) (tx []byte) {
	r := d.note(at, k, body)
	for _, e := range d.m.Step(r) {
		d.note(at, e.Kind, e.Body)
		if e.Kind == record.Tx {
			tx = append(tx, e.Body...)
			continue
		}
		d.said.Take(e.Body)
	}
	return tx
}

func (d *daemon) note(at int64, k record.Kind, body []byte) record.Record {
	d.seq++
	r := record.Record{Seq: d.seq, At: at, Kind: k, Body: body}
	if d.record != nil && d.err == nil {
		d.err = d.record(r)
	}
	return r
}
