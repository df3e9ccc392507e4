package rules_test

import (
	"strings"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

const backRank = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1"

// flag reports a fallen flag, found at that second of the recording.
func (g *game) flag(side legal.Side, second int64) {
	kind := kinds.FlagFallen
	if side == legal.NoSide {
		kind = kinds.BothFlags
	}
	c := g.find(kind, side, rules.Certain)
	c.When = second * 1_000_000
	g.step(rules.Found{Case: c})
}

// mate plays Re8 and reports it as mate.
func (g *game) mate(second int64) {
	g.move("e1e8")
	c := g.find("end.checkmate", legal.White, rules.Certain)
	c.When = second * 1_000_000
	g.step(rules.Found{Case: c})
}

func TestFlagAndMate(t *testing.T) {
	first := begin(t, "fide-blitz", backRank)
	first.flag(legal.White, 6)
	first.mate(9)
	first.wants("clock.flag confirmed now fact stands 0-1")
	e, _ := first.first()
	for _, part := range []string{"3 s before the mate", "nobody had noticed or claimed it", "1-0"} {
		if !strings.Contains(e.Ruling.Text.String(), part) {
			t.Errorf("%q is not in %q", part, e.Ruling.Text.String())
		}
	}
	for _, e := range first.d.Entries() {
		if strings.Contains(e.Ruling.Text.String(), "before the flag fell") {
			t.Errorf("%s: %s", e.ID, e.Ruling.Text.String())
		}
	}

	after := begin(t, "fide-blitz", backRank)
	after.mate(6)
	after.flag(legal.White, 9)
	after.wants("end.checkmate confirmed now fact stands 1-0")

	loser := begin(t, "fide-blitz", backRank)
	loser.flag(legal.Black, 6)
	loser.mate(9)
	loser.wants("end.checkmate confirmed now fact stands 1-0") // the same result either way

	rejected := begin(t, "fide-blitz", backRank)
	rejected.flag(legal.White, 6)
	id := rejected.last
	rejected.mate(9)
	rejected.decide(id, "sensor")
	rejected.wants("end.checkmate confirmed now fact stands 1-0")
}

func TestFlagThatOnlyPlayersCall(t *testing.T) {
	silent := begin(t, "uscf-blitz", backRank)
	silent.flag(legal.White, 6)
	silent.mate(9)
	silent.wants("end.checkmate confirmed now fact stands 1-0")
	silent.step(rules.Claim{What: "flag", Side: legal.Black})
	silent.wants("end.checkmate confirmed now fact stands 1-0") // too late

	claimed := begin(t, "uscf-blitz", backRank)
	claimed.flag(legal.White, 6)
	claimed.step(rules.Claim{What: "flag", Side: legal.Black})
	claimed.mate(9)
	claimed.wants("clock.flag confirmed on_claim fact stands 0-1")
}

func TestFlagWhileAnIllegalMoveIsOpen(t *testing.T) {
	g := begin(t, "fide-blitz", startFEN).knight()
	illegal := g.last
	g.flag(legal.Black, 6)
	flag := g.last
	g.wants("illegal.knight confirmed now illegal_move restore +0/60 -10/0 #1/0")
	e := g.entry(flag)
	if r := e.Ruling; r.Kind != "arbiter_decides" || r.Result != "" || !strings.Contains(r.Text.String(), "illegal.knight") || !strings.Contains(r.Text.String(), "1:00") || !strings.Contains(r.Text.String(), "1-0") {
		t.Errorf("%s: %s %q %s", e.ID, r.Kind, r.Result, r.Text.String())
	}
	g.decide(illegal, "reject")
	g.wants("clock.flag confirmed now fact stands 1-0")

	late := begin(t, "fide-blitz", startFEN).knight().play("c7c6")
	late.flag(legal.White, 6)
	late.wants("clock.flag confirmed now fact stands 0-1")
}

func TestBothFlags(t *testing.T) {
	for _, tt := range []struct {
		white, black int64
		want         string
	}{
		{6, 9, "clock.both_flags confirmed now fact stands 0-1"},
		{9, 6, "clock.both_flags confirmed now fact stands 1-0"},
		{6, 7, "clock.both_flags confirmed now fact stands"}, // within one time message of the clock
		{0, 9, "clock.both_flags confirmed now fact stands"},
	} {
		g := begin(t, "fide-standard", backRank)
		g.flag(legal.White, tt.white)
		g.flag(legal.Black, tt.black)
		g.flag(legal.NoSide, max(tt.white, tt.black))
		g.wants(tt.want)
		for _, e := range g.d.Entries() {
			if e.Kind == "clock.flag" && (e.Alert != rules.Log || e.Ruling.Result != "") {
				t.Errorf("%s is told as well: %s %s", e.ID, e.Alert, e.Ruling.Result)
			}
		}
	}
}

// The decision came before the flag: the position goes back, and the opponent has lost nothing (FIDE Laws 6.8, 7.5.5).
func TestFlagAfterTheDecision(t *testing.T) {
	for _, name := range []string{"fide-standard", "fide-rapid-supervised", "fide-blitz-supervised", "fide-blitz"} {
		g := begin(t, name, startFEN).knight()
		illegal := g.last
		g.decide(illegal, "confirm")
		g.flag(legal.Black, 9)
		flag := g.last
		moot := func(when string, alert rules.Alert) {
			t.Helper()
			e := g.entry(flag)
			if r := e.Ruling; r.Result != "" || r.Mate != nil || !strings.Contains(r.Text.String(), "position goes back") || !strings.Contains(r.Text.String(), "moot") || e.Alert != alert {
				t.Errorf("%s, %s: %s %q %s", name, when, e.Alert, r.Result, r.Text.String())
			}
		}
		moot("at once", rules.Advise)
		if result, by, asked := g.d.Finish(); asked {
			t.Errorf("%s: asked for a result: %q by %q", name, result, by)
		}
		g.stop(false)
		moot("the clock stopped", rules.Advise)
		g.step(rules.TakenBack{Ply: 2})
		g.pos, g.ply = g.entry(illegal).Before, 2
		g.step(rules.Started{Turn: legal.White, Clock: g.clock})
		if e := g.entry(flag); e.Alert != rules.Log || e.Ruling.Result != "" || !strings.Contains(e.Ruling.Text.String(), "moot") {
			t.Errorf("%s: after it was carried out: %s %q %s", name, e.Alert, e.Ruling.Result, e.Ruling.Text.String())
		}
		g.play("b1c3")
		g.flag(legal.Black, 20) // the ruling was carried out, and the time is his own
		if e := g.entry(g.last); e.Ruling.Result != "1-0" || e.Alert != rules.Now {
			t.Errorf("%s: a later flag: %s %q %s", name, e.Alert, e.Ruling.Result, e.Ruling.Text.String())
		}
	}
}

func TestFlagAfterADecisionThatIsTakenBack(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).knight()
	illegal := g.last
	g.decide(illegal, "confirm")
	g.flag(legal.Black, 9)
	flag := g.last
	g.decide(illegal, "undo")
	if r := g.entry(flag).Ruling; r.Kind != "arbiter_decides" || r.Result != "" {
		t.Errorf("undone: %s %q %s", r.Kind, r.Result, r.Text.String())
	}
	g.decide(illegal, "reject")
	if r := g.entry(flag).Ruling; r.Result != "1-0" {
		t.Errorf("rejected: %s %q %s", r.Kind, r.Result, r.Text.String())
	}
	g.decide(flag, "confirm")
	g.decide(illegal, "confirm") // after the flag now
	if r := g.entry(flag).Ruling; r.Result != "1-0" {
		t.Errorf("confirmed after the flag: %s %q %s", r.Kind, r.Result, r.Text.String())
	}
}

