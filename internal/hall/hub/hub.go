package hub

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/mirror"
	"boardwatchd/internal/hall/view"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/secretfile"
	"boardwatchd/internal/trust"
)

// Options are the hall's directories and addresses, and the functions that it calls.
type Options struct {
	Dir    string // hall/ in the state directory; see Files
	Listen string // host:port for the computers
	// Cluster are separate NATS servers, host:port; empty: the hall's own server, at Listen.
	Cluster []string
	Event   string
	// Memory is another directory, for when the disk of Dir takes no file; "": Dir is used. With Memory the stream is
	// in memory until the next start, and the hall begins with the files of Dir. Full then says how long no journals
	// are taken.
	Memory string
	// Keys is another directory with the hall's keys and its list of computers, where those in Dir cannot be used; "":
	// Dir.
	Keys string
	// Damaged receives the name of a damaged file, without which the hall begins, and the path where it is kept; may be
	// nil.
	Damaged func(name, aside string)
	// Expect announces at the start that the mirror of a board will be read: until then only the board's name is known;
	// may be nil. It must not block.
	Expect func(board string)
	// Hear returns the listener of a board, each time its journal is read from the beginning. It must not block.
	Hear func(board, journal string, rate int) view.Listener
	// Here reports whether the board is watched and can be reached: after Ready of a journal that was read, and at each
	// change. It must not block.
	Here func(board string, here bool)
	// Away reports that the board's computer cannot be reached, so that the state of the board is unknown; nil: Here is
	// called instead.
	Away func(board string)
	// Disk reports why the disk of the board's computer does not take its journal, so that nothing more comes, or ""
	// when it does again; may be nil. It must not block.
	Disk func(board, problem, computer string)
	// Stalled receives the time since when the hall has received nothing of what a board's computer has written; the
	// zero time: the hall has all of it. May be nil. It must not block.
	Stalled func(board string, since time.Time, computer string)
	// Speak reports whether the hall sends the alerts of a board. It begins once the hall has all records of what the
	// board's own computer did with alerts, and ends when the board cannot be reached. It must not block; may be nil.
	Speak func(board string, speak bool)
	// Late reports whether what follows of a board was recorded while the hall was away; may be nil.
	Late func(board string, late bool)
	// Standby are the instructions to computers for alerts while the hall is away; nil: none.
	Standby []byte
	// Names receives the names that ids of players stand for, and reports whether one was new; may be nil.
	Names func(map[string]string) bool
	// Orders is the round for a computer, with a mark. Its argument maps the boards' names at the computer to the names
	// under which they are shown; nil result: no round. May be nil.
	Orders func(boards map[string]string) (body []byte, mark string)
	// Waits is called when the decisions that wait for a board have changed; may be nil. It must not block.
	Waits func(board string)
	// Urgent are the boards with an alert that no person has seen: at the next start they are read first; may be nil.
	Urgent func() []string
	// Removed reports which mirrored journals of a computer were removed here and are not to be fetched again; may be
	// nil.
	Removed func(computer string) func(journal string) bool
	// Full reports whether the disk has too little room for more journals: then none are taken, and the boards keep
	// them; nil: never. It must not block.
	Full func() bool
	// List is the current operator's list as JSON, for programs on this computer (Files.AskList); may be nil.
	List func() []byte
	// Changed is called when a computer comes or goes; may be nil. It must not block.
	Changed func()
	Log     zerolog.Logger
}

// Files names the files in the hall's directory.
type Files struct{ dir string }

// FilesIn returns the files of a directory.
func FilesIn(dir string) Files { return Files{dir} }

// Members is the list of computers.
func (f Files) Members() *members.List { return members.Open(filepath.Join(f.dir, "computers.json")) }

// Mirror has a directory for each computer, with the copies of its journals.
func (f Files) Mirror() string { return filepath.Join(f.dir, "mirror") }

func (f Files) trust() string { return filepath.Join(f.dir, "ca") }

func (f Files) waits() string { return filepath.Join(f.dir, "waiting.json") }

func (f Files) names() string { return filepath.Join(f.dir, "shown.json") }

func (f Files) homes() string { return filepath.Join(f.dir, "homes.json") }

func (f Files) seed() string { return filepath.Join(f.dir, "hub.seed") }

// Authority is the hall's own certificate authority. It is made at the first use.
func (f Files) Authority() (a *trust.Authority, err error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return nil, err
	}
	err = f.Members().Alone(func() (err error) { a, err = trust.Open(f.trust(), nil, nil, time.Now); return err })
	return a, err
}

