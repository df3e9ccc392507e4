package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
	texts "boardwatchd/rules/words"
)

// The same illegal move is ruled on under every rule set: at the press, after the opponent's answer, and after his
// press back.
func TestOneIllegalMoveUnderEveryRuleSet(t *testing.T) {
	const restored = "illegal.knight confirmed now illegal_move restore "
	const late = "illegal.knight expired log fact stands"
	const lost = "illegal.knight confirmed on_claim illegal_move #1/0 0-1"
	const disputed = "illegal.knight confirmed now arbiter_decides restore "
	tests := []struct{ profile, open, answered, back string }{
		{"fide-standard", restored + "+0/120 -10/0 #1/0", restored + "+0/120 -10/0 #1/0", restored + "+0/120 -10/10 #1/0"},
		{"fide-rapid", restored + "+0/60 -10/0 #1/0", late, disputed + "+0/60 -10/10 #1/0"},
		{"fide-rapid-supervised", restored + "+0/60 -10/0 #1/0", restored + "+0/60 -10/0 #1/0", restored + "+0/60 -10/10 #1/0"},
		{"fide-blitz", restored + "+0/60 -10/0 #1/0", late, disputed + "+0/60 -10/10 #1/0"},
		{"fide-blitz-supervised", restored + "+0/60 -10/0 #1/0", restored + "+0/60 -10/0 #1/0", restored + "+0/60 -10/10 #1/0"},
		{"ffe-youth-rapid", restored + "+0/60 -10/0 #1/0", late, disputed + "+0/60 -10/10 #1/0"},
		{"uscf-regular", restored + "+0/120 #1/0", restored + "+0/120 #1/0", restored + "+0/120 #1/0"},
		{"uscf-blitz", lost, "illegal.knight expired none fact stands", lost},
		{"wbca-blitz", lost, lost, lost},
	}
	for _, tt := range tests {
		t.Run(tt.profile, func(t *testing.T) {
			begin(t, tt.profile, startFEN).knight().wants(tt.open)
			begin(t, tt.profile, startFEN).knight().play("c7c6").wants(tt.answered)
			g := begin(t, tt.profile, startFEN).knight()
			g.credit(legal.Black)
			g.step(rules.PressedBack{Side: legal.Black, Gained: 10, Clock: g.clock})
			g.wants(tt.back)
		})
	}
}

func TestTimeControlDecidesWhereTheRuleSetHasSeveral(t *testing.T) {
	tests := []struct {
		profile         string
		base, increment int
		want            string
	}{
		{"caa-2strike", 5400, 30, "illegal.knight confirmed now illegal_move restore +0/120 -30/0 #1/0"},
		{"caa-2strike", 900, 10, "illegal.knight confirmed now illegal_move restore +0/60 -10/0 #1/0"},
		{"caa-3strike", 180, 2, "illegal.knight confirmed now illegal_move restore +0/60 -2/0 #1/0"},
		{"rc-2017-draft", 5400, 30, "illegal.knight confirmed now illegal_move restore +0/120 -30/0 #1/0"},
		{"rc-2017-draft", 900, 10, "illegal.knight confirmed now illegal_move #1/0 0-1"},
		{"fide-standard", 5400, 0, "illegal.knight confirmed now illegal_move restore +0/120 #1/0"},
	}
	for _, tt := range tests {
		d := rules.NewDocket(profile(t, tt.profile))
		d.SetTimeControl(tt.base, tt.increment, 0)
		beginWith(t, d, startFEN).knight().wants(tt.want)
	}
}

func TestDelayCreditsNothing(t *testing.T) {
	d := rules.NewDocket(profile(t, "fide-standard"))
	d.SetTimeControl(5400, 0, 10)
	beginWith(t, d, startFEN).knight().wants("illegal.knight confirmed now illegal_move restore +0/120 #1/0")
}

func TestWithoutConfigurationTheClockChoosesTheRuleSet(t *testing.T) {
	tests := []struct {
		seconds, gain int
		want          string
	}{
		{5400, 30, "fide-standard"}, {3000, 10, "fide-standard"}, {895, 10, "fide-rapid"}, {600, 2, "fide-rapid"}, {180, 2, "fide-blitz"},
		{298, 0, "fide-blitz"}, {3590, 0, "fide-standard"}, {2400, 1830, "fide-rapid"},
	}
	for _, tt := range tests {
		d := rules.NewDocketAuto([]rules.Profile{profile(t, "fide-standard"), profile(t, "fide-rapid"), profile(t, "fide-blitz")})
		pos := legaltest.Position(t, startFEN)
		c := rules.Clocks{White: tt.seconds, Black: tt.seconds, Known: true}
		d.Step(rules.Begun{Game: 1, Position: pos, Clock: c})
		d.Step(rules.Pressed{Side: legal.White, Judged: "ok", Gained: tt.gain, Clock: c})
		if got := d.Profile().Name; got != tt.want {
			t.Errorf("%d s and %d s a move: %s, want %s", tt.seconds, tt.gain, got, tt.want)
		}
	}
}

