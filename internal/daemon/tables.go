package daemon

import (
	"cmp"
	"context"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/live"
	"boardwatchd/internal/pairing"
	"boardwatchd/internal/qr"
	"boardwatchd/internal/tables"
	"boardwatchd/internal/uptime"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
)

// tablesFile is the file of the boards' tables in the state directory.
const tablesFile = "tables.json"

// tabling keeps which board is at which table, and learns it from presses. In a hall the hall's tables are used: its
// computers have none of their own.
type tabling struct {
	d                 *Daemon
	path              string
	labels            atomic.Pointer[map[string]string] // tables by board, in force
	namesWithoutTable atomic.Pointer[map[string]string] // of boards without a table, if not the shown name
	awaitingPress     atomic.Bool                       // a press is awaited

	commandLock *os.File // with its lock held; nil: it is not

	fileMu sync.Mutex // held while the file is written; before mu

	mu                sync.Mutex // guards state, finder and lastPress
	state             tables.State
	finder            tables.Finder
	lastPress         web.PressOutcome
	leverMoveNotified bool // the page was notified that a lever has moved
}

func (d *Daemon) openTables() *tabling {
	t := &tabling{d: d, path: filepath.Join(d.opt.Dir, tablesFile)}
	state := openKept(d, t.path, tables.Read, "notice.damaged_tables", "notice.damaged_tables.do")
	t.state = state
	of := t.byBoard(state)
	t.labels.Store(&of)
	t.namesWithoutTable.Store(&map[string]string{})
	return t
}

// write writes a state to the disk.
func (t *tabling) write(state tables.State) error {
	err := state.Write(t.path)
	t.d.copyKept(t.path)
	return err
}

func (t *tabling) byBoard(s tables.State) map[string]string {
	if t.d.inHall() {
		return map[string]string{}
	}
	return s.ByBoard()
}

// of is the name of a board for people: its table, if one is known.
func (t *tabling) of(board string) string {
	if name := cmp.Or((*t.labels.Load())[board], (*t.namesWithoutTable.Load())[board]); name != "" {
		return name
	}
	if t.key(board) == keyOfOther(board) {
		return nameWithComputer(board, t.computerOf(board))
	}
	return board
}

// namesForPeople are the names of these boards for people, in natural order.
func (t *tabling) namesForPeople(boards []string) (list []string) {
	for _, b := range boards {
		list = append(list, t.of(b))
	}
	slices.SortFunc(list, pairing.Natural)
	return list
}

// key compares a board with the boards of a pairing, by its name for people. A board without a table is not the
// pairing's board of its name if another board is at the table of that name.
func (t *tabling) key(board string) string {
	labels := *t.labels.Load()
	if table := labels[board]; table != "" {
		return pairing.BoardKey(table)
	}
	key := pairing.BoardKey(cmp.Or((*t.namesWithoutTable.Load())[board], board))
	for _, table := range labels {
		if pairing.BoardKey(table) == key {
			return keyOfOther(board)
		}
	}
	return key
}

// keyOfOther is the key of a board that is not the pairing's board of its name.
func keyOfOther(board string) string { return "\x00" + board }

// lever returns a listener for a board's views that follows on which side the lever of its clock is up. The loops of
// the boards call it at each step, mostly without a change.
func (t *tabling) lever(board string) func(v *watch.View) {
	last := ""
	return func(v *watch.View) {
		up := v.Lever
		if v.Link != "up" {
			up = ""
		}
		if up == last {
			return
		}
		last = up
		t.mu.Lock()
		t.finder.Lever(board, up, uptime.Now().Microseconds())
		t.mu.Unlock()
	}
}

const (
	tablesEvery = 2 * time.Second
	pressEvery  = 250 * time.Millisecond // while a press is awaited
)

// follow notes the places of the boards and evaluates presses, until ctx ends.
func (t *tabling) follow(ctx context.Context) {
	looked := time.Time{}
	for {
		if now := time.Now(); now.Sub(looked).Abs() >= tablesEvery {
			looked = now
			t.notePlaces()
		}
		t.answerCommand()
		wait := tablesEvery / 4
		if t.awaitingPress.Load() {
			wait = pressEvery
			t.settle()
		}
		if !pause(ctx, wait) {
			return
		}
	}
}

