package helpmate

import "boardwatchd/rules/legal"

// guides is the number of orders in which the positions of a question are tried. Each has another view of the way to a
// mate; they take turns over one and the same tree.
const (
	withCompass = 5           // the guides that have a compass
	byPicture   = withCompass // the guide for one picture: a smothered mate, or the mate by minor pieces that need blockers
	byNovelty   = 6           // the guide for new positions
	guides      = 7
)

// A guide is one order of the search.
type guide struct {
	queue
	compass     // only of a guide with a compass
	eager   int // the weight of the estimate against the length of the line
	base    int // the root's estimate
}

// cost returns the cost of a node at that depth with this estimate of a compass: a move that makes progress is cheaper
// than none.
func (g *guide) cost(depth, value int) int { return bucket(middle + depth + g.eager*value) }

func bucket(cost int) int { return min(max(cost, 0), buckets-1) }

// usual is the order in which guides begin to take part. If only minor pieces can mate, the guide for a picture comes
// first or second (minorFirst, minorSoon).
var (
	usual      = [guides]int{0, 1, 2, 3, 4, byPicture, byNovelty}
	minorFirst = [guides]int{byPicture, 0, 1, 2, 3, 4, byNovelty}
	minorSoon  = [guides]int{0, byPicture, 1, 2, 3, 4, byNovelty}
)

// point sets the picture of the guide that has one.
func (s *search) point() {
	if s.minor {
		return
	}
	s.smother.point(&s.root, s.winner, s.kingOfLoser, s.blockers)
}

// wake adds one more guide, which gets every node that is not done.
func (s *search) wake() {
	i := s.order[s.awake]
	s.awake++
	g := &s.guides[i]
	g.queue.reset()
	s.goTo(&s.tree, 0)
	switch i {
	case byPicture:
		s.point()
	case byNovelty:
		s.novelty.reset()
	default:
		g.steer(s, plan[i])
		g.base = s.estimate(g, s.mat.need(s.winner))
	}
	for n := range s.count {
		here := s.at(n)
		if here.marks&done != 0 {
			continue
		}
		s.goTo(&s.tree, n)
		if i < withCompass {
			value := s.estimate(g, s.mat.need(s.winner)) - g.base
			here.value[i] = int16(value)
			g.push(&s.tree, i, n, g.cost(int(here.depth), value))
			continue
		}
		g.push(&s.tree, i, n, s.priceHere(i, s.shape, here))
	}
}

// fileHere puts a new node, whose position is on the board, into the queues of the guides that price the board itself.
func (s *search) fileHere(n, child uint32, m legal.Move) {
	here := s.at(child)
	here.value[0] = s.at(n).value[0] // byNovelty needs it, and file corrects it
	for _, i := range s.order[:s.awake] {
		if i >= withCompass {
			s.guides[i].push(&s.tree, i, child, s.priceHere(i, s.shapeAfter(m), here))
		}
	}
}

// priceHere is the cost of the position on the board for a guide without a compass.
func (s *search) priceHere(i int, shape uint64, here *node) int {
	switch {
	case i == byPicture && s.minor:
		return s.minorMate.cost(&s.pos, int(here.depth))
	case i == byPicture:
		return s.smother.cost(&s.pos, int(here.depth))
	}
	return s.novelty.cost(&s.pos, shape, int(here.depth), int(here.value[0]))
}

// file puts a new node into the queues of the guides that have a compass. The position on the board is still its
// parent's.
func (s *search) file(n, child uint32, m legal.Move) {
	here, need := s.at(child), s.mat.need(s.winner)
	for _, i := range s.order[:s.awake] {
		if i >= withCompass {
			continue
		}
		value := s.value(i, n, need, m)
		here.value[i] = int16(value)
		s.guides[i].push(&s.tree, i, child, s.guides[i].cost(int(here.depth), value))
	}
}

// value is a guide's estimate after a move, counted from the root's.
func (s *search) value(i int, n uint32, now need, m legal.Move) int {
	g := &s.guides[i]
	if m.Captured() != legal.NoKind || m.Promotion() != legal.NoKind {
		if then := s.mat.after(m, s.pos.Turn()).need(s.winner); then != now {
			return s.estimate(g, then) + s.change(g, then, m) - g.base
		}
	}
	return int(s.at(n).value[i]) + s.change(g, now, m)
}
