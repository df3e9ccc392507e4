package pgn

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/notnil/chess"

	"boardwatchd/rules/legal"
)

// play makes n random legal moves from the set-up, with clocks and comments.
func play(t testing.TB, start legal.Setup, seed uint64, n int) Game {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	g := New()
	g.Start = start
	g.SetTag("Event", fmt.Sprintf(`Open "%d" \ Köln`, seed))
	g.SetTag("WhiteElo", "2000")
	pos, err := start.Position()
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		var l legal.MoveList
		pos.Moves(&l)
		if l.Len() == 0 {
			g.Result = []Result{Draw, WhiteWins, BlackWins}[r.IntN(3)]
			break
		}
		m := l.At(r.IntN(l.Len()))
		if r.IntN(4) == 0 {
			g.Add(m)
		} else {
			g.Moves = append(g.Moves, Ply{Move: m, HasClock: true, ClockSec: 5400 - 17*i, HasElapsed: i%3 != 0, ElapsedSec: 17 * (i % 3)})
		}
		if r.IntN(8) == 0 {
			g.Moves[i].Comment = "uncertain (e4 or d4); 100 % no guess [see above] " + strings.Repeat("word ", r.IntN(30))
			g.Moves[i].Comment = strings.TrimSpace(g.Moves[i].Comment)
		}
		pos = pos.After(m)
	}
	return g
}

