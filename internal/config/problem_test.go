package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// rows are files that must be refused, with the place and the words of the message.
var rows = []struct {
	claim, src string
	at         string   // line:column of the first problem
	words      []string // all in the message
}{
	// Keys.
	{"an unknown key at the top", "evnt: x\n", "1:1", []string{`unknown key "evnt"`, "the top level", "allowed keys: event, round, state_dir", "did you mean event?"}},
	{"an unknown key in a section", "log:\n  levle: info\n", "2:3", []string{`unknown key "levle" in log`, "allowed keys: level, format", "did you mean level?"}},
	{"an unknown key in a list", "boards:\n  - name: a\n    prot: /dev/x\n", "3:5", []string{`unknown key "prot" in boards[0]`, "did you mean port?"}},
	{"an unknown key in the second item", "boards:\n  - name: a\n    serial: 1\n  - name: b\n    seriall: 2\n", "5:5", []string{"boards[1]", "did you mean serial?"}},
	{"an unknown key in a flow mapping", "timing: {scan: 1s, typo: 2}\n", "1:20", []string{`unknown key "typo" in timing`}},
	{"a key of a section at the top", "scan: 1s\n", "1:1", []string{"scan belongs below timing:"}},
	{"a key of the top in a section", "rules:\n  event: x\n", "2:3", []string{"event belongs to the top level"}},
	{"a hyphen for an underscore", "time-control: 5+3\n", "1:1", []string{"did you mean time_control?"}},
	{"capitals in a key", "Event: x\n", "1:1", []string{"did you mean event?"}},
	{"nothing near", "colour: red\n", "1:1", []string{`unknown key "colour"`}},
	{"a duplicate key", "event: a\nround: 1\nevent: b\n", "3:1", []string{"event: is given a second time", "line 1"}},
	{"a duplicate key in a section", "log:\n  level: info\n  level: warn\n", "3:3", []string{"log.level: is given a second time", "line 2"}},
	{"a duplicate section", "log: {level: info}\nlog: {level: warn}\n", "2:1", []string{"second time"}},
	{"a merge key", "<<: {event: x}\n", "1:1", []string{"merging with << is not supported"}},
	{"a mapping as a key", "? {a: b}\n: c\n", "1:3", []string{"a key must be a word"}},
	{"a number as a key", "1: x\n", "1:1", []string{`unknown key "1"`}},
	{"a tagged key", "!!str event: x\n", "1:1", []string{"unknown key"}},
	{"a board without a name", "boards:\n  - port: auto\n", "2:5", []string{"boards[0]: has no name"}},
	{"a board with an empty name", "boards:\n  - name:\n", "2:10", []string{"boards[0].name: is empty"}},
	{"a board with a quoted empty name", "boards:\n  - name: ''\n", "2:11", []string{"boards[0].name: is empty"}},
	{"an empty board", "boards:\n  -\n", "2:4", []string{"boards[0]: is the value"}},
	{"a board that is a word", "boards: [a]\n", "1:10", []string{"boards[0]", "it needs these keys below it"}},

	// The public gets nothing by mistake.
	{"an address without a delay", "broadcast: {delay: 0s, url: delayed}\n", "1:29", []string{"broadcast.url: is delayed, and broadcast.delay is 0s", "url: live if everybody"}},
	{"a live address with a delay", "broadcast: {url: live}\n", "1:18", []string{"is live, and broadcast.delay is 15m", "url: delayed"}},
	{"an address without a page", "http: {listen: off}\nbroadcast: {url: delayed}\n", "2:18", []string{"http.listen is off"}},
	{"an address of another word", "broadcast: {url: true}\n", "1:18", []string{`"true" is not one of: off, delayed, live`}},
	{"a delay below zero", "broadcast: {delay: -1m}\n", "1:20", []string{"out of range", "from 0s to 24h"}},
	{"a delay without a unit", "broadcast: {delay: 15}\n", "1:20", []string{"needs a unit"}},
	{"a file that is no PGN", "broadcast: {file: /etc/passwd}\n", "1:19", []string{"does not end in .pgn"}},
	{"a relative file", "broadcast: {file: round.pgn}\n", "1:19", []string{"is not the whole path"}},
	{"a round without a token", "broadcast: {lichess: {round: AbCd1234}}\n", "1:30", []string{"needs both a round and a token_file"}},
	{"a token without a round", "broadcast: {lichess: {token_file: /etc/t}}\n", "1:35", []string{"needs both"}},
	{"a round that is an address", "broadcast: {lichess: {round: lichess.org/broadcast/x/AbCd1234}}\n", "1:30", []string{"characters; at most 8"}},
	{"a round of other letters", "broadcast: {lichess: {round: AbCd-234}}\n", "1:30", []string{"last 8 letters"}},
	{"a token where its file belongs", "broadcast: {lichess: {token_file: lip_secret}}\n", "1:35", []string{"the value is not the whole path of a file"}},
	{"a server without encryption", "broadcast: {lichess: {server: 'http://lichess.org'}}\n", "1:31", []string{"is not encrypted"}},
	{"a server with a path", "broadcast: {lichess: {server: 'https://lichess.org/api'}}\n", "1:31", []string{"after the host"}},

	// Shapes.
	{"a list for the whole", "- a\n", "1:1", []string{"is a list; a configuration is made of lines"}},
	{"a word for the whole", "hello\n", "1:1", []string{`is the value "hello"`}},
	{"a list for a section", "log: [a]\n", "1:6", []string{"log: is a list; it needs these keys below it, indented: level, format"}},
	{"a word for a section", "log: info\n", "1:6", []string{`log: is the value "info"`}},
	{"a mapping for a list", "boards:\n  name: a\n", "2:3", []string{"boards: is a mapping; it needs a list", "`- name: …`"}},
	{"a word for a list", "boards: auto\n", "1:9", []string{"boards: is the value"}},
	{"a list for a value", "event: [a]\n", "1:8", []string{"event: is a list; it needs a single value"}},
	{"a mapping for a value", "timing:\n  scan: {ms: 250}\n", "2:9", []string{"timing.scan: is a mapping"}},
	{"too many boards", "boards: [" + strings.Repeat("{name: a},", 65) + "]\n", "1:9", []string{"65 entries; at most 64"}},

	// Durations.
	{"a duration without a unit", "timing:\n  scan: 250\n", "2:9", []string{`timing.scan: "250" needs a unit: write 250ms, 250s or 250m`, "from 10ms to 2s, default 250ms"}},
	{"zero without a unit", "timing: {clock_lag: 0}\n", "1:21", []string{"needs a unit: write 0ms"}},
	{"a negative duration", "timing: {scan: -1s}\n", "1:16", []string{"out of range", "from 10ms"}},
	{"a duration that is too long", "timing: {scan: 3s}\n", "1:16", []string{"out of range", "to 2s"}},
	{"a duration beyond 64 bits", "timing: {scan: 99999999999999999h}\n", "1:16", []string{"not a duration"}},
	{"a duration with a blank", "timing: {scan: 250 ms}\n", "1:16", []string{`"250 ms" is not a duration`}},
	{"a duration in words", "timing: {scan: quick}\n", "1:16", []string{"is not a duration like 250ms"}},
	{"a duration in nanoseconds", "timing: {scan: 250000001ns}\n", "1:16", []string{"finer than a microsecond"}},
	{"NaN as a duration", "timing: {scan: .nan}\n", "1:16", []string{"is not a duration"}},
	{"nan as a duration", "timing: {scan: nan}\n", "1:16", []string{"needs a unit"}},
	{"infinity as a duration", "timing: {scan: .inf}\n", "1:16", []string{"is not a duration"}},
	{"a boolean as a duration", "timing: {scan: yes}\n", "1:16", []string{"is not a duration"}},
	{"a hexadecimal duration", "timing: {scan: 0x10}\n", "1:16", []string{"not a duration"}},
	{"an empty quoted duration", "timing: {scan: ''}\n", "1:16", []string{"is not a duration"}},
	{"journal.sync too long", "journal: {sync: 2s}\n", "1:17", []string{"journal.sync", "out of range"}},
	{"silence shorter than two probes", "timing: {silence: 3s}\n", "1:19", []string{"at least twice probe (2s)"}},
	{"a probe that makes silence too short", "timing: {probe: 5s}\n", "1:17", []string{"silence (6s) must be at least twice probe (5s)"}},

	// Sizes.
	{"a size without a unit", "journal: {segment: 16777216}\n", "1:20", []string{"is not a size", "like 16MiB"}},
	{"a size in decimal units", "journal: {segment: 16MB}\n", "1:20", []string{"KiB, MiB or GiB"}},
	{"a negative size", "journal: {segment: -1MiB}\n", "1:20", []string{"is not a size"}},
	{"a fraction of a size", "journal: {segment: 1.5MiB}\n", "1:20", []string{"is not a size"}},
	{"a size that is too small", "journal: {segment: 1KiB}\n", "1:20", []string{"from 64KiB to 1GiB"}},
	{"a size beyond 64 bits", "journal: {segment: 99999999999999999999GiB}\n", "1:20", []string{"is not a size"}},

	// Budgets.
	{"days below zero", "journal: {keep_days: -1}\n", "1:22", []string{"journal.keep_days", "from 0 to 36500"}},
	{"names for less than no day", "people: {keep_days: -1}\n", "1:21", []string{"people.keep_days", "from 0 to 36500"}},
	{"journals without a unit", "budgets: {journals: 20}\n", "1:21", []string{"budgets.journals", "KiB, MiB or GiB", "default 1024GiB"}},
	{"a disk that is kept empty", "budgets: {free: 9999GiB}\n", "1:17", []string{"budgets.free", "from 0KiB to 1024GiB, default 1GiB"}},
	{"no garbage at all", "budgets: {garbage: 0KiB}\n", "1:20", []string{"from 64KiB to 1GiB, default 5MiB"}},
	{"too many connections", "budgets: {connections: 5000}\n", "1:24", []string{"budgets.connections", "up to 576"}},
	{"too little memory", "budgets: {memory: 1MiB}\n", "1:19", []string{"from 32MiB to 64GiB, default 65MiB"}},
	{"connections that use all descriptors up", "budgets: {descriptors: 600}\n", "1:24", []string{"connections (512) must leave 448 of the descriptors (600)", "at most 152 connections"}},
	{"a log without lines", "budgets: {log_lines: 0}\n", "1:22", []string{"from 1 to 600"}},
	{"an unknown budget", "budgets: {disk: 1GiB}\n", "1:11", []string{`unknown key "disk" in budgets`, "allowed keys: journals, free"}},

	// Words.
	{"a level that is not one", "log: {level: verbose}\n", "1:14", []string{`"verbose" is not one of: debug, info, warn, error`}},
	{"a level nearly right", "log: {level: wran}\n", "1:14", []string{"did you mean warn?"}},
	{"a level in capitals", "log: {level: INFO}\n", "1:14", []string{"did you mean info?"}},
	{"a boolean for a word", "boards:\n- {name: a, chess960: yes}\n", "2:23", []string{`"yes" is not one of: auto, always, never`}},
	{"a boolean for a side", "boards:\n- {name: a, white_clock: true}\n", "2:26", []string{`"true" is not one of: auto, left, right`}},
	{"a profile that nobody knows", "rules: {profile: fide}\n", "1:18", []string{"is not one of: auto, caa-2strike, caa-3strike"}},
	{"a profile nearly right", "rules: {profile: fide_blitz}\n", "1:18", []string{"did you mean fide-blitz?"}},

	{"rules for another class of time", "time_control: 15+10\nrules: {profile: fide-standard}\n", "2:18", []string{"fide-standard is for standard play", "15+10 is rapid", "fide-rapid (A.5", "fide-rapid-supervised (A.4"}},
	{"rules for slower games than blitz", "rules: {profile: fide-rapid}\ntime_control: 3+2\n", "1:18", []string{"for rapid play", "3+2 is blitz", "fide-blitz (B.3", "fide-blitz-supervised (B.2"}},
	{"blitz rules for an hour", "rules: {profile: fide-blitz}\ntime_control: 60+0\n", "1:18", []string{"60+0 is standard", "write fide-standard"}},
	{"US rules for another class", "rules: {profile: uscf-blitz}\ntime_control: 60d5\n", "1:18", []string{"60d5 is us-dual", "write uscf-regular"}},
	{"two periods count together", "rules: {profile: fide-rapid}\ntime_control: 40/40+0, 20+0\n", "1:18", []string{"is standard play"}},

	// Local rules.
	{"an unknown key of a profile", "rules:\n  override:\n    strike_to_lose: 3\n", "3:5", []string{`unknown key "strike_to_lose" in rules.override`, "did you mean strikes_to_lose?"}},
	{"a key of a profile without override", "rules:\n  strikes_to_lose: 3\n", "2:3", []string{"strikes_to_lose belongs below rules: override:"}},
	{"a word for a number", "rules: {override: {bonus_s: two minutes}}\n", "1:29", []string{`rules.override.bonus_s: "two minutes" is not a whole number`, "digits only"}},
	{"a unit for a number", "rules: {override: {bonus_s: 60s}}\n", "1:29", []string{"not a whole number", "without a unit"}},
	{"a budget that would hold the board up", "rules: {mating_budget: 5000001}\n", "1:24", []string{"up to 5000000"}},
	{"a number that is too large", "rules: {override: {bonus_s: 601}}\n", "1:29", []string{"601 is out of range", "0 to 600"}},
	{"a number beyond 64 bits", "rules: {override: {bonus_s: 99999999999999999999}}\n", "1:29", []string{"not a whole number up to 99999"}},
	{"two signs", "rules: {override: {bonus_rapid_s: --1}}\n", "1:35", []string{"not a whole number"}},
	{"a yes for a boolean", "rules: {override: {supervised: yes}}\n", "1:32", []string{`"yes" is neither true nor false`}},
	{"a window that is none", "rules: {override: {window: ever}}\n", "1:28", []string{`rules.override.window: "ever" is not known`, "until_game_end"}},
	{"keys that contradict one another", "rules:\n  profile: fide-standard\n  override: {window: last_moves}\n", "3:13", []string{"fide-standard: window_moves: is 0 and window is last_moves"}},
	{"a word for a list", "rules: {override: {classes: rapid}}\n", "1:29", []string{`classes: is the value "rapid"`, "it needs a list"}},
	{"a class that is none", "rules: {override: {classes: [rapidd]}}\n", "1:29", []string{`"rapidd" is not known`}},
	{"an empty word in a list", "rules: {override: {classes: ['']}}\n", "1:30", []string{"needs a word"}},
	{"a list in a list", "rules: {override: {classes: [[rapid]]}}\n", "1:30", []string{"classes[0]: is a list"}},
	{"too long a list", "rules: {override: {classes: [" + strings.Repeat("rapid,", 21) + "]}}\n", "1:29", []string{"21 entries; at most 20"}},
	{"a list for articles", "rules: {override: {articles: [7.5.4]}}\n", "1:30", []string{"like {illegal.two_hands: [7.5.4]}"}},
	{"articles for no kind of finding", "rules: {override: {articles: {illegal.two_hand: [7.5.4]}}}\n", "1:31", []string{`"illegal.two_hand" is no kind of finding`}},
	{"articles without a list", "rules: {override: {articles: {illegal.two_hands: 7.5.4}}}\n", "1:50", []string{"rules.override.articles.illegal.two_hands: is the value"}},
	{"a kind with articles twice", "rules: {override: {articles: {illegal.rook: [a], illegal.rook: [b]}}}\n", "1:50", []string{"second time"}},
	{"a line break in a text", "rules: {override: {note: \"a\\nb\"}}\n", "1:26", []string{"U+000A"}},
	{"a local rule twice", "rules: {override: {bonus_s: 60, bonus_s: 30}}\n", "1:33", []string{"rules.override.bonus_s: is given a second time"}},
	{"an alias as a local rule", "rules: {override: &x {bonus_s: 60}}\n", "1:19", []string{"anchor"}},

	// Events that FIDE does not rate.
	{"three strikes by a profile, FIDE-rated", "rules: {profile: caa-3strike, fide_rated: true}\n", "1:18", []string{"caa-3strike: strikes_to_lose", "second completed illegal move loses"}},
	{"three strikes by a local rule, FIDE-rated", "rules:\n  profile: fide-rapid\n  fide_rated: true\n  override: {strikes_to_lose: 3}\n", "4:31", []string{"rules.override.strikes_to_lose", "second completed illegal move loses"}},
	{"rules of another federation, FIDE-rated", "rules:\n  fide_rated: true\n  profile: uscf-regular\n", "2:15", []string{"rules.fide_rated: uscf-regular is not allowed", "one of the fide- profiles"}},
	{"fide_rated in words", "rules: {fide_rated: yes}\n", "1:21", []string{"neither true nor false"}},

	// Two hands.
	{"a confidence that nothing earns", "two_hands: {most: 1.5}\n", "1:19", []string{"two_hands.most", "from 0.01 to 1"}},
	{"a confidence of nothing", "two_hands: {most: 0}\n", "1:19", []string{"from 0.01 to 1"}},
	{"a threshold beyond any ratio", "two_hands: {advisory: {castling: 31}}\n", "1:34", []string{"two_hands.advisory.castling", "from 0 to 30"}},

	// Text.
	{"a line break in a name", "event: \"a\\nb\"\n", "1:8", []string{"U+000A"}},
	{"an escape character in a name", "event: \"\\e[2J\"\n", "1:8", []string{"U+001B"}},
	{"a block of lines", "event: |\n  a\n  b\n", "1:8", []string{"U+000A"}},
	{"an event that is too long", "event: " + strings.Repeat("x", 101) + "\n", "1:8", []string{"101 characters; at most 100"}},
	{"a board name with a slash", "boards: [{name: ../x}]\n", "1:17", []string{"is not a name"}},
	{"a board name with a blank", "boards: [{name: board 1}]\n", "1:17", []string{"is not a name"}},
	{"a hidden board name", "boards: [{name: .x}]\n", "1:17", []string{"is not a name"}},
	{"a board name like an option", "boards: [{name: -x}]\n", "1:17", []string{"is not a name"}},
	{"a board name in Greek", "boards: [{name: άλφα}]\n", "1:17", []string{"is not a name"}},
	{"a board name that is too long", "boards: [{name: " + strings.Repeat("x", 33) + "}]\n", "1:17", []string{"at most 32"}},
	{"two boards of one name", "boards: [{name: a, serial: 1}, {name: A, serial: 2}]\n", "1:39", []string{"same as that of boards[0]", "name of its own"}},
	{"a relative port", "boards: [{name: a, port: ttyUSB0}]\n", "1:26", []string{"neither auto nor a path"}},
	{"a Windows port", "boards: [{name: a, port: COM3}]\n", "1:26", []string{"neither auto nor a path"}},
	{"a port that is the root", "boards: [{name: a, port: /}]\n", "1:26", []string{"neither auto nor a path"}},
	{"two boards on one port", "boards: [{name: a, port: /dev/x}, {name: b, port: /dev/x}]\n", "1:51", []string{"a port belongs to one board"}},
	{"two boards with one serial", "boards: [{name: a, serial: 7}, {name: b, serial: 7}]\n", "1:50", []string{"belongs to one board"}},
	{"two boards that cannot be told apart", "boards: [{name: a}, {name: b}]\n", "1:21", []string{"like boards[0]", "told apart"}},
	{"a serial number with a blank", "boards: [{name: a, serial: 1 2}]\n", "1:28", []string{"not a serial number"}},
	{"a serial number that is too long", "boards: [{name: a, serial: 12345678901}]\n", "1:28", []string{"at most 10"}},
	{"a relative state directory", "state_dir: var/x\n", "1:12", []string{"is relative"}},
	{"a state directory with a tilde", "state_dir: ~/x\n", "1:12", []string{"is not expanded"}},
	{"a state directory with a variable", "state_dir: $HOME/x\n", "1:12", []string{"is not expanded"}},
	{"an address without a port", "http: {listen: localhost}\n", "1:16", []string{"is not an address", ":8160"}},
	{"a port number only", "http: {listen: 8160}\n", "1:16", []string{"write :8160"}},
	{"a port number beyond the range", "http: {listen: ':99999'}\n", "1:16", []string{"from 1 to 65535"}},
	{"a host name", "http: {listen: 'example.org:80'}\n", "1:16", []string{"IP address"}},

	{"HTTPS at the page's own port", "http: {secure: ':8160'}\n", "1:16", []string{"secure (:8160) and listen (:8160) are the same", "or off"}},
	{"HTTPS at the page's own port of one address", "http:\n  listen: ':8443'\n  secure: 10.0.0.1:8443\n", "3:11", []string{"the same address and port"}},
	{"a page that takes the default port of HTTPS", "http: {listen: ':8161'}\n", "1:16", []string{"secure (:8161) and listen (:8161)"}},
	{"HTTPS without the page", "http: {listen: off, secure: ':8443'}\n", "1:29", []string{"http.secure", "http.listen is off", "secure: off"}},
	{"a name with a scheme", "http: {names: ['http://hall']}\n", "1:16", []string{"http.names[0]", "is not a host name", "without http://"}},
	{"a name with a port", "http: {names: [a, 'hall:80']}\n", "1:19", []string{"http.names[1]", "without a port"}},
	{"a name with a star", "http: {names: ['*.example.org']}\n", "1:16", []string{"is not a host name"}},
	{"a name of digits", "http: {names: ['1.2']}\n", "1:16", []string{"is not a host name"}},
	{"an address as a name", "http: {names: [192.168.1.10]}\n", "1:16", []string{"every address of this computer by itself"}},
	{"a word for names", "http: {names: hall}\n", "1:15", []string{"it needs a list, like [a, b]"}},
	{"metrics for nobody known", "http: {metrics: wan}\n", "1:17", []string{"is not one of: local, lan", "did you mean lan?"}},

	// Alerts.
	{"an unknown key of alerts", "alerts:\n  escalation: 20s\n", "2:3", []string{`unknown key "escalation" in alerts`, "allowed keys: escalate, expire, wording"}},
	{"channels at the top", "channels: []\n", "1:1", []string{"channels belongs below alerts:"}},
	{"a key of a channel in alerts", "alerts:\n  secret_file: /x\n", "2:3", []string{"secret_file belongs to an entry below alerts: channels:"}},
	{"an escalation that takes too long", "alerts: {escalate: 1h}\n", "1:20", []string{"from 0s to 30m"}},
	{"an escalation after the end", "alerts:\n  escalate: 5m\n  expire: 5m\n", "2:13", []string{"escalate (5m) must be shorter than expire (5m)"}},
	{"an end before the escalation", "alerts: {expire: 15s}\n", "1:18", []string{"from 1m to 12h"}},
	{"a wording that is none", "alerts: {wording: all}\n", "1:19", []string{"is not one of: look, full"}},
	{"a language without texts", "alerts: {language: nl}\n", "1:20", []string{"is not one of: en, de, es, fr, hi, ru"}},
	{"no for push", "alerts: {push: no}\n", "1:16", []string{"neither true nor false"}},
	{"an address of the page without a scheme", "alerts: {url: '192.168.1.10:8160'}\n", "1:15", []string{"alerts.url", "write http:// or https://"}},
	{"an address of the page with a path", "alerts: {url: 'http://h/page'}\n", "1:15", []string{"something after the host"}},
	{"a contact that is private", "alerts: {push_contact: me@hall.local}\n", "1:24", []string{"not a public address"}},
	{"a contact that is a name", "alerts: {push_contact: Ann}\n", "1:24", []string{"like arbiter@example.org"}},
	{"a word for channels", "alerts: {channels: ntfy}\n", "1:20", []string{"alerts.channels: is the value", "begin each of the alerts.channels with `- name: …`"}},
	{"too many channels", "alerts: {channels: [" + strings.Repeat("{name: a},", 17) + "]}\n", "1:20", []string{"17 entries; at most 16"}},
	{"an unknown key of a channel", "alerts:\n  channels:\n    - name: a\n      type: ntfy\n      topic: x\n      url: http://h/t\n", "5:7", []string{`unknown key "topic" in alerts.channels[0]`, "allowed keys: name, type, step, url, token_file"}},
	{"a channel without a type", "alerts: {channels: [{name: a}]}\n", "1:21", []string{"alerts.channels[0]: has no type", "ntfy: a topic"}},
	{"a channel without a name", "alerts: {channels: [{type: ntfy}]}\n", "1:21", []string{"has no name"}},
	{"a channel with the page's name", "alerts: {channels: [{name: push, type: ntfy, url: 'http://h/t'}]}\n", "1:28", []string{"the program's own name"}},
	{"a type that is none", "alerts: {channels: [{name: a, type: sms}]}\n", "1:37", []string{"is not one of: ntfy, webhook, command"}},
	{"two channels of one name", "alerts: {channels: [{name: a, type: webhook, url: 'http://h'}, {name: A, type: webhook, url: 'http://h'}]}\n", "1:71", []string{"alerts.channels[1].name", "same as that of alerts.channels[0]"}},
	{"a third step", "alerts: {channels: [{name: a, type: webhook, url: 'http://h', step: 3}]}\n", "1:69", []string{"step", "not a whole number up to 2"}},
	{"no step", "alerts: {channels: [{name: a, type: webhook, url: 'http://h', step: 0}]}\n", "1:69", []string{"from 1 to 2"}},
	{"a step that is never reached", "alerts: {escalate: 0s, channels: [{name: a, type: webhook, url: 'http://h', step: 2}]}\n", "1:83", []string{"never reached", "step: 1"}},
	{"ntfy without an address", "alerts:\n  channels:\n    - {name: a, type: ntfy}\n", "3:7", []string{"type ntfy needs a url: add a line like `url: http"}},
	{"ntfy with an empty address", "alerts: {channels: [{name: a, type: ntfy, url: ''}]}\n", "1:48", []string{"type ntfy needs a url"}},
	{"ntfy without a topic", "alerts: {channels: [{name: a, type: ntfy, url: 'http://h/'}]}\n", "1:48", []string{"has no topic"}},
	{"ntfy with a token in the address", "alerts: {channels: [{name: a, type: ntfy, url: 'http://h/t?auth=x'}]}\n", "1:48", []string{"token comes from token_file"}},
	{"a webhook without an address", "alerts: {channels: [{name: a, type: webhook}]}\n", "1:21", []string{"type webhook needs a url"}},
	{"an address without a host", "alerts: {channels: [{name: a, type: webhook, url: 'http://'}]}\n", "1:51", []string{"is not an address"}},
	{"an address of another kind", "alerts: {channels: [{name: a, type: webhook, url: 'ftp://h/x'}]}\n", "1:51", []string{"http:// or https://"}},
	{"an address with a fragment", "alerts: {channels: [{name: a, type: webhook, url: 'http://h/#x'}]}\n", "1:51", []string{"contains a #"}},
	{"an address with port 0", "alerts: {channels: [{name: a, type: webhook, url: 'http://h:0/'}]}\n", "1:51", []string{"port number"}},
	{"a command for ntfy", "alerts: {channels: [{name: a, type: ntfy, url: 'http://h/t', command: [/x]}]}\n", "1:71", []string{"command: has no meaning for type ntfy, only for command"}},
	{"an address for a command", "alerts: {channels: [{name: a, type: command, command: [/x], url: 'http://h'}]}\n", "1:66", []string{"url: has no meaning for type command, only for ntfy and webhook"}},
	{"a token for a webhook", "alerts: {channels: [{name: a, type: webhook, url: 'http://h', token_file: /x}]}\n", "1:75", []string{"only for ntfy"}},
	{"a command that is not there", "alerts: {channels: [{name: a, type: command}]}\n", "1:21", []string{"type command needs a command", "[/usr/local/bin/tell-arbiter]"}},
	{"a command that is a line", "alerts: {channels: [{name: a, type: command, command: /bin/true}]}\n", "1:55", []string{"it needs a list"}},
	{"a command without its path", "alerts: {channels: [{name: a, type: command, command: [tell, x]}]}\n", "1:56", []string{"alerts.channels[0].command[0]", "whole path of a program"}},
	{"a command with a tilde", "alerts: {channels: [{name: a, type: command, command: [~/tell]}]}\n", "1:56", []string{"~ and $ are not expanded"}},
	{"a channel of a board that is not there", "boards: [{name: table-1}]\nalerts: {channels: [{name: a, type: webhook, url: 'http://h', boards: [table-2]}]}\n", "2:72", []string{"boards[0]", `"table-2" is not the name of a board; boards: table-1`, "did you mean table-1?"}},
	{"a channel with a board twice", "alerts: {channels: [{name: a, type: webhook, url: 'http://h', boards: [b, b]}]}\n", "1:75", []string{"second time"}},
	{"a channel of no board's name", "alerts: {channels: [{name: a, type: webhook, url: 'http://h', boards: [a b]}]}\n", "1:72", []string{"is not a name"}},

	// Time controls.
	{"a time control in words", "time_control: classical\n", "1:15", []string{"MINUTES+SECONDS like 90+30"}},
	{"a negative time", "time_control: -5+3\n", "1:15", []string{"minutes"}},
	{"no time at all", "time_control: 0+0\n", "1:15", []string{"no time at all"}},
	{"a clock's notation", "time_control: 1:30:00\n", "1:15", []string{"minutes"}},
	{"a first period without moves", "time_control: 90+30, 30+30\n", "1:15", []string{"period 1 needs a number of moves, like 40/90+30"}},
	{"a last period with moves", "time_control: 40/90+30\n", "1:15", []string{"rest of the game"}},
	{"five periods", "time_control: 1/1,1/1,1/1,1/1,1\n", "1:15", []string{"at most 4"}},
	{"too many seconds", "time_control: 5+9999\n", "1:15", []string{"seconds per move"}},

	// YAML constructs that are refused.
	{"an anchor", "event: &a x\n", "1:8", []string{`event: has an anchor ("&a")`}},
	{"an alias", "event: &a x\nround: *a\n", "1:8", []string{"anchor"}},
	{"an alias for a section", "log: &l\n  level: info\ntiming: *l\n", "1:6", []string{"anchor"}},
	{"an unknown alias", "event: *a\n", "1:8", []string{"unknown anchor", "in quotes"}},
	{"an alias bomb", bomb, "1:1", []string{"unknown key"}},
	{"a tag", "event: !!str x\n", "1:8", []string{`has a tag ("!!str")`}},
	{"a foreign tag", "event: !ruby/object x\n", "1:8", []string{"has a tag"}},
	{"two documents", "event: a\n---\nevent: b\n", "2:1", []string{"a second document begins here"}},
	{"a directive of the future", "%YAML 3.0\n---\nevent: a\n", "1:", []string{"not readable as YAML"}},

	// Texts that are not YAML.
	{"a tab for indentation", "log:\n\tlevel: info\n", "2:1", []string{"a tab in the indentation", "only spaces"}},
	{"a tab after spaces", "log:\n  \tlevel: info\n", "2:3", []string{"a tab in the indentation"}},
	{"a tab on a blank line", "event: x\n\t\nround: 2\n", "2:1", []string{"a tab in the indentation"}},
	{"a NUL", "event: a\x00b\n", "1:9", []string{"U+0000"}},
	{"a control character", "event: a\nround: \x01\n", "2:8", []string{"U+0001"}},
	{"Latin-1", "event: K\xf6ln\n", "1:9", []string{"not UTF-8"}},
	{"UTF-16", "\xff\xfee\x00v\x00", "1:1", []string{"UTF-16", "save it as UTF-8"}},
	{"a second byte order mark", "event: a\n\ufeffround: 2\n", "2:1", []string{"U+FEFF"}},
	{"an open quotation mark", "event: 'x\nround: 3\n", "1:1", []string{"not readable as YAML", "not closed"}},
	{"an open bracket", "event: a\nboards: [{name: a}\nlog:\n  level: info\n", "2:1", []string{"not readable as YAML"}},
	{"a stray bracket", "event: a\nround: ]\n", "2:", []string{"not readable as YAML"}},
	{"a colon in a value", "event: Open: A\n", "1:", []string{"mapping values are not allowed", "quotes"}},
	{"an at sign", "event: a\nround: @home\n", "2:8", []string{"in quotes"}},
	{"a line without a colon", "event: a\nround\nlog: {}\n", "2:1", []string{"key: value"}},
	{"a wrong indentation", "boards:\n  - name: x\n    port: auto\n   serial: 1\n", "4:4", []string{"indentation"}},
	{"a list item that is too far left", "boards:\n  - name: x\n serial: 1\nevent: x\n", "3:2", []string{"not readable as YAML"}},
	{"a list in the wrong place", "- a\nb: c\n", "2:1", []string{"not readable as YAML"}},
	{"an unknown escape", "event: a\nround: \"\\q\"\n", "2:", []string{"escape"}},
	{"text after a quoted value", "event: \"x\"y\nround: 1\n", "1:1", []string{"not readable as YAML"}},
	{"a deep nesting", strings.Repeat("[", 11000), "1:", []string{"depth"}},
	{"a binary file", "\x7fELF\x02\x01\x01\x00", "1:1", []string{"not allowed here"}},
	{"an archive", "PK\x03\x04", "1:3", []string{"U+0003"}},
}

const bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c]\nevent: *d\n"

func TestParseRefuses(t *testing.T) {
	for _, row := range rows {
		t.Run(row.claim, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(row.src))
			var ps Problems
			if !errors.As(err, &ps) || len(ps) == 0 {
				t.Fatalf("accepted: %v", err)
			}
			got := ps[0].Error()
			if !strings.HasPrefix(got, "f.yaml:"+row.at) {
				t.Errorf("%s\nshould point at %s", got, row.at)
			}
			for _, w := range row.words {
				if !strings.Contains(got, w) {
					t.Errorf("%s\nshould say %q", got, w)
				}
			}
			if strings.ContainsAny(got, "\n\x1b") {
				t.Errorf("%q is not one clean line", got)
			}
		})
	}
	t.Logf("%d files refused", len(rows))
}

func TestAllProblemsAtOnceInTheOrderOfTheLines(t *testing.T) {
	_, err := Parse("f.yaml", []byte("boards:\n- {name: a}\n- {name: a}\nlog:\n  level: loud\ntiming:\n  scan: 1\n  probe: 9h\nfoo: 1\n"))
	want := []string{"f.yaml:3:", "f.yaml:3:", "f.yaml:5:10: log.level", "f.yaml:7:9: timing.scan", "f.yaml:8:10: timing.probe", "f.yaml:9:1: unknown key"}
	lines := strings.Split(fmt.Sprint(err), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d problems, want %d:\n%v", len(lines), len(want), err)
	}
	for i, w := range want {
		if !strings.HasPrefix(lines[i], w) {
			t.Errorf("line %d is %s; want %s", i, lines[i], w)
		}
	}
}

