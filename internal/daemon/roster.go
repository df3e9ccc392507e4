package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/live"
	"boardwatchd/internal/pairing"
	"boardwatchd/internal/qr"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

// This file is about the operator's list: this computer's row, and the list of its page.

// self describes this computer for the operator's list.
func (d *Daemon) self() wire.Self {
	host, _ := os.Hostname() // "": the list has no name
	s := wire.Self{Run: d.runID, Boot: station.BootID(d.opt.Getenv), Host: host, WallMS: time.Now().UnixMilli()}
	if free, known := freeOn(d.opt.Dir); known {
		s.Free = &free
	}
	s.Due = d.used.announced.Load()
	return s
}

// hostName is the computer's own name.
func hostName() string {
	host, _ := os.Hostname() // "": unknown
	return cmp.Or(host, "boardwatchd")
}

// freeOn is how many free bytes the disk of a directory has.
func freeOn(dir string) (free int64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}

// has are the boards that are to be watched here: those of the configuration, and those found since the start.
func (d *Daemon) has() []string {
	list := []string{} // not nil: none
	for _, b := range d.opt.Config.Boards {
		list = append(list, b.Name)
	}
	for _, b := range d.frontend.boards.Summaries() {
		if !slices.Contains(list, b.Board) {
			list = append(list, b.Board)
		}
	}
	return list
}

// place is the board that answers for a name, and its port.
func (d *Daemon) place(board string) (p wire.Place) {
	p.Serial = d.serials.answering(board)
	p.Other = d.serials.other(board)
	if s := d.Station(board); s != nil {
		p.Port = d.sockets.of(s.Port())
	}
	if i := slices.IndexFunc(d.opt.Config.Boards, func(b config.Board) bool { return b.Name == board }); i >= 0 {
		p.Wants = d.opt.Config.Boards[i].Serial
		if port := d.opt.Config.Boards[i].Port; port != config.Auto && p.Port != "" {
			p.Port = port // a name that stays
		}
		near := d.strays.near(board)
		p.Stray, p.StrayPort = near.serial, d.sockets.of(near.port)
	}
	return p
}

// damage is the part of a board's journal that could not be read at the start.
func (d *Daemon) damage(board string) string {
	if s := d.Station(board); s != nil {
		return s.Damage()
	}
	return ""
}

// Computers is the operator's list.
func (f *frontend) Computers() roster.List {
	now, self := time.Now(), f.d.self()
	own := roster.Computer{
		Name: hostName(), Own: true, Here: true, Seen: now, Version: f.d.opt.Version, Core: watch.Revision, Self: self,
		FreeLimit: f.d.opt.Config.Budgets.Free, Troubles: f.troubles(), File: f.d.opt.File,
	}
	if !f.d.inHall() {
		own.Pairing = f.d.round.mistakes()
	}
	boards := f.boards.Facts()
	if f.d.hub == nil {
		for _, b := range boards {
			one := roster.Board{ShownAs: b.Board, Name: b.Board, Here: b.Watching, Place: f.d.place(b.Board), Home: f.d.serials.belonging(b.Board), Damage: f.d.damage(b.Board), Journal: f.boards.Journal(b.Board)}
			own.Boards = append(own.Boards, one)
		}
		return roster.Make(false, []roster.Computer{own}, boards, now)
	}
	own.NoRoom, own.Mirrored = f.d.room.why(), f.d.room.mirrored("")
	computers := f.d.hub.Roster()
	f.markGone(computers) // before missed: a computer may have been revoked a moment ago
	for i := range computers {
		computers[i].FreeLimit, computers[i].Mirrored = own.FreeLimit, f.d.room.mirrored(computers[i].Name)
		if computers[i].Name == own.Name {
			own.Name = hallDir // it watches no board, and a name has to identify a computer
		}
	}
	l := roster.Make(true, slices.Concat(computers, f.missed(f.d.hub.Revoked()), []roster.Computer{own}), boards, now)
	l.Newcomers, l.Stranded = append(l.Newcomers, f.d.hub.Newcomers()...), f.stranded()
	return l
}

// missed keeps, of the boards of revoked computers, those whose table has no other board, and which have players of the
// round, or a game of it in progress.
func (f *frontend) missed(revoked []roster.Computer) (list []roster.Computer) {
	state := f.d.round.now()
	seats, round := f.d.round.seated(&state), f.d.round.roundOf(&state)
	taken, playing, seated := map[string]bool{}, map[string]bool{}, map[live.Names]bool{}
	boards := f.boards.Summaries()
	for _, s := range boards {
		if !s.Gone {
			taken[pairing.BoardKey(f.d.tables.of(s.Board))] = true
		}
		if !s.Gone && s.Names != nil {
			seated[*s.Names] = true
		}
	}
	for _, s := range boards {
		elsewhere := s.Names != nil && seated[*s.Names] // the game of a copied card is in progress at another computer
		playing[s.Board] = inProgress(&s) && (round == "" || string(s.Round) == round) && !elsewhere
	}
	for _, c := range revoked {
		had := c.Boards
		c.Boards = nil
		for _, b := range had {
			b.Table = f.d.tables.of(b.ShownAs)
			key := pairing.BoardKey(b.Table)
			if _, paired := seats[key]; (paired || playing[b.ShownAs]) && !taken[key] {
				taken[key] = true // of two computers that had it, the one that was revoked last counts
				c.Boards = append(c.Boards, b)
			}
		}
		list = append(list, c)
	}
	return list
}

// maxOwnNotices is how many rows with the same problem have a notice each.
const maxOwnNotices = 4

