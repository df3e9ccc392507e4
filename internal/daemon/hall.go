package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardwatchd/internal/alert"
	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/view"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/web"
	"boardwatchd/rules/words"
)

// HallFiles are the files of a hall in its state directory.
func HallFiles(state string) hub.Files { return hub.FilesIn(filepath.Join(state, hallDir)) }

// RunHall serves the boards of other computers on one page until ctx ends: Options.Hub. It watches no board itself.
//
// A hall that no computer can reach serves its page all the same, and starts again when it can be reached: see
// unreachableHall.
func RunHall(ctx context.Context, o Options) error {
	for {
		d := Open(o)
		if err := d.runHall(ctx); err != nil || !d.startAgain.Load() || ctx.Err() != nil {
			return err
		}
	}
}

func (d *Daemon) runHall(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.limitProcess()
	f := d.frontend
	d.room.dir, d.room.least = d.opt.Dir, d.opt.Config.Budgets.Free/2
	memory := ""
	if f.files.unusable != nil {
		memory = f.files.dir
		d.room.testWrites.Store(true)
	}
	shut := d.checkReachable()
	opt := hub.Options{
		Dir: filepath.Join(d.opt.Dir, hallDir), Listen: d.opt.Config.Hall.Listen, Cluster: d.opt.Config.Hall.Cluster, Event: d.opt.Config.Event, Memory: memory,
		Expect: f.expect, Hear: f.hear, Here: f.here, Away: f.boards.Lost, Disk: f.boards.Degraded, Stalled: f.boards.SetStalled, Standby: f.standbyOf(), Late: f.outbox.Late,
		Speak: func(board string, speak bool) { f.outbox.Silence(board, !speak) }, Names: f.people.Named, Changed: f.computersChanged, Orders: d.round.roundFor, Waits: f.waits,
		Urgent: f.urgent, Removed: newMirrors(HallFiles(d.opt.Dir).Mirror()).removedOf, Full: d.room.full, List: f.listAsJSON, Log: d.opt.Log,
		Damaged: f.damaged,
	}
	err := shut.apply(&opt)
	defer shut.close()
	var h *hub.Hub
	if err == nil {
		h, err = hub.Open(opt)
	}
	if err == nil {
		d.hub = h
		err = h.Start(ctx)
	}
	if err != nil {
		cancel()
		if remedy := web.DiskRemedy(err); remedy != "" {
			err = fmt.Errorf("%w (%s). %s", err, d.opt.Dir, remedy)
		}
		return errors.Join(err, d.Close())
	}
	d.running.Go(func() { h.Run(ctx) })
	d.running.Go(func() { f.followRoster(ctx) })
	d.running.Go(func() { f.followComputers(ctx) })
	if shut != nil {
		d.running.Go(func() { d.waitToOpen(ctx, cancel, shut) })
	} else {
		d.opt.Log.Info().Stringer("listen", h.Addr()).Msg("the hall takes computers")
		d.running.Go(func() { d.copyKeys(ctx) })
	}
	d.Serve(ctx)
	switch {
	case shut != nil:
		d.opt.Show(shut.why)
	case !d.opt.AnyPort: // in a simulation the computers are already there
		d.opt.Show(fmt.Sprintf("Another computer joins: %s here, then there what it prints (%s).", d.opt.command("hall invite", "NAME"), portToOpen(h.Addr())))
	}
	return d.runUntilEnd(ctx)
}

// portToOpen names the port that a network has to let through.
func portToOpen(a net.Addr) string {
	if t, ok := a.(*net.TCPAddr); ok {
		return fmt.Sprintf("port %d", t.Port)
	}
	return a.String()
}

// hear connects page, alerts and feed to a board of another computer.
func (f *frontend) hear(board, journal string, rate int) view.Listener {
	opt := station.Options{Recovered: func(record.Record) {}, Said: func([]byte) {}}
	ready := f.listeners(board, journal, int64(rate), &opt)
	return view.Listener{Recovered: opt.Recovered, Entered: opt.Entered, Seen: opt.Seen, Said: opt.Said, Ready: ready}
}

// here shows whether a board of another computer can be reached.
func (f *frontend) here(board string, here bool) { f.boards.Away(board, !here) }

