package daemon

import (
	"archive/zip"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/pairing"
	"boardwatchd/internal/people"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/report"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
)

// rounds are the journals of this computer, or of a hall's mirror, grouped by the rounds in their names and the events
// in their opening records. It is a web.Rounds.
type rounds struct {
	dir    string
	mirror bool // its directories are those of computers
	people *people.Book
	// left reports whether a computer has left the hall; nil: none has. Games that were not played at its boards are
	// played at others, and are left out.
	left func(computer string) bool

	mu     sync.Mutex // guards the fields below; not held while journals are read
	games  map[string]gamesOf
	events map[string]eventOf     // by the file with the opening record
	begins map[string]beginningOf // by the first files of both journals
}

// An eventOf is the event of a journal when it had this size.
type eventOf struct {
	size    int64
	written time.Time
	event   string
}

// gamesOf are the games of a round when its journals were last read.
type gamesOf struct {
	state string
	list  []web.RoundGame
}

var (
	again = regexp.MustCompile(`--[0-9]+$`)
	day   = regexp.MustCompile(`^.+-([0-9]{8}).*$`)
)

// roundOf is the identity of a journal's round: r4, r4--2 if there was an r4 before, a day, a simulation. "": it is no
// journal of a round.
func roundOf(e journal.Entry) (id, round, board string) {
	board, its := boardAndRoundOf(e)
	switch {
	case board == "" || board == "lab":
		return "", "", ""
	case its == "":
		if m := day.FindStringSubmatch(e.Name); m != nil {
			return m[1], "", board
		}
		return "", "", ""
	case its[0] != '-':
		return its, "", board // a simulation
	}
	return its[1:] + again.FindString(e.Name), its[2:], board
}

// A heldRound round is a round with its journals, which are of one event.
type heldRound struct {
	web.Round
	journals []journal.Entry
	copies   map[string]bool // see copied
	event    string
}

// entries are the journals of all directories.
func (r *rounds) entries() (list []journal.Entry, err error) {
	dirs := []string{r.dir}
	if r.mirror {
		computers, err := os.ReadDir(r.dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		dirs = nil
		for _, c := range computers {
			dirs = append(dirs, filepath.Join(r.dir, c.Name()))
		}
	}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		entries, err := journal.List(dir)
		if err != nil {
			return nil, err
		}
		list = append(list, entries...)
	}
	return list, nil
}

// all are the rounds, the newest first. Two events with a round of the same name are two rounds: the newer one has the
// name, and the others have a mark of their event after it. A journal whose event cannot be read belongs to the newest.
func (r *rounds) all() ([]heldRound, error) {
	entries, err := r.entries()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(entries, func(a, b journal.Entry) int { return b.LastWrite.Compare(a.LastWrite) })
	var list []heldRound
	var unknown []journal.Entry
	for _, e := range entries {
		id, round, _ := roundOf(e)
		event, known := r.eventOf(e)
		switch {
		case id == "":
		case !known:
			unknown = append(unknown, e)
		default:
			add(&list, e, id, round, event)
		}
	}
	for _, e := range unknown {
		id, round, _ := roundOf(e)
		event := ""
		if i := slices.IndexFunc(list, func(h heldRound) bool { return h.ID == id }); i >= 0 {
			event = list[i].event
		}
		add(&list, e, id, round, event)
	}
	var names Naming
	for i := range list {
		list[i].copies = r.copied(list[i].journals)
		list[i].sum(&names)
	}
	slices.SortStableFunc(list, func(a, b heldRound) int { return cmp.Compare(b.WallMS, a.WallMS) })
	return list, nil
}

// add adds a journal to its round, which may be a new one.
func add(list *[]heldRound, e journal.Entry, id, round, event string) {
	if i := slices.IndexFunc(*list, func(h heldRound) bool { return h.ID == id }); i >= 0 && (*list)[i].event != event {
		id += fmt.Sprintf("-%x", sha256.Sum256([]byte(event)))[:9]
	}
	i := slices.IndexFunc(*list, func(h heldRound) bool { return h.ID == id })
	if i < 0 {
		i = len(*list)
		*list = append(*list, heldRound{Round: web.Round{ID: id, Round: round}, event: event})
	}
	(*list)[i].journals = append((*list)[i].journals, e)
}

