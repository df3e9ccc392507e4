package play

import (
	"slices"

	"boardwatchd/rules/legal"
)

// This file finds the plies that a board's own log shows for a time when nothing was recorded. The log has neither
// times nor a count of what it has left out, so it is read strictly: every position that a ply leads to must be in it
// exactly, each press must be that of the player who had the move, and nothing may be left over. A press may be
// missing, because it was forgotten or the clock reported two as none, or two may be one lever that bounced: as few as
// possible are assumed. Where two rows fit, none is known.

// A Logged is one record of a board's own log: the board after it, and the player who pressed the clock, if it is a
// press.
type Logged struct {
	Place legal.Placement
	Press legal.Side // NoSide: a square changed
	Sec   int        // of a press: the displayed time of this player
}

// A Station is a position of the record. Free asks for the plies from the station before to this one; otherwise there
// is one ply between them. Either means that the other side may have the move there.
type Station struct {
	Pos          legal.Position
	Free, Either bool
}

// A LoggedPly is a ply that the log shows. Sec is the displayed time of its player at its press, -1 where no press is
// logged.
type LoggedPly struct {
	Move legal.Move
	Sec  int
}

const (
	loggedNodes = 40_000  // positions that are visited for one gap: a game has some hundred
	loggedLooks = 2 << 20 // records of the log that are compared with them
	// The legal moves of a position count as loggedMoves of loggedLooks: no step takes a second on a small computer.
	loggedMoves  = 128
	loggedLate   = 4   // changes that may be logged after their press: a board is scanned four times a second
	longestRow   = 400 // plies
	maxLoggedRow = 2   // rows that are kept apart
	maxUnlogged  = 6   // presses that may be missing, and bounces of the lever
)

// Between returns the only row of legal plies by which the log leads through the first free part of the way. The log
// must follow the way to its last station; whole means that nothing may have been played after that.
func Between(log []Logged, way []Station, whole bool) ([]LoggedPly, bool) {
	if len(way) < 2 {
		return nil, false
	}
	w := logged{log: log, way: way, whole: whole, nodes: loggedNodes, looks: loggedLooks}
	start := way[0].Pos.Placement()
	for missing := 0; missing <= maxUnlogged && len(w.rows) == 0 && !w.spent(); missing++ {
		w.dead = map[loggedKey]bool{}
		for i := range log {
			if log[i].Place == start {
				w.presses = slices.ContainsFunc(log[i:], func(l Logged) bool { return l.Press != legal.NoSide })
				w.walk(1, way[0].Pos, seenTo{i, i}, nil, true, missing)
			}
		}
	}
	if w.spent() || len(w.rows) != 1 {
		return nil, false
	}
	return w.rows[0], true
}

// A logged is one search.
type logged struct {
	log     []Logged
	way     []Station
	whole   bool
	presses bool // the log has presses from the first station on
	nodes   int
	looks   int
	rows    [][]LoggedPly // found, all different
	dead    map[loggedKey]bool
}

// A seenTo is how far the log is explained: the board up to one index, the presses up to another. A reply may be logged
// before the press of the ply that it answers.
type seenTo struct{ board, press int }

type loggedKey struct {
	next    int
	at      seenTo
	missing int
	pos     uint64
	first   bool
}

// walk goes on from a position that the log showed to the next station, and reports whether it reached the end of the
// way. Row holds the plies of the first free part; missing is the number of presses that may still be missing.
func (w *logged) walk(next int, pos legal.Position, at seenTo, row []LoggedPly, first bool, missing int) (found bool) {
	if w.nodes--; w.spent() || len(w.rows) >= maxLoggedRow {
		return false
	}
	if next == len(w.way) {
		return w.end(at, row)
	}
	key := loggedKey{next, at, missing, pos.Key(), first}
	if w.dead[key] || len(row) > longestRow {
		return false
	}
	to := &w.way[next]
	target := to.Pos.Placement()
	into := next == slices.IndexFunc(w.way, func(s Station) bool { return s.Free })
	for _, s := range w.steps(pos, at, first, missing > 0) {
		after, longer, left := pos.After(s.move), row, missing-s.missing
		if into {
			longer = append(slices.Clip(row), LoggedPly{s.move, s.sec})
		}
		if after.Placement() == target && (to.Either || after.Turn() == to.Pos.Turn()) {
			found = w.walk(next+1, to.Pos, s.at, longer, false, left) || found
		}
		if to.Free {
			found = w.walk(next, after, s.at, longer, false, left) || found
		}
	}
	if !found {
		w.dead[key] = true
	}
	return found
}

// spent reports whether the search has taken too long. Rows that it has not found are then not known.
func (w *logged) spent() bool { return w.nodes <= 0 || w.looks <= 0 }

