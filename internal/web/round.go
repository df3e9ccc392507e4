package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"boardwatchd/configs"
	"boardwatchd/internal/orders"
	"boardwatchd/internal/pairing"
)

// This file is about the round on one page: settings and seats as people set them, and a pairing that is read and shown
// before it is used.

// A RoundSeat has the players of a board.
type RoundSeat struct {
	Board string `json:"board"` // the pairing's name for it
	White string `json:"white"`
	Black string `json:"black"`
}

// A RoundAlone is a player without an opponent: no game.
type RoundAlone struct {
	Board  string `json:"board"` // the pairing's name for it
	Player string `json:"player"`
}

// A RoundSet is what people set, with names of players.
type RoundSet struct {
	Event       string       `json:"event"`
	Round       string       `json:"round"`
	TimeControl string       `json:"time_control"`
	Profile     string       `json:"profile"`
	Local       string       `json:"local"`
	Seats       []RoundSeat  `json:"seats"`
	Alone       []RoundAlone `json:"alone"`
}

// A RoundChange is a new RoundSet.
type RoundChange struct {
	RoundSet
	AsOf    string // the RoundState.AsOf that the person has seen
	Playing string // for boards with a game in progress: PlayingNext, PlayingNow; "": ask
	Sure    bool   // the number of the round is meant, whatever it was before
	Request string
	Device  string
}

// Choices for a game in progress whose board gets other players or another round.
const (
	PlayingNext = "next" // it ends under its settings, and the change is for the next one
	PlayingNow  = "now"
)

// A RoundState is the round in force, and the state of the boards in it.
type RoundState struct {
	RoundSet
	AsOf   string       `json:"as_of"`
	Here   string       `json:"here"` // RoundHall: it is set on the hall's page
	By     string       `json:"by"`
	WallMS int64        `json:"wall_ms"` // when a person set it; 0: it comes from the configuration
	Boards []RoundBoard `json:"boards"`
	Away   []string     `json:"away"` // computers that do not have it yet
}

// Values of RoundState.Here.
const (
	RoundHere = "here"
	RoundHall = "hall"
)

// A RoundBoard is a seat or a board, with its state.
type RoundBoard struct {
	Seat  string `json:"seat"`  // the pairing's board; "": none
	Board string `json:"board"` // its shown name; "": there is no such board
	State string `json:"state"` // set; soon; next: after this game; away; none: no such board; free: no players
	Round string `json:"round"` // of its journal
	// Mistake is what is wrong with the pairing here.
	Mistake string `json:"mistake,omitempty"`
	Other   string `json:"other,omitempty"` // the pairing's board at which one of the players sits too; the player who is alone
}

// The values of RoundBoard.Mistake.
const (
	PairedNowhere = "none"   // there is no such board
	PairedTwice   = "twice"  // a player is paired at Other too
	PairedNobody  = "nobody" // a game is in progress, and nobody is paired here
	PairedAlone   = "alone"  // Other has no opponent here
)

// A RoundFit is how a pairing fits the boards that are there. Boards are named as people call them.
type RoundFit struct {
	Missing []string `json:"missing"` // boards of the pairing that are not there
	Free    []string `json:"free"`    // boards at which nobody would be paired
}

// Orders keeps the round.
type Orders interface {
	RoundState() RoundState
	// Fit compares a pairing with the boards that are there.
	Fit(seats []RoundSeat) RoundFit
	// SetRound puts a round into force: nil means that it is on the disk. The error is a *PlayingError, a
	// *orders.WrongError, ErrRoundChanged, ErrRoundElsewhere, or the disk's.
	SetRound(ctx context.Context, c RoundChange) error
}

// Errors of SetRound.
var (
	ErrRoundChanged   = errors.New("somebody has set the round meanwhile")
	ErrRoundElsewhere = errors.New("the round of this computer is set at its hall")
)

// A PlayingError names the boards with a game in progress that a change concerns.
type PlayingError struct{ Boards []string } // by their names for people

func (e *PlayingError) Error() string {
	return "games are in progress at " + strings.Join(e.Boards, ", ")
}