// places lists where the boards that answer now are connected.
func (t *tabling) places() (list []tables.Place) {
	if t.d.hub == nil {
		for _, s := range t.d.frontend.boards.Summaries() {
			if p := t.d.place(s.Board); s.Watching {
				list = append(list, tables.Place{Board: s.Board, Serial: p.Serial, Port: p.Port, Other: p.Other})
			}
		}
		return list
	}
	for _, c := range t.d.hub.Roster() {
		for _, b := range c.Boards {
			if b.Here {
				list = append(list, tables.Place{Board: b.ShownAs, Computer: c.Name, Serial: b.Serial, Port: b.Port, Other: b.Other})
			}
		}
	}
	return list
}

// notePlaces saves the places of the boards.
func (t *tabling) notePlaces() {
	now := t.places()
	t.fileMu.Lock()
	defer t.fileMu.Unlock()
	next := t.now()
	if next.Note(now) {
		t.putInForce(next)
		if err := t.write(next); err != nil {
			t.d.opt.Log.Error().Err(err).Msg("where the boards are is not on the disk")
		}
	}
	t.show() // there may be a new board
}

func (t *tabling) now() tables.State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state
}

// putInForce puts a state into force.
func (t *tabling) putInForce(s tables.State) {
	t.mu.Lock()
	t.state = s
	t.mu.Unlock()
}

// show gives the boards the names of their tables.
func (t *tabling) show() {
	of := t.byBoard(t.now())
	old := t.labels.Swap(&of)
	boards := t.d.frontend.boards.Summaries()
	plain := map[string]string{}
	if t.d.hub != nil {
		plain = plainNames(t.d.hub.Roster(), boards, of)
	}
	tables := tableKeys(of)
	for _, s := range boards {
		if of[s.Board] == "" && plain[s.Board] == "" && tables[pairing.BoardKey(s.Board)] {
			plain[s.Board] = nameWithComputer(s.Board, t.computerOf(s.Board))
		}
	}
	t.namesWithoutTable.Store(&plain)
	for _, s := range boards {
		t.d.frontend.boards.Called(s.Board, of[s.Board], plain[s.Board])
	}
	if !maps.Equal(of, *old) {
		t.d.round.poke()
		t.publish()
	}
}

// tableKeys are the tables of the boards, as keys of a pairing.
func tableKeys(of map[string]string) map[string]bool {
	keys := map[string]bool{}
	for _, table := range of {
		keys[pairing.BoardKey(table)] = true
	}
	return keys
}

// nameWithComputer is the name of a board without a table if another one is at the table of its number.
func nameWithComputer(board, computer string) string { return board + "@" + computer }

// computerOf is the computer of a board.
func (t *tabling) computerOf(board string) string {
	if t.d.hub == nil {
		return hostName()
	}
	return t.d.hub.ComputerOf(board)
}

// plainNames are the own names of boards that are shown under another name because a board of another computer had that
// name before, if no board or table has that name now.
func plainNames(computers []roster.Computer, boards []live.Summary, tables map[string]string) map[string]string {
	own := map[string]string{}
	for _, c := range computers {
		for _, b := range c.Boards {
			own[b.ShownAs] = b.Name
		}
	}
	called, seen := map[string]string{}, map[string]int{}
	for i := range boards {
		if s := &boards[i]; !s.Gone || s.Open > 0 {
			name := cmp.Or(tables[s.Board], own[s.Board], s.Board)
			called[s.Board] = name
			seen[strings.ToLower(name)]++
		}
	}
	maps.DeleteFunc(called, func(board, name string) bool {
		return name == board || name == tables[board] || seen[strings.ToLower(name)] > 1
	})
	return called
}

func (t *tabling) publish() {
	t.d.frontend.publish("tables", "", map[string]string{"type": "tables"})
}

