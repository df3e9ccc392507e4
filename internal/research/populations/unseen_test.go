package populations

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// The people of this file were written from the timing notes (sections 1.2, 2.2, 3.3) alone, without knowledge of the
// other populations, the tables or the data that they were fitted to. They have a generator and a board of their own,
// so that they do not share errors of the others. Times are seconds at standard tempo unless stated otherwise.

// A stranger is one kind of people.
type stranger struct {
	name   string
	tempo  float64 // of the class
	person float64 // spread between people (of the logarithm)
	move   float64 // spread between movements
	tremor float64 // s, of each lift and place
	late   float64 // additional seconds before the next piece leaves its square
	slides float64 // share of moves that are slid
	forget float64 // share of moves with a hesitation of half a second
}

var strangers = []stranger{
	{"club", 1, .18, .25, .004, 0, .1, .02},
	{"tremor", 1.2, .15, .25, .035, 0, .15, .05},
	{"elder", 1.5, .2, .3, .015, .25, .1, .1},
	{"child", 1.15, .25, .42, .01, .05, .6, .15},
	{"teen", .62, .15, .28, .004, 0, .1, .01},
	// The limits of detector/handsparams.go were set with those above, and with the other populations. These two were
	// added afterwards.
	{"bullet", .8, .25, .35, .008, 0, .3, .02},
	{"careful", 1.3, .25, .35, .02, .1, .05, .08},
}

// fold is a person: a random source and a pace.
type fold struct {
	*rand.Rand
	is   *stranger
	pace float64 // permille/1000 of the standard time
	now  float64 // factor of hurry
}

func (f *fold) ln(median, sigma float64) float64 { return median * math.Exp(sigma*f.NormFloat64()) }

// lasts returns the present duration of a movement of a standard time, with the floor of 5 g.
func (f *fold) lasts(standard, cm float64) float64 {
	floor := math.Sqrt(5.77 * cm / 100 / 49)
	return max(f.ln(standard*f.pace*f.now, f.is.move), floor)
}

func fitts(cm float64) float64 { return .05 + .095*math.Log2(2*cm/3) }

func (f *fold) carries(cm float64) float64 { return f.lasts(fitts(cm), cm) }

// grasps returns release, reach and grasp: K down to R up in 2.2 is 0.312 s in blitz (tempo 0.75) over some 8 cm.
func (f *fold) grasps(cm float64) float64 {
	t := f.lasts(.15+.8*fitts(cm), cm) + .03*f.now + f.is.late*f.Float64()*2
	if f.Float64() < f.is.forget {
		t += .5 * f.ExpFloat64()
	}
	return t
}

func (f *fold) shakes(list []float64) {
	for i := range list {
		list[i] += f.is.tremor * f.NormFloat64()
	}
}

func reach(a, b legal.Square) float64 {
	return 5.5 * math.Hypot(float64(a.File()-b.File()), float64(a.Rank()-b.Rank()))
}

// castles: king up, rook up, king down, rook down.
func (f *fold) castles(d *hands.Handling, way string) []float64 {
	king, rook := reach(d.From, d.To), reach(d.RookFrom, d.RookTo)
	var t []float64
	switch way {
	case "one hand":
		down := f.carries(king)
		up := down + f.grasps(reach(d.To, d.RookFrom)+3)
		t = []float64{0, up, down, up + f.carries(rook)}
	case "both in one hand":
		up := f.grasps(reach(d.From, d.RookFrom))
		down := up + f.carries(reach(d.RookFrom, d.To)+3)
		t = []float64{0, up, down, down + f.carries(5.5)*(.3+.7*f.Float64())} // with a turn of the hand, or after it
	case "rook first":
		up := f.grasps(reach(d.From, d.RookFrom))
		down := up + f.carries(king)
		t = []float64{up, 0, down, down + f.carries(5.5)*(.3+.7*f.Float64())}
	case "knocked": // the rook is pushed off its coil as the hand passes with the king
		down := f.carries(king)
		up := down * (.5 + .5*f.Float64())
		t = []float64{0, up, down, down + f.grasps(reach(d.To, d.RookFrom)) + f.carries(rook)}
	case "together": // the unloaded hand slows down: both movements take the same time, lag 60 to 100 ms
		flight, lag := f.carries(max(king, rook))*1.15, .025+.08*f.NormFloat64()*math.Sqrt(f.pace/.75)
		t = []float64{0, lag, flight, flight + .025 + .08*f.NormFloat64()*math.Sqrt(f.pace/.75)}
		t[3] = max(t[3], t[1]+.1)
	case "staggered": // the other hand has the rook as the king comes down
		down := f.carries(king)
		up := max(down+.1*f.pace/.75*f.now*f.NormFloat64(), .02)
		t = []float64{0, up, down, up + f.carries(rook)}
	}
	f.shakes(t)
	t[2], t[3] = max(t[2], t[0]+.06), max(t[3], t[1]+.06)
	return t
}

