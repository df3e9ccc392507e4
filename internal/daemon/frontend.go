package daemon

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/alert"
	"boardwatchd/internal/config"
	"boardwatchd/internal/disk"
	"boardwatchd/internal/live"
	"boardwatchd/internal/metrics"
	"boardwatchd/internal/people"
	"boardwatchd/internal/trust"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

// frontend serves the people around the boards: the page with its feed, the alerts and the metrics. Nothing in it can
// keep a board from being watched.
type frontend struct {
	d               *Daemon
	files           ownFiles
	merged          bool // the list of devices that was unread is in use: merged once, nobody who is removed then comes back
	people          *people.Book
	boards          *live.Boards
	outbox          *alert.Outbox
	metrics         *metrics.Metrics
	devices         *access.Store    // nil: no page
	secure          *trust.Authority // nil: no HTTPS
	server          *web.Server      // nil: no page
	push            *pushers         // nil: no Web Push
	cast            *cast            // nil: there is no broadcast
	reading         chan struct{}    // lets one goroutine at a time read a journal for the replay
	computersSignal chan struct{}    // a computer of the hall has come or gone
	refs            []byte           // of alert.Options
	served          served           // address of the page over HTTP
	secured         served           // address of the page over HTTPS

	mu             sync.Mutex   // guards problems and present
	problems       []web.Notice // notices that were found at the start, or that stay until the program ends
	noticesSentAt  time.Time    // when the notices were last sent to the page
	noticesPending bool         // they will be sent soon
	present        []web.Notice // notices that go when their cause has gone: see setNotice
}

// The files of the page in the state directory. The journals restore everything else.
const (
	devicesFile  = "devices.json"
	alertKeyFile = "alert.key"
	vapidFile    = "vapid.json"
	peopleFile   = "people.json"
	trustDir     = "ca"
	inviteFile   = "pair.html"

	otherInviteFile = "pair-%d.html" // of a second program on the same directory
)

// addProblem shows a notice on the page until the end. Those of the start are logged when the page is served: a daemon
// that cannot start reports only why.
func (f *frontend) addProblem(id string, say, do words.Sentence) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := web.NewNotice(id, say, do)
	if !slices.ContainsFunc(f.problems, func(o web.Notice) bool { return o.ID == id && o.Say.Equal(say) }) {
		f.problems = append(f.problems, n)
	}
}

// setNotice logs a lasting problem with its remedy and shows it on the page; an empty sentence ends it. A notice that
// is already shown is not logged again.
func (f *frontend) setNotice(id string, say, do words.Sentence) { f.setLevelled(id, "", say, do) }

// setLevelled is setNotice with a level, as the list has them; "": somebody should do something.
func (f *frontend) setLevelled(id, level string, say, do words.Sentence) {
	if say.IsZero() {
		f.endNotice(id)
		return
	}
	n := web.NewNotice(id, say, do)
	n.Level = level
	f.mu.Lock()
	i := f.presentAt(id)
	if i >= 0 && f.present[i].Say.Equal(say) {
		f.mu.Unlock()
		return
	}
	if i >= 0 {
		f.present = slices.Delete(f.present, i, i+1)
	}
	f.present = append(f.present, n)
	f.mu.Unlock()
	f.d.opt.Log.Warn().Str("remedy", n.Remedy).Msg(n.Text)
	f.publishNotices()
}

// updateNotice is setNotice for a notice whose numbers change: the shown numbers are replaced, without another line of
// the log.
func (f *frontend) updateNotice(id string, say, do words.Sentence) {
	f.mu.Lock()
	i := f.presentAt(id)
	known := i >= 0 && f.present[i].Say.Key == say.Key
	changed := known && !f.present[i].Say.Equal(say)
	if changed {
		f.present[i] = web.NewNotice(id, say, do)
	}
	f.mu.Unlock()
	switch {
	case changed:
		f.publishNotices()
	case !known:
		f.setNotice(id, say, do)
	}
}

// endNotice ends a notice.
func (f *frontend) endNotice(id string) {
	f.mu.Lock()
	i := f.presentAt(id)
	if i >= 0 {
		f.present = slices.Delete(f.present, i, i+1)
	}
	f.mu.Unlock()
	if i >= 0 {
		f.d.opt.Log.Info().Str("notice", id).Msg("this is over")
		f.publishNotices()
	}
}

// isPresent reports whether a notice is shown.
func (f *frontend) isPresent(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.presentAt(id) >= 0
}

// presentAt is the index of a notice in present; -1: it is not shown. The caller holds the lock.
func (f *frontend) presentAt(id string) int {
	return slices.IndexFunc(f.present, func(n web.Notice) bool { return n.ID == id })
}

