package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file finds an illegal move among plies that the board alone shows. In a scramble the opponent has answered it
// before the clock reports its press, and presses of several plies are reported as one. The board shows the plies one
// after the other, all legal but one, and the game goes on from there by legal moves of both.
//
// Innocent look-alikes: a piece on its way, which is read for a moment where no legal move puts it; a square that reads
// wrong; reports that were lost; a piece that the opponent's sleeve has pushed, after which its own player moves.

// A shownPly is a ply that the first n changes have shown.
type shownPly struct {
	move  legal.Move // NoMove: it is not legal
	after legal.Position
	n     int
}

// betweenPlies commits the plies that lead to a position from which the game goes on, if one of them is illegal, and
// reports that one. It returns false where they are not the only way to the position.
func (t *Tracker) betweenPlies(to *legal.Position) bool {
	place := to.Placement()
	turn := to.Turn()
	row := t.shownRow(func(at *legal.Placement, s legal.Side) bool { return *at == place && s == turn })
	return len(row) > 0 && t.commitShown(row) != ""
}

// accuseAnswered reports the illegal move that a press of s has completed, where the board also shows the opponent's
// reply.
func (t *Tracker) accuseAnswered(s legal.Side) bool {
	row := t.shownRow(func(at *legal.Placement, turn legal.Side) bool {
		return turn == s && play.Count(play.Difference(at, &t.b.Live)) <= 2
	})
	i := slices.IndexFunc(row, func(p shownPly) bool { return p.move == legal.NoMove })
	if i < 0 || i == len(row)-1 {
		return false
	}
	end := row[len(row)-1].after.Placement()
	if !t.b.Lifted(play.Difference(&end, &t.b.Live), row[len(row)-2].n, len(t.b.Changes)) {
		return false // a piece has been off the board since before the reply
	}
	n := row[i].n
	if i > 0 {
		n -= row[i-1].n
	}
	if t.commitShown(row[:i]); t.phase != playing {
		return false
	}
	sh, ok := t.illegalAfter(&row[i].after, n)
	if ok {
		t.emitPress(s, string(sh.Kind)+"+reply")
		t.tellBetween(&row[i].after, n)
	}
	return ok
}

// shownRow returns the only row of plies, one of them illegal, that leads to such a placement and side to move; nil
// where there is none.
func (t *Tracker) shownRow(ends func(*legal.Placement, legal.Side) bool) []shownPly {
	if !t.readWell() {
		return nil
	}
	l := betweenSearch{t: t, ends: ends, left: betweenBudget}
	base := t.g.last()
	if l.visit(&base.pos, 0, false); l.found != 1 || !l.wrong || l.left <= 0 || !t.readAsCounted(l.best) || !t.recognised(l.best) {
		return nil
	}
	return l.best
}

// readAsCounted reports whether the squares of these plies, and all others, read as the record had them when its last
// ply was committed. A piece that the hand of one of the plies had lifted is excepted.
func (t *Tracker) readAsCounted(row []shownPly) bool {
	before, since := t.g.last().place, t.b.Changes[0].Window.Lo
	unread := play.Difference(&before, &t.b.Origin)
	for i := range row {
		after := row[i].after.Placement()
		for set := play.Difference(&before, &after); set != 0; set &= set - 1 {
			sq := play.Lowest(set)
			if a := &t.b.Readings[sq]; a.Differs || a.WasTo >= since {
				return false // it counted as another piece than it read
			}
			if after[sq] == legal.NoPiece {
				unread &^= 1 << sq
			}
		}
		before = after
	}
	return unread == 0
}

// commitShown commits such plies and reports the illegal one, whose kind it returns; "" where nothing can be reported
// of it.
func (t *Tracker) commitShown(row []shownPly) (told kinds.Kind) {
	done := 0
	for _, p := range row {
		if p.move != legal.NoMove {
			t.commit(p.move, ByReply, p.n-done)
		} else if told = t.tellBetween(&p.after, p.n-done); told == "" {
			return ""
		}
		if done = p.n; t.phase != playing {
			break
		}
	}
	return told
}

