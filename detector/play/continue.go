package play

import (
	"slices"

	"boardwatchd/rules/legal"
)

// A shown image is one that the board of a press may have been, the newest first.
type shown struct {
	index int
	place *legal.Placement
	late  Cost // it came late for this press
}

// A step continues one story by one press.
type step struct {
	ev     *evidence
	pr     *press
	window []shown
	last   *legal.Placement
	end    int
	st     *Story
	side   legal.Side // who pressed, in this story
	lossy  bool       // something was lost since the story's last press
	out    []*Story
}

// window lists the different images from the one that stood at the report of the press to the newest.
func (e *evidence) window(pr *press) (list []shown) {
	for j := e.end() - 1; j >= max(pr.first, e.dropped); j-- {
		im := e.at(j)
		if slices.ContainsFunc(list, func(s shown) bool { return *s.place == im.place }) {
			continue
		}
		s := shown{index: j, place: &im.place}
		if !pr.gap && j != pr.first && im.at > pr.at+lateUS {
			s.late = ArcLate.cost()
		}
		list = append(list, s)
	}
	return list
}

// Continue returns the stories that a story may go on as, over one press.
func (e *evidence) Continue(st *Story, pr *press) []*Story {
	w := e.window(pr)
	if len(w) == 0 {
		return nil
	}
	s := step{ev: e, pr: pr, window: w, last: w[0].place, end: e.end(), st: st, side: st.sideOf(pr.lever)}
	s.lossy = max(e.lossAt, e.gapAt) >= st.since
	s.plays()
	s.lever()
	s.unseen()
	return s.out
}

// A next is a story to be added.
type next struct {
	cost  Cost
	at    *node
	line  *ply
	have  int
	marks marks
	find  *Finding
	pend  *pending
	debts []debt
	left  marks
	away  bool
}

func (s *step) add(n next) *Story {
	if s.ev.mergedAt >= s.st.since && !n.marks.has(ArcMerged) {
		n.cost, n.marks = n.cost+ArcClockOdd.cost(), n.marks|mark(ArcClockOdd)
	}
	if n.find != nil && s.lossy {
		a := ArcDoubtClock
		if s.ev.lossAt >= s.st.since {
			a = ArcDoubt
		}
		n.cost, n.marks = n.cost+a.cost(), n.marks|mark(a)
	}
	st := &Story{
		cost: s.st.cost + n.cost, at: n.at, line: n.line, have: n.have, since: s.pr.at, white: s.st.white, pend: n.pend,
		debts: n.debts, marks: n.marks, open: s.st.open, fresh: n.find, away: n.away, left: n.left,
	}
	if s.pr.gap {
		st.since = s.pr.due
	}
	if n.find != nil {
		f := *n.find
		f.Arcs = n.marks.Arcs()
		st.fresh = &f
		st.open = append(slices.Clip(s.st.open), &f)
	}
	s.out = append(s.out, st)
	return st
}

// A fit is the cheapest way in which the window's images show a placement.
type fit struct {
	cost  Cost
	index int
	marks marks
	left  marks // what the newest image shows beyond the placement
}

// seat compares the window with a placement. What came last must not speak against it.
func (s *step) seat(place *legal.Placement, as seat, reply *node) (best fit) {
	show := func(im *legal.Placement) (Cost, marks) {
		c, m := as.rest(place, im)
		if c > ArcReply.cost() && reply != nil && reply.by(im) != nil {
			return ArcReply.cost(), mark(ArcReply)
		}
		if c > ArcReplyBegun.cost() && reply != nil && as.shown && UnderWay(&reply.pos, im) {
			return ArcReplyBegun.cost(), mark(ArcReplyBegun)
		}
		return c, m
	}
	for i, w := range s.window {
		c, m := show(w.place)
		if w.late > 0 && !as.stood {
			c, m = c+w.late, m|mark(ArcLate)
		}
		if i == 0 || c < best.cost {
			best = fit{cost: c, index: w.index, marks: m}
		}
	}
	if *s.last != *place {
		c, m := show(s.last)
		best.left = m
		if s.pr.gap {
			best.cost += min(10_000, c)
		} else {
			best.cost += min(1_500, c/3)
		}
	}
	return best
}

// seenAt lists where, behind an image, a placement was seen exactly: the first and the last.
func (e *evidence) seenAt(have, end int, place *legal.Placement) (first, last int, ok bool) {
	for j := max(have+1, e.dropped); j < end; j++ {
		if e.at(j).place == *place {
			if !ok {
				first = j
			}
			last, ok = j, true
		}
	}
	return first, last, ok
}

