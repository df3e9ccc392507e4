package config

import (
	"strconv"
	"time"

	"boardwatchd/configs"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
)

// kind is the type of a key's value.
type kind uint8

const (
	noKind       kind = iota
	text              // one line of text; numbers are taken as they are written
	choice            // one of key.choices
	duration          // 250ms, 1.5s, 2m
	size              // 16MiB
	boolean           // true, false
	integer           // a whole number; the range is checked elsewhere
	decimal           // a number with a point; the range is in millionths
	section           // a mapping of its own
	list              // a list of mappings
	severalWords      // a list of words
	articles          // a mapping of lists of words: kinds of findings and their cited articles
	override          // a mapping whose keys are kept as changes to a rule profile
	retired           // of an earlier version: accepted and ignored
)

// key is one row of the table from which the reader, the defaults, the messages and the JSON Schema are made.
type key struct {
	name     string
	kind     kind
	doc      string // one sentence, in the schema
	def      string // the default, as a person would write it
	min, max int64  // nanoseconds or bytes; for text and words: characters; for list: entries
	choices  []string
	required bool
	private  bool               // text only: may contain a secret by mistake, so messages do not repeat it
	check    func(string) error // text and words: a further condition
	sub      []key              // section, list, override

	set func(into any, v value)  // into is the *Config, or the *Board or *Channel of a list
	add func(into any) (new any) // list: append an item with its defaults
}

// value is a scalar that has passed its checks.
type value struct {
	text   string
	number int64 // nanoseconds, bytes, or the number as written
	index  uint8 // position among the choices, from 1: the enums start there
	yes    bool
	list   []string
	lists  map[kinds.Kind][]string
}

func cfg(into any) *Config { return into.(*Config) }
func brd(into any) *Board  { return into.(*Board) }

