package play

import (
	"slices"

	"boardwatchd/rules/legal"
)

// A quiet image continues courses of play where no clock shows the turn.
type quiet struct {
	*standing
	weight Cost
	deep   bool // plies without any image are tried
	budget int  // positions that the search for them may still visit
	out    []*course
}

// fold continues the courses by the newest image.
func (f *Follower) fold() {
	g := &grades[f.image.grade]
	q := quiet{standing: &f.image, weight: g.weight, deep: f.image.grade >= quietGrade, budget: imageBudget}
	for _, c := range f.before {
		q.continues(f, c)
	}
	q.unknown(f)
	if q.out = f.with(q.out); len(q.out) == 0 {
		root := f.past[len(f.past)-1]
		q.out = []*course{{at: root, line: f.latest, seen: true}}
	}
	low := q.out[0].cost
	for _, c := range q.out {
		low = min(low, c.cost)
	}
	for _, c := range q.out {
		c.cost -= low
	}
	slices.SortStableFunc(q.out, func(a, b *course) int { return int(a.cost - b.cost) })
	f.courses = joined(q.out)
	if f.courses[0].rest == 0 && q.deep {
		f.calm = f.courses
	}
}

// joined keeps the cheapest of the courses that lead to the same position, and notes where another one leads there as
// well.
func joined(sorted []*course) (kept []*course) {
	for _, c := range sorted {
		if c.cost > courseMargin {
			break
		}
		i := slices.IndexFunc(kept, func(k *course) bool { return k.back == c.back && k.at.pos.Key() == c.at.pos.Key() })
		switch {
		case i < 0 && len(kept) < courseWidth:
			kept = append(kept, c)
		case i >= 0:
			kept[i].meet(c)
		}
	}
	return kept
}

// meet notes a course at a higher cost that leads to the same position.
func (c *course) meet(o *course) {
	if c.line != nil && o.line != nil && alike(c.line, o.line) && o.line.shown {
		c.line.shown, c.line.grade = true, max(c.line.grade, o.line.grade)
	}
	if o.cost-c.cost <= tieMargin {
		c.tie(o)
	}
}

// tie notes that other plies, those of a course at a higher cost, lead to the same position.
func (c *course) tie(o *course) {
	mine, theirs := c.line, o.line
	for mine != nil && theirs != nil && mine != theirs && alike(mine, theirs) {
		mine, theirs = mine.prev, theirs.prev // the last plies are the same
	}
	t := tie{to: mine.Count(), counted: mine.Count() == theirs.Count()}
	for n := max(mine.Count(), theirs.Count()); n > 0; n-- {
		a, b := mine.number(n), theirs.number(n)
		if a == b {
			break
		}
		if a == nil || b == nil || !alike(a, b) {
			t.from = n
		}
	}
	if t.from > 0 && t.from <= t.to {
		c.noteTie(t)
	}
}

// noteTie keeps a tie, once, and drops the oldest where there are too many: that one is settled.
func (c *course) noteTie(t tie) {
	if slices.Contains(c.ties, t) {
		return
	}
	c.ties = append(slices.Clip(c.ties), t)
	if len(c.ties) > maxTies {
		c.ties = slices.Clone(c.ties[1:])
	}
}

// continues adds the ways in which a course may go on.
func (q *quiet) continues(f *Follower, c *course) {
	from := len(q.out)
	as := seat{next: c.at.turn(), promotion: legal.NoSquare, seenBeforePress: c.seen, mayBeDragged: true}
	stay, _ := as.rest(&c.at.place, &q.place)
	q.add(c, stay, 0)
	if stay == 0 {
		return
	}
	q.plies(c, stay)
	if q.deep {
		q.back(f, c)
	}
	if !q.deep || !q.lost && q.grade < firmGrade {
		return
	}
	for _, o := range q.out[from:] {
		if o.rest < rowRest {
			return
		}
	}
	q.rows(c)
}

// add adds a course after a row of plies.
func (q *quiet) add(c *course, rest, cost Cost, row ...Successor) *course {
	o := *c
	b := basis{at: c.at, line: c.line}.play(row, q.at)
	o.at, o.line, o.rest = b.at, b.line, rest
	o.seen = rest == 0 || len(row) == 0 && c.seen
	if rest == 0 && o.line != nil {
		o.line.shown, o.line.grade = true, max(o.line.grade, q.grade)
	}
	n := Cost(len(row))
	o.cost += rest*q.weight/fullWeight + cost + n*ArcQuietPly.cost() + max(n-1, 0)*q.hidden(len(row)).cost()
	q.out = append(q.out, &o)
	return &o
}

// hidden returns the row for a ply that no image shows, in a row of n plies.
func (q *quiet) hidden(n int) Arc {
	each := (q.at - q.since) / int64(max(n, 1))
	switch {
	case !q.lost, q.at > 0 && each < hastyUS:
		return ArcUnseen
	case q.at == 0 || each < calmUS:
		return ArcUnseenQuiet
	}
	return ArcUnseenGap
}

