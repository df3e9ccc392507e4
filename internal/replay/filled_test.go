package replay_test

import (
	"strings"
	"testing"

	"boardwatchd/internal/replay"
)

// TestFilledPliesInPGN: what a person has filled in joins the parts of a game. A later move that it does not allow is
// not lost: the game goes on in a part of its own, from the position that the record has.
func TestFilledPliesInPGN(t *testing.T) {
	first := strings.Replace(begins, `"board"`, `"game":1,"board"`, 1)
	const (
		notKnown = `{"type":"health","game":1,"what":"not_known","detail":"plies 1 to 8 could not be determined","ply_from":1,` +
			`"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 5"}`
		kings = `{"type":"health","game":1,"what":"filled","ply_from":1,"moves":[{"uci":"e2e4","san":"e4"},{"uci":"e7e5","san":"e5"}]}`
		fits  = `{"type":"health","game":1,"what":"filled","ply_from":1,"moves":[{"uci":"g1f3","san":"Nf3"},{"uci":"g8f6","san":"Nf6"},` +
			`{"uci":"f3g1","san":"Ng1"},{"uci":"f6g8","san":"Ng8"}]}`
		back  = `{"type":"health","game":1,"what":"filled","ply_from":1,"moves":[]}`
		ended = `{"type":"health","game":1,"what":"not_known","detail":"the plies from 3 on could not be determined","ply_from":3,"ply_to":null}`
		last  = `{"type":"health","game":1,"what":"filled","ply_from":3,"moves":[{"uci":"g1f3","san":"Nf3"}]}`
		won   = `{"type":"result","game":1,"result":"1-0","by":"kings","state":"proposed"}`
		next  = `{"type":"move","game":1,"ply":9,"uci":"e2e4","san":"e4"}`
		reply = `{"type":"move","game":1,"ply":10,"uci":"e7e5","san":"e5"}`
		white = `{"type":"move","game":1,"ply":1,"uci":"e2e4","san":"e4"}`
		black = `{"type":"move","game":1,"ply":2,"uci":"e7e5","san":"e5"}`
		third = `{"type":"move","game":1,"ply":3,"uci":"d2d4","san":"d4"}`
	)
	for _, c := range []struct {
		claim string
		said  []string
		want  []string // the movetext of each part
	}{
		{"not known", []string{first, notKnown, next}, []string{"*", "5. e4 *"}},
		{"filled in", []string{first, notKnown, next, fits, reply},
			[]string{"1. Nf3 {filled in by a person, up to 2... Ng8} 1... Nf6 2. Ng1 Ng8 3. e4 e5 *"}},
		{"taken back", []string{first, notKnown, next, fits, back}, []string{"*", "5. e4 *"}},
		{"a later move is not possible after it", []string{first, notKnown, next, reply, kings},
			[]string{"1. e4 {filled in by a person, up to 1... e5} 1... e5 {the plies that were filled in do not allow 5. e4} *", "5. e4 e5 *"}},
		{"the game has ended with them", []string{first, white, black, ended, won}, []string{"1. e4 e5 {the plies from 3 on could not be determined} 1-0"}},
		{"the game has ended with them, and they are filled in", []string{first, white, black, ended, won, last},
			[]string{"1. e4 e5 2. Nf3 {filled in by a person} 1-0"}},
		{"the game has gone on all the same", []string{first, white, black, ended, third}, []string{"1. e4 e5 2. d4 *"}},
		{"the players went back before it", []string{first, notKnown, `{"type":"takeback","game":1,"ply":0}`, knights[0]}, []string{"1. Nf3 *"}},
	} {
		var games replay.Games
		for _, body := range c.said {
			games.Said([]byte(body))
		}
		text, err := games.PGN(replay.Parts)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
			if !strings.HasPrefix(block, "[") {
				have = append(have, strings.Join(strings.Fields(block), " "))
			}
		}
		if strings.Join(have, " | ") != strings.Join(c.want, " | ") {
			t.Errorf("%s:\n%q, want\n%q", c.claim, have, c.want)
		}
	}
}