// root is the table. Its order is the order of the documentation.
var root = []key{
	{name: "event", kind: text, max: 100,
		doc: "Name of the tournament, for the PGN and the page.",
		set: func(c any, v value) { cfg(c).Event = v.text }},
	{name: "round", kind: text, max: 20,
		doc: "Round, for the PGN and for the names of the journals.",
		set: func(c any, v value) { cfg(c).Round = v.text }},
	{name: "state_dir", kind: text, max: 500, check: checkDirectory,
		doc: "Directory of the journals; empty: $STATE_DIRECTORY, else $XDG_STATE_HOME/boardwatchd, else ~/.local/state/boardwatchd.",
		set: func(c any, v value) { cfg(c).StateDir = v.text }},
	{name: "time_control", kind: text, max: 60, check: func(s string) error { _, err := ParseTimeControl(s); return err },
		doc: "Time control as MINUTES+SECONDS; 40/90+30, 30+30 for two periods; 60d5 for a delay; empty: not known.",
		set: func(c any, v value) { cfg(c).TimeControl, _ = ParseTimeControl(v.text) }},
	{name: "boards", kind: list, max: 64, sub: boardKeys,
		doc: "The boards to watch; an empty list: find them on the serial ports.",
		add: func(c any) any {
			cfg(c).Boards = append(cfg(c).Boards, Board{})
			b := &cfg(c).Boards[len(cfg(c).Boards)-1]
			setDefaults(boardKeys, b)
			return b
		}},
	{name: "sections", kind: severalWords, max: 200, check: checkSection,
		doc: "Parts of the boards by which the page can be filtered, each as NAME = TABLES, like Open A = 1-120 or Juniors = 121-160 301 302.",
		set: func(c any, v value) { cfg(c).Sections = sectionsOf(v.list) }},
	{name: "rules", kind: section, doc: "The Laws that apply.", sub: []key{
		{name: "profile", kind: choice, def: Auto, choices: append([]string{Auto}, configs.ProfileNames()...),
			doc: "Edition and kind of play by which findings are ruled on; auto: the FIDE rule set for the time that the clock shows, without adequate supervision.",
			set: func(c any, v value) { cfg(c).Profile = v.text }},
		{name: "fide_rated", kind: boolean, def: "false",
			doc: "The event is rated by FIDE: rule sets that this forbids are refused.",
			set: func(c any, v value) { cfg(c).FIDERated = v.yes }},
		{name: "mating_budget", kind: integer, def: strconv.Itoa(rules.MatingBudget), min: 1000, max: 5_000_000,
			doc: "How many moves are tried at most to find out whether a side can ever give mate; past it the ruling says that a person has to look.",
			set: func(c any, v value) { cfg(c).MatingBudget = int(v.number) }},
		{name: "override", kind: override, sub: profileKeys,
			doc: "Local rules: any key of the profile with another value."},
	}},
	{name: "timing", kind: section, doc: "Widths of the windows and rhythm of the link.", sub: []key{
		span("scan", "250ms", 10*time.Millisecond, 2*time.Second,
			"A change of a square is seen up to this late: one scan of the board.", func(c *Config) *time.Duration { return &c.Timing.Scan }),
		span("clock_lag", "1s", 0, 5*time.Second,
			"A press of the clock is reported up to this late.", func(c *Config) *time.Duration { return &c.Timing.ClockLag }),
		span("press_grace", "1350ms", 0, 10*time.Second,
			"How long a press waits for squares that are reported after it.", func(c *Config) *time.Duration { return &c.Timing.PressGrace }),
		span("latency", "16ms", 0, time.Second,
			"What the serial driver may hold back; 16 ms is FTDI's timer without the udev rule.", func(c *Config) *time.Duration { return &c.Timing.Latency }),
		span("settle", "500ms", 0, 5*time.Second,
			"Pause after opening a port, which some boards need.", func(c *Config) *time.Duration { return &c.Timing.Settle }),
		span("probe", "2s", 200*time.Millisecond, time.Minute,
			"How often the board is asked whether it is alive.", func(c *Config) *time.Duration { return &c.Timing.Probe }),
		span("silence", "6s", time.Second, 5*time.Minute,
			"No answer for so long: the link counts as down. At least twice probe.", func(c *Config) *time.Duration { return &c.Timing.Silence }),
	}},
	{name: "two_hands", kind: section, doc: "How the timing of captures, castlings and promotions is weighed for two hands (docs/hands.md).", sub: handsKeys},
	{name: "journal", kind: section, doc: "The daemon's own record.", sub: []key{
		span("sync", "50ms", time.Millisecond, time.Second,
			"Input is on the disk at most this much later.", func(c *Config) *time.Duration { return &c.Journal.Sync }),
		{name: "segment", kind: size, def: "16MiB", min: 64 << 10, max: MaxSegment,
			doc: "Size at which the next file is begun.",
			set: func(c any, v value) { cfg(c).Journal.Segment = v.number }},
		{name: "keep_days", kind: integer, def: "0", max: 36_500,
			doc: "Days after which the journal of a closed round is removed, which is announced on three days before; 0: never, until the budgets ask for room.",
			set: func(c any, v value) { cfg(c).Journal.Keep = int(v.number) }},
	}},
	{name: "budgets", kind: section, doc: "What may be used up of disk, network, memory and log, with defaults that nobody needs to change.", sub: budgetKeys},
	{name: "people", kind: section, doc: "What people.json keeps: journals hold ids only (docs/privacy.md).", sub: []key{
		{name: "keep_days", kind: integer, def: "365", min: 0, max: 36_500,
			doc: "Days after which a name or a note that was needed no more is removed; 0: never.",
			set: func(c any, v value) { cfg(c).KeepNames = int(v.number) }},
	}},
	{name: "log", kind: section, doc: "The program's own messages on standard error.", sub: []key{
		{name: "level", kind: choice, def: "info", choices: levelNames,
			doc: "Least severity that is shown.",
			set: func(c any, v value) { cfg(c).Log.Level = Level(v.index) }},
		{name: "format", kind: choice, def: "auto", choices: formatNames,
			doc: "Text for people or JSON; auto: text on a terminal.",
			set: func(c any, v value) { cfg(c).Log.Format = Format(v.index) }},
	}},
	{name: "http", kind: section, doc: "The arbiter's page.", sub: []key{
		{name: "listen", kind: text, def: ":8160", max: 100, check: checkListen,
			doc: "Address and port of the page, like :8160 or 192.168.1.10:8160; off: no page.",
			set: func(c any, v value) { cfg(c).HTTP.Listen = v.text }},
		{name: "secure", kind: text, def: ":8161", max: 100, check: checkListen,
			doc: "Address and port of the same page over HTTPS, with the program's own certificate authority, which phones need for notifications; off: no HTTPS.",
			set: func(c any, v value) { cfg(c).HTTP.Secure = v.text }},
		{name: "names", kind: severalWords, max: 253, check: checkHostName,
			doc: "Host names by which the page may be called, besides the computer's own name and addresses.",
			set: func(c any, v value) { cfg(c).HTTP.Names = lower(v.list) }},
		{name: "metrics", kind: choice, def: "local", choices: audienceNames,
			doc: "Who may read /metrics; local: this computer and paired devices; lan: whoever reaches the page.",
			set: func(c any, v value) { cfg(c).HTTP.Metrics = Audience(v.index) }},
	}},
	{name: "broadcast", kind: section, doc: "The games of the round for the public, with a delay (docs/broadcast.md).", sub: broadcastKeys},
	{name: "alerts", kind: section, doc: "How findings reach people, besides the page.", sub: alertKeys},
	{name: "hall", kind: section, doc: "Many computers on one page (docs/hall.md).", sub: []key{
		{name: "join", kind: text, max: 2000, private: true, check: checkJoin,
			doc: "run: the token that boardwatchd hall invite printed on the hall's computer, or the path of a file with it; empty: no hall, unless boardwatchd join was used.",
			set: func(c any, v value) { cfg(c).Hall.Join = v.text }},
		{name: "listen", kind: text, def: ":8162", max: 100, check: checkHallListen,
			doc: "hall: address and port for the other computers, like :8162 or 192.168.1.10:8162.",
			set: func(c any, v value) { cfg(c).Hall.Listen = v.text }},
		{name: "cluster", kind: severalWords, max: 253, check: checkServer,
			doc: "hall: one, three or five NATS servers as HOST:PORT, which carry instead of the hall's own (docs/hall.md); empty: its own, at listen.",
			set: func(c any, v value) { cfg(c).Hall.Cluster = append([]string(nil), v.list...) }},
		span("alone", "1m", 20*time.Second, 10*time.Minute,
			"hall: a computer that is without the hall for so long sends the alerts of its boards itself, by the channels that the hall has.", func(c *Config) *time.Duration { return &c.Hall.Alone }),
	}},
}

