package watch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"

	"boardwatchd/detector"
	"boardwatchd/detector/array"
	"boardwatchd/rules"
)

// Revision is the revision of the core: every change of an effect's bytes raises it.
const Revision = "31"

// Format is the name and version of the journal's opening record.
const Format = "boardwatchd-journal/1"

// Source is the origin of the bytes.
type Source string

const (
	Live    Source = "link"    // a port of this program: commands are sent, and answers are expected
	Capture Source = "capture" // a foreign recording: nothing is sent
)

// An Opening is the body of an Open record: everything outside the input that the core's answers depend on, and a few
// annotations for people. It is written as compact JSON with the keys in this order.
type Opening struct {
	Format   string          `json:"format"`
	Journal  string          `json:"journal"`
	Segment  int             `json:"segment"`
	Core     string          `json:"core"`
	Software string          `json:"software"`
	Source   Source          `json:"source"`
	Board    string          `json:"board"`
	Boot     string          `json:"boot,omitempty"`   // identifies one run of the host's monotonic clock
	Uptime   int64           `json:"uptime,omitempty"` // µs of that clock when the record was made; 0: not known
	Wall     string          `json:"wall,omitempty"`   // RFC 3339, an annotation that may be wrong (no RTC)
	Cause    string          `json:"cause,omitempty"`  // the reason for a new segment
	Unread   string          `json:"unread,omitempty"` // the part of the journal that could not be read at this start
	Rate     int64           `json:"rate,omitempty"`   // of a simulation: the factor of its time; 0 is 1
	Config   json.RawMessage `json:"config,omitempty"`
	Scan     *ScanBefore     `json:"scan,omitempty"` // in a new journal: the board's scan in its last one
}

// Body returns the canonical JSON.
func (o Opening) Body() []byte { return mustEncode("opening record", o) }

// ParseOpening reads the body of an Open record.
func ParseOpening(body []byte) (Opening, error) {
	var o Opening
	if err := json.Unmarshal(body, &o); err != nil {
		return o, fmt.Errorf("opening record: %w", err)
	}
	if o.Format != Format {
		return o, fmt.Errorf("opening record: format %q, this program reads %q", o.Format, Format)
	}
	return o, nil
}

// An Annotation is the body of the Up, Down, Gap, Late and Close records: information for people. Detail is reported;
// the other keys are stored.
type Annotation struct {
	Cause  string `json:"cause,omitempty"`  // the reason: "unplugged", "restart", "stop", "end" …
	Device string `json:"device,omitempty"` // the port and its known properties
	Away   int64  `json:"away,omitempty"`   // Gap: µs without watching, added to the time line
	Since  int64  `json:"since,omitempty"`  // Late: µs of the journal's time line at which the port was last known to be read empty

	// Gap: the number of bytes of a flood of garbage that belong to no message, the first of them as hexadecimal text,
	// and the time of the first, Since. See flood.go.
	LeftOut int64  `json:"left_out,omitempty"`
	Sample  string `json:"sample,omitempty"`
	Over    bool   `json:"over,omitempty"` // the flood has ended
}

// Body returns the canonical JSON.
func (a Annotation) Body() []byte { return mustEncode("annotation", a) }

func parseAnnotation(body []byte) (a Annotation) {
	if json.Unmarshal(body, &a) != nil {
		a.Cause = string(body)
	}
	return a
}

