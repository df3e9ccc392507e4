package web

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"boardwatchd/internal/orders"
)

// ordered is a round with prepared answers.
type ordered struct {
	err error
	got RoundChange
}

func (o *ordered) RoundState() RoundState { return RoundState{AsOf: "m", Here: RoundHere} }

func (o *ordered) Fit(seats []RoundSeat) RoundFit {
	return RoundFit{Missing: []string{seats[0].Board}}
}

func (o *ordered) SetRound(_ context.Context, c RoundChange) error {
	o.got = c
	return o.err
}

// played are rounds of which there are journals.
type played []string

func (p played) Rounds() (list []Round, err error) {
	for _, r := range p {
		list = append(list, Round{ID: r, Round: r})
	}
	return list, nil
}

func (played) Games(context.Context, string) ([]RoundGame, error) { return nil, ErrNoRound }

func (played) Write(context.Context, io.Writer, string, string, string) error { return ErrNoRound }

// TestAnUnusualRoundIsAskedAbout: of a round whose number goes back, was begun before or leaves others out it is asked
// once whether it is meant; the next one, and the one that is set, are taken.
func TestAnUnusualRoundIsAskedAbout(t *testing.T) {
	o := &ordered{}
	h := newHarness(t, func(opt *Options) { opt.Orders, opt.Rounds = o, played{"1", "2", "4", "final"} })
	for round, why := range map[string]string{"4": "", "5": "", "": "", "open": "", "3": "back", "2": "again", "6": "skips", "final": "again"} {
		body := fmt.Sprintf(`{"request":"round-000%s","as_of":"m","round":%q,"seats":[]`, round, round)
		a := h.ask("PUT", "/api/v1/round", h.arbiter, body+"}")
		switch {
		case why == "" && a.status != http.StatusOK:
			t.Errorf("round %q: %d %s", round, a.status, a.body)
		case why != "" && (a.status != http.StatusConflict || a.code() != "unusual_round" || !strings.Contains(string(a.body), fmt.Sprintf(`"args":[%q,%q,"4"]`, why, round))):
			t.Errorf("round %q: %d %s", round, a.status, a.body)
		}
		if a := h.ask("PUT", "/api/v1/round", h.arbiter, body+`,"sure":true}`); a.status != http.StatusOK || o.got.Round != round {
			t.Errorf("round %q is meant: %d %s", round, a.status, a.body)
		}
	}
}

// TestTheRoundIsSetByArbiters: an arbiter's round is handed on with who has set it, each refusal has a code, and what
// is no round is none.
func TestTheRoundIsSetByArbiters(t *testing.T) {
	o := &ordered{}
	h := newHarness(t, func(opt *Options) { opt.Orders = o })
	const body = `{"request":"round-0001","as_of":"m","round":"5","playing":"next","seats":[{"board":"7","white":"A","black":"B"}]}`
	if a := h.ask("PUT", "/api/v1/round", h.viewer, body); a.status != http.StatusForbidden {
		t.Errorf("a viewer gets %d", a.status)
	}
	if a := h.ask("PUT", "/api/v1/round", h.arbiter, body); a.status != http.StatusOK || o.got.Round != "5" || o.got.Playing != PlayingNext || o.got.Device == "" || len(o.got.Seats) != 1 || !strings.Contains(string(a.body), `"as_of":"m"`) {
		t.Errorf("%d %s %+v", a.status, a.body, o.got)
	}
	for _, c := range []struct {
		err    error
		status int
		code   string
	}{
		{&PlayingError{[]string{"7", "8"}}, 409, "playing"}, {ErrRoundChanged, 409, "changed"}, {ErrRoundElsewhere, 409, "elsewhere"},
		{&orders.WrongError{Key: "local", Line: 2, Text: "no"}, 400, "wrong_value"}, {errors.New("the disk"), 503, "not_saved"},
		{fmt.Errorf("write: %w", syscall.ENOSPC), 503, "not_saved full"}, {&os.PathError{Err: syscall.EROFS}, 503, "not_saved read_only"},
		{&os.PathError{Err: syscall.EACCES}, 503, "not_saved denied"}, {&os.PathError{Err: syscall.ENOENT}, 503, "not_saved gone"},
	} {
		var cause string
		c.code, cause, _ = strings.Cut(c.code, " ")
		o.err = c.err
		if a := h.ask("PUT", "/api/v1/round", h.arbiter, body); a.status != c.status || a.code() != c.code {
			t.Errorf("%v: %d %s", c.err, a.status, a.code())
		} else if cause != "" && (!strings.Contains(string(a.body), `"cause":"`+cause+`"`) || !strings.Contains(string(a.body), remedies[cause])) {
			t.Errorf("%v: %s", c.err, a.body)
		}
	}
	o.err = nil
	for _, seats := range []string{`7`, `[7]`, `[{"board":"","white":"A","black":"B"}]`, `[{"board":"7","white":"A"}]`, `[{"board":"7","white":"A","black":"B","x":1}]`,
		`[{"board":"7","white":"A","black":"B"},{"board":"07","white":"C","black":"D"}]`} {
		if a := h.ask("PUT", "/api/v1/round", h.arbiter, `{"request":"round-0001","as_of":"m","seats":`+seats+`}`); a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", seats, a.status, a.body)
		}
	}
	data := base64.StdEncoding.EncodeToString([]byte("board,white,black\n7,A,B\n7,C,D\n8,E,F\n" + strings.Repeat("9,,\n", 10_000))) // more than other bodies may have
	if a := h.ask("POST", "/api/v1/round/read", h.arbiter, fmt.Sprintf(`{"data":%q}`, data)); a.status != http.StatusOK ||
		!strings.Contains(string(a.body), `"seats":[{"board":"8","white":"E","black":"F"}]`) || !strings.Contains(string(a.body), `"line":3`) || !strings.Contains(string(a.body), `"missing":["8"],"free":[]`) || !strings.Contains(string(a.body), `"say":["round.p.board_twice","7","2"]`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	data = base64.StdEncoding.EncodeToString([]byte("board,white,black\n7,A,B\n8,,F\n"))
	if a := h.ask("POST", "/api/v1/round/read", h.arbiter, fmt.Sprintf(`{"data":%q}`, data)); !strings.Contains(string(a.body), `"alone":[{"board":"8","player":"F"}]`) {
		t.Errorf("a player without an opponent: %s", a.body)
	}
	for alone, status := range map[string]int{`[{"board":"8","player":"F"}]`: http.StatusOK, `[{"board":"8"}]`: http.StatusBadRequest, `[7]`: http.StatusBadRequest, `{}`: http.StatusBadRequest} {
		if a := h.ask("PUT", "/api/v1/round", h.arbiter, `{"request":"round-0009","as_of":"m","seats":[],"alone":`+alone+`}`); a.status != status {
			t.Errorf("%s: %d %s", alone, a.status, a.body)
		}
	}
	if len(o.got.Alone) != 1 || o.got.Alone[0] != (RoundAlone{"8", "F"}) {
		t.Errorf("taken are %+v", o.got.Alone)
	}
	if a := h.ask("POST", "/api/v1/round/read", h.arbiter, `{"data":"?"}`); a.status != http.StatusBadRequest {
		t.Errorf("no base64: %d", a.status)
	}
	if a := newHarness(t, nil).ask("GET", "/api/v1/round", h.arbiter, ""); a.status == http.StatusOK {
		t.Errorf("without a round: %d", a.status)
	}
}