const (
	maxRoundSeats = pairing.MaxGames
	maxRoundText  = pairing.MaxBytes*4/3 + 4096 // base64
)

func (s *Server) round(w http.ResponseWriter, r *http.Request, _ *call) error {
	if s.Orders == nil {
		return notFound()
	}
	return answerLong(w, r, s.roundAnswer())
}

type roundAnswer struct {
	RoundState
	Profiles []string `json:"profiles"`
}

func (s *Server) roundAnswer() roundAnswer {
	a := roundAnswer{s.Orders.RoundState(), append([]string{"auto"}, configs.ProfileNames()...)}
	a.Seats, a.Boards, a.Away, a.Alone = notNull(a.Seats), notNull(a.Boards), notNull(a.Away), notNull(a.Alone)
	return a
}

type roundRead struct {
	Event     string         `json:"event"`
	Round     string         `json:"round"`
	Seats     []RoundSeat    `json:"seats"`
	WorkedOut bool           `json:"worked_out"` // the text has no board numbers: they follow from the standings
	Alone     []RoundAlone   `json:"alone"`      // to be given with the seats
	Problems  []roundProblem `json:"problems"`
	RoundFit
}

type roundProblem struct {
	Line   int      `json:"line"`
	Column int      `json:"column"`
	Text   string   `json:"text"`
	Note   bool     `json:"note,omitempty"` // nothing is left out
	Say    []string `json:"say,omitempty"`  // Text in no language: a key of the page's texts, and what is put in
}

// readRound answers with the pairing in a text. It changes nothing.
func (s *Server) readRound(w http.ResponseWriter, r *http.Request, c *call) error {
	if s.Orders == nil {
		return notFound()
	}
	round, data := c.body.number("round", 0, 1000), c.body.text("data", 1, maxRoundText)
	if err := c.body.done(); err != nil {
		return err
	}
	text, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return wrongKey("data", "is not base64", "Send the bytes of the file in base64.")
	}
	p, problems := pairing.Check("", text, int(round))
	a := roundRead{Event: p.Event, Round: p.Round, WorkedOut: p.BoardsDerived, Seats: []RoundSeat{}, Alone: []RoundAlone{}, Problems: []roundProblem{}}
	for _, g := range p.Games {
		a.Seats = append(a.Seats, RoundSeat{g.Board, g.White.Name, g.Black.Name})
	}
	for _, e := range problems {
		say := slices.Clone(e.Say)
		if len(say) > 0 {
			say[0] = "round.p." + say[0]
		}
		if e.Alone.Board != "" {
			a.Alone = append(a.Alone, RoundAlone{e.Alone.Board, e.Alone.White.Name})
		}
		a.Problems = append(a.Problems, roundProblem{e.Line, e.Column, e.Text, e.Note && !e.NoGame, say})
	}
	a.RoundFit = s.Orders.Fit(a.Seats)
	a.Missing, a.Free = notNull(a.Missing), notNull(a.Free)
	return answerLong(w, r, a)
}

// unusualRound returns why a round that is to be begun after another one is probably not meant; "" if it may well be.
func (s *Server) unusualRound(next string) string {
	now := s.Round()
	if next == now || next == "" || now == "" {
		return ""
	}
	if s.Rounds != nil {
		played, err := s.Rounds.Rounds()
		if err == nil && slices.ContainsFunc(played, func(r Round) bool { return r.Round == next }) {
			return "again"
		}
	}
	n, err := strconv.Atoi(next)
	was, wasErr := strconv.Atoi(now)
	switch {
	case err != nil || wasErr != nil:
		return ""
	case n < was:
		return "back"
	case n > was+1:
		return "skips"
	}
	return ""
}

