package detector

import (
	"math/bits"
	"slices"

	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// maxChanges bounds the memory between two commits. The longest recorded turn has 6 changes, the longest simulated
// one about 40; a board that flickers for minutes must not grow the daemon.
const maxChanges = 256

// A change is one square that reads differently than before.
type change struct {
	sq      legal.Square
	was, is legal.Piece
	win     Window
	seq     Seq
	healed  bool // found by a dump, not reported by itself: the window is wide
	with    bool // it is not known whether the change before it came before it
	odd     bool // the code was none of the twelve pieces
	waited  bool // while the program stood still: the window may be seconds wide
}

// A reading says that a square counts as a piece that it does not read as: a piece that has fallen over and is there, a
// pawn that stands beside its square. It holds until the square reads otherwise.
type reading struct {
	on            bool
	reads, counts legal.Piece
	lifted        bool // the piece that is read here and counts elsewhere is in the air: it may come back

	was   legal.Piece // what was read here otherwise than it counted, until wasTo: in this turn it may have been moved or taken
	wasTo int64
}

// board is the physical board: what the squares read now, and how they came to since the last commit.
type board struct {
	live       legal.Placement
	origin     legal.Placement // live before changes[0]
	changes    []change
	folded     bool        // changes were dropped, or a gap hides some: the history is not complete
	verified   int64       // when a dump last agreed or was taken over
	known      bool        // a dump has been seen
	as         [64]reading // how squares count that do not read as they should
	unreadable bool        // a code was read since the last commit that is none of the twelve pieces
	doubt      uint64      // squares on which a piece counts that has not been read there since
	lastAt     int64       // when the board last changed
	ticks      int         // seconds that the clock counted since then: a measure of time where the record has none
	unheard    int         // 1 + how many changes there were when a gap began that no dump has closed yet; 0: there is none
	home       [3]int64    // when a piece of a side that had counted elsewhere was put back on its square
	found      int         // how many changes led to the board as it was at the end of the last gap; 0: that is settled
}

// set takes one report. It returns false where nothing changed (a duplicate).
func (b *board) set(sq legal.Square, p legal.Piece, win Window, st Stamp, healed bool) bool {
	if a := &b.as[sq]; a.on {
		switch {
		case p == a.reads:
			p, a.lifted = a.counts, false
		case p == a.counts && b.elsewhere(a):
			a.lifted = true
		default:
			a.on = false
			if a.was, a.wasTo = a.reads, win.Hi; p == a.counts && p != legal.NoPiece {
				a.was = legal.NoPiece
				b.doubt &^= 1 << sq
				b.backAtHome(p)
				b.home[p.Side()] = win.Hi
			}
		}
	} else if p != legal.NoPiece && p == a.counts {
		a.was = legal.NoPiece // put right
	}
	was := b.live[sq]
	if was == p {
		return false
	}
	if len(b.changes) == maxChanges {
		b.fold(maxChanges / 2)
	}
	b.live[sq] = p
	b.lastAt, b.ticks = st.At, 0
	b.changes = append(b.changes, change{sq: sq, was: was, is: p, win: win, seq: st.Seq, healed: healed})
	return true
}

// dumped puts the changes from n on, which a dump has found, where they belong. Nobody knows in which order they came.
// Those of the first dump after a gap were there before what the board has reported since, but for a report that was
// read before heardAt: that may have waited in the line since before the gap.
func (b *board) dumped(n int, heardAt int64) {
	for i := n + 1; i < len(b.changes); i++ {
		b.changes[i].with = true
	}
	at := b.unheard - 1
	if b.unheard = 0; at < 0 {
		return
	}
	b.found = len(b.changes)
	if at >= n || n == len(b.changes) {
		return
	}
	heard := at
	for heard < n && b.changes[heard].win.Hi < heardAt {
		b.changes[heard].with = heard > at
		heard++
	}
	reported := slices.Clone(b.changes[heard:n])
	var before, after []change
	for _, c := range b.changes[n:] {
		if slices.ContainsFunc(reported, func(r change) bool { return r.sq == c.sq }) {
			after = append(after, c) // a report was lost, or is wrong
			continue
		}
		if c.with = heard+len(before) > at; len(reported) > 0 {
			c.win.Hi = max(c.win.Lo, min(c.win.Hi, reported[0].win.Hi))
		}
		before = append(before, c)
	}
	b.found = heard + len(before)
	b.changes = append(append(append(b.changes[:heard], before...), reported...), after...)
}

// healed says that a dump has found a change since the last commit that was not reported.
func (b *board) healed() bool {
	return slices.ContainsFunc(b.changes, func(c change) bool { return c.healed })
}

// elsewhere says that a reading is of a displaced piece, which counts as standing on a square that reads empty.
func (b *board) elsewhere(a *reading) bool {
	return a.on && a.counts == legal.NoPiece && slices.ContainsFunc(b.as[:], func(o reading) bool {
		return o.on && o.reads == legal.NoPiece && o.counts == a.reads
	})
}

// backAtHome forgets where a piece stood that was lifted from there and is read on its own square again.
func (b *board) backAtHome(p legal.Piece) {
	for i := range b.as {
		if a := &b.as[i]; a.lifted && a.reads == p {
			*a = reading{}
		}
	}
}

// count makes the squares on which a press showed at, and that still read so, count as target has them, until they read
// otherwise.
func (b *board) count(at, target *legal.Placement) {
	for i, p := range target {
		if at[i] == p || b.live[i] != at[i] {
			continue
		}
		a := &b.as[i]
		if !a.on || a.lifted {
			a.reads, a.lifted = b.live[i], false
		}
		a.on, a.counts = a.reads != p, p
		b.live[i], b.origin[i] = p, p
		if a.on && a.reads == legal.NoPiece {
			b.doubt |= 1 << i
		}
	}
}

// misread returns what was read on a square when the turn began, where another piece counted there, or none. A pawn on
// its last rank is not meant: it counts as the piece that it must become.
func (b *board) misread(sq legal.Square) (p legal.Piece, ok bool) {
	a := &b.as[sq]
	if p = a.was; a.on {
		p = a.reads
	}
	switch {
	case p == legal.NoPiece:
		return p, b.doubt>>sq&1 != 0
	case p.Kind() == legal.Pawn && (sq.Rank() == 0 || sq.Rank() == 7):
		return p, false
	}
	return p, true
}

// misreads says that some square is misread.
func (b *board) misreads() bool {
	for i := range b.as {
		if _, is := b.misread(legal.Square(i)); is {
			return true
		}
	}
	return false
}

// uncounted returns the board as it reads, and whether that differs from how it counts.
func (b *board) uncounted() (raw legal.Placement, differs bool) {
	raw = b.live
	differs = b.readInto(&raw)
	return raw, differs
}

// readInto puts into a placement what the squares read that count otherwise, and says whether there are any.
func (b *board) readInto(place *legal.Placement) (differs bool) {
	for i := range b.as {
		if a := &b.as[i]; a.on && !a.lifted {
			place[i], differs = a.reads, true
		}
	}
	return differs
}

// differs returns the squares that read otherwise than they count.
func (b *board) differs() (list []legal.Square) {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if b.reads(sq) != b.live[sq] {
			list = append(list, sq)
		}
	}
	return list
}

