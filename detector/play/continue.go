package play

import (
	"slices"

	"boardwatchd/rules/legal"
)

// A shown image is one that may have been the board of a press. A window lists them, the newest first.
type shown struct {
	index int
	place *legal.Placement
	late  Cost // the cost of coming late for this press
}

// A step explains one press.
type step struct {
	ev     *evidence
	pr     *Press
	window []shown
	last   *legal.Placement
	start  *basis
	out    []*story
}

// window lists the different images from the one at the report of the press to the newest.
func (e *evidence) window(pr *Press) (list []shown) {
	for j := e.end() - 1; j >= pr.First; j-- {
		im := e.at(j)
		if slices.ContainsFunc(list, func(s shown) bool { return *s.place == im.Place }) {
			continue
		}
		s := shown{index: j, place: &im.Place}
		if j != pr.First && im.At > pr.At+lateUS {
			s.late = ArcLate.cost()
		}
		list = append(list, s)
	}
	return list
}

// stories returns how play may have gone on from a position, over one press.
func (e *evidence) stories(start *basis, pr *Press) []*story {
	w := e.window(pr)
	s := step{ev: e, pr: pr, window: w, last: w[0].place, start: start}
	s.plays()
	s.noPress()
	s.unseen()
	return s.out
}

// add keeps a story, with the cost that losses of the evidence add.
func (s *step) add(st story) {
	if s.ev.merged && !st.marks.has(ArcMerged) {
		st.cost, st.marks = st.cost+ArcClockOdd.cost(), st.marks|mark(ArcClockOdd)
	}
	if s.ev.lost && st.kind != "" {
		st.cost, st.marks = st.cost+ArcDoubt.cost(), st.marks|mark(ArcDoubt)
	}
	s.out = append(s.out, &st)
}

// A fit is the cheapest way in which the window's images show a placement.
type fit struct {
	cost  Cost
	index int
	marks marks
	left  marks // what the newest image shows beyond the placement
}

func (f *fit) add(a Arc) { f.cost, f.marks = f.cost+a.cost(), f.marks|mark(a) }

// compare compares the window with a placement. What the newest image shows beyond the placement adds to the cost.
func (s *step) compare(place *legal.Placement, as seat, reply *node) (best fit) {
	show := func(im *legal.Placement) (Cost, marks) {
		c, m := as.rest(place, im)
		if c > ArcReply.cost() && reply != nil && reply.by(im) != nil {
			return ArcReply.cost(), mark(ArcReply)
		}
		if c > ArcReplyBegun.cost() && reply != nil && as.squaresReported && UnderWay(&reply.pos, im) {
			return ArcReplyBegun.cost(), mark(ArcReplyBegun)
		}
		return c, m
	}
	for i, w := range s.window {
		c, m := show(w.place)
		if w.late > 0 && !as.seenBeforePress {
			c, m = c+w.late, m|mark(ArcLate)
		}
		if i == 0 || c < best.cost {
			best = fit{cost: c, index: w.index, marks: m}
		}
	}
	if *s.last != *place {
		c, m := show(s.last)
		best.left = m
		best.cost += min(1_500, c/3)
	}
	return best
}

// seenAt returns the first and the last image after the given one that show a placement exactly.
func (e *evidence) seenAt(have int, place *legal.Placement) (first, last int, ok bool) {
	for j := have + 1; j < e.end(); j++ {
		if e.at(j).Place == *place {
			if !ok {
				first = j
			}
			last, ok = j, true
		}
	}
	return first, last, ok
}

// passing reports whether an image stayed for less than passingUS.
func (e *evidence) passing(i int) bool {
	return i+1 < e.end() && e.at(i+1).At-e.at(i).At < passingUS
}

// reported reports whether each square of a ply has read as the ply leaves it, in any image after the given one. The
// first lift of the reply may have come in the same scan, so that no image shows the whole ply.
func (e *evidence) reported(have int, c *Successor) bool {
	missing := c.Diff
	for j := have + 1; j < e.end(); j++ {
		missing &= Difference(&e.at(j).Place, &c.Place)
	}
	return missing == 0
}

// plays adds the plies and offences that the press may have completed.
func (s *step) plays() {
	bases := []basis{*s.start}
	clean := s.start.at.turn() == s.pr.Side && !s.ev.merged && slices.ContainsFunc(s.window, func(w shown) bool { return s.start.at.by(w.place) != nil })
	if !clean {
		bases = s.ev.bases(s.start, s.pr.Side)
	}
	for i := range bases {
		if !s.moved(&bases[i]) {
			s.offended(&bases[i])
		}
	}
}

