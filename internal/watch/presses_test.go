package watch_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/research/line"
	"boardwatchd/internal/research/presses"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A watchedTable is one table of people and equipment that the project did not write, watched live.
type watchedTable struct {
	rig   *rig
	truth presses.Truth
}

// watchTable plays a table through the machine, as a station would, which is killed at the given times and started
// again.
func watchTable(o presses.Options, kills ...kill) watchedTable {
	tb := presses.New(o)
	r := &rig{m: watch.New()}
	r.step(0, record.Open, watch.Opening{Format: watch.Format, Source: watch.Live, Board: "1", Config: automatic}.Body())
	r.step(0, record.Up, watch.Annotation{Device: "table"}.Body())
	up := true
	now := int64(0)
	end := tb.Truth().EndAt + 40*second
	stills := tb.Truth().Standstills // of the program, not yet over
	last := int64(0)                 // of the records
	read := func(at int64, p []byte) (tx []byte) {
		if len(stills) > 0 && at >= stills[0].To {
			tx = r.step(at, record.Late, watch.Late(stills[0].From))
			stills = stills[1:]
		}
		if len(p) > 0 {
			tx, last = append(tx, r.step(at, record.Rx, p)...), at
		}
		return tx
	}
	for now < end {
		next := end
		dead := len(kills) > 0 && now >= kills[0].at
		switch {
		case dead && now >= kills[0].at+kills[0].away:
			kills = kills[1:]
			r.step(last, record.Gap, watch.Annotation{Cause: "killed", Away: now - last}.Body())
			r.step(now, record.Up, watch.Annotation{Device: "table"}.Body())
			last = now
			continue
		case dead:
			next = kills[0].at + kills[0].away
		case len(kills) > 0:
			next = min(next, kills[0].at)
		}
		if at, ok := tb.NextEvent(); ok && at > now {
			next = min(next, at)
		} else if ok {
			next = now
		}
		still := len(stills) > 0 && now >= stills[0].From
		if due, ok := r.m.Deadline(); ok && !still && !dead {
			next = min(next, max(due, now))
		}
		var tx []byte
		now = next
		if dead = len(kills) > 0 && now >= kills[0].at; dead {
			tb.Advance(now, func(int64, []byte) {}) // nobody reads it
			continue
		}
		tb.Advance(now, func(at int64, p []byte) { tx = append(tx, read(at, p)...) })
		tx = append(tx, read(now, nil)...)
		if still = len(stills) > 0 && now >= stills[0].From; still {
			continue
		}
		if c := tb.Connected(); c != up {
			up = c
			r.link(now, up)
		}
		t, _ := r.host(now, nil)
		if tx = append(tx, t...); len(tx) > 0 {
			last = now
			tb.Input(now, tx)
		}
	}
	return watchedTable{rig: r, truth: tb.Truth()}
}

// line returns the plies as they count: an offence that was corrected is none, and one that stands is "?". At the end
// of the game a move without a press and an offence that may still be corrected are not complete, unless the machine
// has recorded them.
func (w *watchedTable) line() (list []string) {
	for i := range w.truth.Plies {
		p := &w.truth.Plies[i]
		switch {
		case p.Offence < 0 || !w.truth.Offences[p.Offence].Kind.Illegal():
			list = append(list, p.UCI)
		default:
			list = append(list, standsOf(&w.truth.Offences[p.Offence], p.UCI)...)
		}
	}
	last := &w.truth.Plies[len(w.truth.Plies)-1]
	open := last.Class >= presses.Forgotten || last.Offence >= 0 && w.truth.Offences[last.Offence].Outcome == presses.PlayedOn
	if n := len(list); open && n > 0 && len(slices.Concat(w.rig.moves()...)) == n-1 {
		list = list[:n-1]
	}
	return list
}