// onPage are the problems of the list that the page shows on every screen, because no board reports them itself.
var onPage = []string{"clone", "double", "twice", "claimed", "elsewhere", "moved", "exchanged", "revoked", "other_port", "stray", "ahead", "behind", "odd_clock", "hall_clock", "version", "core",
	"journal_damaged", "journal_beside", "hall_full", "hall_files", "hall_unwritable", live.MirrorStalled, "saved_lost", "hall_most", "too_large", "journals_due", "round_unsaved", "round_refused", "older"}

// rosterEvery is how often the list is checked for them.
const rosterEvery = 3 * time.Second

// followRoster sets the notices about problems in the list of a hall.
func (f *frontend) followRoster(ctx context.Context) {
	told := map[string]bool{}
	for pause(ctx, rosterEvery) {
		l := f.Computers()
		now := map[string]bool{}
		for _, what := range onPage {
			f.noticeRows(what, l.Rows, now)
		}
		var wait words.Sentence
		if n := len(l.Newcomers); n > 0 {
			wait = words.Say("notice.newcomers", n)
		}
		f.setNotice("newcomers", wait, words.Say("notice.newcomers.do", f.d.opt.command("hall accept", "CODE NAME")))
		f.noticeStranded(l.Stranded)
		for id := range told {
			if !now[id] {
				f.endNotice(id)
			}
		}
		told = now
	}
}

// markGone marks the boards that are not watched any more, because their computers have left the hall or do not have
// them, and those for which a second program speaks as well, such as that of a copied card.
func (f *frontend) markGone(computers []roster.Computer) {
	has, copied := map[string]bool{}, map[string]bool{}
	for _, c := range computers {
		for _, b := range c.Boards {
			has[b.ShownAs], copied[b.ShownAs] = !b.Gone, c.TwoPrograms
		}
	}
	for _, s := range f.boards.Summaries() {
		f.boards.Gone(s.Board, !has[s.Board])
		f.boards.Copied(s.Board, copied[s.Board])
	}
}

// noticeRows sets the notices for the rows with the same problem: one for each row, or one for all.
func (f *frontend) noticeRows(what string, rows []roster.Row, now map[string]bool) {
	var rowsOf []roster.Row
	var found []roster.Problem
	for _, r := range rows {
		for _, p := range r.Problems {
			if p.What == what && (p.Level != roster.Note || what == "version" || what == "core") {
				rowsOf, found = append(rowsOf, r), append(found, p)
			}
		}
	}
	if len(found) == 0 {
		return
	}
	if len(found) > maxOwnNotices {
		id := "list-" + what
		now[id] = true
		f.setLevelled(id, folded(found[0]), words.Say("notice.rows", rowName(rowsOf[0]), found[0].Say, len(found)-1), found[0].DoSay)
		return
	}
	for i, p := range found {
		name := rowName(rowsOf[i])
		id := "list-" + what + "-" + page.English(name)
		now[id] = true
		f.setLevelled(id, folded(p), words.Say("notice.row", name, p.Say), p.DoSay)
	}
}

// folded is the level of a notice for a problem: what works is folded on the page.
func folded(p roster.Problem) string {
	if p.Level == roster.Note {
		return roster.Note
	}
	return ""
}

// rowName names the computer or board of a row.
func rowName(r roster.Row) words.Sentence {
	if r.Board != "" {
		return words.Say("notice.row_board", cmp.Or(r.Table, r.Name, r.Board), r.Computer)
	}
	return words.Say("hall.computer", r.Computer)
}

// Invite makes an invitation for a computer, or with "" for many.
func (f *frontend) Invite(name string) (web.HallToken, error) {
	conf := f.d.opt.Config.Hall
	addresses := conf.Cluster
	if len(addresses) == 0 {
		addresses = HallAddresses(f.d.hub.Addr().String())
	}
	token, err := Invite(f.d.opt.Dir, name, addresses)
	if err != nil {
		return web.HallToken{}, hallError(err)
	}
	t := web.HallToken{Token: token, ExpiresMS: time.Now().Add(hub.InvitationLife).UnixMilli()}
	if picture, err := qr.New(token); err == nil { // a token that is too long for a picture is in the file all the same
		t.SVG = string(picture.SVG())
	}
	return t, nil
}

// Accept, Refuse and Belongs carry out the operator's answers.
func (f *frontend) Accept(code, name string) error { return hallError(f.d.hub.Accept(code, name)) }

func (f *frontend) Refuse(code string) error { return hallError(f.d.hub.Refuse(code)) }

func (f *frontend) Belongs(board string) error { return hallError(f.d.hub.Belongs(board)) }

// hallError is the page's error for an error of the hub.
func hallError(err error) error {
	var name wire.NameError
	switch {
	case errors.Is(err, members.ErrNoNewcomer), errors.Is(err, hub.ErrNoBoardThere):
		return fmt.Errorf("%w: %w", web.ErrNotThere, err)
	case errors.Is(err, members.ErrNameInUse):
		return fmt.Errorf("%w: %w", web.ErrNameInUse, err)
	case errors.Is(err, members.ErrNameTaken), errors.As(err, &name):
		return fmt.Errorf("%w: %w", web.ErrConflict, err)
	}
	return err
}

// listAsJSON is the list for programs on this computer.
func (f *frontend) listAsJSON() []byte {
	b, err := json.Marshal(f.Computers())
	if err != nil {
		panic("daemon: internal error: " + err.Error()) // texts and numbers
	}
	return b
}