func TestChosenRuleSetIsSaid(t *testing.T) {
	d := rules.NewDocketAuto([]rules.Profile{profile(t, "fide-standard"), profile(t, "fide-rapid"), profile(t, "fide-blitz")})
	d.SetTimeControl(900, 10, 0)
	g := beginWith(t, d, startFEN).knight()
	if e := g.entry(g.last); !strings.Contains(e.Ruling.Text.String(), "not supervised") || e.Ruling.Profile != "fide-rapid" {
		t.Errorf("%s: %s", e.Ruling.Profile, e.Ruling.Text.String())
	}
}

func TestStrikesCountOnlyWhenConfirmed(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).knight()
	id := g.last
	before := g.entry(id)
	steps := []struct {
		do      string
		strikes int
		state   rules.State
		kind    string
	}{
		{"later", 0, rules.Confirmed, "illegal_move"}, {"confirm", 1, rules.Confirmed, "illegal_move"}, {"confirm", 1, rules.Confirmed, "illegal_move"},
		{"accident", 0, rules.Confirmed, "irregularity"}, {"sensor", 0, rules.Withdrawn, "none"}, {"confirm", 1, rules.Confirmed, "illegal_move"},
		{"reject", 0, rules.Withdrawn, "none"}, {"nonsense", 0, rules.Withdrawn, "none"}, {"undo", 0, rules.Confirmed, "illegal_move"},
	}
	for _, s := range steps {
		g.decide(id, s.do)
		if e := g.entry(id); g.d.Strikes()[legal.White] != s.strikes || e.State != s.state || e.Ruling.Kind != s.kind {
			t.Fatalf("after %s: %d strikes, %s, %s", s.do, g.d.Strikes()[legal.White], e.State, e.Ruling.Kind)
		}
	}
	if after := g.entry(id); words(&after) != words(&before) || after.Ruling.Text.String() != before.Ruling.Text.String() || after.Decided != "" {
		t.Errorf("undo does not restore\n%+v\n%+v", after, before)
	}
}

func TestAnUnseenOffenceWaitsForAClaim(t *testing.T) {
	g := begin(t, "fide-blitz", startFEN).knight()
	id := g.last
	proposed := g.entry(id)
	g.decide(id, "unseen")
	e := g.entry(id)
	if e.Alert != rules.OnClaim || e.Ruling.Kind != "none" || e.State != rules.Confirmed || e.Decided != "unseen" || e.Ruling.Bonus != [3]int{} {
		t.Errorf("unseen: %+v %+v", e, e.Ruling)
	}
	g.step(rules.Claim{What: "illegal", Side: legal.Black})
	if e := g.entry(id); e.Alert != rules.Now || e.Ruling.Kind != proposed.Ruling.Kind || e.Decided != "" {
		t.Errorf("claimed: %+v %+v", e, e.Ruling)
	}
	g.decide(id, "confirm")
	if g.d.Strikes()[legal.White] != 1 {
		t.Error(g.d.Strikes())
	}
}

