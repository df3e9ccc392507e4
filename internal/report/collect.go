package report

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/live"
	"boardwatchd/internal/people"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
)

// A Collector reads one journal after the other and keeps the data for the report.
type Collector struct {
	Options  Options
	journals []*Journal
	unread   []Unread
}

// ErrNoGame says that a recording does not have the requested game.
var ErrNoGame = errors.New("it has no such game")

// Add reads a recording to its end. The part before an error is kept.
func (c *Collector) Add(file string, src *recording.Source, board string, book *people.Book) error {
	r := reader{
		j:   &Journal{Board: board, File: filepath.Base(file), Games: []Game{}, Findings: []Finding{}, Entered: []Entry{}, Spans: []Span{}, Health: []Health{}, Damage: []string{}},
		opt: c.Options, games: replay.Games{People: book}, file: file, people: book.Said, asked: map[string]bool{},
	}
	r.boards = live.New(live.Options{Epoch: "report", Said: book.Said})
	r.board = r.boards.Add(board, live.Info{})
	err := r.read(src, board)
	r.end(src)
	if len(r.j.Games) == 0 && c.Options.Game > 0 {
		return errors.Join(err, ErrNoGame)
	}
	c.journals = append(c.journals, r.j)
	return err
}

// Missing notes a file that could not be opened.
func (c *Collector) Missing(file string, err error) {
	c.unread = append(c.unread, Unread{filepath.Base(file), err.Error()})
}

// A reader goes through one recording.
type reader struct {
	j         *Journal
	file      string
	boardName string // the board's own name
	opt       Options
	boards    *live.Boards
	board     *live.Board
	games     replay.Games
	observer  watch.Observer
	core      config.Core
	last      record.Seq
	chain     record.Chain // of the record that is read, of a journal
	at        int64        // of the current record
	wall      int64        // before that record, ms
	found     map[int]int  // by the number of a game: its place in j.Games
	used      []string     // rule sets
	ledger    ledger
	people    func(text string) string // the names of people, for their ids
	asked     map[string]bool          // findings that asked a person to decide
	leftOut   LeftOut
}

func (r *reader) read(src *recording.Source, board string) error {
	if src.Journal() {
		for {
			it, err := src.Next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			r.chain = src.Chain()
			r.step(it.Record)
		}
	}
	// A capture is judged now; its effects get numbers of their own, as in a journal.
	number := func() record.Seq { r.last++; return r.last }
	_, _, err := replay.Run(src, replay.Options{
		Board: board, Config: config.Default().Core(config.NewBoard(board, "")).Canonical(),
		Number: func(record.Record) record.Seq { return number() },
		Input:  r.step,
		Effect: func(cause record.Record, e watch.Effect) {
			r.step(record.Record{Seq: number(), At: cause.At, Kind: e.Kind, Body: e.Body})
		},
	})
	return err
}

// step handles a record as the hall's view of a journal does.
func (r *reader) step(rec record.Record) {
	r.last, r.at = rec.Seq, rec.At
	if rec.Kind == record.Open {
		r.wall = r.board.Summary().WallMS
	}
	r.observer.Step(rec)
	switch {
	case rec.Kind == record.Say:
		r.board.Recovered(rec)
		r.games.Said(rec.Body)
		r.said(rec.Body)
	case rec.Kind.Input():
		r.board.Recovered(rec)
		r.games.Input(rec)
		switch rec.Kind {
		case record.Open:
			r.opened(rec.Body)
		case record.Decide:
			r.ledger.person(rec)
		case record.Instruct:
			r.ledger.person(rec)
			r.entered(rec)
		}
		r.board.Seen(r.observer.View(), r.observer.Touches())
	}
}

func (r *reader) opened(body []byte) {
	o, err := watch.ParseOpening(body)
	if err != nil {
		return
	}
	j := r.j
	r.boardName, j.Board, j.Journal = o.Board, o.Board, o.Journal
	if r.opt.Called != nil {
		j.Board, j.Table = r.opt.Called(r.file, o.Board)
	}
	r.games.Called = func(string) string { return cmp.Or(j.Table, j.Board) }
	j.Software, j.Core = with(j.Software, o.Software), with(j.Core, o.Core)
	if t, err := time.Parse(time.RFC3339Nano, o.Wall); err == nil && j.WallMS == 0 {
		j.WallMS = t.UnixMilli()
	}
	core, err := config.ParseCanonical(o.Config)
	if err != nil {
		return // of another program: its rules are not known
	}
	r.core = core
	r.rename(core.Event, o.Wall)
	j.event, j.round, j.Profile, j.TimeControl = core.Event, core.Round, core.Profile, core.TimeControl.String()
}

