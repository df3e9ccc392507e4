package daemon

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/live"
	"boardwatchd/internal/orders"
	"boardwatchd/internal/record"
	"boardwatchd/internal/tables"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/words"
)

func alone(t *testing.T, dir, joinFile string) *Daemon {
	t.Helper()
	conf := config.Default()
	conf.HTTP.Listen = config.Off
	d := Open(Options{Config: conf, Dir: dir, Log: zerolog.Nop(), Getenv: func(string) string { return "" }, JoinFile: joinFile})
	t.Cleanup(d.member.end)
	return d
}

// A token on the card is for a computer that is in no hall yet. A computer without such a file, or with a directory of
// that name, is alone.
func TestATokenOnTheCard(t *testing.T) {
	inv, err := hub.FilesIn(t.TempDir()).Invite("table-1", []string{"127.0.0.1:1"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	card, state := t.TempDir(), t.TempDir()
	file := filepath.Join(card, "boardwatchd-join")
	for _, none := range []string{"", file, card} {
		if d := alone(t, t.TempDir(), none); d.inHall() || d.member.token != "" {
			t.Errorf("with %q the computer is in a hall", none)
		}
	}
	text := "\ufeff" + inv.Token() + "\r\n"
	if err := os.WriteFile(file, []byte(text), 0o444); err != nil {
		t.Fatal(err)
	}
	d := alone(t, state, file)
	if d.member.token != file {
		t.Fatal("the file is not used")
	}
	if _, err := d.member.join(t.Context()); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("the token is not read: %v", err)
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != text {
		t.Errorf("the file holds %q now (%v)", b, err)
	}
	who, err := uplink.Prepare(inv)
	if err == nil {
		err = uplink.SaveMember(MemberFile(state), who)
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := alone(t, state, file); !d.inHall() || d.member.token != "" {
		t.Error("the file is used by a computer that has joined")
	}
}

// The notices of the page name computers that differ, a few one by one and many in one notice, and end with the cause.
func TestProblemsOfTheListThatThePageShows(t *testing.T) {
	f := alone(t, t.TempDir(), "").frontend
	rows := func(n int, what, level string) (list []roster.Row) {
		for i := range n {
			name := "table-" + string(rune('a'+i))
			list = append(list, roster.Row{Computer: name, Problems: []roster.Problem{{What: what, Level: level, Say: words.Verbatim("It is so."), DoSay: words.Verbatim("Do this.")}}})
		}
		return list
	}
	told := func(rows []roster.Row) (list []string) {
		now := map[string]bool{}
		for _, what := range onPage {
			f.noticeRows(what, rows, now)
		}
		for _, n := range f.present {
			if now[n.ID] {
				list = append(list, n.Text)
			}
		}
		return list
	}
	if got := told(rows(2, "clone", roster.Bad)); !slices.Equal(got, []string{"Computer table-a: It is so.", "Computer table-b: It is so."}) {
		t.Errorf("two are told as %q", got)
	}
	if got := told(rows(9, "version", roster.Note)); len(got) != 1 || !strings.Contains(got[0], "the same is to be said: 8") {
		t.Errorf("nine are told as %q", got)
	}
	if got := told(rows(1, "twice", roster.Note)); len(got) != 0 {
		t.Errorf("a note is told as %q", got)
	}
	if got := told(rows(1, "clock_missing", roster.Warn)); len(got) != 0 {
		t.Errorf("what the board says itself is told as %q", got)
	}
}

func TestTheListOfThisComputer(t *testing.T) {
	l := alone(t, t.TempDir(), "").frontend.Computers()
	if l.Hall || len(l.Rows) != 1 || !l.Rows[0].Own || l.Rows[0].FreeMB == nil || l.Rows[0].Problems[0].What != "no_board" {
		t.Errorf("%+v", l)
	}
}

// Boards of which the list knows nothing any more, or which their computer does not have, are gone; one whose computer
// is switched off is not.
func TestWhichBoardsAreGone(t *testing.T) {
	f := &frontend{boards: live.New(live.Options{})}
	for _, name := range []string{"here", "off", "taken out", "of a revoked computer"} {
		f.boards.Add(name, live.Info{}).Ready()
		f.boards.Away(name, name != "here")
	}
	list := []roster.Computer{
		{Name: "table-1", Here: true, Boards: []roster.Board{{ShownAs: "here", Here: true}, {ShownAs: "taken out", Gone: true}}},
		{Name: "table-2", Boards: []roster.Board{{ShownAs: "off"}}},
	}
	gone := func() (names []string) {
		for _, s := range f.boards.Summaries() {
			if s.Gone {
				names = append(names, s.Board)
			}
		}
		return names
	}
	f.markGone(list)
	if got := gone(); !slices.Equal(got, []string{"taken out", "of a revoked computer"}) {
		t.Errorf("gone are %q", got)
	}
	list[0].Boards[1].Gone = false
	f.markGone(list)
	if got := gone(); !slices.Equal(got, []string{"of a revoked computer"}) {
		t.Errorf("one is back, gone are %q", got)
	}
}

// Of a computer that was revoked those tables are listed that have players of the round or a game in progress, and
// no other board.
func TestWhichBoardsAreMissed(t *testing.T) {
	d, b, _, _ := aTable(t, t.TempDir())
	f := d.frontend
	for _, board := range []string{"8", "9", "10"} {
		f.boards.Add(board, live.Info{Journal: board + "-r1"}).Ready()
	}
	b.Ready()
	left := []roster.Computer{
		{Name: "table-2", Revoked: time.Now(), Boards: []roster.Board{{ShownAs: "7"}, {ShownAs: "8"}, {ShownAs: "9"}, {ShownAs: "10"}, {ShownAs: "12"}}},
		{Name: "table-1", Revoked: time.Now(), Boards: []roster.Board{{ShownAs: "12@table-1"}}},
	}
	missed := func() (list []string) {
		for _, c := range f.missed(left) {
			for _, b := range c.Boards {
				list = append(list, b.ShownAs+"="+b.Table)
			}
		}
		return list
	}
	for _, board := range []string{"7", "8", "9", "10"} {
		f.boards.Away(board, true)
		f.boards.Gone(board, true)
	}
	if got := missed(); !slices.Equal(got, []string{"7=7"}) { // in progress
		t.Errorf("nobody is paired: %q", got)
	}
	players := watch.Instruction{Do: watch.DoNames, White: "A", Black: "B"}.Body()
	b.Entered(record.Record{Kind: record.Instruct, Body: players})
	f.boards.Add("table 7", live.Info{}).Entered(record.Record{Kind: record.Instruct, Body: players})
	if got := missed(); got != nil { // the card of table-2 was copied
		t.Errorf("the same game is in progress at another board: %q", got)
	}
	f.boards.Away("table 7", true)
	f.boards.Gone("table 7", true)
	if err := d.round.put(&orders.Orders{Seats: []orders.Seat{{Board: "8", White: "a", Black: "b"}, {Board: "10"}, {Board: "12", White: "c", Black: "d"}}}, ""); err != nil {
		t.Fatal(err)
	}
	f.boards.Gone("10", false) // at another computer by now
	d.tables.putInForce(tables.State{Entries: []tables.Entry{{Table: "12", Board: "12@table-1"}, {Table: "11", Board: "9"}}})
	d.tables.show()
	if got := missed(); !slices.Equal(got, []string{"7=7", "8=8", "12@table-1=12"}) {
		t.Errorf("%q", got)
	}
}