// A player claims before the board has reported what he saw; a claim about a later offence is another one.
func TestAClaimBeforeTheFinding(t *testing.T) {
	for _, tt := range []struct {
		name   string
		by     legal.Side
		before int64 // records between the claim and the press; negative: the claim came first
		want   string
	}{
		{"after the press", legal.Black, 1, "claimed in time"}, {"by nobody known", legal.NoSide, 1, "claimed in time"},
		{"before the press", legal.Black, -1, "if Black claims"}, {"by the player himself", legal.White, 1, "if Black claims"},
	} {
		claimed := begin(t, "uscf-blitz", startFEN).play("g1f3", "d7d6")
		claimed.step(rules.Claim{Seq: claimed.seq + 1 + tt.before, What: "illegal", Side: tt.by})
		claimed.wrong(kinds.IllegalKnight, "f3d5", "f3", "f3 - d5 N")
		if got := claimed.entry(claimed.last).Ruling.Text.String(); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Both players have erred: the game goes back before the first offence, and that one's bonus is given, whichever of the
// two the arbiter confirms first (laws notes, section 6 no 16).
func TestTheOrderOfTwoConfirmationsChangesNothing(t *testing.T) {
	for _, profile := range []string{"fide-standard", "fide-rapid-supervised", "fide-blitz-supervised"} {
		var want string
		for _, laterFirst := range []bool{false, true} {
			g := begin(t, profile, startFEN).knight()
			first := g.last
			g.wrong(kinds.IllegalKnight, "b8d4", "b8", "b8 - d4 n")
			order := []string{first, g.last}
			if laterFirst {
				order = []string{g.last, first}
			}
			for _, id := range order {
				g.decide(id, "confirm")
			}
			r := g.entry(first).Ruling
			got := fmt.Sprint(r.PositionFEN, r.Bonus, r.Clocks, r.RunClock, g.d.Strikes())
			if want == "" {
				want = got
			}
			if got != want || r.Bonus[legal.Black] == 0 || r.Bonus[legal.White] != 0 {
				t.Errorf("%s: %s, and in the other order %s", profile, got, want)
			}
			if l := g.entry(order[0]).Ruling; l.Clocks != r.Clocks || l.PositionFEN != r.PositionFEN {
				t.Errorf("%s: two corrections: %v %s, %v %s", profile, l.Clocks, l.PositionFEN, r.Clocks, r.PositionFEN)
			}
		}
	}
}

// A ruling that is not carried out is shown again once both players have moved, but not while the arbiter may still be
// on his way.
func TestARulingThatIsNotCarriedOut(t *testing.T) {
	for _, profile := range []string{"fide-standard", "fide-rapid-supervised", "fide-blitz-supervised"} {
		g := begin(t, profile, startFEN).knight()
		ruled := g.last
		g.decide(ruled, "confirm")
		shown := func() (list []string) {
			for _, e := range g.d.Entries() {
				if e.Kind == kinds.Displaced && e.Alert == rules.Advise && strings.Contains(e.Ruling.Text.String(), "was not set up") {
					list = append(list, e.Ruling.PositionFEN)
				}
			}
			return list
		}
		g.play("c7c6")
		if list := shown(); len(list) > 0 {
			t.Errorf("%s: at once", profile)
		}
		g.play("b1c3", "h7h6", "a2a3")
		if list := shown(); len(list) != 1 || list[0] != g.entry(ruled).Ruling.PositionFEN {
			t.Errorf("%s: %q", profile, list)
		}
		if profile == "fide-standard" {
			g.stop(false)
			g.step(rules.Started{Turn: legal.White, Clock: g.clock})
		} else {
			g.step(rules.TakenBack{Ply: 2})
		}
		if list := shown(); len(list) > 0 {
			t.Errorf("%s: it is shown when the ruling has been carried out", profile)
		}
	}
}

// Every choice is reversible: what a decision rested on is gone with the other one.
func TestADecisionThatRestedOnAnotherOne(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).knight() // White's first
	first := g.last
	g.decide(first, "confirm")
	g.step(rules.TakenBack{Ply: 2})
	g.pos, g.ply = g.entry(first).Before, 2
	g.step(rules.Started{Turn: legal.White, Clock: g.clock})
	g.play("b1c3", "h7h6").wrong(kinds.IllegalKnight, "f3d5", "f3", "f3 - d5 N")
	second := g.last
	g.decide(second, "confirm")
	if r := g.entry(second).Ruling; r.Result != "0-1" {
		t.Fatalf("the second one: %q %s", r.Result, r.Text.String())
	}
	g.decide(first, "undo")
	if r := g.entry(second).Ruling; r.Result != "" || r.Strikes[legal.White] != 1 || r.Bonus[legal.Black] == 0 || g.d.Strikes()[legal.White] != 1 {
		t.Errorf("the first one was taken back: %q %v %s", r.Result, r.Strikes, r.Text.String())
	}

	g = begin(t, "fide-standard", startFEN).knight()
	first = g.last
	g.wrong(kinds.IllegalKnight, "b8d4", "b8", "b8 - d4 n")
	second = g.last
	g.decide(first, "confirm")
	g.decide(second, "confirm")
	g.decide(first, "undo")
	g.decide(first, "reject")
	r, before := g.entry(second).Ruling, g.entry(second).Before
	if r.PositionFEN != before.FEN() || r.Bonus[legal.White] == 0 || r.Strikes != [3]int{legal.Black: 1} || g.d.Strikes() != r.Strikes {
		t.Errorf("the first one is no offence: %q %v %v %s", r.PositionFEN, r.Bonus, r.Strikes, r.Text.String())
	}
}

func TestNotHavingSeenItChangesNothingElsewhere(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).knight() // 7.5.1: every illegal move found is corrected
	proposed := g.entry(g.last)
	g.decide(g.last, "unseen")
	if e := g.entry(g.last); e.Alert != proposed.Alert || e.Ruling.Kind != "illegal_move" || e.Decided != "unseen" {
		t.Errorf("%+v %+v", e, e.Ruling)
	}
	g = begin(t, "fide-blitz", startFEN).knight()
	g.play("e7e5") // too late: no entry is shown any more
	late := g.entry(g.last)
	g.decide(g.last, "unseen")
	if e := g.entry(g.last); e.Ruling.Text.String() != late.Ruling.Text.String() || e.State != rules.Expired {
		t.Errorf("%+v %+v", e, e.Ruling)
	}
}

func TestAnAccidentOnTheLosingStrikeIsCorrectedLikeAnyOther(t *testing.T) {
	first := begin(t, "fide-standard", startFEN).knight()
	first.decide(first.last, "accident")
	g := begin(t, "fide-standard", startFEN)
	g.step(rules.SetStrikes{White: 1})
	g.knight()
	if r := g.entry(g.last).Ruling; r.Result == "" {
		t.Fatalf("the second strike does not lose: %+v", r)
	}
	g.decide(g.last, "accident")
	want, got := first.entry(first.last).Ruling, g.entry(g.last).Ruling
	if !slices.Equal(got.MustPlay, want.MustPlay) || got.RunClock != want.RunClock || got.Clocks != want.Clocks || got.Result != "" || got.Strikes[legal.White] != 1 {
		t.Errorf("%+v\n%+v", got, want)
	}
}

