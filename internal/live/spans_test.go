package live_test

import (
	"fmt"
	"strings"
	"testing"

	"boardwatchd/internal/live"
)

// spanSaid returns a span of three plies, d4 d5 Nf3 in one order or the other, at the beginning of a game.
func spanSaid(game int) string {
	return fmt.Sprintf(`{"type":"health","seq":8,"t":20,"board":"1","game":%d,"what":"not_known","detail":"",`+
		`"fen":"rnbqkbnr/ppp1pppp/8/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R b KQkq - 0 2","ply_from":1,"ply_to":3,"side_to_move":"black",`+
		`"fen_before":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`, game)
}

func TestSpansOfAllGamesAreShownUntilThePlayersGoBack(t *testing.T) {
	const (
		begin   = `{"type":"game","seq":1,"t":0,"game":%d,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`
		filled  = `{"type":"health","seq":9,"t":21,"game":1,"what":"filled","detail":"","ply_from":1,"moves":[{"uci":"d2d4","san":"d4"},{"uci":"d7d5","san":"d5"},{"uci":"g1f3","san":"Nf3"}]}`
		back    = `{"type":"health","seq":9,"t":21,"game":1,"what":"filled","detail":"","ply_from":1,"moves":[]}`
		moved   = `{"type":"move","seq":10,"t":22,"game":%d,"ply":4,"side":"black","uci":"b8c6","san":"Nc6"}`
		tooBack = `{"type":"takeback","seq":11,"t":23,"game":1,"ply":0}`
	)
	game := func(n int) string { return fmt.Sprintf(begin, n) }
	for _, c := range []struct {
		claim string
		said  []string
		want  string
	}{
		{"a span", []string{game(1), spanSaid(1), fmt.Sprintf(moved, 1)}, "1.1[]"},
		{"filled in", []string{game(1), spanSaid(1), filled}, "1.1[d4 d5 Nf3]"},
		{"taken back", []string{game(1), spanSaid(1), filled, back}, "1.1[]"},
		{"an earlier game's", []string{game(1), spanSaid(1), game(2), filled, spanSaid(2)}, "1.1[d4 d5 Nf3] 2.1[]"},
		{"the players went back before it", []string{game(1), spanSaid(1), tooBack}, ""},
		{"told again", []string{game(1), spanSaid(1), filled, spanSaid(1)}, "1.1[]"},
		{"of a program that did not say the position before it", []string{game(1), strings.Replace(spanSaid(1), "fen_before", "fen_of_old", 1)}, ""},
	} {
		bs := live.New(live.Options{})
		b := bs.Add("1", live.Info{})
		for _, s := range c.said {
			b.Said([]byte(s))
		}
		state, _ := bs.State("1")
		var got []string
		for _, s := range state.Spans {
			var row []string
			for _, m := range s.Moves {
				row = append(row, m.SAN)
			}
			got = append(got, fmt.Sprintf("%d.%d%v", s.Game, s.PlyFrom, row))
			if len(s.Rows) != 2 {
				t.Errorf("%s: rows %v", c.claim, s.Rows)
			}
		}
		if have := strings.Join(got, " "); have != c.want {
			t.Errorf("%s: %s, want %s", c.claim, have, c.want)
		}
	}
}

// TestASpanAtTheEndOfAGame: no position after it is known.
func TestASpanAtTheEndOfAGame(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	b.Said([]byte(`{"type":"health","seq":8,"t":20,"board":"1","game":1,"what":"not_known","detail":"","ply_from":3,"ply_to":null,"side_to_move":"",` +
		`"fen_before":"rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2"}`))
	state, _ := bs.State("1")
	if len(state.Spans) != 1 || state.Spans[0].PlyFrom != 3 || state.Spans[0].FEN != "" || state.Spans[0].SideToMove != "" {
		t.Errorf("%+v", state.Spans)
	}
}
