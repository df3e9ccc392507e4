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

// This file reads the game through one or two squares that read otherwise than the record has them, for the rest of the
// game: a bad coil, a piece that has fallen, a captured piece that was laid on an empty square. Where the players take
// time, the press shows such a square by itself (offence/unreadable.go, offence/displaced.go). In fast play the
// opponent's hand is on the board before a press can be judged. Then the constant difference shows it: two plies or
// more, each of which the board has shown except for the same squares, with the presses of both players, are legal
// moves that were read through a standing difference.
//
// Innocent and guilty look-alikes: a piece in the hand, which is put somewhere; an illegal move, none of whose squares
// may be among those that differ, unless a piece has come to one that reads empty.

// maxStanding is the number of squares that may read otherwise.
const maxStanding = 2

// throughDifference commits the plies before the one that a press of s completes, where legal moves lead to the board
// except for a standing difference. The differing squares then count as in the record.
func (t *Tracker) throughDifference(s legal.Side, at int64) {
	base := t.g.last()
	if t.alt.presses == 0 || t.alt.nullPress.ID != "" || !t.historyKnown() || t.b.Origin != base.place || t.b.GapFromChange > 0 {
		return
	}
	l := throughSearch{b: &t.b, lossy: t.p.Passive, left: throughBudget}
	l.search(base)
	if l.tied || l.best == nil || l.left < 0 {
		return
	}
	done := 0
	for i, p := range l.best {
		switch {
		case t.phase != playing:
			return
		case i == l.read():
			t.reportDifference(p, p.n-done)
		case i > l.read() && !slices.ContainsFunc(l.best[i+1:], func(o through) bool { return o.side == s && o.at <= at+t.p.LateUS }):
			t.noteGuessedPlies()
			return // the press completes this one, or none
		default:
			t.commit(p.move, ByReply, p.n-done)
		}
		done = p.n
	}
	t.noteGuessedPlies()
}

// A through is a ply that the board has shown after n changes, except for some squares.
type through struct {
	move   legal.Move
	side   legal.Side
	n      int
	at     int64  // when that was reported
	differ uint64 // the squares that read otherwise
}

// same reports whether two plies are the same.
func (p through) same(o through) bool { return p.move == o.move && p.differ == o.differ }

// A throughSearch looks for rows of plies that the board has shown one after the other, except for the same squares.
type throughSearch struct {
	b     *evidence.Board
	lossy bool     // lost reports stay lost
	still []uint64 // for each number of changes, the squares that no later change touches
	row   []through
	best  []through
	tied  bool // rows with another beginning lead to the board as well
	left  int  // moves that may still be compared with the board
}

// throughBudget bounds the moves that are compared: a millisecond or two.
const throughBudget = 20_000

// maxThrough is the length of the longest row that is tried.
const maxThrough = 8

// read returns the index of the first ply of the best row that was read through the difference.
func (l *throughSearch) read() int { return firstRead(l.best) }

// firstRead returns that index for any row, or -1.
func firstRead(row []through) int {
	return slices.IndexFunc(row, func(p through) bool { return p.differ != 0 })
}

// search looks for rows from a position of the record.
func (l *throughSearch) search(base *node) {
	n := len(l.b.Changes)
	l.still = make([]uint64, n+1)
	l.still[n] = ^uint64(0)
	for i := n - 1; i >= 0; i-- {
		l.still[i] = l.still[i+1] &^ (1 << l.b.Changes[i].Square)
	}
	l.visit(&base.pos, 0, 0)
}

