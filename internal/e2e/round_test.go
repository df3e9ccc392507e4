//go:build linux

package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// apiRound is GET /api/v1/round.
type apiRound struct {
	AsOf        string `json:"as_of"`
	Here        string `json:"here"`
	Round       string `json:"round"`
	TimeControl string `json:"time_control"`
	Seats       []apiSeat
	Boards      []struct{ Seat, Board, State, Round string }
	Away        []string
}

type apiSeat struct {
	Board string `json:"board"`
	White string `json:"white"`
	Black string `json:"black"`
}

func (h *handset) round(t testing.TB) (r apiRound) {
	t.Helper()
	h.ask(t, http.MethodGet, "/api/v1/round", nil, &r)
	return r
}

// stateOf is how far a board is.
func (r apiRound) stateOf(board string) string {
	for _, b := range r.Boards {
		if b.Board == board {
			return b.State + " " + b.Round
		}
	}
	return ""
}

// reads has a text read as a pairing, which changes nothing.
func (h *handset) reads(t testing.TB, text string) (a struct {
	Round    string
	Seats    []apiSeat
	Problems []struct {
		Line int
		Text string
	}
}) {
	t.Helper()
	h.ask(t, http.MethodPost, "/api/v1/round/read", map[string]any{"data": base64.StdEncoding.EncodeToString([]byte(text))}, &a)
	return a
}

// sets sets the round, and returns the status and the code of a refusal.
func (h *handset) sets(t testing.TB, round, control, playing string, seats []apiSeat) (status int, code string) {
	t.Helper()
	return h.setsAs(t, h.round(t).AsOf, round, control, playing, seats)
}

func (h *handset) setsAs(t testing.TB, asOf, round, control, playing string, seats []apiSeat) (status int, code string) {
	t.Helper()
	status, text, err := h.call(context.Background(), http.MethodPut, "/api/v1/round", map[string]any{
		"request": newRequest(), "as_of": asOf, "round": round, "time_control": control, "playing": playing, "seats": seats,
	})
	var a struct {
		Error struct{ Code string }
	}
	if err != nil || json.Unmarshal(text, &a) != nil {
		t.Fatalf("set the round: %d %s (%v)", status, text, err)
	}
	return status, a.Error.Code
}

// names are those that are shown at a board.
func (h *handset) names(t testing.TB, board string) string {
	t.Helper()
	for _, b := range h.boards(t).Boards {
		if b.Board == board && b.Names != nil {
			return b.Names.White + " – " + b.Names.Black
		}
	}
	return ""
}

// TestTheRoundOnThePage: a pairing is read, with what is not understood by its line, and set. A game in progress keeps
// its round and its players until a person says otherwise, also through kill -9; the next round is a journal of its own
// with the ids of its players and its time control. A configuration that is changed afterwards counts.
func TestTheRoundOnThePage(t *testing.T) {
	t.Parallel()
	v := openVenue(t, "")
	phone := v.pair(t, "Anna")
	eventually(t, "a game in progress", func() bool { return phone.boards(t).Boards[0].Ply > 0 }, func() string { return fmt.Sprint(phone.boards(t).Boards) })

	a := phone.reads(t, "board,white,black,round\nb1,\"Adams, Ann\",\"Bell, Bob\",2\n9,Cole,Dunn,2\n9,Eve,Finn,2\n,Gil,Hon,2\n")
	if len(a.Seats) != 1 || a.Round != "2" || len(a.Problems) != 3 || a.Problems[0].Line != 3 || a.Problems[1].Line != 4 || a.Problems[2].Line != 5 {
		t.Fatalf("read was %+v", a)
	}
	if s, code := phone.sets(t, "2", "15+10", "", a.Seats); s != http.StatusConflict || code != "playing" {
		t.Fatalf("a game in progress, and the answer is %d %s", s, code)
	}
	if s, code := phone.sets(t, "2", "15", "", a.Seats); s != http.StatusConflict && s != http.StatusBadRequest {
		t.Errorf("%d %s", s, code)
	}
	if s, code := phone.setsAs(t, "stale", "2", "15+10", "next", a.Seats); s != http.StatusConflict || code != "changed" {
		t.Errorf("a state that nobody has seen: %d %s", s, code)
	}
	if s, code := phone.sets(t, "2", "15+10", "next", a.Seats); s != http.StatusOK {
		t.Fatalf("set: %d %s", s, code)
	}
	for range 2 {
		if got := phone.round(t); got.stateOf(boardName) != "next 1" || got.Round != "2" || len(got.Seats) != 1 || got.Seats[0].White != "Adams, Ann" {
			t.Fatalf("the round is %+v", got)
		}
		if names := phone.names(t, boardName); names != "" {
			t.Fatalf("a game in progress got the players %s", names)
		}
		v.kill()
		v.again(t)
		eventually(t, "the board is back", func() bool { return phone.boards(t).Boards[0].Link == "up" }, func() string { return fmt.Sprint(phone.boards(t).Boards) })
	}
	if s, code := phone.sets(t, "2", "15+10", "now", a.Seats); s != http.StatusOK {
		t.Fatalf("now: %d %s", s, code)
	}
	set := func() bool { return phone.round(t).stateOf(boardName) == "set 2" }
	got := func() string { return fmt.Sprintf("%+v", phone.round(t)) }
	eventually(t, "the next round", set, got)
	if names := phone.names(t, boardName); names != "Adams, Ann – Bell, Bob" {
		t.Errorf("the players are %q", names)
	}
	v.kill()
	v.again(t)
	eventually(t, "the next round after kill -9", set, got)
	l, err := readLedger(v.state(), boardName+"-r2")
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, e := range l.of("open") {
		text += e.body
	}
	if !strings.Contains(text, `"base":900000000,"increment":10000000`) || !strings.Contains(text, `"round":"2"`) {
		t.Errorf("the opening record: %s", text)
	}
	if told := l.of("instruct"); len(told) != 2 || !strings.Contains(told[0].body, `{"do":"position","fen":"`) || !strings.Contains(told[1].body, `{"do":"names","white":"p-`) {
		t.Errorf("the game in progress and its players stand in the journal as %v", told)
	}

	// A name that is corrected in the game, after the question.
	seats := []apiSeat{{boardName, "Adams, Anne", "Bell, Bob"}}
	if _, code := phone.sets(t, "2", "15+10", "", seats); code == "playing" { // the game has a move by now
		if s, code := phone.sets(t, "2", "15+10", "now", seats); s != http.StatusOK {
			t.Errorf("%d %s", s, code)
		}
	}
	eventually(t, "the corrected name", func() bool { return phone.names(t, boardName) == "Adams, Anne – Bell, Bob" }, got)

	v.stopped(t)
	v.configure(t, "time_control: 90+30\nboards: [{name: "+boardName+", port: "+v.path("board")+", white_clock: left}]\nevent: Other\n"+phoneTiming)
	v.again(t)
	if got := phone.round(t); got.Round != "1" || got.TimeControl != "90+30" {
		t.Errorf("after another configuration the round is %+v", got)
	}
}

