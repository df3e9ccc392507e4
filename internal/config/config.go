package config

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"boardwatchd/rules"
)

// Config is the whole configuration. Default returns that of an empty file.
type Config struct {
	Event        string      // tournament, for the PGN and the page; may be empty
	Round        string      // text, because rounds are called "3" and "3.1" and "final"
	StateDir     string      // empty: StateDirectory chooses
	TimeControl  TimeControl // zero: not given
	Profile      string      // rules.profile: auto, or the name of a rule profile
	FIDERated    bool        // the event is rated by FIDE
	LocalRules   []string    // keys of rules.override, in the order of the file
	MatingBudget int         // moves tried for one question whether a side can ever mate
	Boards       []Board     // empty: find boards automatically
	Sections     []Section   // parts of the boards, for the page; mostly none
	Timing       Timing
	TwoHands     TwoHands
	Journal      Journal
	Log          Log
	HTTP         HTTP
	Alerts       Alerts
	Hall         Hall
	Broadcast    Broadcast
	Budgets      Budgets
	KeepNames    int // days for which people.json keeps an unused name; 0: for ever

	// Rules are the rule sets in force, local rules included: one, or with Profile auto one for each class of time
	// control. They are shared and must not be changed.
	Rules []rules.Profile
}

// Board is one board to watch.
type Board struct {
	Name       string // also the name of the journal's file: letters, digits, . _ -
	Port       string // "auto" or an absolute path
	Serial     string // the number that the board itself must report; empty: any
	WhiteClock ClockSide
	Chess960   Chess960
}

// Section is a part of the boards: a group of the tournament, or a room.
type Section struct {
	Name   string
	Boards string // numbers and ranges: 1-120, 301-310
}

// Timing holds the widths of the windows and the intervals of the link. All are durations on the monotonic clock.
type Timing struct {
	Scan       time.Duration // a change of a square is seen up to this late (DGT protocol notes, section 11.1)
	ClockLag   time.Duration // a press lies within [arrival - ClockLag, arrival]
	PressGrace time.Duration // how long a press waits for late changes of squares
	Latency    time.Duration // the time for which the serial driver may delay bytes (FTDI: 16 ms)
	Settle     time.Duration // silence after opening a port before the first command
	Probe      time.Duration // interval of the request that checks whether the board answers
	Silence    time.Duration // time without an answer after which the link counts as down
}

// Journal configures the writing of journals.
type Journal struct {
	Sync    time.Duration // at most this much input is lost by a power cut
	Segment int64         // bytes after which a new file begins, MaxSegment at most
	Keep    int           // days after which the journal of a closed round is removed; 0: never, but see Budgets
}

// MaxSegment is the greatest value of Journal.Segment.
const MaxSegment = 1 << 30

// Log configures the program's own messages on standard error.
type Log struct {
	Level  Level
	Format Format
}

// HTTP configures the arbiters' page.
type HTTP struct {
	Listen  string   // host:port, or Off; off: there is no page, and Secure is Off as well
	Secure  string   // host:port of the page over HTTPS, or Off
	Names   []string // host names in addition to the computer's own, in lower case
	Metrics Audience
}

// Hall configures several computers on one page (docs/hall.md).
type Hall struct {
	Join    string        // run: a token, or the path of a file with one; empty: as boardwatchd join has set it, or no hall
	Listen  string        // hall: host:port for the other computers
	Cluster []string      // hall: host:port of NATS servers, instead of Listen; empty: the hall's own server
	Alone   time.Duration // hall: how long it may be away before its computers send alerts themselves
}

// Off is the value of HTTP.Listen and HTTP.Secure for no listener.
const Off = "off"

// Alerts configures the receivers of alerts besides the page, and the times.
type Alerts struct {
	Escalate    time.Duration // time unseen after which step 2 is alerted as well; 0: never
	Expire      time.Duration // time after which no more messages are sent
	Wording     string        // WordingLook or WordingFull
	Language    string        // one of words.Languages
	URL         string        // of the page for phones, without a slash at the end; empty: found automatically
	Push        bool          // Web Push, for devices that ask for it
	PushContact string        // mail address or https address of the organiser; empty: not sent
	Channels    []Channel
}

// The values of alerts.wording: the text that a locked screen may show.
const (
	WordingLook = "look" // the board, and nothing else
	WordingFull = "full" // the offence and its article as well
)

// Channel is one way by which an alert reaches people who do not look at the page. It contains no secret: ReadSecret
// reads those from TokenFile and SecretFile.
type Channel struct {
	Name       string
	Type       string   // Ntfy, Webhook or Command
	Step       int      // 1: at once; 2: after Alerts.Escalate
	URL        string   // ntfy: the topic's address; webhook: where to post
	TokenFile  string   // ntfy: contains the access token; empty: none is needed
	SecretFile string   // webhook: contains the key of the signature; empty: not signed
	Command    []string // program and arguments
	Boards     []string // only for these; empty: for all
}

// The values of alerts.channels.type.
const (
	Ntfy    = "ntfy"
	Webhook = "webhook"
	Command = "command"
)

// Auto is the value of Board.Port for a search, and of Config.Profile for the rule set that fits the clock.
const Auto = "auto"

// StateDirectory returns the directory of the journals: the configured one, else the one that systemd made for the
// service, else the user's own state directory (XDG Base Directory Specification). getenv is os.Getenv in production.
func (c Config) StateDirectory(getenv func(string) string) (string, error) {
	if c.StateDir != "" {
		return c.StateDir, nil
	}
	// systemd joins several directories with colons; the first one is used.
	if d, _, _ := strings.Cut(getenv("STATE_DIRECTORY"), ":"); filepath.IsAbs(d) {
		return d, nil
	}
	// The specification tells programs to ignore relative paths.
	if d := getenv("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "boardwatchd"), nil
	}
	if d := getenv("HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, ".local", "state", "boardwatchd"), nil
	}
	return "", errors.New("no state directory: set state_dir in the configuration, or $XDG_STATE_HOME")
}
