package play

import (
	"slices"

	"boardwatchd/rules/legal"
)

// A decision falls due some time behind a press.
type decision struct {
	due, at int64
	plain   int // presses since the last loss that were plain plies, before this one
}

// A Heart keeps the stories of one game. It is not safe for concurrent use.
type Heart struct {
	ev      evidence
	stories []*Story // cheapest first

	clock   Reading
	heard   int64 // when it was read; never: not yet
	presses []press
	due     []decision
	flipped int64     // when the lever last changed
	plain   int       // plain presses since the last loss
	over    bool      // mate or stalemate stood
	asked   int       // the image for which that was asked
	still   *Follower // of the game before a clock was read

	settled []*ply
	told    []*Finding

	// Reversed counts settled plies that a later settlement contradicts.
	Reversed int
}

// Begin opens a game at a position. White's side of the clock is a hypothesis; usual is where White's time stands for most boards (NoLever: not known).
func Begin(pos legal.Position, at int64, usual Lever) *Heart {
	h := &Heart{ev: newEvidence(), heard: never, flipped: never, asked: -1, still: Follow(pos, nil, at)}
	start := newNode(pos)
	h.ev.add(image{place: start.place, at: at})
	for _, white := range [...]Lever{LeftLever, RightLever} {
		st := &Story{at: start, since: at, white: white}
		if usual != NoLever && white != usual {
			st.cost = ArcClockTurned.cost()
		}
		h.stories = append(h.stories, st)
	}
	h.rank()
	return h
}

// Image takes what the board reads now. Lost says that a dump has found it, so that plies between it and the image before may be lost.
func (h *Heart) Image(at int64, place legal.Placement, lost bool) {
	if !lost && h.ev.last().place == place {
		return
	}
	if lost {
		h.ev.lossAt, h.plain = at, 0
	}
	h.ev.add(image{place: place, at: at, lost: lost})
	if h.heard == never {
		h.still.Image(at, place, lost)
	}
}

// Gap says that the line or the clock was lost.
func (h *Heart) Gap(at int64) { h.ev.gapAt, h.plain = at, 0 }

// Reading takes one reading of the clock.
func (h *Heart) Reading(at int64, r Reading) {
	old, heard := h.clock, h.heard
	h.clock, h.heard = r, at
	if heard == never {
		h.clockFound(at)
		return
	}
	gap := h.gapSince(heard, at, old.Running)
	if gap != never {
		h.ev.gapAt, h.plain = at, 0
	}
	if old.Running && !r.Running {
		h.ev.stoppedAt = at
	}
	switch {
	case r.Up != old.Up && (old.Running || gap != never && r.Running):
		h.pressed(at, old, gap)
	case r.Up == old.Up && old.Running && r.Running && r.resting() != old.resting():
		h.ev.mergedAt = at
	}
}

// clockFound goes on with a clock from what was played without one.
func (h *Heart) clockFound(at int64) {
	h.still.Wake(at)
	var list []*Story
	for _, st := range h.stories {
		for _, c := range h.still.courses[:min(len(h.still.courses), beamWidth)] {
			list = append(list, &Story{cost: st.cost + c.cost, at: c.at, line: c.line, have: h.ev.end() - 1, since: at, white: st.white})
		}
	}
	h.stories = list
	h.rank()
}

// gapSince is when a gap between two readings began, or never.
func (h *Heart) gapSince(heard, at int64, running bool) int64 {
	switch {
	case h.ev.gapAt > heard:
		return h.ev.gapAt
	case running && at-heard > holeUS:
		return heard
	}
	return never
}

// pressed takes a lever that has changed since the old reading. Gap is when the gap between the two began, or never.
func (h *Heart) pressed(at int64, old Reading, gap int64) {
	p := press{at: at, due: at + explainUS, lever: old.Up, first: h.ev.end() - 1, set: !old.Running, soon: at-h.flipped < bounceUS}
	h.flipped = at
	if gap != never {
		p.gap, p.due = true, at+explainGapUS
		for p.first > h.ev.dropped && h.ev.at(p.first).at > gap-beforeGapUS {
			p.first--
		}
	}
	h.presses = append(h.presses, p)
}

// Deadline is the earliest instant at which Wake must be called.
func (h *Heart) Deadline() (at int64, ok bool) {
	take := func(t int64) {
		if !ok || t < at {
			at, ok = t, true
		}
	}
	if len(h.presses) > 0 {
		take(h.presses[0].due)
	}
	if len(h.due) > 0 {
		take(h.due[0].due)
	}
	if h.heard == never {
		if at, wanted := h.still.Deadline(); wanted {
			take(at)
		}
	} else if !h.over && h.asked != h.ev.end() {
		take(h.ev.last().at + quietEndUS)
	}
	return at, ok
}