// TestTheRoundInAHall: the round that is set at the hall's page reaches the boards of all computers, also those that
// are away when it is set; a game in progress there is kept. The hall is killed after the answer and gives it all the
// same.
func TestTheRoundInAHall(t *testing.T) {
	t.Parallel()
	h := openHub(t)
	one, two := h.newTable(t, "table-1", boardName, ""), h.newTable(t, "table-2", "b2", "")
	for _, c := range []*tableComputer{one, two} {
		c.run(t, "", "join", "-c", c.conf, h.token(t, c.name)).want(t, 0)
		c.watch(t)
	}
	phone := h.pair(t, "Anna")
	shown := func(board string) (s apiSummary) {
		for _, b := range phone.boards(t).Boards {
			if b.Board == board {
				s = b
			}
		}
		return s
	}
	eventually(t, "games in progress", func() bool { return shown(boardName).Ply > 0 && shown("b2").Ply > 0 }, func() string { return fmt.Sprint(phone.boards(t).Boards) })
	two.kill()
	got := func() string { return fmt.Sprintf("%+v", phone.round(t)) }
	eventually(t, "a computer is away", func() bool { return shown("b2").HealthWhat == "unreachable" }, func() string { return fmt.Sprint(phone.boards(t).Boards) })
	seats := []apiSeat{{boardName, "Adams, Ann", "Bell, Bob"}, {"b2", "Cole, Cid", "Dunn, Dee"}}
	if s, code := phone.sets(t, "2", "15+10", "", seats); code != "playing" {
		t.Fatalf("games in progress, and the answer is %d %s", s, code)
	}
	if s, code := phone.sets(t, "2", "15+10", "next", seats); s != http.StatusOK {
		t.Fatalf("set: %d %s", s, code)
	}
	h.kill()
	h.open(t)
	eventually(t, "a game in progress is kept", func() bool {
		r := phone.round(t)
		return r.stateOf(boardName) == "next 1" && strings.Join(r.Away, " ") == "table-2"
	}, got)
	if s, code := phone.sets(t, "2", "15+10", "now", seats); s != http.StatusOK {
		t.Fatalf("now: %d %s", s, code)
	}
	eventually(t, "the board of a computer that is there", func() bool { return phone.round(t).stateOf(boardName) == "set 2" }, got)
	two.watch(t)
	eventually(t, "the board of a computer that was away", func() bool {
		r := phone.round(t)
		return r.stateOf("b2") == "set 2" && len(r.Away) == 0
	}, got)
	if names := phone.names(t, "b2"); names != "Cole, Cid – Dunn, Dee" {
		t.Errorf("the players are %q", names)
	}
	for _, c := range []*tableComputer{one, two} {
		h.mirrored(t, c)
		c.kill()
		c.watch(t)
		c.err.await(t, "board connected")
	}
	eventually(t, "after kill -9 of the computers", func() bool {
		r := phone.round(t)
		return r.stateOf(boardName) == "set 2" && r.stateOf("b2") == "set 2"
	}, got)
	for _, c := range []*tableComputer{one, two} {
		l, err := readLedger(c.state(), phone.round(t).Seats[0].Board+"-r2")
		if c == two {
			l, err = readLedger(c.state(), "b2-r2")
		}
		if told := l.of("instruct"); err != nil || len(told) != 2 { // the game in progress, and its players
			t.Errorf("%s: the players stand in the journal as %v (%v)", c.name, told, err)
		}
		c.stopped(t)
	}
}

// TestAClockSetOtherwise: a clock that does not show the round's time control is reported at its board before the first
// move.
func TestAClockSetOtherwise(t *testing.T) {
	t.Parallel()
	v := newVenue(t)
	v.configure(t, "time_control: 15+10\nboards: [{name: "+boardName+", port: "+v.path("board")+"}]\ntiming: {settle: 0s, probe: 500ms}\n")
	v.open(t)
	phone := v.pair(t, "Anna")
	s := phone.follow(t, "")
	b := v.place.start(t, "emulate", "--case", "knight-diagonal", "--link", v.path("board"))
	b.out.await(t, "/dev/pts/")
	s.await(t, "the clock is told", func(e happened) bool {
		return e.name == "board" && strings.Contains(string(e.data), `"health_what":"clock_set","health_detail":"the clock is set to 1:30:30, the round has 0:15:00"`)
	})
}