// sameSession is the longest time after a game within which a new name of the event is a correction that the game gets
// too. After more time it is another event, whose first round continues in a journal of the same name.
const sameSession = 12 * time.Hour

// rename gives the games the new name of the event, if it is the same event.
func (r *reader) rename(event, wall string) {
	var stood time.Duration // while the program did not run
	if t, err := time.Parse(time.RFC3339Nano, wall); err == nil {
		stood = max(0, t.Sub(time.UnixMilli(r.wall)))
	}
	if stood >= sameSession {
		return
	}
	for i := range r.j.Games {
		g := &r.j.Games[i]
		if over := time.Duration(r.at-g.at)*time.Microsecond + stood; g.event == r.j.event && over < sameSession {
			g.event = event
		}
	}
}

func with(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// said handles an object of the machine for the games and the health.
func (r *reader) said(body []byte) {
	var s said.Any
	if json.Unmarshal(body, &s) != nil {
		return
	}
	switch s.Type {
	case "finding":
		if s.Alert == "now" || s.Alert == "advise" {
			r.asked[s.ID] = true
		}
	case "game":
		r.begin(s)
	case "move", "press", "result":
		if s.Type == "move" {
			r.ledger.moved()
		}
		r.see(s)
	case "ruling":
		r.ledger.ruling(body)
		r.see(s)
	case "health":
		if s.What == "instruction_refused" {
			r.refused(record.Seq(s.Seq))
		}
		r.health(s)
	}
}

func (r *reader) begin(s said.Any) {
	if r.found == nil {
		r.found = map[int]int{}
	}
	r.found[s.Game] = len(r.j.Games)
	r.ledger.begin(s.Game)
	r.j.Games = append(r.j.Games, Game{Board: r.j.Board, Table: r.j.Table, of: filepath.Dir(r.file) + "/" + cmp.Or(r.boardName, r.j.Board), Game: s.Game, Chess960: s.Chess960, WallMS: r.board.Summary().WallMS, event: r.j.event, at: r.at, began: r.chain})
}

// see notes the clock and the strikes of a game at a move, a press or a result.
func (r *reader) see(s said.Any) {
	i, ok := r.found[s.Game]
	if !ok {
		return
	}
	g, v := &r.j.Games[i], r.observer.View()
	if s.Type != "result" || s.Result != "*" { // "*" only says that nothing more was reported of it
		g.event, g.at = r.j.event, r.at
	}
	if v.Clock.Known {
		g.Clock = &said.Sides{White: v.Clock.White, Black: v.Clock.Black}
	}
	if s.Type == "result" {
		g.By = live.Word(s.By)
	}
	if v.Profile != "" {
		g.Profile = live.Word(v.Profile)
		r.used = with(r.used, v.Profile)
	}
}

// remarks are health lines that matter only while the board is in play.
var remarks = map[string]bool{"scan": true, "link_up": true, "board_identified": true, "answering": true, "board_explained": true, "hands_timing": true}

// maxHealth is the largest number of different health words of a board in a report.
const maxHealth = 64

func (r *reader) health(s said.Any) {
	if remarks[s.What] {
		return
	}
	for i := range r.j.Health {
		if h := &r.j.Health[i]; h.What == s.What {
			h.Times++
			h.Last, h.Detail, h.any = s.T, s.Detail, s
			return
		}
	}
	if len(r.j.Health) == maxHealth {
		r.leftOut.Health++
		return
	}
	r.j.Health = append(r.j.Health, Health{What: s.What, Times: 1, First: s.T, Last: s.T, Detail: s.Detail, any: s})
}

// end adds the data that are known at the end of the recording.
func (r *reader) end(src *recording.Source) {
	j := r.j
	state, _ := r.boards.State(firstName(r.boards))
	j.Serial = r.observer.View().Serial
	if j.State = "capture"; src.Journal() {
		j.State = src.Verdict().String()
		if r.last > 0 {
			j.Head = &Head{Journal: j.Journal, Seq: int64(r.last), Chain: src.Chain().String()}
			if journal.CheckName(j.Journal) != nil { // damaged, or of another program: a head is good without a name
				j.Head.Journal = ""
			}
		}
	}
	for _, d := range src.Damage() {
		j.Damage = append(j.Damage, d.String())
	}
	r.take(state)
	for _, played := range r.games.Played() {
		if i, ok := r.found[played.Game]; ok {
			g := &j.Games[i]
			g.Strikes, g.StrikesToLose = r.ledger.of(g.Game)
			g.White, g.Black, g.WhiteID, g.BlackID = played.White, played.Black, played.WhiteID, played.BlackID
			g.begins = played.Begins
			g.Table = cmp.Or(played.Table, g.Table) // a board may have been moved to another table since
			g.Result, g.Plies = live.Word(played.Result), played.Plies
			switch {
			case g.Result == "*":
				g.Result, g.By = "", ""
			case played.EnteredLate:
				g.By = "arbiter"
			}
			if played.ResultOf > 0 {
				r.enteredFor(g.Game, played.ResultOf)
			}
			if r.opt.Game > 0 || r.opt.PGN {
				g.PGN = played.PGN
			}
		}
	}
	for i := range j.Games {
		j.Games[i].otherEvent = j.Games[i].event != j.event
	}
	j.Rules = rulesOf(r.core, r.used)
	j.path, j.last = r.file, r.last
	if r.leftOut != (LeftOut{}) {
		j.LeftOut = &r.leftOut
	}
	r.narrow()
}

func firstName(bs *live.Boards) string {
	for _, s := range bs.Summaries() {
		return s.Board
	}
	return ""
}

// take stores the findings, the oldest first, and the spans.
func (r *reader) take(state live.State) {
	for _, it := range slices.Backward(state.Findings) {
		f := Finding{Board: r.j.Board, Item: it}
		if json.Unmarshal(it.Finding, &f.f) != nil || json.Unmarshal(it.Finding, &f.any) != nil {
			continue
		}
		if len(it.Ruling) > 0 {
			var ruling said.Ruling
			if json.Unmarshal(it.Ruling, &ruling) == nil {
				f.r = &ruling
			}
		}
		f.Game = f.f.Game
		f.Decided = live.Word(f.any.Decision())
		f.Open = it.Waits || f.Decided == "later" || f.Decided == "" && f.f.State == "expired" && (r.asked[f.f.ID] || strings.HasPrefix(string(f.f.Kind), "illegal."))
		r.j.Findings = append(r.j.Findings, f)
	}
	r.leftOut.Findings, r.leftOut.Spans = state.Dropped.Findings, state.Dropped.Spans
	for _, s := range state.Spans {
		r.j.Spans = append(r.j.Spans, Span{r.j.Board, s})
	}
}

// narrow keeps only the requested game, and removes everything that must not be shown.
func (r *reader) narrow() {
	j := r.j
	if n := r.opt.Game; n > 0 {
		wanted := slices.Contains([]string{"", r.boardName, j.Board, j.Table}, r.opt.Board)
		j.Games = slices.DeleteFunc(j.Games, func(g Game) bool { return !wanted || g.Game != n })
		j.Findings = slices.DeleteFunc(j.Findings, func(f Finding) bool { return !wanted || f.Game != n })
		j.Entered = slices.DeleteFunc(j.Entered, func(e Entry) bool { return !wanted || !e.of(n) })
		j.Spans = slices.DeleteFunc(j.Spans, func(s Span) bool { return !wanted || s.Game != n })
	}
	if r.opt.Played {
		j.Games = slices.DeleteFunc(j.Games, func(g Game) bool {
			found := slices.ContainsFunc(j.Findings, func(f Finding) bool { return f.Game == g.Game })
			return g.Plies == 0 && g.Result == "" && !found
		})
	}
	if r.opt.Anonymous {
		j.anonymize()
	}
}

func jsonInt(n int64) string { return strconv.FormatInt(n, 10) }

// ParseGame reads the value of --game: N, or BOARD:N.
func (o *Options) ParseGame(text string) error {
	board, number := "", text
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == ':' {
			board, number = text[:i], text[i+1:]
			break
		}
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is not a game: its number in the journal, or BOARD:NUMBER", text)
	}
	o.Board, o.Game = board, n
	return nil
}
