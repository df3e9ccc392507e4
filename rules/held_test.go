package rules_test

import (
	"strings"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// inProgress sends a report while that side's move is being made.
func (g *game) inProgress(what string, side legal.Side) {
	g.seq++
	g.step(rules.Report{Seq: g.seq, What: what, Side: side, InProgress: true})
}

func TestReportOfHandsWaitsForThePress(t *testing.T) {
	for _, tt := range [][3]string{
		{"two-hands", "fide-standard", "illegal.two_hands confirmed now illegal_move stands +0/120 #1/0"},
		{"two-hands", "fide-blitz", "illegal.two_hands confirmed now illegal_move stands +0/60 #1/0"},
		{"two-hands", "wbca-blitz", "irreg.two_hands_wbca confirmed on_claim irregularity stands"},
		{"other-hand", "fide-standard", "irreg.other_hand confirmed on_claim irregularity stands"},
		{"press-before-release", "fide-standard", "irreg.press_before_done confirmed on_claim irregularity stands"},
	} {
		g := begin(t, tt[1], startFEN).play("e2e4", "d7d5")
		g.inProgress(tt[0], legal.White)
		g.wants("none")
		pressed := *g
		pressed.play("e4d5").wants(tt[2])
		if e, _ := pressed.first(); e.UCI != "e4d5" || e.Ply != 3 {
			t.Errorf("%s: about %s, ply %d", tt[0], e.UCI, e.Ply)
		}
	}
}

func TestMadeMoveIsNotCompletedUntilItIsPressed(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).play("e2e4", "d7d5")
	g.inProgress("two-hands", legal.White)
	g.move("e4d5")
	g.wants("none")
	g.press(legal.White, "ok_late")
	g.wants("illegal.two_hands confirmed now illegal_move stands +0/120 #1/0")
}

func TestReportIsDroppedWithTheMove(t *testing.T) {
	for _, e := range []rules.Event{rules.TakenBack{Ply: 2}, rules.Restored{}} {
		g := begin(t, "fide-standard", startFEN).play("e2e4", "d7d5")
		g.inProgress("two-hands", legal.White)
		list := g.step(e)
		if len(list) != 1 || list[0].State != rules.Withdrawn {
			t.Fatalf("%T: %d entries", e, len(list))
		}
		g.play("e4d5").wants("none")
	}
}

func TestTwoHandsAndAnIllegalMoveInOneAreOneStrike(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).play("g1f3", "d7d6")
	g.inProgress("two-hands", legal.White)
	g.wrong(kinds.IllegalKnight, "f3d5", "f3", "f3 - d5 N")
	g.wants("illegal.knight confirmed now illegal_move restore +0/120 -10/0 #1/0")
	if n := shownKinds(g, "illegal.two_hands"); n != 0 {
		t.Error("two hands are shown as well")
	}
}

func shownKinds(g *game, kind kinds.Kind) (n int) {
	for _, e := range g.d.Entries() {
		if e.Kind == kind && e.State != rules.Withdrawn && e.Ruling.Kind != "none" {
			n++
		}
	}
	return n
}

func TestTwoHandsReportedTooLate(t *testing.T) {
	for _, tt := range [][2]string{
		{"fide-rapid", "illegal.two_hands expired on_claim fact stands"},
		{"fide-standard", "illegal.two_hands confirmed now illegal_move stands +0/120 #1/0"},
	} {
		g := begin(t, tt[0], startFEN).play("e2e4", "d7d5", "e4d5", "g8f6")
		g.report("two-hands", legal.White, 0)
		g.wants(tt[1])
	}
	g := begin(t, "fide-rapid", startFEN).play("e2e4", "d7d5", "e4d5")
	g.report("two-hands", legal.White, 0)
	g.play("g8f6").wants("illegal.two_hands confirmed now illegal_move stands +0/60 #1/0") // the report came in time
	old := begin(t, "fide-rapid", startFEN).play("e2e4", "d7d5", "e4d5", "g8f6", "b1c3", "b8c6")
	old.report("two-hands", legal.White, 2)
	old.wants("illegal.two_hands expired on_claim fact stands")
}

func TestLeverMovedWhileTheClockStands(t *testing.T) {
	g := begin(t, "fide-rapid", startFEN).play("e2e4", "e7e5")
	g.stop(false)
	g.wants("none")
	g.step(rules.LongStop{})
	g.wants("irreg.pause_no_reason confirmed advise irregularity")
	g.lever(legal.Black)
	g.wants("clock.lever_changed_in_pause confirmed advise fact")
	g.lever(legal.White)
	g.step(rules.Started{Seq: g.seq + 1, Turn: legal.White, Clock: g.clock})
	if n := shownKinds(g, "clock.lever_changed_in_pause"); n != 1 {
		t.Errorf("%d findings for one stop", n)
	}
	if n := shownKinds(g, "irreg.pause_no_reason"); n != 0 {
		t.Error("the stop is still without a reason")
	}

	routine := begin(t, "fide-rapid", startFEN).play("e2e4", "e7e5")
	routine.stop(false)
	routine.lever(legal.Black)
	routine.step(rules.Claim{What: "draw3", Side: legal.White})
	routine.wants("clock.lever_changed_in_pause confirmed log fact") // dealing with a claim moves the lever

	asked := begin(t, "fide-rapid", startFEN).knight()
	asked.stop(false)
	asked.lever(legal.White)
	if n := shownKinds(asked, "clock.lever_changed_in_pause"); n != 0 {
		t.Error("the ruling asks for White's clock")
	}
}

func (g *game) lever(turn legal.Side) {
	g.seq++
	g.step(rules.LeverMoved{Seq: g.seq, Turn: turn, Clock: g.clock})
}

func TestReplyTouchesBindNobody(t *testing.T) {
	g := begin(t, "fide-standard", "4k3/8/8/4p3/8/8/8/R3K3 w - - 0 1")
	c := g.offence(kinds.IllegalRook, "a1d4", "a1 e5", "a1 - d4 R")
	c.State, c.Answered = rules.Confirmed, true
	g.press(legal.White, string(c.Kind))
	g.step(rules.Found{Case: c})
	e, _ := g.first()
	if strings.Contains(strings.Join(e.Articles, " "), "4.3.3") || len(e.Ruling.MustPlay) == 0 || !strings.HasPrefix(e.Ruling.MustPlay[0], "R") {
		t.Errorf("%v %v", e.Articles, e.Ruling.MustPlay)
	}
}
