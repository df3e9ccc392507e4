package hands

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"boardwatchd/internal/research/handtables"
	"boardwatchd/rules/legal"
)

// What the tests play with: the hands of the tables' own generator, drawn at random, under a scan of any period.
// Measured on them the model looks better than it is: internal/research/populations has the independent ones.

type dice struct{ *rand.Rand }

func (d dice) Next() float64 { return d.Float64() }

// A change is a physical one: what the coil has above it from then on.
type change struct {
	at     float64 // s
	square legal.Square
	is     legal.Piece
}

// A desk is a board and its line.
type desk struct {
	dice
	period float64
	order  Order
	phase  float64
	jitter float64
}

func (k desk) sensor() Sensor {
	return Sensor{PeriodUS: int64(k.period * 1e6), Fit: 980, Lead: 300, Order: k.order, Moves: 60}
}

// see is what the host hears of the changes; known is what the board saw before.
func (k desk) see(known legal.Placement, changes []change) []Report {
	var out []Report
	bySquare := map[legal.Square][]change{}
	for _, c := range changes {
		bySquare[c.square] = append(bySquare[c.square], c)
	}
	for sq, list := range bySquare {
		sort.SliceStable(list, func(i, j int) bool { return list[i].at < list[j].at })
		offset := k.phase + float64(k.order.Slot(Field(sq, false)))*k.period/64
		was := known[sq]
		for i := 0; i < len(list); {
			visit := offset + math.Ceil((list[i].at-offset)/k.period)*k.period
			for i < len(list) && list[i].at <= visit {
				i++
			}
			if is := list[i-1].is; is != was {
				out = append(out, Report{Square: sq, Was: was, Is: is, At: int64(visit * 1e6)})
				was = is
			}
		}
	}
	slices.SortFunc(out, func(a, b Report) int {
		if a.At != b.At {
			return int(a.At - b.At)
		}
		return int(a.Square) - int(b.Square)
	})
	latest := int64(0)
	for i := range out {
		latest = max(latest, out[i].At+int64((0.006+k.jitter*k.Float64())*1e6))
		out[i].At = latest
	}
	return out
}

// A player has a tempo of his own and is known by his simple moves.
type player struct {
	tempo float64 // of the standard time
	known Tempo
}

func (k desk) player(class int32, moves int) player {
	p := player{tempo: float64(class) / 1000 * math.Exp(0.2*k.NormFloat64()), known: NewTempo(class)}
	for range moves {
		from, to := k.squares()
		mm := float64(wayMM(from, to))
		took := p.tempo * float64(fittsUS(int32(mm))) / 1e6 * math.Exp(0.31*k.NormFloat64())
		start := 1000 + k.Float64()
		var board legal.Placement
		board[from] = legal.WhiteQueen
		r := k.see(board, []change{{start, from, legal.NoPiece}, {start + took, to, legal.WhiteQueen}})
		var lift, place int64
		for _, r := range r {
			if r.Square == from {
				lift = r.At
			} else {
				place = r.At
			}
		}
		p.known.Add(from, to, lift, place)
	}
	return p
}

// squares of a move: a near one more often than a far one.
func (k desk) squares() (from, to legal.Square) {
	for {
		from, to = legal.Square(k.IntN(64)), legal.Square(k.IntN(64))
		if d := wayMM(from, to); d > 0 && k.Float64() < 80/float64(d) {
			return from, to
		}
	}
}

var only string // of the styles, if not empty

// pick draws a style by its weight; odd multiplies the rare ones of one hand.
func (k desk) pick(styles []handtables.Style, two bool, odd float64) handtables.Style {
	total := 0.0
	weight := func(s handtables.Style) float64 {
		if only != "" {
			if s.Name == only && s.Two == two {
				return 1
			}
			return 0
		}
		if s.Two != two {
			return 0
		}
		if s.PPM <= 2_000 {
			return odd * float64(s.PPM)
		}
		return float64(s.PPM)
	}
	for _, s := range styles {
		total += weight(s)
	}
	x := k.Float64() * total
	for _, s := range styles {
		if x -= weight(s); x < 0 {
			return s
		}
	}
	return styles[0]
}

// scenes by kind, the way that is nearest.
func stylesOf(kind Kind) []handtables.Style {
	for _, s := range handtables.Scenes() {
		if s.Kind == int(kind) {
			return s.Styles
		}
	}
	return nil
}

// handling plays one.
func (k desk) handling(kind Kind, tempo float64, style handtables.Style) *Handling {
	start := 1000 + k.Float64()
	at := func(x float64) float64 { return start + tempo*x }
	d := &Handling{Kind: kind, Victim: legal.NoSquare, RookFrom: legal.NoSquare, RookTo: legal.NoSquare}
	var board legal.Placement
	var list []change
	switch kind {
	case Capture:
		d.From, d.To = k.squares()
		for style.Name == "scoop" && wayMM(d.From, d.To) > 120 {
			d.From, d.To = k.squares()
		}
		d.Victim, d.Mover, d.Put, d.Taken = d.To, legal.WhiteQueen, legal.WhiteQueen, legal.BlackKnight
		board[d.From], board[d.To] = d.Mover, d.Taken
		x := style.Perform(k, float64(wayMM(d.From, d.To))/10)
		list = []change{{at(0), d.From, 0}, {at(x[1]), d.To, d.Put}, {at(x[0]), d.To, 0}}
	case Castling:
		d.From, d.To, d.RookFrom, d.RookTo = legal.E1, legal.G1, legal.H1, legal.F1
		if k.IntN(4) == 0 {
			d.To, d.RookFrom, d.RookTo = legal.C1, legal.A1, legal.D1
		}
		d.Mover, d.Put = legal.WhiteKing, legal.WhiteKing
		board[d.From], board[d.RookFrom] = legal.WhiteKing, legal.WhiteRook
		x := style.Perform(k, float64(wayMM(d.RookFrom, d.RookTo))/10)
		list = []change{{at(0), d.From, 0}, {at(x[1]), d.To, d.Put}, {at(x[0]), d.RookFrom, 0}, {at(x[2]), d.RookTo, legal.WhiteRook}}
	}
	d.Reports = k.see(board, list)
	return d
}
