package lab

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/populations"
)

// What is to be done in a block.
type What string

// The tasks. Timing notes, 4.5.
const (
	Plain     What = "plain"     // moves to an empty square: scan and tempo
	Drop      What = "drop"      // put a piece down and hit the lever at the same time: the lever's latency
	Slide     What = "slide"     // push a rook over the squares: transients, detection height
	Capture   What = "capture"   //
	Castling  What = "castling"  //
	Promotion What = "promotion" //
	Press     What = "press"     // move and press: which hand, and too early
)

// Kind is the manipulation that is judged, NoKind where nothing is.
func (w What) Kind() hands.Kind {
	switch w {
	case Capture:
		return hands.Capture
	case Castling:
		return hands.Castling
	case Promotion:
		return hands.Promotion
	}
	return hands.NoKind
}

// styles are the words that a card of this task may have.
func (w What) styles() []string {
	switch w {
	case Drop:
		return []string{"drop"}
	case Slide:
		return []string{"slide"}
	case Press:
		return []string{"same hand", "other hand", "early press"}
	}
	var list []string
	for _, s := range populations.StylesOf(w.Kind()) {
		list = append(list, s.String())
	}
	return list
}

// Tempo is how fast a card is to be played.
type Tempo string

// The tempi; a third of the cards each.
const (
	Relaxed Tempo = "relaxed"
	Fast    Tempo = "fast"
	Max     Tempo = "max"
)

var tempi = []Tempo{Relaxed, Fast, Max}

// A Protocol is what is played in one session.
type Protocol struct {
	Name   string  `yaml:"name" json:"name"`
	Blocks []Block `yaml:"blocks" json:"blocks"`
}

// A Block is one task with one set-up. Performer and resetter change places behind each.
type Block struct {
	What    What    `yaml:"what" json:"what"`
	Minutes float64 `yaml:"minutes" json:"minutes"`
	Layout  int     `yaml:"layout" json:"layout,omitempty"` // which of the task's set-ups, from 1; 0: they take turns
	Tempi   []Tempo `yaml:"tempi" json:"tempi,omitempty"`   // none: all three
	Cards   []Pile  `yaml:"cards" json:"cards"`
}

// A Pile is so many cards of one style.
type Pile struct {
	Style string `yaml:"style" json:"style"`
	Count int    `yaml:"count" json:"count"`
}

const (
	mostBlocks = 60
	mostCards  = 1000
)

// Full is the protocol of the timing notes, 4.5: 30 minutes for two people at one board. Its three long tasks are cut into
// blocks, so that everybody performs them and the tempo of both is known.
func Full() Protocol {
	capture := func(piles ...int) Block {
		return block(Capture, 4, []string{"swap", "hold first", "put aside", "push", "scoop", "together", "ahead", "first", "late"}, piles)
	}
	castle := []string{"king then rook", "both in one hand", "together", "staggered"}
	promote := []string{"swap on the eighth", "pawn off", "queen pre-held", "queen ready", "other hand fetches"}
	press := []string{"same hand", "other hand", "early press"}
	return Protocol{Name: "full", Blocks: []Block{
		block(Plain, 1.5, []string{"plain"}, []int{30}), block(Plain, 1.5, []string{"plain"}, []int{30}),
		block(Drop, 1.8, []string{"drop"}, []int{30}), block(Slide, 1.2, []string{"slide"}, []int{20}),
		capture(9, 6, 4, 4, 5, 5, 3, 2, 2), capture(9, 6, 4, 4, 5, 5, 2, 3, 2),
		capture(9, 6, 4, 4, 5, 5, 2, 3, 3), capture(8, 7, 3, 3, 5, 5, 3, 2, 3),
		block(Castling, 1.7, castle, []int{8, 2, 3, 2}), block(Castling, 1.7, castle, []int{7, 3, 2, 3}),
		block(Promotion, 0.9, promote, []int{2, 2, 2, 1, 1}), block(Promotion, 0.7, promote, []int{2, 1, 1, 2, 1}),
		block(Press, 1.5, press, []int{4, 4, 2}), block(Press, 1.5, press, []int{4, 4, 2}),
	}}
}

