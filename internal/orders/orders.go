package orders

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"boardwatchd/internal/config"
	"boardwatchd/internal/pairing"
)

// Settings are the settings of a round. An empty one is that of the configuration.
type Settings struct {
	Event       string `json:"event,omitempty"`
	Round       string `json:"round,omitempty"`
	TimeControl string `json:"time_control,omitempty"`
	Profile     string `json:"profile,omitempty"`
	Local       string `json:"local,omitempty"` // lines of rules.override
}

// A Seat has the players of a board, by ids.
type Seat struct {
	Board string `json:"board"` // the pairing's name for it
	White string `json:"white,omitempty"`
	Black string `json:"black,omitempty"`
	// Table is the pairing's name for the board if Board is its own name, as in the round for a computer of a hall.
	Table string `json:"table,omitempty"`
}

// SamePlayers reports whether two seats have the same players.
func (s Seat) SamePlayers(as Seat) bool { return s.White == as.White && s.Black == as.Black }

// Orders are a round as a person has set it.
type Orders struct {
	Settings
	Seats []Seat `json:"seats,omitempty"`
	Alone []Seat `json:"alone,omitempty"` // players (White) who have no opponent in the pairing's file, and are not paired
	// OwnSeats means that the orders have no players: each computer has those of its own pairing.
	OwnSeats bool     `json:"own_seats,omitempty"`
	Now      []string `json:"now,omitempty"` // boards where the orders also apply to the game in progress
	Request  string   `json:"request,omitempty"`
	By       string   `json:"by,omitempty"` // the id of a device
	WallMS   int64    `json:"wall_ms,omitempty"`
}

// Mark identifies the content of the orders.
func (o *Orders) Mark() string {
	if o == nil {
		return ""
	}
	b, err := json.Marshal(o)
	if err != nil {
		panic("orders: internal error: " + err.Error()) // cannot happen: it has only texts and numbers
	}
	return MarkOf(b)
}

// MarkOf returns a short digest that identifies a text.
func MarkOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// AtOnce reports whether the orders apply to a game in progress at a board.
func (o *Orders) AtOnce(board string) bool {
	return o != nil && slices.ContainsFunc(o.Now, func(b string) bool { return pairing.BoardKey(b) == pairing.BoardKey(board) })
}

// Local is the Key of errors about local rules.
const Local = "local"

// A WrongError names a setting that is impossible, with its line and the remedy.
type WrongError struct {
	Key  string // round, time_control, profile, local
	Line int    // of local rules, from 1; 0: the whole
	Text string
}

func (e *WrongError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s, line %d: %s", e.Key, e.Line, e.Text)
	}
	return e.Key + ": " + e.Text
}

const maxLocal = 4000

// Apply returns the configuration with the settings. Its error is a *WrongError.
func (s Settings) Apply(c config.Config) (config.Config, error) {
	if s.Event != "" {
		c.Event = s.Event
	}
	if s.Round != "" {
		c.Round = s.Round
	}
	if s.TimeControl != "" {
		tc, err := config.ParseTimeControl(s.TimeControl)
		if err != nil {
			return c, &WrongError{Key: "time_control", Text: err.Error()}
		}
		c.TimeControl = tc
	}
	if s.Profile == "" && s.Local == "" {
		if err := config.Misfit(c.TimeControl, c.Rules); err != nil {
			return c, &WrongError{Key: "profile", Text: err.Error()}
		}
		return c, nil
	}
	return s.rules(c)
}

// rules reads the rules as if they were in a configuration file, so that the same checks and messages apply.
func (s Settings) rules(c config.Config) (config.Config, error) {
	if len(s.Local) > maxLocal {
		return c, &WrongError{Key: Local, Text: fmt.Sprintf("has %d characters, at most %d are possible", len(s.Local), maxLocal)}
	}
	profile := s.Profile
	if profile == "" {
		profile = c.Profile
	}
	if !isWord(profile) {
		return c, &WrongError{Key: "profile", Text: fmt.Sprintf("%.40q is no rule set; boardwatchd check-config names them", profile)}
	}
	var b strings.Builder
	if len(c.TimeControl.Periods) > 0 {
		fmt.Fprintf(&b, "time_control: %q\n", c.TimeControl.String())
	} else {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "rules:\n  profile: %s\n  fide_rated: %t\n  mating_budget: %d\n", profile, c.FIDERated, c.MatingBudget)
	first := 6 // the line before that of the first local rule
	if strings.TrimSpace(s.Local) != "" {
		b.WriteString("  override:\n")
		for line := range strings.Lines(s.Local) {
			b.WriteString("    " + strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	ruled, err := config.Parse("", []byte(b.String()))
	var problems config.Problems
	if errors.As(err, &problems) && len(problems) > 0 {
		p := problems[0]
		key := strings.TrimPrefix(strings.TrimPrefix(p.Key, "rules."), "override.")
		text := p.Text
		if p.Line > first {
			if key != "" && key != "override" {
				text = key + ": " + text
			}
			return c, &WrongError{Key: Local, Line: p.Line - first, Text: text}
		}
		return c, &WrongError{Key: "profile", Text: text}
	}
	if err != nil {
		return c, &WrongError{Key: "profile", Text: err.Error()}
	}
	c.Profile, c.Rules, c.LocalRules = ruled.Profile, ruled.Rules, ruled.LocalRules
	return c, nil
}

// isWord reports whether a text can be the name of a rule set.
func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' })
}