// passing says that an image stood for less than passingUS.
func (e *evidence) passing(i, end int) bool {
	return e.single && i+1 < end && e.at(i+1).at-e.at(i).at < passingUS
}

// reported says that each square of a ply read as the ply leaves it, at whatever time behind an image: the first lift of the reply came in the same scan.
func (e *evidence) reported(have, end int, c *successor) bool {
	missing := c.diff
	for j := max(have+1, e.dropped); j < end; j++ {
		missing &= Difference(&e.at(j).place, &c.place)
	}
	return missing == 0
}

// plays are the plies and offences that the press may have completed.
func (s *step) plays() {
	direct := basis{at: s.st.at, line: s.st.line, have: s.st.have}
	bases := []basis{direct}
	clean := false
	if s.st.at.turn() == s.side && s.ev.mergedAt < s.st.since && !s.pr.gap {
		clean = slices.ContainsFunc(s.window, func(w shown) bool { return s.st.at.by(w.place) != nil })
	}
	if !clean {
		bases = s.ev.bases(s.st, s.side, s.end)
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
	s     *successor
	debts []debt
	seen  bool
	last  int
}

// maxCandidates of one basis are continued.
const maxCandidates = 3

// moved continues by the legal plies from a basis. It says whether one of them explains everything at no cost, so that nothing dearer has to be looked
// for.
func (s *step) moved(b *basis) (plain bool) {
	exact := false
	for _, w := range s.window {
		exact = exact || !s.ev.passing(w.index, s.end) && b.at.by(w.place) != nil
	}
	var found []candidate
	list := b.at.successors()
	for i := range list {
		c := &list[i]
		if exact && len(s.st.debts) == 0 && !slices.ContainsFunc(s.window, func(w shown) bool { return *w.place == c.place }) && !(s.pr.lag > 0 && s.ev.reported(b.have, s.end, c)) {
			continue
		}
		if !exact && count(Difference(&c.place, s.last)) > 6 && !s.ev.reported(b.have, s.end, c) {
			continue
		}
		found = append(found, s.candidate(b, c))
	}
	s.preferLater(found)
	slices.SortStableFunc(found, func(x, y candidate) int { return int(x.cost - y.cost) })
	for i, c := range found {
		if i == maxCandidates || c.cost > 15_000 {
			break
		}
		debts := slices.DeleteFunc(slices.Clone(c.debts), func(d debt) bool { return s.last[d.sq] == c.s.place[d.sq] })
		have := c.index
		if c.seen {
			have = c.last
		}
		s.add(next{
			cost: b.cost + c.cost, at: b.at.after(c.s), line: s.plyFrom(b, c.s.move, b.at.pos.UCI(c.s.move)), have: have,
			marks: b.marks | mark(ArcPly) | c.marks, left: c.left, debts: debts,
		})
	}
	return len(found) > 0 && found[0].cost == 0 && b.cost == 0
}

func (s *step) plyFrom(b *basis, m legal.Move, uci string) *ply {
	return &ply{prev: b.line, move: m, uci: uci, side: s.side, at: s.pr.at, from: b.at, have: b.have, n: b.line.count() + 1, pressed: true}
}

func (s *step) candidate(b *basis, c *successor) candidate {
	as := s.seatOf(b, c)
	got := s.seat(&c.place, as, nil)
	if k := c.move.Promotion(); k != legal.NoKind && k != legal.Queen && got.marks.has(ArcPromotionUnread) {
		got.cost, got.marks = got.cost+ArcUnderpromotion.cost(), got.marks|mark(ArcUnderpromotion)
	}
	first, last, seen := s.ev.seenAt(b.have, s.end, &c.place)
	cheap := got.cost < 7_000 // else only a whole reply explains what is there
	if reported := seen || s.ev.reported(b.have, s.end, c); got.cost > ArcReply.cost() && (cheap || reported) {
		as.shown = s.ev.single && reported && (cheap || seen)
		as.stood = seen && s.ev.at(first).at <= s.pr.at || !seen && as.shown
		got = s.seat(&c.place, as, b.at.after(c))
	}
	later := false
	if got.cost > ArcLater.cost() {
		if at, ok := s.later(b, c, first, last, seen); ok {
			got, later = fit{cost: ArcLater.cost(), index: at, marks: mark(ArcLater)}, true
		}
	}
	if !seen && !s.lossy {
		got.cost, got.marks = got.cost+ArcNotSeen.cost(), got.marks|mark(ArcNotSeen)
	}
	if seen && !later && s.ev.passing(last, s.end) {
		got.cost, got.marks = got.cost+ArcPassing.cost(), got.marks|mark(ArcPassing)
	}
	return candidate{fit: got, s: c, debts: as.debts, seen: seen, last: last}
}

// seatOf is how images are compared with the placement after a ply. A debt ends where the ply touches its square.
func (s *step) seatOf(b *basis, c *successor) seat {
	as := seat{next: s.side.Other(), promotion: legal.NoSquare, victim: b.at.place[c.move.To()], atOnce: s.ev.single}
	for _, d := range s.st.debts {
		if c.diff>>d.sq&1 == 0 {
			as.debts = append(as.debts, d)
		}
	}
	if c.move.Promotion() != legal.NoKind {
		as.promotion = c.move.To()
	}
	return as
}

// offended continues by what was done against the Laws from a basis.
func (s *step) offended(b *basis) {
	var acts []act
	for _, w := range s.window {
		for _, a := range b.at.acts(w.place) {
			if a.arc == ArcKingTaken && s.st.pend == nil {
				continue
			}
			if !slices.ContainsFunc(acts, func(o act) bool { return o.arc == a.arc && o.kind == a.kind && o.place == a.place }) {
				acts = append(acts, a)
			}
		}
	}
	for i := range acts {
		s.offence(b, &acts[i])
	}
}

func (s *step) offence(b *basis, a *act) {
	as := seat{next: s.side.Other(), promotion: legal.NoSquare, debts: s.st.debts}
	if a.arc == ArcPromotionOpen {
		as.debts = nil
	}
	got := s.seat(&a.place, as, nil)
	cost := b.cost + got.cost + a.arc.cost()
	if cost > 18_000 {
		return
	}
	m := b.marks | mark(a.arc) | got.marks
	f := &Finding{Kind: a.kind, Side: s.side, Ply: b.line.count() + 1, At: s.pr.at, UCI: a.uci}
	pend := &pending{bases: []basis{*b}, side: s.side, image: a.place}
	if p := s.st.pend; p != nil && b.at == s.st.at && (a.arc == ArcKingTaken || p.side != s.side) {
		pend.bases = append(pend.bases, p.bases...)
	}
	if a.arc == ArcPromotionOpen {
		s.promotionOpen(b, a, cost, m, f)
		s.add(next{cost: cost + ArcStands.cost(), at: b.at, line: b.line, have: s.end - 1, marks: m, find: f, pend: pend})
		return
	}
	for _, back := range pend.bases {
		s.add(next{cost: cost, at: back.at, line: back.line, have: s.end - 1, marks: m, find: f, pend: pend})
	}
	m |= mark(ArcStands)
	switch a.arc {
	case ArcNoMove:
		if at := b.at.standing(&b.at.place, s.side.Other()); at != nil {
			s.add(next{cost: cost + ArcStands.cost(), at: at, line: b.line, have: s.end - 1, marks: m, find: f, pend: pend})
		}
	case ArcKingTaken:
	default:
		if at := b.at.standing(&a.place, s.side.Other()); at != nil {
			s.add(next{cost: cost + ArcStands.cost(), at: at, line: s.plyFrom(b, legal.NoMove, a.uci), have: s.end - 1, marks: m, find: f, pend: pend})
		}
	}
}

// promotionOpen goes on with the piece that the pawn becomes: a square that owes its answer.
func (s *step) promotionOpen(b *basis, a *act, cost Cost, m marks, f *Finding) {
	for i, list := 0, b.at.successors(); i < len(list); i++ {
		c := &list[i]
		sq := c.move.To()
		place := c.place
		place[sq] = a.place[sq]
		if c.move.Promotion() == legal.NoKind || place != a.place {
			continue
		}
		extra := Cost(0)
		if c.move.Promotion() != legal.Queen {
			extra = ArcUnderpromotion.cost()
		}
		codes := code(legal.NoPiece) | code(a.place[sq]) | code(legal.PieceOf(s.side, legal.Pawn))
		s.add(next{
			cost: cost + extra, at: b.at.after(c), line: s.plyFrom(b, c.move, b.at.pos.UCI(c.move)), have: s.end - 1, marks: m, find: f,
			debts: []debt{{sq, codes}},
		})
	}
}

// lever are the presses that completed no ply.
func (s *step) lever() {
	st := s.st
	turn := st.at.turn()
	as := seat{next: turn, promotion: legal.NoSquare, debts: st.debts}
	c, _ := as.rest(&st.at.place, s.last)
	c = min(c, 8_000)
	switch {
	case s.pr.soon && turn == s.side && !st.away:
		s.add(next{cost: ArcBounce.cost() + c, at: st.at, line: st.line, have: st.have, marks: mark(ArcBounce), pend: st.pend, debts: st.debts, away: true})
	case st.away && turn != s.side:
		s.add(next{cost: ArcBounceBack.cost() + c, at: st.at, line: st.line, have: st.have, marks: mark(ArcBounceBack), pend: st.pend, debts: st.debts})
	}
	if turn != s.side {
		if st.pend != nil && st.pend.side != s.side {
			s.pressedBack()
		}
		stopped := s.ev.stoppedAt >= st.since
		cost := ArcNotAPress.cost()
		if stopped {
			cost = ArcSetStopped.cost()
		}
		s.add(next{cost: cost + c, at: st.at, line: st.line, have: st.have, marks: mark(ArcSetStopped), pend: st.pend, debts: st.debts})
		if stopped && st.line != nil && st.line.from.turn() == s.side {
			s.takenBack()
		}
	}
	cost := ArcNotAPress.cost()
	if s.pr.set {
		cost = ArcSetStopped.cost()
	}
	s.add(next{cost: cost + c, at: st.at, line: st.line, have: st.have, marks: mark(ArcNotAPress), pend: st.pend, debts: st.debts})
}

// pressedBack is the opponent who restarts the offender's clock.
func (s *step) pressedBack() {
	st := s.st
	least := 64
	for _, w := range s.window {
		least = min(least, count(Difference(&st.pend.image, w.place)), count(Difference(&st.at.place, w.place)))
	}
	cost := ArcNotAPress.cost()
	if least < 2 {
		cost = ArcPressBack.cost() + Cost(least)*2_500
	}
	s.add(next{cost: cost, at: st.at, line: st.line, have: st.have, marks: mark(ArcPressBack), debts: st.debts})
}

// takenBack goes on from the position before the last ply, if the board has shown it again while the clock stood.
func (s *step) takenBack() {
	st := s.st
	before := st.line
	_, back, ok := s.ev.seenAt(st.have, s.end, &before.from.place)
	if !ok {
		return
	}
	tmp := *st
	tmp.cost, tmp.at, tmp.line, tmp.have, tmp.pend = st.cost+ArcTakeBack.cost(), before.from, before.prev, back, nil
	inner := step{ev: s.ev, pr: s.pr, window: s.window, last: s.last, end: s.end, st: &tmp, side: s.side, lossy: s.lossy}
	inner.plays()
	s.out = append(s.out, inner.out...)
}

// unseen are plies of which nothing was seen, and plies that are not known; they are looked for only where nothing cheaper explains the press.
func (s *step) unseen() {
	st := s.st
	best := Cost(1 << 30)
	for _, o := range s.out {
		best = min(best, o.cost)
	}
	if best -= st.cost; best < 4_500 {
		return
	}
	for _, w := range s.window[:min(2, len(s.window))] {
		s.chains(w)
	}
	if !s.lossy && best < 10_000 {
		return
	}
	a := ArcUnknown
	if s.ev.lossAt >= st.since {
		a = ArcUnknownGap
	}
	for i, turn := range [...]legal.Side{s.side.Other(), s.side} {
		if at := st.at.standing(s.last, turn); at != nil {
			o := s.add(next{cost: a.cost() + Cost(i)*500, at: at, line: st.line, have: s.end - 1, marks: mark(a)})
			o.since = never
		}
	}
}

// chains are rows of plies that lead to an image of the window.
func (s *step) chains(w shown) {
	longest, budget := 3, 60
	if s.lossy {
		longest, budget = 7, 120
	}
	for n := 2; n <= longest; n++ {
		if !s.lossy && (n&1 == 1) != (s.st.at.turn() == s.side) {
			continue
		}
		for _, r := range reach(s.st.at, w.place, n, budget, s.lossy) {
			s.along(w, r)
		}
	}
}

// along adds a story for each ply of a row that the press may have completed: what is behind it stands on the board already.
func (s *step) along(w shown, r reached) {
	st := s.st
	first, hidden := s.ev.unpressed(st.since), ArcUnseen
	if s.ev.lossAt >= st.since {
		hidden = ArcUnseenGap
	}
	beyond := 1
	if s.pr.gap {
		beyond = 2
	}
	odd := ArcOutOfOrder.cost() * Cost(s.ev.inversions(r.row))
	at, line, n := st.at, st.line, len(r.row)
	for k := 1; k <= n; k++ {
		c := &r.row[k-1]
		mover := at.turn()
		line = &ply{prev: line, move: c.move, uci: at.pos.UCI(c.move), side: mover, at: s.pr.at, from: at, have: st.have, n: line.count() + 1, pressed: k == n}
		at = at.after(c)
		if mover != s.side || n-k > beyond {
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
		s.add(next{cost: cost, at: at, line: line, have: have, marks: m})
	}
}
