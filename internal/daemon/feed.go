package daemon

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/alert"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/link"
	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
	"boardwatchd/rules/words"
)

// listeners connects page, alerts and feed to a board, through the options of its station. A further listener is added
// here.
func (f *frontend) listeners(board, journal string, rate int64, opt *station.Options) (ready func()) {
	if f.server != nil {
		f.server.Expect(board)
	}
	b := f.boards.Add(board, live.Info{Journal: journal, Rate: rate})
	public := f.cast.add(board, journal, rate)
	f.outbox.Begin(board, journal)
	mirrored := f.server != nil && f.d.opt.Hub
	recovered, said := opt.Recovered, opt.Said
	opt.Recovered = func(r record.Record) {
		recovered(r)
		b.Recovered(r)
		f.outbox.Recovered(board, r)
		f.d.round.hear(board, r)
		public.Recovered(r)
		switch {
		case mirrored:
			f.server.Mirrored(board, r)
		case f.server != nil:
			f.server.Recovered(board, r)
		}
	}
	opt.Entered = func(r record.Record) {
		b.Entered(r)
		f.outbox.Entered(board, r)
		f.d.round.hear(board, r)
		public.Entered(r)
		if f.server != nil {
			f.server.Entered(board, r)
		}
	}
	live, lever := false, f.d.tables.lever(board)
	opt.Seen = func(v watch.View, touches []watch.Touch) {
		b.Seen(v, touches)
		public.Seen(v.At)
		if live { // only live, and not while a journal is read
			lever(&v)
			f.d.serials.noteSerial(board, v.Serial, v.Link == "up")
			f.d.serials.noteWrongPort(board, v.Serial, v.Link == "wrong_board")
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
	opt.Disk = func(trouble string) { b.Degraded(trouble, hostName()) }
	opt.Removed = func() {
		f.addProblem("journal-removed-"+board, words.Say("notice.journal_removed", board), words.Say("notice.journal_removed.do"))
		f.publishNotices()
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

// stored reports on the page what is wrong with the data of a board that was saved before this start.
func (f *frontend) stored(board, name, damage string) {
	if damage != "" {
		f.setNotice("journal-damaged-"+board, words.Say("notice.journal_damaged", board, damage), words.Say("notice.journal_damaged.do"))
	} else {
		f.endNotice("journal-damaged-" + board)
	}
	if of, _, beside := journal.Beside(name); beside {
		f.setNotice("journal-beside-"+board, words.Say("notice.journal_beside", of, board, name), words.Say("notice.journal_beside.do", of))
	} else {
		f.endNotice("journal-beside-" + board)
	}
}

// linkTrouble reports on the page why a board cannot be reached, unless it is only a cable.
func (f *frontend) linkTrouble(board string, err error) {
	id := "port-" + board
	var failure *link.Failure
	switch errors.As(err, &failure); {
	case errors.Is(err, link.ErrSeveral):
		f.setNotice(id, words.Say("notice.port_several", board, failure.Serial, strings.Join(failure.At, ", ")), words.Say("notice.found.do"))
	case errors.Is(err, link.ErrTooMany):
		f.setNotice(id, words.Say("notice.port", board, failure.Path, failure.What), words.Say("notice.port_descriptors.do"))
	default:
		f.endNotice(id)
	}
}

// expect shows a board whose journal is not read yet.
func (f *frontend) expect(board string) {
	if f.server != nil {
		f.server.Expect(board)
	}
	f.boards.Expect(board)
	f.cast.expect(board)
}

// left shows that a board is not watched any more, unless it is opened again.
func (f *frontend) left(board string, opensAgain bool) {
	if !opensAgain {
		f.boards.Remove(board)
	}
	f.d.member.left(board)
	f.d.serials.noteSerial(board, "", false)
	f.d.serials.noteWrongPort(board, "", false)
	f.endNotice("port-" + board)
}

// changed publishes the new state of an alert.
func (f *frontend) changed(a alert.Alert) { f.publish("alert", a.Board, a) }

// publishNotices sends the page all notices about the program. Further changes within noticesEvery are sent together,
// because in a hall hundreds may come at once.
func (f *frontend) publishNotices() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.noticesPending {
		return
	}
	f.noticesPending = true
	time.AfterFunc(noticesEvery-time.Since(f.noticesSentAt), f.noticesNow)
}

// noticesEvery is the shortest time between two events with all notices.
const noticesEvery = 250 * time.Millisecond

func (f *frontend) noticesNow() {
	f.mu.Lock()
	f.noticesSentAt, f.noticesPending = time.Now(), false
	f.mu.Unlock()
	f.publish("notice", "", struct {
		Type    string       `json:"type"`
		Notices []web.Notice `json:"notices"`
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

// notices are what the arbiter should know about the state of the program itself.
func (f *frontend) notices() (list []web.Notice) {
	f.mu.Lock()
	list = slices.Concat(f.problems, f.present)
	f.mu.Unlock()
	for _, n := range f.outbox.Notices() {
		list = append(list, web.NewNotice(n.ID, n.Say, n.Do))
	}
	add := func(id string, warning, do words.Sentence) {
		if !warning.IsZero() {
			list = append(list, web.NewNotice(id, warning, do))
		}
	}
	if f.devices != nil {
		add("devices", f.devices.Warning(), words.Say("notice.devices.do"))
	}
	add("people", f.people.Warning(), words.Say("notice.people.do"))
	if f.secure != nil {
		add("ca", f.secure.Warning(), words.Say("notice.ca.do"))
	}
	return list
}
