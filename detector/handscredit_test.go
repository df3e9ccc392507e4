package detector

import (
	"fmt"
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/kinds"
)

// bothHands plays some castlings with both hands at once by the same player, and returns a letter for each: t if it was
// reported, - if not.
func (b *bench) bothHands(n int, then func(b *bench, i int)) (told string) {
	for i := range n {
		b.castled(ByPress, 0, 0, 2, 2)
		one := "-"
		for _, o := range b.Take() {
			if f, ok := o.(Found); ok && f.Kind.Family() == kinds.Hand {
				one = "t"
			}
		}
		b.Release()
		told += one
		if then != nil {
			then(b, i)
		}
	}
	return told
}

// After two suspicions that were reported and not answered, they are paused until one is answered.
func TestTwoToldAndNotAnswered(t *testing.T) {
	answer := func(at ...int) func(*bench, int) {
		return func(b *bench, i int) {
			for _, n := range at {
				if n == i {
					b.HandsAnswered(b.now)
				}
			}
		}
	}
	for name, c := range map[string]struct {
		tweak func(*Params)
		then  func(*bench, int)
		want  string
	}{
		"nobody answers":                  {nil, nil, "tt------"},
		"the first is answered":           {nil, answer(0), "ttt-----"},
		"the second is answered, later":   {nil, answer(4), "tt---tt-"},
		"each is answered":                {nil, answer(0, 1, 2, 3, 4, 5, 6), "tttttttt"},
		"the next game":                   {nil, func(b *bench, i int) { b.newGame(); b.hands.tempo = known(t, nil).hands.tempo }, "tttttttt"},
		"in a recording":                  {func(p *Params) { p.Passive = true }, nil, "tttttttt"},
		"the rules do not ask about it":   {nil, func(b *bench, _ int) { b.AskHands(false, true) }, "tttttttt"},
		"they ask about castlings at all": {nil, func(b *bench, _ int) { b.AskHands(true, false) }, "tt------"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := known(t, c.tweak).bothHands(8, c.then); got != c.want {
				t.Errorf("told %s, want %s", got, c.want)
			}
		})
	}
}

// The record shows suspicions that were not reported, that they were not, and why they are reported again.
func TestAPauseIsSaid(t *testing.T) {
	b := known(t, nil)
	var last HandsJudged
	said := ""
	take := func() {
		for _, o := range b.Take() {
			switch o := o.(type) {
			case HandsJudged:
				last = o
			case HandsHeld:
				said += fmt.Sprintf("%v %d of %d; ", o.Held, o.Count.Unusual, o.Count.Judged) + o.Detail().String() + "; "
			}
		}
		b.Release()
	}
	for range 4 {
		b.castled(ByPress, 0, 0, 2, 2)
		take()
	}
	if !last.Suspected || !last.Unreported || !b.HandsPaused() {
		t.Errorf("%+v", last)
	}
	if c := b.HandsCounts(hands.Castling); c != (HandsCount{Judged: 4, Unusual: 4, Advisory: 4, Held: 2}) {
		t.Errorf("%+v", c)
	}
	b.HandsAnswered(b.now)
	b.HandsAnswered(b.now)
	take()
	b.bothHands(2, nil)
	b.newGame()
	take()
	const want = "true 2 of 2; two hands: 2 suspicions were reported and not answered: paused until somebody answers; " +
		"false 4 of 4; two hands: suspicions are reported again: one was answered; " +
		"false 6 of 6; two hands: suspicions are reported again: the next game has begun; "
	if said != want {
		t.Errorf("said %q", said)
	}
}