// close is called after all goroutines have ended.
func (f *frontend) close() {
	if f.devices != nil {
		if err := f.devices.Close(); err != nil {
			f.d.opt.Log.Error().Err(err).Msg("the list of devices")
		}
		f.keepFiles()
	}
	if err := f.files.close(); err != nil {
		f.d.opt.Log.Error().Err(err).Msg("remove the temporary directory")
	}
}

// keepFiles copies the page's own files to their second place, except those of another program on the same directory.
// Files that live in the second place are copied to the state directory as soon as it takes files.
func (f *frontend) keepFiles() {
	if f.devices.Shared() {
		return
	}
	f.adoptUnread()
	switch err := f.files.keep(); {
	case err == nil && f.isPresent(stateDir):
		f.people.Flush() // the cause of its warning is over too
		f.endNotice(stateDir)
	case err != nil && !f.isPresent(stateDir):
		n := f.stateDirNotice(err)
		f.setNotice(n.ID, n.Say, n.DoSay)
	}
}

// stateDir is the notice that the state directory takes no file.
const stateDir = "state-dir"

func (f *frontend) stateDirNotice(err error) web.Notice {
	do := words.Say("notice.state_dir.do")
	if f.d.opt.Hub {
		do = words.Say("hall.hall_unwritable.do")
	}
	return web.NewNotice(stateDir, words.Say("notice.state_dir", f.d.opt.Dir, disk.Why(err)), do)
}

// openFrontend prepares the page and the alert channels. Problems become notices.
func (d *Daemon) openFrontend() *frontend {
	f := &frontend{d: d, files: openOwnFiles(d.opt.Dir, d.opt.Getenv), reading: make(chan struct{}, 1), computersSignal: make(chan struct{}, 1)}
	f.people = people.Open(filepath.Join(d.opt.Dir, peopleFile), time.Now)
	f.boards = live.New(live.Options{Said: f.people.Said})
	if err := f.files.unusable; err != nil {
		f.present = append(f.present, f.stateDirNotice(err)) // logged with the other problems of the start
	}
	f.present = append(f.present, f.restoredNotices()...)
	f.metrics = metrics.New(f.boards, d.opt.Version, watch.Revision)
	f.metrics.Budgets(d.budgets)
	f.openBroadcast()
	key, err := alert.LoadKey(filepath.Join(f.files.dir, alertKeyFile))
	if err != nil { // the buttons of messages work until the next start only
		f.addProblem("alert-key", words.Say("notice.alert_key", disk.WhyAt(err)), words.Say("notice.mend_file.do"))
	}
	a := d.opt.Config.Alerts
	if d.inHall() { // the hall sends alerts, and this computer while the hall is away: membership.attach
		a.Channels, a.Push, a.Escalate = nil, false, 0
	}
	if d.opt.Hub {
		f.refs = alert.RefsOf(key)
	}
	f.outbox = alert.New(alert.Options{
		Silent: d.inHall() || d.opt.Hub, Refs: f.refs,
		Channels: f.measured(f.configured(a)), Journal: d, InForce: inForce, Unwatched: unwatched,
		Now: time.Now, Escalate: a.Escalate, Expire: a.Expire, Wording: a.Wording, Language: a.Language,
		URL: f.address, Changed: f.changed, Noticed: func([]alert.Notice) { f.publishNotices() }, Gone: f.pushServiceGone, Said: f.people.Said, Table: d.tables.of, Key: key, Log: d.opt.Log,
	})
	if d.opt.Config.HTTP.Listen != config.Off {
		f.openPage()
	}
	return f
}