// Key is the key with which the hall signs. It is made at the first use.
func (f Files) Key() (key nkeys.KeyPair, err error) {
	err = f.Members().Alone(func() (err error) { key, err = f.ownKey(); return err })
	return key, err
}

func (f Files) ownKey() (nkeys.KeyPair, error) {
	return keyIn(f.seed(), nkeys.CreateUser, "put a copy of it back, or delete it; then every computer joins again")
}

// keyIn reads the key in a file, and makes one if there is no file. The error for a damaged file ends in the remedy.
func keyIn(path string, create func() (nkeys.KeyPair, error), remedy string) (nkeys.KeyPair, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		key, err := create()
		if err != nil {
			return nil, err
		}
		seed, err := key.Seed()
		if err != nil {
			return nil, err
		}
		return key, secretfile.Replace(path, seed)
	}
	if err != nil {
		return nil, err
	}
	key, err := nkeys.FromSeed(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", path, err, remedy)
	}
	return key, nil
}

// A Hub serves the computers of a hall. Its methods may be called from any goroutine.
type Hub struct {
	opt       Options
	list      *members.List
	store     *mirror.Store
	authority *trust.Authority
	tls       *tls.Config
	key       nkeys.KeyPair
	public    string
	server    *server.Server // nil: there is a cluster
	inMemory  bool           // the stream is in memory
	tempDir   string         // of the server then
	door      *door          // of the server
	cluster   *cluster       // nil: there is a server
	nc        *nats.Conn
	reading   turns           // to read a journal
	first     map[string]bool // boards that are read before others, beginning with the start
	urgent    []string        // boards that keepUrgent noted last; watchComputers owns it
	urgentAt  time.Time
	summing   chan struct{} // a place for each comparison of checksums that runs
	catching  chan struct{} // a place for each board that is behind and fetched
	bringing  bringing
	waits     *waits
	names     *names        // guarded by mu, but for its file
	homes     *homes        // likewise
	following sync.Mutex    // held while the list is read and the server receives it
	waiting   atomic.Int64  // bytes of chunks in the queues of all workers
	given     atomic.Int64  // messages that came out of the stream
	full      atomic.Bool   // the last answer of Full
	probed    chan struct{} // a probe has come out of the stream
	cancel    context.CancelFunc
	work      sync.WaitGroup
	ending    sync.Mutex // guards workEnded
	workEnded bool       // nothing is added to work any more

	mu          sync.Mutex // guards the rest; never held across I/O
	ctx         context.Context
	roll        members.Roll
	inRoll      map[string]members.Computer // its computers by name: a hall has hundreds
	seen        members.Version             // the version of the list that was read last
	computers   map[string]*computer
	heardAgain  time.Time          // keepHeard does not try before
	byShownName map[string]*worker // workers by shownAs
}

// Open prepares the hall in its directory.
func Open(o Options) (*Hub, error) {
	files, keys := FilesIn(o.Dir), FilesIn(cmp.Or(o.Keys, o.Dir))
	h := &Hub{
		opt: o, inMemory: o.Memory != "", list: keys.Members(), store: mirror.Open(files.Mirror()),
		computers: map[string]*computer{}, byShownName: map[string]*worker{}, reading: turns{free: max(2, runtime.GOMAXPROCS(0))}, first: files.readUrgent(), summing: make(chan struct{}, 1), catching: make(chan struct{}, maxCatching),
		probed: make(chan struct{}, 1),
	}
	h.bringing.open(h.answerLast)
	if h.opt.Expect == nil {
		h.opt.Expect = func(string) {}
	}
	if h.opt.Names == nil {
		h.opt.Names = func(map[string]string) bool { return false }
	}
	if h.opt.Speak == nil {
		h.opt.Speak = func(string, bool) {}
	}
	if h.opt.Stalled == nil {
		h.opt.Stalled = func(string, time.Time, string) {}
	}
	if h.opt.Late == nil {
		h.opt.Late = func(string, bool) {}
	}
	if h.opt.Waits == nil {
		h.opt.Waits = func(string) {}
	}
	if h.opt.Full == nil {
		h.opt.Full = func() bool { return false }
	}
	if h.opt.Damaged == nil {
		h.opt.Damaged = func(string, string) {}
	}
	if h.opt.Changed == nil {
		h.opt.Changed = func() {}
	}
	h.full.Store(o.Keys != "") // which is no trouble of the disk
	var err error
	if h.authority, err = keys.Authority(); err != nil {
		return nil, err
	}
	h.tls = &tls.Config{MinVersion: tls.VersionTLS13, GetCertificate: h.certificate}
	if h.key, err = keys.Key(); err != nil {
		return nil, err
	}
	if h.public, err = h.key.PublicKey(); err != nil {
		return nil, err
	}
	if h.cluster, err = files.openCluster(o.Cluster); err != nil {
		return nil, err
	}
	h.waits, h.names, h.homes = openOrSetAside(h, files.waits(), openWaits), openOrSetAside(h, files.names(), openNames), openOrSetAside(h, files.homes(), openHomes)
	h.seen = h.list.Version() // before the list is read, so that a change in between is noticed
	r, err := h.list.Read()
	h.enrol(r)
	return h, err
}

