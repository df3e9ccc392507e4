package show

import (
	"encoding/json"
	"fmt"
	"strings"
)

// said has every field that a line needs; absent ones stay zero.
type said struct {
	Type        string  `json:"type"`
	T           float64 `json:"t"`
	Board       string  `json:"board"`
	Game        int     `json:"game"`
	FEN         string  `json:"fen"`
	Reversed    bool    `json:"reversed"`
	Chess960    bool    `json:"chess960"`
	Ply         int     `json:"ply"`
	Side        *string `json:"side"`
	SAN         string  `json:"san"`
	Clock       *clock  `json:"clock"`
	CommittedBy string  `json:"committed_by"`
	Corrects    bool    `json:"corrects"`
	Illegal     bool    `json:"illegal"`
	Finding     string  `json:"finding"`
	Judged      string  `json:"judged"`
	Result      string  `json:"result"`
	By          string  `json:"by"`
	State       string  `json:"state"`
	What        string  `json:"what"`
	Detail      string  `json:"detail"`

	Kind      string   `json:"kind"`
	Proof     string   `json:"proof"`
	Alert     string   `json:"alert"`
	Reason    string   `json:"reason"`
	Articles  []string `json:"articles"`
	Edition   string   `json:"edition"`
	Profile   string   `json:"profile"`
	Text      string   `json:"text"`
	SetUp     *string  `json:"position_fen"`
	MustPlay  []string `json:"must_play"`
	SetClocks *clock   `json:"clocks_to_set"`
	RunClock  *string  `json:"run_clock"`
	Deadline  *string  `json:"deadline"`
	Decided   *string  `json:"decided"`
	Timeline  []span   `json:"timeline"`
	InAir     string   `json:"in_air"`
}

// span is when one square changed, in a suspicion about hands.
type span struct {
	Square, Piece string
	Lift          bool
	Lo, Hi        float64
}

type clock struct{ White, Black int }

// Line returns one line without its newline, or "" for what people need not read: a press that was in order stands in
// its move's line already.
func Line(body []byte) string {
	var s said
	if err := json.Unmarshal(body, &s); err != nil {
		return string(body)
	}
	text := s.text(body)
	if text == "" {
		return ""
	}
	return fmt.Sprintf("%s  %-8s %s", stamp(s.T), s.Board, text)
}

func (s said) text(body []byte) string {
	switch s.Type {
	case "game":
		return s.game()
	case "move":
		return s.move()
	case "press":
		if s.Judged == "ok" {
			return ""
		}
		return fmt.Sprintf("press by %s: %s", side(s.Side), s.Judged)
	case "result":
		return fmt.Sprintf("result %s: %s by %s", s.State, s.Result, s.By)
	case "takeback":
		return fmt.Sprintf("taken back to ply %d", s.Ply)
	case "finding":
		return s.finding()
	case "ruling":
		return s.ruling()
	case "hands":
		return "" // for the record; what somebody should look at is a finding
	case "health":
		return strings.TrimSuffix(fmt.Sprintf("(%s) %s", s.What, s.Detail), " ")
	}
	return string(body)
}

func (s said) game() string {
	var b strings.Builder
	fmt.Fprintf(&b, "game %d", s.Game)
	if s.Chess960 {
		b.WriteString(", Chess960")
	}
	if s.Reversed {
		b.WriteString(", White at the far side")
	}
	return b.String() + ": " + s.FEN
}

func (s said) move() string {
	dots := "."
	if s.Ply%2 == 0 {
		dots = "..."
	}
	san := s.SAN
	if s.Illegal && san == "" {
		san = "--" // no single piece moved
	}
	line := fmt.Sprintf("%3d%-3s %-8s", (s.Ply+1)/2, dots, san)
	if s.Clock != nil {
		line += fmt.Sprintf(" %s %s", clockTime(s.Clock.White), clockTime(s.Clock.Black))
	}
	if s.CommittedBy != "press" {
		line += "  by " + s.CommittedBy
	}
	if s.Illegal {
		_, kind, _ := strings.Cut(s.Finding, ":")
		line += "  stands: " + kind
	}
	if s.Corrects {
		line += "  corrected"
	}
	return strings.TrimRight(line, " ")
}

// finding is the offence with its proof, so that nothing looks more certain than it is.
func (s said) finding() string {
	var b strings.Builder
	fmt.Fprintf(&b, "! %s", s.Kind)
	if s.Side != nil {
		fmt.Fprintf(&b, " by %s", side(s.Side))
	}
	fmt.Fprintf(&b, ", %s, %s", s.Proof, s.State)
	if s.Alert != "" {
		fmt.Fprintf(&b, ", alert %s", s.Alert)
	}
	if s.Decided != nil {
		fmt.Fprintf(&b, ", decided: %s", *s.Decided)
	}
	if len(s.Articles) > 0 {
		fmt.Fprintf(&b, " [%s %s]", s.Edition, strings.Join(s.Articles, ", "))
	}
	if s.Reason != "" {
		fmt.Fprintf(&b, ": %s", s.Reason)
	}
	s.timeline(&b)
	return b.String()
}

// timeline is the squares in the order of their windows, in seconds from the first.
func (s said) timeline(b *strings.Builder) {
	for i, w := range s.Timeline {
		sep, did := ", ", "put on"
		if i == 0 {
			sep = " | "
		}
		if w.Lift {
			did = "off"
		}
		first := s.Timeline[0].Lo
		for _, o := range s.Timeline {
			first = min(first, o.Lo)
		}
		fmt.Fprintf(b, "%s%s %s %s %.2f to %.2f s", sep, w.Piece, did, w.Square, w.Lo-first, w.Hi-first)
	}
	if len(s.Timeline) > 0 && s.InAir != "" {
		fmt.Fprintf(b, "; in the air: %s", s.InAir)
	}
}

// ruling is what the arbiter may do, in the order in which it is done.
func (s said) ruling() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  (%s) %s", s.Profile, s.Text)
	if s.SetUp != nil {
		fmt.Fprintf(&b, " | position %s", *s.SetUp)
	}
	if len(s.MustPlay) > 0 {
		fmt.Fprintf(&b, " | must play %s", strings.Join(s.MustPlay, " "))
	}
	if s.SetClocks != nil {
		fmt.Fprintf(&b, " | set clocks %s %s", clockTime(s.SetClocks.White), clockTime(s.SetClocks.Black))
	}
	if s.RunClock != nil {
		fmt.Fprintf(&b, " | run %s", side(s.RunClock))
	}
	if s.Deadline != nil {
		fmt.Fprintf(&b, " | %s", *s.Deadline)
	}
	return b.String()
}

func side(s *string) string {
	if s == nil {
		return "an unknown side"
	}
	return strings.ToUpper((*s)[:1]) + (*s)[1:]
}

func clockTime(sec int) string {
	return fmt.Sprintf("%d:%02d:%02d", sec/3600, sec/60%60, sec%60)
}

// stamp is a time on the recording's own clock.
func stamp(t float64) string {
	tenths := int64(t * 10)
	return fmt.Sprintf("%2d:%02d:%02d.%d", tenths/36000, tenths/600%60, tenths/10%60, tenths%10)
}
