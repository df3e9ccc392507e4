package detector

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// judgedHands is one manipulation that was judged.
func judgedHands(k hands.Kind, p Play, s legal.Side, unusual bool) *HandsJudged {
	o := &HandsJudged{Side: s, Play: p, Judgement: hands.Judgement{Kind: k, Known: true}}
	if unusual {
		o.Stated = HandsUnusual
	}
	return o
}

// told tells what looks like two hands, if it is believed, and weighs it.
func (t *Tracker) told(o *HandsJudged) {
	if o.Stated >= HandsUnusual && t.heldHands(o.Side) == NobodyHeld {
		t.hands.credit.owe(toldHands{game: t.games, ply: o.Ply, side: o.Side})
	}
	t.weigh(o, Statement{}, haste{})
}

// heldLines are what was said since the last call about suspicions that are held back.
func heldLines(t *Tracker) (text string) {
	for _, o := range t.Take() {
		if h, ok := o.(HandsHeld); ok {
			word := "told again"
			if h.Held {
				word = "held"
			}
			who := h.Scope.String()
			if h.Scope == PlayerHeld {
				who = h.Side.String()
			}
			text += " " + who + " " + word
		}
	}
	t.Release()
	return strings.TrimSpace(text)
}

// Honest players whose one hand looks like two exactly twice as often as it should, the most that is believed: a game in which
// anything is held back must be rarer than one in 1,000. As often as it should be, it is rarer by far.
func TestChanceHoldsNothingBack(t *testing.T) {
	games := 40_000
	if testing.Short() {
		games = 10_000
	}
	for p := range plays {
		for times, most := range map[int32]float64{1: 0.0003, expectedTimes: 0.001} {
			random := rand.New(rand.NewPCG(2111, uint64(p)))
			tr := New(DefaultParams())
			held := 0
			for range games {
				tr.newGame()
				for i := range 32 { // 14 captures and a castling each, and a promotion on every second board
					kind := hands.Capture
					switch {
					case i < 2:
						kind = hands.Castling
					case i == 31:
						kind = hands.Promotion
					case i == 30:
						continue
					}
					rate := tr.p.Hands.Expected(kind, p, false) * times
					o := judgedHands(kind, p, legal.White+legal.Side(i%2), random.Int32N(hands.Million) < rate)
					tr.told(o)
				}
				if strings.Contains(heldLines(tr), " held") {
					held++
				}
			}
			t.Logf("%v, %d times as many as expected: in %d of %d games something is held back", p, times, held, games)
			if got := float64(held) / float64(games); got > most {
				t.Errorf("%v, %d times as many as expected: in %d of %d games something is held back, want at most %g", p, times, held, games, most)
			}
		}
	}
}

// A model that takes one hand for two in every second, fifth or tenth capture has sent an arbiter to a board some five times before it is found out.
func TestABadModelIsFoundOut(t *testing.T) {
	for _, c := range []struct {
		ppm, told int32
	}{{500_000, 5}, {200_000, 6}, {100_000, 7}} {
		worst, sum := 0, 0
		const boards = 200
		for seed := range uint64(boards) {
			random := rand.New(rand.NewPCG(7, seed))
			tr := New(DefaultParams())
			told := 0
			for range 20 {
				tr.newGame()
				for i := range 28 {
					side := legal.White + legal.Side(i%2)
					unusual := random.Int32N(hands.Million) < c.ppm
					if unusual && tr.heldHands(side) == NobodyHeld {
						told++
					}
					tr.told(judgedHands(hands.Capture, RapidPlay, side, unusual))
				}
				heldLines(tr)
			}
			sum += told
			worst = max(worst, told)
		}
		t.Logf("%d in 1,000,000 look like two hands: of %d a board, in 20 games, at most %.1f in the mean are told, %d on the worst", c.ppm, 20*28*c.ppm/hands.Million, float64(sum)/boards, worst)
		if sum > int(c.told)*boards {
			t.Errorf("%d ppm: %.1f are told at a board", c.ppm, float64(sum)/boards)
		}
	}
}

// bothHands are so many castlings with both hands at once by the same player; what is told of them, by a letter each: t told, - not.
func (b *bench) bothHands(n int, decide func(b *bench, ply int)) (told string) {
	for range n {
		b.castled(ByPress, 0, 0, 2, 2)
		ply, one := 0, "-"
		for _, o := range b.Take() {
			if f, ok := o.(Found); ok && strings.HasPrefix(f.Kind, "suspect.") {
				one, ply = "t", f.Ply
			}
		}
		b.Release()
		told += one
		if one == "t" && decide != nil {
			decide(b, ply)
		}
	}
	return told
}

// Who always castles with both hands is shown to the arbiter until it is too often to be believed, and what he then says decides.
func TestAHabitIsShownAndThenAskedAbout(t *testing.T) {
	as := func(v HandsVerdict) func(*bench, int) {
		return func(b *bench, ply int) { b.HandsDecided(b.now, b.games, ply, legal.White, v) }
	}
	first := func(v HandsVerdict) func(*bench, int) {
		done := false
		return func(b *bench, ply int) {
			if !done {
				as(v)(b, ply)
			}
			done = true
		}
	}
	for name, c := range map[string]struct {
		tweak  func(*Params)
		decide func(*bench, int)
		want   string
	}{
		"nobody decides":                {nil, nil, "tttt----"},
		"not seen is no verdict":        {nil, as(HandsOpen), "tttt----"},
		"one is confirmed, and goes on": {nil, first(HandsTrue), "tttttttt"},
		"all are confirmed":             {nil, as(HandsTrue), "tttttttt"},
		"one is dismissed":              {nil, first(HandsFalse), "ttt-----"},
		"all are dismissed":             {nil, as(HandsFalse), "tt------"},
		"confirmed and taken back":      {nil, func(b *bench, ply int) { as(HandsTrue)(b, ply); as(HandsOpen)(b, ply) }, "tttttttt"},
		"dismissed by mistake":          {nil, func(b *bench, ply int) { as(HandsFalse)(b, ply); as(HandsOpen)(b, ply) }, "tttt----"},
		"in a recording":                {func(p *Params) { p.Passive = true }, as(HandsFalse), "tttttttt"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := known(t, c.tweak).bothHands(8, c.decide); got != c.want {
				t.Errorf("told %s, want %s", got, c.want)
			}
		})
	}
}