// standsOf returns the remainder of an illegal move: nothing, "?", or the promotion that was completed later. A pawn
// that was removed, with nothing read in its place, looks like a queen that is read badly (sensor.unreadable).
func standsOf(o *presses.Offence, uci string) []string {
	switch {
	case o.Outcome == presses.Restored:
		return nil
	case o.Kind != kinds.IllegalPromoIncomplete:
		return []string{"?"}
	case o.Outcome == presses.PlayedOn && !promotionSquareEmpty(o.Standing, uci):
		return []string{"?"}
	}
	return []string{uci + "q"}
}

// promotionSquareEmpty says whether nothing stood on the target square of a pawn's move.
func promotionSquareEmpty(placement, uci string) bool {
	setup, err := legal.ParseFEN(placement + " w - - 0 1")
	if err != nil {
		panic(err)
	}
	to, _ := legal.ParseSquare(uci[2:4])
	return setup.Placement[to] == legal.NoPiece
}

// A tableCount is what was got wrong in a set of tables.
type tableCount struct {
	wrong   int              // games that are not exact
	accused int              // findings where nobody did anything wrong
	missed  int              // illegal moves without a finding within five seconds
	instead [notTold + 1]int // how these were told
	charged int              // irregularities told of somebody who did nothing wrong, likely or certain
}

func (n tableCount) above(most tableCount) bool {
	return n.wrong > most.wrong || n.accused > most.accused || n.missed > most.missed || n.charged > most.charged
}

// A tableRow is a set of tables.
type tableRow struct {
	name string
	calm bool
	o    presses.Options
	most tableCount
}

// options are those of one table of the row.
func (c *tableRow) options(seed int) presses.Options {
	o := c.o
	o.Seed = uint64(seed)
	if c.calm {
		h := presses.DefaultHabits()
		h.Scramble = 0
		o.Habits = &h
	}
	return o
}

// tableRows are sets of tables, with the machine's errors at the last count. The counts may not grow. In a calm set
// there are no scrambles, in which replies are made before the presses are known. One game of the slow clock (seed 6)
// has a press that is made late and reported late, and is attributed to the next ply.
var tableRows = []tableRow{
	{"calm event", true, presses.Options{Clock: presses.EventClock}, tableCount{}},
	{"calm polled", true, presses.Options{Clock: presses.PolledClock}, tableCount{}},
	{"calm slow", true, presses.Options{Clock: presses.SlowClock}, tableCount{charged: 1}},
	{"calm event offences", true, presses.Options{Clock: presses.EventClock, Offences: 200}, tableCount{}},
	{"calm polled offences", true, presses.Options{Clock: presses.PolledClock, Offences: 200}, tableCount{}},
	{"calm slow offences", true, presses.Options{Clock: presses.SlowClock, Offences: 200}, tableCount{}},
	// The shortest row after a long gap is no proof: its plies are reported as not known (seed 8).
	{"calm gaps", true, presses.Options{Gaps: 30}, tableCount{wrong: 3, charged: 1}},
	{"calm standstills", true, presses.Options{Clock: presses.EventClock, Standstills: 200}, tableCount{}},
	{"calm standstills offences", true, presses.Options{Clock: presses.EventClock, Standstills: 200, Offences: 200}, tableCount{}},
	{"calm noise", true, presses.Options{LostBytes: 50, FlippedBits: 50}, tableCount{charged: 1}},
	{"event", false, presses.Options{Clock: presses.EventClock}, tableCount{wrong: 1}},
	{"polled", false, presses.Options{Clock: presses.PolledClock}, tableCount{wrong: 1}},
	{"slow", false, presses.Options{Clock: presses.SlowClock}, tableCount{wrong: 1, charged: 1}},
	{"event offences", false, presses.Options{Clock: presses.EventClock, Offences: 200}, tableCount{wrong: 1}},
	{"polled offences", false, presses.Options{Clock: presses.PolledClock, Offences: 200}, tableCount{wrong: 1, missed: 1}},
	// A piece that went to the next square as fast as a push, and a press that is reported 2.5 s later: it may have been
	// pushed, and the clock pressed back (seed 10).
	{"slow offences", false, presses.Options{Clock: presses.SlowClock, Offences: 200}, tableCount{wrong: 3, missed: 3}},
	{"gaps", false, presses.Options{Gaps: 30}, tableCount{wrong: 4, charged: 1}},
	{"noise", false, presses.Options{LostBytes: 50, FlippedBits: 50}, tableCount{wrong: 1, charged: 1}},
}

