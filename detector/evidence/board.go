package evidence

import (
	"math/bits"
	"slices"

	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// Fits reports whether the n-th change completes a ply of s on the board: each of its squares reads as the ply leaves
// it, and among the others at most one opponent's piece is missing, which was lifted since the first changes.
func (b *Board) Fits(s legal.Side, before, place, board *legal.Placement, first, n int) bool {
	c := &b.Changes[n-1]
	if c.Is != place[c.Square] || before[c.Square] == place[c.Square] {
		return false
	}
	rest := play.Difference(place, board)
	if rest&play.Difference(before, place) != 0 || play.Count(rest) > 1 {
		return false
	}
	return rest == 0 || place[play.Lowest(rest)].Side() == s.Other() && b.Lifted(rest, first, n)
}

// Lifted reports whether the pieces of these squares were lifted between the first and the n-th change, and are off the
// board.
func (b *Board) Lifted(set uint64, first, n int) bool {
	var air uint64
	for _, c := range b.Changes[first:n] {
		if air &^= 1 << c.Square; c.Is == legal.NoPiece {
			air |= 1 << c.Square
		}
	}
	return set&^air == 0
}

// MaxChanges bounds the memory between two commits. The longest recorded turn has 6 changes, the longest simulated
// one about 40; a board that flickers for minutes must not grow the daemon.
const MaxChanges = 256

// A Reading makes a square count as a piece that it does not read as: a piece that has fallen over and is there, a pawn
// that is beside its square. It holds until the square reads otherwise.
type Reading struct {
	Differs       bool // the square counts as another piece than it reads
	Reads, Counts legal.Piece
	InHand        bool // the piece that is read here and counts elsewhere is in a hand: it may come back

	// Until wasTo: what was read here, where another piece counted. In this turn it may have been moved or captured.
	was   legal.Piece
	WasTo int64
}

// Board is the physical board: what the squares read now, and the changes since the last commit.
type Board struct {
	Live              legal.Placement // how the board counts now
	Origin            legal.Placement // Live before Changes[0]
	Changes           []Change        // since the last commit, in the order of their reports
	HistoryIncomplete bool            // changes were dropped, or a gap hides some: the history is not complete
	Verified          int64           // when a dump last agreed or was adopted
	Known             bool            // a dump has been seen
	Readings          [64]Reading     // squares that count otherwise than they read
	Unreadable        bool            // a code was read since the last commit that is none of the twelve pieces
	CountedUnread     uint64          // squares on which a piece counts without having been read there since
	LastAt            int64           // when the board last changed
	Ticks             int             // seconds that the clock counted since then: a measure of time where the record has none
	GapFromChange     int             // 1 + the number of changes when a gap began that no dump has closed; 0: none
	PutBackAt         [3]int64        // when a piece of a side that had counted elsewhere was put back on its square
	GapToChange       int             // changes that led to the board at the end of the last gap; 0: that is settled
}

// Set enters one report. It returns false where nothing changed (a duplicate).
func (b *Board) Set(sq legal.Square, p legal.Piece, win Window, st Stamp, fromDump bool) bool {
	if a := &b.Readings[sq]; a.Differs {
		switch {
		case p == a.Reads:
			p, a.InHand = a.Counts, false
		case p == a.Counts && b.elsewhere(a):
			a.InHand = true
		default:
			a.Differs = false
			if a.was, a.WasTo = a.Reads, win.Hi; p == a.Counts && p != legal.NoPiece {
				a.was = legal.NoPiece
				b.CountedUnread &^= 1 << sq
				b.backAtHome(p)
				b.PutBackAt[p.Side()] = win.Hi
			}
		}
	} else if p != legal.NoPiece && p == a.Counts {
		a.was = legal.NoPiece // put right
	}
	was := b.Live[sq]
	if was == p {
		return false
	}
	if len(b.Changes) == MaxChanges {
		b.fold(MaxChanges / 2)
	}
	b.Live[sq] = p
	b.LastAt, b.Ticks = st.At, 0
	b.Changes = append(b.Changes, Change{Square: sq, Was: was, Is: p, Window: win, Seq: st.Seq, FromDump: fromDump})
	return true
}

// Dumped puts the changes from n on, which a dump has found, where they belong. Their order among each other is
// unknown. Those of the first dump after a gap come before the changes that the board has reported since, except
// reports read before heardAt, which may have waited in the line since before the gap.
func (b *Board) Dumped(n int, heardAt int64) {
	for i := n + 1; i < len(b.Changes); i++ {
		b.Changes[i].Unordered = true
	}
	at := b.GapFromChange - 1
	if b.GapFromChange = 0; at < 0 {
		return
	}
	b.GapToChange = len(b.Changes)
	if at >= n || n == len(b.Changes) {
		return
	}
	heard := at
	for heard < n && b.Changes[heard].Window.Hi < heardAt {
		b.Changes[heard].Unordered = heard > at
		heard++
	}
	reported := slices.Clone(b.Changes[heard:n])
	var before, after []Change
	for _, c := range b.Changes[n:] {
		if slices.ContainsFunc(reported, func(r Change) bool { return r.Square == c.Square }) {
			after = append(after, c) // a report was lost, or is wrong
			continue
		}
		if c.Unordered = heard+len(before) > at; len(reported) > 0 {
			c.Window.Hi = max(c.Window.Lo, min(c.Window.Hi, reported[0].Window.Hi))
		}
		before = append(before, c)
	}
	b.GapToChange = heard + len(before)
	b.Changes = append(append(append(b.Changes[:heard], before...), reported...), after...)
}

// FromDump reports whether a dump has found a change since the last commit that was not reported.
func (b *Board) FromDump() bool {
	return slices.ContainsFunc(b.Changes, func(c Change) bool { return c.FromDump })
}

// elsewhere reports whether a reading is of a displaced piece, which counts on a square that reads empty.
func (b *Board) elsewhere(a *Reading) bool {
	return a.Differs && a.Counts == legal.NoPiece && slices.ContainsFunc(b.Readings[:], func(o Reading) bool {
		return o.Differs && o.Reads == legal.NoPiece && o.Counts == a.Reads
	})
}

// backAtHome forgets the square of a displaced piece that was lifted from there and is read on its own square again.
func (b *Board) backAtHome(p legal.Piece) {
	for i := range b.Readings {
		if a := &b.Readings[i]; a.InHand && a.Reads == p {
			*a = Reading{}
		}
	}
}

// Count makes squares count as target has them, until they read otherwise. It applies to squares on which a press
// showed at, and which still read so.
func (b *Board) Count(at, target *legal.Placement) {
	for i, p := range target {
		if at[i] == p || b.Live[i] != at[i] {
			continue
		}
		a := &b.Readings[i]
		if !a.Differs || a.InHand {
			a.Reads, a.InHand = b.Live[i], false
		}
		a.Differs, a.Counts = a.Reads != p, p
		b.Live[i], b.Origin[i] = p, p
		if a.Differs && a.Reads == legal.NoPiece {
			b.CountedUnread |= 1 << i
		}
	}
}

// Misread returns what was read on a square when the turn began, where another piece or none counted there. It leaves
// out a pawn on its last rank, which counts as the piece that it must become.
func (b *Board) Misread(sq legal.Square) (p legal.Piece, ok bool) {
	a := &b.Readings[sq]
	if p = a.was; a.Differs {
		p = a.Reads
	}
	switch {
	case p == legal.NoPiece:
		return p, b.CountedUnread>>sq&1 != 0
	case p.Kind() == legal.Pawn && (sq.Rank() == 0 || sq.Rank() == 7):
		return p, false
	}
	return p, true
}

// Misreads reports whether some square is misread.
func (b *Board) Misreads() bool {
	for i := range b.Readings {
		if _, is := b.Misread(legal.Square(i)); is {
			return true
		}
	}
	return false
}

// Uncounted returns the board as it reads, and whether that differs from how it counts.
func (b *Board) Uncounted() (raw legal.Placement, differs bool) {
	raw = b.Live
	differs = b.ReadInto(&raw)
	return raw, differs
}

// ReadInto puts into a placement what the squares read that count otherwise, and reports whether there are any.
func (b *Board) ReadInto(place *legal.Placement) (differs bool) {
	for i := range b.Readings {
		if a := &b.Readings[i]; a.Differs && !a.InHand {
			place[i], differs = a.Reads, true
		}
	}
	return differs
}

// Differs returns the squares that read otherwise than they count.
func (b *Board) Differs() (list []legal.Square) {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if b.Reads(sq) != b.Live[sq] {
			list = append(list, sq)
		}
	}
	return list
}

