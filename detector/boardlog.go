package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// This file handles plies that were not seen, and the board's own log, which may show them. The log completes the
// record; it is no evidence against anybody.

// howKnown is how the plies that led to a position of the record are known.
type howKnown uint8

const (
	_        howKnown = iota // they were seen
	chosen                   // several rows lead there, and one was chosen
	notKnown                 // they were reported as not known
)

// markChosen marks the unseen plies after a ply of the record as one chosen row among possible ones.
func (t *Tracker) markChosen(ply int) {
	for i := len(t.g.nodes) - 1; i > 0 && t.g.nodes[i].ply > ply; i-- {
		if n := &t.g.nodes[i]; n.unseen == 0 {
			n.unseen, t.holesUnread = chosen, true
		}
	}
}

// A Hole is a part of the record that was not seen, with the record around it.
type Hole struct {
	Game int
	From int // the first ply that was not seen
	Next int // the first ply after those that were not seen
	// SpanFrom is the first ply of the hole that was reported as not known; 0: none was, and one row was chosen.
	SpanFrom int

	way   []play.Station
	whole bool

	several bool // it contains several spans
	a, b    int  // the nodes before and after it
}

// The log must also show these numbers of plies of the record before and after a hole, if the record has them.
const (
	pliesBefore = 2
	pliesAfter  = 4
)

// Unseen reports whether the game has a hole for which the board's log has not been requested.
func (t *Tracker) Unseen() bool { return t.holesUnread }

// Looked notes that all holes have been looked for in a log. A later log may still fill those that are left, together
// with what follows them.
func (t *Tracker) Looked() { t.holesUnread = false }

// MarkKnown marks the plies of a hole as known.
func (t *Tracker) MarkKnown(h *Hole) {
	for i := h.a + 1; i <= h.b && i < len(t.g.nodes); i++ {
		t.g.nodes[i].unseen = 0
	}
}

// Holes lists the holes of the game, the oldest first.
func (t *Tracker) Holes() (list []Hole) {
	nodes := t.g.nodes
	for b := 1; b < len(nodes); b++ {
		if nodes[b].unseen == 0 {
			continue
		}
		a := b - 1
		for b+1 < len(nodes) && nodes[b+1].unseen != 0 {
			b++
		}
		if h, ok := t.hole(a, b); ok {
			list = append(list, h)
		}
	}
	return list
}

// hole describes the hole between two nodes. It returns false where the hole contains anything but legal plies.
func (t *Tracker) hole(a, b int) (h Hole, ok bool) {
	nodes := t.g.nodes
	h = Hole{Game: t.games, From: nodes[a].ply + 1, Next: nodes[b].ply + 1, a: a, b: b}
	for i := a + 1; i <= b; i++ {
		switch n := &nodes[i]; {
		case n.wrong.on || n.assumedPromotion.move != 0:
			return h, false
		case n.unseen == notKnown && h.SpanFrom != 0:
			h.several = true
		case n.unseen == notKnown:
			h.SpanFrom = nodes[i-1].ply + 1
		}
	}
	h.way = append(t.wayTo(a), play.Station{Pos: nodes[b].pos, Free: true})
	i := b + 1
	for ; i < len(nodes) && i-b <= pliesAfter && (nodes[i].unseen != 0 || t.follows(i)); i++ {
		h.way = append(h.way, play.Station{Pos: nodes[i].pos, Free: nodes[i].unseen != 0})
	}
	h.whole = i == len(nodes)
	return h, true
}

// wayTo returns the positions up to a node, the last plies of which were seen.
func (t *Tracker) wayTo(a int) (way []play.Station) {
	first := a
	for first > 0 && a-first < pliesBefore && t.follows(first) {
		first--
	}
	for i := first; i <= a; i++ {
		way = append(way, play.Station{Pos: t.g.nodes[i].pos})
	}
	return way
}

// Unexplained returns the hole between the record and the present board. It returns false where there is none, or where
// no ply leads to such a board.
func (t *Tracker) Unexplained() (h Hole, ok bool) {
	if t.phase != playing {
		return h, false
	}
	base := t.g.last()
	if !t.trust.boardUnexplained || base.place == t.b.Live || base.wrong.on || base.assumedPromotion.move != 0 {
		return h, false
	}
	a := len(t.g.nodes) - 1
	pos, ok := t.positionFrom(t.b.Live, base.pos.Turn())
	if !ok {
		pos, ok = t.positionFrom(t.b.Live, base.pos.Turn().Other())
	}
	h = Hole{Game: t.games, From: base.ply + 1, a: a, b: a, whole: true}
	h.way = append(t.wayTo(a), play.Station{Pos: pos, Free: true, Either: true})
	return h, ok
}

// Commit commits the plies of a row up to the present board. The last one stays open where it is not pressed yet.
func (t *Tracker) Commit(st evidence.Stamp, row []play.LoggedPly) (n int) {
	t.now = st
	t.sync.active, t.sync.at = false, 0
	if n = len(row); row[n-1].Sec < 0 {
		n--
	}
	var moves []legal.Move
	for _, p := range row[:n] {
		moves = append(moves, p.Move)
	}
	t.commitRow(moves, ByPress)
	return n
}

