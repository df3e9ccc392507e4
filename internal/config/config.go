package config

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"boardwatchd/rules"
)

// Config is the whole configuration. Default gives the one of an empty file.
type Config struct {
	Event        string      // tournament, for the PGN and the page; may be empty
	Round        string      // text, because rounds are called "3" and "3.1" and "final"
	StateDir     string      // empty: StateDirectory decides
	TimeControl  TimeControl // zero: nobody said
	Profile      string      // rules.profile: auto, or the name of a rule profile
	FIDERated    bool        // the event is rated by FIDE
	LocalRules   []string    // keys of rules.override, in the order of the file
	MatingBudget int         // moves tried for one question whether a side can ever mate
	Boards       []Board     // empty: find boards automatically
	Timing       Timing
	TwoHands     TwoHands
	Journal      Journal
	Log          Log
	HTTP         HTTP
	Alerts       Alerts
	Hall         Hall
	Budgets      Budgets
	KeepNames    int // days for which people.json keeps a name that is not needed; 0: for ever

	// Rules are the rule sets in force, local rules included: one, or with Profile auto one for each class of time
	// control. They are shared and must not be changed.
	Rules []rules.Profile
}

// Board is one board to watch.
type Board struct {
	Name       string // names the journal's file too: letters, digits, . _ -
	Port       string // "auto" or an absolute path
	Serial     string // the number that the board itself must answer; empty: any
	WhiteClock ClockSide
	Chess960   Chess960
}

// Timing holds the widths of the windows and the rhythm of the link. All are
// durations on the monotonic clock.
type Timing struct {
	Scan       time.Duration // a square is seen up to this late (DGT protocol notes, section 11.1)
	ClockLag   time.Duration // a press is known to [arrival - ClockLag, arrival]
	PressGrace time.Duration // how long a press waits for late squares
	Latency    time.Duration // what the serial driver may hold back (FTDI: 16 ms)
	Settle     time.Duration // silence after opening a port before the first command
	Probe      time.Duration // rhythm of the question that shows whether the board is alive
	Silence    time.Duration // no answer for so long: the link counts as down
}

// Journal says how the daemon's own record is written.
type Journal struct {
	Sync    time.Duration // at most this much input is lost by a power cut
	Segment int64         // bytes after which a new file is begun
	Keep    int           // days after which the journal of a closed round is removed; 0: never, but see Budgets
}

// Log is about the program's own messages on standard error.
type Log struct {
	Level  Level
	Format Format
}

// HTTP is where the arbiter's page is served.
type HTTP struct {
	Listen  string   // host:port, or Off; off: there is no page at all, and Secure is Off as well
	Secure  string   // host:port of the same page over HTTPS, or Off
	Names   []string // host names beside the computer's own, in lower case
	Metrics Audience
}

// Hall is many computers on one page (docs/hall.md).
type Hall struct {
	Join    string        // run: a token, or the path of a file with one; empty: as boardwatchd join has set it, or no hall
	Listen  string        // hall: host:port for the other computers
	Cluster []string      // hall: host:port of NATS servers, instead of Listen; empty: the hall's own server
	Alone   time.Duration // hall: after so long without it its computers alert by themselves
}

// Off is the value of HTTP.Listen and HTTP.Secure that means: do not serve.
const Off = "off"

// Alerts says who is told of a finding besides the page, and for how long.
type Alerts struct {
	Escalate    time.Duration // not seen by anybody for so long: step 2 is told as well; 0: never
	Expire      time.Duration // then nobody is told any more
	Wording     string        // WordingLook or WordingFull
	Language    string        // one of words.Languages
	URL         string        // of the page as a phone reaches it, without a slash at the end; empty: found out
	Push        bool          // Web Push, for devices that ask for it
	PushContact string        // mail address or https address of the organiser; empty: none is told
	Channels    []Channel
}

// The values of alerts.wording: what a locked screen may show.
const (
	WordingLook = "look" // the board, and nothing else
	WordingFull = "full" // the offence and its article as well
)

// Channel is one way by which an alert reaches somebody who does not look at the page. It holds no secret: ReadSecret
// takes those from TokenFile and SecretFile.
type Channel struct {
	Name       string
	Type       string   // Ntfy, Webhook or Command
	Step       int      // 1: at once; 2: after Alerts.Escalate
	URL        string   // ntfy: the topic's address; webhook: where to post
	TokenFile  string   // ntfy: holds the access token; empty: none is needed
	SecretFile string   // webhook: holds the key of the signature; empty: not signed
	Command    []string // program and arguments
	Boards     []string // only for these; empty: for all
}

// The values of alerts.channels.type.
const (
	Ntfy    = "ntfy"
	Webhook = "webhook"
	Command = "command"
)

// Auto is the value of Board.Port that means: find it; and of Config.Profile that means: take the rule set that the
// clock shows.
const Auto = "auto"

// StateDirectory is the directory of the journals: the configured one, else
// what systemd made for the service, else the user's own state directory
// (XDG Base Directory Specification). getenv is os.Getenv in production.
func (c Config) StateDirectory(getenv func(string) string) (string, error) {
	if c.StateDir != "" {
		return c.StateDir, nil
	}
	// systemd joins several directories with colons; the first one is ours.
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
