package rules_test

import (
	"strings"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

const (
	castlingFEN   = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
	byCastling    = "suspect.two_hands_castling"
	byCapture     = "suspect.two_hands_capture"
	asked         = " confirmed advise fact stands"
	reportedBlitz = "illegal.two_hands confirmed now illegal_move stands +0/60 #1/0"
)

// castle plays castling as a judged press: the suspicion comes before the move.
func (g *game) castle(kind kinds.Kind) []rules.Entry {
	g.t.Helper()
	c := g.find(kind, legal.White, rules.Hint)
	c.Ply, c.UCI = g.ply+1, "e1g1"
	list := g.step(rules.Found{Case: c})
	g.play("e1g1")
	return list
}

func TestSuspicionIsNoFindingUnderRulesWithoutIt(t *testing.T) {
	for _, tt := range []struct {
		profile string
		kind    kinds.Kind
		flag    string
		want    string
	}{
		{"fide-blitz", byCastling, "", byCastling + asked},
		{"fide-standard", byCapture, "", byCapture + asked},
		{"wbca-blitz", byCapture, "", byCapture + asked},
		{"wbca-blitz", byCastling, "", "none"},
		{"uscf-regular", byCastling, "", "none"},
		{"uscf-regular", byCapture, "", "none"},
		{"fide-blitz", byCastling, "appendix_d", "none"},
		{"fide-blitz", byCastling, "assistant", "none"},
	} {
		g := begin(t, tt.profile, castlingFEN)
		if tt.flag != "" {
			g.step(rules.Flag{Name: tt.flag, On: true})
		}
		list := g.castle(tt.kind)
		g.wants(tt.want)
		if tt.want == "none" && len(list)+len(g.d.Entries()) != 0 {
			t.Errorf("%s, %s %s: %d findings", tt.profile, tt.kind, tt.flag, len(list))
		}
	}
}

func TestReportTakesTheSuspicionOver(t *testing.T) {
	g := begin(t, "fide-blitz", castlingFEN)
	g.castle(byCastling)
	id := g.last
	g.report("two-hands", legal.White, 0)
	g.wants(reportedBlitz)
	if e := g.entry(id); e.State != rules.Withdrawn || e.Alert != rules.Advise || !strings.Contains(e.Ruling.Text.String(), "reported") {
		t.Errorf("the suspicion stays %v, %v: %s", e.State, e.Alert, e.Ruling.Text.String())
	}
}

func TestReportBeforeThePressLeavesNoSuspicion(t *testing.T) {
	g := begin(t, "fide-blitz", castlingFEN)
	g.inProgress("two-hands", legal.White)
	if list := g.castle(byCastling); len(list) != 0 {
		t.Errorf("%d entries beside the report", len(list))
	}
	g.wants(reportedBlitz)
}

func TestSuspicionIsWithdrawnWhenHandsStopMattering(t *testing.T) {
	g := begin(t, "fide-blitz", castlingFEN)
	g.castle(byCastling)
	g.step(rules.Flag{Name: "assistant", On: true})
	if e := g.entry(g.last); e.State != rules.Withdrawn || e.Alert != rules.Advise {
		t.Errorf("%v, %v", e.State, e.Alert)
	}
	g.wants("none")
}

func TestSuspicionNamesOtherPeoplesHands(t *testing.T) {
	for _, kind := range []kinds.Kind{byCapture, byCastling, "suspect.two_hands_promotion"} {
		g := begin(t, "fide-blitz", castlingFEN)
		g.castle(kind)
		if text := g.entry(g.last).Ruling.Text.String(); !strings.Contains(text, "the opponent's or the arbiter's") {
			t.Errorf("%s: %s", kind, text)
		}
	}
}

func TestDecisionsLeaveASuspicionQuiet(t *testing.T) {
	for _, do := range []string{"confirm", "reject", "accident", "sensor", "later", "unseen"} {
		g := begin(t, "fide-blitz", castlingFEN)
		g.castle(byCastling)
		g.decide(g.last, do) // step checks each entry
		if g.d.Strikes() != [3]int{} {
			t.Errorf("%s gives a strike", do)
		}
	}
}
