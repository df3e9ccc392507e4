package pgn

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"boardwatchd/internal/sharedtest"
	"boardwatchd/rules/legal"
)

// uci is the moves of a game in one line.
func uci(t testing.TB, g Game) string {
	t.Helper()
	pos, err := g.Start.Position()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, ply := range g.Moves {
		all = append(all, pos.UCI(ply.Move))
		pos = pos.After(ply.Move)
	}
	return strings.Join(all, " ")
}

func TestReadMovetext(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"plain":                           {"1. e4 e5 2. Nf3 Nc6 1-0", "e2e4 e7e5 g1f3 b8c6"},
		"without a result":                {"1. e4 e5", "e2e4 e7e5"},
		"without numbers":                 {"e4 e5 Nf3 *", "e2e4 e7e5 g1f3"},
		"numbers without a blank":         {"1.e4 e5 2.Nf3 *", "e2e4 e7e5 g1f3"},
		"numbers before both":             {"1. e4 1... e5 2. Nf3 *", "e2e4 e7e5 g1f3"},
		"wrong numbers":                   {"7. e4 3... e5 *", "e2e4 e7e5"},
		"Windows line ends":               {"1. e4\r\ne5\r\n\r\n*\r\n", "e2e4 e7e5"},
		"a byte order mark":               {"\ufeff1. e4 *", "e2e4"},
		"comments":                        {"{before} 1. e4 {after} e5 ; to the end of the line 2. d4\n2. Nf3 *", "e2e4 e7e5 g1f3"},
		"a comment over lines":            {"1. e4 {a\nb} e5 *", "e2e4 e7e5"},
		"brackets in a comment":           {"1. e4 {(no [variation]) ; here} e5 *", "e2e4 e7e5"},
		"variations":                      {"1. e4 (1. d4 d5 (1... Nf6 {deep (er)}) 2. c4) e5 *", "e2e4 e7e5"},
		"a variation with illegal moves":  {"1. e4 (1. Ke5 zzz 1-0) e5 *", "e2e4 e7e5"},
		"NAGs and marks":                  {"1. e4! $1 e5?! $146 2. Nf3!! +/- Nc6?? = *", "e2e4 e7e5 g1f3 b8c6"},
		"escape lines":                    {"1. e4\n% 1. d4 is not read\ne5 *", "e2e4 e7e5"},
		"a percent sign inside a line":    {"1. e4 {100 % sure} e5 *", "e2e4 e7e5"},
		"reserved brackets":               {"1. e4 <future> e5 *", "e2e4 e7e5"},
		"zeros for castling":              {"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0 *", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1"},
		"long notation":                   {"1. e2-e4 e7-e5 2. Ng1-f3 *", "e2e4 e7e5 g1f3"},
		"e.p. after a move":               {"1. e4 a6 2. e5 d5 3. exd6e.p. Nc6 *", "e2e4 a7a6 e4e5 d7d5 e5d6 b8c6"},
		"e.p. with a blank":               {"1. e4 a6 2. e5 d5 3. exd6 *", "e2e4 a7a6 e4e5 d7d5 e5d6"},
		"checks not marked":               {"1. e4 f6 2. Qh5 g6 *", "e2e4 f7f6 d1h5 g7g6"},
		"checks marked where there is no": {"1. e4+ e5# *", "e2e4 e7e5"},
		"promotion in parentheses":        {"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8(Q) *", "a7a8q"},
		"promotion without a sign":        {"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8N *", "a7a8n"},
		"Black begins":                    {"[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n1... e5 2. Nf3 *", "e7e5 g1f3"},
		"Chess960 castling":               {"[Variant \"Chess960\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n1. O-O *", "f1g1"},
		"Fischerandom by another name":    {"[Variant \"fischerandom\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n1. e4 *", "e2e4"},
		"typographic result":              {"1. e4 e5 ½–½", "e2e4 e7e5"},
		"Latin-1":                         {"[White \"M\xfcller\"]\n1. e4 *", "e2e4"},
		"a no-break space":                {"1.\u00a0e4 e5 *", "e2e4 e7e5"},
	} {
		t.Run(name, func(t *testing.T) {
			games, err := Parse([]byte(tc.text))
			if err != nil || len(games) != 1 {
				t.Fatalf("%d games, %v", len(games), err)
			}
			want := tc.want
			if strings.Contains(name, "Chess960 castling") {
				want = "f1g1" // king takes rook
			}
			if got := uci(t, games[0]); got != want {
				t.Errorf("moves %s, want %s", got, want)
			}
		})
	}
}

func TestReadHeaderClocksAndComments(t *testing.T) {
	games, err := Parse([]byte(`[Event "A \"quoted\" \\ name"]
[Site "Köln"]
[White "Müller, K."]
[Result "0-1"]
[WhiteElo "2000"]
[ WhiteElo  "1" ]

{Round two.} 1. e4 {[%clk 1:29:58][%eval 0.3] best} e5 {[%clk 0:05:07.9] [%emt 0:01:02]} 2. Nf3 {one} {two} Nc6 {three} {broken off} *`))
	if err != nil || len(games) != 1 {
		t.Fatal(len(games), err)
	}
	g := games[0]
	if g.Tag("Event") != `A "quoted" \ name` || g.Tag("Site") != "Köln" || g.Tag("WhiteElo") != "2000" || g.Tag("Result") != "" {
		t.Errorf("tags %q", g.Tags)
	}
	if g.Result != Unknown { // what stands after the moves wins over the tag
		t.Errorf("result %v", g.Result)
	}
	if g.Before != "Round two." || g.After != "broken off" {
		t.Errorf("before %q, after %q", g.Before, g.After)
	}
	want := []Ply{
		{HasClock: true, ClockSec: 5398, Comment: "best"}, {HasClock: true, ClockSec: 307, HasElapsed: true, ElapsedSec: 62}, {Comment: "one two"}, {Comment: "three"},
	}
	for i, w := range want {
		got := g.Moves[i]
		got.Move = legal.NoMove
		if got != w {
			t.Errorf("half-move %d: %+v, want %+v", i+1, got, w)
		}
	}
}

