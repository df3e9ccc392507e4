package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/rules"
)

const full = `
event: Sacramento Open
round: 3
state_dir: /var/lib/boardwatchd
time_control: 40/90+30, 30+30
boards:
  - name: table-1
    port: /dev/serial/by-id/usb-DGT_DGT_Chessboard-if00
    serial: 01234
    white_clock: left
    chess960: never
  - {name: table-2, port: auto}
rules: {profile: caa-3strike, mating_budget: 250000}
timing:
  scan: 500ms
  clock_lag: 1.5s
  press_grace: 2s
  latency: 1ms
  settle: 0s
  probe: 1s
  silence: 8s
two_hands:
  time_trouble: 30s
  trouble_factor: {capture: 2.5} # no longer used, as time_trouble and amber
  prior:
    capture: {blitz: 0.006, rapid: 0.003, classical: 0.0008}
  calibration:
    capture: {slope: 1.2, offset: 0.1}
  cap: # as boardwatchd lab prints it
    capture: {blitz: 12.0, rapid: 40.0, classical: 40.0}
  advisory: {capture: 4}
  most: 0.4
  amber: {capture: 7.1}
people: {keep_days: 30}
journal:
  sync: 20ms
  segment: 1MiB
  keep_days: 400
budgets:
  journals: 20GiB
  free: 500MiB
  garbage: 1MiB
  connections: 200
  memory: 1GiB
  descriptors: 700
  log_lines: 60
log:
  level: debug
  format: json
http:
  listen: 192.168.1.10:80
  secure: 192.168.1.10:443
  names: [Hall.Example.org, boards]
  metrics: lan
hall: {listen: "192.168.1.10:9000", alone: 2m}
broadcast:
  delay: 30m
  result_at_once: true
  names: false
  file: /srv/www/round.pgn
  url: delayed
  lichess: {server: "https://lichess.example", round: AbCd1234, token_file: /etc/boardwatchd/lichess.token}
alerts:
  escalate: 45s
  expire: 1h
  wording: full
  language: de
  url: https://hall.example.org/
  push: false
  push_contact: mailto:arbiter@example.org
  channels:
    - name: tablet
      type: ntfy
      url: http://192.168.1.10:8090/arbiters
      token_file: /etc/boardwatchd/ntfy.token
      boards: [table-2]
    - {name: server, type: webhook, step: 2, url: "https://example.org/hook?to=3", secret_file: /etc/boardwatchd/hook.key}
    - {name: light, type: command, command: [/usr/local/bin/light, --colour, 7]}
`

