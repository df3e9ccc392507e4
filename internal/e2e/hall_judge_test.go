//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/research/line"
	"boardwatchd/internal/research/presses"
)

// A hallCount is what became of the boards of a hall.
type hallCount struct {
	boards, exact int
	plies         int // of the truth
	wrong         int // plies of the record that are none of the truth
	missing       int // plies of the truth that are not in the record, nor in a span that is said to be not known
	unknown       int // plies of the truth in such spans
	presses       int // that the program judged
	unread        int // … as sensor.unknown
	behind        int // plies that came to the record more than two seconds after the press of the next one
	certain       int // offences of the kinds illegal.*
	found         int // … that were told within five seconds
	accused       int // findings against a player who did nothing wrong
	delays        []time.Duration
	kinds         map[string]int // offences that were not found
}

func (n *hallCount) tell(t *testing.T) {
	t.Helper()
	slices.Sort(n.delays)
	at := func(percent int) time.Duration {
		if len(n.delays) == 0 {
			return 0
		}
		return n.delays[min(len(n.delays)*percent/100, len(n.delays)-1)].Round(10 * time.Millisecond)
	}
	t.Logf("exact %d of %d games; of %d plies %d wrong, %d missing, %d not known, %d more than one ply behind", n.exact, n.boards, n.plies, n.wrong, n.missing, n.unknown, n.behind)
	t.Logf("offences: %d of %d found, %d accusations; from the press to the finding: median %v, 95 %% %v", n.found, n.certain, n.accused, at(50), at(95))
	t.Logf("presses judged sensor.unknown: %d of %d", n.unread, n.presses)
	for _, k := range slices.Sorted(maps.Keys(n.kinds)) {
		t.Logf("not found: %d %s", n.kinds[k], k)
	}
}

// A hallSaid is what the journal says, as far as it is judged.
type hallSaid struct {
	line.Said
	Judged, State, Kind, Side, Alert, Proof, ID string
}

// A hallRecord is the record at the end, and what else was said.
type hallRecord struct {
	line.Record
	found []hallFinding
	judge []string // presses
}

type hallFinding struct {
	hallSaid
	first int64 // when it was told first
}

// accuses reports whether a finding says to the arbiter that a player did something.
func (f *hallFinding) accuses() bool {
	return (strings.HasPrefix(f.Kind, "illegal.") || strings.HasPrefix(f.Kind, "irreg.")) && f.Alert == "now" && f.State == "confirmed" &&
		(f.Proof == "certain" || f.Proof == "strong")
}

// record reads what was said.
func (b *hallBoard) record(t *testing.T) (r hallRecord) {
	t.Helper()
	var opened struct{ Wall time.Time }
	if err := json.Unmarshal([]byte(b.log.entries[0].body), &opened); err != nil {
		t.Fatal(err)
	}
	shift := b.began.Sub(opened.Wall).Microseconds()
	for _, e := range b.log.of("say") {
		var v hallSaid
		if err := json.Unmarshal([]byte(e.body), &v); err != nil {
			t.Fatal(err)
		}
		r.take(v, e.at-shift)
	}
	r.Fill()
	return r
}

func (r *hallRecord) take(v hallSaid, at int64) {
	r.Take(&v.Said, at)
	switch v.Type {
	case "press":
		r.judge = append(r.judge, v.Judged)
	case "finding":
		if i := slices.IndexFunc(r.found, func(f hallFinding) bool { return f.ID == v.ID }); i >= 0 {
			r.found[i].hallSaid = v
		} else {
			r.found = append(r.found, hallFinding{v, at})
		}
	}
}

// line are the plies as they count, with their index in the truth: an offence that was put right is none, and one that
// stands is "?".
func (b *hallBoard) line(truth *presses.Truth) (list []string, index []int) {
	for i := range truth.Plies {
		p := &truth.Plies[i]
		uci := p.UCI
		if p.Offence >= 0 && truth.Offences[p.Offence].Kind.Illegal() {
			switch o := &truth.Offences[p.Offence]; {
			case o.Outcome == presses.Completed:
				uci += "q"
			case o.Outcome == presses.PlayedOn:
				uci = line.Illegal
			default:
				continue
			}
		}
		list, index = append(list, uci), append(index, i)
	}
	return list, index
}

// heardBy is when the program can have heard of what happened at a time.
func (b *hallBoard) heardBy(at int64) int64 {
	truth := b.Truth()
	for _, g := range truth.Gaps {
		if at >= g.From-second && at < g.To {
			at = g.To + second
		}
	}
	for _, a := range b.absent {
		if at >= a.from && at < a.to {
			at = a.to
		}
	}
	return at
}