// behind reports whether a board may have written more than the hall shows.
func (f *frontend) behind(board string) bool { return f.d.hub == nil || f.d.hub.Behind(board) }

// urgent are the boards with an alert that no person has seen.
func (f *frontend) urgent() (boards []string) {
	for _, a := range f.outbox.Alerts() {
		if a.State == alert.Open {
			boards = append(boards, a.Board)
		}
	}
	return boards
}

// namedApart is how many computers of a hall have a notice each; more share one.
const namedApart = 8

// computersChanged signals that a computer of the hall has come or gone. It does not block.
func (f *frontend) computersChanged() {
	select {
	case f.computersSignal <- struct{}{}:
	default: // followComputers has not handled the previous signal
	}
}

// computersApart is the shortest time between two looks at the computers: when a hall comes back, all of them come at
// once.
const computersApart = 200 * time.Millisecond

// followComputers handles the signals of computersChanged until ctx ends.
func (f *frontend) followComputers(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.computersSignal:
		}
		f.computers()
		if !pause(ctx, computersApart) {
			return
		}
	}
}

// computers sets the notices about computers that are away and boards with other names here.
func (f *frontend) computers() {
	now := f.d.hub.Computers()
	slices.SortFunc(now, func(a, b hub.Computer) int { return strings.Compare(a.Name, b.Name) })
	var away, renamed []string
	for _, c := range now {
		for _, board := range c.Renamed {
			if f.d.tables.of(board) == board { // otherwise it has a table, or there is no board of that name any more
				renamed = append(renamed, board)
			}
		}
		if !c.Here {
			away = append(away, c.Name)
		}
	}
	var named, several words.Sentence
	if len(renamed) > 0 {
		named = words.Say("notice.boards_named", len(renamed), enumerated(renamed))
	}
	f.setNotice("names", named, words.Say("notice.boards_named.do"))
	if len(away) > namedApart {
		several = words.Say("notice.computers", len(away), enumerated(away))
		away = nil
	}
	f.updateNotice("computers", several, words.Say("notice.computers.do", f.d.opt.command("hall revoke", "NAME")))
	f.mu.Lock()
	told := slices.Clone(f.present)
	f.mu.Unlock()
	for _, n := range told {
		if name, ok := strings.CutPrefix(n.ID, "computer-"); ok && !slices.Contains(away, name) {
			f.endNotice(n.ID)
		}
	}
	for _, name := range away {
		f.setNotice("computer-"+name, words.Say("notice.computer", name), words.Say("notice.computer.do", f.d.opt.command("hall revoke", name)))
	}
}

// enumerated are the first names of a list, as text.
func enumerated(names []string) string {
	if len(names) <= namedApart {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:namedApart], ", ") + ", …"
}

// Waiting are the decisions that wait for a board, for the page.
func (f *frontend) Waiting(board string) (list []web.Waiting) {
	for _, o := range f.d.hub.Waiting(board) {
		if w, ok := f.waitingOf(&o); ok {
			list = append(list, w)
		}
	}
	return list
}

func (f *frontend) waitingOf(o *hub.Waiting) (w web.Waiting, ok bool) {
	var d struct {
		Finding, Decision, Device string
		WallMS                    int64 `json:"wall_ms"`
	}
	if json.Unmarshal([]byte(o.Body), &d) != nil {
		return w, false
	}
	return web.Waiting{
		Finding: d.Finding, Decision: d.Decision, By: f.people.Said(d.Device), Request: o.Request, WallMS: d.WallMS, Asked: o.Tried && o.Failed == "", Failed: o.Failed,
		Device: d.Device,
	}, true
}

// stranded are the decisions that wait for computers which are not in the hall any more.
func (f *frontend) stranded() []roster.Stranded {
	list := []roster.Stranded{}
	for _, o := range f.d.hub.Stranded() {
		w, _ := f.waitingOf(&o.Waiting) // an unreadable one can be taken back all the same
		list = append(list, roster.Stranded{Computer: o.Computer, Board: o.ShownAs, Finding: w.Finding, Decision: w.Decision, By: w.By, Request: o.Request, WallMS: w.WallMS})
	}
	return list
}