// tablesOfRow is how many tables of each row are watched; 10 with -short. BOARDWATCHD_SEEDS watches more and only
// reports:
//
//	BOARDWATCHD_SEEDS=100 go test ./internal/watch -run TablesFromOutside -v
const tablesOfRow = 12

func TestTablesFromOutside(t *testing.T) {
	long(t)
	for _, c := range tableRows {
		t.Run(c.name, func(t *testing.T) {
			_, last := seeds(t, tablesOfRow)
			var machine tableCount
			var plies classCount
			offences := 0
			for seed := 1; seed <= last; seed++ {
				w := watchTable(c.options(seed))
				for i := range w.truth.Offences {
					if w.truth.Offences[i].Kind.Illegal() {
						offences++
					}
				}
				plies.add(&w.truth)
				w.judgeMachine(t, seed, &machine)
			}
			t.Logf("plies: %v", &plies)
			t.Logf("machine: exact %d of %d, accused %d, found %d of %d offences; of the others %d told otherwise, %d later, %d not; %d charged", last-machine.wrong, last,
				machine.accused, offences-machine.missed, offences, machine.instead[toldOtherwise], machine.instead[toldLater], machine.instead[notTold], machine.charged)
			if c.o.Offences == 0 && machine.accused > 0 {
				t.Errorf("%d accusations where nobody did anything wrong", machine.accused)
			}
			if last <= tablesOfRow && machine.above(c.most) {
				t.Errorf("got %+v, at most %+v before", machine, c.most)
			}
		})
	}
}

// onceAccused are tables, by row, at which an innocent player was once accused. They were found among 2,500 of each
// row.
var onceAccused = map[string][]int{
	"calm event offences":  {2455, 2714, 2886, 2909, 3255, 3492, 3501, 3598, 4871},
	"calm polled offences": {988, 1226},
	"calm slow offences":   {2181, 2436, 2694},
}

func TestNobodyIsAccusedAgain(t *testing.T) {
	for _, c := range tableRows {
		var n tableCount
		for _, seed := range onceAccused[c.name] {
			w := watchTable(c.options(seed))
			w.accused(t, seed, &n)
		}
		if n.accused > 0 {
			t.Errorf("%s: %d accusations", c.name, n.accused)
		}
	}
}

// judgeMachine compares what the machine said with what happened.
func (w *watchedTable) judgeMachine(t *testing.T, seed int, n *tableCount) {
	want := w.line()
	if got := slices.Concat(w.rig.moves()...); !slices.Equal(got, want) {
		n.wrong++
		k := parting(got, want)
		t.Logf("seed %d: machine from ply %d of %d: got %v want %v (%d) %v", seed, k+1, len(want), tail(got, k), tail(want, k), len(got), w.around(k))
	}
	w.accused(t, seed, n)
	findings := w.rig.findings()
	for i := range w.truth.Offences {
		o := &w.truth.Offences[i]
		if !o.Kind.Illegal() {
			continue
		}
		if how := w.toldOf(o, findings); how != toldInTime {
			n.missed++
			n.instead[how]++
			t.Logf("seed %d: machine missed (%v) %+v", seed, how, *o)
		}
	}
}

// A toldHow is the way in which an illegal move was reported.
type toldHow uint8

const (
	toldInTime    toldHow = iota // as an illegal move of its player, within five seconds
	toldOtherwise                // within five seconds as what else the board can show: a square that reads empty, an irregularity, a board that is not understood
	toldLater                    // as what it was, within two minutes
	notTold
)

func (h toldHow) String() string {
	return [...]string{"in time", "told otherwise", "told later", "not told"}[h]
}

