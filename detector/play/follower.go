package play

import (
	"slices"

	"boardwatchd/rules/legal"
)

// A Follower follows a game without a clock: see the package comment. It keeps at most courseWidth courses, each with
// at most longestCourse unsettled plies and a few more, and no image but the newest. It is not safe for concurrent use.
type Follower struct {
	past    []*node   // settled positions, oldest first; the last one is the root
	before  []*course // as of the image before the newest
	courses []*course // cheapest first, with the newest image
	calm    []*course // the courses when the best of them last explained everything
	image   standing
	reports bool // the board reports squares by itself: an image stays until the next report
	settled int  // plies that were handed out
	latest  *ply // the last of them
	now     int64
}

// A standing image is the newest one, with the time for which it has been there.
type standing struct {
	place legal.Placement
	at    int64 // when it was first seen
	since int64 // when the image before it was last known to be there
	shown int64 // when it was last known to be there
	dumps int   // dumps that have shown it
	lost  bool  // a dump has found it
	over  bool  // it has left the board, which now shows no position of the game
	grade int   // its grade when it was last weighed
}

// A course is one course of play without a clock.
type course struct {
	cost Cost
	at   *node
	line *ply
	back int  // settled plies that were taken back
	seen bool // an image has shown the position exactly
	rest Cost // what the newest image shows beyond the position
	ties []tie
}

// A tie notes that other plies than those with these numbers lead to the same position at nearly the same cost.
type tie struct {
	from, to int
	counted  bool // the other plies are as many
}

// A Step is a settled step of a game without a clock: a ply; plies that were taken back; or plies that are not known.
type Step struct {
	Move   legal.Move // NoMove: none
	Back   int        // the number of plies taken back
	Broken bool       // the plies before After are not known
	Plies  int        // number of the plies before After that are not known; 0: it is unknown
	At     int64      // when the board first showed it
	After  legal.Position
}

// Follow begins at a position; before are the positions that led to it, oldest first.
func Follow(pos legal.Position, before []legal.Position, now int64) *Follower {
	f := &Follower{now: now}
	for _, p := range before[max(0, len(before)-maxBack):] {
		f.past = append(f.past, newNode(p))
	}
	root := newNode(pos)
	f.past = append(f.past, root)
	f.image = standing{place: root.place, at: now, shown: now}
	f.before = []*course{{at: root, seen: true}}
	f.courses = f.before
	return f
}

// Root is the position after the last settled ply.
func (f *Follower) Root() *legal.Position { return &f.past[len(f.past)-1].pos }

// Image takes the placement that the board reads now. Lost marks a placement that a dump has
// shown and no report of a square.
func (f *Follower) Image(at int64, place legal.Placement, lost bool) {
	f.now = at
	f.reports = f.reports || !lost
	if place == f.image.place {
		return
	}
	f.weigh() // with the time for which it stayed in the end
	f.before = f.courses
	since := f.image.shown
	if f.reports && !f.image.over {
		since = at
	}
	f.image = standing{place: place, at: at, since: since, shown: at, lost: lost}
	if lost {
		f.image.dumps = 1
	}
	f.image.grade = f.grade()
	f.fold()
}

// Gone notes that the newest image has left the board, which shows a placement that is not of the game.
func (f *Follower) Gone(at int64) {
	if !f.image.over {
		f.now = at
		f.weigh()
		f.image.shown, f.image.over = at, true
	}
}

// Again notes that a dump has shown the newest image once more.
func (f *Follower) Again(at int64) {
	f.now = at
	f.image.shown = at
	f.image.dumps++
	f.weigh()
}

// Wake passes the time on.
func (f *Follower) Wake(now int64) {
	f.now = now
	f.weigh()
}

// Deadline returns when the newest image will have stayed long enough to count more.
func (f *Follower) Deadline() (at int64, ok bool) {
	if !f.reports || f.image.over || f.image.grade >= len(grades)-1 {
		return 0, false
	}
	if f.image.grade >= firmGrade && f.courses[0].line.Count() == f.settled && f.courses[0].back == 0 {
		return 0, false // there is nothing that time could settle
	}
	return f.image.at + grades[f.image.grade+1].stoodUS, true
}

// grade returns how much the newest image counts.
func (f *Follower) grade() int {
	stood := f.image.shown - f.image.at
	if f.reports && !f.image.over {
		stood = f.now - f.image.at
	}
	g := 0
	for g+1 < len(grades) && stood >= grades[g+1].stoodUS {
		g++
	}
	switch {
	case f.image.dumps > 1:
		return max(g, firmGrade)
	case f.image.dumps > 0 || f.image.at == 0: // a recording without times
		return max(g, quietGrade)
	}
	return g
}

// weigh folds the newest image again if it has stayed longer.
func (f *Follower) weigh() {
	g := f.grade()
	if g == f.image.grade {
		return
	}
	same := grades[g].weight == grades[f.image.grade].weight
	f.image.grade = g
	if !same {
		f.fold()
	}
}

// near returns the first of a list of courses: those that may be what was played.
func near(list []*course) []*course {
	n := 0
	for n < len(list) && list[n].cost-list[0].cost <= settleMargin {
		n++
	}
	return list[:n]
}

// Settled returns the next settled step.
func (f *Follower) Settled() (s Step, ok bool) {
	best := f.courses[0]
	near := near(f.courses)
	if best.back > 0 {
		return f.takenBack(near)
	}
	known := f.known(near)
	if n := best.line.Count() - longestCourse; n > f.settled {
		near, known = near[:1], max(known, n)
	}
	to := best.tiedTo(f.settled + 1)
	if to > known {
		return s, false
	}
	next := best.line.number(to)
	if next == nil {
		return s, false
	}
	for _, c := range near[1:] {
		if p := c.line.number(to); c.back > 0 || p == nil || !alike(next, p) {
			return s, false
		}
	}
	return f.hand(best, to), true
}

