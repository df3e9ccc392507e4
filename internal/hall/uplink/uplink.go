package uplink

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
)

// Boards are the boards of this computer. Their errors have a code (Options.Code), or are those of a context.
type Boards interface {
	Decide(ctx context.Context, board string, body []byte) error
	Instruct(ctx context.Context, board string, body []byte) error
	Saved(ctx context.Context, board string, seq int64) error
	Head(board string) journal.Head
}

// Options configure an uplink: the journals that it sends, and the functions that answer the hall.
type Options struct {
	Dir     string // of the journals
	Version string
	Core    string
	Rate    int // how much faster than life the boards' time runs; 0 is 1
	Boards  Boards
	// Code is the wire's code of an error of Boards.
	Code func(error) string
	// Names are the names of the players at the boards now, by their ids; may be nil.
	Names func() map[string]string
	// Standby receives the hall's instructions for alerts while it is away; may be nil.
	Standby func(body []byte) error
	// Trouble is why a board's disk does not take its journal; "": it does. May be nil.
	Trouble func(board string) string
	// Damage is the part of a board's journal that could not be read at the start; "": none. May be nil.
	Damage func(board string) string
	// Self describes this computer for the hall's operator's list, and Place the board that answers for a name; may be
	// nil.
	Self  func() wire.Self
	Place func(board string) wire.Place
	// Has are the boards that are to be watched here, whether or not they are watched now; may be nil.
	Has func() []string
	// Urgent reports whether a board has something that waits for a person; may be nil. After an absence of the hall
	// such boards send first.
	Urgent func(board string) bool
	// TakeRound receives the round from the hall with its mark, and Round is the mark of the round that was taken; may
	// be nil. ErrUnwritten means that the disk does not take it now.
	TakeRound func(body []byte, mark string) error
	Round     func() string
	Log       zerolog.Logger
}

// An Uplink sends the journals of one computer to its hall. Its methods may be called from any goroutine.
type Uplink struct {
	opt  Options
	beat chan struct{} // a beat is due
	news chan struct{} // likewise for the news between two beats
	open func(path string) (file, error)

	// These fields are set by Run before it starts anything.
	member Member
	key    nkeys.KeyPair
	nc     *nats.Conn
	js     jetstream.JetStream

	mu            sync.Mutex // guards the rest; never held across I/O
	boards        map[string]*board
	ctx           context.Context // of Run; nil: not running
	newLink       chan struct{}   // closed and replaced at each new connection
	awaySince     time.Time       // since when the hall is away; zero: it is there
	refusedByHall bool            // when it last answered, it did not let this computer in
	lastAbsence   time.Time       // begin of the last absence of the hall that was long enough to matter
	work          sync.WaitGroup

	failing map[string]failure // by path; guarded by mu
}

// A board is or was watched here.
type board struct {
	name          string
	journal       string
	watched       bool
	stop          context.CancelFunc // of its follower; nil: none
	kick          chan struct{}
	counted       []byte    // wire.BoardBeat
	countedUnsent bool      // counted was not sent yet
	confirmedAt   time.Time // when the hall last confirmed that it sends the alerts of the board
	sendsAlerts   bool      // this computer sends the board's alerts
	said          requests
	readToEnd     bool       // the journal was read to its end: its requests are known
	firstUnread   string     // the first place of the journal that was left out; "": none
	inputs        sync.Mutex // one input of a person after another
}

// New makes an uplink. It connects in Run.
func New(o Options) *Uplink {
	o.Rate = max(o.Rate, 1)
	if o.Standby == nil {
		o.Standby = func([]byte) error { return nil }
	}
	if o.Trouble == nil {
		o.Trouble = func(string) string { return "" }
	}
	if o.Damage == nil {
		o.Damage = func(string) string { return "" }
	}
	if o.Urgent == nil {
		o.Urgent = func(string) bool { return false }
	}
	if o.Self == nil {
		o.Self = func() wire.Self { return wire.Self{} }
	}
	if o.Place == nil {
		o.Place = func(string) wire.Place { return wire.Place{} }
	}
	if o.Has == nil {
		o.Has = func() []string { return nil }
	}
	if o.TakeRound == nil {
		o.TakeRound = func([]byte, string) error { return errors.New("no round is taken here") }
	}
	if o.Round == nil {
		o.Round = func() string { return "" }
	}
	return &Uplink{opt: o, awaySince: time.Now(), beat: make(chan struct{}, 1), news: make(chan struct{}, 1), boards: map[string]*board{}, newLink: make(chan struct{}),
		open: openFile, failing: map[string]failure{}}
}