// A candidate is a legal ply with its fit.
type candidate struct {
	fit
	s    *Successor
	seen bool
	last int
}

// maxCandidates is how many legal plies from one basis are continued.
const maxCandidates = 3

// moved continues a basis by its legal plies. It reports whether one of them explains everything at no cost, so that
// nothing more expensive has to be tried.
func (s *step) moved(b *basis) (plain bool) {
	exact := slices.ContainsFunc(s.window, func(w shown) bool { return !s.ev.passing(w.index) && b.at.by(w.place) != nil })
	var found []candidate
	list := b.at.successors()
	for i := range list {
		if c := &list[i]; s.eligible(b, c, exact) {
			found = append(found, s.candidate(b, c))
		}
	}
	slices.SortStableFunc(found, func(x, y candidate) int { return int(x.cost - y.cost) })
	for i, c := range found {
		if i == maxCandidates || c.cost > 15_000 {
			break
		}
		have := c.index
		if c.seen {
			have = c.last
		}
		s.add(story{
			cost: b.cost + c.cost, at: b.at.after(c.s), line: s.plyFrom(b, c.s.Move), have: have, marks: b.marks | mark(ArcPly) | c.marks, left: c.left,
		})
	}
	return len(found) > 0 && found[0].cost == 0 && b.cost == 0
}

// eligible reports whether a legal ply needs a closer look; exact means that some image shows one exactly.
func (s *step) eligible(b *basis, c *Successor, exact bool) bool {
	if exact {
		return slices.ContainsFunc(s.window, func(w shown) bool { return *w.place == c.Place }) || s.pr.Lag > 0 && s.ev.reported(b.have, c)
	}
	return Count(Difference(&c.Place, s.last)) <= 6 || s.ev.reported(b.have, c)
}

func (s *step) plyFrom(b *basis, m legal.Move) *ply {
	return &ply{prev: b.line, move: m, side: s.pr.Side, at: s.pr.At, from: b.at, have: b.have, n: b.line.Count() + 1, pressed: true}
}

func (s *step) candidate(b *basis, c *Successor) candidate {
	first, last, seen := s.ev.seenAt(b.have, &c.Place)
	got := s.compareAfter(b, c, first, seen)
	later := false
	if got.cost > ArcLater.cost() {
		if at, ok := s.later(b, c, first, last, seen); ok {
			got, later = fit{cost: ArcLater.cost(), index: at, marks: mark(ArcLater)}, true
			if s.pr.At-s.ev.at(at).At > s.pr.Usual {
				got.add(ArcUnusual)
			}
		}
	}
	switch {
	case !seen && !s.ev.lost:
		got.add(ArcNotSeen)
	case seen && !later && !s.ev.rested(last, c):
		got.add(ArcPassing)
	}
	return candidate{fit: got, s: c, seen: seen, last: last}
}

// compareAfter compares the window with the placement after a ply; first is the first image that showed it, if one was
// seen.
func (s *step) compareAfter(b *basis, c *Successor, first int, seen bool) fit {
	as := seat{next: s.pr.Side.Other(), promotion: legal.NoSquare, victim: b.at.place[c.Move.To()], atOnce: true}
	if c.Move.Promotion() != legal.NoKind {
		as.promotion = c.Move.To()
	}
	got := s.compare(&c.Place, as, nil)
	if k := c.Move.Promotion(); k != legal.NoKind && k != legal.Queen && got.marks.has(ArcPromotionUnread) {
		got.add(ArcUnderpromotion)
	}
	reported := seen || s.ev.reported(b.have, c)
	cheap := got.cost < 7_000 // otherwise only a whole reply explains the board
	if got.cost <= ArcReply.cost() || !cheap && !reported {
		return got
	}
	as.squaresReported = reported && (cheap || seen)
	as.seenBeforePress = seen && s.ev.at(first).At <= s.pr.At || !seen && as.squaresReported
	return s.compare(&c.Place, as, b.at.after(c))
}

// offended continues a basis by the offences that the window shows.
func (s *step) offended(b *basis) {
	var acts []act
	for _, w := range s.window {
		for _, a := range b.at.acts(w.place) {
			if !slices.ContainsFunc(acts, func(o act) bool { return o.arc == a.arc && o.kind == a.kind && o.place == a.place }) {
				acts = append(acts, a)
			}
		}
	}
	for i := range acts {
		s.offence(b, &acts[i])
	}
}

