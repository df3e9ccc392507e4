package web

import (
	"encoding/json"
	"strings"
	"testing"
)

const span = `{"type":"health","seq":8,"t":20,"board":"12","game":2,"what":"not_known","detail":"","fen":"rnbqkbnr/ppp1pppp/8/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R b KQkq - 0 2",` +
	`"ply_from":1,"ply_to":3,"side_to_move":"black","fen_before":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`

func TestWhatDoesNotFitIntoASpanIsRefusedWithItsReason(t *testing.T) {
	h := newHarness(t, nil)
	h.table.board.Said([]byte(span))
	for _, c := range []struct{ claim, body, code, args string }{
		{"what fits", `"game":2,"ply":1,"moves":"1. d4 d5 2. Nf3"`, "", ""},
		{"taken back", `"game":2,"ply":1`, "", ""},
		{"a move that is not possible", `"game":2,"ply":1,"moves":"d4 d5 Nf4"`, "fill_illegal", "2. Nf4"},
		{"too few", `"game":2,"ply":1,"moves":"d4 d5"`, "fill_count", "3 2"},
		{"another position", `"game":2,"ply":1,"moves":"d4 d5 Nh3"`, "fill_position", "f3, h3"},
		{"another place", `"game":2,"ply":2,"moves":"d4"`, "no_such_span", ""},
		{"another game", `"game":1,"ply":1,"moves":"d4"`, "no_such_span", ""},
		{"no place", `"moves":"d4"`, "wrong_value", ""},
	} {
		before := h.table.count()
		r := h.ask("POST", "/api/v1/boards/12/instructions", h.arbiter, `{"request":"`+fresh()+`","do":"fill",`+c.body+`}`)
		var e errorBody
		if err := json.Unmarshal(r.body, &e); err != nil {
			t.Fatal(err)
		}
		if e.Error.Code != c.code || !strings.Contains(strings.Join(e.Error.Args, " "), c.args) {
			t.Errorf("%s: %d %s", c.claim, r.status, r.body)
		}
		if told := h.table.count() - before; (told == 1) != (c.code == "") {
			t.Errorf("%s: %d records", c.claim, told)
		}
	}
}