// readWell reports whether every square reads as it counts, and no report is missing since the last commit.
func (t *Tracker) readWell() bool {
	doubt := t.trust.boardUnexplained || t.judgementPaused || t.gapLately() || t.b.Misreads() || t.b.CountedUnread != 0 || t.b.FromDump()
	return !t.p.Passive && !t.sync.reportsLost && !doubt && !t.g.last().wrong.open()
}

// recognised reports whether the checks recognise the illegal one of these plies.
func (t *Tracker) recognised(row []shownPly) bool {
	nodes := t.g.nodes
	defer func() { t.g.nodes = nodes }()
	t.g.nodes = nodes[:len(nodes):len(nodes)]
	for i := range row {
		if p := &row[i]; p.move != legal.NoMove {
			t.g.nodes = append(t.g.nodes, node{pos: p.after, place: p.after.Placement(), ply: t.g.last().ply + 1})
			continue
		}
		_, ok := t.illegalAfter(&row[i].after, row[i].n)
		return ok && !t.takenThere(row[i:])
	}
	return false
}

// takenThere reports whether the reply to the first of these plies goes to the square that it left: the reply may have
// captured the piece there, and the piece elsewhere has come from a square that reads empty.
func (t *Tracker) takenThere(row []shownPly) bool {
	before, after := t.g.last().place, row[0].after.Placement()
	if len(row) < 2 || row[1].move == legal.NoMove {
		return false
	}
	to := row[1].move.To()
	return before[to] != legal.NoPiece && after[to] == legal.NoPiece
}

// illegalAfter returns the illegal move that the first n changes have led to.
func (t *Tracker) illegalAfter(after *legal.Position, n int) (sh offence.Shape, ok bool) {
	v := t.shownView(after, n)
	sh, ok = t.recognise(&v)
	return sh, ok && isMove(sh.Kind) && sh.Side == v.By && !(sh.Kind == kinds.IllegalCastleRightLost && t.trust.castlingRightsDoubtful)
}

// shownView returns the turn that those changes have ended; the next piece may already be in the hand.
func (t *Tracker) shownView(after *legal.Position, n int) offence.View {
	v := t.view(n)
	v.At, v.Final, v.By = after.Placement(), true, t.g.last().pos.Turn()
	v.Press = t.b.Changes[n-1].Window
	return v
}

// tellBetween reports the illegal move that the first n changes have led to, and returns its kind.
func (t *Tracker) tellBetween(after *legal.Position, n int) kinds.Kind {
	sh, ok := t.illegalAfter(after, n)
	if !ok {
		return ""
	}
	v := t.shownView(after, n)
	sh.Proof, sh.Permille = rules.Strong, offence.StrongPermille
	if t.openOffence(v.By, &sh, &v); !t.g.last().wrong.open() {
		return ""
	}
	return sh.Kind
}

// A betweenSearch looks for the plies, one of them illegal, that the board has shown one after the other and that lead
// to a position.
type betweenSearch struct {
	t     *Tracker
	ends  func(*legal.Placement, legal.Side) bool // whether this is the position and the side to move
	row   []shownPly
	best  []shownPly
	wrong bool // one of the best row is illegal
	found int  // ways that differ
	left  int  // moves that may still be compared with the board
}

const (
	betweenBudget = 20_000
	maxBetweenRow = 5 // plies
)

// visit goes on from a position that the first n changes have led to.
func (l *betweenSearch) visit(pos *legal.Position, n int, wrong bool) {
	place := pos.Placement()
	if len(l.row) > 0 && l.ends(&place, pos.Turn()) {
		l.arrived(wrong)
		return
	}
	if len(l.row) == maxBetweenRow || l.found > 1 {
		return
	}
	next := play.Successors(pos)
	for j := n + 1; j <= len(l.t.b.Changes) && l.left > 0; j++ {
		board := l.t.b.After(j)
		l.left -= len(next)
		for i := range next {
			if l.t.b.Fits(pos.Turn(), &place, &next[i].Place, &board, n, j) {
				l.step(shownPly{move: next[i].Move, after: pos.After(next[i].Move), n: j}, wrong)
			}
		}
		if !wrong {
			l.illegal(pos, &place, &board, n, j)
		}
	}
}