func TestAWrongFileDoesNotFloodTheTerminal(t *testing.T) {
	var src strings.Builder
	for i := range 500 {
		fmt.Fprintf(&src, "key%d: 1\n", i)
	}
	_, err := Parse("f.yaml", []byte(src.String()))
	lines := strings.Split(fmt.Sprint(err), "\n")
	if len(lines) != maxProblems+1 || !strings.Contains(lines[maxProblems], "and 480 more problems") {
		t.Errorf("%d lines, the last: %s", len(lines), lines[len(lines)-1])
	}
}

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"prot", "port", 1}, {"levle", "level", 1}, {"kitten", "sitting", 3}, {"scan", "scan", 0}} {
		if got := distance(tc.a, tc.b); got != tc.want || distance(tc.b, tc.a) != tc.want {
			t.Errorf("distance(%q, %q) = %d, want %d both ways", tc.a, tc.b, got, tc.want)
		}
	}
}

// A value in the wrong place that may be a secret is not repeated: the message goes to a terminal and into a log.
func TestProblemsDoNotRepeatSecrets(t *testing.T) {
	const secret = "tk_hunter2"
	for _, line := range []string{
		"token_file: " + secret, "secret_file: " + secret, "url: https://user:" + secret + "@h/t", "url: " + secret,
		"url: http://h/" + secret + "?auth=" + secret, "url: http://h:" + secret, "token: " + secret, "url: [" + secret + "]", "url: \"http://h/" + secret + "\\n\"",
	} {
		_, err := Parse("f.yaml", []byte("alerts:\n  channels:\n    - name: a\n      type: ntfy\n      "+line+"\n"))
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", line, err)
		}
	}
	_, err := Parse("f.yaml", []byte("alerts: {channels: [{name: a, type: ntfy, token: x}]}\n"))
	if err == nil || !strings.Contains(err.Error(), "did you mean token_file?") {
		t.Errorf("%v; want the remedy", err)
	}
}