func TestTheRulingSaysTheLedgerAndTheWindow(t *testing.T) {
	tests := []struct {
		profile string
		until   rules.Until
		closer  legal.Side
		limit   int
	}{
		{"fide-standard", rules.UntilEnd, legal.NoSide, 2}, {"fide-blitz", rules.UntilReply, legal.Black, 2},
		{"caa-3strike", rules.UntilEnd, legal.NoSide, 3}, {"uscf-regular", rules.UntilMoves, legal.NoSide, 0},
	}
	for _, tt := range tests {
		g := begin(t, tt.profile, startFEN)
		g.step(rules.SetStrikes{White: 1})
		g.knight()
		r := g.entry(g.last).Ruling
		if r.Until != tt.until || r.Closer != tt.closer || r.Limit != tt.limit || r.Before[legal.White] != 1 {
			t.Errorf("%s: until %s by %s, limit %d, before %v", tt.profile, r.Until, r.Closer, r.Limit, r.Before)
		}
		g.decide(g.last, "confirm")
		if r := g.entry(g.last).Ruling; r.Before[legal.White] != 1 || g.d.Strikes()[legal.White] < 1 {
			t.Errorf("%s: after confirming, before %v", tt.profile, r.Before)
		}
	}
	g := begin(t, "fide-blitz", startFEN).knight()
	g.play("e7e5")
	if r := g.entry(g.last).Ruling; r.Until != rules.UntilClosed {
		t.Errorf("answered: %q", r.Until)
	}
	for name, want := range map[string]rules.Advice{"fide-blitz": rules.LookFirst, "fide-blitz-supervised": "", "fide-standard": ""} {
		g := begin(t, name, startFEN).knight()
		if r := g.entry(g.last).Ruling; r.Advice != want {
			t.Errorf("%s: advice %q", name, r.Advice)
		}
	}
}

func TestAccidentTakesOnlyThePenaltyAway(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).knight()
	g.decide(g.last, "accident")
	r := g.entry(g.last).Ruling
	if r.Bonus != [3]int{} || r.TakeBack[legal.White] != 10 || r.Position != "restore" || r.Clocks.White != g.clock.White-10 || r.Clocks.Black != g.clock.Black {
		t.Errorf("%+v", r)
	}
}

func TestStrikesFromBefore(t *testing.T) {
	g := begin(t, "fide-standard", startFEN)
	g.step(rules.SetStrikes{White: 1})
	g.knight().wants("illegal.knight confirmed now illegal_move restore #2/0 0-1")
	g.decide(g.last, "confirm")
	if g.d.Strikes() != [3]int{0, 2, 0} {
		t.Error(g.d.Strikes())
	}
	g.step(rules.SetStrikes{White: 1})
	if g.d.Strikes() != [3]int{0, 1, 0} {
		t.Error("the ledger is not what was written:", g.d.Strikes())
	}
}

func TestStrikesWrittenBeforeTheGameHoldInIt(t *testing.T) {
	d := rules.NewDocket(profile(t, "fide-standard"))
	d.Step(rules.SetStrikes{Black: 1})
	g := beginWith(t, d, startFEN)
	if d.Strikes() != [3]int{0, 0, 1} {
		t.Fatal(d.Strikes())
	}
	g.play("e2e4")
	d.Step(rules.Begun{Game: 2, Position: legaltest.Position(t, startFEN)})
	if d.Strikes() != [3]int{} {
		t.Error("they hold in the next game as well:", d.Strikes())
	}
}

func TestNextOffenceCountsOnWhatWasConfirmed(t *testing.T) {
	g := begin(t, "fide-standard", "8/3k4/3P4/3K4/8/8/8/8 b - - 0 1")
	start := g.pos
	g.wrong(kinds.IllegalKingIntoCheck, "d7e7", "d7", "d7 - e7 k")
	one := g.last
	g.stop(false)
	g.decide(one, "confirm")
	g.step(rules.Restored{})
	g.pos, g.ply = start, g.ply-1
	g.step(rules.Started{Turn: legal.Black, Clock: g.clock})
	g.wrong(kinds.IllegalKingIntoCheck, "d7c7", "d7", "d7 - c7 k")
	g.wants("illegal.king_into_check confirmed now illegal_move restore #0/2 1-0")
	if e := g.entry(one); e.Ruling.Strikes[legal.Black] != 1 {
		t.Error("the first ruling changed afterwards:", words(&e))
	}
}

func TestTwoFaultsInOneMoveAreOneStrike(t *testing.T) {
	g := begin(t, "fide-standard", "8/P5k1/8/8/8/8/8/6K1 w - - 0 1")
	g.wrong(kinds.IllegalPromoIncomplete, "a7a8", "a7", "a7 - a8 Q")
	g.report("two-hands", legal.White, 0)
	g.wants("illegal.promo_incomplete confirmed now illegal_move queen +0/120 #1/0")
}

func TestSuspicionIsOnlyLogged(t *testing.T) {
	g := begin(t, "fide-blitz", startFEN)
	c := g.offence(kinds.IllegalKnight, "g1e4", "g1", "g1 - e4 N")
	c.State = rules.Suspected
	g.step(rules.Found{Case: c})
	if e := g.entry(c.ID); e.Alert != rules.Log || e.Ruling.Kind != "illegal_move" {
		t.Errorf("%s %s", e.Alert, e.Ruling.Kind)
	}
	c.State, c.Note = rules.Withdrawn, texts.Say("withdrawn.lever_back")
	g.step(rules.Found{Case: c})
	g.wants("none")
	if g.d.Strikes() != [3]int{} {
		t.Error("a withdrawn case is in the ledger")
	}
}

