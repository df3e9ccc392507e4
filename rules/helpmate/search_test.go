package helpmate

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// unproved visits positions without asking about walls.
func unproved(pos *legal.Position, side legal.Side, limit int) (*search, Answer) {
	s := new(search)
	s.set(pos, side)
	s.prover.idle = true
	return s, s.visit(limit, nil)
}

// mosaic counts the positions that a search may meet: all that can be reached, where play ends when the side has no
// mating material any more. done is false when there are more than most.
func mosaic(pos legal.Position, side legal.Side, most int) (count int, done bool) {
	type place struct {
		legal.Placement
		turn   legal.Side
		rights legal.Rights
		ep     legal.Square
	}
	name := func(p *legal.Position) place { return place{p.Placement(), p.Turn(), p.Castling(), p.EnPassant()} }
	seen := map[place]bool{name(&pos): true}
	todo := []legal.Position{pos}
	var list legal.MoveList
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		p.Moves(&list)
		for _, m := range list.Slice() {
			q := p.After(m)
			if seen[name(&q)] {
				continue
			}
			if seen[name(&q)] = true; len(seen) > most {
				return 0, false
			}
			if !materialOf(&q).barren(side) {
				todo = append(todo, q)
			}
		}
	}
	return len(seen), true
}

// The proof is the exhausted frontier: no guide may lose a position, however they take turns.
func TestAnExhaustedSearchHasMetEveryPosition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 48))
	boards, big := 0, 0
	for boards < 25 || big < 2 {
		pos, ok := randomBoard(r, 7|8*uint8(r.IntN(2)))
		if !ok || materialOf(&pos).barren(legal.White) {
			continue
		}
		s, a := unproved(&pos, legal.White, 40_000)
		if a.Reason != Visited {
			continue
		}
		count, done := mosaic(pos, legal.White, 10_000)
		if !done {
			continue
		}
		if s.seen.used != count {
			t.Fatalf("%s: %d positions were met, there are %d", pos.FEN(), s.seen.used, count)
		}
		boards++
		if s.awake == guides {
			big++
		}
	}
}

// Each picture of a mate, on boards made for it: none of the others needs so few nodes.
func TestGuidesFindTheMatesTheyAreMadeFor(t *testing.T) {
	for _, c := range []struct {
		name string
		fen  string
		side legal.Side
		most int
	}{
		{"smothered between its own bishops, behind a lock", "3k4/8/2b3b1/p1p1p1p1/P1P1P1P1/4B3/2B3B1/3K4 b - - 0 1", legal.Black, 40_000},
		{"smothered where the other king cannot come", "6k1/8/1Bb3b1/1p1p1p1p/1P1P1P1P/1b6/3B4/2K5 b - - 0 1", legal.White, 60_000},
		{"a rook given to a pawn opens the lock", "1k2r1r1/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/2K5 w - - 0 1", legal.Black, 60_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			pos := legaltest.Position(t, c.fen)
			s, a := unproved(&pos, c.side, c.most)
			if a.Verdict != Possible || !mates(pos, c.side, a.Line) {
				t.Errorf("%s after %d nodes, %d guides", a.Verdict, a.Nodes, s.awake)
			}
		})
	}
}

// Earlier questions leave only memory behind.
func TestASearchForgetsTheQuestionBefore(t *testing.T) {
	used := new(search)
	r := rand.New(rand.NewPCG(7, 7))
	for n := 0; n < 120; {
		pos, ok := randomBoard(r, uint8(r.IntN(16)))
		if !ok {
			continue
		}
		n++
		limit := []int{0, 10, 300, 5000, 60_000}[r.IntN(5)]
		got, want := used.explore(&pos, legal.White, limit), new(search).explore(&pos, legal.White, limit)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s, limit %d: %+v, and afresh %+v", pos.FEN(), limit, got, want)
		}
	}
}

func TestQueueGivesTheCheapestAndLatest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var nodes tree
	nodes.reset()
	var q queue
	q.reset()
	var lists [buckets][]uint32
	gone := map[uint32]bool{}
	for range 20_000 {
		if r.IntN(5) < 3 {
			n, cost := nodes.store(0, legal.NoMove), r.IntN(buckets)>>r.IntN(8)
			q.push(&nodes, 3, n, cost)
			lists[cost] = append(lists[cost], n)
			if r.IntN(10) == 0 {
				nodes.at(n).marks |= done
				gone[n] = true
			}
			continue
		}
		n, cost, ok := q.pop(&nodes, 3)
		want, at, found := cheapest(&lists, gone)
		if ok != found || ok && (n != want || cost != at) {
			t.Fatalf("node %d at %d (%v), want %d at %d (%v)", n, cost, ok, want, at, found)
		}
	}
}

func cheapest(lists *[buckets][]uint32, gone map[uint32]bool) (n uint32, cost int, ok bool) {
	for cost := range lists {
		for len(lists[cost]) > 0 {
			last := len(lists[cost]) - 1
			n := lists[cost][last]
			lists[cost] = lists[cost][:last]
			if !gone[n] {
				return n, cost, true
			}
		}
	}
	return 0, 0, false
}

func TestSeenDistinguishesNewKeysFromOld(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var set seen
	for _, most := range []int{10, 50_000, 100, 30_000} {
		set.reset()
		met := map[uint64]bool{}
		for len(met) < most {
			key := r.Uint64() >> r.IntN(50)
			if key == 0 {
				continue
			}
			if set.add(key) == met[key] {
				t.Fatalf("%x: met before: %v", key, met[key])
			}
			met[key] = true
		}
	}
}
