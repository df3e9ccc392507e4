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

// Boards are the boards of this computer. Errors are those below, or of a context.
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
	// Names are what the ids of players stand for who sit at the boards now; may be nil.
	Names func() map[string]string
	// Standby takes what the hall says of alerts while it is away; may be nil.
	Standby func(body []byte) error
	// Trouble says why a board's disk does not take its journal; "": it does. May be nil.
	Trouble func(board string) string
	// Damage says what of a board's journal could not be read at the start; "": nothing. May be nil.
	Damage func(board string) string
	// Self is what the operator's list of the hall says of this computer, and Place which board answers for a name; may
	// be nil.
	Self  func() wire.Self
	Place func(board string) wire.Place
	// Has are the boards that are to be watched here, watched at this moment or not; may be nil.
	Has func() []string
	// Urgent says whether a board has something that waits for a person; may be nil. Such boards go first when there is
	// much to bring.
	Urgent func(board string) bool
	// TakeRound takes the round from the hall, with a mark of it, and Round is the mark of what was taken; may be nil.
	// An error that is ErrUnwritten means that the disk does not take it now.
	TakeRound func(body []byte, mark string) error
	Round     func() string
	Log       zerolog.Logger
}

// An Uplink brings the journals of one computer to its hall. Its methods may be called from any goroutine.
type Uplink struct {
	opt  Options
	beat chan struct{} // a beat is due
	news chan struct{} // likewise what there is new between two beats
	open func(path string) (file, error)

	// Of Run, before anything else runs.
	member Member
	key    nkeys.KeyPair
	nc     *nats.Conn
	js     jetstream.JetStream

	mu     sync.Mutex // guards the rest; never held across I/O
	boards map[string]*board
	ctx    context.Context // of Run; nil: not running
	linked chan struct{}   // closed and replaced at each new connection
	lost   time.Time       // since when the hall is away; zero: it is there
	out    bool            // when it last answered, it did not let this computer in
	absent time.Time       // since when it was away before it came back, when that was last long enough to matter
	work   sync.WaitGroup

	failing map[string]failure // by path; guarded by mu
}

// A board is one that is or was watched.
type board struct {
	name    string
	journal string
	watched bool
	stop    context.CancelFunc // of its follower; nil: none
	kick    chan struct{}
	counted []byte    // wire.BoardBeat
	news    bool      // counted was not said yet
	spoken  time.Time // when the hall last said that it speaks for the board
	loud    bool      // this computer sends its alerts
	said    requests
	read    bool       // the journal was read to its end: what it has is in said
	unread  string     // the first place of the journal that was left out; "": none
	turn    sync.Mutex // one word of a person after another
}

// New makes an uplink. Nothing is connected before Run.
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
	return &Uplink{opt: o, lost: time.Now(), beat: make(chan struct{}, 1), news: make(chan struct{}, 1), boards: map[string]*board{}, linked: make(chan struct{}),
		open: openFile, failing: map[string]failure{}}
}

// Watch says that a board is watched from now on, with this journal, of which the records come next.
func (u *Uplink) Watch(name, journal string) {
	u.mu.Lock()
	b := u.boards[name]
	if b == nil {
		b = &board{name: name, kick: make(chan struct{}, 1)}
		u.boards[name] = b
	}
	if b.journal != journal {
		u.stopFollowing(b)
		b.unread = ""
	}
	if !b.watched {
		b.spoken = time.Now() // the hall gets the time that it always has
	}
	b.journal, b.watched, b.said, b.read, b.counted = journal, true, requests{}, false, nil
	var bridged time.Time
	if u.lost.IsZero() {
		bridged = u.absent // it was over before this journal was begun
	}
	u.follow(b, bridged)
	u.mu.Unlock()
	poke(u.beat)
}

// Renamed says that the files of the journal that a board writes have another name than Watch was told.
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

// Ready says that a board's journal was read to its end.
func (u *Uplink) Ready(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if b := u.boards[name]; b != nil {
		b.read = true
	}
}

// Left says that a board is not watched any more. What the hall has not got of its journal is brought all the same.
func (u *Uplink) Left(name string) {
	u.mu.Lock()
	if b := u.boards[name]; b != nil {
		b.watched = false
	}
	u.mu.Unlock()
	poke(u.beat)
}

// Kick says that something was written to a board's journal.
func (u *Uplink) Kick(name string) {
	u.mu.Lock()
	b := u.boards[name]
	u.mu.Unlock()
	if b != nil {
		poke(b.kick)
	}
}

// Counted takes what a board's machine has concluded that no record tells, as it is now.
func (u *Uplink) Counted(name string, text []byte) {
	u.mu.Lock()
	if b := u.boards[name]; b != nil {
		b.counted, b.news = text, b.read // what the journal brings back comes with the beats
	}
	u.mu.Unlock()
	poke(u.news)
}

// KickAll is Kick for all boards: their journals are closed.
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

