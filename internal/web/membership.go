package web

import (
	"context"
	"errors"
	"net/http"
)

// A computer that watches boards joins a hall and leaves it at its own page, without a restart of the program. The hall
// itself is in computers.go.

// Member is this computer's part in a hall. An error is a *JoinError, or the disk's.
type Member interface {
	Membership() HallMember
	// JoinHall uses a token; replace lets this computer leave another hall for that.
	JoinHall(ctx context.Context, token string, replace bool) (HallMember, error)
	// LeaveHall says whether the hall has heard it.
	LeaveHall() (heard bool, err error)
}

// A HallMember is what this computer is in a hall.
type HallMember struct {
	Computer string   `json:"computer"` // its name there; "": it is in none
	At       []string `json:"at"`       // where the hall is looked for
	Here     bool     `json:"here"`     // the hall is connected
	Code     string   `json:"code"`     // by which a person accepts this computer; "": it does not wait for that
	Fixed    bool     `json:"fixed"`    // the configuration says it: nothing can be changed on the page
}

// A JoinError says why a computer does not come into a hall, or out of it.
type JoinError struct {
	Code string // for programs
	Text string
	Args []string // what the text names
}

func (e *JoinError) Error() string { return e.Text }

// member is the one of this computer, or the refusal of one that can be in no hall.
func (s *Server) member() (Member, error) {
	if s.Member == nil {
		return nil, refuse(http.StatusNotFound, "is_hall", "This computer is a hall itself.", "Open the page of the computer that is to join.")
	}
	return s.Member, nil
}

// joinRemedies say what helps, by code.
var joinRemedies = map[string]string{
	"no_token":        "Copy the whole line that begins with bwh1 at the hall, or ask there for a new token.",
	"other_hall":      "Say whether it shall leave that one.",
	"other_name":      "Say whether it shall be called so from now on.",
	"other_authority": "Check that the address is the hall’s, and ask at the hall for a new token.",
	"hall_silent":     "Check the hall’s computer and the network, and try again.",
	"hall_refuses":    "Do what the reason says, or ask at the hall for a new token.",
	"invitation_over": "Ask at the hall for a new token.",
	"hall_fixed":      "Change hall: join in the configuration, and start boardwatchd again.",
	"no_member":       "Nothing is to be done: look whether the page is that of the right computer.",
}

// joinRefuses is what the page hears of an error.
func (s *Server) joinRefuses(err error) error {
	var e *JoinError
	if !errors.As(err, &e) {
		return s.unwritten("What this computer keeps of its hall was", err)
	}
	r := refuse(http.StatusConflict, e.Code, sentence(e.Text), joinRemedies[e.Code])
	r.args = e.Args
	return r
}

// longestToken is more than that of a hall with many addresses.
const longestToken = 8192

func (s *Server) joinHall(w http.ResponseWriter, r *http.Request, c *call) error {
	token, replace := c.body.text("token", 1, longestToken), c.body.has("replace") && c.body.onOff("replace")
	if err := c.body.done(); err != nil {
		return err
	}
	m, err := s.member()
	if err != nil {
		return err
	}
	a, err := m.JoinHall(r.Context(), token, replace)
	if err != nil {
		s.log.Warn().Err(err).Str("by", c.device.ID).Msg("this computer did not join a hall")
		return s.joinRefuses(err)
	}
	s.log.Info().Str("computer", a.Computer).Str("by", c.device.ID).Msg("This computer was told to join a hall.")
	return answer(w, a)
}

type left struct {
	Heard bool `json:"heard"` // by the hall
}

func (s *Server) leaveHall(w http.ResponseWriter, _ *http.Request, c *call) error {
	m, err := s.member()
	if err != nil {
		return err
	}
	heard, err := m.LeaveHall()
	if err != nil {
		return s.joinRefuses(err)
	}
	s.log.Info().Str("by", c.device.ID).Msg("This computer was told to leave its hall.")
	return answer(w, left{heard})
}