// settle evaluates the presses.
func (t *tabling) settle() {
	t.fileMu.Lock()
	defer t.fileMu.Unlock()
	t.mu.Lock()
	boards := t.finder.Settle(uptime.Now().Microseconds())
	if len(boards) == 0 {
		waits := t.finder.Waits()
		news := waits != t.leverMoveNotified
		t.leverMoveNotified = waits
		t.mu.Unlock()
		if news {
			t.publish()
		}
		return
	}
	what, board, table, e := t.finder.Answer(boards, t.inPlay, t.state.Found, t.state.Places)
	next := t.state
	if what == tables.Learnt {
		next.Found = append(slices.Clone(next.Found), e)
	}
	t.mu.Unlock()
	if what == tables.Learnt {
		if err := t.write(next); err != nil {
			t.d.opt.Log.Error().Err(err).Msg("a table that was found is not on the disk")
		}
	}
	t.mu.Lock()
	t.state = next
	t.leverMoveNotified = false
	t.lastPress = web.PressOutcome{What: what, Board: board, Table: table}
	if what == tables.Learnt {
		t.finder.Table = tables.Next(t.finder.Table, next.Found)
		t.awaitingPress.Store(t.finder.Table != "")
	}
	t.mu.Unlock()
	t.publish()
}

func (t *tabling) inPlay(board string) bool {
	s, ok := t.d.frontend.boards.One(board)
	return ok && inProgress(&s)
}

// TablesState is the state for the page.
func (t *tabling) TablesState() web.TablesState {
	t.mu.Lock()
	s := t.state
	a := web.TablesState{Here: web.RoundHere, Finding: t.awaitingPress.Load(), Ask: t.finder.Table, Waits: t.finder.Waits(), LastPress: t.lastPress}
	t.mu.Unlock()
	if t.d.inHall() {
		a.Here = web.RoundHall
	}
	a.Rows = t.rows(s)
	return a
}

// rows are the tables and the boards without one.
func (t *tabling) rows(s tables.State) (list []web.TableRow) {
	watched := map[string]bool{}
	for _, b := range t.d.frontend.boards.Summaries() {
		if !b.Gone { // a board whose computer has left the hall is listed as long as it has a table
			watched[b.Board] = b.Watching
		}
	}
	entries := s.EntriesAfterUse()
	then := tables.State{Entries: entries, Places: s.Places}
	of := then.ByBoard()
	now := t.places()
	seen := map[string]bool{}
	for _, e := range entries {
		r := web.TableRow{Table: e.Table, Serial: e.Serial, Computer: e.Computer, Port: e.Port, By: "board", Found: slices.Contains(s.Found, e)}
		if e.Serial != "" {
			r.By = "serial"
		} else if e.Port != "" {
			r.By = "port"
		}
		for board, table := range of {
			if table == e.Table {
				r.Board, r.Here = board, watched[board]
			}
		}
		seen[r.Board] = true
		fillPlace(&r, s.Places)
		if at, found := tables.Elsewhere(now, r.Serial, r.Board); found {
			r.Computer, r.Port, r.Here, r.Elsewhere = at.Computer, at.Port, false, true
		}
		list = append(list, r)
	}
	for _, board := range slices.Sorted(maps.Keys(watched)) {
		if !seen[board] {
			r := web.TableRow{Board: board, Here: watched[board]}
			fillPlace(&r, s.Places)
			list = append(list, r)
		}
	}
	return list
}

// fillPlace sets the last place of a row's board.
func fillPlace(r *web.TableRow, places []tables.Place) {
	if i := slices.IndexFunc(places, func(p tables.Place) bool { return p.Board == r.Board }); i >= 0 {
		p := places[i]
		r.Serial, r.Computer, r.Port = cmp.Or(p.Serial, r.Serial), cmp.Or(p.Computer, r.Computer), cmp.Or(p.Port, r.Port)
	}
}

