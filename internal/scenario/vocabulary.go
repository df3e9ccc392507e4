package scenario

import (
	"fmt"

	"boardwatchd/rules"
)

// Verb is the action of a line.
type Verb uint8

// The verbs.
const (
	NoVerb   Verb = iota
	Lift          // a piece leaves its square
	Put           // the piece held last, or the named one, is put down
	Drop          // the piece held last, or the named one, is put beside the board
	Hold          // a spare piece is taken into the hand
	Transfer      // a piece changes hands
	Move          // an ordinary move with one hand
	Slide         // a piece is pushed along the board
	Knock         // a piece falls over
	Stand         // it is stood up again
	Nudge         // a piece is pushed to a neighbouring square by accident
	Press         // the lever goes down
	Pause         // both clocks are stopped
	Resume        // a side's clock runs
	Lever         // the lever is moved while the clock is stopped
	SetTime       // times are edited
	Flag          // a flag falls
	Restore       // the last good position is put back
	Wait          // no action for some seconds
	Say           // spoken: no sensor hears it
	Report        // an input to the program
	ResultOf      // the result is agreed or declared
	Resign        // the actor resigns
	Sign          // a scoresheet is signed
	Leave         // a player leaves the board
	Return        // the player comes back
)

// entry is a row of the vocabulary.
type entry struct {
	name  string
	usage string
	args  func(*actParser)
}

func none(*actParser) {}

// vocabulary is the table of verbs; its index is the Verb. It is filled in init because the parser refers to it.
var vocabulary []entry

func init() {
	vocabulary = []entry{
		NoVerb:   {"", "", none},
		Lift:     {"lift", "SQUARE", (*actParser).square},
		Put:      {"put", "SQUARE [PIECE] [inverted|nochip]", (*actParser).put},
		Drop:     {"drop", "[PIECE]", func(p *actParser) { p.piece(false) }},
		Hold:     {"hold", "PIECE", func(p *actParser) { p.piece(true) }},
		Transfer: {"transfer", "PIECE L-R|R-L", (*actParser).transfer},
		Move:     {"move", "UCI", (*actParser).uci},
		Slide:    {"slide", "A-B", (*actParser).pair},
		Knock:    {"knock", "SQUARE", (*actParser).square},
		Stand:    {"stand", "SQUARE", (*actParser).square},
		Nudge:    {"nudge", "A-B", (*actParser).pair},
		Press:    {"press", "[W|B]", (*actParser).press},
		Pause:    {"pause", "nothing", none},
		Resume:   {"resume", "[W|B]", (*actParser).press},
		Lever:    {"lever", "nothing", none},
		SetTime:  {"settime", "SIDE+SECONDS or SIDE=MINUTES:SECONDS …", (*actParser).edits},
		Flag:     {"flag", "W|B", func(p *actParser) { p.side(true) }},
		Restore:  {"restore", "nothing", none},
		Wait:     {"wait", "SECONDS", (*actParser).wait},
		Say:      {"say", "WORDS", (*actParser).say},
		Report:   {"report", "WORD [SIDE] [SQUARES] [move=NUMBER]", (*actParser).report},
		ResultOf: {"result", "1-0|0-1|1/2-1/2", (*actParser).result},
		Resign:   {"resign", "nothing", (*actParser).resign},
		Sign:     {"sign", "nothing", none},
		Leave:    {"leave", "nothing", none},
		Return:   {"return", "nothing", none},
	}
}

func (v Verb) String() string {
	if int(v) < len(vocabulary) {
		return vocabulary[v].name
	}
	return fmt.Sprintf("verb(%d)", uint8(v))
}

func (v Verb) usage() string { return vocabulary[v].usage }

func verbOf(name string) Verb {
	for v := range vocabulary {
		if v > 0 && vocabulary[v].name == name {
			return Verb(v)
		}
	}
	return NoVerb
}

func verbList() (names []string) {
	for _, e := range vocabulary[1:] {
		names = append(names, e.name)
	}
	return names
}

// reports are the words of the verb report.
var reports = []string{
	"two-hands", "other-hand", "press-before-release", "foreign-press", "queen-brought", "clock-setting-wrong", "displaced",
	"colours-reversed", "found", "draw-offer", rules.ReportAssistant,
}

// claims are the words after `say claim-`, which open a claim.
var claims = []string{"illegal", "two-hands", "touch", "draw3", "draw50", "flag"}

const claimPrefix = "claim-"

var results = []string{"1-0", "0-1", "1/2-1/2"}

func has(list []string, w string) bool {
	for _, l := range list {
		if l == w {
			return true
		}
	}
	return false
}

// near returns a hint if a word is nearly one of the list.
func near(w string, list []string) string {
	best, at := 1+len(w)/6, ""
	for _, l := range list {
		if d := distance(w, l); d <= best && (d < best || at == "") {
			best, at = d, l
		}
	}
	if at == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", at)
}

// distance returns the number of letters to change, insert, remove, or swap with their neighbour. Long words are not
// compared.
func distance(a, b string) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return longest
	}
	var d [longest + 1][longest + 1]int
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], 1+d[i-2][j-2])
			}
		}
	}
	return d[len(a)][len(b)]
}
