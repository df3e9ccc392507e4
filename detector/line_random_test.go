package detector

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"boardwatchd/detector/evidence"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// outcomes feeds a tracker with the board and the dumps that it requests, and returns all its reports.
func (e *evening) outcomes(list []sighting) (all []Outcome) {
	p := DefaultParams()
	p.White = evidence.LeftSide
	tr := New(p)
	seq, pieces, dumpAt := evidence.Seq(1), legal.StartSetup(518).Placement, int64(0)
	take := func() {
		all = append(all, tr.Take()...)
		if tr.DumpWanted() && dumpAt == 0 {
			dumpAt = tr.now.At + 100_000
		}
	}
	until := func(at int64) {
		for {
			due, ok := tr.Deadline()
			seq++
			switch {
			case dumpAt != 0 && dumpAt <= at && (!ok || dumpAt <= due):
				due, dumpAt = dumpAt, 0
				tr.Dump(evidence.Stamp{Seq: seq, At: due}, pieces)
			case ok && due <= at:
				tr.Wake(evidence.Stamp{Seq: seq, At: due})
			default:
				return
			}
			take()
		}
	}
	tr.Dump(evidence.Stamp{Seq: seq, At: 500_000}, pieces)
	tr.Clock(evidence.Stamp{Seq: seq, At: 600_000}, evidence.ClockReading{Left: 7200, Right: 7200, Running: true, Up: evidence.LeftSide})
	take()
	for _, s := range list {
		until(s.at)
		if s.clock {
			tr.Clock(evidence.Stamp{Seq: seq, At: s.at}, s.face)
		} else {
			pieces[s.sq] = s.is
			tr.Field(evidence.Stamp{Seq: seq, At: s.at}, s.sq, s.is, evidence.Window{Lo: s.at - p.ScanUS, Hi: s.at})
		}
		take()
	}
	until(list[len(list)-1].at + 10_000_000)
	return all
}

// followed counts the moves of the record that are those of the evening, up to the first that is not.
func (e *evening) followed(all []Outcome) (n int) {
	for _, o := range all {
		if m, ok := o.(Moved); ok {
			if n == len(e.plies) || m.Ply != n+1 || m.Move != e.plies[n].made {
				return n
			}
			n++
		}
	}
	return n
}

// TestHonestPeopleOnSlowBoards: people who reply and press within one scan of the board are accused of nothing, and the
// record follows them. The exception: a piece that was on its square for less than a scan was never read there, and
// that is reported.
func TestHonestPeopleOnSlowBoards(t *testing.T) {
	games := 300
	switch {
	case os.Getenv("BOARDWATCHD_SEEDS") != "":
		games = 1000
	case testing.Short():
		games = 150
	}
	for _, lagUS := range []int64{0, 1_400_000} {
		presses, lost, accused, doubted := 0, 0, 0, 0
		for seed := range games {
			r := rand.New(rand.NewPCG(uint64(seed), 77))
			e := &evening{r: r, equipment: equipment{
				scanUS: 50_000 + r.Int64N(400_001), jitterUS: r.Int64N(100_001), lagUS: r.Int64N(lagUS + 1), direct: true, calm: true,
			}}
			e.play(100, 0, 0)
			all := e.outcomes(e.arrived())
			for _, o := range all {
				switch o := o.(type) {
				case Pressed:
					presses++
				case Found:
					switch {
					case o.Kind == kinds.Unreadable:
						doubted++
					case o.Kind.Illegal():
						t.Errorf("seed %d, %+v: ply %d: %s", seed, e.equipment, o.Ply, o.Kind)
					case strings.HasPrefix(string(o.Kind), "irreg."):
						accused++
						t.Logf("seed %d, %+v: ply %d: %s", seed, e.equipment, o.Ply, o.Kind)
					}
				}
			}
			if n := e.followed(all); n < len(e.plies) {
				lost++
			}
		}
		t.Logf("lag up to %d ms: %d presses, %d games lost, %d irregularities, %d doubts", lagUS/1000, presses, lost, accused, doubted)
		if lost*100 > games*2 || accused*10_000 > presses*2 || doubted*2000 > presses {
			t.Errorf("lag up to %d ms: %d presses: %d games lost, %d irregularities, %d doubts", lagUS/1000, presses, lost, accused, doubted)
		}
	}
}