// Wake handles everything that is due at the given instant, in order.
func (h *Heart) Wake(now int64) {
	for {
		switch {
		case len(h.presses) > 0 && h.presses[0].due <= now && (len(h.due) == 0 || h.presses[0].due <= h.due[0].due):
			pr := h.presses[0]
			h.presses = h.presses[:copy(h.presses, h.presses[1:])]
			h.explain(&pr)
		case len(h.due) > 0 && h.due[0].due <= now:
			d := h.due[0]
			h.due = h.due[:copy(h.due, h.due[1:])]
			h.decide(d)
		default:
			h.endedQuietly(now)
			if h.heard == never {
				h.still.Wake(now)
			}
			return
		}
	}
}

// explain continues every story by a press.
func (h *Heart) explain(pr *press) {
	if h.over {
		return
	}
	var all []*Story
	for _, st := range h.stories {
		h.read(st)
		all = append(all, h.ev.Continue(st, pr)...)
	}
	if len(all) > 0 {
		h.keep(all, pr)
	}
}

// read looks whether a promoted piece that was not read has been read meanwhile: is it the one of this story?
func (h *Heart) read(st *Story) {
	for _, d := range st.debts {
		want := st.at.place[d.sq]
		for j := max(st.have+1, h.ev.dropped); j < h.ev.end(); j++ {
			is := h.ev.at(j).place[d.sq]
			if is == legal.NoPiece || d.codes&code(is) != 0 || is.Side() != want.Side() {
				continue
			}
			if is != want {
				st.cost += ArcMisread.cost()
			}
			break
		}
	}
}

// keep merges equal stories, and drops what is too dear.
func (h *Heart) keep(all []*Story, pr *press) {
	slices.SortStableFunc(all, func(a, b *Story) int { return int(a.cost - b.cost) })
	all = merged(all)
	low := all[0].cost
	kept := all[:0:0]
	for _, st := range all {
		if len(kept) < beamWidth && st.cost-low <= dropMargin {
			kept = append(kept, st)
		}
	}
	if all[0].fresh != nil { // the runner-up is the measure of a finding: it is never truncated
		i := slices.IndexFunc(all, func(s *Story) bool { return s.fresh == nil })
		if i >= 0 && !slices.Contains(kept, all[i]) {
			kept = append(kept, all[i])
		}
	}
	h.stories = kept
	h.rank()
	h.due = append(h.due, decision{due: pr.at + decideUS, at: pr.at, plain: h.plain})
	if h.stories[0].marks == mark(ArcPly) {
		h.plain++
	}
	h.settle()
}

// merged keeps the cheapest of equal stories.
func merged(sorted []*Story) []*Story {
	seen := make(map[key]bool, len(sorted))
	kept := sorted[:0]
	for _, st := range sorted {
		if k := st.key(); !seen[k] {
			seen[k] = true
			kept = append(kept, st)
		}
	}
	return kept
}

// rank makes costs relative to the best story.
func (h *Heart) rank() {
	slices.SortStableFunc(h.stories, func(a, b *Story) int { return int(a.cost - b.cost) })
	low := h.stories[0].cost
	for _, st := range h.stories {
		st.cost -= low
	}
}

// settle takes the plies that all stories near the best share.
func (h *Heart) settle() {
	best := h.stories[0].line.list()
	n := len(best)
	for _, st := range h.stories[1:] {
		if st.cost > settleMargin {
			continue
		}
		line := st.line.list()
		i := 0
		for i < n && i < len(line) && same(best[i], line[i]) {
			i++
		}
		n = i
	}
	for i := range min(len(h.settled), n) {
		if !same(h.settled[i], best[i]) {
			h.Reversed++
			break
		}
	}
	if n >= len(h.settled) || !same(h.settled[n-min(n, 1)], best[n-min(n, 1)]) {
		h.settled = best[:n]
	}
	have := h.ev.end()
	for _, st := range h.stories {
		have = min(have, st.have)
	}
	for _, p := range h.presses {
		have = min(have, p.first)
	}
	h.ev.forget(have)
}

func same(a, b *ply) bool { return a == b || a.uci == b.uci }

// list is the line from its beginning.
func (l *ply) list() []*ply {
	list := make([]*ply, l.count())
	for i := len(list) - 1; l != nil && i >= 0; i-- {
		list[i] = l
		l = l.prev
	}
	return list
}

