package pairing

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"boardwatchd/internal/pgn"
)

// holds checks what is true of every answer: an error points into the text; a pairing has names and each board once;
// written as a list and as PGN it is read back to the same games.
func holds(t *testing.T, data []byte, p Pairing, err error) {
	t.Helper()
	if err != nil {
		var e *Error
		text := decode(data)
		if !errors.As(err, &e) || e.Line < 1 || e.Line > 1+strings.Count(text, "\n")+strings.Count(text, "\r") ||
			e.Column < 1 || e.Column > utf8.RuneCountInString(text)+1 || e.Text == "" {
			t.Fatalf("%T %v", err, err)
		}
		return
	}
	if len(p.Games) == 0 || len(p.Games) > MaxGames {
		t.Fatalf("%d games", len(p.Games))
	}
	seen := map[string]bool{}
	for _, g := range p.Games {
		if seen[plainBoard(g.Board)] || plainBoard(g.Board) == "" {
			t.Fatalf("board %q", g.Board)
		}
		seen[plainBoard(g.Board)] = true
		if at, ok := p.At(g.Board); !ok || at != g {
			t.Fatalf("At(%q) is %v", g.Board, at)
		}
		for _, pl := range [...]Player{g.White, g.Black} {
			if pl.Name == "" || !utf8.ValidString(pl.Name) || strings.ContainsFunc(pl.Name, unicode.IsControl) || utf8.RuneCountInString(pl.Name) > maxName+10 {
				t.Fatalf("name %q", pl.Name)
			}
		}
	}
	for _, text := range [][]byte{asList(t, p), asPGN(t, p)} {
		back, err := Read("back", bytes.NewReader(text), 0)
		if err != nil || !slices.Equal(back.Games, p.Games) {
			t.Fatalf("read back %+v, %v\nwant %+v\n%s", back.Games, err, p.Games, text)
		}
	}
}

func asList(t *testing.T, p Pairing) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{strings.Split("board,white,white title,white fed,white elo,white fide id,black,black title,black fed,black elo,black fide id", ",")}
	for _, g := range p.Games {
		row := []string{g.Board}
		for _, p := range [...]Player{g.White, g.Black} {
			row = append(row, p.Name, p.Title, p.Federation, fmt.Sprint(p.Rating), p.FideID)
		}
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asPGN(t *testing.T, p Pairing) []byte {
	var text []byte
	for _, g := range p.Games {
		game := pgn.New()
		game.SetTag("Event", "E")
		game.SetTag("Board", g.Board)
		for _, s := range [...]struct {
			side string
			p    Player
		}{{"White", g.White}, {"Black", g.Black}} {
			game.SetTag(s.side, s.p.Name)
			game.SetTag(s.side+"Title", s.p.Title)
			game.SetTag(s.side+"Fed", s.p.Federation)
			game.SetTag(s.side+"Elo", fmt.Sprint(s.p.Rating))
			game.SetTag(s.side+"FideId", s.p.FideID)
		}
		var err error
		if text, err = pgn.Append(text, game); err != nil {
			t.Fatal(err)
		}
	}
	return text
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(swiss), 0)
	f.Add([]byte("board;white;black;round\n1;A, B;\"C \"\"D\"\"\";1\n"), 1)
	f.Add([]byte("[White \"A\"]\n[Black \"B\"]\n[Round \"1.2\"]\n\n*"), 0)
	f.Add(utf16le("white\tblack\nÄ\tB\n"), 0)
	f.Fuzz(func(t *testing.T, data []byte, round int) {
		p, err := Read("f", bytes.NewReader(data), round)
		if len(data) <= MaxBytes {
			holds(t, data, p, err)
		}
	})
}

