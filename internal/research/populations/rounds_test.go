package populations

import (
	"encoding/json"
	"strings"
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// round plays a game on the board with that serial number through a machine, and returns the text of its journal and
// the first castlings of both players.
func round(t *testing.T, o GameOptions, before *watch.ScanBefore) (text string, castled []line) {
	t.Helper()
	var out strings.Builder
	m := watch.New()
	seen := map[int]bool{}
	step := func(r record.Record) {
		for _, e := range m.Step(r) {
			out.Write(append(e.Body, '\n'))
			var l line
			if err := json.Unmarshal(e.Body, &l); err != nil {
				t.Error(err)
			}
			if l.Type == "hands" && l.Kind == "castling" && !l.Later && !seen[l.Ply%2] {
				seen[l.Ply%2] = true
				castled = append(castled, l)
			}
		}
	}
	open := watch.Opening{Format: watch.Format, Core: watch.Revision, Source: watch.Capture, Board: "1", Config: ruled(o.Pace), Scan: before}
	step(record.Record{Seq: 1, Kind: record.Open, Body: open.Body()})
	serial := dgt.Serial{Digits: [5]byte([]byte("02718"))}.AppendTo(nil)
	for i, r := range append([]record.Record{{At: 100_000, Kind: record.Rx, Body: serial}}, Play(o).Records()...) {
		r.Seq = record.Seq(i + 2)
		step(r)
	}
	return out.String(), castled
}

// Over two rounds: with the scan of the first one the castlings of move 5 are judged at the press in the second, and
// without it they are not. A scan of another board, or one that the first moves contradict, changes nothing.
func TestTheScanOfTheLastRoundIsRemembered(t *testing.T) {
	early, judged, stranger, wrong := 0, 0, 0, 0
	for seed := range uint64(40) {
		o := GameOptions{Options: Options{Seed: 100 + seed, Family: Families()[seed%4], Pace: Blitz}, BaseSec: 480, BonusSec: 2, Plies: 60}
		var first watch.ScanBefore
		text, _ := round(t, o, nil)
		if !first.FindScan([]byte(text)) || first.Serial != "02718" || first.Order != hands.Raster.String() || first.PeriodUS < 220_000 || first.PeriodUS > 230_000 {
			t.Fatalf("seed %d: %+v", seed, first)
		}
		o.Seed, o.Plies, o.Opening = o.Seed+1000, 24, strings.Fields("e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 d2d3 f8c5 e1g1 e8g8")
		_, plain := round(t, o, nil)
		other, off := first, first
		other.Serial, off.PeriodUS = "00001", first.PeriodUS*3/4
		_, known := round(t, o, &first)
		_, notMine := round(t, o, &other)
		_, notSo := round(t, o, &off)
		for i, l := range plain {
			if l.Ply > 10 || l.Abstained != "no sensor" {
				continue
			}
			early++
			if l := known[i]; l.LLR != nil && !l.Suspected {
				judged++
			}
			if notMine[i].Abstained != "no sensor" {
				stranger++
			}
			if notSo[i].Abstained != "no sensor" {
				wrong++
			}
		}
	}
	t.Logf("of %d castlings in move 5, of which nothing was said in their time, %d are judged with the scan of the last round", early, judged)
	if early < 30 || judged*10 < early*7 || stranger > 0 || wrong > 0 {
		t.Errorf("%d castlings, %d judged, %d by the scan of another board, %d by a wrong one", early, judged, stranger, wrong)
	}
}