// An Instruction is the body of an Instruct record: a person's input to the program. Only the keys that belong to Do
// are used.
type Instruction struct {
	Do  string `json:"do"`
	FEN string `json:"fen,omitempty"` // position
	// Unchecked: the position need not be legal, because an illegal move was not taken back.
	Unchecked bool   `json:"unchecked,omitempty"`
	What      string `json:"what,omitempty"`    // report, claim: a word of the scenarios' vocabulary
	Side      string `json:"side,omitempty"`    // report, claim, sign: white, black; result: the side that resigned
	Move      int    `json:"move,omitempty"`    // report: the move number
	Squares   string `json:"squares,omitempty"` // report displaced: d2-d3
	// For position, of a game that goes on in a new journal: White sits at the far side; White's side of the clock,
	// left or right.
	Reversed   bool   `json:"reversed,omitempty"`
	WhiteClock string `json:"white_clock,omitempty"`
	Result     string `json:"result,omitempty"` // result: 1-0, 0-1, 1/2-1/2
	White      Value  `json:"white,omitempty"`  // strikes: a number; names: the id of a player; older journals: the name
	Black      Value  `json:"black,omitempty"`
	Name       string `json:"name,omitempty"` // flag: appendix_d, assistant, no_touch; names: the table, as the pairing calls it
	On         bool   `json:"on,omitempty"`   // flag
	Game       int    `json:"game,omitempty"` // fill: the game and the first ply of an unknown span
	Ply        int    `json:"ply,omitempty"`
	Moves      string `json:"moves,omitempty"` // fill: the plies in SAN; empty: they are removed
}

// EnteredBy returns the person, or else the device, that an instruction came from; "": the program itself.
func EnteredBy(body []byte) string {
	var who struct{ By, Device string }
	if json.Unmarshal(body, &who) != nil {
		return ""
	}
	return cmp.Or(who.By, who.Device)
}

// A Value is a number or a text, kept as text.
type Value string

// MarshalJSON writes a number where the value is one.
func (v Value) MarshalJSON() ([]byte, error) {
	if n, err := strconv.Atoi(string(v)); err == nil && strconv.Itoa(n) == string(v) {
		return []byte(v), nil
	}
	return encode(string(v))
}

// UnmarshalJSON takes a number or a text.
func (v *Value) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '"' {
		*v = Value(b)
		return nil
	}
	var s string
	err := json.Unmarshal(b, &s)
	*v = Value(s)
	return err
}

// Number returns the value as a count; 0 if it is not one.
func (v Value) Number() int {
	n, err := strconv.Atoi(string(v))
	if err != nil {
		return 0
	}
	return n
}

// The instructions. Others are stored in the journal and have no effect.
const (
	DoPosition = "position" // the present position of the game: an adjourned game, a case of the scenarios
	DoReport   = "report"   // a person's observation
	DoClaim    = "claim"    // a player claims: the claim page is opened
	DoResult   = "result"   // the result is entered
	DoSign     = "sign"     // the players have signed
	DoStrikes  = "strikes"  // earlier strikes
	DoPause    = "pause"    // nothing is judged …
	DoResume   = "resume"   // … until now
	DoRestore  = "restore"  // the arbiter sets up the last good position
	DoFlag     = "flag"     // a rule of this board
	DoNames    = "names"    // the players
	DoFill     = "fill"     // the plies of an unknown span
)

// DoFinish says that a recording ends here: decisions that wait for quiet time are made. The journal of a live board
// never contains it, because the game may continue after a restart.
const DoFinish = "finish"

// Body returns the canonical JSON.
func (i Instruction) Body() []byte { return mustEncode("instruction", i) }

func parseInstruction(body []byte) Instruction { return orNothing[Instruction](body) }

// A Decision is the body of a Decide record: the arbiter's decision about a finding.
type Decision struct {
	Finding  string `json:"finding"`
	Decision string `json:"decision"`         // confirm, reject, accident, sensor, undo, later, unseen
	Device   string `json:"device,omitempty"` // its id; internal/people has its name
	By       string `json:"by,omitempty"`     // a name: older journals
	Note     string `json:"note,omitempty"`   // the id of a note; older journals: the note
}

// Body returns the canonical JSON.
func (d Decision) Body() []byte { return mustEncode("decision", d) }

func parseDecision(body []byte) Decision { return orNothing[Decision](body) }

