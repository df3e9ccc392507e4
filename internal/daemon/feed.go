package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"boardwatchd/internal/alert"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/link"
	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
)

// listeners lets page, alerts and feed hear a board, through the options of its station. A further listener is added
// here.
func (f *frontend) listeners(board, journal string, rate int64, opt *station.Options) (ready func()) {
	b := f.boards.Add(board, live.Info{Journal: journal, Rate: rate})
	public := f.cast.add(board, journal, rate)
	f.outbox.Begin(board, journal)
	recovered, said := opt.Recovered, opt.Said
	opt.Recovered = func(r record.Record) {
		recovered(r)
		b.Recovered(r)
		f.outbox.Recovered(board, r)
		f.d.round.hear(board, r)
		public.Recovered(r)
		switch {
		case f.server == nil:
		case f.d.opt.Hub:
			f.server.Mirrored(board, r)
		default:
			f.server.Recovered(board, r)
		}
	}
	opt.Told = func(r record.Record) {
		b.Told(r)
		f.outbox.Told(board, r)
		f.d.round.hear(board, r)
		public.Told(r)
		if f.server != nil {
			f.server.Told(board, r)
		}
	}
	live, lever := false, f.d.tables.lever(board)
	opt.Seen = func(v watch.View, touches []watch.Touch) {
		b.Seen(v, touches)
		public.Seen(v.At)
		if live { // and not in a journal
			lever(&v)
			f.d.serials.see(board, v.Serial, v.Link == "up")
			f.d.serials.wrong(board, v.Serial, v.Link == "wrong_board")
		}
	}
	f.d.member.hear(board, journal, opt)
	opt.Trouble = func(err error) { f.linkTrouble(board, err) }
	opt.Said = func(body []byte) {
		b.Said(body)
		f.outbox.Said(board, body)
		public.Said(body)
		said(body)
	}
	opt.Disk = b.Degraded
	opt.Removed = func() {
		f.problem("journal-removed-"+board, "The journal of board "+board+" was removed or replaced while it was written. It has been written again; "+
			"earlier journals may be gone.", "Find out what cleans up in the state directory, or who, and keep it out.")
		f.tellNotices()
	}
	opt.Renamed = func(journal string) {
		f.boards.Renamed(board, journal)
		f.outbox.Renamed(board, journal)
		public.Renamed(journal)
		f.d.member.renamed(board, journal)
		f.stored(board, journal, f.d.damage(board))
	}
	return func() {
		live = true
		f.d.member.ready(board)
		f.outbox.Ready(board)
		public.Ready()
		b.Ready()
		if f.server != nil {
			f.server.Ready(board)
		}
	}
}

// stored tells on the page what is wrong with what was saved of a board before this start.
func (f *frontend) stored(board, name, damage string) {
	text := ""
	if damage != "" {
		text = "A part of the earlier record of board " + board + " cannot be read: " + damage + "."
	}
	f.standing("journal-damaged-"+board, text,
		"Copy the journals to another disk, and replace the card or disk after the round. Check what was decided in this game before.")
	of, _, beside := journal.Beside(name)
	if text = ""; beside {
		text = "The record " + of + " could not be opened: board " + board + " goes on in " + name + ". " +
			"Findings, decisions and illegal moves of before are not counted."
	}
	f.standing("journal-beside-"+board, text,
		"Keep the files of "+of+"; look in the log why they could not be opened. Count the earlier illegal moves of this game by hand.")
}

// linkTrouble tells on the page why a board is not there, where that is not only a cable.
func (f *frontend) linkTrouble(board string, err error) {
	id := "port-" + board
	var failure *link.Failure
	if errors.As(err, &failure) && (errors.Is(err, link.ErrSeveral) || errors.Is(err, link.ErrTooMany)) {
		f.standing(id, fmt.Sprintf("Board %s is not watched: %s: %v.", board, failure.Path, failure.What), failure.Hint)
		return
	}
	f.standing(id, "", "")
}

// expect shows a board whose journal has not been read yet.
func (f *frontend) expect(board string) {
	if f.server != nil {
		f.server.Expect(board)
	}
	f.boards.Expect(board)
	f.cast.expect(board)
}

// left says that a board is not watched any more.
func (f *frontend) left(board string) {
	f.boards.Remove(board)
	f.d.member.left(board)
	f.d.serials.see(board, "", false)
	f.d.serials.wrong(board, "", false)
	f.standing("port-"+board, "", "")
}

// changed shows the page what became of an alert.
func (f *frontend) changed(a alert.Alert) { f.publish("alert", a.Board, a) }

// tellNotices shows the page all that it should know of the program now.
// What changes soon after is told a moment later, together: of a
// hall, hundreds of things may change at once.
func (f *frontend) tellNotices() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.telling {
		return
	}
	f.telling = true
	time.AfterFunc(noticesEvery-time.Since(f.told), f.noticesNow)
}

// noticesEvery is the least time between two events with all notices.
const noticesEvery = 250 * time.Millisecond

func (f *frontend) noticesNow() {
	f.mu.Lock()
	f.told, f.telling = time.Now(), false
	f.mu.Unlock()
	f.publish("notice", "", struct {
		Type    string         `json:"type"`
		Notices []alert.Notice `json:"notices"`
	}{"notice", f.notices()})
}

func (f *frontend) publish(name, board string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		f.d.opt.Log.Error().Err(err).Str("event", name).Msg("cannot be shown")
		return
	}
	f.boards.Publish(name, board, data)
}

// notices are what the arbiter should know about the program itself.
func (f *frontend) notices() (list []alert.Notice) {
	f.mu.Lock()
	list = slices.Concat(f.problems, f.present)
	f.mu.Unlock()
	list = append(list, f.outbox.Notices()...)
	if f.devices != nil && f.devices.Warning() != "" {
		list = append(list, alert.Notice{ID: "devices", Text: f.devices.Warning(), Remedy: "If a phone is not let in any more, pair it again."})
	}
	if text := f.people.Warning(); text != "" {
		list = append(list, alert.Notice{ID: "people", Text: text,
			Remedy: "Moves and decisions are not concerned. Mend the disk or the file that is named."})
	}
	if f.secure != nil && f.secure.Warning() != "" {
		list = append(list, alert.Notice{ID: "ca", Text: f.secure.Warning(), Remedy: "Open the settings of the page and follow the steps of the secure page again."})
	}
	return list
}