// visit continues a row from a position after n changes; differ are the squares that read otherwise, 0: none known yet.
func (l *throughSearch) visit(pos *legal.Position, n int, differ uint64) {
	place := pos.Placement()
	if i := firstRead(l.row); i >= 0 && i < len(l.row)-1 {
		l.arrived(pos, &place, differ)
	}
	if len(l.row) == maxThrough {
		return
	}
	var list legal.MoveList
	var tried []legal.Move
	board := l.b.After(n)
	for j := n + 1; j <= len(l.b.Changes); j++ {
		board[l.b.Changes[j-1].Square] = l.b.Changes[j-1].Is
		if d := play.Count(play.Difference(&place, &board) &^ differ); d == 0 || d > 4+maxStanding {
			continue
		}
		if list.Len() == 0 {
			pos.Moves(&list)
		}
		for _, m := range list.Slice() {
			if l.left--; l.left < 0 {
				return
			}
			next := play.PlacementAfter(place, m)
			d := play.Difference(&next, &board)
			if slices.Contains(tried, m) || !l.through(pos, m, d, differ, &board, j) {
				continue
			}
			tried = append(tried, m)
			l.row = append(l.row, through{move: m, side: pos.Turn(), n: j, at: l.b.Changes[j-1].Window.Hi, differ: d})
			after := pos.After(m)
			l.visit(&after, j, d|differ)
			l.row = l.row[:len(l.row)-1]
		}
	}
}

// through reports whether a move from a position led to the board after n changes, except for the squares in d, which
// stay as they are.
func (l *throughSearch) through(pos *legal.Position, m legal.Move, d, differ uint64, board *legal.Placement, n int) bool {
	switch {
	case differ != 0:
		return d&^differ == 0 && (d != 0 || len(l.row)-firstRead(l.row) > 1)
	case d == 0:
		return !l.b.OnTheWay(m.To(), n, passingUS)
	case play.Count(d) > maxStanding || d&^l.still[n] != 0:
		return false
	}
	place := pos.Placement()
	if own := d & (offence.PutBy(m) | 1<<m.From()); own != 0 {
		return d == own && l.mayHide(pos, m, own, board)
	}
	next := play.PlacementAfter(place, m)
	if l.lossy && leftBy(&place, d, board, place[m.From()]) {
		return false // that piece may have moved, and the other one may never have been there
	}
	return play.Count(d) == 1 || accident(&next, board, d)
}

// mayHide reports whether one of the move's own squares may read otherwise than the move leaves it. Either a piece of
// the opponent's is laid on the square that was left, or the moved piece is not read and its square is certain: the
// piece that was there is gone, or its other possible squares are occupied by pieces that have not been touched.
func (l *throughSearch) mayHide(pos *legal.Position, m legal.Move, own uint64, board *legal.Placement) bool {
	switch own {
	case 1 << m.From():
		return board[m.From()].Side() == pos.Turn().Other()
	case 1 << m.To():
		touched := l.b.Touched()
		elsewhere := func(o legal.Move) bool {
			to := o.To()
			return o.From() == m.From() && to != m.To() && (l.lossy || board[to] == legal.NoPiece || touched>>to&1 != 0)
		}
		return board[m.To()] == legal.NoPiece && (pos.PieceAt(m.To()) != legal.NoPiece || !play.AnyMove(pos, elsewhere))
	}
	return false
}

// leftBy reports whether a square among those that differ had such a piece and reads empty, and none of the others has
// it now.
func leftBy(place *legal.Placement, set uint64, board *legal.Placement, p legal.Piece) bool {
	left := false
	for ; set != 0; set &= set - 1 {
		sq := play.Lowest(set)
		if board[sq] == p {
			return false // it stands beside its square
		}
		left = left || place[sq] == p && board[sq] == legal.NoPiece
	}
	return left
}

// accident reports whether two squares differ as an accident leaves them: both are empty, a piece is beside its square,
// or two have changed places. Kings are never displaced by accident.
func accident(place, board *legal.Placement, set uint64) bool {
	a, b := play.Lowest(set), play.Lowest(set&(set-1))
	for _, sq := range [...]legal.Square{a, b} {
		if place[sq].Kind() == legal.King || board[sq].Kind() == legal.King {
			return false
		}
	}
	empty := board[a] == legal.NoPiece && board[b] == legal.NoPiece
	return empty || board[a] == place[b] && board[b] == place[a] && (place[a] != legal.NoPiece && place[b] != legal.NoPiece || play.Near(a, b))
}