// reads is what a square last reported, whatever it counts as.
func (b *board) reads(sq legal.Square) legal.Piece {
	if a := &b.as[sq]; a.on && !a.lifted {
		return a.reads
	}
	return b.live[sq]
}

// readOnly makes the board count as it reads.
func (b *board) readOnly() {
	for i := range b.as {
		if a := &b.as[i]; a.on && !a.lifted {
			b.live[i], b.origin[i] = a.reads, a.reads
		}
		b.as[i] = reading{}
	}
	b.doubt = 0
}

// settle ends the doubt about squares on which a piece is read now.
func (b *board) settle() {
	for set := b.doubt; set != 0; set &= set - 1 {
		if i := lowest(set); !b.as[i].on && b.live[i] != legal.NoPiece {
			b.doubt &^= 1 << i
		}
	}
}

// unread says whether a piece of the side counts as standing where nothing is read.
func (b *board) unread(s legal.Side) bool {
	for i := range b.as {
		if b.as[i].on && b.as[i].reads == legal.NoPiece && b.as[i].counts.Side() == s {
			return true
		}
	}
	return false
}

// reportedLast is when the board last reported a change by itself.
func (b *board) reportedLast() int64 {
	for i := len(b.changes) - 1; i >= 0; i-- {
		if !b.changes[i].healed {
			return b.changes[i].win.Hi
		}
	}
	return 0
}

// bothPut says that pieces of both sides were put down.
func (b *board) bothPut() bool {
	var put [3]bool
	for i := range b.changes {
		put[b.changes[i].is.Side()] = true
	}
	return put[legal.White] && put[legal.Black]
}

// putBy is when the board reported the piece of a ply where it went: at last before the ply was known, or else after
// that; 0: it is not known.
func (b *board) putBy(s *play.Step) (at int64) {
	place := s.After.Placement()
	for i := range b.changes {
		if c := &b.changes[i]; !s.Broken && c.sq == s.Move.To() && c.is == place[c.sq] && (at == 0 || c.win.Hi <= s.At) {
			at = c.win.Hi
		}
	}
	return at
}

// changesUntil is how many changes there were until a time.
func (b *board) changesUntil(at int64) (n int) {
	for n < len(b.changes) && b.changes[n].win.Hi <= at {
		n++
	}
	return n
}

// after returns the board after the first n changes.
func (b *board) after(n int) legal.Placement {
	p := b.origin
	for _, c := range b.changes[:n] {
		p[c.sq] = c.is
	}
	return p
}