func TestReadSeveralGames(t *testing.T) {
	text := "[Event \"1\"]\n\n1. e4 1-0\n\n[Event \"2\"]\n\n1. d4 d5\n[Event \"3\"]\n\n*\n[Event \"4\"]\n[Event \"5\"]\n1. c4 1/2-1/2 1. f4 0-1\n"
	games, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range games {
		got = append(got, g.Tag("Event")+":"+uci(t, g)+":"+g.Result.String())
	}
	want := "1:e2e4:1-0|2:d2d4 d7d5:*|3::*|4::*|5:c2c4:1/2-1/2|:f2f4:0-1"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("read %s, want %s", s, want)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		at   string
		want string
	}{
		"an illegal move":             {"1. e4 e5\n2. Ke3 *", "2:4", `move 2 of white: "Ke3" is no legal move in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq`},
		"two knights for one square":  {"1. Nf3 a6 2. d3 a5 3. Nd2 *", "1:23", "2 legal moves are called \"Nd2\"; add the file or rank"},
		"a word":                      {"1. e4 hello *", "1:7", `"hello" is no legal move`},
		"a null move":                 {"1. e4 -- 2. d4 *", "1:7", "null move"},
		"a null move by name":         {"1. e4 Z0 *", "1:7", "null move"},
		"no promotion piece":          {"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8 *", "2:4", "no legal move"},
		"an open comment":             {"1. e4 {never closed", "1:7", "close it with }"},
		"an open variation":           {"1. e4 (1. d4 d5", "1:7", "close it with )"},
		"a variation into the next":   {"1. e4 (1. d4\n[Event \"2\"]\n*", "1:7", "close it with )"},
		"a closing parenthesis":       {"1. e4 ) e5", "1:7", "take it out"},
		"a tag without quotes":        {"[Event x]\n1. e4 *", "1:1", `[Name "Value"]`},
		"a tag over lines":            {"[Event \"x\n1. e4 *", "1:1", `[Name "Value"]`},
		"a bad FEN":                   {"[Event \"x\"]\n[FEN \"8/8 w\"]\n1. e4 *", "2:1", "placement"},
		"a position without kings":    {"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n1. e4 *", "1:1", "cannot occur"},
		"Chess960 without a position": {"[Variant \"Chess960\"]\n1. e4 *", "1:1", "add a tag FEN"},
		"another variant":             {"[Variant \"Crazyhouse\"]\n1. e4 *", "1:1", "is not played here"},
		"a strange character":         {"1. e4 ♞f6 *", "1:7", "has no meaning here"},
		"nothing":                     {"", "1:1", "no game here"},
		"only a comment":              {"{hello}", "1:1", "no game here"},
		"a move after mate":           {"1. f3 e5 2. g4 Qh4# 3. a3 *", "1:24", "no legal move"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(tc.text))
			var e *Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tc.at+": ") || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v; want %s and %s", err, tc.at, tc.want)
			}
		})
	}
}

func TestReaderGoesOnAfterABadGame(t *testing.T) {
	for name, bad := range map[string]string{
		"in the moves":     "[Event \"bad\"]\n[Site \"x\"]\n\n1. e4 e4 2. d4 (d5 *\n",
		"in the header":    "[Event \"bad\"]\n[Site x]\n[FEN \"x\"]\n\n1. e4 e5 *\n",
		"in the position":  "[Event \"bad\"]\n[FEN \"x\"]\n\n1. e4 e5 *\n",
		"in a variation":   "[Event \"bad\"]\n\n1. e4 (e5\n",
		"without any move": "[Event \"bad\"]\n[FEN \"x\"]\n\n*\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := NewReader([]byte("[Event \"1\"]\n1. e4 *\n" + bad + "[Event \"3\"]\n\n1. d4 *\n"))
			var got []string
			for {
				g, err := r.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					got = append(got, "error")
				} else {
					got = append(got, g.Tag("Event")+" "+uci(t, g))
				}
			}
			if s := strings.Join(got, ", "); s != "1 e2e4, error, 3 d2d4" {
				t.Errorf("read %s", s)
			}
		})
	}
}

func TestLongestGameIsBounded(t *testing.T) {
	_, err := Parse([]byte(strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", MaxPlies/4) + "e4"))
	if err == nil || !strings.Contains(err.Error(), "more than 12000 half-moves") {
		t.Error(err)
	}
}

// The recorded game that has its list as PGN: 43 half-moves and 1-0.
func TestReadTheRecordedGame(t *testing.T) {
	g, err := Parse(shared(t, "captures", "dgtdriver-game3-johan.pgn"))
	if err != nil || len(g) != 1 || len(g[0].Moves) != 43 || g[0].Result != WhiteWins {
		t.Errorf("%d games, %v", len(g), err)
	}
}

// shared is a file of the project's data beside the source tree.
func shared(t testing.TB, elem ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(sharedtest.Path(t, elem...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
