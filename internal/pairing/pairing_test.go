package pairing

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// short is a pairing in one line: BOARD White - Black; …
func short(p Pairing) string {
	var b strings.Builder
	for i, g := range p.Games {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s %s - %s", g.Board, g.White.Name, g.Black.Name)
	}
	return b.String()
}

// trfLine builds a line of a player at the columns of the format, independently of the reader's constants.
func trfLine(start int, title, name string, rating int, fed, id string, rounds ...string) string {
	s := fmt.Sprintf("001 %4d %1s%3s %-33s %4d %3s %11s %-10s %4s %4s", start, "m", title, name, rating, fed, id, "1990/01/01", "0.0", "1")
	for _, r := range rounds {
		s += "  " + r
	}
	return s
}

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

var swiss = lines(
	"012 Town Open",
	"042 2026/11/20",
	"132                                                                                        26/11/20  26/11/21",
	trfLine(1, "GM", "Adams,Ann", 2600, "ENG", "400000", "   3 w =", "   2 b 1"),
	trfLine(2, "  m", "Bell,Bob", 2500, "SCO", "2400000", "   4 b 1", "   1 w 0"),
	trfLine(3, "", "Çelik,Can", 2400, "TUR", "0", "   1 b =", "0000 - H"),
	trfLine(4, "wf", "Dürr,Dora", 2300, "GER", "", "   2 w 0", "   5 w  "),
	trfLine(5, "", "Ek,Eva", 0, "", "", "0000 - U", "   4 b  "),
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		round      int
		want       string
	}{
		{"PGN with boards and without moves", lines(`[Event "E"]`, `[Round "2"]`, `[White "A"]`, `[Black "B"]`, `[Board "7"]`, "", `[Event "E"]`, `[Round "2"]`, `[White "C"]`, `[Black "D"]`, `[Board "8"]`), 0, "7 A - B; 8 C - D"},
		{"PGN whose round has the board", lines(`[White "A"]`, `[Black "B"]`, `[Round "3.12"]`, "", "*", "", `[White "C"]`, `[Black "D"]`, `[Round "3.13"]`, "", "*"), 3, "12 A - B; 13 C - D"},
		{"PGN numbered as it stands", lines(`[White "A"]`, `[Black "B"]`, "", "1. e4 *", `[White "C"]`, `[Black "D"]`), 0, "1 A - B; 2 C - D"},
		{"PGN with wrong moves and a start position that cannot be", lines(`[White "A"]`, `[FEN "rubbish"]`, `[Black "B"]`, "", "1. Ke9 {", `[White "in a comment"]`, "} Qxx *"), 0, "1 A - B"},
		{"PGN without Event, told apart by blank lines", lines(`[Board "1"]`, `[White "A"]`, `[Black "B"]`, "", `[Board "2"]`, `[White "C"]`, `[Black "D"]`), 0, "1 A - B; 2 C - D"},
		{"PGN: the latest round of several", lines(`[Event "E"]`, `[Round "9"]`, `[White "A"]`, `[Black "B"]`, `[Event "E"]`, `[Round "10"]`, `[White "B"]`, `[Black "A"]`), 0, "1 B - A"},
		{"PGN: a bye is no game", lines(`[Event "E"]`, `[White "A"]`, `[Black "bye"]`, `[Event "E"]`, `[White "C"]`, `[Black "D"]`, `[Board "4"]`), 0, "4 C - D"},
		{"PGN: a tag with quotation marks", lines(`[White "O\"A"]`, `[Black "B\\"]`), 0, `1 O"A - B\`},
		{"list with commas", "board,white,black\n1,A,B\n2,\"C, D\",E\n", 0, "1 A - B; 2 C, D - E"},
		{"list with semicolons, byte order mark and other ends of lines", "\ufeffBrett;Weiß;Schwarz\r\n1;A, X;B\r\n\r\n2;C;D", 0, "1 A, X - B; 2 C - D"},
		{"list with tabs in UTF-16", string(utf16le("Board\tWhite\tBlack\n1\tÄ\tЖ\n")), 0, "1 Ä - Ж"},
		{"list in Windows-1252", "board,white,black\n1,\x8akoda,\xdcnal\n", 0, "1 Škoda - Ünal"},
		{"list with old ends of lines", "board,white,black\r1,A,B\r", 0, "1 A - B"},
		{"list: the spreadsheet's separator line", "sep=;\nBoard;White;Black\n1;A;B\n", 0, "1 A - B"},
		{"list without boards", "White,Black\nA,B\nC,D\n", 0, "1 A - B; 2 C - D"},
		{"list: the round that is asked for", "round,board,white,black\n1,1,A,B\n2,1,B,A\n3,1,A,C\n", 2, "1 B - A"},
		{"list: the latest round", "round,board,white,black\n1,1,A,B\n2,1,B,A\nRound 10,1,A,C\n", 0, "1 A - C"},
		{"list without rounds is the round asked for", "board,white,black\n1,A,B\n", 5, "1 A - B"},
		{"list: byes, empty rows and fields after the last", "board,white,black\n1,A,spielfrei\n,,\n3,C,D,,\n4,E,\n", 0, "3 C - D"},
		{"list: two players of one name", "board,white,black\n1,A,B\n2,A,C\n", 0, "1 A - B; 2 A - C"},
		{"list: control characters and turned writing are taken out", "board,white,black\n1,A\u202eB\x01,C  \u00a0D\n", 0, "1 AB - C D"},
		{"TRF: the first round by start numbers", swiss, 1, "1 Adams, Ann - Çelik, Can; 2 Dürr, Dora - Bell, Bob"},
		{"TRF: a later round by points, the latest asked for", swiss, 0, "1 Bell, Bob - Adams, Ann; 2 Dürr, Dora - Ek, Eva"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read("f", strings.NewReader(c.text), c.round)
			if err != nil || short(p) != c.want {
				t.Errorf("%v\nhave %s\nwant %s", err, short(p), c.want)
			}
		})
	}
}

func utf16le(s string) []byte {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

func TestEverythingOfAPlayer(t *testing.T) {
	want := Player{Name: "Adams, Ann", Title: "GM", Federation: "ENG", Rating: 2600, FideID: "400000"}
	for _, c := range []struct{ name, text string }{
		{"list", "Board,White,White Title,White Fed,White Rating,White FIDE ID,Black\n1,\"Adams, Ann\",g,eng,2600,400000,B\n"},
		{"list, other words", "bo.;title_white;federation white;white elo;WhiteFideId;White player;Black name\n1;GM;ENG;2600;00400000;Adams, Ann;B\n"},
		{"PGN", "[White \"Adams, Ann\"]\n[Black \"B\"]\n[WhiteElo \"2600\"]\n[WhiteTitle \"GM\"]\n[WhiteFideId \"400000\"]\n[WhiteFed \"ENG\"]\n[BlackElo \"-\"]\n"},
		{"TRF", lines(trfLine(1, "g", "Adams,Ann", 2600, "ENG", "400000", "   2 w  "), trfLine(2, "", "B", 0, "", "", "   1 b  "))},
	} {
		p, err := Read("f", strings.NewReader(c.text), 0)
		if err != nil || len(p.Games) != 1 {
			t.Fatalf("%s: %v, %v", c.name, p, err)
		}
		if g := p.Games[0]; g.White != want || g.Black != (Player{Name: "B"}) {
			t.Errorf("%s: %+v", c.name, g)
		}
	}
}

func TestEventRoundAndDate(t *testing.T) {
	for _, c := range []struct {
		text  string
		round int
		want  Pairing
	}{
		{swiss, 2, Pairing{Event: "Town Open", Round: "2", Date: "2026.11.21", BoardsDerived: true}},
		{strings.Replace(swiss, "26/11/20", "2026.11.20", 1), 1, Pairing{Event: "Town Open", Round: "1", Date: "2026.11.20", BoardsDerived: true}},
		{strings.Replace(swiss, "26/11/21", "26/13/21", 1), 2, Pairing{Event: "Town Open", Round: "2", BoardsDerived: true}},
		{"[Event \"E\"]\n[White \"A\"]\n[Black \"B\"]\n[Round \"3.1\"]\n", 0, Pairing{Event: "E", Round: "3"}},
		{"event,round,white,black\nE,final,A,B\n", 0, Pairing{Event: "E", Round: "final"}},
		{"white,black\nA,B\n", 4, Pairing{Round: "4"}},
	} {
		p, err := Read("f", strings.NewReader(c.text), c.round)
		p.Games = nil
		if err != nil || fmt.Sprint(p) != fmt.Sprint(c.want) {
			t.Errorf("%+v, %v, want %+v", p, err, c.want)
		}
	}
}

func TestProblems(t *testing.T) {
	two := func(a, b string) string {
		return lines(trfLine(1, "", "A", 0, "", "", a), trfLine(2, "", "B", 0, "", "", b))
	}
	for _, c := range []struct {
		name, text string
		round      int
		want       string // the beginning of the error
	}{
		{"nothing", " \n\n", 0, `f:1:1: nothing stands here`},
		{"no text", "board,white,black\n1,A\x00,B\n", 0, "f:2:4: this is no text file"},
		{"something else", "\n<html>\n", 0, "f:2:1: this is neither PGN"},
		{"a round below zero", "white,black\nA,B\n", -1, "f:1:1: round -1"},
		{"list: a header without black", "board,white\n1,A\n", 0, "f:1:1: this is neither PGN"},
		{"list: a column twice", "white,black,Weiß\nA,B,C\n", 0, `f:1:13: the column "Weiß" is there twice`},
		{"list: a name with a comma", "board,white,black\nÄ,A, X,B, Y\n", 0, "f:2:8: 5 fields, but the header has 3"},
		{"list: a quotation mark", "board,white,black\n1,Äb\"c\",B\n", 0, "f:2:5: bare"},
		{"list: no board", "board,white,black\n1,A,B\n,C,D\n", 0, "f:3:1: this game has no board"},
		{"list: a board twice", "board,white,black\n1,A,B\n01,C,D\n", 0, "f:3:1: board 01 stands in line 2 too"},
		{"list: a FIDE number twice", "board,white,black,white id\n1,A,B,5\n2,C,D,5\n", 0, "f:3:1: the FIDE number 5 of \"C\""},
		{"list: a rating", "board,white,black,black rating\n1,A,B,x\n", 0, `f:2:7: the rating "x"`},
		{"list: a long name", "white,black\nA," + strings.Repeat("x", 101) + "\n", 0, "f:2:3: the name"},
		{"list: no game", "white,black\nA,bye\n", 0, "f:1:1: no game"},
		{"list: another round", "round,white,black\n1,A,B\n", 2, `f:2:1: round 2 does not stand here, only "1"`},
		{"list: rounds without a number", "round,white,black\nfinal,A,B\nsemi,A,B\n", 0, `f:2:1: several rounds stand here ("final", "semi")`},
		{"list: too many games", "white,black\n" + strings.Repeat("A,B\n", MaxGames+1), 0, "f:2002:1: more than 2000 games"},
		{"PGN: no Black", "[Event \"E\"]\n[White \"A\"]\n", 0, "f:1:1: the tag Black is missing"},
		{"PGN: a broken tag", "\n[Event \"E\"]\n[White \"A]\n[Black \"B\"]\n", 0, "f:3:"},
		{"PGN: a tag twice", "[White \"A\"]\n[Black \"B\"]\n[White \"C\"]\n", 0, "f:3:1: the tag White stands there twice"},
		{"PGN: some boards", "[Event \"E\"]\n[White \"A\"]\n[Black \"B\"]\n[Board \"1\"]\n[Event \"E\"]\n[White \"C\"]\n[Black \"D\"]\n", 0, "f:5:1: this game has no board"},
		{"TRF: nobody", "012 X\n", 0, "f:1:1: no line of a player"},
		{"TRF: nobody paired", lines(trfLine(1, "", "A", 0, "", "")), 0, "f:1:1: nobody is paired in this TRF"},
		{"TRF: not paired yet", swiss, 3, "f:4:1: nobody is paired in round 3, the latest pairing is that of round 2"},
		{"TRF: teams", "012 X\n013 Team", 0, "f:2:1: this is a team tournament"},
		{"TRF: shifted columns", lines("012 X", strings.Replace(trfLine(1, "", "A", 0, "", ""), "001    1", "001   1", 1)), 0, "f:2:"},
		{"TRF: a tab", "012 X\n001\t1", 0, ""},
		{"TRF: a tab in a line", "012 X\n001 \t1", 0, "f:2:5: a tab"},
		{"TRF: no start number", lines(strings.Replace(trfLine(1, "", "A", 0, "", ""), "001    1", "001     ", 1)), 0, "f:1:5: the start number is missing"},
		{"TRF: a start number twice", lines(trfLine(1, "", "A", 0, "", ""), trfLine(1, "", "B", 0, "", "")), 0, "f:2:5: the start number 1 stands in line 1 too"},
		{"TRF: no name", lines(trfLine(1, "", "", 0, "", "")), 0, "f:1:15: the name is missing"},
		{"TRF: an unknown opponent", two("   3 w 1", "0000 - U"), 0, "f:1:92: the opponent of round 1, 3,"},
		{"TRF: against oneself", two("   1 w 1", "0000 - U"), 0, "f:1:92: the opponent of round 1, 1,"},
		{"TRF: two Whites", two("   2 w 1", "   1 w 0"), 0, "f:1:92: in round 1 start number 1 has White against 2, but line 2 does not say the same"},
		{"TRF: one-sided", two("   2 w 1", "        "), 0, "f:1:92: in round 1"},
		{"TRF: a colour", two("   2 x 1", "   1 b 0"), 0, `f:1:97: the colour "x"`},
		{"TRF: a result", two("   2 w 7", "   1 b 0"), 0, `f:1:99: the result "7"`},
		{"TRF: an opponent that is no number", two("  +2 w 1", "   1 b 0"), 0, `f:1:92: the opponent "+2"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read("f", strings.NewReader(c.text), c.round)
			var e *Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("have %v (%s)\nwant %s", err, short(p), c.want)
			}
		})
	}
}