// noticeStranded sets a notice on every screen for stranded decisions. It replaces the notice that they wait for their
// boards.
func (f *frontend) noticeStranded(list []roster.Stranded) {
	var boards []words.Sentence
	for _, o := range list {
		f.endNotice("waits-" + o.Board)
		if board := words.Say("notice.stranded_board", f.d.tables.of(o.Board), o.Computer); !slices.ContainsFunc(boards, board.Equal) {
			boards = append(boards, board)
		}
	}
	var say words.Sentence
	if n := len(list); n > 0 {
		if len(boards) > namedApart {
			boards = append(boards[:namedApart], words.Verbatim("…"))
		}
		say = words.Say("notice.stranded", n, words.List(", ", boards))
	}
	f.setNotice("stranded", say, words.Say("notice.stranded.do"))
}

// TakeBack takes back a decision that waits.
func (f *frontend) TakeBack(board, request string) error {
	return fromHub(f.d.hub.TakeBack(board, request))
}

// waits sets the notice about the decisions that wait for a board.
func (f *frontend) waits(board string) {
	list := f.Waiting(board)
	waiting, refused := waitTexts(f.d.tables.of(board), list)
	f.setNotice("waits-"+board, waiting, words.Say("notice.waits.do"))
	f.setNotice("refused-"+board, refused, words.Say("notice.refused.do"))
	f.publish("waiting", board, struct {
		Type    string        `json:"type"`
		Board   string        `json:"board"`
		Waiting []web.Waiting `json:"waiting"`
	}{"waiting", board, append([]web.Waiting{}, list...)})
}

// waitTexts are the notices about the decisions that wait for a board, and about those that it will never take.
func waitTexts(board string, list []web.Waiting) (waiting, refused words.Sentence) {
	failed := slices.DeleteFunc(slices.Clone(list), func(w web.Waiting) bool { return w.Failed == "" })
	if n := len(list) - len(failed); n > 0 {
		waiting = words.Say("notice.waits", board, n)
	}
	if n := len(failed); n > 0 {
		refused = words.Say("notice.refused", board, n, failed[n-1].Failed)
	}
	return waiting, refused
}

// fromHub turns an error of the hub into the page's error about a person's input.
func fromHub(err error) error {
	switch {
	case errors.Is(err, hub.ErrWaits):
		return web.ErrWaits
	case errors.Is(err, hub.ErrNotKept):
		return fmt.Errorf("%w: %w", web.ErrLost, err)
	case errors.Is(err, hub.ErrNoBoard):
		return fmt.Errorf("%w: %w: %w", web.ErrUnreachable, web.ErrNoBoard, err) // the outbox keeps its own inputs
	case errors.Is(err, hub.ErrNoWait):
		return web.ErrNoWait
	case errors.Is(err, hub.ErrTaken):
		return fmt.Errorf("%w: %w", web.ErrTaken, err)
	case errors.Is(err, hub.ErrNever):
		return fmt.Errorf("%w: %w", web.ErrNever, err)
	case errors.Is(err, hub.ErrOnItsWay):
		return web.ErrOnItsWay
	case errors.Is(err, hub.ErrLost):
		return fmt.Errorf("%w: %w", web.ErrLost, err)
	case errors.Is(err, hub.ErrNotSaved):
		return fmt.Errorf("%w: %w", web.ErrNotSaved, err)
	}
	return err
}

// HallAddresses are the addresses at which other computers can reach a hall that listens at an address.
func HallAddresses(listen string) (list []string) {
	host, port := hostPort(listen)
	if !everywhere(listen) {
		return []string{net.JoinHostPort(host, strconv.Itoa(port))}
	}
	for _, a := range lanAddresses() {
		list = append(list, net.JoinHostPort(a.IP.String(), strconv.Itoa(port)))
	}
	return append(list, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// Invite makes an invitation of the hall in a state directory, and returns its token.
func Invite(state, computer string, addresses []string) (token string, err error) {
	return tokenOf(HallFiles(state).Invite(computer, addresses, time.Now()))
}

// InviteInstead is Invite for a computer that replaces the one of that name.
func InviteInstead(state, computer string, addresses []string) (token string, err error) {
	return tokenOf(HallFiles(state).InviteInstead(computer, addresses, time.Now()))
}

func tokenOf(inv wire.Invitation, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return inv.Token(), nil
}