// captures: attacker up, victim up, attacker down.
func (f *fold) captures(d *hands.Handling, way string) []float64 {
	far := reach(d.From, d.To)
	pick, touch := .3, f.ln(.047, .65)
	var t []float64
	switch way {
	case "swap":
		up := f.carries(far) + f.lasts(pick, 3)
		t = []float64{0, up, up + touch}
	case "push":
		down := f.carries(far) + .02
		t = []float64{0, down - .01 - .02*f.Float64(), down}
	case "first, held":
		up := f.grasps(far)*1.15 + .06
		t = []float64{up, 0, up + f.carries(far) + f.lasts(.15, 3)}
	case "first, put aside":
		up := f.carries(25) + f.grasps(25)
		t = []float64{up, 0, up + f.carries(far)}
	case "scooped":
		lag := .03 + .05*f.NormFloat64()
		t = []float64{0, lag, max(lag, 0) + .1 + f.carries(far)}
	case "knocked":
		t = []float64{0, f.Float64() * .15, f.carries(far) + f.lasts(pick, 3)}
	case "together":
		flight := f.carries(far)*1.15 + .05
		t = []float64{0, .025 + .08*f.NormFloat64(), flight}
	case "ahead": // the other hand is on its way before the attacker is up, and clears the square during its flight
		flight := f.carries(far) + .05
		t = []float64{0, flight * (.2 + .7*f.Float64()), flight}
	case "first, overlapping":
		up := .05 + f.lasts(.2, 3)
		t = []float64{up, 0, up + f.carries(far)}
	case "late":
		down := f.carries(far) + .1
		t = []float64{0, down - touch, down}
	case "one after the other":
		up := f.grasps(far) * .9
		t = []float64{up, 0, up + f.carries(far)}
	}
	f.shakes(t)
	t[2] = max(t[2], t[0]+.06, t[1]+.002)
	return t
}

type custom struct {
	way  string
	part float64
}

// customs: one hand, one hand that looks like two (as parts of all with one hand, the notes' guesses), two hands
// (section 3.3).
var customs = map[hands.Kind][3][]custom{
	hands.Castling: {
		{{"one hand", 1}},
		{{"both in one hand", .007}, {"rook first", .002}, {"knocked", .001}},
		{{"together", .5}, {"staggered", .5}},
	},
	hands.Capture: {
		{{"swap", .37}, {"push", .33}, {"first, held", .16}, {"first, put aside", .14}},
		{{"scooped", .0005}, {"knocked", .0005}},
		{{"together", .25}, {"ahead", .3}, {"first, overlapping", .2}, {"late", .1}, {"one after the other", .15}},
	},
}

func (f *fold) picks(list []custom) string {
	sum := 0.0
	for _, s := range list {
		sum += s.part
	}
	at := f.Float64() * sum
	for _, s := range list {
		if at -= s.part; at < 0 {
			return s.way
		}
	}
	return list[0].way
}

// sight reports the changes that a board finds which visits each square once in period. It knows only the pieces
// present at a visit.
type sight struct {
	sq      legal.Square
	was, is legal.Piece
	at      float64 // s
}

func (f *fold) seen(list []sight, period float64, reversed bool) []hands.Report {
	phase := f.Float64() * period
	bySquare := map[legal.Square][]sight{}
	for _, s := range list {
		bySquare[s.sq] = append(bySquare[s.sq], s)
	}
	var out []hands.Report
	for sq := range legal.Square(64) { // in order: each draws a random number
		l := bySquare[sq]
		if len(l) == 0 {
			continue
		}
		slices.SortStableFunc(l, func(a, b sight) int { return cmp.Compare(a.at, b.at) })
		slot := phase + float64(hands.Raster.Slot(hands.Field(sq, reversed)))/64*period
		was := l[0].was
		for i, s := range l {
			visit := slot + period*math.Ceil((s.at-slot)/period)
			if i+1 < len(l) && l[i+1].at <= visit {
				continue // gone again before the visit
			}
			if s.is != was {
				out = append(out, hands.Report{Square: sq, Was: was, Is: s.is, At: 10_000_000 + int64(1e6*(visit+.006+.016*f.Float64()))})
			}
			was = s.is
		}
	}
	slices.SortFunc(out, func(a, b hands.Report) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Square, b.Square)) })
	return out
}

