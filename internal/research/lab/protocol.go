package lab

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/populations"
	"boardwatchd/rules/legal"
)

// A What is the task of a block.
type What string

// The tasks. Timing notes, 4.5.
const (
	Plain     What = "plain"     // moves to an empty square: scan and tempo
	Drop      What = "drop"      // put a piece down and hit the lever at the same time: the lever's latency
	Slide     What = "slide"     // push a rook over the squares: transients, detection height
	Capture   What = "capture"   //
	Castling  What = "castling"  //
	Promotion What = "promotion" //
	Press     What = "press"     // move and press: the hand used, and early presses
)

// Kind returns the manipulation that is judged, NoKind if none is.
func (w What) Kind() hands.Kind {
	return map[What]hands.Kind{Capture: hands.Capture, Castling: hands.Castling, Promotion: hands.Promotion}[w]
}

// Tempo is the speed of a card.
type Tempo string

// The tempi; a third of the cards each.
const (
	Relaxed Tempo = "relaxed"
	Fast    Tempo = "fast"
	Max     Tempo = "max"
)

var tempi = []Tempo{Relaxed, Fast, Max}

// A Protocol is the programme of one session.
type Protocol struct {
	Name   string  `json:"name"`
	Blocks []Block `json:"blocks"`
}

// A Block is one task with one set-up. Performer and resetter change places after each.
type Block struct {
	What    What    `json:"what"`
	Minutes float64 `json:"minutes"`
	Cards   []Pile  `json:"cards"`
}

// A Pile is some cards of one style.
type Pile struct {
	Style string `json:"style"`
	Count int    `json:"count"`
}

// Named returns the protocol with that name.
func Named(name string) (Protocol, bool) {
	for _, p := range []Protocol{full(), short()} {
		if p.Name == name {
			return p, true
		}
	}
	return Protocol{}, false
}

// full returns the protocol of the timing notes, 4.5: 30 minutes for two people at one board. Its long tasks are
// divided into blocks, so that both perform them and the tempo of both is known.
func full() Protocol {
	captures := func(n ...int) Block {
		return block(Capture, 4, n, "swap", "hold first", "put aside", "push", "scoop", "together", "ahead", "first", "late")
	}
	castle := []string{"king then rook", "both in one hand", "together", "staggered"}
	promote := []string{"swap on the eighth", "pawn off", "queen pre-held", "queen ready", "other hand fetches"}
	press := block(Press, 1.5, []int{4, 4, 2}, "same hand", "other hand", "early press")
	plain := block(Plain, 1.5, []int{30}, "plain")
	return Protocol{Name: "full", Blocks: []Block{
		plain, plain, block(Drop, 1.8, []int{30}, "drop"), block(Slide, 1.2, []int{20}, "slide"),
		captures(9, 6, 4, 4, 5, 5, 3, 2, 2), captures(9, 6, 4, 4, 5, 5, 2, 3, 2),
		captures(9, 6, 4, 4, 5, 5, 2, 3, 3), captures(8, 7, 3, 3, 5, 5, 3, 2, 3),
		block(Castling, 1.7, []int{8, 2, 3, 2}, castle...), block(Castling, 1.7, []int{7, 3, 2, 3}, castle...),
		block(Promotion, 0.9, []int{2, 2, 2, 1, 1}, promote...), block(Promotion, 0.7, []int{2, 1, 1, 2, 1}, promote...),
		press, press,
	}}
}

// short returns a trial protocol of about seven minutes.
func short() Protocol {
	plain := block(Plain, 1.2, []int{24}, "plain")
	captures := block(Capture, 1.5, []int{4, 3, 2, 2, 2, 1, 1}, "swap", "hold first", "push", "scoop", "together", "ahead", "first")
	return Protocol{Name: "short", Blocks: []Block{
		plain, plain, captures, captures,
		block(Castling, 0.8, []int{4, 1, 2}, "king then rook", "both in one hand", "together"),
		block(Promotion, 0.6, []int{2, 2, 1}, "swap on the eighth", "pawn off", "queen ready"),
	}}
}

func block(what What, minutes float64, counts []int, styles ...string) Block {
	b := Block{What: what, Minutes: minutes}
	for i, n := range counts {
		b.Cards = append(b.Cards, Pile{styles[i], n})
	}
	return b
}

// Cards returns the number of cards.
func (p Protocol) Cards() (n int) {
	for _, b := range p.Blocks {
		for _, pile := range b.Cards {
			n += pile.Count
		}
	}
	return n
}

// A Card asks for one manipulation.
type Card struct {
	ID    string // block.number, in the shuffled order
	Block int    // from 0
	What  What
	Style string
	Tempo Tempo
	lane  lane
}

// Two reports whether the card asks for both hands; false where hands do not matter.
func (c Card) Two() bool { return c.What.Kind() != hands.NoKind && populations.StyleOf(c.Style).Two() }

// deal makes and shuffles the cards of a block. Every style gets every distance and every tempo in turn, and then the
// cards are shuffled: performers must not know the next card, and tiredness must not affect one style only. The same
// seed always deals the same cards: reading a journal depends on it.
func (p Protocol) deal(n int, seed uint64) (cards []Card, list []lane) {
	b, before := p.Blocks[n], 0
	for _, other := range p.Blocks[:n] {
		if other.What == b.What {
			before++
		}
	}
	sets := layouts[b.What]
	list = sets[(before+before/2)%len(sets)] // 1 2 2 1: people take turns, and each gets both
	rng := rand.New(rand.NewPCG(seed, uint64(n)+1))
	for _, pile := range b.Cards {
		fit := slices.DeleteFunc(slices.Clone(list), func(l lane) bool { return pile.Style == populations.Scoop.String() && !l.spanned() })
		first, firstTempo := rng.IntN(len(fit)), rng.IntN(len(tempi))
		for i := range pile.Count {
			turn := i % len(fit)
			// The tempo advances in every round of the lanes, so that each lane is combined with each tempo.
			t := tempi[(firstTempo+turn+i/len(fit))%len(tempi)]
			cards = append(cards, Card{Block: n, What: b.What, Style: pile.Style, Tempo: t, lane: fit[(first+turn)%len(fit)]})
		}
	}
	rng.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	over := map[legal.Square]bool{}
	for i := range cards {
		c := &cards[i]
		c.ID = fmt.Sprintf("%d.%d", n+1, i+1)
		if from := c.lane.From; c.lane.back { // nothing has to be put back: the next time it goes the other way
			if over[from] {
				c.lane.From, c.lane.To = c.lane.To, from
			}
			over[from] = !over[from]
		}
	}
	return cards, list
}