// Start begins to serve; Run goes on. A stream that cannot be opened is set aside: the boards send again what was in
// it. The new one is in memory if the disk does not take it either.
func (h *Hub) Start(ctx context.Context) error {
	consumer, err := h.connect(ctx)
	again := func() bool { return errors.Is(err, errStream) && ctx.Err() == nil && h.cluster == nil && !h.inMemory }
	if again() {
		lost := h.streamDir() + ".lost"
		h.opt.Log.Error().Err(err).Str("directory", lost).Msg("the hall's stream cannot be opened: it is set aside, and the boards fill it again")
		if e := errors.Join(os.RemoveAll(lost), os.Rename(h.streamDir(), lost)); e == nil {
			consumer, err = h.connect(ctx)
		}
	}
	if again() {
		h.opt.Log.Error().Err(err).Msg("the disk does not take the hall's stream: it is in memory until the next start")
		h.inMemory = true
		consumer, err = h.connect(ctx)
	}
	if err != nil {
		return err
	}
	h.ctx, h.cancel = context.WithCancel(ctx)
	if err = h.listen(consumer); err != nil {
		h.close()
	}
	return err
}

// errStream means that NATS' own files are the cause.
var errStream = errors.New("the hall's stream")

// connect starts the server, or connects to the cluster, and opens the stream. After an error nothing runs.
func (h *Hub) connect(ctx context.Context) (consumer jetstream.Consumer, err error) {
	if h.cluster != nil {
		if err := h.connectCluster(ctx); err != nil {
			return nil, err
		}
		err = patiently(ctx, func() (err error) { consumer, err = h.openStream(ctx); return err })
	} else {
		if err := h.connectServer(); err != nil {
			return nil, err
		}
		consumer, err = h.openStream(ctx)
	}
	if err != nil {
		h.disconnect()
		return nil, fmt.Errorf("%w: %w", errStream, err)
	}
	return consumer, nil
}

func (h *Hub) connectServer() (err error) {
	if err := h.startServer(); err != nil {
		return err
	}
	h.nc, err = nats.Connect("", nats.InProcessServer(h.server), nats.Nkey(h.public, h.key.Sign), nats.MaxReconnects(-1),
		nats.ReconnectWait(100*time.Millisecond), nats.Name("hall"))
	if err != nil {
		h.server.Shutdown()
		return fmt.Errorf("the hall's own connection: %w", err)
	}
	return nil
}

// listen subscribes to the messages of the computers.
func (h *Hub) listen(consumer jetstream.Consumer) (err error) {
	h.checkRoom()
	h.showMirrors()
	h.notifyWaits()
	taking, err := h.consume(consumer)
	if err != nil {
		return err
	}
	h.background(func() { h.watchStream(taking) })
	for subject, hear := range map[string]nats.MsgHandler{wire.Puts: h.put, wire.Lasts: h.last, wire.Beats: h.beat, wire.List: h.answerList, wire.Joins: h.join} {
		if _, err = h.nc.Subscribe(subject, hear); err != nil {
			return err
		}
	}
	// A request that comes after Start has returned is answered. When the connection breaks, the library subscribes
	// again.
	_ = h.nc.FlushTimeout(flushTime)
	return nil
}

// flushTime is how long the server may take to register the hall's subscriptions.
const flushTime = 5 * time.Second

// Run looks after computers and their list until ctx ends.
func (h *Hub) Run(ctx context.Context) {
	h.background(func() { h.checking(h.ctx) })
	if h.cluster != nil {
		h.background(func() { h.sweeping(h.ctx) })
	}
	h.watchComputers(ctx)
	h.close()
}