// judge compares what the program said with what happened.
func (b *hallBoard) judge(t *testing.T, n *hallCount) {
	t.Helper()
	truth := b.Truth()
	got := b.record(t)
	want, index := b.line(&truth)
	n.boards++
	n.plies += len(want)
	n.presses += len(got.judge)
	for _, j := range got.judge {
		if strings.HasPrefix(j, "sensor.unknown") {
			n.unread++
		}
	}
	least := len(want) // plies at the end that nobody pressed cannot be known, and an offence that nobody has answered is no ply yet
	for least > 0 && (truth.Plies[index[least-1]].Class != presses.Pressed || want[least-1] == line.Illegal) {
		least--
	}
	d := line.Compare(got.Plies, want)
	d.Missing = max(d.Missing-(len(want)-least), 0)
	n.wrong += d.Wrong
	n.missing += d.Missing
	n.unknown += d.Unknown
	if k := len(got.Plies); slices.Equal(got.Plies, want[:min(k, len(want))]) && k >= least {
		n.exact++
	} else {
		k := 0
		for k < len(got.Plies) && k < len(want) && got.Plies[k] == want[k] {
			k++
		}
		t.Logf("%s, seed %d, %v clock: %d wrong, %d missing from ply %d of %d: got %v, want %v: %v", b.name, truth.Options.Seed, truth.Options.Clock,
			d.Wrong, d.Missing, k+1, len(want), fiveFrom(got.Plies, k), fiveFrom(want, k), b.around(&truth, index, k))
	}
	b.judgeTimes(t, n, &got, want, index)
	b.judgeFindings(t, n, &got)
}

// judgeTimes counts the plies that came to the record too late, where the record is right about them.
func (b *hallBoard) judgeTimes(t *testing.T, n *hallCount, got *hallRecord, want []string, index []int) {
	t.Helper()
	truth := b.Truth()
	for k := range min(len(got.Plies), len(want)-1) {
		next := truth.Plies[index[k+1]]
		if got.Plies[k] != want[k] || next.Press < 0 || truth.Presses[next.Press].SeenAt == 0 {
			continue
		}
		seen := b.heardBy(truth.Presses[next.Press].SeenAt)
		if late := got.At[k] - seen; late > 2*second {
			n.behind++
			t.Logf("%s, seed %d: ply %d %s came %.1f s after the press of the next one", b.name, truth.Options.Seed, k+1, want[k], float64(late)/float64(second))
		}
	}
}

func (b *hallBoard) judgeFindings(t *testing.T, n *hallCount, got *hallRecord) {
	t.Helper()
	truth := b.Truth()
	seed := truth.Options.Seed
	for i := range got.found {
		f := &got.found[i]
		if f.accuses() && !slices.ContainsFunc(truth.Offences, func(o presses.Offence) bool {
			return f.Side == o.Side.String() && f.first > o.PressAt-2*second && f.first < b.heardBy(o.PressAt)+30*second
		}) {
			n.accused++
			t.Logf("%s, seed %d: accused at %.1f s: %+v", b.name, seed, float64(f.first)/float64(second), f.hallSaid)
		}
	}
	for _, o := range truth.Offences {
		if !o.Kind.Illegal() {
			continue
		}
		n.certain++
		heard := b.heardBy(o.PressAt)
		i := slices.IndexFunc(got.found, func(f hallFinding) bool {
			return f.State != "withdrawn" && strings.HasPrefix(f.Kind, "illegal.") && f.first > o.PressAt-second/5 && f.first < heard+5*second
		})
		if i < 0 {
			if n.kinds == nil {
				n.kinds = map[string]int{}
			}
			n.kinds[string(o.Kind)]++
			t.Logf("%s, seed %d: not found: %+v", b.name, seed, o)
			continue
		}
		n.found++
		if heard == o.PressAt {
			n.delays = append(n.delays, time.Duration(got.found[i].first-o.PressAt)*time.Microsecond)
		}
	}
}

// around describes the plies about one of the line.
func (b *hallBoard) around(truth *presses.Truth, index []int, k int) (list []string) {
	if k >= len(index) {
		k = len(index) - 1
	}
	for i := max(0, index[k]-2); i < min(len(truth.Plies), index[k]+4); i++ {
		p := truth.Plies[i]
		s := fmt.Sprintf("%s %v placed %.1f s", p.UCI, p.Class, float64(p.Placed)/float64(second))
		if p.Press >= 0 {
			pr := truth.Presses[p.Press]
			s += fmt.Sprintf(" pressed %.1f s, seen %.1f s later", float64(pr.At)/float64(second), float64(pr.SeenAt-pr.At)/float64(second))
			if pr.Merged {
				s += " merged"
			}
			if pr.Swallowed {
				s += " swallowed"
			}
		}
		if p.Offence >= 0 {
			s += " " + string(truth.Offences[p.Offence].Kind)
		}
		for _, a := range b.absent {
			if p.FirstTouch < a.to && max(p.Placed, p.PressAt) > a.from {
				s += fmt.Sprintf(" (absent %.1f to %.1f s)", float64(a.from)/float64(second), float64(a.to)/float64(second))
			}
		}
		list = append(list, "["+s+"]")
	}
	return list
}

// fiveFrom returns at most five entries from number n on.
func fiveFrom(s []string, n int) []string { return s[max(0, min(n, len(s))):min(len(s), n+5)] }
