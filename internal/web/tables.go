package web

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"boardwatchd/internal/tables"
	"boardwatchd/rules/words"
)

// This file is about the boards' tables.

// A TableRow is a table, a board, or both.
type TableRow struct {
	Table    string `json:"table"` // "": the board has none
	Board    string `json:"board"` // "": no such board was seen
	Computer string `json:"computer"`
	Serial   string `json:"serial"`
	Port     string `json:"port"`
	By       string `json:"by"`    // serial, port, board: how the board is recognised
	Here     bool   `json:"here"`  // the board answers
	Found    bool   `json:"found"` // learnt from a press, and not in force yet
	// Elsewhere means that the board with this number answers at the place of another one, which Computer and Port
	// name.
	Elsewhere bool `json:"elsewhere"`
}

// A PressOutcome is the result of the last press of a clock.
type PressOutcome struct {
	What  string `json:"what"`  // a word of tables.Finder; "": no press yet
	Board string `json:"board"` // may be several, with commas
	Table string `json:"table"`
}

// A TablesState is the state of the tables and of the search by presses.
type TablesState struct {
	Here      string       `json:"here"` // RoundHall: at the hall's page
	Rows      []TableRow   `json:"rows"`
	Finding   bool         `json:"finding"` // presses are awaited
	Ask       string       `json:"ask"`     // the table whose clock is to be pressed
	Waits     bool         `json:"waits"`   // a lever was moved, and further ones may follow
	LastPress PressOutcome `json:"told"`
}

// A TablesChange is a person's change.
type TablesChange struct {
	Do      string         `json:"do"`
	Table   string         `json:"table,omitempty"`
	Entries []tables.Entry `json:"entries,omitempty"`
	Sure    bool           `json:"sure,omitempty"` // even during a round
}

// Values of TablesChange.Do.
const (
	TablesFind = "find" // wait for the press at Table, or go on to it
	TablesStop = "stop" // wait no more
	TablesUndo = "undo" // remove what was learnt last, and wait for it again
	TablesDrop = "drop" // remove everything that was learnt
	TablesUse  = "use"  // put what was learnt into force
	TablesSet  = "set"  // put Entries into force
	TablesFree = "free" // no board is at Table
)

// TablesDo are the values of TablesChange.Do.
var TablesDo = []string{TablesFind, TablesStop, TablesUndo, TablesDrop, TablesUse, TablesSet, TablesFree}

// Tables keeps the tables.
type Tables interface {
	TablesState() TablesState
	// ChangeTables carries out a change. The error is a *PlayingError, a *TablesError, ErrTablesAsk, ErrRoundElsewhere,
	// or the disk's.
	ChangeTables(c TablesChange) error
	// TableSheet writes the sheet to print; cards: a card for each table.
	TableSheet(w io.Writer, lang string, cards bool) error
}

// ErrTablesAsk means that a round is in progress: a person has to confirm the change.
var ErrTablesAsk = errors.New("a round goes on: its players and records go with the tables")

// A TablesError is why a change is impossible, with the remedy.
type TablesError struct{ Text, Remedy string }

func (e *TablesError) Error() string { return e.Text + ": " + e.Remedy }

const maxTablesText = 200_000

func (s *Server) tables(w http.ResponseWriter, r *http.Request, _ *call) error {
	if s.Tables == nil {
		return notFound()
	}
	return answerLong(w, r, s.tablesState())
}

func (s *Server) tablesState() TablesState {
	a := s.Tables.TablesState()
	a.Rows = notNull(a.Rows)
	return a
}

// readTables answers with the entries in a list. It changes nothing.
func (s *Server) readTables(w http.ResponseWriter, r *http.Request, c *call) error {
	list, problems, err := tablesText(c.body)
	if err == nil {
		err = c.body.done()
	}
	if err != nil {
		return err
	}
	return answerLong(w, r, struct {
		Entries  []tables.Entry   `json:"entries"`
		Problems []tables.Problem `json:"problems"`
	}{notNull(list), notNull(problems)})
}

func tablesText(o *object) ([]tables.Entry, []tables.Problem, error) {
	data := o.text("data", 0, maxTablesText*4/3+4)
	text, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return nil, nil, wrongKey("data", "is not base64", "Send the bytes of the list in base64.")
	}
	list, problems := tables.ParseList(string(text))
	return list, problems, nil
}

func (s *Server) changeTables(w http.ResponseWriter, r *http.Request, c *call) error {
	if s.Tables == nil {
		return notFound()
	}
	change := TablesChange{Do: c.body.word("do", TablesDo...), Table: c.body.note("table", tables.MaxTable), Sure: c.body.has("sure") && c.body.onOff("sure")}
	var err error
	if c.body.has("data") {
		change.Entries, _, err = tablesText(c.body)
	}
	if err == nil {
		err = c.body.done()
	}
	if err != nil {
		return err
	}
	if err := s.Tables.ChangeTables(change); err != nil {
		return s.tablesRefuse(err)
	}
	s.log.Info().Str("do", change.Do).Str("by", c.device.ID).Msg("tables")
	return answerLong(w, r, s.tablesState())
}

func (s *Server) tablesRefuse(err error) error {
	var playing *PlayingError
	var wrong *TablesError
	switch {
	case errors.As(err, &playing):
		e := refuse(http.StatusConflict, "playing", "Games are in progress at these boards: "+strings.Join(playing.Boards, ", ")+".", "Change their tables when the games are over.")
		e.args = []string{strings.Join(playing.Boards, ", ")}
		return e
	case errors.As(err, &wrong):
		return refuse(http.StatusBadRequest, "wrong_value", sentence(wrong.Text), sentence(wrong.Remedy))
	case errors.Is(err, ErrTablesAsk):
		return refuse(http.StatusConflict, "sure", "A round goes on, and players and records go with the tables.", "Say that it is meant.")
	case errors.Is(err, ErrRoundElsewhere):
		return refuse(http.StatusConflict, "elsewhere", "This computer belongs to a hall.", "Set the tables at the hall's page.")
	}
	return s.unwritten("The tables were", err)
}

// tableSheet is the sheet to print, a document of its own in which nothing runs.
func (s *Server) tableSheet(w http.ResponseWriter, r *http.Request, _ *call) error {
	if s.Tables == nil {
		return notFound()
	}
	q := r.URL.Query()
	lang := q.Get("lang")
	if !slices.Contains(words.Languages(), lang) {
		lang = "en"
	}
	out := &sending{w: w, r: r, s: s, f: roundFile{kind: "text/html; charset=utf-8", inline: true}, file: "tables.html"}
	if err := s.Tables.TableSheet(out, lang, q.Has("cards")); err != nil && !out.begun {
		return fmt.Errorf("the sheet of the tables: %w", err)
	}
	return nil
}
