package web

import (
	"encoding/json"
	"net/http"
	"slices"

	"boardwatchd/internal/alert"
	"boardwatchd/internal/live"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

type boardsAnswer struct {
	Epoch   string        `json:"epoch"`
	Last    string        `json:"last"`
	Boards  any           `json:"boards"` // summaries, or rows
	Alerts  []alert.Alert `json:"alerts"`
	Notices []Notice      `json:"notices"`
}

// A Notice informs an arbiter about the program itself, with a remedy.
type Notice struct {
	ID     string         `json:"id"`
	Text   string         `json:"text"` // in English
	Remedy string         `json:"remedy"`
	Say    words.Sentence `json:"say"` // Text in no language
	DoSay  words.Sentence `json:"do_say"`
	Level  string         `json:"level,omitempty"` // note: all works, and the page folds it
}

// NewNotice makes a notice from sentences of the page's texts.
func NewNotice(id string, say, do words.Sentence) Notice {
	return Notice{ID: id, Text: page.English(say), Remedy: page.English(do), Say: say, DoSay: do}
}

// boards answers with the overview. The id of the last event is read first, so that an event in between comes once more
// in the feed.
func (s *Server) boards(w http.ResponseWriter, r *http.Request, c *call) error {
	a := boardsAnswer{Epoch: s.Live.Epoch(), Last: s.Live.Last(), Alerts: notNull(s.alerts()), Notices: notNull(s.Notices())}
	list := notNull(s.Live.Summaries())
	a.Boards = list
	if left, ok := s.rowsAsked(r, c, list); ok {
		a.Boards = rowsOf(list, left)
	}
	return answerLong(w, r, a)
}

func notNull[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// A stateAnswer is a board with the decisions that wait for it.
type stateAnswer struct {
	live.State
	Waiting []Waiting `json:"waiting"`
}

func (s *Server) board(w http.ResponseWriter, r *http.Request, _ *call) error {
	name := r.PathValue("board")
	state, ok := s.Live.State(name)
	if !ok {
		return noSuchBoard(name)
	}
	alerts := s.alerts()
	state.Moves, state.Findings, state.Health = notNull(state.Moves), slices.Clone(notNull(state.Findings)), notNull(state.Health)
	state.Spans = notNull(state.Spans)
	for i := range state.Findings {
		state.Findings[i] = withAlert(state.Findings[i], name, alerts)
	}
	a := stateAnswer{State: state, Waiting: []Waiting{}}
	if s.Waits != nil {
		a.Waiting = notNull(s.Waits.Waiting(name))
	}
	return answerLong(w, r, a)
}

// item returns one finding with its alert.
func (s *Server) item(board, id string) (live.Item, bool) {
	item, ok := s.Live.Finding(board, id)
	if !ok {
		return item, false
	}
	return withAlert(item, board, s.alerts()), true
}

func withAlert(item live.Item, board string, alerts []alert.Alert) live.Item {
	i := slices.IndexFunc(alerts, func(a alert.Alert) bool { return a.Finding == item.ID && a.Board == board })
	if i < 0 {
		return item
	}
	b, err := json.Marshal(alerts[i])
	if err != nil {
		panic("web: internal error: an alert is no JSON: " + err.Error())
	}
	item.Alert = b
	return item
}

func (s *Server) alerts() []alert.Alert {
	if s.Alerts == nil {
		return nil
	}
	return s.Alerts.Alerts()
}

// knowsBoard reports whether there is such a board.
func (s *Server) knowsBoard(board string) bool {
	return slices.ContainsFunc(s.Live.Summaries(), func(b live.Summary) bool { return b.Board == board })
}