// FuzzTRF: any text in the rounds' columns; the order of the lines must not matter.
func FuzzTRF(f *testing.F) {
	f.Add("   3 w =     2 b 1", "   4 b 1     1 w 0", "   1 b =  0000 - H", "   2 w 0", "A", 2)
	f.Add("   2 w  ", "   1 b  ", "   4 w +", "   3 b -", "Ç", 0)
	f.Fuzz(func(t *testing.T, a, b, c, d, name string, round int) {
		all := []string{
			trfLine(1, "g", name, 1, "GER", "1", a), trfLine(2, "", "B", 2, "", "2", b), trfLine(3, "wf", "C", 3, "", "", c), trfLine(4, "", name, 4, "", "", d),
		}
		for i, l := range all {
			all[i] = strings.NewReplacer("\n", " ", "\r", " ").Replace(l)
		}
		data := []byte("012 E\n" + lines(all...))
		p, err := Read("f", bytes.NewReader(data), round)
		holds(t, data, p, err)
		slices.Reverse(all)
		q, qerr := Read("f", strings.NewReader("012 E\n"+lines(all...)), round)
		if (err == nil) != (qerr == nil) || !reflect.DeepEqual(p, q) {
			t.Fatalf("%v, %v\nthe other way round %v, %v", p, err, q, qerr)
		}
	})
}

// FuzzList: the separator must not matter, and a list that was written by a program is read.
func FuzzList(f *testing.F) {
	f.Add("1", "A, B", "C;D", "GM", "2400")
	f.Add("board-2", "\"x\"", "y\ty", "", "-")
	f.Fuzz(func(t *testing.T, board, white, black, title, elo string) {
		for _, s := range [...]string{board, white, black, title, elo} {
			if !utf8.ValidString(s) {
				t.Skip()
			}
		}
		var first Pairing
		for i, comma := range ",;\t" {
			var b bytes.Buffer
			w := csv.NewWriter(&b)
			w.Comma = comma
			if err := w.WriteAll([][]string{{"Board", "White", "Black", "White title", "Black rating"}, {board, white, black, title, elo}}); err != nil {
				t.Fatal(err)
			}
			p, err := Read("f", &b, 0)
			if i == 0 {
				first = p
			}
			if !reflect.DeepEqual(p, first) {
				t.Fatalf("%q: %v, %v, with commas %v", comma, p, err, first)
			}
			wanted := !isNobody(clean(white)) && !isNobody(clean(black)) && clean(board) != "" && plainBoard(clean(board)) != ""
			_, fits := rating(elo)
			wanted = wanted && fits && checkName(clean(white)) == "" && checkName(clean(black)) == "" &&
				!strings.Contains(board+white+black+title+elo, "\x00")
			if wanted != (err == nil) {
				t.Fatalf("%v, %v; must be read: %v", p, err, wanted)
			}
			if wanted && (p.Games[0].White.Name != clean(white) || p.Games[0].Black.Name != clean(black) || p.Games[0].Board != clean(board)) {
				t.Fatalf("%+v", p.Games[0])
			}
		}
	})
}

// FuzzPGN: what a program writes as tags is read, whatever the moves and comments are.
func FuzzPGN(f *testing.F) {
	f.Add("Adams, Ann", "B \"x\" \\", "7", "1. e4 {c} e5 *")
	f.Add("A", "B", "3", "{ [White \"x\"] } 1-0 ; {")
	f.Fuzz(func(t *testing.T, white, black, board, moves string) {
		p := Pairing{Games: []Game{{Board: clean(board), White: Player{Name: clean(white)}, Black: Player{Name: clean(black)}}}}
		g := p.Games[0]
		if isNobody(g.White.Name) || isNobody(g.Black.Name) || knownValue(board) == "" || plainBoard(g.Board) == "" || checkName(g.White.Name+g.Black.Name) != "" {
			t.Skip()
		}
		if !utf8.ValidString(moves) || strings.ContainsAny(moves, "[\x00\r\ufeff") {
			moves = "*"
		}
		data := append(asPGN(t, p), moves...)
		q, err := Read("f", bytes.NewReader(data), 0)
		if err != nil || !slices.Equal(q.Games, p.Games) {
			t.Fatalf("%+v, %v\n%s", q, err, data)
		}
	})
}