// ChangeTables carries out a person's change.
func (t *tabling) ChangeTables(c web.TablesChange) error {
	if t.d.inHall() {
		return web.ErrRoundElsewhere
	}
	t.fileMu.Lock()
	defer t.fileMu.Unlock()
	old := t.now()
	next := old
	switch c.Do {
	case web.TablesFind:
		return t.find(c.Table)
	case web.TablesStop:
		t.stop()
		return nil
	case web.TablesUndo:
		return t.undo(next)
	case web.TablesDrop:
		next.Found = nil
	case web.TablesUse:
		next.Entries, next.Found = next.EntriesAfterUse(), nil
	case web.TablesSet:
		if len(c.Entries) == 0 {
			return &web.TablesError{Text: "the list has no line that is understood", Remedy: "give lines of serial,table or computer,port,table"}
		}
		next.Entries = tables.Join(next.Entries, c.Entries, next.Places)
	case web.TablesFree:
		gone := func(e tables.Entry) bool { return pairing.BoardKey(e.Table) == pairing.BoardKey(c.Table) }
		next.Entries, next.Found = slices.DeleteFunc(slices.Clone(old.Entries), gone), slices.DeleteFunc(slices.Clone(old.Found), gone)
	}
	if len(next.Entries) > tables.MaxEntries {
		return &web.TablesError{Text: "there are more tables than can be kept", Remedy: "take some out"}
	}
	if err := t.allowed(old, next, c.Sure); err != nil {
		return err
	}
	if err := t.write(next); err != nil {
		return err
	}
	t.putInForce(next)
	t.d.frontend.endNotice(damagedID(t.path))
	if c.Do != web.TablesFree && c.Do != web.TablesSet {
		t.stop()
	}
	t.show()
	t.publish()
	t.d.opt.Log.Info().Str("do", c.Do).Int("tables", len(next.Entries)).Msg("the tables were changed")
	return nil
}

// allowed reports whether boards can get other tables now: never with a game in progress, and during a round only if
// the person is sure.
func (t *tabling) allowed(old, next tables.State, sure bool) error {
	before, after := t.byBoard(old), t.byBoard(next)
	var playing []string
	ask := false
	for _, s := range t.d.frontend.boards.Summaries() {
		if before[s.Board] == after[s.Board] {
			continue
		}
		if inProgress(&s) {
			playing = append(playing, s.Board)
		}
		ask = ask || s.Ply > 0 || s.Names != nil
	}
	if len(playing) > 0 {
		return &web.PlayingError{Boards: t.namesForPeople(playing)}
	}
	if ask && !sure {
		return web.ErrTablesAsk
	}
	return nil
}

// find waits for the press at a table; "" is the first table without a board.
func (t *tabling) find(table string) error {
	t.mu.Lock()
	if table == "" {
		table = cmp.Or(t.finder.Table, tables.Next("0", t.state.EntriesAfterUse()))
	}
	t.mu.Unlock()
	if why := tables.CheckTable(table); why != "" {
		return &web.TablesError{Text: why, Remedy: "give the number that stands on the table"}
	}
	t.mu.Lock()
	if !t.awaitingPress.Load() {
		t.lastPress = web.PressOutcome{}
		t.finder.Begin("")
	}
	t.wait(table)
	t.mu.Unlock()
	t.awaitingPress.Store(true)
	t.publish()
	return nil
}

// wait waits for the press at a table. A press that was made for another table does not count. The caller holds the
// lock.
func (t *tabling) wait(table string) {
	if t.finder.Table != table {
		t.finder.Begin(table)
	}
}

func (t *tabling) stop() {
	t.awaitingPress.Store(false)
	t.mu.Lock()
	t.lastPress = web.PressOutcome{}
	t.finder.Begin("")
	t.mu.Unlock()
	t.publish()
}

// undo removes what was learnt last, and waits for that table again.
func (t *tabling) undo(next tables.State) error {
	n := len(next.Found)
	if n == 0 {
		return &web.TablesError{Text: "nothing was learnt that could be undone", Remedy: "look at the list"}
	}
	last := next.Found[n-1]
	next.Found = slices.Clone(next.Found[:n-1])
	if err := t.write(next); err != nil {
		return err
	}
	t.mu.Lock()
	t.state, t.lastPress = next, web.PressOutcome{}
	t.wait(last.Table)
	t.mu.Unlock()
	t.publish()
	return nil
}

// TableSheet writes the sheet to print.
func (t *tabling) TableSheet(w io.Writer, lang string, cards bool) error {
	base := t.d.frontend.address()
	sheet := tables.Sheet{Lang: lang, Event: t.d.round.event(), Cards: cards}
	for _, r := range t.rows(t.now()) {
		row := tables.SheetRow{Table: r.Table, Board: r.Board, Serial: r.Serial, Computer: r.Computer, Port: r.Port}
		if r.Board != "" && base != "" {
			row.URL = base + "/#/b/" + url.PathEscape(r.Board)
			if picture, err := qr.New(row.URL); err == nil { // an address that is too long has no picture
				row.SVG = picture.SVG()
			}
		}
		sheet.Rows = append(sheet.Rows, row)
	}
	return sheet.Write(w)
}