func (f *fold) sensor(period float64) hands.Sensor {
	return hands.Sensor{PeriodUS: int64(period * 1e6), Fit: 970, Order: hands.Raster, Lead: 300, JitterUS: 5000, Moves: 60}
}

// learn feeds a tempo with the given number of plain moves of a person.
func (f *fold) learn(tempo *hands.Tempo, moves int, period float64) {
	for range moves {
		from, to := legal.Square(f.IntN(64)), legal.Square(f.IntN(64))
		if from == to {
			continue
		}
		took := f.carries(reach(from, to))
		list := []float64{0, took}
		f.shakes(list)
		r := f.seen([]sight{{from, legal.WhiteKnight, legal.NoPiece, list[0]}, {to, legal.NoPiece, legal.WhiteKnight, max(list[1], list[0]+.06)}}, period, false)
		if len(r) == 2 && r[0].Lift() {
			tempo.Add(from, to, r[0].At, r[1].At)
		}
	}
}

var whiteCastlings = [][4]legal.Square{{legal.E1, legal.G1, legal.H1, legal.F1}, {legal.E1, legal.C1, legal.A1, legal.D1}}

// handling makes one manipulation and returns the board's reports.
func (f *fold) handling(k hands.Kind, way string, period float64) hands.Handling {
	d := hands.Handling{Kind: k, Victim: legal.NoSquare, RookFrom: legal.NoSquare, RookTo: legal.NoSquare, Reversed: f.IntN(2) == 0}
	var list []sight
	if k == hands.Castling {
		c := whiteCastlings[0]
		if f.Float64() < .12 {
			c = whiteCastlings[1]
		}
		d.From, d.To, d.RookFrom, d.RookTo = c[0], c[1], c[2], c[3]
		d.Mover, d.Put = legal.WhiteKing, legal.WhiteKing
		t := f.castles(&d, way)
		list = []sight{{d.From, d.Mover, legal.NoPiece, t[0]}, {d.RookFrom, legal.WhiteRook, legal.NoPiece, t[1]},
			{d.To, legal.NoPiece, d.Put, t[2]}, {d.RookTo, legal.NoPiece, legal.WhiteRook, t[3]}}
		if f.Float64() < f.is.slides { // the king is read on the square between
			a := t[0] + (t[2]-t[0])*.3
			mid := (d.From + d.To) / 2
			if b := t[0] + (t[2]-t[0])*.7; b < t[3] {
				list = append(list, sight{mid, legal.NoPiece, d.Mover, a}, sight{mid, d.Mover, legal.NoPiece, b})
			}
		}
	} else {
		for d.From == d.To || reach(d.From, d.To) > 33 {
			d.From, d.To = legal.Square(f.IntN(64)), legal.Square(f.IntN(64))
		}
		d.Victim, d.Mover, d.Put, d.Taken = d.To, legal.WhiteQueen, legal.WhiteQueen, legal.BlackKnight
		t := f.captures(&d, way)
		list = []sight{{d.From, d.Mover, legal.NoPiece, t[0]}, {d.To, d.Taken, legal.NoPiece, t[1]}, {d.To, legal.NoPiece, d.Put, t[2]}}
	}
	d.Reports = f.seen(list, period, d.Reversed)
	return d
}

// A strangerPace is a person's history before a manipulation.
type strangerPace struct {
	name     string
	before   float64 // tempo of the last moves
	moves    int     // … and their number
	now      float64
	clockLow bool
}

var strangerPaces = []strangerPace{
	{"usual", 1, 0, 1, false},
	{"increment", .75, 25, .75, true},
	{"short clock", 1, 0, 2. / 3, true},
	{"ten moves", 2. / 3, 10, 2. / 3, false},
	{"sudden", 1, 0, 2. / 3, false},
}

func envInt(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return def
}

var strangerPeriods = []float64{.05, .1, .15, .2, .225, .25}