var boardKeys = []key{
	{name: "name", kind: text, max: 32, required: true, check: checkName,
		doc: "Short name of the board; it names the journal's file as well.",
		set: func(b any, v value) { brd(b).Name = v.text }},
	{name: "port", kind: text, def: Auto, max: 200, check: checkPort,
		doc: "auto, or the device's path: best one below /dev/serial/by-id or by-path, which survive a replug.",
		set: func(b any, v value) { brd(b).Port = v.text }},
	{name: "serial", kind: text, max: 10, check: checkSerial,
		doc: "Serial number that the board itself must answer (see boardwatchd ports); empty: any board.",
		set: func(b any, v value) { brd(b).Serial = v.text }},
	{name: "white_clock", kind: choice, def: "auto", choices: clockSideNames,
		doc: "Side of the clock, seen from its display, on which White's time is; auto: found by the start position.",
		set: func(b any, v value) { brd(b).WhiteClock = ClockSide(v.index) }},
	{name: "chess960", kind: choice, def: "auto", choices: chess960Names,
		doc: "Whether a game may start from a Chess960 position.",
		set: func(b any, v value) { brd(b).Chess960 = Chess960(v.index) }},
}

func span(name, def string, least, most time.Duration, doc string, at func(*Config) *time.Duration) key {
	return key{name: name, kind: duration, def: def, min: int64(least), max: int64(most), doc: doc,
		set: func(c any, v value) { *at(cfg(c)) = time.Duration(v.number) }}
}

// Default returns the configuration of an empty file.
func Default() Config {
	var c Config
	setDefaults(root, &c)
	c.Rules = automatic()
	return c
}

func setDefaults(keys []key, into any) {
	for _, k := range keys {
		switch k.kind {
		case section:
			setDefaults(k.sub, into)
		case list, override, retired:
		default:
			v, err := k.scalar(k.def)
			if err != nil && k.def != "" {
				panic("config: internal error: default of " + k.name + ": " + err.Error())
			}
			k.set(into, v)
		}
	}
}
