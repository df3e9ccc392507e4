package web

import (
	"errors"
	"net/http"

	"boardwatchd/internal/hall/roster"
)

// Hall are the actions on a hall's own computer. Their errors are ErrNotThere, ErrConflict, ErrNameInUse, or the
// disk's.
type Hall interface {
	// Invite makes an invitation for a computer of that name, or with "" one for many.
	Invite(name string) (HallToken, error)
	// Accept admits the newcomer with a code under a name; "" is its own. Refuse rejects it.
	Accept(code, name string) error
	Refuse(code string) error
	// Belongs makes the place where a board answers now the one where it belongs.
	Belongs(board string) error
}

// Errors of Hall.
var (
	ErrNotThere  = errors.New("it is not there")
	ErrConflict  = errors.New("it cannot be so")
	ErrNameInUse = errors.New("a computer of that name is in the hall")
)

// A HallToken is an invitation, as text and as a picture.
type HallToken struct {
	Token     string `json:"token"`
	SVG       string `json:"svg"` // "": the token is too long for a picture
	ExpiresMS int64  `json:"expires_ms"`
}

func (s *Server) computers(w http.ResponseWriter, r *http.Request, _ *call) error {
	l := roster.List{Rows: []roster.Row{}, Newcomers: []roster.Newcomer{}, Stranded: []roster.Stranded{}}
	if s.Computers != nil {
		l = s.Computers()
	}
	a := computersAnswer{List: l}
	if s.Member != nil {
		m := s.Member.Membership()
		a.Member = &m
	}
	return answerLong(w, r, a)
}

type computersAnswer struct {
	roster.List
	Member *HallMember `json:"member,omitempty"`
}

// hall returns the hall, or a refusal if this computer is none.
func (s *Server) hall() (Hall, error) {
	if s.Hall == nil {
		return nil, refuse(http.StatusNotFound, "no_hall", "This computer is no hall.", "Open the page of the hall's computer.")
	}
	return s.Hall, nil
}

// hallRefuses returns the refusal for an error of the hall.
func (s *Server) hallRefuses(err error) error {
	var r *refusal
	switch {
	case errors.As(err, &r):
		return err
	case errors.Is(err, ErrNotThere):
		return refuse(http.StatusNotFound, "not_there", "It is not there any more.", "Look at the list again.")
	case errors.Is(err, ErrNameInUse):
		return refuse(http.StatusConflict, "name_in_use", "A computer of that name is in the hall, and would be out of it.",
			"Give another name, or first on the hall's computer: boardwatchd hall revoke NAME.")
	case errors.Is(err, ErrConflict):
		return refuse(http.StatusConflict, "wrong_name", "No computer can be called so now: a name has letters, digits, - and _, and none is there twice.", "Give another name.")
	}
	return s.unwritten("The list of computers was", err)
}

func (s *Server) inviteComputer(w http.ResponseWriter, _ *http.Request, c *call) error {
	name := c.body.note("name", 40)
	if err := c.body.done(); err != nil {
		return err
	}
	h, err := s.hall()
	if err != nil {
		return err
	}
	t, err := h.Invite(name)
	if err != nil {
		return s.hallRefuses(err)
	}
	s.log.Info().Str("computer", name).Str("by", c.device.ID).Msg("A computer was invited.")
	return answer(w, t)
}

func (s *Server) acceptComputer(w http.ResponseWriter, r *http.Request, c *call) error {
	name := c.body.note("name", 40)
	if err := c.body.done(); err != nil {
		return err
	}
	h, err := s.hall()
	if err == nil {
		err = h.Accept(r.PathValue("code"), name)
	}
	return s.answerDone(w, c, "A computer was accepted.", err)
}

func (s *Server) refuseComputer(w http.ResponseWriter, r *http.Request, c *call) error {
	h, err := s.hall()
	if err == nil {
		err = h.Refuse(r.PathValue("code"))
	}
	return s.answerDone(w, c, "A computer was refused.", err)
}

func (s *Server) boardBelongs(w http.ResponseWriter, r *http.Request, c *call) error {
	if err := c.body.done(); err != nil {
		return err
	}
	h, err := s.hall()
	if err == nil {
		err = h.Belongs(r.PathValue("board"))
	}
	return s.answerDone(w, c, "A board belongs where it is now.", err)
}

// answerDone ends a request whose answer has no content.
func (s *Server) answerDone(w http.ResponseWriter, c *call, done string, err error) error {
	if err != nil {
		return s.hallRefuses(err)
	}
	s.log.Info().Str("by", c.device.ID).Msg(done)
	w.WriteHeader(http.StatusNoContent)
	return nil
}
