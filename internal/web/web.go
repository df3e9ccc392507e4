package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/access"
	"boardwatchd/internal/alert"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/live"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

// Boards are the stations, which receive decisions and instructions. A nil error means that the input is in force and
// on the disk. An error other than ErrNoBoard, ErrBusy, ErrNotSaved and ErrLost means that it may have been recorded or
// not.
type Boards interface {
	Instruct(ctx context.Context, board string, body []byte) error
	Decide(ctx context.Context, board string, body []byte) error
	// Saved waits until the record that Entered received with this number is itself on the disk, and not a gap in its
	// place.
	Saved(ctx context.Context, board string, seq int64) error
	// Head is the newest record of the board's journal that is on the disk. Its number is 0 if there is none, or if the
	// board is not watched.
	Head(board string) journal.Head
}

// Errors of Boards. An error that is both ErrNotSaved and ErrLost counts as ErrLost.
var (
	ErrNoBoard  = errors.New("that board is not watched")
	ErrBusy     = errors.New("the board did not take it in time") // and never will: it has to be entered again
	ErrNotSaved = errors.New("in force, but not saved: the disk does not take it")
	ErrLost     = errors.New("was not kept: the disk did not take it") // and never will: it has to be entered again
	// ErrWaits means that a decision is kept until the board can be reached: see Waits.
	ErrWaits = errors.New("kept until the board can be reached")
	// ErrUnreachable means that the board cannot be reached, and that the input is not kept, because it is about this
	// moment.
	ErrUnreachable = errors.New("that board cannot be reached")
	ErrNoWait      = errors.New("no such decision waits")
	ErrOnItsWay    = errors.New("the board may have it already")
	ErrTaken       = errors.New("the decision was taken back")
	ErrNever       = errors.New("the board will never take it") // and no journal has any of it
)

// Waits are the decisions for boards that cannot be reached.
type Waits interface {
	Waiting(board string) []Waiting
	// TakeBack takes back a waiting decision; the error is ErrNoWait, ErrOnItsWay, or the disk's.
	TakeBack(board, request string) error
}

// A Waiting is a decision that is on the hall's disk and in no journal yet.
type Waiting struct {
	Finding  string `json:"finding"`
	Decision string `json:"decision"`
	By       string `json:"by"`
	Request  string `json:"request"`
	WallMS   int64  `json:"wall_ms"`
	Asked    bool   `json:"asked"`  // the board may have it: it cannot be taken back
	Failed   string `json:"failed"` // why the board will never take it
	Device   string `json:"-"`      // of the person who made it
}

// Alerts is the outbox.
type Alerts interface {
	Alerts() []alert.Alert
	Seen(ctx context.Context, id, by string) (alert.Alert, error)
	Ack(ctx context.Context, token string) (alert.Alert, error)
}

// Authority makes the certificates: a *trust.Authority.
type Authority interface {
	CA() []byte           // DER
	MobileConfig() []byte // the same, as an iPhone's profile
	Certificate(*tls.ClientHelloInfo) (*tls.Certificate, error)
}

// People keeps the names for the ids in journals: a *people.Book.
type People interface {
	Device(id, name string)
	Note(text string) (inJournal string)
	Forget(ids ...string) (unknown []string, err error)
}

