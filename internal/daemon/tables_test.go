package daemon

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/live"
	"boardwatchd/internal/tables"
)

// Where several boards have had one name, one that is alone with it by now is called by it again.
func TestPlainNames(t *testing.T) {
	here := func(name string, boards ...roster.Board) roster.Computer {
		return roster.Computer{Name: name, Boards: boards}
	}
	second := here("table-10", roster.Board{ShownAs: "28@table-10", Name: "28"}, roster.Board{ShownAs: "29", Name: "29"})
	renamed := map[string]string{"28@table-10": "28"}
	for name, c := range map[string]struct {
		computers []roster.Computer
		boards    []live.Summary
		tables    map[string]string
		want      map[string]string
	}{
		"two computers have one of that name": {
			[]roster.Computer{here("table-1", roster.Board{ShownAs: "28", Name: "28"}), second}, []live.Summary{{Board: "28"}, {Board: "28@table-10"}, {Board: "29"}}, nil, nil},
		"the other computer was revoked":      {[]roster.Computer{second}, []live.Summary{{Board: "28", Gone: true}, {Board: "28@table-10"}, {Board: "29"}}, nil, renamed},
		"its board waits for a decision":      {[]roster.Computer{second}, []live.Summary{{Board: "28", Gone: true, Open: 1}, {Board: "28@table-10"}}, nil, nil},
		"it is not known yet whether it went": {[]roster.Computer{second}, []live.Summary{{Board: "28"}, {Board: "28@table-10"}}, nil, nil},
		"the other one was never heard":       {[]roster.Computer{second}, []live.Summary{{Board: "28@table-10"}}, nil, renamed},
		"it stands at a table":                {[]roster.Computer{second}, []live.Summary{{Board: "28@table-10"}}, map[string]string{"28@table-10": "7"}, nil},
		"its table has its own name":          {[]roster.Computer{second}, []live.Summary{{Board: "28@table-10"}}, map[string]string{"28@table-10": "28"}, nil},
		"a table of another board is called so": {
			[]roster.Computer{second}, []live.Summary{{Board: "28@table-10"}, {Board: "29"}}, map[string]string{"29": "28"}, nil},
		"three computers had one": {
			[]roster.Computer{second, here("table-11", roster.Board{ShownAs: "28@table-11", Name: "28"})}, []live.Summary{{Board: "28", Gone: true}, {Board: "28@table-10"}, {Board: "28@table-11"}}, nil, nil},
		"the second one went as well": {
			[]roster.Computer{here("table-11", roster.Board{ShownAs: "28@table-11", Name: "28"})},
			[]live.Summary{{Board: "28", Gone: true}, {Board: "28@table-10", Gone: true}, {Board: "28@table-11"}}, nil, map[string]string{"28@table-11": "28"}},
	} {
		if got := plainNames(c.computers, c.boards, c.tables); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A board without a table, of whose number another board has the table, is called by its computer as well.
func TestABoardBesideTheTableOfItsNumber(t *testing.T) {
	d, _, _, _ := aTable(t, t.TempDir())
	for _, board := range []string{"06", "5", "8"} {
		d.frontend.boards.Add(board, live.Info{Journal: board + "-r1"}).Ready()
	}
	called := func() (list []string) {
		d.tables.show()
		for _, s := range d.frontend.boards.Summaries() {
			if got := cmp.Or(s.Table, s.Name, s.Board); got != d.tables.of(s.Board) {
				t.Errorf("%s: the page calls it %s, messages %s", s.Board, got, d.tables.of(s.Board))
			}
			list = append(list, d.tables.of(s.Board))
		}
		slices.Sort(list)
		return list
	}
	if got := called(); !slices.Equal(got, []string{"06", "5", "7", "8"}) {
		t.Errorf("without tables: %q", got)
	}
	d.tables.putInForce(tables.State{Entries: []tables.Entry{{Table: "6", Board: "5"}, {Table: "5", Board: "8"}}})
	if got, want := called(), []string{"06@" + hostName(), "5", "6", "7"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	dir, kept := t.TempDir(), d.tables.now()
	if err := kept.Write(filepath.Join(dir, tablesFile)); err != nil {
		t.Fatal(err)
	}
	if again, _, _, _ := aTable(t, dir); again.tables.of("06") != "06@"+hostName() {
		t.Errorf("at a start it is called %s, as the players of table 6 would be told", again.tables.of("06"))
	}
}

// A table whose board answers at the port of another one says where.
func TestATableSaysWhereItsBoardAnswers(t *testing.T) {
	conf := config.Default()
	conf.HTTP.Listen = config.Off
	conf.Boards = []config.Board{config.NewBoard("a", "/dev/a"), config.NewBoard("b", "/dev/b")}
	d := Open(Options{Config: conf, Dir: t.TempDir(), Log: zerolog.Nop()})
	t.Cleanup(d.member.end)
	for _, b := range []string{"a", "b"} {
		d.frontend.boards.Add(b, live.Info{Journal: b + "-r1"}).Ready()
	}
	d.tables.putInForce(tables.State{Entries: []tables.Entry{{Table: "7", Serial: "05007"}, {Table: "9", Serial: "05009"}}})
	rows := func() string {
		d.tables.notePlaces()
		text := ""
		for _, r := range d.tables.TablesState().Rows {
			text += fmt.Sprintf("%s %s %s %v %v\n", r.Table, r.Board, r.Serial, r.Here, r.Elsewhere)
		}
		return text
	}
	d.serials.noteSerial("a", "05007", true)
	d.serials.noteSerial("b", "05009", true)
	if got, want := rows(), "7 a 05007 true false\n9 b 05009 true false\n"; got != want {
		t.Errorf("at first\n%s, want\n%s", got, want)
	}
	d.serials.noteSerial("a", "", false)
	d.serials.noteSerial("b", "05007", true)
	d.serials.noteWrongPort("a", "05009", true)
	if got, want := rows(), "7 a 05007 false true\n9 b 05009 false true\n"; got != want {
		t.Errorf("exchanged\n%s, want\n%s", got, want)
	}
	if n := d.frontend.present; len(n) != 1 || !strings.Contains(n[0].Text, "The board of 9, serial number 05009, answers at the port of 7.") {
		t.Errorf("the page says %+v", n)
	}
}