func (h *Hub) close() {
	h.cancel()
	h.disconnect()
	h.ending.Lock() // a message in this moment begins no more work
	h.workEnded = true
	h.ending.Unlock()
	h.work.Wait()
	h.keepNames()
	h.keepHomes()
}

func (h *Hub) disconnect() {
	h.nc.Close()
	if h.cluster != nil {
		if h.cluster.nc != nil {
			h.cluster.nc.Close()
		}
		return
	}
	h.server.Shutdown()
	h.server.WaitForShutdown()
	h.dropStore()
}

// background runs something in a goroutine that the hall waits for at its end.
func (h *Hub) background(do func()) {
	h.ending.Lock()
	defer h.ending.Unlock()
	if !h.workEnded {
		h.work.Go(do)
	}
}

// Addr is the address at which the computers find the hall.
func (h *Hub) Addr() net.Addr {
	if h.cluster != nil {
		return h.cluster
	}
	return h.server.Addr()
}

const (
	pollEvery = 250 * time.Millisecond
	// awayAfter is how long a computer may be silent before it counts as away: three beats.
	awayAfter = 7 * time.Second
	// cleanEvery is how often expired invitations are removed.
	cleanEvery = time.Minute
)

// watchComputers follows the list of computers, and marks silent computers as away.
func (h *Hub) watchComputers(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	cleaned := time.Now()
	quiet := cleaned.Add(awayAfter) // a computer that is silent until then has been away since before the start
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := time.Now()
		h.mu.Lock()
		seen := h.seen
		h.mu.Unlock()
		if h.list.Version() != seen || now.Sub(cleaned) > cleanEvery {
			cleaned = now
			h.follow()
		}
		h.checkRoom()
		h.bringing.tick(now)
		h.missing(now)
		h.keepNames()
		h.keepHomes()
		h.keepHeard(now)
		h.keepUrgent(now)
		if !quiet.IsZero() && now.After(quiet) {
			quiet = time.Time{}
			h.opt.Changed()
		}
	}
}

// enrol puts a list of computers into force. The caller holds the lock.
func (h *Hub) enrol(r members.Roll) {
	h.roll, h.inRoll = r, make(map[string]members.Computer, len(r.Computers))
	for _, c := range r.Computers {
		h.inRoll[c.Name] = c
	}
}

// follow reads the list of computers and puts it into force.
func (h *Hub) follow() {
	h.following.Lock() // otherwise the server could keep an older list than the newest
	defer h.following.Unlock()
	seen := h.list.Version() // before the list is read, so that a change in between is noticed
	r, err := h.list.Read()
	if err == nil && h.cluster == nil {
		err = h.admit(&r)
	}
	h.mu.Lock()
	h.seen = seen
	if err != nil {
		h.mu.Unlock()
		h.opt.Log.Error().Err(err).Msg("the list of computers is not followed")
		return
	}
	h.enrol(r)
	if h.cluster != nil {
		h.cluster.poke()
	}
	var out []*computer
	for _, c := range h.computers {
		if now, ok := h.inRoll[c.name]; (!ok || now.Key != c.key) && !c.beat.IsZero() {
			out = append(out, c)
		}
	}
	h.mu.Unlock()
	for _, c := range out {
		h.opt.Log.Info().Str("computer", c.name).Msg("the computer is not in the hall any more, or joined anew")
		c.markAway()
	}
	h.opt.Changed()
}

// join admits a computer that holds an invitation.
func (h *Hub) join(m *nats.Msg) {
	invitation := wire.Sender(m.Subject)
	var b wire.JoinBody
	if !wire.RepliesToOwnInbox(m.Reply, invitation) || wire.CheckSeal(m.Subject, m.Header, m.Data, invitation) != nil || json.Unmarshal(m.Data, &b) != nil || !nkeys.IsValidPublicUserKey(b.Key) {
		return
	}
	c, err := h.letJoin(invitation, b)
	a := wire.JoinAnswer{Event: h.opt.Event, Name: c.Name}
	switch {
	case errors.Is(err, members.ErrWaits):
		a.Waits = true
	case err != nil:
		a.Error = err.Error()
	default:
		h.opt.Log.Info().Str("computer", c.Name).Msg("a computer has joined the hall")
	}
	if !a.Waits {
		h.follow() // first: a computer that has its answer may connect at once
	}
	if data, err := json.Marshal(a); err == nil {
		_ = m.Respond(data) // otherwise the computer asks again
	}
}
