package tables

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"boardwatchd/rules/words"
)

// TestAList: lines are understood or named, each table and each board once.
func TestAList(t *testing.T) {
	list, problems := ParseList("serial,table\n02718,7\n# spare\n\nhall-1;/dev/dgt/port-2;8\n02719\n02720,7\n02718,9\n,/dev/x,10\n02721,<b>\n,,11\n")
	want := []Entry{{Serial: "02718", Table: "7"}, {Computer: "hall-1", Port: "/dev/dgt/port-2", Table: "8"}, {Port: "/dev/x", Table: "10"}}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("%+v", list)
	}
	var said []string
	for _, p := range problems {
		said = append(said, p.String())
	}
	for i, want := range []string{"line 6: it is neither", "line 7: table 7 stands in line 2", "line 8: the board stands in line 2", "line 10: table \"<b>\"", "line 11: the serial number or the port"} {
		if i >= len(said) || !strings.HasPrefix(said[i], want) {
			t.Errorf("%q, want %q", said, want)
		}
	}
	if len(said) != 5 {
		t.Errorf("%q", said)
	}
}

// A list is read as a pairing is: a field with a separator stands in quotation marks, and a spreadsheet's UTF-16 is
// text.
func TestAListOfASpreadsheet(t *testing.T) {
	var wide []byte
	for _, u := range utf16.Encode([]rune("\ufeff\"hall, left\",\"/dev/dgt/port-2\",8\r\n02718\t9\r\n")) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	want := []Entry{{Computer: "hall, left", Port: "/dev/dgt/port-2", Table: "8"}, {Serial: "02718", Table: "9"}}
	if list, problems := ParseList(string(wide)); !reflect.DeepEqual(list, want) || len(problems) > 0 {
		t.Errorf("%+v, %v", list, problems)
	}
}

