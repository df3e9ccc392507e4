package play

import (
	"slices"

	"boardwatchd/rules/legal"
)

// Between finds the plies that a board's own log shows where nobody watched. The log has neither times nor a number of
// what it has left out, so it is read strictly: every position that a ply leads to must stand in it exactly, each press
// must be that of the player who had the move, and nothing may be left over. A press may be missing, because it was
// forgotten or the clock reported two as none, or two may be one lever that bounced: as few as possible are taken for
// that. What fits in two ways is not known.

// A Logged is one record of a board's own log: what stood on the board after it, and who pressed the clock, if anybody
// did.
type Logged struct {
	Place legal.Placement
	Press legal.Side // NoSide: a square changed
	Sec   int        // of a press: what the clock of this player showed
}

// A Station is a position of the record. Free says that the plies from the station before to this one are looked for;
// otherwise it is one ply. Either says that the other side may have the move there.
type Station struct {
	Pos          legal.Position
	Free, Either bool
}

// A LoggedPly is a ply that the log shows. Sec is what the clock of its player showed when it was pressed, -1 where no
// press is logged.
type LoggedPly struct {
	Move legal.Move
	Sec  int
}

const (
	loggedNodes  = 40_000  // positions that are looked at for one hole: a game has some hundred
	loggedLooks  = 2 << 20 // records of the log that are compared with them, …
	loggedMoves  = 128     // … of which the legal moves of a position count so many: a step must not take a second on a small computer
	loggedLate   = 4       // changes of squares that may be logged after the press of their ply: a board is scanned four times a second
	longestRow   = 400     // plies
	maxLoggedRow = 2       // rows that are told apart
	maxUnlogged  = 6       // presses that may be missing, and bounces of the lever
)

// Between returns the only row of legal plies by which the log leads through the first free part of the way. The way
// must be followed to its last station; whole says that nothing may have been played after that.
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
	rows    [][]LoggedPly // found, different from each other
	dead    map[loggedKey]bool
}

// A seenTo is how far the log is explained: what stood on the board up to one index, the presses up to another. A reply
// may stand before the press of the ply that it answers.
type seenTo struct{ board, press int }

type loggedKey struct {
	next    int
	at      seenTo
	missing int
	pos     uint64
	first   bool
}

// walk goes on from a position that the log showed to the next station, and says whether the end of the way was
// reached. Row are the plies of the first free part; missing is how many presses may still be missing.
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

// spent says that the search has taken too long. What it has not found is not known.
func (w *logged) spent() bool { return w.nodes <= 0 || w.looks <= 0 }

// end keeps the row of a way that was followed to its end, unless something was played after that. Presses after which
// no piece moved are no plies.
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

// A stride is one ply, with how far the log is explained by it.
type stride struct {
	move legal.Move
	at   seenTo
	sec  int

	missing int // presses that are missing for it, or were none
}

// steps lists the plies that the log shows next. First says that the press of the ply that led to the position may
// still follow, missing that the one of the next ply may be missing, or that the lever may have bounced: of three presses
// in a row, with no piece moved in between, the first two are none.
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
	if !stood { // the reply was begun before the press, or made
		list = w.shown(list, pos, at.board+1, r, seenTo{0, r}, w.log[r].Sec)
	}
	return list
}

// press is the index of the first press from an index on; the length of the log where there is none.
func (w *logged) press(from int) int {
	for from < len(w.log) && w.log[from].Press == legal.NoSide {
		from++
	}
	return min(from, len(w.log))
}

// shown adds the legal plies of which the log has the position from one index up to another, each once. The log is
// explained up to where it is shown, and at least up to the given indices.
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

// plyTo is the legal ply that leads to a placement. No two do.
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