func TestParseReadsEveryKey(t *testing.T) {
	got, err := Parse("full.yaml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Event: "Sacramento Open", Round: "3", StateDir: "/var/lib/boardwatchd", Profile: "caa-3strike", MatingBudget: 250_000,
		TimeControl: TimeControl{[]Period{{Moves: 40, BaseSec: 5400, IncrementSec: 30}, {BaseSec: 1800, IncrementSec: 30}}},
		Boards: []Board{
			// 01234 is not octal: a serial number is text.
			{Name: "table-1", Port: "/dev/serial/by-id/usb-DGT_DGT_Chessboard-if00", Serial: "01234", WhiteClock: ClockLeft, Chess960: Chess960Never},
			{Name: "table-2", Port: Auto, WhiteClock: ClockAuto, Chess960: Chess960Auto},
		},
		Timing: Timing{Scan: 500 * time.Millisecond, ClockLag: 1500 * time.Millisecond, PressGrace: 2 * time.Second,
			Latency: time.Millisecond, Probe: time.Second, Silence: 8 * time.Second},
		TwoHands: TwoHands{
			Enabled: true, Most: 400_000,
			Capture: HandsKind{
				Slope: 1200, Offset: 100, Advisory: 4000,
				Prior: [3]int64{6000, 3000, 800}, Cap: [3]int64{2485, 3689, 3689},
			},
			Castling: Default().TwoHands.Castling, Promotion: Default().TwoHands.Promotion,
		},
		Journal: Journal{Sync: 20 * time.Millisecond, Segment: 1 << 20, Keep: 400},
		Hall:    Hall{Listen: "192.168.1.10:9000", Alone: 2 * time.Minute},
		Budgets: Budgets{Journals: 20 << 30, Free: 500 << 20, Garbage: 1 << 20, Connections: 200, Memory: 1 << 30, Descriptors: 700, LogLines: 60},
		Log:     Log{Level: Debug, Format: FormatJSON},
		HTTP:    HTTP{Listen: "192.168.1.10:80", Secure: "192.168.1.10:443", Names: []string{"hall.example.org", "boards"}, Metrics: LAN},
		Alerts: Alerts{Escalate: 45 * time.Second, Expire: time.Hour, Wording: WordingFull, Language: "de", URL: "https://hall.example.org",
			PushContact: "arbiter@example.org",
			Channels: []Channel{
				{Name: "tablet", Type: Ntfy, Step: 1, URL: "http://192.168.1.10:8090/arbiters", TokenFile: "/etc/boardwatchd/ntfy.token", Boards: []string{"table-2"}},
				{Name: "server", Type: Webhook, Step: 2, URL: "https://example.org/hook?to=3", SecretFile: "/etc/boardwatchd/hook.key"},
				{Name: "light", Type: Command, Step: 1, Command: []string{"/usr/local/bin/light", "--colour", "7"}},
			}},
		Broadcast: Broadcast{Delay: 30 * time.Minute, ResultAtOnce: true, File: "/srv/www/round.pgn", URL: DelayedURL,
			Lichess: Lichess{Server: "https://lichess.example", Round: "AbCd1234", TokenFile: "/etc/boardwatchd/lichess.token"}},
		KeepNames: 30,
		Rules:     []rules.Profile{profile(t, "caa-3strike")},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestParseAccepts(t *testing.T) {
	for name, src := range map[string]string{
		"an empty file":                        "",
		"only comments":                        "# nothing\n   # here\n",
		"only an end mark":                     "---\n",
		"a byte order mark":                    "\ufeffevent: x\n",
		"Windows line ends":                    "event: x\r\nround: 2\r\n",
		"a document mark before the text":      "---\nevent: x\n",
		"keys with nothing below":              "event:\nboards:\nrules:\ntiming:\n  scan:\nlog: ~\n",
		"no as the name of an event":           "event: no\n",
		"yes as a round":                       "round: yes\n",
		"a number as a round":                  "round: 3.10\n",
		"JSON":                                 `{"event": "x", "boards": [{"name": "a", "port": "/dev/ttyUSB0"}]}`,
		"a tab between a value and a comment":  "event: x\t# note\nround: 2\n",
		"automatic boards told by serial":      "boards:\n- {name: a, serial: 1}\n- {name: b, serial: 2}\n- {name: c}\n",
		"no page":                              "http: {listen: off}\n",
		"sections":                             "sections:\n- Open A = 1-120\n- Juniors = 121-160, 301\n",
		"no page, said twice":                  "http: {listen: off, secure: off}\n",
		"one port at two addresses":            "http: {listen: '192.168.1.10:8160', secure: '192.168.1.11:8160'}\n",
		"empty lists of words":                 "http: {names: []}\nalerts: {channels: []}\n",
		"boards of a channel that are found":   "alerts: {channels: [{name: a, type: webhook, url: 'http://h', boards: [board-1]}]}\n",
		"never a second step":                  "alerts: {escalate: 0s}\n",
		"an organiser's page as contact":       "alerts: {push_contact: https://example.org/chess}\n",
		"a literal block without a line break": "event: >-\n  a long\n  name\n",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse("x.yaml", []byte(src)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSections(t *testing.T) {
	c, err := Parse("x", []byte("sections:\n- Open A = 1-120\n- Juniors = 121-160, 301\n"))
	if want := []Section{{"Open A", "1-120"}, {"Juniors", "121-160, 301"}}; err != nil || !slices.Equal(c.Sections, want) {
		t.Errorf("%v, %v; want %v", c.Sections, err, want)
	}
	for _, wrong := range []string{"1-120", "= 1-120", "Open ="} {
		if _, err := Parse("x", []byte("sections: ['"+wrong+"']\n")); err == nil || !strings.Contains(err.Error(), "write NAME = TABLES") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestTextIsTakenAsWritten(t *testing.T) {
	c, err := Parse("x", []byte("event: no\nround: 3.10\n"))
	if err != nil || c.Event != "no" || c.Round != "3.10" {
		t.Errorf("event %q, round %q, %v; want no and 3.10 as they were written", c.Event, c.Round, err)
	}
}

func TestEmptyFileIsTheDefault(t *testing.T) {
	got, err := Parse("x", nil)
	if err != nil || !reflect.DeepEqual(got, Default()) {
		t.Errorf("got %+v, %v", got, err)
	}
	d := Default()
	if d.HTTP.Secure != ":8161" || d.HTTP.Metrics != Local || d.Alerts.Escalate != 20*time.Second || d.Alerts.Expire != 10*time.Minute ||
		d.Alerts.Wording != WordingLook || d.Alerts.Language != "en" || !d.Alerts.Push || len(d.Alerts.Channels) != 0 {
		t.Errorf("defaults are %+v", d)
	}
	if d.Timing.Scan != 250*time.Millisecond || d.Journal.Segment != 16<<20 || d.HTTP.Listen != ":8160" || d.Profile != Auto || len(d.Rules) != 3 || len(d.Boards) != 0 {
		t.Errorf("defaults are %+v", d)
	}
}

func TestDefaultsHaveNoInvalidWord(t *testing.T) {
	d, b := Default(), NewBoard("a", "/dev/ttyUSB0")
	for _, w := range []string{d.Log.Level.String(), d.Log.Format.String(), d.HTTP.Metrics.String(), b.WhiteClock.String(), b.Chess960.String()} {
		if w == "invalid" {
			t.Errorf("%+v %+v", d, b)
		}
	}
	if NoLevel.String() != "invalid" || Level(99).String() != "invalid" {
		t.Error("an invalid value passes for a word")
	}
}

func TestDefaultCannotBeSpoiled(t *testing.T) {
	if _, err := Parse("x", []byte("event: a\nboards: [{name: a}]\ntiming: {scan: 1s, wrong: 1}\n")); err == nil {
		t.Fatal("accepted")
	}
	if c, _ := Parse("x", []byte("log: {level: debug}")); c.Log.Level != Debug || Default().Log.Level != Info {
		t.Error("a parsed file changed the defaults")
	}
}

func TestStateDirectory(t *testing.T) {
	for name, tc := range map[string]struct {
		set  string
		env  map[string]string
		want string
	}{
		"the configured one wins":           {"/a", map[string]string{"STATE_DIRECTORY": "/b"}, "/a"},
		"then systemd's":                    {"", map[string]string{"STATE_DIRECTORY": "/b", "XDG_STATE_HOME": "/c"}, "/b"},
		"of several of systemd's the first": {"", map[string]string{"STATE_DIRECTORY": "/b:/bb"}, "/b"},
		"then XDG's":                        {"", map[string]string{"XDG_STATE_HOME": "/c", "HOME": "/h"}, "/c/boardwatchd"},
		"a relative XDG one is ignored":     {"", map[string]string{"XDG_STATE_HOME": "c", "HOME": "/h"}, "/h/.local/state/boardwatchd"},
		"then the home's":                   {"", map[string]string{"HOME": "/h"}, "/h/.local/state/boardwatchd"},
		"nothing to go by is an error":      {"", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Config{StateDir: tc.set}.StateDirectory(func(k string) string { return tc.env[k] })
			if got != tc.want || (err != nil) != (tc.want == "") {
				t.Errorf("got %q, %v; want %q", got, err, tc.want)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.yaml")
	if err := os.WriteFile(good, []byte(full), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(good); err != nil {
		t.Error(err)
	}
	big := filepath.Join(dir, "big.yaml")
	if err := os.WriteFile(big, make([]byte, 10<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, hint := range map[string]string{
		filepath.Join(dir, "none.yaml"): "no such file",
		dir:                             "is a directory",
		big:                             "at most 32768",
		"/dev/zero":                     "at most 32768",
	} {
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), path+": ") || !strings.Contains(err.Error(), hint) {
			t.Errorf("%s: %v; want the path and %q", path, err, hint)
		}
	}
}

func TestLoadUnreadableFile(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	path := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(path, nil, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "chmod 0644") {
		t.Errorf("%v; want the remedy", err)
	}
}

func TestTimeControlBothWays(t *testing.T) {
	for _, s := range []string{"90+30", "3+2", "0+5", "40/90+30, 30+30", "40/100+30, 20/50+30, 15+30", "60d5", "5+0"} {
		tc, err := ParseTimeControl(s)
		if err != nil || tc.String() != s {
			t.Errorf("%q: %q, %v", s, tc, err)
		}
	}
	for s, want := range map[string]string{"90": "90+0", "40/90,30": "40/90+0, 30+0", " 15+10 ": "15+10", "": ""} {
		if tc, err := ParseTimeControl(s); err != nil || tc.String() != want {
			t.Errorf("%q: %q, %v; want %q", s, tc, err, want)
		}
	}
}

func TestWithoutThePageThereIsNoHTTPS(t *testing.T) {
	if c, err := Parse("x", []byte("http: {listen: off}")); err != nil || c.HTTP.Secure != Off {
		t.Errorf("%+v, %v", c.HTTP, err)
	}
}
