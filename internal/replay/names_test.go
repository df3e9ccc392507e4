package replay_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/watch"
)

const begins = `{"type":"game","board":"7","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`

// knights are moves that lead back to the start after four plies.
var knights = []string{
	`{"type":"move","ply":1,"uci":"g1f3"}`, `{"type":"move","ply":2,"uci":"g8f6"}`,
	`{"type":"move","ply":3,"uci":"f3g1"}`, `{"type":"move","ply":4,"uci":"f6g8"}`,
}

// long is a game of 20 plies.
func long() (said []string) {
	for n := range 20 {
		_, uci, _ := strings.Cut(knights[n%4], `"uci"`)
		said = append(said, `{"type":"move","ply":`+strconv.Itoa(n+1)+`,"uci"`+uci)
	}
	return said
}

func TestNamesAreThoseOfTheGameThatIsPlayed(t *testing.T) {
	const (
		ab     = `{"do":"names","white":"A","black":"B"}`
		cd     = `{"do":"names","white":"C","black":"D"}`
		won    = `{"type":"result","result":"1-0","by":"kings","state":"proposed"}`
		undone = `{"type":"result","result":null,"by":"kings","state":"withdrawn"}`
		middle = `{"type":"game","board":"7","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"}`
	)
	for _, c := range []struct {
		name string
		said []string
		want string // White - Black of each game
	}{
		{"told before the game", []string{ab, begins, knights[0]}, "A - B"},
		{"told before the first move", []string{begins, ab, knights[0]}, "A - B"},
		{"told during the game", []string{begins, knights[0], ab, knights[1]}, "A - B"},
		{"told before the result", []string{begins, knights[0], ab, won}, "A - B"},
		{"corrected during the game", []string{cd, begins, knights[0], ab, knights[1]}, "A - B"},
		{"the next round's names are not the last game's, result or none", []string{ab, begins, knights[0], cd, begins, knights[0]}, "A - B, C - D"},
		{"a result that comes again does not bring the next round's names", []string{ab, begins, knights[0], won, cd, won, begins, knights[0]}, "A - B, C - D"},
		{"a withdrawn result does not", []string{ab, begins, knights[0], cd, undone, begins, knights[0]}, "A - B, C - D"},
		{"the pieces are set up twice: what was not played is no game", []string{ab, begins, begins, knights[0]}, "A - B"},
		{"begun again after a wrong array", []string{ab, begins, knights[0], knights[1], begins, knights[0]}, "A - B, A - B"},
		{"the next game's players were not told: after a result", []string{ab, begins, knights[0], won, begins, knights[0]}, "A - B, ? - ?"},
		{"the next game's players were not told: after ten moves each", slices.Concat([]string{ab, begins}, long(), []string{begins, knights[0]}), "A - B, ? - ?"},
		{"joined in the middle is the same game", slices.Concat([]string{ab, begins}, long(), []string{middle, knights[0]}), "A - B, A - B"},
		{"nobody told", []string{begins, knights[0]}, "? - ?"},
		{"one name only", []string{`{"do":"names","white":"A"}`, begins}, "A - ?"},
		{"other instructions say nothing", []string{`{"do":"strikes","white":1,"black":0}`, `{"do":"names","white":"A","black":7}`, begins}, "A - 7"},
		{"quotation marks", []string{`{"do":"names","white":"\"A\"\\","black":"Б"}`, begins}, `\"A\"\\ - Б`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var games replay.Games
			games.Input(record.Record{Kind: record.Open, Body: watch.Opening{Format: watch.Format}.Body()})
			for _, body := range c.said {
				if strings.HasPrefix(body, `{"do"`) {
					games.Input(record.Record{Kind: record.Instruct, Body: []byte(body)})
				} else {
					games.Said([]byte(body))
				}
			}
			text, err := games.PGN(replay.Parts)
			if err != nil {
				t.Fatal(err)
			}
			var have []string
			for _, m := range regexp.MustCompile(`\[White "(.*)"\]\n\[Black "(.*)"\]`).FindAllStringSubmatch(string(text), -1) {
				have = append(have, m[1]+" - "+m[2])
			}
			if strings.Join(have, ", ") != c.want {
				t.Errorf("have %s, want %s\n%s", strings.Join(have, ", "), c.want, text)
			}
		})
	}
}

