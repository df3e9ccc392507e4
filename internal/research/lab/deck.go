package lab

import (
	"fmt"
	"math/rand/v2"

	"boardwatchd/internal/research/populations"
)

// A Card asks for one manipulation.
type Card struct {
	ID    string // block.number, as they were shuffled
	Block int    // from 0
	What  What
	Style string
	Tempo Tempo
	lane  lane
}

// Two tells whether the card asks for both hands; false where that is not the question.
func (c Card) Two() bool {
	s, ok := populations.StyleOf(c.Style)
	return ok && c.What.Kind() != 0 && s.Two()
}

// deal makes and shuffles the cards of a block. Every style gets every distance and every tempo in turn, and then chance
// mixes the cards: performers must not know what comes next, and tiredness must not fall on one style.
func deal(p Protocol, n int, seed uint64) (cards []Card, lanes []lane) {
	b := p.Blocks[n]
	lanes = layouts[b.What][p.layout(n)]
	tempos := b.Tempi
	if len(tempos) == 0 {
		tempos = tempi
	}
	rng := rand.New(rand.NewPCG(seed, uint64(n)+1))
	for _, pile := range b.Cards {
		fit := fitting(lanes, pile.Style)
		first, firstTempo := rng.IntN(len(fit)), rng.IntN(len(tempos))
		for i := range pile.Count {
			turn := i % len(fit)
			l := fit[(first+turn)%len(fit)]
			// One step further in every round of the lanes, so that each lane meets each tempo.
			t := tempos[(firstTempo+turn+i/len(fit))%len(tempos)]
			cards = append(cards, Card{Block: n, What: b.What, Style: pile.Style, Tempo: t, lane: l})
		}
	}
	rng.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	for i := range cards {
		cards[i].ID = fmt.Sprintf("%d.%d", n+1, i+1)
	}
	return cards, lanes
}

// fitting are the lanes that a style can be played on.
func fitting(lanes []lane, style string) (fit []lane) {
	for _, l := range lanes {
		if style != populations.Scoop.String() || l.spanned() {
			fit = append(fit, l)
		}
	}
	if len(fit) == 0 {
		return lanes
	}
	return fit
}

// layout is which set-up of its task a block has: its own wish, or they take turns.
func (p Protocol) layout(n int) int {
	b := p.Blocks[n]
	if b.Layout > 0 {
		return b.Layout - 1
	}
	before := 0
	for _, other := range p.Blocks[:n] {
		if other.What == b.What {
			before++
		}
	}
	return (before + before/2) % len(layouts[b.What]) // 1 2 2 1: with people who take turns, everybody gets both
}