// Reads returns what a square last reported, whatever it counts as.
func (b *Board) Reads(sq legal.Square) legal.Piece {
	if a := &b.Readings[sq]; a.Differs && !a.InHand {
		return a.Reads
	}
	return b.Live[sq]
}

// ReadOnly makes the board count as it reads.
func (b *Board) ReadOnly() {
	for i := range b.Readings {
		if a := &b.Readings[i]; a.Differs && !a.InHand {
			b.Live[i], b.Origin[i] = a.Reads, a.Reads
		}
		b.Readings[i] = Reading{}
	}
	b.CountedUnread = 0
}

// Settle ends the doubt about squares on which a piece is read now.
func (b *Board) Settle() {
	for set := b.CountedUnread; set != 0; set &= set - 1 {
		if i := play.Lowest(set); !b.Readings[i].Differs && b.Live[i] != legal.NoPiece {
			b.CountedUnread &^= 1 << i
		}
	}
}

// Unread reports whether a piece of the side counts on a square that reads empty.
func (b *Board) Unread(s legal.Side) bool {
	for i := range b.Readings {
		if b.Readings[i].Differs && b.Readings[i].Reads == legal.NoPiece && b.Readings[i].Counts.Side() == s {
			return true
		}
	}
	return false
}

// ReportedLast returns when the board last reported a change by itself.
func (b *Board) ReportedLast() int64 {
	for i := len(b.Changes) - 1; i >= 0; i-- {
		if !b.Changes[i].FromDump {
			return b.Changes[i].Window.Hi
		}
	}
	return 0
}