// Settings are the part of the configuration that the core uses, as in the opening record. Times are in microseconds.
// Unknown keys are ignored.
type Settings struct {
	Serial       string          `json:"serial"`
	WhiteClock   string          `json:"white_clock"`
	Chess960     string          `json:"chess960"`
	Rules        []rules.Profile `json:"rules"`         // one, or several to choose from by the clock
	MatingBudget int             `json:"mating_budget"` // 0, or missing: rules.MatingBudget
	Periods      []struct {
		Base      int64 `json:"base"`
		Increment int64 `json:"increment"`
		Delay     int64 `json:"delay"`
	} `json:"time_control"`
	Timing struct {
		Scan       int64 `json:"scan"`
		ClockLag   int64 `json:"clock_lag"`
		PressGrace int64 `json:"press_grace"`
		Latency    int64 `json:"latency"`
		Settle     int64 `json:"settle"`
		Probe      int64 `json:"probe"`
		Silence    int64 `json:"silence"`
	} `json:"timing"`
	TwoHands *handsSettings `json:"two_hands"` // missing: nothing is judged, as before the key existed
}

// defaultSettings are in force if the opening record has no configuration.
func defaultSettings() Settings {
	var s Settings
	p := detector.DefaultParams()
	s.Timing.Scan, s.Timing.ClockLag, s.Timing.PressGrace = p.ScanUS, p.ClockLagUS, p.GraceUS
	s.Timing.Latency, s.Timing.Settle, s.Timing.Probe, s.Timing.Silence = 16_000, 500_000, 2_000_000, 6_000_000
	return s
}

func (o Opening) settings() Settings {
	s := defaultSettings()
	if len(o.Config) > 0 {
		given := s
		if json.Unmarshal(o.Config, &given) == nil {
			s = given
		}
	}
	// A scan, a probe or a silence of zero would make a window empty or a timer fire without end.
	d := defaultSettings().Timing
	t := &s.Timing
	for _, v := range [...]struct {
		have  *int64
		def   int64
		least int64
	}{
		{&t.Scan, d.Scan, 1}, {&t.ClockLag, d.ClockLag, 0}, {&t.PressGrace, d.PressGrace, 0}, {&t.Latency, d.Latency, 0},
		{&t.Settle, d.Settle, 0}, {&t.Probe, d.Probe, 1}, {&t.Silence, d.Silence, 1},
	} {
		if *v.have < v.least {
			*v.have = v.def
		}
	}
	return s
}

// Chess960Mode returns the mode of a setting.
func Chess960Mode(setting string) array.Mode {
	switch setting {
	case "never":
		return array.Never
	case "always":
		return array.Always
	}
	return array.Auto
}

func (s Settings) params() detector.Params {
	p := detector.DefaultParams()
	p.ScanUS, p.ClockLagUS, p.GraceUS = s.Timing.Scan, s.Timing.ClockLag, s.Timing.PressGrace
	p.White = clockSide(s.WhiteClock)
	p.Chess960 = Chess960Mode(s.Chess960)
	p.Hands = detector.Hands{}
	if s.TwoHands != nil {
		p.Hands = s.TwoHands.hands()
	}
	p.Hands.Control = s.control()
	return p
}

// mustEncode encodes values that cannot fail: plain structs of strings, numbers and checked JSON.
func mustEncode(what string, v any) []byte {
	b, err := encode(v)
	if err != nil {
		panic("watch: internal error: " + what + ": " + err.Error())
	}
	return b
}

// orNothing reads a body; an unreadable one gives the zero value.
func orNothing[T any](body []byte) (v T) {
	if json.Unmarshal(body, &v) != nil {
		var nothing T
		return nothing
	}
	return v
}

// encode is json.Marshal without escaping for HTML: names and FENs stay readable in the journal. DEL, which JSON allows
// and a journal's line does not, is escaped.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(bytes.TrimRight(b.Bytes(), "\n"), []byte{0x7f}, []byte(`\u007f`)), nil
}