func TestForfeitsAreNoGamesAtABoard(t *testing.T) {
	text := lines(
		trfLine(1, "", "A", 0, "", "", "   2 - +"), trfLine(2, "", "B", 0, "", "", "   1 - -"),
		trfLine(3, "", "C", 0, "", "", "   4 b  "), trfLine(4, "", "D", 0, "", "", "   3 w  "),
	)
	if p, err := Read("f", strings.NewReader(text), 0); err != nil || short(p) != "1 D - C" {
		t.Errorf("%v, %s", err, short(p))
	}
}

func TestColumnsMayBeCountedInBytes(t *testing.T) {
	// A program that pads bytes writes a line that is shorter by a character for each two-byte letter.
	row := trfLine(3, "", "Çelik,Çan", 2400, "TUR", "0", "   1 b =")
	padded := strings.Replace(row, "Çelik,Çan  ", "Çelik,Çan", 1)
	text := lines(trfLine(1, "", "A", 0, "", "", "   3 w ="), padded)
	if p, err := Read("f", strings.NewReader(text), 0); err != nil || short(p) != "1 A - Çelik, Çan" {
		t.Errorf("%v, %s", err, short(p))
	}
}

func TestBoardsFollowThePublishedOrder(t *testing.T) {
	// C.04.2: the better player's score goes before the sum, the sum before the start number.
	text := lines(
		trfLine(1, "", "A", 0, "", "", "0000 - Z", "   6 w  "), // 0 + 0
		trfLine(2, "", "B", 0, "", "", "0000 - H", "   5 w  "), // ½ + ½
		trfLine(3, "", "C", 0, "", "", "0000 - H", "   4 b  "), // ½ + 0
		trfLine(4, "", "D", 0, "", "", "0000 - Z", "   3 w  "),
		trfLine(5, "", "E", 0, "", "", "0000 - H", "   2 b  "),
		trfLine(6, "", "F", 0, "", "", "0000 - Z", "   1 b  "),
		trfLine(7, "", "G", 0, "", "", "0000 - F", "   8 b  "), // 1 + 0
		trfLine(8, "", "H", 0, "", "", "0000 - Z", "   7 w  "),
	)
	if p, err := Read("f", strings.NewReader(text), 2); err != nil || short(p) != "1 H - G; 2 B - E; 3 D - C; 4 A - F" {
		t.Errorf("%v, %s", err, short(p))
	}
}