// fold drops the first n changes into the origin.
func (b *board) fold(n int) {
	for _, c := range b.changes[:n] {
		b.origin[c.sq] = c.is
	}
	b.changes = b.changes[:copy(b.changes, b.changes[n:])]
	b.folded = true
	if b.unheard > 0 {
		b.unheard = max(b.unheard-n, 1)
	}
	b.found = max(b.found-n, 0)
}

// account takes the squares in a set as they are for what the turn began with.
func (b *board) account(set uint64) {
	for sq := range b.live {
		if set>>sq&1 != 0 {
			b.origin[sq] = b.live[sq]
		}
	}
	b.changes = slices.DeleteFunc(b.changes, func(c change) bool { return set>>c.sq&1 != 0 })
}

// stoodAs has another piece stand on a square when the turn began, and until the square changed first.
func (b *board) stoodAs(sq legal.Square, p legal.Piece) {
	for i := range b.changes {
		if c := &b.changes[i]; c.sq == sq {
			b.origin[sq], c.was = p, p
			return
		}
	}
}

// rebase starts a new history after the first n changes, as a commit does.
func (b *board) rebase(n int) {
	if n > 0 {
		for i := range b.as {
			if a := &b.as[i]; a.wasTo <= b.changes[n-1].win.Hi {
				a.was = legal.NoPiece
			}
		}
	}
	b.fold(n)
	b.folded, b.unreadable = false, false
}

// reportedAt is when the last of the first n changes was reported, negative: of all; 0 where there is none.
func (b *board) reportedAt(n int) int64 {
	if n < 0 {
		n = len(b.changes)
	}
	if n == 0 {
		return 0
	}
	return b.changes[n-1].win.Hi
}

// clear starts a new history at the board as it is.
func (b *board) clear() { b.rebase(len(b.changes)) }

// rotate turns the board by 180 degrees: White was found to sit at the other side.
func (b *board) rotate() {
	b.live = rotated(b.live)
	for i := 0; i < 32; i++ {
		b.as[i], b.as[63-i] = b.as[63-i], b.as[i]
	}
	b.doubt = bits.Reverse64(b.doubt)
	b.origin = rotated(b.origin)
	for i := range b.changes {
		b.changes[i].sq = 63 - b.changes[i].sq
	}
}

func rotated(p legal.Placement) legal.Placement {
	var r legal.Placement
	for i, pc := range p {
		r[63-i] = pc
	}
	return r
}

// seen returns after how many changes the board last read exactly target, or -1.
func (b *board) seen(target *legal.Placement) int {
	wrong, found := squares(difference(&b.origin, target)), -1
	if wrong == 0 {
		found = 0
	}
	for i, c := range b.changes {
		t := target[c.sq]
		if c.was != t {
			wrong--
		}
		if c.is != t {
			wrong++
		}
		if wrong == 0 && (i+1 == len(b.changes) || !b.changes[i+1].with) {
			found = i + 1
		}
	}
	return found
}

// stood returns how long the board stayed as it was after the first n changes, in microseconds; what still stands has
// stood for ever.
func (b *board) stood(n int) int64 {
	if n >= len(b.changes) {
		return 1 << 62
	}
	if n == 0 {
		return 0 // since before the history
	}
	return b.changes[n].win.Hi - b.changes[n-1].win.Hi
}

// reported says whether every square on which mid differs from from was reported to read as mid has it, at whatever
// time.
func (b *board) reported(from, mid *legal.Placement) bool {
	missing := difference(from, mid)
	for _, c := range b.changes {
		if c.is == mid[c.sq] {
			missing &^= 1 << c.sq
		}
	}
	return missing == 0
}

// stoodThere says that the piece of the i-th change, which is gone again, was no piece on its way: it stood for a
// while, or a dump has found it there.
func (b *board) stoodThere(i int) bool {
	at := &b.changes[i]
	for j := i + 1; j < len(b.changes); j++ {
		switch c := &b.changes[j]; {
		case c.sq == at.sq:
			return at.healed || !c.healed && c.win.Hi-at.win.Hi >= stoodUS
		case c.is == at.is && c.win.Hi-at.win.Hi < stoodUS:
			return at.healed // it goes on
		}
	}
	return false
}

// placed is the first change that put a piece on a square, or nil.
func (b *board) placed(sq legal.Square, p legal.Piece) *change {
	for i := range b.changes {
		if c := &b.changes[i]; c.sq == sq && c.is == p {
			return c
		}
	}
	return nil
}

// unlike says that a dump showed this change when the other one was not on the board yet. Two reports of one scan come
// in the order of the squares, and not of time.
func (c *change) unlike(other *change) bool { return other != nil && c.healed && c.seq < other.seq }

// touched returns the squares that changed since the last commit.
func (b *board) touched() (set uint64) {
	for _, c := range b.changes {
		set |= 1 << c.sq
	}
	return set
}

// difference returns the squares on which two placements differ.
func difference(a, b *legal.Placement) (set uint64) { return play.Difference(a, b) }