// arrived notes a row of plies that leads to the position.
func (l *betweenSearch) arrived(wrong bool) {
	same := func(a, b shownPly) bool { return a.after.Same(&b.after) }
	if l.found == 0 || !slices.EqualFunc(l.best, l.row, same) {
		l.found++
	}
	if l.best == nil {
		l.best, l.wrong = slices.Clone(l.row), wrong
	}
}

// illegal goes on by one piece on another square, or king and rook as after castling, where no legal move does that.
func (l *betweenSearch) illegal(pos *legal.Position, place, board *legal.Placement, first, n int) {
	c := &l.t.b.Changes[n-1]
	take := func(next *legal.Placement, to legal.Square) {
		l.left--
		if _, legally := play.OnePly(pos, next); legally || !l.t.b.Fits(pos.Turn(), place, next, board, first, n) || !l.rested(to, n) {
			return
		}
		if after, ok := l.t.standing(pos, *next, pos.Turn().Other()); ok {
			l.step(shownPly{after: after, n: n}, true)
		}
	}
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		from, to := sq, c.Square
		if c.Is == legal.NoPiece {
			from, to = c.Square, sq
		}
		if p := place[from]; p.Side() == pos.Turn() && board[from] == legal.NoPiece && board[to] == p && place[to] != p && oneMove(&l.t.b, from, to, n, l.t.p.LateUS) {
			next := *place
			next[from], next[to] = legal.NoPiece, p
			take(&next, to)
		}
	}
	const e = 4 // the king's file
	if king := pos.KingSquare(pos.Turn()); king.File() == e {
		for _, to := range [...]legal.Square{king + 2, king - 2} {
			if next, ok := castled(place, king, to); ok {
				take(&next, to)
			}
		}
	}
}

// oneMove reports whether a piece may have come from one square to another by the n-th change: within a scan or two its
// new square is reported before the lift, and a hand does not hold a piece for long.
func oneMove(b *evidence.Board, from, to legal.Square, n int, us int64) bool {
	lift, place := int64(-1), int64(-1)
	for _, c := range b.Changes[:n] {
		switch {
		case c.Square == from && c.Is == legal.NoPiece:
			lift = c.Window.Hi
		case c.Square == to && c.Is != legal.NoPiece:
			place = c.Window.Hi
		}
	}
	return lift >= 0 && lift-place <= us && place-lift <= heldUS
}

// step adds one ply and goes on.
func (l *betweenSearch) step(p shownPly, wrong bool) {
	l.row = append(l.row, p)
	l.visit(&p.after, p.n, wrong)
	l.row = l.row[:len(l.row)-1]
}

// castled returns the placement after a king has gone two squares towards a rook in the corner, and that rook over it.
func castled(place *legal.Placement, from, to legal.Square) (next legal.Placement, ok bool) {
	corner, over := legal.SquareOf(7, from.Rank()), from+1
	if to < from {
		corner, over = legal.SquareOf(0, from.Rank()), from-1
	}
	if place[corner] != legal.PieceOf(place[from].Side(), legal.Rook) {
		return next, false
	}
	next = *place
	next[to], next[over], next[from], next[corner] = place[from], place[corner], legal.NoPiece, legal.NoPiece
	return next, true
}

// rested reports whether the piece that came to a square by the n-th change was more than passing: it stayed for a
// while.
func (l *betweenSearch) rested(sq legal.Square, n int) bool {
	changes := l.t.b.Changes
	for i := n; i < len(changes); i++ {
		if c := &changes[i]; c.Square == sq {
			return c.Window.Hi-changes[n-1].Window.Hi >= passingUS
		}
	}
	return true
}