// Players set up the pieces as soon as their game is over, and results are entered from the scoresheets after that: such
// a result is that of the game that was played, and not of the pieces that stand ready.
func TestAResultThatIsEnteredWhenThePiecesStandReady(t *testing.T) {
	const (
		ab      = `{"do":"names","white":"A","black":"B"}`
		shown   = `{"type":"result","result":"1-0","by":"kings","state":"proposed"}`
		entered = `{"type":"result","result":"0-1","by":"arbiter","state":"proposed"}`
		undone  = `{"type":"result","result":"0-1","by":"arbiter","state":"withdrawn"}`
	)
	for _, c := range []struct {
		name string
		said []string
		want string // names and result of each game in the PGN
	}{
		{"a short game", []string{ab, begins, knights[0], begins, entered, begins, knights[0]}, "A - B 0-1, ? - ? *"},
		{"a long game", slices.Concat([]string{ab, begins}, long(), []string{begins, entered, begins, knights[0]}), "A - B 0-1, ? - ? *"},
		{"without names", []string{begins, knights[0], begins, entered}, "? - ? 0-1"},
		{"in place of what was shown", []string{ab, begins, knights[0], shown, begins, entered}, "A - B 0-1"},
		{"and taken back", []string{ab, begins, knights[0], shown, begins, entered, undone}, "A - B 1-0"},
		{"nothing was shown, and taken back", []string{ab, begins, knights[0], begins, entered, undone}, "A - B *"},
		{"set up twice", []string{ab, begins, knights[0], begins, begins, entered}, "A - B 0-1"},
		{"the next round's players, one of whom has not come", []string{ab, begins, knights[0], shown, `{"do":"names","white":"C","black":"D"}`, begins, entered}, "A - B 1-0, C - D 0-1"},
		{"nobody has come", []string{ab, begins, entered}, "A - B 0-1"},
		{"shown by the kings of the new game", []string{ab, begins, knights[0], begins, strings.Replace(shown, "1-0", "0-1", 1)}, "A - B *, A - B 0-1"},
	} {
		var games replay.Games
		games.Input(record.Record{Kind: record.Open, Body: watch.Opening{Format: watch.Format}.Body()})
		for _, body := range c.said {
			if strings.HasPrefix(body, `{"do"`) {
				games.Input(record.Record{Kind: record.Instruct, Body: []byte(body)})
			} else {
				games.Said([]byte(body))
			}
		}
		text, err := games.PGN(replay.Parts)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, m := range regexp.MustCompile(`\[White "(.*)"\]\n\[Black "(.*)"\]\n\[Result "(.*)"\]`).FindAllStringSubmatch(string(text), -1) {
			have = append(have, m[1]+" - "+m[2]+" "+m[3])
		}
		if strings.Join(have, ", ") != c.want {
			t.Errorf("%s: have %s, want %s\n%s", c.name, strings.Join(have, ", "), c.want, text)
		}
	}
}

func TestNamesOfAJournalAreInItsPGN(t *testing.T) {
	src := capture(t, 5, 1)
	names := record.Record{Seq: src.recs[0].Seq, At: src.recs[0].At, Kind: record.Instruct, Body: watch.Instruction{Do: watch.DoNames, White: "A", Black: "B", Name: "7"}.Body()}
	var games replay.Games
	if _, _, err := replay.Run(&rows{recs: append([]record.Record{names}, src.recs...)}, replay.Options{
		Board: "1", Input: games.Input,
		Effect: func(_ record.Record, e watch.Effect) {
			if e.Kind == record.Say {
				games.Said(e.Body)
			}
		},
	}); err != nil {
		t.Fatal(err)
	}
	text, err := games.PGN(replay.Parts)
	if err != nil || !strings.Contains(string(text), "[White \"A\"]\n[Black \"B\"]") || !strings.Contains(string(text), "[Board \"7\"]") {
		t.Errorf("%v\n%s", err, text)
	}
}

// A game that a person sets up in the middle of another one, adjourned or put right by the arbiter, and the one before it
// say in the PGN that they belong together; a game that is over does not. A position that was refused, or that the program
// has entered because the game goes on in the journal of another round, links nothing.
func TestGamesThatAPersonHasSetUpAreLinked(t *testing.T) {
	const start, middle = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 40"
	for _, c := range []struct {
		over          bool
		by, entered   string
		before, begun bool
	}{
		{false, `,"device":"d1"`, middle, true, true}, {true, `,"device":"d1"`, middle, false, true},
		{false, ``, middle, false, false}, {false, `,"device":"d1"`, start, false, false},
	} {
		var games replay.Games
		say := func(format string, args ...any) { games.Said(fmt.Appendf(nil, format, args...)) }
		say(`{"type":"game","game":1,"board":"1","fen":%q}`, start)
		say(`{"type":"move","game":1,"ply":1,"side":"white","uci":"e2e4","san":"e4","committed_by":"press"}`)
		if c.over {
			say(`{"type":"result","game":1,"result":"1-0","by":"arbiter","state":"proposed"}`)
		}
		games.Input(record.Record{Kind: record.Instruct, Body: fmt.Appendf(nil, `{"do":"position","fen":%q%s}`, c.entered, c.by)})
		say(`{"type":"game","game":2,"board":"1","fen":%q}`, middle)
		say(`{"type":"move","game":2,"ply":79,"side":"white","uci":"e2e4","san":"e4","committed_by":"press"}`)
		text, err := games.PGN(replay.Parts)
		if err != nil {
			t.Fatal(err)
		}
		before, begun := strings.Contains(string(text), "another position: the next game"), strings.Contains(string(text), `[Remark "begins from a position that a person`)
		if before != c.before || begun != c.begun {
			t.Errorf("%+v:\n%s", c, text)
		}
	}
}