// end keeps the row of a way that was followed to its end, unless something was played after that. Presses after which
// no piece moved are not plies.
func (w *logged) end(at seenTo, row []LoggedPly) bool {
	rest := w.log[max(at.board, at.press)+1:]
	moved := slices.IndexFunc(rest, func(l Logged) bool { return l.Press == legal.NoSide })
	if w.whole && moved >= 0 && slices.ContainsFunc(rest[moved:], func(l Logged) bool { return l.Press != legal.NoSide }) {
		return false
	}
	w.keep(row)
	return true
}

func (w *logged) keep(row []LoggedPly) {
	same := func(r []LoggedPly) bool {
		return slices.EqualFunc(r, row, func(a, b LoggedPly) bool { return a.Move == b.Move })
	}
	if !slices.ContainsFunc(w.rows, same) {
		w.rows = append(w.rows, slices.Clone(row))
	}
}

// A stride is one ply, with how far it explains the log.
type stride struct {
	move legal.Move
	at   seenTo
	sec  int

	missing int // presses that it lacks, or that were bounces
}

// steps lists the plies that the log shows next. First means that the press of the ply before may still follow; missing
// means that the press of the next ply may be missing, or that the lever may have bounced: of three presses in a row
// without a move, the first two are not presses.
func (w *logged) steps(pos legal.Position, at seenTo, first, missing bool) (list []stride) {
	if !w.presses {
		return w.shown(list, &pos, at.board+1, len(w.log), seenTo{}, -1)
	}
	r := w.press(at.press + 1)
	list = w.stepsAt(r, pos, at, first, missing)
	if n := len(list); missing && w.press(r+1) == r+1 && w.press(r+2) == r+2 && r+2 < len(w.log) {
		at.press = r + 1
		list = append(list, w.stepsAt(w.press(r+2), pos, at, first, false)...)
		for i := range list[n:] {
			list[n+i].missing = 1
		}
	}
	return list
}

// stepsAt is steps with the index of the next press.
func (w *logged) stepsAt(r int, pos legal.Position, at seenTo, first, missing bool) (list []stride) {
	if first && r < len(w.log) && w.log[r].Press != pos.Turn() {
		list = w.stepsAt(w.press(r+1), pos, seenTo{at.board, r}, false, missing)
		if w.log[r].Place == pos.Placement() {
			return list
		}
	}
	switch {
	case r == len(w.log): // the last ply need not be pressed yet; nothing is played after it
		list = w.shown(list, &pos, at.board+1, r, seenTo{r - 1, r - 1}, -1)
	case w.log[r].Press == pos.Turn():
		list = w.pressedAt(list, r, &pos, at)
	}
	if missing {
		n := len(list)
		list = w.shown(list, &pos, at.board+1, r, seenTo{0, at.press}, -1)
		for i := range list[n:] {
			list[n+i].missing = 1
		}
	}
	return list
}

// pressedAt adds the plies that the press at an index can have completed.
func (w *logged) pressedAt(list []stride, r int, pos *legal.Position, at seenTo) []stride {
	n := len(list)
	list = w.shown(list, pos, r, r+1, seenTo{r, r}, w.log[r].Sec)
	stood := len(list) > n
	list = w.shown(list, pos, r+1, min(w.press(r+1), r+1+loggedLate), seenTo{r, r}, w.log[r].Sec)
	if !stood { // the reply was begun or made before the press
		list = w.shown(list, pos, at.board+1, r, seenTo{0, r}, w.log[r].Sec)
	}
	return list
}

// press returns the index of the first press from an index on, or the length of the log where there is none.
func (w *logged) press(from int) int {
	for from < len(w.log) && w.log[from].Press == legal.NoSide {
		from++
	}
	return min(from, len(w.log))
}

// shown adds the legal plies whose position the log shows between two indices, each once. The log is then explained up
// to where it shows them, and at least up to the given indices.
func (w *logged) shown(list []stride, pos *legal.Position, from, to int, least seenTo, sec int) []stride {
	base := pos.Placement()
	w.looks -= max(to-from, 0)
	for i := from; i < to; i++ {
		if i > from && w.log[i].Place == w.log[i-1].Place {
			continue
		}
		if n := Count(Difference(&base, &w.log[i].Place)); n < 2 || n > 4 {
			continue
		}
		if w.looks -= loggedMoves; w.spent() {
			return list
		}
		m, ok := plyTo(pos, &w.log[i].Place)
		at := seenTo{max(i, least.board), least.press}
		if ok && !slices.ContainsFunc(list, func(s stride) bool { return s.move == m && s.at.press == at.press }) {
			list = append(list, stride{move: m, at: at, sec: sec})
		}
	}
	return list
}

// plyTo returns the legal ply that leads to a placement. No two legal moves lead to the same one.
func plyTo(pos *legal.Position, place *legal.Placement) (legal.Move, bool) {
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		if after := pos.After(m); after.Placement() == *place {
			return m, true
		}
	}
	return legal.NoMove, false
}