func write(t testing.TB, g Game) string {
	t.Helper()
	b, err := Append(nil, g)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWriteLooksLikeThis(t *testing.T) {
	g := New()
	g.SetTag("White", `O"Neil`)
	g.SetTag("Annotator", "boardwatchd")
	pos := legal.StartPosition()
	for i, s := range []string{"e4", "e5", "Nf3"} {
		m, err := pos.ParseSAN(s)
		if err != nil {
			t.Fatal(err)
		}
		g.Moves = append(g.Moves, Ply{Move: m, HasClock: true, ClockSec: 5400 - i})
		pos = pos.After(m)
	}
	g.Moves[1].HasElapsed, g.Moves[1].ElapsedSec = true, 61
	g.Moves[2].HasClock = false
	g.Moves[2].Comment = "not certain {Nc3}"
	g.After = "Here the link was lost."
	want := `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "O\"Neil"]
[Black "?"]
[Result "*"]
[Annotator "boardwatchd"]

1. e4 {[%clk 1:30:00]} 1... e5 {[%clk 1:29:59] [%emt 0:01:01]} 2. Nf3 {not
certain (Nc3)} {Here the link was lost.} *

`
	if got := write(t, g); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Another program reads the same moves from our text of an orthodox game.
func TestNotnilReadsWhatWeWrite(t *testing.T) {
	for seed := range uint64(12) {
		g := play(t, legal.StartSetup(orthodox), seed, 160)
		text := write(t, g)
		fn, err := chess.PGN(strings.NewReader(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		other := chess.NewGame(fn)
		var got []string
		for _, m := range other.Moves() {
			got = append(got, m.String())
		}
		if s := strings.Join(got, " "); s != uci(t, g) {
			t.Fatalf("seed %d: notnil reads\n%s\nwritten was\n%s\n%s", seed, s, uci(t, g), text)
		}
		if p := other.GetTagPair("WhiteElo"); p == nil || p.Value != "2000" {
			t.Errorf("seed %d: notnil reads the tag as %v", seed, p)
		}
		if other.Outcome().String() != g.Result.String() {
			t.Errorf("seed %d: notnil reads the result %s, written was %s", seed, other.Outcome(), g.Result)
		}
	}
}

func TestNotnilsScannerFindsAllGames(t *testing.T) {
	var text []byte
	var want []string
	for seed := range uint64(4) {
		g := play(t, legal.StartSetup(orthodox), seed, 40)
		var err error
		if text, err = Append(text, g); err != nil {
			t.Fatal(err)
		}
		want = append(want, uci(t, g))
	}
	s := chess.NewScanner(strings.NewReader(string(text)))
	for i := range want {
		if !s.Scan() {
			t.Fatalf("game %d: %v", i, s.Err())
		}
		var got []string
		for _, m := range s.Next().Moves() {
			got = append(got, m.String())
		}
		if g := strings.Join(got, " "); g != want[i] {
			t.Errorf("game %d: notnil reads %s, want %s", i, g, want[i])
		}
	}
}

// Both directions, for every kind of start: what is written is read back.
func TestWriteThenRead(t *testing.T) {
	starts := map[string]legal.Setup{"orthodox": legal.StartSetup(orthodox), "Chess960 0": legal.StartSetup(0), "Chess960 959": legal.StartSetup(959)}
	always := legal.StartSetup(orthodox)
	always.Chess960 = true
	starts["the orthodox array as Chess960"] = always
	for name, fen := range map[string]string{
		"Black to move":  "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 3 7",
		"an endgame":     "8/P6k/8/8/8/8/7p/K7 w - - 0 50",
		"en passant":     "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
		"Chess960 inner": "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
	} {
		s, err := legal.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		starts[name] = s
	}
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(4) {
				g := play(t, start, seed, 60)
				text := write(t, g)
				back, err := Parse([]byte(text))
				if err != nil || len(back) != 1 {
					t.Fatalf("%d games, %v\n%s", len(back), err, text)
				}
				b := back[0]
				if b.Start != g.Start || b.Result != g.Result || len(b.Moves) != len(g.Moves) || b.Tag("Event") != g.Tag("Event") {
					t.Fatalf("read back %+v\nwritten %+v\n%s", b, g, text)
				}
				for i := range g.Moves {
					if b.Moves[i] != g.Moves[i] {
						t.Fatalf("half-move %d: read back %+v, written %+v", i+1, b.Moves[i], g.Moves[i])
					}
				}
				for _, line := range strings.Split(text, "\n") {
					if len([]rune(line)) > lineLength && !strings.HasPrefix(line, "[") {
						t.Errorf("a line of %d characters: %s", len(line), line)
					}
				}
			}
		})
	}
}

func TestHostileTextStaysInItsPlace(t *testing.T) {
	g := New()
	g.SetTag("Event", "x\"]\n[Result \"1-0\"]\n\n1. e4 {")
	g.SetTag("White", "back\\")
	g.Before = "} 1. e4 {[%clk 0:00:01]\n% 1. d4\n[[%%clk 0:00:02]"
	pos := legal.StartPosition()
	m, _ := pos.ParseSAN("d4")
	g.Add(m)
	g.Moves[0].Comment = "%clk 1:00:00] ( ; } *\n\n[Event \"2\"]"
	text := write(t, g)
	games, err := Parse([]byte(text))
	if err != nil || len(games) != 1 {
		t.Fatalf("%d games, %v\n%s", len(games), err, text)
	}
	if b := games[0]; uci(t, b) != "d2d4" || b.Result != Unknown || b.Moves[0].HasClock || b.Tag("White") != "back\\" || len(b.Tags) != 6 {
		t.Errorf("%+v\n%s", b, text)
	}
}

func TestWriteRefuses(t *testing.T) {
	illegal := New()
	illegal.Moves = []Ply{{Move: legal.NoMove}}
	badTag := New()
	badTag.SetTag("White Elo", "1")
	for name, g := range map[string]Game{"a move that is not legal": illegal, "a tag with a blank": badTag, "no position": {}} {
		t.Run(name, func(t *testing.T) {
			if b, err := Append(nil, g); err == nil {
				t.Errorf("wrote\n%s", b)
			}
		})
	}
}

func TestClockBothWays(t *testing.T) {
	for sec, want := range map[int]string{0: "0:00:00", 59: "0:00:59", 5400: "1:30:00", 35999: "9:59:59", 36000: "10:00:00"} {
		got := string(appendClock(nil, sec))
		back, ok := parseClock(got)
		if got != want || back != sec || !ok {
			t.Errorf("%d s is written %s and read %d, want %s", sec, got, back, want)
		}
	}
	for _, s := range []string{"", "1:30", "1:60:00", "-1:00:00", "1:00:00:00", "x:00:00", "100:00:00", "1:+1:00"} {
		if sec, ok := parseClock(s); ok {
			t.Errorf("%q is read as %d s", s, sec)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	text := []byte(write(b, play(b, legal.StartSetup(orthodox), 1, 80)))
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	g := play(b, legal.StartSetup(orthodox), 1, 80)
	var dst []byte
	for b.Loop() {
		var err error
		if dst, err = Append(dst[:0], g); err != nil {
			b.Fatal(err)
		}
	}
}