// arrived keeps the row, if the board shows no more than it, or the next turn begun.
func (l *throughSearch) arrived(pos *legal.Position, place *legal.Placement, differ uint64) {
	live := l.b.Live
	for set := differ; set != 0; set &= set - 1 {
		live[play.Lowest(set)] = place[play.Lowest(set)]
	}
	if live != *place && !play.InProgressScan(place, &live, pos.Turn()) && !play.UnderWay(pos, &live) {
		return
	}
	n := firstRead(l.row) + 1
	switch {
	case l.best != nil && (l.read()+1 != n || !slices.EqualFunc(l.best[:n], l.row[:n], through.same)):
		l.tied = true
	case len(l.row) > len(l.best):
		l.best = slices.Clone(l.row)
	}
}

// reportDifference commits the first ply that was read through a standing difference, after n changes, and reports that
// difference.
func (t *Tracker) reportDifference(p through, n int) {
	v := t.view(n)
	v.Final, v.By = true, p.side
	v.Press = evidence.Window{Lo: p.at, Hi: p.at}
	v.Base = v.Pos.Placement()
	v.Diff = play.Difference(&v.Base, &v.At)
	place := play.PlacementAfter(v.Base, p.move)
	sh := v.Standing(&place, p.differ)
	sh.UCI = v.Pos.UCI(p.move)
	sh.After, sh.Stands = v.Played(p.move), true
	t.openOffence(p.side, &sh, &v)
}

// reportStillEmpty reports squares that count a piece and read empty, both when the last ply was committed and at the
// one before. At the first press the piece may be in the hand that captures it; no hand holds it while both players
// move something else. Touched are the squares that were reported meanwhile.
func (t *Tracker) reportStillEmpty(touched uint64) {
	base := t.g.last()
	before := &t.g.nodes[len(t.g.nodes)-2]
	for set := play.Difference(&t.b.Origin, &base.place); set != 0; set &= set - 1 {
		if sq := play.Lowest(set); t.b.Origin[sq] == legal.NoPiece {
			base.empty |= 1 << sq
		}
	}
	still := base.empty & before.empty &^ (touched | t.b.Touched() | play.Difference(&before.place, &base.place))
	if n := play.Count(still); n == 0 || n > maxStanding || before.by != ByPress || base.by != ByPress || t.sync.reportsLost || t.b.HistoryIncomplete {
		return
	}
	v := t.view(0)
	v.Base, v.Diff = base.place, still
	sh := v.ShapeOf(kinds.Unreadable, rules.Hint, still)
	sh.NameNeither() // in whose turn they emptied is not known: emptied.go
	sh.After, sh.Stands = base.pos.Setup(), true
	f := t.newFinding(&sh, &v)
	at, target := t.b.Origin, t.b.Origin
	for set := still; set != 0; set &= set - 1 {
		target[play.Lowest(set)] = base.place[play.Lowest(set)]
	}
	t.b.Count(&at, &target)
	base.empty &^= still
	t.openFinding(f)
}

// unreadMoves reads a report of a piece on a square as a move of the only such piece that counts on a square which
// reads empty: the others are on their squares, and a legal move of that one leads there.
func (t *Tracker) unreadMoves(to legal.Square, p legal.Piece, seen evidence.Window) {
	if t.phase != playing || p == legal.NoPiece {
		return
	}
	from, only := t.b.OnlyUnread(p)
	base := t.g.last()
	if !only || play.CountOf(&t.b.Live, p) < play.CountOf(&base.place, p) {
		return // it may be one that is in the hand
	}
	pos, ok := offence.TurnOf(&base.pos, p.Side())
	if !ok || !play.AnyMove(&pos, func(m legal.Move) bool { return m.From() == from && m.To() == to }) {
		return
	}
	t.b.Readings[from] = evidence.Reading{}
	t.b.CountedUnread &^= 1 << from
	t.b.Set(from, legal.NoPiece, seen, t.now, true)
}
