package scenario

import (
	"encoding/json"
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
)

func TestAProgrammeIsForOneBoard(t *testing.T) {
	var cases []*Case
	own := Own()
	for i := range own {
		if own[i].ID == "knight-diagonal" || own[i].ID == "castled-with-both-hands" {
			cases = append(cases, &own[i])
		}
	}
	if _, err := Programme(cases); len(cases) != 2 || err == nil || !strings.Contains(err.Error(), "one by one") {
		t.Errorf("%d cases: %v", len(cases), err)
	}
}

// toldTiming is the output about a board's scan and about a manipulation.
type toldTiming struct {
	Type, What, Verdict string
	Suspected, Later    bool
	Abstained           *string
}

// The timing depends on the phase of the scan when the manipulation begins, which a live board does not report. In
// every phase the board is assessed by then and nothing is reported for one hand; two hands are nearly always
// suspected, whether or not the rules ask; promotions never.
func TestTimingHoldsWhereverTheScanIs(t *testing.T) {
	const phases = 20
	tried := 0
	for i := range Own() {
		c := &Own()[i]
		if c.Scan == 0 || strings.HasPrefix(c.ID, "early-") { // those are about the press
			continue
		}
		tried++
		suspected := 0
		for seed := range uint64(phases) {
			said, _, err := c.Play(Options{Equip: func(o *emulator.Options) { o.Seed = 1 + seed }})
			if err != nil {
				t.Fatal(err)
			}
			judged, deed := false, toldTiming{}
			for _, line := range said.Lines {
				var l toldTiming
				if err := json.Unmarshal(line, &l); err != nil {
					t.Fatal(err)
				}
				switch {
				case l.Type == "health" && l.What == "scan":
					judged = l.Verdict == "judged"
				case l.Type == "hands" && !l.Later:
					deed = l
				}
			}
			if !judged || deed.Type == "" || deed.Abstained != nil {
				t.Errorf("%s, phase %d: judged %v, the deed %+v", c.ID, seed, judged, deed)
			}
			if deed.Suspected {
				suspected++
			}
		}
		if both := strings.Contains(c.ID, "-both-hands") && !strings.HasPrefix(c.ID, "promoted-"); both && suspected < phases*9/10 || !both && suspected > 0 {
			t.Errorf("%s: suspected at %d of %d phases", c.ID, suspected, phases)
		}
	}
	if tried < 12 {
		t.Errorf("only %d cases name a scan", tried)
	}
}