// BothPut reports whether pieces of both sides were put down.
func (b *Board) BothPut() bool {
	var put [3]bool
	for i := range b.Changes {
		put[b.Changes[i].Is.Side()] = true
	}
	return put[legal.White] && put[legal.Black]
}

// PutBy returns when the board reported the piece of a ply on its target square: the last time before the ply was
// known, or else the first after that; 0: it is unknown.
func (b *Board) PutBy(s *play.Step) (at int64) {
	place := s.After.Placement()
	for i := range b.Changes {
		if c := &b.Changes[i]; !s.Broken && c.Square == s.Move.To() && c.Is == place[c.Square] && (at == 0 || c.Window.Hi <= s.At) {
			at = c.Window.Hi
		}
	}
	return at
}

// ChangesUntil returns the number of changes up to a time.
func (b *Board) ChangesUntil(at int64) (n int) {
	for n < len(b.Changes) && b.Changes[n].Window.Hi <= at {
		n++
	}
	return n
}

// After returns the board after the first n changes.
func (b *Board) After(n int) legal.Placement {
	p := b.Origin
	for _, c := range b.Changes[:n] {
		p[c.Square] = c.Is
	}
	return p
}

// fold drops the first n changes into the origin.
func (b *Board) fold(n int) {
	for _, c := range b.Changes[:n] {
		b.Origin[c.Square] = c.Is
	}
	b.Changes = b.Changes[:copy(b.Changes, b.Changes[n:])]
	b.HistoryIncomplete = true
	if b.GapFromChange > 0 {
		b.GapFromChange = max(b.GapFromChange-n, 1)
	}
	b.GapToChange = max(b.GapToChange-n, 0)
}

// Absorb makes the squares of a set count in the origin as they are now, and drops their changes.
func (b *Board) Absorb(set uint64) {
	for sq := range b.Live {
		if set>>sq&1 != 0 {
			b.Origin[sq] = b.Live[sq]
		}
	}
	b.Changes = slices.DeleteFunc(b.Changes, func(c Change) bool { return set>>c.Square&1 != 0 })
}

// AssumeAtStart makes another piece count on a square from the beginning of the turn until the square first changed.
func (b *Board) AssumeAtStart(sq legal.Square, p legal.Piece) {
	for i := range b.Changes {
		if c := &b.Changes[i]; c.Square == sq {
			b.Origin[sq], c.Was = p, p
			return
		}
	}
}

// Rebase starts a new history after the first n changes, as a commit does.
func (b *Board) Rebase(n int) {
	if n > 0 {
		for i := range b.Readings {
			if a := &b.Readings[i]; a.WasTo <= b.Changes[n-1].Window.Hi {
				a.was = legal.NoPiece
			}
		}
	}
	b.fold(n)
	b.HistoryIncomplete, b.Unreadable = false, false
}

// ReportedAt returns when the last of the first n changes was reported (of all for a negative n); 0 where there is
// none.
func (b *Board) ReportedAt(n int) int64 {
	if n < 0 {
		n = len(b.Changes)
	}
	if n == 0 {
		return 0
	}
	return b.Changes[n-1].Window.Hi
}

// DropSince forgets the changes since a time, if all of them have been undone.
func (b *Board) DropSince(at int64) {
	if n := b.ChangesUntil(at); b.After(n) == b.Live {
		b.Changes = b.Changes[:n]
	}
}

// Clear starts a new history at the board as it is.
func (b *Board) Clear() { b.Rebase(len(b.Changes)) }

// Rotate turns the board by 180 degrees, when White was found to sit at the other side.
func (b *Board) Rotate() {
	b.Live = play.Rotated(b.Live)
	for i := 0; i < 32; i++ {
		b.Readings[i], b.Readings[63-i] = b.Readings[63-i], b.Readings[i]
	}
	b.CountedUnread = bits.Reverse64(b.CountedUnread)
	b.Origin = play.Rotated(b.Origin)
	for i := range b.Changes {
		b.Changes[i].Square = 63 - b.Changes[i].Square
	}
}