// Watch begins the watching of a board with this journal. The journal's records follow.
func (u *Uplink) Watch(name, journal string) {
	u.mu.Lock()
	b := u.boards[name]
	if b == nil {
		b = &board{name: name, kick: make(chan struct{}, 1)}
		u.boards[name] = b
	}
	if b.journal != journal {
		u.stopFollowing(b)
		b.firstUnread = ""
	}
	if !b.watched {
		b.confirmedAt = time.Now() // the hall gets the time that it always has
	}
	b.journal, b.watched, b.said, b.readToEnd, b.counted = journal, true, requests{}, false, nil
	var bridged time.Time
	if u.awaySince.IsZero() {
		bridged = u.lastAbsence // the absence ended before this journal was begun
	}
	u.follow(b, bridged)
	u.mu.Unlock()
	poke(u.beat)
}

// Renamed reports another name of the files of a board's journal than the one given to Watch.
func (u *Uplink) Renamed(name, journal string) {
	u.mu.Lock()
	if b := u.boards[name]; b != nil && b.journal != journal {
		u.stopFollowing(b)
		b.journal = journal
		u.follow(b, time.Time{})
	}
	u.mu.Unlock()
	poke(u.beat)
}

// Ready reports that a board's journal was read to its end.
func (u *Uplink) Ready(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if b := u.boards[name]; b != nil {
		b.readToEnd = true
	}
}

// Left ends the watching of a board. The rest of its journal is sent all the same.
func (u *Uplink) Left(name string) {
	u.mu.Lock()
	if b := u.boards[name]; b != nil {
		b.watched = false
	}
	u.mu.Unlock()
	poke(u.beat)
}

// Kick reports that something was written to a board's journal.
func (u *Uplink) Kick(name string) {
	u.mu.Lock()
	b := u.boards[name]
	u.mu.Unlock()
	if b != nil {
		poke(b.kick)
	}
}

// Counted sets what a board's machine has concluded and no record holds, as it is now.
func (u *Uplink) Counted(name string, text []byte) {
	u.mu.Lock()
	if b := u.boards[name]; b != nil {
		b.counted, b.countedUnsent = text, b.readToEnd // what the journal brings back is sent with the beats
	}
	u.mu.Unlock()
	poke(u.news)
}

// KickAll is Kick for all boards, at the end, when their journals are closed.
func (u *Uplink) KickAll() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, b := range u.boards {
		poke(b.kick)
	}
}

// Recovered takes an Instruct or Decide record of the journal that is read, Entered one of the live loop.
func (u *Uplink) Recovered(name string, r record.Record) { u.Entered(name, r) }

