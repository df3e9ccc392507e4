package helpmate

import "boardwatchd/rules/legal"

// search walks through distinct positions, the most promising first, until it mates or has seen everything. Every
// position is reached once, whatever the number of guides: they only order the frontier, so that an empty frontier is a
// proof.
//
// It is kept from question to question only for its memory.
type search struct {
	root   legal.Position
	winner legal.Side
	limit  int // nodes this search may use
	nodes  int // nodes used
	end    ending
	dead   bool // positions were left out from which the winner can never mate
	late   bool // a mate was passed over because the game had ended before it, or there was no room for all: no proof

	terrain
	walker
	tree
	seen    seen
	guides  [guides]guide
	order   [guides]int
	patient bool // the guide for minor pieces has more nodes for itself
	alone   int  // nodes that the first guide has for itself
	awake   int  // number of guides that take part, in that order
	prover  prover
	novelty novelty // of the guide byNovelty
	minor   bool    // the guide byPicture has minorMate, and not smother

	smother   smother
	minorMate minorMate

	list, replies legal.MoveList
}

// ending is how a search ended.
type ending uint8

const (
	running ending = iota
	mating         // the node stored last is the mate
	empty          // every reachable position was seen
	spent          // the budget is used up
	full           // the memory is used up
)

// start begins at the root, which is set already, or after the resets, with one guide.
func (s *search) start(limit int, from *counting) {
	s.limit, s.nodes, s.end, s.dead, s.late = limit, 0, running, false, false
	s.walker.reset(&s.root)
	s.tree.reset()
	s.seen.reset()
	s.seen.add(s.pos.Key())
	if from != nil {
		s.addResets(from)
	}
	s.prover.reset()
	s.order, s.awake, s.alone = usual, 0, alone
	bare := minorMates(s.mat, s.winner)
	s.minor = (bare || locked(&s.root, s.winner) && s.mat.of(s.winner)&(lightBishops|darkBishops) != 0) && s.minorMate.point(s.mat, s.winner, &s.terrain)
	switch {
	case s.minor && bare:
		s.order = minorFirst
		if s.patient {
			s.alone = aloneMinor
		}
	case s.minor:
		s.order = minorSoon
	}
	s.wake()
}

// addResets puts the open resets of a counting into the tree, with the lines to them. The counting has tried the other
// moves of those lines.
func (s *search) addResets(from *counting) {
	nodes := make([]uint32, len(from.twigs)) // by twig; 0 is none but the root's
	var grow func(twig uint32) uint32
	grow = func(twig uint32) uint32 {
		if twig == 0 || nodes[twig] != 0 {
			return nodes[twig]
		}
		parent := grow(from.twigs[twig].parent)
		nodes[twig] = s.store(parent, from.twigs[twig].move)
		s.at(nodes[twig]).marks = done
		return nodes[twig]
	}
	s.at(0).marks = done
	for i := range from.resets {
		r := &from.resets[i]
		if r.never {
			continue
		}
		if s.count >= maxPositions/2 {
			s.late = true // the rest cannot be proved
			break
		}
		n := grow(r.twig)
		s.at(n).marks = 0
		s.goTo(&s.tree, n)
		s.seen.add(s.pos.Key())
	}
	s.goTo(&s.tree, 0)
}

const (
	// alone is the number of nodes that the first guide has for itself: most questions are answered by then, and the
	// other guides cost time. After that one more guide wakes at every turn.
	alone      = 1000
	aloneMinor = 20_000
	// batch is the number of nodes in a turn. Positions that one guide takes in a row are neighbours more often than
	// those of different guides. It counts nodes, not positions: on crowded boards the guides that try every move would
	// get all the time otherwise.
	batch = 512
	// crowded is the number of moves from which a position's moves are tried in portions.
	crowded = 16
)

// walk lets the guides take turns, until one of them has no node left, or the budget is gone.
func (s *search) walk() {
	for turn := 0; s.end == running; turn++ {
		if s.awake < guides && s.nodes >= s.alone {
			s.wake()
		}
		i := s.order[turn%s.awake]
		for until := s.nodes + batch; s.nodes < until && s.end == running; {
			n, cost, ok := s.guides[i].pop(&s.tree, i)
			if !ok {
				s.end = empty
				return
			}
			s.goTo(&s.tree, n)
			s.expand(i, n, cost)
		}
	}
}

// listPrice is the number of moves whose weighing takes as long as trying one. Without it a budget would last three
// times as long on a crowded board.
const listPrice = 8

// expand tries the node's moves; all of them at once if they are few.
func (s *search) expand(i int, n uint32, now int) {
	s.pos.Moves(&s.list)
	s.nodes = min(s.nodes+s.list.Len()/listPrice, s.limit)
	due := s.list.Slice()
	if len(due) > crowded && i < withCompass {
		due = s.portion(i, n, now)
	} else {
		s.at(n).marks |= done
	}
	for _, m := range due {
		if s.try(n, m); s.end != running {
			return
		}
	}
}

// portion returns the listed moves that cost the guide as little as the node, and puts the node back for the more
// expensive ones. If other guides have tried the same moves, these lead to nothing new.
func (s *search) portion(i int, n uint32, now int) []legal.Move {
	here, g := s.at(n), &s.guides[i]
	first := here.marks>>i&1 == 0
	here.marks |= 1 << i
	depth, need := int(here.depth)+1, s.mat.need(s.winner)
	list, later, due := s.list.Slice(), buckets, 0
	for _, m := range list {
		c := g.cost(depth, s.value(i, n, need, m))
		if c > now {
			later = min(later, c)
		} else if c == now || first {
			list[due] = m
			due++
		}
	}
	if later < buckets {
		g.push(&s.tree, i, n, later)
	} else {
		here.marks |= done
	}
	return list[:due]
}

// try plays one move.
func (s *search) try(n uint32, m legal.Move) {
	switch {
	case s.nodes >= s.limit:
		s.end = spent
		return
	case s.count >= maxPositions || s.seen.full():
		s.end = full
		return
	}
	s.nodes++
	var undo legal.Undo
	s.pos.Make(m, &undo)
	child := noNode
	if s.seen.add(s.pos.Key()) && s.meet(n, m) {
		child = s.store(n, m)
		s.fileHere(n, child, m)
	}
	s.pos.Unmake(m, &undo)
	if child != noNode {
		s.file(n, child, m)
	}
}

// meet examines a new position and reports whether play may continue from it: it is neither the end nor dead.
func (s *search) meet(n uint32, m legal.Move) bool {
	mover := s.pos.Turn().Other()
	if mover == s.winner && s.pos.InCheck() {
		s.pos.Moves(&s.replies)
		if s.replies.Len() == 0 {
			s.mate(n, m)
			return false
		}
	}
	mat := s.mat.after(m, mover)
	switch {
	case mat != s.mat && mat.barren(s.winner), changesWalls(&s.pos, m) && s.walled():
		s.dead = true
	case s.at(n).depth >= maxDepth:
		s.late = true
	default:
		return true
	}
	return false
}

// mate examines a mate on the board: it counts if the game did not end earlier by FIDE Laws 9.6.2. If it did, another,
// shorter line may still be found, but this search no longer proves "never".
func (s *search) mate(n uint32, m legal.Move) {
	if line := s.line(s.store(n, m)); mates(s.root, s.winner, line) {
		s.end = mating
		return
	}
	s.drop()
	s.late = true
}