func TestFlagAfterAnAccident(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).knight()
	g.decide(g.last, "accident")
	g.flag(legal.Black, 9)
	if r := g.entry(g.last).Ruling; r.Result != "" || !strings.Contains(r.Text.String(), "The position goes back: the flag is moot") {
		t.Errorf("%q %s", r.Result, r.Text.String())
	}
}

// The decision was not carried out, and the players played on: a person decides.
func TestFlagLongAfterADecisionThatWasNotCarriedOut(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).knight()
	g.decide(g.last, "confirm")
	g.play("c7c6", "b1c3")
	g.flag(legal.Black, 90)
	e := g.entry(g.last)
	if r := e.Ruling; e.Alert != rules.Now || r.Kind != "arbiter_decides" || r.Result != "" || !strings.Contains(r.Text.String(), "gone on") {
		t.Errorf("%s %s %q %s", e.Alert, r.Kind, r.Result, r.Text.String())
	}
}

func TestFlagAfterALosingDecision(t *testing.T) {
	g := begin(t, "fide-standard", startFEN)
	g.step(rules.SetStrikes{White: 1})
	g.knight()
	g.decide(g.last, "confirm")
	g.flag(legal.Black, 9)
	if r := g.entry(g.last).Ruling; r.Result != "" || r.Kind != "none" || !strings.Contains(r.Text.String(), "before the flag fell") {
		t.Errorf("%s %q %s", r.Kind, r.Result, r.Text.String())
	}
}