// Entered takes an Instruct or Decide record, before Boards returns.
func (u *Uplink) Entered(name string, r record.Record) {
	if r.Kind != record.Instruct && r.Kind != record.Decide {
		return
	}
	var o struct {
		Request string `json:"request"`
	}
	if json.Unmarshal(r.Body, &o) != nil || o.Request == "" {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if b := u.boards[name]; b != nil {
		b.said.add(o.Request, int64(r.Seq))
	}
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// follow starts the follower of a board. The hall's absence that began at bridged does not make its chunks late. The
// caller holds the lock.
func (u *Uplink) follow(b *board, bridged time.Time) {
	if u.ctx == nil || u.ctx.Err() != nil || b.stop != nil {
		return
	}
	ctx, stop := context.WithCancel(u.ctx)
	b.stop = stop
	f := follower{u: u, board: b.name, kick: b.kick, files: u.files(b.journal), lateAbsence: bridged}
	u.work.Go(func() { f.run(ctx) })
}

func (u *Uplink) stopFollowing(b *board) {
	if b.stop != nil {
		b.stop()
		b.stop = nil
	}
}

// ErrLeaves is the cause of Run's context when the computer leaves the hall. ErrUnheard is the result of Run if the
// hall did not receive that.
var (
	ErrLeaves  = errors.New("this computer leaves the hall")
	ErrUnheard = errors.New("the hall did not hear that this computer has left it")
)

// Run sends the journals to the hall until ctx ends. The caller need not care whether the hall can be reached. It can
// be called again, also for another hall.
func (u *Uplink) Run(ctx context.Context, m Member) error {
	key, err := nkeys.FromSeed([]byte(m.Seed))
	if err != nil {
		return err
	}
	u.member, u.key = m, key
	opts, err := connecting(m.Pin, m.Seed, m.Computer)
	if err != nil {
		return err
	}
	closed := make(chan struct{})
	opts = append(opts, nats.Name("boardwatchd "+m.Computer),
		nats.ConnectHandler(func(*nats.Conn) { u.connected() }), nats.ReconnectHandler(func(*nats.Conn) { u.connected() }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { u.gone(err) }),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			if notLetIn(err) {
				u.refused()
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if notLetIn(err) && u.refused() {
				return // called at each attempt to connect
			}
			u.opt.Log.Warn().Err(err).Msg("the hall's server refuses something")
		}),
		nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	nc, err := nats.Connect(servers(m.Addresses), opts...)
	if err != nil {
		return err
	}
	defer func() {
		nc.Close()
		<-closed // the library calls the other handlers before this one: none is called after Run has ended
		u.stopRunning()
	}()
	if u.js, err = jetstream.New(nc); err != nil {
		return err
	}
	u.nc = nc
	sub, err := nc.SubscribeSync(wire.Ask(m.Computer))
	if err != nil {
		return err
	}
	u.mu.Lock()
	u.ctx = ctx
	for _, b := range u.boards {
		b.confirmedAt, b.sendsAlerts = time.Now(), false // the hall gets its usual time
		u.follow(b, time.Time{})
	}
	u.mu.Unlock()
	u.work.Go(func() { u.beats(ctx) })
	u.work.Go(func() { u.answer(ctx, sub) })
	<-ctx.Done()
	_ = sub.Unsubscribe() // from now on the server answers questions: there is no subscriber
	leaves := errors.Is(context.Cause(ctx), ErrLeaves)
	u.publishBeat(wire.BeatBody{Version: u.opt.Version, Core: u.opt.Core, Over: true, Left: leaves})
	err = nc.FlushTimeout(time.Second) // it can be left out: the hall notices the end by itself
	u.work.Wait()
	if leaves && err != nil {
		return ErrUnheard
	}
	return nil
}

// stopRunning marks the uplink as not running.
func (u *Uplink) stopRunning() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ctx, u.awaySince, u.refusedByHall = nil, time.Now(), false
	for _, b := range u.boards {
		u.stopFollowing(b)
	}
}

func (u *Uplink) connected() {
	u.opt.Log.Info().Msg("the hall is there")
	u.mu.Lock()
	close(u.newLink)
	u.newLink = make(chan struct{})
	if time.Since(u.awaySince) >= lateAfter {
		u.lastAbsence = u.awaySince
	}
	u.awaySince, u.refusedByHall = time.Time{}, false
	u.mu.Unlock()
	poke(u.beat)
}

// absence is the begin of the hall's last long absence; zero: there was none. The connection works before the handler
// connected is called, and may have broken and come back again since.
func (u *Uplink) absence() time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.awaySince.IsZero() && time.Since(u.awaySince) >= lateAfter {
		return u.awaySince
	}
	return u.lastAbsence
}

// confirm notes that the hall sends the alerts of a board.
func (u *Uplink) confirm(name, journal string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if b := u.boards[name]; b != nil && b.journal == journal {
		b.confirmedAt = time.Now()
	}
}