// openPage prepares everything that is served. serve listens.
func (f *frontend) openPage() {
	d := f.d
	f.devices = access.Open(filepath.Join(f.files.dir, devicesFile), time.Now)
	f.noteUnread()
	if d.opt.Config.HTTP.Secure != config.Off {
		names, ips := f.identities()
		var err error
		if f.secure, err = trust.Open(filepath.Join(f.files.dir, trustDir), names, ips, time.Now); err != nil {
			f.addProblem("https", words.Say("notice.https", disk.WhyAt(err)), words.Say("notice.https.do"))
		}
	}
	pushKey := func() string { return "" }
	if d.opt.Config.Alerts.Push && f.secure != nil {
		keys, err := alert.LoadVAPID(filepath.Join(f.files.dir, vapidFile))
		if err != nil {
			f.addProblem("push", words.Say("notice.push", disk.WhyAt(err)), words.Say("notice.mend_file.do"))
		} else {
			f.push = newPushers(f, keys, d.opt.Config.Alerts.PushContact)
			pushKey = func() string {
				if d.inHall() {
					return "" // phones pair with the hall's page
				}
				return f.push.key()
			}
		}
	}
	o := web.Options{
		Live: f.boards, Access: f.devices, Boards: d, Alerts: f.outbox, People: f.people,
		Names: d.opt.Config.HTTP.Names, Base: f.address,
		Metrics: f.metrics.Handler(), MetricsOpen: d.opt.Config.HTTP.Metrics == config.LAN, AlertSent: f.metrics.AlertSent,
		Connections: d.opt.Config.Budgets.Connections, Stuck: newPulse(d).stuck, Notices: f.notices,
		Event: d.round.event, Round: d.round.round, Orders: d.round, Tables: d.tables, Version: d.opt.Version, PushKey: pushKey, Log: d.limitLog(d.opt.Log),
	}
	for _, s := range d.opt.Config.Sections {
		o.Sections = append(o.Sections, web.Section(s))
	}
	o.Rounds = &rounds{dir: d.opt.Dir, people: f.people}
	o.Computers = f.Computers
	if d.member != nil {
		o.Member = d.member
	}
	if d.opt.Hub {
		o.Waits, o.Hall, o.Behind = f, f, f.behind
		o.Rounds = &rounds{dir: HallFiles(d.opt.Dir).Mirror(), mirror: true, people: f.people, left: func(computer string) bool { return d.hub != nil && !d.hub.Member(computer) }}
	}
	o.Replays = f
	o.Public = f.cast.public()
	if f.secure != nil {
		o.Authority = f.secure
		o.SecurePort = f.secured.port
	}
	f.server = web.New(o)
	f.metrics.Connections(func() metrics.Connections { return metrics.Connections(f.server.Connections()) })
}

// run sends alerts and follows network and devices, until ctx ends.
func (f *frontend) run(ctx context.Context) {
	f.d.running.Go(func() {
		if err := f.outbox.Run(ctx); err != nil && ctx.Err() == nil {
			f.d.opt.Log.Error().Err(err).Msg("alerts")
		}
	})
	f.cast.run(ctx, f.d.running.Go)
	f.d.running.Go(func() { f.followNetwork(ctx) })
	f.d.running.Go(func() { f.followPeople(ctx) })
	if f.server == nil {
		return
	}
	f.d.running.Go(func() { f.devices.Run(ctx) })
	f.d.running.Go(func() { f.followDevices(ctx) })
	if f.push != nil {
		f.d.running.Go(func() { f.push.run(ctx) })
	}
}

// followDevices keeps a copy of the list of devices, and reports on the page when that fails, and when it works again.
func (f *frontend) followDevices(ctx context.Context) {
	told := page.English(f.devices.Warning())
	for {
		changed := f.devices.Changed()
		f.keepFiles()
		if now := page.English(f.devices.Warning()); now != told {
			told = now
			f.d.opt.Log.Warn().Msg(cmp.Or(now, "The list of paired devices is on the disk."))
			f.publishNotices()
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-time.After(f.keepPause()): // a change is reported before it is in the file
		}
	}
}

// followPeople forgets names when their time is over, and writes the others to the disk as soon as that is possible.
func (f *frontend) followPeople(ctx context.Context) {
	told, day := "", time.Time{}
	for {
		if now := time.Now(); now.Sub(day).Abs() >= 24*time.Hour {
			day = now
			f.forgetPeople()
		}
		f.people.Flush()
		if now := page.English(f.people.Warning()); now != told {
			told = now
			f.d.opt.Log.Warn().Msg(cmp.Or(now, "The list of names is on the disk."))
			f.publishNotices()
		}
		if !pause(ctx, keepEvery) {
			f.people.Flush()
			return
		}
	}
}

func (f *frontend) forgetPeople() {
	days := f.d.opt.Config.KeepNames
	switch gone, err := f.people.Expire(days); {
	case err != nil: // Warning reports it
	case gone > 0:
		f.d.opt.Log.Info().Int("entries", gone).Int("days", days).Msg("names and notes that were needed no more are removed from people.json")
	}
}

const (
	// keepEvery is how often the page's own files are compared with their copies.
	keepEvery = 10 * time.Second
	// unreadEvery is how often a list of devices that cannot be read is looked for: phones wait for it.
	unreadEvery = time.Second
)

func (f *frontend) keepPause() time.Duration {
	if f.devices.Unread() {
		return unreadEvery
	}
	return keepEvery
}

// pushServiceGone removes the subscription of a phone that its push service no longer knows.
func (f *frontend) pushServiceGone(channel string) {
	if f.push != nil {
		f.push.gone(channel)
	}
}
