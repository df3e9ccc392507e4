package populations

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// sit calls f with sessions of many persons.
func sit(o Options, persons int, f func(s *Session)) {
	for seed := range uint64(persons) {
		o.Seed = 1000*o.Seed + seed
		f(Sit(o))
		o.Seed /= 1000
	}
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// Timing notes, 1.2 and 2.2: the medians of the recordings, and those of the same people with more time, in seconds.
func TestFamiliesAreScaledToTheRecordings(t *testing.T) {
	for _, family := range Families() {
		for _, pace := range []Pace{Blitz, Classical} {
			t.Run(fmt.Sprintf("%v %v", family, pace), func(t *testing.T) {
				m := measures{}
				sit(Options{Family: family, Pace: pace}, 200, func(s *Session) {
					for range 10 {
						m.take(s)
					}
				})
				// A family that swaps less shows the empty square more often: stroke and coast lie below the
				// recordings' interval (54 to 85 %).
				shown := []float64{0.54, 0.35}[pace/2]
				if family == Stroke || family == Coast {
					shown = 0.38
				}
				within(t, "captures without an empty report", float64(m.overwritten)/2000, shown, 0.85)
				for _, row := range []struct {
					what             string
					times            []float64
					blitz, classical [2]float64
				}{
					{"a simple move", m.simple, [2]float64{0.20, 0.28}, [2]float64{0.45, 0.60}},
					{"castling", m.castling, [2]float64{0.75, 1.4}, [2]float64{1.6, 2.8}},
					{"a promotion", m.promotion, [2]float64{0.85, 1.6}, [2]float64{2.2, 3.8}},
					{"from the captured piece to the other", m.victimFirst, [2]float64{0.45, 0.9}, [2]float64{1.1, 1.9}},
					{"from the capturing piece to the other", m.moverFirst, [2]float64{0.45, 0.75}, [2]float64{1.0, 1.7}},
					{"from lift to landing in those captures", m.over, [2]float64{0.5, 0.75}, [2]float64{1.1, 1.6}},
					{"between two hands", m.apart, [2]float64{0.1, 0.26}, [2]float64{0.25, 0.6}},
				} {
					want := row.blitz
					if pace == Classical {
						want = row.classical
					}
					within(t, row.what, median(row.times), want[0], want[1])
				}
			})
		}
	}
}

// measures holds times of many manipulations, one list for each row of timing notes 2.2.
type measures struct {
	simple, castling, promotion, victimFirst, moverFirst, over, apart []float64
	overwritten                                                       int // captures without a report of the captured piece
}

func (m *measures) take(s *Session) {
	took := func(x Sample) float64 { return float64(x.DoneUS-x.LiftUS) / 1e6 }
	m.simple = append(m.simple, took(s.Plain()))
	m.promotion = append(m.promotion, took(s.Do(hands.Promotion, false)))
	m.castling = append(m.castling, took(s.Do(hands.Castling, false)))
	x, ms := s.drawn(hands.Capture, false)
	if !slices.ContainsFunc(x.Handling.Reports, func(r hands.Report) bool { return r.Square == x.Handling.Victim && r.Lift() }) {
		m.overwritten++
	}
	gap := when(ms, x.Handling.From) - when(ms, x.Handling.Victim)
	switch x.Style {
	case Swap, Push:
		m.moverFirst, m.over = append(m.moverFirst, -gap), append(m.over, took(x))
	case HoldFirst, PutAside:
		m.victimFirst = append(m.victimFirst, gap)
	}
	x, ms = s.drawn(hands.Capture, true)
	m.apart = append(m.apart, math.Abs(when(ms, x.Handling.From)-when(ms, x.Handling.Victim)))
}

func within(t *testing.T, what string, got, lo, hi float64) {
	t.Helper()
	if got < lo || got > hi {
		t.Errorf("%s: %.3f, want %.3f to %.3f", what, got, lo, hi)
	}
}

// One hand cannot be in two places: one-handed styles obey that, except at the configured rates of disturbances.
func TestOneHandStaysOneHand(t *testing.T) {
	quiet := &Rates{}
	for _, family := range Families() {
		sit(Options{Family: family, Rates: quiet}, 100, func(s *Session) {
			for range 10 {
				_, ms := s.drawn(hands.Castling, false)
				// The order is king up, king down, rook up, rook down.
				if !(ms[0].at < ms[1].at && ms[1].at < ms[2].at && ms[2].at < ms[3].at) {
					t.Errorf("%v castles with one hand as %v", family, ms)
				}
				x, ms := s.drawn(hands.Capture, false)
				if x.Style == HoldFirst || x.Style == PutAside {
					if up, gone := when(ms, x.Handling.From), when(ms, x.Handling.Victim); up-gone < 0.1 {
						t.Errorf("%v %v: %.3f s from piece to piece", family, x.Style, up-gone)
					}
				}
			}
		})
	}
}

// when returns the time at which a square was left.
func when(ms []moment, sq legal.Square) float64 {
	for _, m := range ms {
		if m.sq == sq && m.is == legal.NoPiece {
			return m.at
		}
	}
	return math.NaN()
}

// drawn is Do with the moments themselves.
func (s *Session) drawn(kind hands.Kind, two bool) (Sample, []moment) {
	d := handlings()[kind][s.chance.IntN(len(handlings()[kind]))]
	table := around(&d)
	t := s.options.task(d, &table)
	s.who.step()
	return s.perform(t, s.who.choose(t, two), s.now+5), t.moments
}

// Every manipulation of every style ends with the position that the move requires, by the reports.
func TestReportsEndAtTheMove(t *testing.T) {
	for _, b := range []Board{{}, {PeriodUS: 20_000}, {PeriodUS: 500_000, Order: hands.Batch}, {Order: hands.ColumnReverse, Reversed: true}} {
		styles := map[Style]int{}
		rates := Rates{Nuisance: 0.3, BothInOne: 0.3, PreHeld: 0.3, Transient: 0.3}
		for _, family := range Families() {
			sit(Options{Family: family, Board: b, Rates: &rates}, 60, func(s *Session) {
				for i := range 24 {
					kind := hands.NoKind + hands.Kind(i%4)
					x := s.Do(kind, i%8 >= 4)
					styles[x.Style]++
					if x.Two != x.Style.Two() || x.Two != (i%8 >= 4 && kind != hands.NoKind) {
						t.Errorf("%v is labelled %v", x.Style, x.Two)
					}
					settled(t, x)
				}
			})
		}
		if want := len(styleNames); len(styles) != want {
			t.Errorf("%d of %d styles occurred", len(styles), want)
		}
	}
}

// settled replays the reports of a sample.
func settled(t *testing.T, x Sample) {
	t.Helper()
	d := x.Handling
	table := around(&d)
	last := int64(0)
	for _, r := range d.Reports {
		if table[r.Square] != r.Was || r.At < last || r.Was == r.Is {
			t.Errorf("%v: %+v after %d, when %v stood there", x.Style, r, last, table[r.Square])
		}
		table[r.Square], last = r.Is, r.At
	}
	want := map[legal.Square]legal.Piece{d.To: d.Put, d.From: legal.NoPiece}
	if d.Kind == hands.Castling {
		want[d.RookTo] = legal.PieceOf(d.Mover.Side(), legal.Rook)
	}
	count := 0
	for sq, p := range table {
		if p != want[legal.Square(sq)] {
			t.Errorf("%v: %v on square %d in the end", x.Style, p, sq)
		}
		if p != legal.NoPiece {
			count++
		}
	}
	if count == 0 {
		t.Error("nothing stands")
	}
}

func TestTheSameSeedGivesTheSamePeople(t *testing.T) {
	for _, family := range Families() {
		a, b := Sit(Options{Seed: 4, Family: family}), Sit(Options{Seed: 4, Family: family})
		other, differs := Sit(Options{Seed: 5, Family: family}), false
		for range 50 {
			x, y := a.Do(hands.Capture, true), b.Do(hands.Capture, true)
			if !reflect.DeepEqual(x, y) {
				t.Fatalf("%+v, then %+v", x, y)
			}
			differs = differs || !reflect.DeepEqual(x, other.Do(hands.Capture, true))
		}
		if !differs {
			t.Error("another seed gives the same")
		}
	}
}

// A person's tempo changes from move to move and late in the evening.
func TestTempoDrifts(t *testing.T) {
	for _, family := range []Family{Stroke, Coast} {
		var early, late []float64
		sit(Options{Family: family}, 300, func(s *Session) {
			who := s.who.(*person)
			s.Plain()
			before := who.mood
			s.Plain()
			early = append(early, math.Abs(who.mood-before))
			for range 25 {
				s.Plain()
			}
			late = append(late, math.Abs(who.mood-before))
		})
		within(t, family.String()+": from one move to the next", median(early), 0.01, 0.06)
		within(t, family.String()+": after 25 moves", median(late), 1.3*median(early), 0.25)
	}
}

// The persons of one family choose differently, and on average like the family.
func TestPersonsDiffer(t *testing.T) {
	var shares []float64
	sit(Options{}, 300, func(s *Session) {
		one, sum := s.who.(*person).one, 0.0
		for _, w := range one {
			sum += w
		}
		shares = append(shares, one[0]/sum)
	})
	mean, square := 0.0, 0.0
	for _, v := range shares {
		mean += v / float64(len(shares))
	}
	for _, v := range shares {
		square += (v - mean) * (v - mean) / float64(len(shares))
	}
	within(t, "mean share of the first style", mean, 0.48, 0.56)
	within(t, "its scatter", math.Sqrt(square), 0.08, 0.2)
}

// The scan of these boards can be measured from ordinary moves.
func TestTheScanIsMeasured(t *testing.T) {
	for _, b := range []Board{
		{PeriodUS: 225_000}, {PeriodUS: 100_000, Order: hands.Column}, {PeriodUS: 250_000, Order: hands.RasterReverse, Reversed: true},
		{PeriodUS: 200_000, Order: hands.Batch}, {PeriodUS: 400_000, Order: hands.ColumnReverse},
		{PeriodUS: 50_000, JitterUS: 1000},
	} {
		for _, o := range []Options{{Family: Jerk}, {Family: TwoPhase, Pace: Classical}, {Family: Stroke, Pace: Classical}, {Family: Coast}} {
			o.Board = b
			s := Sit(o)
			var scan hands.Scan
			for range 60 {
				x := s.Plain()
				scan.Add(x.Handling.Reports, b.Reversed)
			}
			got := scan.Sensor()
			want := b.Order
			if want == hands.UnknownOrder {
				want = hands.Raster
			}
			off := math.Abs(float64(got.PeriodUS-b.PeriodUS)) / float64(b.PeriodUS)
			if got.Order != want || off > 0.012 || !got.Trusted() {
				t.Errorf("%+v at %v: %+v", b, o.Pace, got)
			}
		}
	}
}

func BenchmarkDo(b *testing.B) {
	handlings()
	for _, family := range Families() {
		b.Run(family.String(), func(b *testing.B) {
			s := Sit(Options{Family: family})
			for b.Loop() {
				s.Do(hands.Capture, false)
			}
		})
	}
}

// A requested manipulation is made in the requested style, on those squares, and faster if requested.
func TestWhatIsAskedForIsDone(t *testing.T) {
	for kind, list := range handlings() {
		for style := range Style(len(styleNames)) {
			if !of(kind, style) {
				continue
			}
			for _, family := range Families() {
				s, took := Sit(Options{Seed: 5, Family: family}), [2]int64{}
				for n := range int64(60) {
					d := list[n]
					table := around(&d)
					x := s.Perform(d, style, [...]Pace{Blitz, Classical}[n%2], 1, &table, (n+1)*20_000_000)
					if x.Style != style || x.Two != style.Two() || x.LiftUS != (n+1)*20_000_000 {
						t.Fatalf("%v: asked for %v, done %+v", family, style, x)
					}
					settled(t, x)
					took[n%2] += x.DoneUS - x.LiftUS
				}
				if took[1] < took[0]*5/4 && style != Knock && style != Scoop {
					t.Errorf("%v, %v: %v µs in blitz and in classical play", family, style, took)
				}
			}
		}
	}
}

// of reports whether a kind has a style.
func of(kind hands.Kind, s Style) bool {
	switch kind {
	case hands.Capture:
		return s >= Swap && s <= Knock || s >= Together && s <= Sequential
	case hands.Castling:
		return s == KingThenRook || s == BothInOne || s == Together || s == Staggered
	case hands.Promotion:
		return s >= SwapOnEighth && s <= PreHeld || s >= QueenReady
	}
	return s == Plain
}

func TestStylesHaveNames(t *testing.T) {
	for s := range Style(len(styleNames)) {
		if StyleOf(s.String()) != s {
			t.Errorf("%v is read as %v", s, StyleOf(s.String()))
		}
	}
}