// decide tells a finding, or drops the stories that hold it, once nothing more is waited for.
func (h *Heart) decide(d decision) {
	best := h.stories[0]
	if f := best.found(d.at); f != nil {
		margin := dropMargin
		for _, st := range h.stories {
			if st.found(d.at) == nil {
				margin = min(margin, st.cost-best.cost)
			}
		}
		if margin >= tellMargin && h.trusted(d) {
			f.Margin = margin
			h.told = append(h.told, f)
			h.drop(func(s *Story) bool { return s.found(d.at) == nil })
		}
	} else {
		near := dropMargin
		for _, st := range h.stories {
			if st.found(d.at) != nil {
				near = min(near, st.cost)
			}
		}
		if near >= 10_000 {
			h.drop(func(s *Story) bool { return s.found(d.at) != nil })
		}
	}
	for _, st := range h.stories {
		st.open = slices.DeleteFunc(slices.Clone(st.open), func(f *Finding) bool { return f.At <= d.at })
	}
	h.stories = merged(h.stories)
	h.rank()
}

func (h *Heart) drop(which func(*Story) bool) {
	kept := slices.DeleteFunc(slices.Clone(h.stories), which)
	if len(kept) > 0 {
		h.stories = kept
	}
}

// trusted is a rule and no cost: after a gap nobody is accused before an ordinary press.
func (h *Heart) trusted(d decision) bool {
	gap := max(h.ev.gapAt, h.ev.lossAt)
	return gap == never || gap < d.at && d.plain >= plainPresses
}

// endedQuietly takes mate and stalemate that stand on a quiet board: no press is needed for them (FIDE Laws 5.1.1, 5.2.1).
func (h *Heart) endedQuietly(now int64) {
	last := h.ev.last()
	if h.over || h.heard == never || len(h.presses) > 0 || h.asked == h.ev.end() || now-last.at < quietEndUS {
		return
	}
	h.asked = h.ev.end()
	if !h.clock.Running && last.at > h.ev.stoppedAt {
		return
	}
	for i, st := range h.stories {
		if st.cost > tellMargin || h.ev.end()-1 <= st.have {
			continue
		}
		if h.ended(st) && i == 0 {
			h.over = true
			h.settled = st.line.list()
		}
	}
}

// ended lets a story end by a ply that ends the game, if the board shows one.
func (h *Heart) ended(st *Story) bool {
	last := h.ev.last()
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		for _, b := range h.ev.bases(st, side, h.ev.end()) {
			s := b.at.by(&last.place)
			if s == nil {
				continue
			}
			after := b.at.after(s)
			if o := after.pos.Outcome(); o != legal.Checkmate && o != legal.Stalemate {
				continue
			}
			st.line = &ply{prev: b.line, move: s.move, uci: b.at.pos.UCI(s.move), side: side, at: last.at, from: b.at, have: b.have, n: b.line.count() + 1}
			st.at, st.have, st.since = after, h.ev.end()-1, last.at
			return true
		}
	}
	return false
}

// Finish ends the game: plies that nobody pressed before the clock stood still belong to the record.
func (h *Heart) Finish(at int64) {
	for {
		due, ok := h.Deadline()
		if !ok || due > at+10*decideUS {
			break
		}
		h.Wake(due)
	}
	st := h.stories[0]
	if h.clock.Running || h.over || st.pend != nil || h.ev.stoppedAt == never {
		return
	}
	end := h.ev.end()
	for end > h.ev.dropped+1 && h.ev.at(end-1).at > h.ev.stoppedAt {
		end--
	}
	if end-1 <= st.have {
		return
	}
	stood := h.ev.at(end - 1)
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		for _, b := range h.ev.bases(st, side, end) {
			if b.at.place == stood.place && b.line != st.line {
				st.line, st.at = b.line, b.at
				return
			}
		}
	}
}

// Moves are the plies of the best story.
func (h *Heart) Moves() (list []string) {
	line := h.stories[0].line
	if h.heard == never {
		line = h.still.courses[0].line
	}
	for _, p := range line.list() {
		uci := p.uci
		if p.move == legal.NoMove {
			uci = "?"
		}
		list = append(list, uci)
	}
	return list
}

// Settled are the plies that are known for certain.
func (h *Heart) Settled() (list []string) {
	for _, p := range h.settled {
		list = append(list, p.uci)
	}
	return list
}

// Told are the findings so far.
func (h *Heart) Told() []*Finding { return h.told }