// Options configure a Server. Live, Access and Boards are needed; the rest may be left out.
type Options struct {
	Live   *live.Boards // the state that is shown
	Access *access.Store
	Boards Boards
	Alerts Alerts // nil: there are no alerts but on the page
	Waits  Waits  // nil: nothing ever waits
	// Behind reports whether a board may have written more than is shown: in a hall with an incomplete copy of its
	// journal, or one that cannot be compared, because the board cannot be asked. Nil: never.
	Behind func(board string) bool
	People People // nil: the journals have the notes themselves, and ids are shown
	Rounds Rounds // nil: no earlier rounds are available
	Orders Orders // nil: the round is that of the configuration

	Tables    Tables             // nil: boards have their own names
	Sections  []Section          // parts of the boards, as the configuration names them
	Computers func() roster.List // the operator's list; nil: an empty one
	Hall      Hall               // nil: this computer is no hall
	Member    Member             // nil: it can be in no hall

	Replays Replays // nil: no replay

	// Public are the games for the public, delayed as configured. False: they are being read. Nil: there is no
	// broadcast.
	Public func() (Public, bool)

	Authority  Authority     // nil: no HTTPS
	SecurePort func() int    // of HTTPS now; 0 or nil: none
	Names      []string      // further host names
	Base       func() string // the page's address on the LAN, "http://192.168.1.10:8160"; for pairing from the host itself

	Metrics     http.Handler                          // nil: none
	MetricsOpen bool                                  // for every client that reaches the page
	AlertSent   func(channel string, d time.Duration) // from a confirmed finding to a phone's socket
	Stuck       func() bool                           // a board's loop makes no progress
	Notices     func() []Notice                       // current problems: a channel that gave up, a disk

	Connections int // limit over both ports; 0 is 512

	Version string
	Event   func() string // nil: none is named
	Round   func() string // nil: none is named
	PushKey func() string // public key of Web Push; "": none; nil: none ever

	Page     fs.FS // nil: the embedded one
	Now      func() time.Time
	Log      zerolog.Logger
	Patience time.Duration // for a slow body; 0 is 10 s
	Ping     time.Duration // of the feed; 0 is 5 s
	Stall    time.Duration // for one write to a phone; 0 is 5 s
}

// A Server answers the phones. Its methods may be called from any goroutine.
type Server struct {
	Options
	log     zerolog.Logger
	hosts   hosts
	cross   *http.CrossOriginProtection
	files   func() files // made at the first request, because the boards come first
	handler http.Handler
	once    *once
	turns   turns
	places  *places

	pace     *pace
	sendings chan struct{}   // a place for each text of games that is being sent
	zips     chan struct{}   // a place for each archive of journals that is being sent
	oneRound chan struct{}   // one place, for the round that is being read
	ending   context.Context // ends the feeds
	end      context.CancelFunc
}

// New makes the server. It does not listen yet.
func New(o Options) *Server {
	if o.Page == nil {
		o.Page = page.FS()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Base == nil {
		o.Base = func() string { return "" }
	}
	none := func() string { return "" }
	if o.Event == nil {
		o.Event = none
	}
	if o.Round == nil {
		o.Round = none
	}
	if o.AlertSent == nil {
		o.AlertSent = func(string, time.Duration) {}
	}
	if o.Notices == nil {
		o.Notices = func() []Notice { return nil }
	}
	o.Patience = orElse(o.Patience, 10*time.Second)
	o.Ping = orElse(o.Ping, 5*time.Second)
	o.Stall = orElse(o.Stall, 5*time.Second)
	s := &Server{
		Options: o, log: o.Log, hosts: hosts(o.Names), cross: http.NewCrossOriginProtection(), once: newOnce(o.Now), places: newPlaces(cmp.Or(o.Connections, maxConns)),
		pace: newPace(), sendings: make(chan struct{}, publicSendings), oneRound: make(chan struct{}, 1), zips: make(chan struct{}, zipsAtOnce),
	}
	s.ending, s.end = context.WithCancel(context.Background())
	s.files = sync.OnceValue(func() files { return load(o.Page, texts()) })
	s.handler = s.chain()
	return s
}

func orElse(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}

// texts are the page's texts, by group and language.
func texts() map[string][]byte {
	all := make(map[string][]byte)
	for _, lang := range words.Languages() {
		for _, group := range append(page.Groups(), "") {
			if b, ok := page.Served(group, lang); ok {
				all[path.Join(group, lang)] = b
			}
		}
	}
	return all
}

// Handler is the handler of all requests. Serve and ServeTLS add the limits of the connections.
func (s *Server) Handler() http.Handler { return s.handler }

// remote is the address of the peer; headers that claim another one are ignored.
func remote(r *http.Request) net.IP {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return nil
	}
	host, _, _ = strings.Cut(host, "%")
	return net.ParseIP(host)
}