// What is confirmed too late, when all is held back already, makes the board believed again.
func TestADecisionOpensAgain(t *testing.T) {
	b := known(t, nil)
	if got := b.bothHands(5, nil); got != "tttt-" {
		t.Fatalf("told %s", got)
	}
	b.HandsDecided(b.now, b.games, 21, legal.White, HandsTrue)
	if got := heldLines(b.Tracker); got != "white told again" {
		t.Errorf("said %q", got)
	}
	if got := b.bothHands(4, nil); got != "tttt" {
		t.Errorf("told %s", got)
	}
}

// The lines name the player or the board, and what was held back is in the record, with the reason.
func TestWhatIsHeldBackIsSaid(t *testing.T) {
	b := known(t, nil)
	var last HandsJudged
	said := ""
	for range 6 {
		b.castled(ByPress, 0, 0, 2, 2)
		for _, o := range b.Take() {
			switch o := o.(type) {
			case HandsJudged:
				last = o
			case HandsHeld:
				said += fmt.Sprintf("%v %v; ", o.Scope, o.Held) + o.Detail()
			}
		}
		b.Release()
	}
	if !last.Suspected || last.Held != PlayerHeld {
		t.Errorf("%+v", last)
	}
	const want = "player true; two hands: judged for the record only: White reports two hands too often to be believed (4 of 4); decide the earlier ones: a confirmed one is believed"
	if said != want {
		t.Errorf("said %q", said)
	}
	if c := b.HandsCounts(hands.Castling); c != (HandsCount{Judged: 6, Unusual: 6, Advisory: 6, Held: 2}) {
		t.Errorf("%+v", c)
	}
}

// A habit of one is no defect of the board; the same of both is, and of everybody who sits there later. Another board and other
// figures begin anew.
func TestABoardIsMoreThanOnePlayer(t *testing.T) {
	game := func(tr *Tracker, who ...legal.Side) string {
		tr.newGame()
		for i := range 28 {
			side := legal.White + legal.Side(i%2)
			unusual := i < 10
			if len(who) == 1 {
				unusual = unusual && side == who[0]
			}
			tr.told(judgedHands(hands.Capture, BlitzPlay, side, unusual && len(who) > 0))
		}
		return heldLines(tr)
	}
	tr := New(DefaultParams())
	if got := game(tr, legal.White); got != "white held" {
		t.Errorf("one player: %q", got)
	}
	if tr.newGame(); tr.heldHands(legal.White) != NobodyHeld {
		t.Error("the next player at the board pays for the last one")
	}
	tr = New(DefaultParams())
	if got := game(tr, legal.White, legal.Black); !strings.Contains(got, "board held") {
		t.Errorf("both: %q", got)
	}
	if tr.newGame(); tr.heldHands(legal.Black) != BoardHeld {
		t.Error("the board is believed again in the next game")
	}
	for n := 0; ; n++ {
		if got := game(tr); got == "board told again" {
			if n < 2 || n > 6 {
				t.Errorf("after %d honest games the board is believed again", n+1)
			}
			break
		}
		if n == 20 {
			t.Fatal("never believed again")
		}
	}
	game(tr, legal.White, legal.Black)
	tr.OtherBoard()
	if got := heldLines(tr); got != "board told again" {
		t.Errorf("another board: %q", got)
	}
	game(tr, legal.White, legal.Black)
	p := tr.p
	tr.SetParams(p)
	if got := heldLines(tr); got != "" {
		t.Errorf("the same figures: %q", got)
	}
	p.Hands.Capture.Play[BlitzPlay].Slope = 500
	tr.SetParams(p)
	if got := heldLines(tr); got != "board told again" {
		t.Errorf("other figures: %q", got)
	}
}

// Where the rules allow castling with both hands, everybody does it, and nothing is wrong with the board.
func TestWhatIsAllowedIsNoWonder(t *testing.T) {
	b := known(t, nil)
	b.AskHands(false, true)
	if got := b.bothHands(8, nil); got != "tttttttt" { // the docket does not tell them
		t.Errorf("told %s", got)
	}
}

// A prior of one half makes nothing suspicious.
func TestAHighPriorIsNoOverflow(t *testing.T) {
	p := DefaultParams()
	for i := range p.Hands.Capture.Play {
		p.Hands.Capture.Play[i].PriorPPM = hands.Million / 2
	}
	p.Hands.Capture.TroubleTimes = 10_000
	tr := New(p)
	for range 3000 {
		tr.hands.credit.owe(toldHands{side: legal.White})
		tr.weigh(judgedHands(hands.Capture, ClassicalPlay, legal.White, true), Statement{}, haste{short: true})
		tr.told(judgedHands(hands.Castling, ClassicalPlay, legal.Black, false))
	}
	if got := heldLines(tr); got != "" || tr.hands.credit.players[legal.Black].score != creditFloor {
		t.Errorf("%q, %d", got, tr.hands.credit.players[legal.Black].score)
	}
	if got := p.Hands.Expected(hands.NoKind, BlitzPlay, false); got != 0 {
		t.Errorf("%d of nothing", got)
	}
}