// ExtendToLastPosition returns a hole that reaches to the last position of the record, which the board shows: the plies
// after the hole were misunderstood because of it. It returns false where the part contains anything but plies.
func (t *Tracker) ExtendToLastPosition(h Hole) (Hole, bool) {
	nodes := t.g.nodes
	for i := h.a + 1; i < len(nodes); i++ {
		if n := &nodes[i]; n.wrong.on || n.assumedPromotion.move != 0 {
			return h, false
		}
	}
	first := slices.IndexFunc(h.way, func(s play.Station) bool { return s.Free })
	h.way = slices.Clone(h.way[:first+1])
	h.b, h.whole = len(nodes)-1, true
	last := &h.way[first]
	last.Pos, last.Either = nodes[h.b].pos, true
	h.Next = nodes[h.b].ply + 1
	return h, nodes[h.b].place == t.b.Live
}

// follows reports whether a node follows the one before by one legal ply that was seen.
func (t *Tracker) follows(i int) bool {
	n, before := &t.g.nodes[i], &t.g.nodes[i-1]
	if n.unseen != 0 || n.wrong.on || before.wrong.on || n.ply != before.ply+1 {
		return false
	}
	_, ok := play.OnePly(&before.pos, &n.place)
	return ok
}

// Fill looks for the plies of a hole in a log. It returns false where the log does not show exactly one legal row that
// fits.
func (h *Hole) Fill(log []play.Logged) (row []play.LoggedPly, ok bool) {
	return play.Between(log, h.way, h.whole)
}

// Span returns those plies of a filling row that were reported as not known. It returns false where the record has
// other plies around them than the row.
func (t *Tracker) Span(h *Hole, row []play.LoggedPly) ([]play.LoggedPly, bool) {
	nodes := t.g.nodes
	at := h.a + 1
	for at < h.b && nodes[at].unseen != notKnown {
		at++
	}
	before, after := at-1-h.a, h.b-at
	if h.several || before+after >= len(row) {
		return nil, false
	}
	pos := nodes[h.a].pos
	for i, p := range row {
		pos = pos.After(p.Move)
		n := h.a + 1 + i
		switch {
		case i < before:
		case i < len(row)-after-1:
			continue
		default:
			n = h.b - (len(row) - 1 - i)
		}
		if pos.Placement() != nodes[n].place {
			return nil, false
		}
	}
	return row[before : len(row)-after], true
}

// Correct replaces a chosen row by another row of as many plies, and reports again the plies that differ. It returns
// false where none differs, or the record has no such row.
func (t *Tracker) Correct(st evidence.Stamp, h *Hole, row []play.LoggedPly) (told bool) {
	t.now = st
	nodes := t.g.nodes
	if h.SpanFrom != 0 || len(row) != h.b-h.a {
		return false
	}
	old := make([]legal.Move, len(row))
	for i := range row {
		m, ok := play.OnePly(&nodes[h.a+i].pos, &nodes[h.a+1+i].place)
		if !ok {
			return false
		}
		old[i] = m
	}
	was := nodes[h.a].pos
	pos := was
	for i, p := range row {
		n := &nodes[h.a+1+i]
		if old[i] != p.Move || was.SAN(old[i]) != pos.SAN(p.Move) {
			t.emit(Moved{Stamp: t.now, Game: t.games, Ply: n.ply, Before: pos, Move: p.Move, By: ByPress, Corrects: true})
			told = true
		}
		was, pos = n.pos, pos.After(p.Move)
		if i < len(row)-1 {
			n.pos, n.place = pos, pos.Placement()
		}
	}
	return told
}

// Rewrite goes back to the position before a hole, reports the plies of a row in place of those of the record, and the
// plies after the hole again. It returns false where anything but single plies comes after it, or the game is over.
func (t *Tracker) Rewrite(st evidence.Stamp, h *Hole, row []play.LoggedPly) bool {
	t.now = st
	nodes := t.g.nodes
	base := &nodes[h.a]
	pos := base.pos
	var list []node
	var moves []Moved
	add := func(m legal.Move, clock evidence.Times, by CommittedBy) {
		before := pos
		pos = pos.After(m)
		list = append(list, node{pos: pos, place: pos.Placement(), ply: base.ply + len(list) + 1, clock: clock, by: by})
		moves = append(moves, Moved{Before: before, Move: m})
	}
	for _, p := range row {
		add(p.Move, evidence.Times{}, ByPress)
	}
	for i := h.b + 1; i < len(nodes); i++ {
		n := &nodes[i]
		m, ok := play.OnePly(&pos, &n.place)
		if !ok || !t.follows(i) || n.assumedPromotion.move != 0 {
			return false
		}
		add(m, n.clock, n.by)
	}
	if now := t.g.pos(); t.phase != playing || t.Shows(h, row) || pos.Turn() != now.Turn() && (h.b+1 < len(nodes) || pos.Placement() != t.b.Live) {
		return false
	}
	t.g.nodes = nodes[:h.a+1]
	t.drawsTold.goBack(base.ply)
	t.emit(TakenBack{Stamp: t.now, Game: t.games, Ply: base.ply})
	if h.b+1 == len(nodes) {
		t.b.Clear()
		t.clearDoubts()
	}
	for i := range list {
		n := &list[i]
		t.g.grow(*n)
		t.emit(Moved{Stamp: t.now, Game: t.games, Ply: n.ply, Before: moves[i].Before, Move: moves[i].Move, Clock: n.clock, By: n.by, Differs: t.b.Differs()})
	}
	return true
}

// Shows reports whether the record already has the plies of the row.
func (t *Tracker) Shows(h *Hole, row []play.LoggedPly) bool {
	if len(row) != h.b-h.a {
		return false
	}
	pos := t.g.nodes[h.a].pos
	for i, p := range row {
		pos = pos.After(p.Move)
		if n := &t.g.nodes[h.a+1+i]; pos.Placement() != n.place || pos.Turn() != n.pos.Turn() {
			return false
		}
	}
	return true
}