// plies adds one ply, and two of which the first was not seen.
func (q *quiet) plies(c *course, stay Cost) {
	differ := Difference(&c.at.place, &q.place)
	list := c.at.successors()
	for i := range list {
		s := &list[i]
		if s.Diff&differ == 0 || differ>>s.Move.From()&1 == 0 && !s.Move.IsCastling() {
			continue
		}
		as := seat{next: c.at.turn().Other(), promotion: legal.NoSquare, victim: c.at.place[s.Move.To()]}
		if s.Move.Promotion() != legal.NoKind {
			as.promotion = s.Move.To()
		}
		rest, _ := as.rest(&s.Place, &q.place)
		if rest < stay && q.arrived(s, rest) {
			q.add(c, rest, 0, *s)
		}
		if rest == 0 || !q.deep || Count(differ) < 3 || differ>>s.Move.To()&1 == 0 && s.Move.Victim() == legal.NoSquare && !s.Move.IsDoubleStep() {
			continue
		}
		q.replies(c, s, min(stay, rest))
	}
}

// arrived reports whether the image shows the piece of a ply on its target square, or is wrong in little else: the next
// turn may have begun by capturing it.
func (q *quiet) arrived(s *Successor, rest Cost) bool {
	to := s.Move.To()
	return q.place[to] == s.Place[to] || q.place[to] == legal.NoPiece && rest <= ArcDrag.cost()
}

// replies adds the ply with a reply.
func (q *quiet) replies(c *course, s *Successor, most Cost) {
	differ := Difference(&s.Place, &q.place)
	if Count(differ) > maxRest {
		return
	}
	list := c.at.after(s).successors()
	for i := range list {
		r := &list[i]
		if differ>>r.Move.From()&1 == 0 && !r.Move.IsCastling() {
			continue
		}
		as := seat{next: c.at.turn(), promotion: legal.NoSquare, victim: s.Place[r.Move.To()]}
		if r.Move.Promotion() != legal.NoKind {
			as.promotion = r.Move.To()
		}
		if rest, _ := as.rest(&r.Place, &q.place); rest < most && q.arrived(r, rest) {
			q.add(c, rest, 0, *s, *r)
		}
	}
}

// rows adds longer rows of plies without any image.
func (q *quiet) rows(c *course) {
	for n := 3; n <= maxHiddenRow; n++ {
		if q.at > q.since && q.at-q.since < int64(n)*quickestUS {
			return
		}
		for slack := range 2 {
			if slack > 0 && !q.lost {
				break
			}
			s := search{target: &q.place, budget: min(quietBudget, q.budget)}
			q.budget -= s.budget
			found := s.rows(c.at, n, slack)
			q.budget += max(s.budget, 0)
			for _, row := range found {
				o := q.add(c, 0, Cost(slack)*ArcIdle.cost(), row...)
				if len(found) >= maxRows || s.budget <= 0 {
					o.noteTie(tie{from: c.line.Count() + 1, to: o.line.Count()}) // there may be more
				}
			}
			if len(found) > 0 {
				return
			}
		}
	}
}

// back adds plies that were taken back: the position before them is on the board again.
func (q *quiet) back(f *Follower, c *course) {
	cost := ArcTakeBack.cost()
	for line := c.line; line.Count() > f.settled && line.from != nil; line = line.prev {
		if line.from.place == q.place {
			o := *c
			o.at, o.line, o.rest, o.seen = line.from, line.prev, 0, true
			o.cost += cost
			q.out = append(q.out, &o)
		}
		cost += ArcQuietPly.cost()
	}
	if c.back > 0 {
		return
	}
	for k := 1; k < len(f.past); k++ {
		at := f.past[len(f.past)-1-k]
		if at.place == q.place {
			o := *c
			o.at, o.rest, o.seen, o.back = at, 0, true, k
			for o.line.Count() > f.settled {
				o.line = o.line.prev
			}
			o.cost += cost
			q.out = append(q.out, &o)
			return
		}
		cost += ArcQuietPly.cost()
	}
}

// unknown goes on from the board where no course explains it: the plies that led there are not known.
func (q *quiet) unknown(f *Follower) {
	if !q.deep || len(f.past) == 1 {
		return // the pieces may still be set up
	}
	best := q.out[0]
	for _, o := range q.out {
		if o.rest < unclearRest {
			return
		}
		if o.cost < best.cost {
			best = o
		}
	}
	from := f.before[0]
	for _, turn := range [...]legal.Side{legal.White, legal.Black} {
		at := from.at.standing(&q.place, turn)
		if at == nil {
			continue
		}
		o := *from
		o.line = &ply{prev: from.line, fen: at.pos.FEN(), side: turn, at: q.at, from: from.at, n: from.line.Count() + 1}
		o.at, o.rest, o.seen, o.cost = at, 0, true, from.cost+ArcUnknown.cost()
		q.out = append(q.out, &o)
	}
}