func TestOnlyChangedEntriesAreReturned(t *testing.T) {
	g := begin(t, "fide-rapid", startFEN).knight()
	if n := len(g.step(rules.TouchedPiece{Side: legal.Black})); n != 0 {
		t.Errorf("%d entries for a touched piece", n)
	}
	list := g.step(rules.Answered{Side: legal.Black})
	if len(list) != 1 || list[0].State != rules.Expired {
		t.Errorf("the window closed: %d entries", len(list))
	}
	if n := len(g.step(rules.Answered{Side: legal.Black})); n != 0 {
		t.Errorf("%d entries for the same again", n)
	}
}

func TestClosedWindowIsAlertedAgainWhenTheClockIsStopped(t *testing.T) {
	soon := begin(t, "fide-rapid", startFEN).knight().play("c7c6")
	soon.stop(false)
	soon.wants("illegal.knight expired now fact stands")
	late := begin(t, "fide-rapid", startFEN).knight().play("c7c6", "a2a3", "a7a6")
	late.stop(false)
	late.step(rules.Claim{What: "illegal", Side: legal.Black})
	late.wants("illegal.knight expired on_claim fact stands")
}

func TestEveryIncrementSinceIsTakenBackWhenSomebodyLooks(t *testing.T) {
	for _, look := range []func(g *game){
		func(g *game) { g.stop(false) },
		func(g *game) { g.step(rules.Claim{What: "illegal", Side: legal.Black}) },
		func(g *game) { g.decide(g.last, "confirm") },
	} {
		g := begin(t, "fide-standard", startFEN).knight()
		id := g.last
		told := len(g.said)
		for _, m := range []string{"c7c6", "a2a3", "a7a6", "b2b3", "b7b6"} {
			g.press(g.pos.Turn(), "ok")
			g.move(m)
		}
		if e := g.entry(id); words(&e) != "illegal.knight confirmed now illegal_move restore +0/120 -10/0 #1/0" || len(g.said) != told {
			t.Errorf("told again at every press: %s", words(&e))
		}
		look(g)
		e := g.entry(id)
		want := rules.Clocks{White: g.clock.White - 30, Black: g.clock.Black - 30 + 120, Known: true}
		if r := e.Ruling; r.TakeBack != [3]int{0, 30, 30} || r.Clocks != want {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
}

// An arbiter who confirms first and stops the clock then sets the times that it shows at the stop. A stop after the
// correction, or many moves later, does not change the decision.
func TestTheClockIsStoppedAfterTheDecision(t *testing.T) {
	for _, do := range []string{"confirm", "accident", "reject"} {
		g := begin(t, "fide-standard", startFEN).knight()
		id := g.last
		g.decide(id, do)
		decided := *g.entry(id).Ruling
		g.clock.Black -= 20
		g.stop(false)
		want := decided
		if do != "reject" {
			want.Clocks.Black -= 20
		}
		if r := g.entry(id).Ruling; r.Clocks != want.Clocks || r.Strikes != want.Strikes || r.Bonus != want.Bonus || r.TakeBack != want.TakeBack || r.Text.String() != want.Text.String() {
			t.Errorf("%s: %+v, want %+v", do, r, want)
		}
		g.clock.White, g.clock.Black = want.Clocks.White, want.Clocks.Black
		g.step(rules.Started{Seq: g.seq, Turn: legal.White, Clock: g.clock})
		g.clock.White -= 60
		g.stop(false)
		if r := g.entry(id).Ruling; r.Clocks != want.Clocks {
			t.Errorf("%s: after the correction %+v, want %+v", do, r.Clocks, want.Clocks)
		}
	}
	late := begin(t, "fide-standard", startFEN).knight()
	id := late.last
	late.decide(id, "confirm")
	want, shown := late.entry(id).Ruling.Clocks, late.clock
	late.play("c7c6", "a2a3", "a7a6") // the arbiter is on his way
	late.clock.Black -= 300
	want.White, want.Black = want.White+late.clock.White-shown.White-10, want.Black+late.clock.Black-shown.Black-20 // presses
	if late.stop(false); late.entry(id).Ruling.Clocks != want {
		t.Errorf("many moves later: %+v, want %+v", late.entry(id).Ruling.Clocks, want)
	}
}

func TestReplyMadeAndNotPressedClosesTheWindow(t *testing.T) {
	g := begin(t, "fide-rapid", startFEN).knight()
	g.step(rules.Answered{Side: legal.Black})
	g.wants("illegal.knight expired log fact stands")
}

func TestPlayersWhoPutItRight(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).play("g1f3", "d7d6")
	good := g.pos
	g.wrong(kinds.IllegalKnight, "f3d5", "f3", "f3 - d5 N")
	id := g.last
	g.credit(legal.Black)
	g.step(rules.PressedBack{Side: legal.Black, Gained: 10, Clock: g.clock})
	g.step(rules.Restored{})
	g.pos, g.ply = good, g.ply-1
	g.play("f3d4")
	e := g.entry(id)
	if r := e.Ruling; words(&e) != "illegal.knight confirmed now illegal_move stands +0/120 -10/10 #1/0" || r.RunClock != legal.Black || len(r.MustPlay) > 0 {
		t.Errorf("%s %+v", words(&e), r)
	}
}

func TestClocksToSet(t *testing.T) {
	d := rules.NewDocket(profile(t, "fide-standard"))
	d.SetTimeControl(3600, 30, 0)
	g := beginWith(t, d, startFEN)
	g.gain = 30
	g.knight()
	g.clock = rules.Clocks{White: 12*60 + 22, Black: 46*60 + 9, Known: true}
	g.stop(false)
	if r := g.entry(g.last).Ruling; r.Clocks != (rules.Clocks{White: 11*60 + 52, Black: 48*60 + 9, Known: true}) {
		t.Errorf("the worked example of the French manual: %+v", r.Clocks)
	}
}

func TestWrongTimesAreNoticed(t *testing.T) {
	tests := []struct {
		name         string
		white, black int
		want         string
	}{
		{"right", -10, 60, ""}, {"increment kept", 0, 60, "advise"}, {"wrong side", 50, 0, "advise"}, {"wrong amount", -10, 120, "advise"},
		{"a second has run", -11, 60, ""},
	}
	for _, tt := range tests {
		g := begin(t, "fide-rapid", startFEN).knight()
		g.stop(false)
		g.decide(g.last, "confirm")
		g.step(rules.Restored{})
		to := g.clock
		to.White, to.Black = to.White+tt.white, to.Black+tt.black
		g.step(rules.ClockSet{From: g.clock, To: to})
		g.seq++
		g.step(rules.Started{Seq: g.seq, Turn: legal.White, Clock: to})
		got := ""
		if e, _ := g.first(); e.Kind == "clock.bonus_wrong" {
			got = e.Alert.String()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestTimesThatWereSetAreNotProposedAgain: the players, or an arbiter who decides later, correct the times by
// themselves. The part that is on the clock then is not added again to the times at the next stop; another change of
// the clock had another reason.
func TestTimesThatWereSetAreNotProposedAgain(t *testing.T) {
	tests := []struct {
		name         string
		white, black int // what is set in the stop
		want         string
		set          rules.Clocks // at the next stop, in which the clock shows the same
	}{
		{"nothing", 0, 0, " +0/60 -10/0", rules.Clocks{White: -10, Black: 60}},
		{"the bonus", 0, 60, " -10/0", rules.Clocks{White: -10}},
		{"the bonus, a second later", 0, 59, " -10/0", rules.Clocks{White: -10}},
		{"both", -10, 60, "", rules.Clocks{}},
		{"what the press has added", -10, 0, " +0/60", rules.Clocks{Black: 60}},
		{"to the other player", 60, 0, " +0/60 -10/0", rules.Clocks{White: -10, Black: 60}},
		{"for another reason", 0, 300, " +0/60 -10/0", rules.Clocks{White: -10, Black: 60}},
	}
	for _, tt := range tests {
		g := begin(t, "fide-rapid", startFEN).knight()
		g.stop(false)
		if tt.white != 0 || tt.black != 0 {
			to := g.clock
			to.White, to.Black = to.White+tt.white, to.Black+tt.black
			g.step(rules.ClockSet{From: g.clock, To: to})
			g.clock = to
		}
		g.seq++
		g.step(rules.Started{Seq: g.seq, Turn: legal.Black, Clock: g.clock})
		g.stop(false)
		e := g.entry(g.last)
		want := "illegal.knight confirmed now illegal_move restore" + tt.want + " #1/0"
		set := rules.Clocks{White: g.clock.White + tt.set.White, Black: g.clock.Black + tt.set.Black, Known: true}
		if got := words(&e); got != want || e.Ruling.Clocks != set {
			t.Errorf("%s: %s, %+v; want %s, %+v", tt.name, got, e.Ruling.Clocks, want, set)
		}
	}
}

func TestSignedScoresheetsEndEverything(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).knight()
	g.step(rules.Ended{Result: "1-0", By: "arbiter"})
	g.wants("illegal.knight confirmed now illegal_move restore +0/120 -10/0 #1/0")
	g.step(rules.Signed{})
	g.wants("illegal.knight expired log fact stands 1-0")
	g.decide(g.last, "confirm")
	if g.d.Strikes() != [3]int{} {
		t.Error("a strike after the game")
	}
}

// TestAGameThatGoesOnIsNotSigned: a result that was entered at the wrong board is taken back, and what is decided in
// the game that goes on can be undone.
func TestAGameThatGoesOnIsNotSigned(t *testing.T) {
	g := begin(t, "fide-standard", startFEN)
	g.knight()
	open := g.entry(g.last)
	g.step(rules.Ended{Result: "1-0", By: "arbiter"})
	g.step(rules.Signed{})
	g.step(rules.Reopened{}) // kings that were put back, or another decision
	g.wants("illegal.knight expired log fact stands")
	g.step(rules.Ended{Result: "1-0", By: "arbiter"})
	g.step(rules.Reopened{Unsigned: true})
	if now := g.entry(g.last); words(&now) != words(&open) {
		t.Errorf("%s, and %s before the game was signed", words(&now), words(&open))
	}
	g.decide(g.last, "confirm")
	if !g.d.Decides(g.last) {
		t.Error("a decision of a game that goes on cannot be undone")
	}
	g.decide(g.last, "undo")
	if g.d.Strikes() != [3]int{} {
		t.Error("the strike stays")
	}
}

func TestBothPlayersErr(t *testing.T) {
	for _, tt := range [][2]string{
		{"fide-standard", "illegal.left_in_check confirmed now illegal_move restore +0/120 -10/0 #1/0"},
		{"fide-blitz", "illegal.rook confirmed now illegal_move restore +60/0 -0/10 #0/1"},
	} {
		g := begin(t, tt[0], "4k3/8/8/8/4r3/8/3P4/4K2R w K - 0 1")
		g.wrong(kinds.IllegalLeftInCheck, "d2d3", "d2", "d2 - d3 P").wrong(kinds.IllegalRook, "e4d2", "e4", "e4 - d2 r")
		g.wants(tt[1])
	}
}

func TestIllegalPositionOfFastPlay(t *testing.T) {
	const fen = "4r1k1/7p/8/8/8/8/4B3/4K2R w - - 0 1"
	g := begin(t, "fide-blitz", fen).wrong(kinds.IllegalExposesKing, "e2c4", "e2", "e2 - c4 B")
	g.step(rules.Answered{Side: legal.Black})
	g.wants("illegal.exposes_king expired log fact stands")
	g.wrong(kinds.IllegalLeftInCheck, "h7h6", "h7", "h7 - h6 p")
	g.wants("end.illegal_position_draw confirmed now fact stands 1/2-1/2")

	g = begin(t, "fide-blitz", fen).wrong(kinds.IllegalExposesKing, "e2c4", "e2", "e2 - c4 B").play("g8h8")
	g.wants("none")
	g = begin(t, "fide-standard", fen).wrong(kinds.IllegalExposesKing, "e2c4", "e2", "e2 - c4 B").play("g8h8")
	g.wants("illegal.exposes_king confirmed now illegal_move restore +0/120 -10/0 #1/0")

	// Under other rules the arbiter steps in at once, while the position is illegal.
	rapid := func() *game {
		d := rules.NewDocket(profile(t, "caa-2strike"))
		d.SetTimeControl(900, 10, 0)
		return beginWith(t, d, fen).wrong(kinds.IllegalExposesKing, "e2c4", "e2", "e2 - c4 B")
	}
	g = rapid()
	id := g.last
	g.wrong(kinds.IllegalLeftInCheck, "h7h6", "h7", "h7 - h6 p")
	if e := g.entry(id); e.State != rules.Expired || e.Alert != rules.Now || e.Ruling.Text.Key != "rule.illegal_position" {
		t.Errorf("%v, alert %v, %v", e.State, e.Alert, e.Ruling.Text)
	}
	rapid().play("g8h8").wants("none")
}

func TestAmericanWindows(t *testing.T) {
	moves := strings.Fields("e7e6 a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 h2h3 h7h6 g2g3 g7g6 a3a4 a6a5 b3b4 b6b5 c3c4 c6c5 h3h4 h6h5 d2d3 b8a6")
	g := begin(t, "uscf-regular", startFEN).play("g1f3", "d7d6").wrong(kinds.IllegalKnight, "f3f5", "f3", "f3 - f5 N")
	id := g.last
	closed := 0
	for i, m := range moves {
		g.play(m)
		if g.entry(id).State == rules.Expired && closed == 0 {
			closed = i + 1
		}
	}
	if closed != 20 {
		t.Errorf("closed after %d moves of both, want 20: White's tenth since", closed)
	}

	short := begin(t, "uscf-regular", startFEN)
	short.clock = rules.Clocks{White: 299, Black: 2000, Known: true}
	short.gain = 0
	short.knight().wants("illegal.knight confirmed on_claim illegal_move restore +0/120 #1/0")
	short.play("c7c6", "a2a3", "a7a6", "b2b3").wants("illegal.knight expired log fact stands")
}

func TestCheckThatStaysIsNeverTooLate(t *testing.T) {
	g := begin(t, "uscf-regular", "4k3/8/8/8/4r3/8/P2P3p/4K3 w - - 0 1")
	start := g.pos
	g.wrong(kinds.IllegalLeftInCheck, "d2d3", "d2", "d2 - d3 P").play("h2h1q").wrong(kinds.IllegalLeftInCheck, "a2a3", "a2", "a2 - a3 P")
	e, _ := g.first()
	if e.ID != g.last || e.Ruling.PositionFEN != start.FEN() {
		t.Errorf("%s goes back to %s", e.ID, e.Ruling.PositionFEN)
	}
}

func TestAppearanceOrderOfEntries(t *testing.T) {
	g := begin(t, "fide-standard", startFEN)
	g.step(rules.Found{Case: g.find("irreg.adjust_off_turn", legal.NoSide, rules.Hint)})
	g.knight()
	list := g.d.Entries()
	if list[0].Kind != kinds.IllegalKnight || !slices.ContainsFunc(list, func(e rules.Entry) bool { return e.Kind == "irreg.adjust_off_turn" }) {
		t.Errorf("%s first of %d", list[0].Kind, len(list))
	}
}

// The piece that the illegal move captured is put back as well. A piece in the hand of the player to move, when the
// clock is started, is no difference.
func TestThePositionThatIsSetUpIsCompared(t *testing.T) {
	for _, tt := range []struct{ name, empty, want string }{
		{"as ruled", "", ""}, {"the captured pawn is forgotten", "d5", "advise"}, {"the knight is in the hand", "f3", ""},
		{"another piece of White's is in the hand", "f1", ""},
	} {
		g := begin(t, "fide-rapid", "rnbqkb1r/ppp1pppp/5n2/3p4/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
		place := g.pos.Placement()
		g.wrong(kinds.IllegalKnight, "f3d5", "f3", "f3 - d5 N")
		g.stop(false)
		g.decide(g.last, "confirm")
		g.step(rules.Restored{})
		if sq, ok := legal.ParseSquare(tt.empty); ok {
			place[sq] = legal.NoPiece
		}
		g.seq++
		g.step(rules.Started{Seq: g.seq, Turn: legal.White, Clock: g.entry(g.last).Ruling.Clocks, Seen: true, Placement: place})
		got := ""
		if e, _ := g.first(); e.Kind == kinds.Displaced {
			got = e.Alert.String()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// An illegal move that the players have put right does not stand.
func TestTheWindowClosesOverAMoveThatWasPutRight(t *testing.T) {
	for _, name := range []string{"fide-blitz", "fide-rapid"} {
		g := begin(t, name, startFEN).knight()
		illegal := g.last
		g.step(rules.Restored{})
		g.pos, g.ply = g.entry(illegal).Before, 2
		g.play("b1c3", "c7c6")
		e := g.entry(illegal)
		if text := e.Ruling.Text.String(); e.State != rules.Expired || strings.Contains(text, "illegal move stands") || !strings.Contains(text, "put the illegal move right") {
			t.Errorf("%s: %s: %s", name, e.State, text)
		}
	}
}

// A decision that is made twice with one word, by two people who do not know of each other, is one: no second strike,
// no second bonus, and the ruling stays, whatever was played and decided meanwhile.
func TestADecisionOfTheSameWordAgain(t *testing.T) {
	for _, profile := range []string{"fide-standard", "fide-blitz", "caa-3strike"} {
		for _, do := range []string{"confirm", "reject", "accident", "unseen"} {
			for _, later := range []bool{false, true} {
				g := begin(t, profile, startFEN).knight()
				first := g.last
				g.decide(first, do)
				if later && do == "confirm" && profile == "fide-standard" {
					g.step(rules.TakenBack{Ply: 2})
					g.pos, g.ply = g.entry(first).Before, 2
					g.step(rules.Started{Turn: legal.White, Clock: g.clock})
					g.play("b1c3", "h7h6", "c3b1")
				}
				want, strikes := g.entry(first), g.d.Strikes()
				g.decide(first, do)
				if got := g.entry(first); g.d.Strikes() != strikes || words(&got) != words(&want) || got.Ruling.Text.String() != want.Ruling.Text.String() || got.Decided != want.Decided {
					t.Errorf("%s, %s, later %v: %v\n%s %s\n%v\n%s %s", profile, do, later, strikes, words(&want), want.Ruling.Text.String(), g.d.Strikes(), words(&got), got.Ruling.Text.String())
				}
			}
		}
	}
	g := begin(t, "fide-standard", startFEN).knight()
	first := g.last
	g.wrong(kinds.IllegalKnight, "b8d4", "b8", "b8 - d4 n")
	second := g.last
	g.decide(first, "confirm")
	g.decide(second, "confirm")
	one, two, strikes := g.entry(first), g.entry(second), g.d.Strikes()
	g.decide(first, "confirm")
	if g.d.Strikes() != strikes || g.entry(first).Ruling.Text.String() != one.Ruling.Text.String() || g.entry(second).Ruling.Text.String() != two.Ruling.Text.String() {
		t.Errorf("%v, %v\n%s\n%s\n%s\n%s", strikes, g.d.Strikes(), one.Ruling.Text.String(), g.entry(first).Ruling.Text.String(), two.Ruling.Text.String(), g.entry(second).Ruling.Text.String())
	}
}

// A decision about a finding of an earlier game cannot count: its ledger is closed. The same holds of another decision
// after the players have signed.
func TestWhichDecisionsCanCount(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).knight()
	id := g.last
	g.decide(id, "confirm")
	if !g.d.Decides(id) {
		t.Error("a decision of this game cannot be changed")
	}
	g.step(rules.Begun{Game: 2, Position: legaltest.Position(t, startFEN), Clock: g.clock})
	if g.d.Decides(id) {
		t.Error("the next game has begun")
	}
	g = begin(t, "fide-standard", startFEN).knight()
	g.step(rules.Signed{})
	if !g.d.Decides(g.last) {
		t.Error("signed, and not decided before")
	}
	g.decide(g.last, "confirm")
	if strikes := g.d.Strikes(); g.d.Decides(g.last) {
		t.Error("signed, and decided:", strikes)
	}
}