// offence adds two stories: the offence was put right at once, or the game goes on from what it left.
func (s *step) offence(b *basis, a *act) {
	as := seat{next: s.pr.Side.Other(), promotion: legal.NoSquare}
	got := s.compare(&a.place, as, nil)
	cost := b.cost + got.cost + a.arc.cost()
	if cost > 18_000 {
		return
	}
	st := story{cost: cost, at: b.at, line: b.line, have: s.ev.end() - 1, marks: b.marks | mark(a.arc) | got.marks, kind: a.kind, act: a.place}
	if a.arc == ArcPromotionOpen {
		s.promotionOpen(b, a, st)
	} else {
		s.add(st)
		if st.at = b.at.standing(&a.place, s.pr.Side.Other()); st.at == nil {
			return
		}
		if st.marks |= mark(ArcStands); a.arc != ArcNoMove {
			st.line = s.plyFrom(b, legal.NoMove)
		}
	}
	st.cost += ArcStands.cost()
	s.add(st)
}

// promotionOpen goes on with the piece that the pawn becomes.
func (s *step) promotionOpen(b *basis, a *act, st story) {
	for i, list := 0, b.at.successors(); i < len(list); i++ {
		c, p := &list[i], st
		place := c.Place
		place[c.Move.To()] = a.place[c.Move.To()]
		if c.Move.Promotion() == legal.NoKind || place != a.place {
			continue
		}
		if c.Move.Promotion() != legal.Queen {
			p.cost += ArcUnderpromotion.cost()
		}
		p.at, p.line = b.at.after(c), s.plyFrom(b, c.Move)
		s.add(p)
	}
}

// noPress adds the story of a lever that changed without a press.
func (s *step) noPress() {
	as := seat{next: s.start.at.turn(), promotion: legal.NoSquare}
	c, _ := as.rest(&s.start.at.place, s.last)
	s.add(story{cost: ArcNotAPress.cost() + min(c, 8_000), at: s.start.at, line: s.start.line, have: s.start.have, marks: mark(ArcNotAPress)})
}

// unseen adds plies without any image, and plies that are not known; it does so only where nothing cheaper explains the
// press.
func (s *step) unseen() {
	best := Cost(1 << 30)
	for _, o := range s.out {
		best = min(best, o.cost)
	}
	if best < 4_500 {
		return
	}
	for _, w := range s.window[:min(2, len(s.window))] {
		s.chains(w)
	}
	if !s.ev.lost && best < 10_000 {
		return
	}
	a := ArcUnknown
	if s.ev.lost {
		a = ArcUnknownGap
	}
	for i, turn := range [...]legal.Side{s.pr.Side.Other(), s.pr.Side} {
		if at := s.start.at.standing(s.last, turn); at != nil {
			s.add(story{cost: a.cost() + Cost(i)*500, at: at, line: s.start.line, have: s.ev.end() - 1, marks: mark(a)})
		}
	}
}

// chains adds rows of plies that lead to an image of the window.
func (s *step) chains(w shown) {
	longest, budget := 3, 60
	if s.ev.lost {
		longest, budget = 7, 120
	}
	for n := 2; n <= longest; n++ {
		if !s.ev.lost && (n&1 == 1) != (s.start.at.turn() == s.pr.Side) {
			continue
		}
		for _, r := range reach(s.start.at, w.place, n, budget, s.ev.lost) {
			s.along(w, r)
		}
	}
}

// along adds a story for each ply of a row that the press may have completed: the board already shows the plies after
// it.
func (s *step) along(w shown, r reached) {
	first, hidden := s.ev.unpressed(), ArcUnseen
	if s.ev.lost {
		hidden = ArcUnseenGap
	}
	odd := ArcOutOfOrder.cost() * Cost(s.ev.inversions(r.row))
	at, line, n := s.start.at, s.start.line, len(r.row)
	for k := 1; k <= n; k++ {
		c := &r.row[k-1]
		mover := at.turn()
		line = &ply{prev: line, move: c.Move, side: mover, at: s.pr.At, from: at, have: s.start.have, n: line.Count() + 1, pressed: k == n}
		at = at.after(c)
		if mover != s.pr.Side || n-k > 1 {
			continue
		}
		have, m := w.index, mark(ArcPly)
		if k < n {
			have, m = have-1, m|mark(ArcReply)
		}
		if k > 1 {
			m |= mark(first, hidden)
		}
		cost := (first.cost()+hidden.cost())*Cost(k-1) + w.late + r.cost + odd + (ArcReply.cost()+hidden.cost())*Cost(n-k)
		s.add(story{cost: cost, at: at, line: line, have: have, marks: m})
	}
}
