package show

import (
	"encoding/json"
	"fmt"
	"strings"

	"boardwatchd/internal/said"
	"boardwatchd/rules/kinds"
)

type object struct{ said.Any }

// Line returns one line without its newline, or "" for an object that people need not read: a legal press is already in
// the line of its move.
func Line(body []byte) string {
	var s object
	if err := json.Unmarshal(body, &s.Any); err != nil {
		return string(body)
	}
	text := s.text(body)
	if text == "" {
		return ""
	}
	return fmt.Sprintf("%s  %-8s %s", stamp(int64(s.T)), s.Board, text)
}

func (s object) text(body []byte) string {
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
		return "" // for the record; a finding reports what needs attention
	case "health":
		return strings.TrimSuffix(fmt.Sprintf("(%s) %s", s.What, s.Detail), " ")
	}
	return string(body)
}

func (s object) game() string {
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

func (s object) move() string {
	dots := "."
	if s.Ply%2 == 0 {
		dots = "..."
	}
	san := s.SAN
	if s.Illegal && san == "" {
		san = "--" // more than one piece moved, or none
	}
	line := fmt.Sprintf("%3d%-3s %-8s", (s.Ply+1)/2, dots, san)
	if s.Clock != nil {
		line += fmt.Sprintf(" %s %s", clockTime(s.Clock.White), clockTime(s.Clock.Black))
	}
	if s.CommittedBy != "press" {
		line += "  by " + s.CommittedBy
	}
	if s.Illegal {
		_, kind := kinds.OfID(s.Finding)
		line += "  stands: " + string(kind)
	}
	if s.Corrects {
		line += "  corrected"
	}
	return strings.TrimRight(line, " ")
}

// finding is the offence with its proof, so that nothing looks more certain than it is.
func (s object) finding() string {
	var b strings.Builder
	fmt.Fprintf(&b, "! %s", s.Kind)
	if s.Side != "" {
		fmt.Fprintf(&b, " by %s", side(s.Side))
	}
	fmt.Fprintf(&b, ", %s, %s", s.Proof, s.State)
	if s.Alert != "" {
		fmt.Fprintf(&b, ", alert %s", s.Alert)
	}
	if word := s.Decision(); word != "" {
		fmt.Fprintf(&b, ", decided: %s", word)
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

// timeline has the squares in the order of their windows, in seconds from the first.
func (s object) timeline(b *strings.Builder) {
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
		fmt.Fprintf(b, "%s%s %s %s %.2f to %.2f s", sep, w.Piece, did, w.Square, float64(w.Lo-first)/1e6, float64(w.Hi-first)/1e6)
	}
	if len(s.Timeline) > 0 && s.InAir != "" {
		fmt.Fprintf(b, "; in the air: %s", s.InAir)
	}
}

// ruling has the actions of the arbiter, in their order.
func (s object) ruling() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  (%s) %s", s.Profile, s.Text)
	if s.PositionFEN != "" {
		fmt.Fprintf(&b, " | position %s", s.PositionFEN)
	}
	if len(s.MustPlay) > 0 {
		fmt.Fprintf(&b, " | must play %s", strings.Join(s.MustPlay, " "))
	}
	if s.ClocksToSet != nil {
		fmt.Fprintf(&b, " | set clocks %s %s", clockTime(s.ClocksToSet.White), clockTime(s.ClocksToSet.Black))
	}
	if s.RunClock != "" {
		fmt.Fprintf(&b, " | run %s", side(s.RunClock))
	}
	if s.Deadline != "" {
		fmt.Fprintf(&b, " | %s", s.Deadline)
	}
	return b.String()
}

func side(s string) string {
	if s == "" {
		return "an unknown side"
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func clockTime(sec int) string {
	return fmt.Sprintf("%d:%02d:%02d", sec/3600, sec/60%60, sec%60)
}

// stamp is a time on the recording's own clock.
func stamp(us int64) string {
	tenths := us / 100_000
	return fmt.Sprintf("%2d:%02d:%02d.%d", tenths/36000, tenths/600%60, tenths/10%60, tenths%10)
}