func TestTheResultOfAConfirmedFlag(t *testing.T) {
	g := begin(t, "fide-standard", backRank)
	g.flag(legal.Black, 6)
	if _, _, _, changed := g.d.ResultByDecision(); changed {
		t.Error("reported before the decision")
	}
	g.decide(g.last, "confirm")
	result, by, stands, changed := g.d.ResultByDecision()
	if result != "1-0" || by != "flag" || !stands || !changed {
		t.Errorf("confirmed: %q %q %v %v", result, by, stands, changed)
	}
	g.step(rules.Ended{Result: result, By: by, Ruled: true})
	if _, _, _, changed := g.d.ResultByDecision(); changed {
		t.Error("reported twice")
	}
	if result, by, asked := g.d.Finish(); result != "1-0" || by != "flag" || !asked {
		t.Errorf("asked: %q %q %v", result, by, asked)
	}
	g.decide(g.last, "undo")
	if result, _, stands, changed := g.d.ResultByDecision(); result != "1-0" || stands || !changed {
		t.Errorf("undone: %q %v %v", result, stands, changed)
	}
}

// The first that the arbiter deals with decides, even if the flag was shown before: confirming the illegal move leaves
// the flag without effect, until the decision is taken back; a flag that was confirmed first has decided (FIDE Laws
// 6.8).
func TestTheOffenceIsDealtWithBeforeTheFlag(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).knight()
	illegal := g.last
	g.flag(legal.Black, 9)
	flag := g.last
	g.decide(illegal, "confirm")
	if e := g.entry(flag); e.Ruling.Result != "" || !strings.Contains(e.Ruling.Text.String(), "dealt with before Black's flag") || !strings.Contains(e.Ruling.Text.String(), "moot") {
		t.Errorf("confirmed: %q %s", e.Ruling.Result, e.Ruling.Text.String())
	}
	g.decide(illegal, "undo")
	g.decide(flag, "confirm")
	g.decide(illegal, "confirm")
	if r := g.entry(flag).Ruling; strings.Contains(r.Text.String(), "dealt with before") {
		t.Errorf("the flag was confirmed first: %s", r.Text.String())
	}
	lost := begin(t, "fide-standard", startFEN)
	lost.step(rules.SetStrikes{White: 1})
	lost.knight()
	illegal = lost.last
	lost.flag(legal.Black, 9)
	flag = lost.last
	lost.decide(illegal, "confirm")
	if e := lost.entry(flag); e.Alert != rules.Log || e.Ruling.Result != "" || !strings.Contains(e.Ruling.Text.String(), "White has lost by that decision") {
		t.Errorf("second strike: %s %q %s", e.Alert, e.Ruling.Result, e.Ruling.Text.String())
	}
}