// toldOf returns the way in which an illegal move was reported. The time runs from the report of its press, because the
// program cannot know of it before.
func (w *watchedTable) toldOf(o *presses.Offence, findings []told) toldHow {
	heard := heardBy(&w.truth, max(o.PressAt, w.truth.Presses[w.truth.Plies[o.Ply].Press].SeenAt))
	about := func(until int64, is func(*told) bool) bool {
		return slices.ContainsFunc(findings, func(v told) bool {
			at := int64(v.T * second)
			return v.State != "withdrawn" && at > o.PressAt-second/5 && at < heard+until && is(&v)
		})
	}
	own := func(v *told) bool { return v.Side == o.Side.String() }
	switch {
	case about(5*second, func(v *told) bool { return own(v) && strings.HasPrefix(v.Kind, "illegal.") }):
		return toldInTime
	case about(5*second, func(v *told) bool {
		return own(v) && (strings.HasPrefix(v.Kind, "sensor.") || v.Kind == "irreg.displaced")
	}):
		return toldOtherwise
	case about(120*second, func(v *told) bool { return own(v) && v.Kind == string(o.Kind) }):
		return toldLater
	}
	return notTold
}

// awayRows are halls whose program is killed every 20 to 60 seconds of blitz games and away for so long, with what the
// record got wrong when it was last counted.
var awayRows = []struct {
	name  string
	away  int64 // µs
	wrong int
}{{"three seconds", 3 * second, 0}, {"six seconds", 6 * second, 0}}

// TestKilledTables: what was played while the program was away is exact or not known: it is shown by the board, by the
// clock, or later by the board's own log. More games, which are only reported:
//
//	BOARDWATCHD_SEEDS=200 go test ./internal/watch -run KilledTables -v
func TestKilledTables(t *testing.T) {
	long(t)
	for _, c := range awayRows {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, last := seeds(t, 8)
			var n tableCount
			var sum line.Difference
			plies, games, exact := 0, 0, 0
			for seed := 1; seed <= last; seed++ {
				for _, clock := range []presses.Kind{presses.EventClock, presses.PolledClock, presses.SlowClock} {
					h := presses.DefaultHabits()
					h.Scramble = 0
					o := presses.Options{Seed: uint64(seed), Clock: clock, Habits: &h, Pace: presses.Blitz}
					w := watchTable(o, killsOf(o, c.away)...)
					want := w.line()
					d := line.Compare(w.record(), want)
					games, plies = games+1, plies+len(want)
					if sum = (line.Difference{Wrong: sum.Wrong + d.Wrong, Missing: sum.Missing + d.Missing, Unknown: sum.Unknown + d.Unknown}); d.Wrong+d.Unknown == 0 {
						exact++
					}
					w.accused(t, seed, &n)
				}
			}
			t.Logf("exact %d of %d games; of %d plies %d wrong, %d missing, %d not known; %d accused", exact, games, plies, sum.Wrong, sum.Missing, sum.Unknown, n.accused)
			if n.accused > 0 || last <= 8 && sum.Wrong > c.wrong {
				t.Errorf("%d accused, %d wrong plies", n.accused, sum.Wrong)
			}
		})
	}
}

// killsOf draws when the program is killed during a game; the end of the game it sees.
func killsOf(o presses.Options, away int64) (kills []kill) {
	rng := rand.New(rand.NewPCG(o.Seed, uint64(o.Clock)))
	end := presses.New(o).Truth().EndAt - 15*second
	for at := int64(5 * second); ; {
		at += 20*second + rng.Int64N(40*second)
		k := kill{at: at, away: away + rng.Int64N(second)}
		if at += k.away; k.at > end {
			return kills
		}
		kills = append(kills, k)
	}
}

// record are the plies of the last game as the journal has them.
func (w *watchedTable) record() []string {
	var r line.Record
	for _, said := range w.rig.said {
		v := line.Said{Type: said.Type, UCI: said.UCI, What: said.What, Corrects: said.Corrects, Illegal: said.Illegal, Ply: said.Ply, PlyFrom: said.PlyFrom, PlyTo: said.PlyTo, Moves: said.Moves}
		r.Take(&v, 0)
	}
	r.Fill()
	return r.Plies
}