// sum sets boards, size and last write of a round's journals, and sorts them by name.
func (h *heldRound) sum(names *Naming) {
	slices.SortStableFunc(h.journals, func(a, b journal.Entry) int { return cmp.Compare(a.Segments[0].Path, b.Segments[0].Path) })
	for _, e := range h.journals {
		_, _, board := roundOf(e)
		shown, table := names.Of(e.Segments[0].Path, board)
		board = cmp.Or(table, shown)
		h.Bytes += e.Size
		h.WallMS = max(h.WallMS, e.LastWrite.UnixMilli())
		if !h.copies[e.Segments[0].Path] && !slices.Contains(h.Boards, board) {
			h.Boards = append(h.Boards, board)
		}
	}
}

// eventOf is the last event that a journal names, as in a report. It is read again when the journal has grown.
func (r *rounds) eventOf(e journal.Entry) (event string, known bool) {
	last := e.Segments[len(e.Segments)-1].Path
	r.mu.Lock()
	o, read := r.events[last]
	r.mu.Unlock()
	if read && o.size == e.Size && o.written.Equal(e.LastWrite) {
		return o.event, true
	}
	o = eventOf{size: e.Size, written: e.LastWrite}
	for i := len(e.Segments) - 1; i >= 0 && !known; i-- {
		o.event, known = eventIn(e.Segments[i].Path)
	}
	if !known {
		return "", false // it may be readable the next time
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.events == nil {
		r.events = map[string]eventOf{}
	}
	r.events[last] = o
	return o.event, true
}

// openingWithin is how many records from the beginning of a segment its opening record is looked for: after a failure
// of the disk, records that are written a second time come before it.
const openingWithin = 1000

// eventIn is the event in the first opening record of a segment.
func eventIn(path string) (event string, known bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close() // read only
	src, err := recording.Open("-", f)
	if err != nil || !src.Journal() {
		return "", false
	}
	defer src.Close() // read only
	for range openingWithin {
		it, err := src.Next()
		if err != nil {
			return "", false
		}
		if it.Record.Kind != record.Open {
			continue
		}
		var conf struct {
			Event string `json:"event"`
		}
		o, err := watch.ParseOpening(it.Record.Body)
		if err == nil {
			err = json.Unmarshal(o.Config, &conf)
		}
		return conf.Event, err == nil
	}
	return "", false
}

func (r *rounds) one(id string) (heldRound, error) {
	list, err := r.all()
	if err != nil {
		return heldRound{}, err
	}
	i := slices.IndexFunc(list, func(h heldRound) bool { return h.ID == id })
	if i < 0 {
		return heldRound{}, web.ErrNoRound
	}
	return list[i], nil
}

// Rounds lists the rounds for the page.
func (r *rounds) Rounds() (list []web.Round, err error) {
	all, err := r.all()
	for _, h := range all {
		list = append(list, h.Round)
	}
	return list, err
}

// collect reads the journals of a round. An unreadable one is missing in the report, which mentions it.
func (r *rounds) collect(ctx context.Context, h heldRound, opt report.Options) (*report.Collector, error) {
	opt.Called = new(Naming).Of
	c := &report.Collector{Options: opt}
	for _, e := range h.journals {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		file := e.Segments[0].Path
		if h.copies[file] {
			continue
		}
		c.Options.Played = r.hasLeft(file)
		if err := r.add(c, file); err != nil {
			c.Missing(file, err)
		}
	}
	return c, nil
}

// hasLeft reports whether a mirrored file is of a computer that has left the hall.
func (r *rounds) hasLeft(file string) bool {
	return r.left != nil && r.left(filepath.Base(filepath.Dir(file)))
}

func (r *rounds) add(c *report.Collector, file string) error {
	src, err := recording.Open(file, nil)
	if err != nil {
		return err
	}
	if !src.Journal() {
		return errors.Join(errors.New("it is no journal"), src.Close())
	}
	return errors.Join(c.Add(file, src, "", r.people), src.Close())
}

// reports returns the reports of the round with an id.
func (r *rounds) reports(ctx context.Context, id string, opt report.Options) ([]*report.Report, error) {
	h, err := r.one(id)
	if err != nil {
		return nil, err
	}
	c, err := r.collect(ctx, h, opt)
	if err != nil {
		return nil, err
	}
	return c.Reports(), nil
}

// Games are the games of a round. They are read again when a journal has grown.
func (r *rounds) Games(ctx context.Context, id string) ([]web.RoundGame, error) {
	h, err := r.one(id)
	if err != nil {
		return nil, err
	}
	state := strings.Join(h.Boards, " ") + "\n"
	for _, e := range h.journals {
		state += fmt.Sprintf("%s %d %d %t\n", e.Name, e.Size, e.LastWrite.UnixNano(), r.hasLeft(e.Segments[0].Path))
	}
	r.mu.Lock()
	known := r.games[id]
	r.mu.Unlock()
	if known.state != state {
		c, err := r.collect(ctx, h, report.Options{})
		if err != nil {
			return nil, err
		}
		known = gamesOf{state: state}
		for _, rep := range c.Reports() {
			for _, g := range rep.Games() {
				known.list = append(known.list, web.RoundGame{
					Board: cmp.Or(g.Table, g.Board), Game: g.Game, White: g.WhiteID, Black: g.BlackID, Result: string(g.Result), Plies: g.Plies, WallMS: g.WallMS,
				})
			}
		}
		r.mu.Lock()
		if r.games == nil {
			r.games = map[string]gamesOf{}
		}
		r.games[id] = known
		r.mu.Unlock()
	}
	list := slices.Clone(known.list) // with the current names: one may have been forgotten
	for i := range list {
		list[i].White, list[i].Black = r.people.Said(list[i].White), r.people.Said(list[i].Black)
	}
	return list, nil
}

// Write writes one of the files of a round.
func (r *rounds) Write(ctx context.Context, w io.Writer, id, file, lang string) error {
	switch file {
	case web.JournalsZIP:
		return r.zip(ctx, w, id)
	case web.GamesPGN:
		return r.pgn(ctx, w, id)
	}
	list, err := r.reports(ctx, id, report.Options{Lang: lang})
	if err != nil || len(list) == 0 {
		return err
	}
	// The journals are of one event, but for some that changed it while they were read.
	most := slices.MaxFunc(list, func(a, b *report.Report) int { return cmp.Compare(len(a.Journals), len(b.Journals)) })
	switch file {
	case web.ReportJSON:
		return most.JSON(w)
	case web.ResultsCSV:
		return pairing.Results(w, most.Results())
	}
	return most.HTML(w)
}

func (r *rounds) pgn(ctx context.Context, w io.Writer, id string) error {
	list, err := r.reports(ctx, id, report.Options{PGN: true})
	if err != nil {
		return err
	}
	for _, rep := range list {
		for _, g := range rep.Played() {
			if _, err := io.WriteString(w, g.PGN); err != nil {
				return err
			}
		}
	}
	return nil
}

// zip writes the files of the journals unchanged, one after the other, each up to its size at the beginning: a journal
// that is being written ends at a record or within its last one.
func (r *rounds) zip(ctx context.Context, w io.Writer, id string) error {
	h, err := r.one(id)
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for _, e := range h.journals {
		for _, f := range e.Segments {
			if err := ctx.Err(); err != nil {
				return err
			}
			name := filepath.Base(f.Path)
			if r.mirror { // two computers may have a journal of the same name
				name = filepath.Base(filepath.Dir(f.Path)) + "/" + name
			}
			if err := zipFile(z, name, f, e.LastWrite); err != nil {
				return err
			}
		}
	}
	return z.Close()
}

func zipFile(z *zip.Writer, name string, f journal.File, written time.Time) error {
	in, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer in.Close() // read only
	how := zip.Deflate
	if filepath.Ext(f.Path) != journal.Extension {
		how = zip.Store // it is packed already
	}
	out, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: how, Modified: written})
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, f.Size))
	return err
}