// TestBoardsWithATable: by number wherever the board is, by port whichever board is there; a board that is away keeps
// its table until another one takes its port; of two boards with one number neither is known.
func TestBoardsWithATable(t *testing.T) {
	s := State{Entries: []Entry{{Serial: "1", Table: "7"}, {Computer: "c", Port: "p2", Table: "8"}, {Board: "x", Table: "9"}}}
	is := func(what string, want string) {
		t.Helper()
		if got := fmt.Sprint(s.ByBoard()); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	s.Note([]Place{{Board: "a", Computer: "c", Serial: "1", Port: "p1"}, {Board: "b", Computer: "c", Serial: "2", Port: "p2"}})
	is("at first", "map[a:7 b:8 x:9]")
	s.Note([]Place{{Board: "b", Computer: "c"}})
	is("b is unplugged", "map[a:7 b:8 x:9]")
	s.Note([]Place{{Board: "new", Computer: "c", Serial: "3", Port: "p2"}})
	is("another board at its port", "map[a:7 new:8 x:9]")
	s.Note([]Place{{Board: "a@d", Computer: "d", Serial: "1", Port: "p9"}})
	is("the number answers at another computer", "map[a@d:7 new:8 x:9]")
	if s.Note([]Place{{Board: "a@d", Computer: "d", Serial: "1", Port: "p9"}}) {
		t.Error("what is known is new")
	}
	s.Note([]Place{{Board: "a@d", Computer: "d", Serial: "1", Port: "p9"}, {Board: "twin", Computer: "e", Serial: "1", Port: "p1"}})
	is("two with one number", "map[new:8 x:9]")
	if e := EntryOf("twin", "7", s.Places); e != (Entry{Table: "7", Computer: "e", Port: "p1"}) {
		t.Errorf("a twin is %+v", e)
	}
}

// TestExchangedCables: where a game in progress keeps one of two boards out whose cables were exchanged, and the other
// one's game is over, both keep their tables, whatever names them, until the cables are back or both are watched.
func TestExchangedCables(t *testing.T) {
	seven, nine := Place{Board: "a@3", Computer: "3", Serial: "05007", Port: "p7"}, Place{Board: "a", Computer: "4", Serial: "05009", Port: "p9"}
	refused, taken := Place{Board: "a@3", Computer: "3", Port: "p7", Other: "05009"}, Place{Board: "a", Computer: "4", Serial: "05007", Port: "p9"}
	for name, entry := range map[string]Entry{"by port": {Computer: "3", Port: "p7", Table: "7"}, "by number": {Serial: "05007", Table: "7"}} {
		unheard := refused
		unheard.Other = ""
		for _, order := range [][]Place{{refused, taken}, {taken, refused}, {unheard, taken}} {
			s := State{Entries: []Entry{entry, {Serial: "05009", Table: "9"}}}
			is := func(what, want string) {
				t.Helper()
				if got := fmt.Sprint(s.ByBoard()); got != want {
					t.Errorf("%s, %s: %s, want %s", name, what, got, want)
				}
			}
			s.Note([]Place{seven, nine})
			is("at first", "map[a:9 a@3:7]")
			s.Note([]Place{{Board: "a@3", Computer: "3", Port: "p7"}, {Board: "a", Computer: "4", Port: "p9"}})
			is("cables out", "map[a:9 a@3:7]")
			s.Note(order)
			if i := slices.Index(order, unheard); i >= 0 { // its computer says later what it has found
				order[i] = refused
				s.Note(order)
			}
			is("exchanged", "map[a:9 a@3:7]")
			if s.Note(order) {
				t.Errorf("%s: the same is new", name)
			}
			if at, found := Elsewhere(order, "05009", "a"); !found || at != refused {
				t.Errorf("table 9 is at %+v", at)
			}
			if at, found := Elsewhere(order, "05007", "a@3"); !found || at != taken {
				t.Errorf("table 7 is at %+v", at)
			}
			if _, found := Elsewhere([]Place{seven, nine}, "05007", "a@3"); found {
				t.Error("a board in its place is elsewhere")
			}
			s.Note([]Place{{Board: "a@3", Computer: "3", Serial: "05009", Port: "p7"}, taken})
			if got := s.ByBoard()["a@3"]; got == "" || got == s.ByBoard()["a"] {
				t.Errorf("%s, both are watched: %v", name, s.ByBoard())
			}
			s.Note([]Place{seven, nine})
			is("put back", "map[a:9 a@3:7]")
		}
	}
}

// TestThreeExchangedCables is TestExchangedCables for three boards, each of which answers at the next one's place: all
// keep their tables, whichever games are in progress, and in whatever order the computers say what they have found.
func TestThreeExchangedCables(t *testing.T) {
	names, numbers := []string{"a", "b", "c"}, []string{"05001", "05002", "05003"}
	for inPlay := 1; inPlay < 7; inPlay++ { // one bit for each board
		for way := range 4 {
			step, late := 1+way%2, way > 1 // late: the computers say later what was not taken
			s := State{}
			var home, unheard, away []Place
			for i, name := range names {
				port := "p" + name
				s.Entries = append(s.Entries, Entry{Table: fmt.Sprint(i + 1), Serial: numbers[i]})
				home = append(home, Place{Board: name, Serial: numbers[i], Port: port})
				p := Place{Board: name, Port: port}
				if inPlay&(1<<i) == 0 {
					p.Serial = numbers[(i+step)%3]
				}
				unheard = append(unheard, p)
				if p.Serial == "" {
					p.Other = numbers[(i+step)%3]
				}
				away = append(away, p)
			}
			s.Note(home)
			if late {
				s.Note(unheard)
			}
			s.Note(away)
			if got, want := fmt.Sprint(s.ByBoard()), "map[a:1 b:2 c:3]"; got != want {
				t.Errorf("in play %03b, by %d, late %t: %s, want %s", inPlay, step, late, got, want)
			}
			if s.Note(away) {
				t.Errorf("in play %03b, by %d: the same is new", inPlay, step)
			}
			for i, p := range away {
				if at, found := Elsewhere(away, numbers[(i+step)%3], names[(i+step)%3]); !found || at != p {
					t.Errorf("in play %03b, by %d: the board of table %d is at %+v", inPlay, step, (i+step)%3+1, at)
				}
			}
			s.Note(home)
			if got, want := fmt.Sprint(s.ByBoard()), "map[a:1 b:2 c:3]"; got != want {
				t.Errorf("put back: %s, want %s", got, want)
			}
		}
	}
}

// TestJoin: what is found replaces the entries of its table and of its board.
func TestJoin(t *testing.T) {
	places := []Place{{Board: "a", Computer: "", Serial: "1", Port: "p1"}, {Board: "b", Computer: "", Serial: "2", Port: "p2"}, {Board: "c", Computer: "", Serial: "3", Port: "p3"}}
	got := Join([]Entry{{Serial: "1", Table: "7"}, {Serial: "2", Table: "8"}, {Port: "p3", Table: "10"}}, []Entry{{Serial: "2", Table: "7"}, {Serial: "3", Table: "9"}}, places)
	if want := []Entry{{Serial: "2", Table: "7"}, {Serial: "3", Table: "9"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// TestPresses: one board is learnt, two at once are asked again, one that was learnt is reported, one in play teaches
// nothing.
func TestPresses(t *testing.T) {
	f := Finder{Table: "7"}
	places := []Place{{Board: "a", Computer: "", Serial: "1", Port: "p1"}, {Board: "b", Computer: "", Serial: "2", Port: "p2"}, {Board: "c", Computer: "", Serial: "3", Port: "p3"}}
	var found []Entry
	play := func(b string) bool { return b == "c" }
	now := int64(0)
	up := map[string]string{}
	press := func(boards ...string) (string, string) {
		t.Helper()
		for _, b := range boards {
			up[b] = map[string]string{"left": "right", "right": "left"}[up[b]]
			f.Lever(b, up[b], now)
		}
		if f.Settle(now+SettleUS-1) != nil {
			t.Error("it does not wait")
		}
		now += SettleUS
		what, board, table, e := f.Answer(f.Settle(now), play, found, places)
		if what == Learnt {
			found = append(found, e)
			f.Table = Next(f.Table, found)
		}
		return what, board + table
	}
	for _, p := range places {
		up[p.Board] = "left"
		f.Lever(p.Board, "left", now)
	}
	for _, tt := range []struct{ pressed, what, more string }{
		{"", Nothing, ""}, {"a", Learnt, "a7"}, {"a", Already, "a7"}, {"a b", Several, "a, b"}, {"c", InPlay, "c"}, {"b c", Learnt, "b8"},
	} {
		if what, more := press(strings.Fields(tt.pressed)...); what != tt.what || more != tt.more {
			t.Errorf("%q: %s %q, want %s %q", tt.pressed, what, more, tt.what, tt.more)
		}
	}
	f.Begin("")
	f.Lever("a", "up", now)
	if f.Waits() {
		t.Error("nobody has asked for a press")
	}
	f.Begin("9")
	f.Lever("d", "left", now)
	f.Lever("d", "", now)
	f.Lever("d", "right", now)
	if f.Waits() {
		t.Error("a clock that was away has pressed nothing")
	}
	if f.Table != "9" || Next("B9", nil) != "B10" || Next("east", nil) != "" || Next("", nil) != "" {
		t.Errorf("next is %s", f.Table)
	}
}

// TestTheFile: what was written is read again, and another file is reported with the remedy.
func TestTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables.json")
	s := State{Version: version, Entries: []Entry{{Serial: "1", Table: "7"}}, Found: []Entry{{Serial: "2", Table: "8"}}}
	if err := s.Write(path); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(path); err != nil || !reflect.DeepEqual(got, s) || len(got.EntriesAfterUse()) != 2 {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := Read(path + "-"); err != nil || got.Entries != nil {
		t.Errorf("%+v %v", got, err)
	}
	for _, text := range []string{"", "{", `{"version":9}`, strings.Repeat(" ", maxFile+1)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "find the tables again") {
			t.Errorf("%.10q: %v", text, err)
		}
	}
}

func FuzzParseList(f *testing.F) {
	f.Add("02718,7\nx;y;z")
	f.Fuzz(func(t *testing.T, text string) {
		list, problems := ParseList(text)
		seen := map[string]bool{}
		for _, e := range list {
			if seen[e.Table] || CheckTable(e.Table) != "" {
				t.Errorf("table %q", e.Table)
			}
			seen[e.Table] = true
		}
		if n := strings.Count(text, "\n") + 1; len(list)+len(problems) > n {
			t.Errorf("%d lines have %d entries and %d problems", n, len(list), len(problems))
		}
	})
}

// TestEveryLanguageHasASheet: one that was forgotten would be printed in English.
func TestEveryLanguageHasASheet(t *testing.T) {
	for _, lang := range words.Languages() {
		if _, ok := sheetTexts[lang]; !ok {
			t.Errorf("no words of the sheet in %s", lang)
		}
	}
}