// follow starts the follower of a board, for which the hall's absence that began at bridged does not matter. The caller
// holds the lock.
func (u *Uplink) follow(b *board, bridged time.Time) {
	if u.ctx == nil || u.ctx.Err() != nil || b.stop != nil {
		return
	}
	ctx, stop := context.WithCancel(u.ctx)
	b.stop = stop
	f := follower{u: u, board: b.name, kick: b.kick, files: u.files(b.journal), bridged: bridged}
	u.work.Go(func() { f.run(ctx) })
}

func (u *Uplink) stopFollowing(b *board) {
	if b.stop != nil {
		b.stop()
		b.stop = nil
	}
}

// What ends Run, as the cause of its context, where the computer leaves the hall; and what Run answers where the hall
// did not hear that.
var (
	ErrLeaves  = errors.New("this computer leaves the hall")
	ErrUnheard = errors.New("the hall did not hear that this computer has left it")
)

// Run brings the journals to the hall until ctx ends. Whether the hall is there or not makes no difference to the
// caller. It can be called again, also for another hall.
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
				return // with each attempt to connect
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
		<-closed // the library calls the others before: nothing is called after Run has ended
		u.over()
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
		b.spoken, b.loud = time.Now(), false // the hall gets the time that it always has
		u.follow(b, time.Time{})
	}
	u.mu.Unlock()
	u.work.Go(func() { u.beats(ctx) })
	u.work.Go(func() { u.answer(ctx, sub) })
	<-ctx.Done()
	_ = sub.Unsubscribe() // what is asked from now on is answered by the server: nobody is here
	leaves := errors.Is(context.Cause(ctx), ErrLeaves)
	u.publishBeat(wire.BeatBody{Version: u.opt.Version, Core: u.opt.Core, Over: true, Left: leaves})
	err = nc.FlushTimeout(time.Second) // a courtesy, but of one that leaves: the hall notices the end by itself
	u.work.Wait()
	if leaves && err != nil {
		return ErrUnheard
	}
	return nil
}

// over makes the uplink one that does not run.
func (u *Uplink) over() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ctx, u.lost, u.out = nil, time.Now(), false
	for _, b := range u.boards {
		u.stopFollowing(b)
	}
}

func (u *Uplink) connected() {
	u.opt.Log.Info().Msg("the hall is there")
	u.mu.Lock()
	close(u.linked)
	u.linked = make(chan struct{})
	if time.Since(u.lost) >= lateAfter {
		u.absent = u.lost
	}
	u.lost, u.out = time.Time{}, false
	u.mu.Unlock()
	poke(u.beat)
}

// absence is since when the hall was away before it answered again, the last time that it was away for long; zero: it
// never was. The connection works before connected is called, and may have broken and come back a second time since.
func (u *Uplink) absence() time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.lost.IsZero() && time.Since(u.lost) >= lateAfter {
		return u.lost
	}
	return u.absent
}

// confirm takes that the hall speaks for a board.
func (u *Uplink) confirm(name, journal string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if b := u.boards[name]; b != nil && b.journal == journal {
		b.spoken = time.Now()
	}
}

// Confirmed is since when the hall has not said of each board that is watched that it speaks for it: a connection alone
// says nothing of what the hall can read.
func (u *Uplink) Confirmed() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	at := map[string]time.Time{}
	for _, b := range u.boards {
		if b.watched {
			at[b.name] = b.spoken
		}
	}
	return at
}

// Silent says whether this computer leaves the alerts of a board to the hall, which begins to send them when it has all
// that was done here.
func (u *Uplink) Silent(name string, silent bool) {
	u.mu.Lock()
	if b := u.boards[name]; b != nil {
		b.loud = !silent
	}
	u.mu.Unlock()
	poke(u.beat)
}

func (u *Uplink) gone(err error) {
	u.mu.Lock()
	ending := u.ctx != nil && u.ctx.Err() != nil
	u.mu.Unlock()
	if ending {
		return // it is this end that goes
	}
	u.opt.Log.Warn().Err(err).Msg("the hall is away; the boards are watched and their journals are kept, and the hall gets them when it is back")
	u.mu.Lock()
	u.lost = time.Now()
	u.mu.Unlock()
}

// refused notes that the hall does not let this computer in, and says whether it was known.
func (u *Uplink) refused() (known bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	known, u.out = u.out, true
	return known
}

// Away is since when there is no connection with the hall, zero: there is one; and whether it did not let this computer
// in when it last answered.
func (u *Uplink) Away() (since time.Time, out bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.lost, u.out
}

// link reports whether there is a connection, and returns what is closed at the next new one.
func (u *Uplink) link() (relinked <-chan struct{}, here bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.linked, u.lost.IsZero()
}

// BeatEvery is how often a computer says how it is.
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
			if b := u.between(); len(b.Boards) > 0 {
				u.publishBeat(b)
			}
		}
	}
}

// between is what there is new of the boards between two beats.
func (u *Uplink) between() (b wire.BeatBody) {
	b.Between = true
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, one := range u.boards {
		if one.watched && one.news {
			one.news = false
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
			b.Boards = append(b.Boards, wire.BoardBeat{Board: one.name, Journal: one.journal, Counted: one.counted, Silent: !one.loud})
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