// Short is a first try, of seven minutes or so.
func Short() Protocol {
	capture := []string{"swap", "hold first", "push", "scoop", "together", "ahead", "first"}
	return Protocol{Name: "short", Blocks: []Block{
		block(Plain, 1.2, []string{"plain"}, []int{24}), block(Plain, 1.2, []string{"plain"}, []int{24}),
		block(Capture, 1.5, capture, []int{4, 3, 2, 2, 2, 1, 1}), block(Capture, 1.5, capture, []int{4, 3, 2, 2, 2, 1, 1}),
		block(Castling, 0.8, []string{"king then rook", "both in one hand", "together"}, []int{4, 1, 2}),
		block(Promotion, 0.6, []string{"swap on the eighth", "pawn off", "queen ready"}, []int{2, 2, 1}),
	}}
}

func block(what What, minutes float64, styles []string, counts []int) Block {
	b := Block{What: what, Minutes: minutes}
	for i, n := range counts {
		b.Cards = append(b.Cards, Pile{styles[i], n})
	}
	return b
}

// Cards counts them.
func (p Protocol) Cards() (n int) {
	for _, b := range p.Blocks {
		n += b.cards()
	}
	return n
}

func (b Block) cards() (n int) {
	for _, pile := range b.Cards {
		n += pile.Count
	}
	return n
}

// ParseProtocol reads a protocol of somebody's own, in YAML. file is only for the errors.
func ParseProtocol(file string, text []byte) (Protocol, error) {
	var p Protocol
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&p); err != nil {
		if errors.Is(err, io.EOF) {
			return p, fmt.Errorf("%s: there is nothing in it; boardwatchd lab --print-protocol full shows what a protocol looks like", file)
		}
		return p, fmt.Errorf("%s: %s", file, plainYAML(err))
	}
	if err := p.Check(); err != nil {
		return p, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// plainYAML is the parser's first complaint, without the names of this package's types.
func plainYAML(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text = strings.TrimSpace(strings.TrimPrefix(text, "unmarshal errors:"))
	text, _, _ = strings.Cut(text, "\n")
	for _, t := range []string{"Protocol", "Block", "Pile"} {
		text = strings.ReplaceAll(text, " not found in type lab."+t, " is no key there")
		text = strings.ReplaceAll(text, " into lab."+t, "")
	}
	return text
}

// Check says what is wrong with a protocol, and where.
func (p Protocol) Check() error {
	if n := len(p.Blocks); n == 0 || n > mostBlocks {
		return fmt.Errorf("blocks: %d; 1 to %d are possible", n, mostBlocks)
	}
	for i, b := range p.Blocks {
		if err := b.check(); err != nil {
			return fmt.Errorf("block %d: %w", i+1, err)
		}
	}
	if n := p.Cards(); n > mostCards {
		return fmt.Errorf("%d cards; at most %d are possible", n, mostCards)
	}
	return nil
}

func (b Block) check() error {
	sets, ok := layouts[b.What]
	if !ok {
		return fmt.Errorf("what: %q; it is plain, drop, slide, capture, castling, promotion or press", b.What)
	}
	if b.Layout < 0 || b.Layout > len(sets) {
		return fmt.Errorf("layout: %d; %s has 1 to %d, and 0 lets them take turns", b.Layout, b.What, len(sets))
	}
	if b.Minutes < 0 || b.Minutes > 120 {
		return fmt.Errorf("minutes: %g; 0 to 120 are possible", b.Minutes)
	}
	for _, t := range b.Tempi {
		if !slices.Contains(tempi, t) {
			return fmt.Errorf("tempi: %q; they are relaxed, fast, max", t)
		}
	}
	if len(b.Cards) == 0 {
		return errors.New("cards: none; write for instance {style: swap, count: 9}")
	}
	for _, pile := range b.Cards {
		if !slices.Contains(b.What.styles(), pile.Style) {
			return fmt.Errorf("cards: %q is no style of %s; it has %s", pile.Style, b.What, strings.Join(b.What.styles(), ", "))
		}
		if pile.Count < 1 || pile.Count > mostCards {
			return fmt.Errorf("cards: %s: count %d; 1 to %d are possible", pile.Style, pile.Count, mostCards)
		}
	}
	return nil
}

// YAML is the protocol as a file.
func (p Protocol) YAML() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "name: %s\nblocks:\n", p.Name)
	for _, k := range p.Blocks {
		fmt.Fprintf(&b, "  - what: %s\n    minutes: %g\n    cards:\n", k.What, k.Minutes)
		for _, pile := range k.Cards {
			fmt.Fprintf(&b, "      - {style: %s, count: %d}\n", pile.Style, pile.Count)
		}
	}
	return b.Bytes()
}
