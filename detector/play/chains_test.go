package play

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

func uciOf(from *node, row []Successor) string {
	var list []string
	for i := range row {
		list = append(list, from.pos.UCI(row[i].Move))
		from = from.after(&row[i])
	}
	return strings.Join(list, " ")
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		name, played string
		n, budget    int
		want         []string
	}{
		{"one ply", "e2e4", 1, 1, []string{"e2e4"}},
		{"two plies", "e2e4 e7e5", 2, 80, []string{"e2e4 e7e5"}},
		{"three plies, in both orders", "e2e4 e7e5 g1f3", 3, 200, []string{"e2e4 e7e5 g1f3", "g1f3 e7e5 e2e4"}},
		{"a capture on the way", "e2e4 d7d5 e4d5", 3, 200, []string{"e2e4 d7d5 e4d5"}},
		{"no row of that length", "e2e4 e7e5", 1, 80, nil},
		{"the budget bounds the search", "e2e4 e7e5 g1f3 b8c6", 4, 2, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			from := newNode(legal.StartPosition())
			place := newScript(from.pos).run(c.played).place
			q := search{target: &place, budget: c.budget}
			var got []string
			for _, row := range q.rows(from, c.n, 1) {
				got = append(got, uciOf(from, row))
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestReach(t *testing.T) {
	for _, c := range []struct {
		name, script string
		lossy        bool
		row          string
		cost         Cost
	}{
		{"the image itself", "e2e4 e7e5", false, "e2e4 e7e5", 0},
		{"after a loss, a piece in the air is put back", "e2e4 e7e5 b1-", true, "e2e4 e7e5", ArcAirNext.cost()},
		{"without a loss it is not", "e2e4 e7e5 b1-", false, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			from := newNode(legal.StartPosition())
			place := newScript(from.pos).run(c.script).place
			list := reach(from, &place, 2, 120, c.lossy)
			if len(list) == 0 {
				if c.row != "" {
					t.Fatal("nothing")
				}
				return
			}
			if got := uciOf(from, list[0].row); got != c.row || list[0].cost != c.cost {
				t.Errorf("%s costs %d, want %s for %d", got, list[0].cost, c.row, c.cost)
			}
		})
	}
}

func TestBases(t *testing.T) {
	for _, c := range []struct {
		name, script string
		merged       bool
		side         legal.Side
		want         []string // the lines, with the cost
		cost         []Cost
		marksOfLast  []Arc
		have         int
	}{
		{"the position itself costs nothing", "", false, legal.White, []string{""}, []Cost{0}, nil, 0},
		{"a forgotten ply", "e2e4", false, legal.Black, []string{"e2e4"}, []Cost{2500}, []Arc{ArcUnpressed}, 2},
		{"the reply to it is cheap: its lever is down", "e2e4 e7e5", false, legal.White, []string{"", "e2e4 e7e5"}, []Cost{0, 2700}, []Arc{ArcUnpressed, ArcAnswered}, 4},
		{"a further pair is cheaper than the first", "e2e4 e7e5 g1f3", false, legal.Black, []string{"e2e4", "e2e4 e7e5 g1f3"}, []Cost{2500, 3700}, []Arc{ArcUnpressed, ArcAnswered, ArcAgain}, 6},
		{"merged presses", "e2e4 e7e5", true, legal.White, []string{"", "e2e4 e7e5"}, []Cost{0, 600}, []Arc{ArcMerged}, 4},
		{"plies that a dump has found", "hide e2e4 e7e5 dump", false, legal.White, []string{"", "e2e4 e7e5"}, []Cost{0, 5300}, []Arc{ArcUnpressed}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(legal.StartPosition()).run(c.script)
			ev := evidence{images: s.images, merged: c.merged}
			var lines []string
			var costs []Cost
			var last basis
			for _, last = range ev.bases(&basis{at: newNode(legal.StartPosition())}, c.side) {
				var uci []string
				for _, p := range last.line.list() {
					uci = append(uci, p.from.pos.UCI(p.move))
				}
				lines, costs = append(lines, strings.Join(uci, " ")), append(costs, last.cost)
			}
			if !slices.Equal(lines, c.want) || !slices.Equal(costs, c.cost) {
				t.Errorf("%q for %v, want %q for %v", lines, costs, c.want, c.cost)
			}
			if last.marks != mark(c.marksOfLast...) || last.have != c.have {
				t.Errorf("the last one by %v at image %d, want %v at %d", last.marks.Arcs(), last.have, c.marksOfLast, c.have)
			}
		})
	}
}

// plainRows is rows without a thought for time: every move becomes a position, and placements are compared whole.
func (q *search) plainRows(from *node, n, slack int) (found [][]Successor) {
	if n == 1 {
		for _, s := range from.successors() {
			if s.Place == *q.target {
				found = append(found, []Successor{s})
			}
		}
		return found
	}
	if q.budget <= 0 {
		return nil
	}
	apart := func(s Successor) int { return Count(Difference(&s.Place, q.target)) }
	here := Count(Difference(&from.place, q.target))
	todo := slices.DeleteFunc(slices.Clone(from.successors()), func(s Successor) bool {
		return apart(s) > 2*n || apart(s) >= here && slack == 0
	})
	slices.SortStableFunc(todo, func(a, b Successor) int { return apart(a) - apart(b) })
	for _, s := range todo {
		if q.budget--; q.budget <= 0 {
			break
		}
		left := slack
		if apart(s) >= here {
			left--
		}
		for _, rest := range q.plainRows(from.after(&s), n-1, left) {
			found = append(found, append([]Successor{s}, rest...))
		}
		if len(found) >= maxRows {
			break
		}
	}
	return found
}

// randomPlies plays random legal plies; of an ended game it returns the last position.
func randomPlies(rng *rand.Rand, pos legal.Position, n int) legal.Position {
	for range n {
		var list legal.MoveList
		if pos.Moves(&list); list.Len() == 0 {
			break
		}
		pos = pos.After(list.At(rng.IntN(list.Len())))
	}
	return pos
}

func TestRowsAreThoseOfAPlainSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 7))
	some := 0
	for i := range 3000 {
		pos := randomPlies(rng, legal.StartPosition(), rng.IntN(120))
		n := 1 + rng.IntN(4)
		later := randomPlies(rng, pos, n-rng.IntN(2))
		place := later.Placement()
		for range rng.IntN(2) { // a piece in a hand, or read on another square
			place[rng.IntN(64)] = place[rng.IntN(64)]
		}
		slack, budget := rng.IntN(2), 1+rng.IntN(200)
		q, plain := search{target: &place, budget: budget}, search{target: &place, budget: budget}
		got, want := q.rows(newNode(pos), n, slack), plain.plainRows(newNode(pos), n, slack)
		if !slices.EqualFunc(got, want, slices.Equal) || q.budget != plain.budget {
			t.Fatalf("%d: from %s by %d plies, slack %d, budget %d: %v with %d left, want %v with %d left", i, pos.FEN(), n, slack, budget, got, q.budget, want, plain.budget)
		}
		if len(got) > 0 {
			some++
		}
	}
	if some < 500 {
		t.Errorf("only %d searches found anything", some)
	}
}