// known returns the number of the last ply that has a reply, or has stayed for so long that it needs none.
func (f *Follower) known(near []*course) (n int) {
	if best := near[0]; best.rest == 0 && f.image.grade == len(grades)-1 {
		return best.line.Count()
	}
	for _, c := range near {
		if c.seen {
			n = max(n, c.line.Count()-1)
		}
	}
	return n
}

// tiedTo returns the number of the ply up to which the plies from n on are not known, or n itself.
func (c *course) tiedTo(n int) int {
	for i := 0; i < len(c.ties); i++ {
		if t := c.ties[i]; n >= t.from && n < t.to {
			n, i = t.to, -1
		}
	}
	return n
}

// hand hands out the ply of a number. The plies before it that were not handed out are not known.
func (f *Follower) hand(best *course, to int) (s Step) {
	next := best.line.number(to)
	after := best.at
	if p := best.line.number(to + 1); p != nil {
		after = p.from
	}
	s = Step{Move: next.move, At: next.at, After: after.pos}
	if to > f.settled+1 || next.move == legal.NoMove {
		s.Move, s.Broken, s.Plies = legal.NoMove, true, to-f.settled
	}
	if s.Broken && !f.counted(best, to) {
		s.Plies = 0
	}
	f.settled, f.latest = to, next
	f.past = append(f.past, after)
	if len(f.past) > maxBack+1 {
		f.past = slices.Delete(f.past, 0, 1)
	}
	f.courses = f.with(f.courses)
	f.before = slices.DeleteFunc(slices.Clone(f.before), func(c *course) bool { return c.line.Count() >= to && !f.has(c) })
	for _, c := range slices.Concat(f.courses, f.before) {
		if p := c.line.number(to); p != nil {
			p.prev, p.from = nil, nil
		}
	}
	return s
}

// counted reports whether the number of plies is known that a course has from the latest settled one up to the given
// number.
func (f *Follower) counted(c *course, to int) bool {
	for n := f.settled + 1; n <= to; n++ {
		if p := c.line.number(n); p == nil || p.move == legal.NoMove {
			return false
		}
	}
	return !slices.ContainsFunc(c.ties, func(t tie) bool { return t.from <= to && t.to > f.settled && !t.counted })
}

// has reports whether a course contains the latest settled ply.
func (f *Follower) has(c *course) bool {
	if f.latest == nil {
		return true
	}
	p := c.line.number(f.settled)
	return p != nil && alike(p, f.latest)
}

// with returns the courses that contain the latest settled ply.
func (f *Follower) with(list []*course) (kept []*course) {
	for _, c := range list {
		if f.has(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// takenBack hands out plies that were taken back, once the position before them has stayed.
func (f *Follower) takenBack(near []*course) (s Step, ok bool) {
	best := near[0]
	if best.line.Count() == f.settled && (best.rest > 0 || grades[f.image.grade].stoodUS < backUS) {
		return s, false
	}
	for _, c := range near[1:] {
		if c.back != best.back {
			return s, false
		}
	}
	return Step{Back: best.back}, true
}

// Last returns the next of the plies that the board shows at the end, when no reply will come. Kings means that both
// kings show the result: their ways there are not plies, and of the courses that were near the best before, the longest
// counts.
func (f *Follower) Last(kings bool) (s Step, ok bool) {
	best, end := f.courses[0], f.courses[0].line
	if kings {
		end = nil
		for _, c := range slices.Concat(near(f.courses), near(f.calm)) {
			if l := f.beforeKings(c); l.Count() > end.Count() && f.has(c) {
				best, end = c, l
			}
		}
	}
	if best.back > 0 || end.Count() <= f.settled || !best.seen && end == best.line {
		return s, false
	}
	to := best.tiedTo(f.settled + 1)
	if to > end.Count() {
		return s, false
	}
	s = f.hand(best, to)
	return s, !s.Broken
}

// beforeKings returns the line of a course before the kings went to the centre.
func (f *Follower) beforeKings(c *course) *ply {
	l := c.line
	for l.Count() > f.settled && (!l.shown || f.onItsWay(l)) {
		l = l.prev
	}
	return l
}

// onItsWay reports whether a ply may be a king's way to the centre, where it shows the result. A dump rarely catches it
// in between.
func (f *Follower) onItsWay(l *ply) bool {
	if l.from == nil || l.from.place[l.move.From()].Kind() != legal.King || l.grade >= firmGrade {
		return false
	}
	to := l.move.To()
	centre := (to.File() == 3 || to.File() == 4) && (to.Rank() == 3 || to.Rank() == 4)
	return f.reports || centre
}

// Explains reports whether some course explains the newest image.
func (f *Follower) Explains() bool { return f.courses[0].rest < unclearRest }

// Stands reports whether the newest image has stayed for a while.
func (f *Follower) Stands() bool { return f.image.grade >= firmGrade }

// alike reports whether two plies are the same.
func alike(a, b *ply) bool { return a == b || a.move == b.move && a.side == b.side && a.fen == b.fen }

// number returns the ply of a number, or nil where the line has none.
func (l *ply) number(n int) *ply {
	for l != nil && l.n > n {
		l = l.prev
	}
	if l == nil || l.n != n {
		return nil
	}
	return l
}
