// Package show renders what the machine said (the JSON objects of contract section 3) as lines for people.
//
// It knows the objects' fields and nothing of where they come from. Objects it does not know are shown as they are, so
// that nothing is hidden.
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
	Judged      string  `json:"judged"`
	Result      string  `json:"result"`
	By          string  `json:"by"`
	State       string  `json:"state"`
	What        string  `json:"what"`
	Detail      string  `json:"detail"`
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
	line := fmt.Sprintf("%3d%-3s %-8s", (s.Ply+1)/2, dots, s.SAN)
	if s.Clock != nil {
		line += fmt.Sprintf(" %s %s", clockTime(s.Clock.White), clockTime(s.Clock.Black))
	}
	if s.CommittedBy != "press" {
		line += "  by " + s.CommittedBy
	}
	return strings.TrimRight(line, " ")
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