// Confirmed is, for each watched board, when the hall last confirmed that it sends its alerts. A connection alone does
// not show what the hall can read.
func (u *Uplink) Confirmed() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	at := map[string]time.Time{}
	for _, b := range u.boards {
		if b.watched {
			at[b.name] = b.confirmedAt
		}
	}
	return at
}

// Silent sets whether this computer leaves the alerts of a board to the hall. The hall begins when it has all records
// of the alerts that were sent here.
func (u *Uplink) Silent(name string, silent bool) {
	u.mu.Lock()
	if b := u.boards[name]; b != nil {
		b.sendsAlerts = !silent
	}
	u.mu.Unlock()
	poke(u.beat)
}

func (u *Uplink) gone(err error) {
	u.mu.Lock()
	ending := u.ctx != nil && u.ctx.Err() != nil
	u.mu.Unlock()
	if ending {
		return // this end closes the connection
	}
	u.opt.Log.Warn().Err(err).Msg("the hall is away; the boards are watched and their journals are kept, and the hall gets them when it is back")
	u.mu.Lock()
	u.awaySince = time.Now()
	u.mu.Unlock()
}

// refused notes that the hall does not let this computer in, and reports whether that was known.
func (u *Uplink) refused() (known bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	known, u.refusedByHall = u.refusedByHall, true
	return known
}

// Away returns since when there is no connection to the hall (zero: there is one), and whether the hall refused this
// computer when it last answered.
func (u *Uplink) Away() (since time.Time, out bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.awaySince, u.refusedByHall
}

// link reports whether there is a connection, and returns a channel that is closed at the next new one.
func (u *Uplink) link() (relinked <-chan struct{}, here bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.newLink, u.awaySince.IsZero()
}

// BeatEvery is the time between two beats.
const BeatEvery = 2 * time.Second

func (u *Uplink) beats(ctx context.Context) {
	tick := time.NewTicker(BeatEvery)
	defer tick.Stop()
	u.publishBeat(u.state())
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			u.publishBeat(u.state())
		case <-u.beat:
			u.publishBeat(u.state())
		case <-u.news:
			if b := u.changesSinceBeat(); len(b.Boards) > 0 {
				u.publishBeat(b)
			}
		}
	}
}

// changesSinceBeat collects the changes of the boards since the last beat.
func (u *Uplink) changesSinceBeat() (b wire.BeatBody) {
	b.Between = true
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, one := range u.boards {
		if one.watched && one.countedUnsent {
			one.countedUnsent = false
			b.Boards = append(b.Boards, wire.BoardBeat{Board: one.name, Journal: one.journal, Counted: one.counted})
		}
	}
	return b
}

func (u *Uplink) publishBeat(b wire.BeatBody) {
	m, err := wire.Sealed(wire.Beat(u.member.Computer), b, u.key)
	if err == nil {
		_ = u.nc.PublishMsg(m) // without a connection: the next one comes soon
	}
}

func (u *Uplink) state() wire.BeatBody {
	b := wire.BeatBody{Version: u.opt.Version, Core: u.opt.Core, Round: u.opt.Round(), Self: u.opt.Self(), Has: u.opt.Has()}
	if u.opt.Names != nil {
		b.Names = u.opt.Names()
	}
	u.mu.Lock()
	for _, one := range u.boards {
		if one.watched {
			b.Boards = append(b.Boards, wire.BoardBeat{Board: one.name, Journal: one.journal, Counted: one.counted, Silent: !one.sendsAlerts})
		}
	}
	u.mu.Unlock()
	for i := range b.Boards {
		b.Boards[i].Trouble = u.opt.Trouble(b.Boards[i].Board)
		b.Boards[i].Damage = u.damage(b.Boards[i].Board)
		b.Boards[i].Place = u.opt.Place(b.Boards[i].Board)
		if h := u.opt.Boards.Head(b.Boards[i].Board); h.Seq > 0 {
			b.Boards[i].Head = h.String()
		}
	}
	return b
}
