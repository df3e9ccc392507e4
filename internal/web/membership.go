package web

import (
	"context"
	"errors"
	"net/http"
)

// A computer that watches boards joins and leaves a hall on its own page, without a restart of the program. The hall
// itself is in computers.go.

// Member is this computer's part in a hall. Its errors are a *JoinError, or the disk's.
type Member interface {
	Membership() HallMember
	// JoinHall uses a token; replace lets this computer leave another hall for that.
	JoinHall(ctx context.Context, token string, replace bool) (HallMember, error)
	// LeaveHall reports whether the hall has received it.
	LeaveHall() (heard bool, err error)
}

// A HallMember is the state of this computer's membership.
type HallMember struct {
	Computer string   `json:"computer"` // its name in the hall; "": it is in none
	At       []string `json:"at"`       // addresses of the hall
	Here     bool     `json:"here"`     // there is a connection to the hall
	Code     string   `json:"code"`     // by which a person accepts this computer; "": it does not wait
	Fixed    bool     `json:"fixed"`    // set by the configuration: it cannot be changed on the page
}

// A JoinError is why a computer cannot join or leave a hall.
type JoinError struct {
	Code string // for programs
	Text string
	Args []string // put into the text
}

func (e *JoinError) Error() string { return e.Text }

// member returns this computer's membership, or a refusal if it can be in no hall.
func (s *Server) member() (Member, error) {
	if s.Member == nil {
		return nil, refuse(http.StatusNotFound, "is_hall", "This computer is a hall itself.", "Open the page of the computer that is to join.")
	}
	return s.Member, nil
}

// joinRemedies are the remedies, by code.
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

// joinRefuses returns the page's refusal for an error.
func (s *Server) joinRefuses(err error) error {
	var e *JoinError
	if !errors.As(err, &e) {
		return s.unwritten("What this computer keeps of its hall was", err)
	}
	r := refuse(http.StatusConflict, e.Code, sentence(e.Text), joinRemedies[e.Code])
	r.args = e.Args
	return r
}

// longestToken is longer than the token of a hall with many addresses.
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
	Heard bool `json:"heard"` // the hall has received it
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