// met lets people make n manipulations, twenty each, and reports the model's answer about each.
func (s *stranger) met(k hands.Kind, play Pace, p *strangerPace, period float64, list []custom, n int, seed uint64, tell func(hands.Judgement)) {
	const each = 20
	for i := range (n + each - 1) / each {
		f := &fold{Rand: rand.New(rand.NewPCG(seed, uint64(i)+uint64(1e6*period)<<32)), is: s, now: 1}
		f.pace = f.ln(float64(play.Tempo())/1000*s.tempo, s.person)
		tempo := hands.NewTempo(play.Tempo())
		f.learn(&tempo, 30-p.moves, period)
		f.now = p.before
		f.learn(&tempo, p.moves, period)
		f.now = p.now
		pace, sensor := tempo.Pace(p.clockLow), f.sensor(period)
		for range each {
			d := f.handling(k, f.picks(list), period)
			tell(hands.Standard().Judge(&d, sensor, pace))
		}
	}
}

// suspected returns the part of n manipulations at which a person is asked to look.
func (s *stranger) suspected(k hands.Kind, play Pace, p *strangerPace, period float64, list []custom, n int, seed uint64) float64 {
	conf, told, of := detector.DefaultHands(), 0, 0
	s.met(k, play, p, period, list, n, seed, func(j hands.Judgement) {
		if of++; conf.State(&j, play).Advisory {
			told++
		}
	})
	return float64(told) / float64(of)
}

// claimed reports the answers to a claim about n manipulations with one hand, with look-alikes in their share, and
// about n with two.
func (s *stranger) claimed(k hands.Kind, play Pace, p *strangerPace, period float64, n int, seed uint64, tell func(two bool, word string)) {
	conf := detector.DefaultHands()
	left := 1.0
	for _, c := range customs[k][1] {
		left -= c.part
	}
	one := slices.Clone(customs[k][1])
	for _, c := range customs[k][0] {
		one = append(one, custom{c.way, c.part * left})
	}
	for two, list := range [][]custom{one, customs[k][2]} {
		s.met(k, play, p, period, list, n, seed+uint64(two), func(j hands.Judgement) {
			if o := (detector.HandsJudged{Judgement: j}); o.Known {
				tell(two == 1, meant(&o, &conf, play))
			}
		})
	}
}

// TestMeasureStrangers prints false suspicions per 1,000, those per 1,000 look-alikes, and the share of two hands
// found, for each scan of strangerPeriods (docs/hands.md):
//
//	STRANGERS=4000 go test ./internal/research/populations -timeout 60m -run MeasureStrangers -v     (manipulations with one hand for each people, kind, pace and scan; HANDS_SEED: others)
func TestMeasureStrangers(t *testing.T) {
	n := envInt("STRANGERS", 0)
	if n == 0 {
		t.Skip("a measurement: STRANGERS=number of handlings with one hand")
	}
	seed := uint64(envInt("HANDS_SEED", 5_000_000))
	for _, c := range []struct {
		kind hands.Kind
		play Pace
		like float64
	}{{hands.Castling, Blitz, .01}, {hands.Castling, Rapid, .01}, {hands.Castling, Classical, .01}, {hands.Capture, Blitz, .001}} {
		t.Run(fmt.Sprintf("%v,%v", c.kind, c.play), func(t *testing.T) {
			for i := range strangerPaces {
				for k := range strangers {
					t.Log(strangers[k].measured(c.kind, c.play, c.like, &strangerPaces[i], n, seed))
				}
			}
		})
	}
}

// measured returns a line of that: like is the share of look-alikes.
func (s *stranger) measured(kind hands.Kind, play Pace, like float64, p *strangerPace, n int, seed uint64) string {
	line, sum := fmt.Sprintf("%-8v %-9v %-11s %-7s", kind, play, p.name, s.name), 0.0
	for _, period := range strangerPeriods {
		rest := s.suspected(kind, play, p, period, customs[kind][0], n, seed)
		alike := s.suspected(kind, play, p, period, customs[kind][1], n/4, seed+1)
		found := s.suspected(kind, play, p, period, customs[kind][2], n/4, seed+2)
		rate := 1000 * ((1-like)*rest + like*alike)
		sum += rate
		line += fmt.Sprintf(" | %4.1f %3.0f %3.0f%%", rate, 1000*alike, 100*found)
	}
	return fmt.Sprintf("%s | mean %.2f", line, sum/float64(len(strangerPeriods)))
}