// setRound sets the round. The answer comes when it is on the disk; the boards follow.
func (s *Server) setRound(w http.ResponseWriter, r *http.Request, c *call) error {
	if s.Orders == nil {
		return notFound()
	}
	o := c.body
	set := RoundChange{
		Request: requestID(o), AsOf: o.text("as_of", 0, 64), Playing: o.word("playing", "", PlayingNext, PlayingNow), Sure: o.has("sure") && o.onOff("sure"),
		RoundSet: RoundSet{
			Event: o.note("event", 100), Round: o.note("round", 20), TimeControl: o.note("time_control", 60), Profile: o.text("profile", 0, 40), Local: o.text("local", 0, 4000),
			Seats: roundSeats(o), Alone: roundAlone(o),
		},
	}
	if err := o.done(); err != nil {
		return err
	}
	if why := s.unusualRound(set.Round); why != "" && !set.Sure {
		e := refuse(http.StatusConflict, "unusual_round", "This round does not follow the one that is set.", "Say that it is meant, or correct its number.")
		e.args = []string{why, set.Round, s.Round()}
		return e
	}
	set.Device = s.registerDevice(c.device)
	var playing *PlayingError
	var wrong *orders.WrongError
	switch err := s.Orders.SetRound(r.Context(), set); {
	case err == nil:
		return answerLong(w, r, s.roundAnswer())
	case errors.As(err, &playing):
		e := refuse(http.StatusConflict, "playing", "Games are in progress at these boards.", "Say whether this holds for the next game there, or now.")
		e.args = []string{strings.Join(playing.Boards, ", ")}
		return e
	case errors.As(err, &wrong):
		e := refuse(http.StatusBadRequest, "wrong_value", sentence(wrong.Error()), "Correct it, and set the round again.")
		e.args = []string{wrong.Key}
		return e
	case errors.Is(err, ErrRoundChanged):
		return refuse(http.StatusConflict, "changed", "Somebody has set the round meanwhile.", "Look at it as it is now.")
	case errors.Is(err, ErrRoundElsewhere):
		return refuse(http.StatusConflict, "elsewhere", "This computer belongs to a hall.", "Set the round at the hall's page.")
	default:
		return s.unwritten("The round was", err)
	}
}

// roundRows reads a list of objects.
func roundRows(o *object, key string) (rows []json.RawMessage) {
	raw := o.value(key)
	if raw != nil && (json.Unmarshal(raw, &rows) != nil || len(rows) > maxRoundSeats) {
		o.fail(key, "is not a list that fits", fmt.Sprintf("Give a list of at most %d.", maxRoundSeats))
		return nil
	}
	return rows
}

// roundAlone reads the players without an opponent; older pages do not send them.
func roundAlone(o *object) (list []RoundAlone) {
	if !o.has("alone") {
		return nil
	}
	for i, row := range roundRows(o, "alone") {
		in, err := parseObjectIn(fmt.Sprintf("alone[%d].", i), row)
		if err != nil {
			o.fail("alone", "has something in it that is no player", "Give objects with board and player.")
			return nil
		}
		a := RoundAlone{in.note("board", 32), in.note("player", 100)}
		switch {
		case in.done() != nil:
			o.err = firstOf(o.err, in.done())
		case a.Board == "" || a.Player == "":
			o.fail("alone", fmt.Sprintf("has an entry, %d, without a board or a player", i+1), "Fill it in, or take it out.")
		}
		list = append(list, a)
	}
	return list
}

// roundSeats reads the seats. Each board occurs once, and both players have names.
func roundSeats(o *object) (list []RoundSeat) {
	rows := roundRows(o, "seats")
	known := map[string]bool{}
	for i, row := range rows {
		in, err := parseObjectIn(fmt.Sprintf("seats[%d].", i), row)
		if err != nil {
			o.fail("seats", "has something in it that is no seat", "Give objects with board, white and black.")
			return nil
		}
		s := RoundSeat{in.note("board", 32), in.note("white", 100), in.note("black", 100)}
		key := pairing.BoardKey(s.Board)
		switch {
		case in.done() != nil:
			o.err = firstOf(o.err, in.done())
		case s.Board == "" || s.White == "" || s.Black == "":
			o.fail("seats", fmt.Sprintf("has a seat, %d, without a board or a player", i+1), "Fill it in, or take the seat out.")
		case known[key]:
			o.fail("seats", fmt.Sprintf("has the board %.32s twice", s.Board), "Give each game its own board.")
		}
		known[key], list = true, append(list, s)
	}
	return list
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