// Seen returns the number of changes after which the board last read exactly target, or -1.
func (b *Board) Seen(target *legal.Placement) int {
	wrong, found := play.Count(play.Difference(&b.Origin, target)), -1
	if wrong == 0 {
		found = 0
	}
	for i, c := range b.Changes {
		t := target[c.Square]
		if c.Was != t {
			wrong--
		}
		if c.Is != t {
			wrong++
		}
		if wrong == 0 && (i+1 == len(b.Changes) || !b.Changes[i+1].Unordered) {
			found = i + 1
		}
	}
	return found
}

// Stood returns how long the board stayed as it was after the first n changes, in microseconds; the present board
// counts as staying for ever.
func (b *Board) Stood(n int) int64 {
	if n >= len(b.Changes) {
		return 1 << 62
	}
	if n == 0 {
		return 0 // since before the history
	}
	return b.Changes[n].Window.Hi - b.Changes[n-1].Window.Hi
}

// Reported reports whether every square on which mid differs from from was at some time reported to read as mid has it.
func (b *Board) Reported(from, mid *legal.Placement) bool {
	missing := play.Difference(from, mid)
	for _, c := range b.Changes {
		if c.Is == mid[c.Square] {
			missing &^= 1 << c.Square
		}
	}
	return missing == 0
}

// OnTheWay reports whether the piece that was on a square after n changes was only slid over it: it left the square
// within the time that a slide takes, and no piece of the opponent's has captured it.
func (b *Board) OnTheWay(sq legal.Square, n int, within int64) bool {
	if n <= 0 {
		return false
	}
	piece, left := b.After(n)[sq], false
	for _, c := range b.Changes[n:] {
		switch {
		case c.Square != sq:
		case c.Is.Side() == piece.Side().Other():
			return false
		case !left && (c.FromDump || c.Is != legal.NoPiece || c.Window.Hi-b.Changes[n-1].Window.Hi >= within):
			return false
		default:
			left = true
		}
	}
	return left
}

// StoodThere reports whether the piece of the i-th change, which has left again, was more than passing: it stayed for a
// while, or a dump has found it there.
func (b *Board) StoodThere(i int) bool {
	at := &b.Changes[i]
	for j := i + 1; j < len(b.Changes); j++ {
		switch c := &b.Changes[j]; {
		case c.Square == at.Square:
			return at.FromDump || !c.FromDump && c.Window.Hi-at.Window.Hi >= StoodUS
		case c.Is == at.Is && c.Window.Hi-at.Window.Hi < StoodUS:
			return at.FromDump // it has moved on
		}
	}
	return false
}

// Placed returns the first change that put a piece on a square, or nil.
func (b *Board) Placed(sq legal.Square, p legal.Piece) *Change {
	for i := range b.Changes {
		if c := &b.Changes[i]; c.Square == sq && c.Is == p {
			return c
		}
	}
	return nil
}

// Touched returns the squares that changed since the last commit.
func (b *Board) Touched() (set uint64) {
	for _, c := range b.Changes {
		set |= 1 << c.Square
	}
	return set
}

// OnlyUnread returns the only square that reads empty and counts as the given piece.
func (b *Board) OnlyUnread(p legal.Piece) (sq legal.Square, only bool) {
	for i := range b.Readings {
		if a := &b.Readings[i]; a.Differs && a.Reads == legal.NoPiece && a.Counts == p {
			if only {
				return sq, false
			}
			sq, only = legal.Square(i), true
		}
	}
	return sq, only
}

// StoodUS is how long a placement must have been on the board to be a move that was answered by resignation, and not a
// square on the way: four board scans. In a recording without times two ticks of the clock are the same.
const (
	StoodUS    = 1_000_000
	StoodTicks = 2
)

// Credit returns the weight of having seen the board as it was after n changes. It is double where the board stayed so,
// or where a dump showed it, since a dump hardly ever falls into the moment in which a piece passes.
func (b *Board) Credit(n int) int {
	if b.Stood(n) >= play.StillUS || n > 0 && b.Changes[n-1].FromDump {
		return 200
	}
	return 100
}

// WentOn reports whether the piece of a ply left again at once by its player's next ply, before the reply between them
// was put down: the piece was on its way.
func (b *Board) WentOn(m, next legal.Move, replied int64) bool {
	if m.To() != next.From() {
		return false
	}
	put := int64(0)
	for i := range b.Changes {
		switch c := &b.Changes[i]; {
		case c.Square != m.To():
		case c.Is != legal.NoPiece:
			put = c.Window.Hi
		case put != 0:
			return c.Window.Hi < replied && c.Window.Hi-put < play.StillUS
		}
	}
	return false
}