func TestAt(t *testing.T) {
	p := Pairing{Games: []Game{{Board: "1"}, {Board: "07"}, {Board: "Board 12"}, {Board: "A-3"}, {Board: "0"}}}
	for board, want := range map[string]string{
		"1": "1", "001": "1", "board-1": "1", "Board-01": "1", "7": "07", "12": "Board 12", "board_12": "Board 12", "a-3": "A-3", "0": "0", "00": "0",
		"2": "", "": "", "board": "", "board-": "", "11": "", "1a": "",
	} {
		if g, ok := p.At(board); g.Board != want || ok != (want != "") {
			t.Errorf("At(%q) is %q, %v; want %q", board, g.Board, ok, want)
		}
	}
}

func TestReadingFails(t *testing.T) {
	broken := errors.New("broken")
	if _, err := Read("f", iotest.ErrReader(broken), 0); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := Read("f", bytes.NewReader(make([]byte, MaxBytes+1)), 0); err == nil || !strings.Contains(err.Error(), "more than 4 MiB") {
		t.Error(err)
	}
}

// A quadratic reader copies what it has already, again and again: what it allocates shows that without a clock.
func TestTheLargestTextsAreReadInLinearMemory(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	const most = 120 // bytes for each byte of text: lists of the shortest lines need the most, 59
	fill := func(head, unit string) string { return head + strings.Repeat(unit, (MaxBytes-len(head))/len(unit)) }
	for _, text := range []string{
		fill("white,black\n", "A,B\n"), fill("white,black,round\n", "A,B,r1234\n"), fill("white,black\n", "\"\n"), fill("", "[White \"A\"]\n\n"),
		fill("[", "["), fill("[White \"A\"]\n", "{"), fill(trfLine(1, "", "A", 0, "", ""), "     2 w 1"), fill("", "001\n"), fill("012 \n", "001 \u00e4"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read("f", strings.NewReader(text), 0)
		runtime.ReadMemStats(&after)
		if used := (after.TotalAlloc - before.TotalAlloc) / uint64(len(text)); used > most {
			t.Errorf("%.20q: %d bytes for each byte, %v", text, used, err)
		} else {
			t.Logf("%.20q: %d bytes for each byte", text, used)
		}
	}
}

func TestAFileOfAFederation(t *testing.T) {
	f, err := os.Open("testdata/old.trf")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := Read("old.trf", f, 0)
	if err != nil || short(p) != "1 Mouse, Mickey - Duck, Daffy; 2 Bird, Big - Mouse, Minerva" {
		t.Errorf("%v, %s", err, short(p))
	}
	if p.Games[0].White.Title != "GM" || p.Games[0].Black.FideID != "7654321" {
		t.Errorf("%+v", p.Games[0])
	}
}