// accused counts the findings against somebody who did nothing wrong.
func (w *watchedTable) accused(t *testing.T, seed int, n *tableCount) {
	t.Helper()
	for _, v := range w.rig.findings() {
		innocent := !guilty(&w.truth, v.Side, int64(min(v.T, v.Window.Hi)*second))
		if v.Accused && innocent {
			n.accused++
			t.Logf("seed %d: machine accused %+v", seed, v)
		}
		if strings.HasPrefix(v.Kind, "irreg.") && v.State != "withdrawn" && (v.Proof == "strong" || v.Proof == "certain") && innocent && v.Side != "" {
			n.charged++
			t.Logf("seed %d: machine charged %+v", seed, v)
		}
	}
}

// parting is the number of plies that two lines share.
func parting(a, b []string) (k int) {
	for k < len(a) && k < len(b) && a[k] == b[k] {
		k++
	}
	return k
}

// heardBy is when the program can have heard of what happened at a time: not while it stood still.
func heardBy(truth *presses.Truth, at int64) int64 {
	for _, w := range truth.Standstills {
		if at >= w.From && at < w.To {
			return w.To
		}
	}
	return at
}

// findings returns the findings in their last state, in the order and with the time of their first report. A finding
// that has accused a player at any time counts as an accusation, whatever its last state.
func (r *rig) findings() (list []told) {
	for _, v := range r.said {
		if v.Type != "finding" {
			continue
		}
		if i := slices.IndexFunc(list, func(old told) bool { return old.ID == v.ID }); i >= 0 {
			v.T, v.Accused = list[i].T, list[i].Accused || v.accuses()
			list[i] = v
			continue
		}
		v.Accused = v.accuses()
		list = append(list, v)
	}
	return list
}

// A classCount counts plies by what became of their presses.
type classCount struct {
	plies, scramble, offence, merged, swallowed int
	class                                       [presses.Dead + 1]int
}

func (n *classCount) add(truth *presses.Truth) {
	for _, p := range truth.Plies {
		n.plies++
		n.class[p.Class]++
		if p.Scramble {
			n.scramble++
		}
		if p.Offence >= 0 {
			n.offence++
		}
		if p.Press >= 0 && truth.Presses[p.Press].Merged {
			n.merged++
		}
		if p.Press >= 0 && truth.Presses[p.Press].Swallowed {
			n.swallowed++
		}
	}
}

// String gives shares in percent.
func (n *classCount) String() string {
	var b strings.Builder
	fmt.Fprint(&b, n.plies)
	share := func(name string, k int) {
		fmt.Fprintf(&b, ", %s %.1f %%", name, 100*float64(k)/float64(max(n.plies, 1)))
	}
	for c := presses.NoClass; c <= presses.Dead; c++ {
		share(c.String(), n.class[c])
	}
	share("merged", n.merged)
	share("swallowed", n.swallowed)
	share("in a scramble", n.scramble)
	share("offences", n.offence)
	return b.String()
}

// around describes the plies about an index.
func (w *watchedTable) around(k int) (list []string) {
	for i := max(0, k-2); i < min(len(w.truth.Plies), k+4); i++ {
		p := w.truth.Plies[i]
		s := fmt.Sprintf("%s %v placed %.1f s", p.UCI, p.Class, float64(p.Placed)/second)
		if p.Press >= 0 {
			pr := w.truth.Presses[p.Press]
			s += fmt.Sprintf(" seen %.1f s later", float64(pr.SeenAt-pr.At)/second)
			if pr.Merged {
				s += " merged"
			}
			if pr.Swallowed {
				s += " swallowed"
			}
		}
		list = append(list, "["+s+"]")
	}
	return list
}

// guilty says that the player of that side did something wrong about that time.
func guilty(truth *presses.Truth, side string, at int64) bool {
	return slices.ContainsFunc(truth.Offences, func(o presses.Offence) bool {
		heard := o.PressAt // a clock that is slow, or was silent for a while, may report it much later
		if n := truth.Plies[o.Ply].Press; n >= 0 {
			heard = max(heard, truth.Presses[n].SeenAt)
		}
		return side == o.Side.String() && at > o.PressAt-2*second && at < heard+30*second
	})
}
