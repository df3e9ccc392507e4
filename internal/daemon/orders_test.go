package daemon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/live"
	"boardwatchd/internal/orders"
	"boardwatchd/internal/tables"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
)

// aTable is a board with a game of one ply in progress, and a daemon that watches it.
func aTable(t *testing.T, dir string) (d *Daemon, b *live.Board, run *boardRun, stopped *bool) {
	t.Helper()
	conf := config.Default()
	conf.HTTP.Listen = config.Off
	d = Open(Options{Config: conf, Dir: dir, Log: zerolog.Nop()})
	b = d.frontend.boards.Add("7", live.Info{Journal: "7-r1"})
	b.Ready()
	says := func(text string, args ...any) {
		b.Said([]byte(strings.ReplaceAll(fmt.Sprintf(text, args...), "'", `"`)))
	}
	b.Seen(watch.View{At: 1, Link: "up", Playing: true}, nil)
	says(`{'type':'game','t':1,'game':1,'fen':'%s w KQkq - 0 1'}`, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
	says(`{'type':'move','t':1,'game':1,'ply':1,'side':'white','uci':'e2e4','san':'e4'}`)
	stopped = new(bool)
	d.round.begin("7", orders.Settings{}, func() { *stopped = true })
	return d, b, d.round.runs["7"], stopped
}

// TestAGameInProgressKeepsItsRound: its board goes on to the next round when the next game is set up, or a while after
// the result, or at once where a person has said so; which boards play on is on the disk meanwhile.
func TestAGameInProgressKeepsItsRound(t *testing.T) {
	dir := t.TempDir()
	d, b, run, stopped := aTable(t, dir)
	o := d.round
	next := &orders.Orders{Settings: orders.Settings{Round: "2"}}
	if err := o.put(next, ""); err != nil {
		t.Fatal(err)
	}
	change := func() bool {
		state := o.now()
		o.stopForNewSettings("7", run, &state)
		return *stopped
	}
	onDisk := func() orders.Settings {
		s, err := orders.Read(filepath.Join(dir, roundFile))
		if err != nil {
			t.Fatal(err)
		}
		return s.Of("7")
	}
	if change() || onDisk() != (orders.Settings{}) {
		t.Fatalf("the game in progress was ended; on the disk is %+v", onDisk())
	}
	if again, _, _, _ := aTable(t, dir); again.round.round() != "2" || again.confNow("7").Round != "" || again.confNow("8").Round != "2" {
		t.Errorf("a start has round %q, board 7 %q, board 8 %q", again.round.round(), again.confNow("7").Round, again.confNow("8").Round)
	}
	b.Said([]byte(`{"type":"result","t":2,"game":1,"result":"1-0","state":"proposed"}`))
	if change() {
		t.Fatal("a result is often corrected at once, and the board has gone on")
	}
	b.Said([]byte(`{"type":"result","t":2,"game":1,"result":"1-0","state":"withdrawn"}`))
	if change() {
		t.Fatal("the result was withdrawn, and the board has gone on")
	}
	b.Said([]byte(`{"type":"game","t":3,"game":2,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`))
	if !change() || onDisk().Round != "2" {
		t.Errorf("the next game is set up, and the board plays on; on the disk is %+v", onDisk())
	}

	d, _, run, stopped = aTable(t, t.TempDir())
	o = d.round
	if err := o.put(&orders.Orders{Settings: orders.Settings{Round: "2"}, Now: []string{"07"}}, ""); err != nil {
		t.Fatal(err)
	}
	if !change() {
		t.Error("a person has said now")
	}
}

// TestTheBoardsThatAChangeConcerns: a person is asked about the boards with a game that is changed, and about no other.
func TestTheBoardsThatAChangeConcerns(t *testing.T) {
	d, _, _, _ := aTable(t, t.TempDir())
	idle := d.frontend.boards.Add("8", live.Info{Journal: "8-r1"})
	idle.Ready()
	idle.Seen(watch.View{At: 1, Link: "up"}, nil)
	set := func(round, playing string, seats ...web.RoundSeat) string {
		c := web.RoundChange{AsOf: d.round.RoundState().AsOf, Playing: playing, Request: fmt.Sprint(round, playing, seats)}
		c.Round, c.Profile, c.Seats = round, "auto", seats
		if err := d.round.SetRound(t.Context(), c); err != nil {
			return err.Error()
		}
		return strings.Join(d.round.now().Orders.Now, " ")
	}
	seven, eight := web.RoundSeat{Board: "7", White: "A", Black: "B"}, web.RoundSeat{Board: "8", White: "C", Black: "D"}
	const ask = "games are in progress at 7"
	for i, step := range []struct{ got, want string }{
		{set("", "", eight), ""}, // nothing of 7
		{set("", "", seven, eight), ask},
		{set("", "next", seven, eight), ""},
		{set("", "", seven), ""}, // what waits at 7 is not asked for again
		{set("", "now", seven), "7"},
		{set("2", "", seven), ask},
		{set("2", "now", seven, eight), "7 8"}, // where a game may begin before it arrives
	} {
		if step.got != step.want {
			t.Errorf("step %d: %q, want %q", i, step.got, step.want)
		}
	}
	if a := d.round.RoundState(); len(a.Seats) != 2 || a.Seats[0].White != "A" || a.Round != "2" {
		t.Errorf("%+v", a)
	}
}

// The boards that a change concerns are named by their tables, in the order in which people count; the boards are kept
// by their own names.
func TestAChangeNamesTables(t *testing.T) {
	d, _, _, _ := aTable(t, t.TempDir())
	other := d.frontend.boards.Add("8", live.Info{Journal: "8-r1"})
	other.Ready()
	other.Seen(watch.View{At: 1, Link: "up", Playing: true}, nil)
	other.Said([]byte(`{"type":"game","t":1,"game":1,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`))
	other.Said([]byte(`{"type":"move","t":1,"game":1,"ply":1,"side":"white","uci":"e2e4","san":"e4"}`))
	d.tables.putInForce(tables.State{Entries: []tables.Entry{{Table: "10", Board: "7"}, {Table: "7", Board: "8"}}})
	d.tables.show()
	c := web.RoundChange{AsOf: d.round.RoundState().AsOf, Request: "req-0001"}
	c.Round, c.Profile = "2", "auto"
	if err := d.round.SetRound(t.Context(), c); err == nil || err.Error() != "games are in progress at 7, 10" {
		t.Errorf("%v", err)
	}
	c.Playing = web.PlayingNow
	if err := d.round.SetRound(t.Context(), c); err != nil || !slices.Equal(d.round.now().Orders.Now, []string{"7", "8"}) {
		t.Errorf("%v, now at %q", err, d.round.now().Orders.Now)
	}
}

// TestTheConfiguredRoundIsGiven: what the hall's configuration names reaches its computers as if somebody had set it,
// until somebody sets another round; a configuration that names none gives none.
func TestTheConfiguredRoundIsGiven(t *testing.T) {
	conf := config.Default()
	conf.HTTP.Listen, conf.Event = config.Off, "Open"
	given := func(o *ordering) (g orders.Gift, mark string) {
		t.Helper()
		body, mark := o.roundFor(map[string]string{"1": "1"})
		if mark != "" {
			if err := json.Unmarshal(body, &g); err != nil {
				t.Fatal(err)
			}
		}
		return g, mark
	}
	if _, mark := given(Open(Options{Config: conf, Dir: t.TempDir(), Log: zerolog.Nop(), Hub: true}).round); mark != "" {
		t.Error("a round is given that nobody has named")
	}
	conf.Round = "1"
	var err error
	if conf.TimeControl, err = config.ParseTimeControl("90+30"); err != nil {
		t.Fatal(err)
	}
	hall := Open(Options{Config: conf, Dir: t.TempDir(), Log: zerolog.Nop(), Hub: true}).round
	g, mark := given(hall)
	if want := (orders.Settings{Event: "Open", Round: "1", TimeControl: "90+30"}); g.Orders.Settings != want || !g.Orders.OwnSeats || mark == "" {
		t.Errorf("given is %+v, %q", g.Orders, mark)
	}
	if _, again := given(hall); again != mark {
		t.Errorf("it is given again: %q, %q", mark, again)
	}
	body, _ := hall.roundFor(map[string]string{"1": "1"})
	one, _, _, _ := aTable(t, t.TempDir())
	if err := one.round.takeRound(body, mark); err != nil || one.round.round() != "1" || one.round.takenMark() != mark {
		t.Errorf("the computer has round %q, %q (%v)", one.round.round(), one.round.takenMark(), err)
	}
	if err := hall.put(&orders.Orders{Settings: orders.Settings{Round: "2"}}, ""); err != nil {
		t.Fatal(err)
	}
	if g, _ := given(hall); g.Orders.Round != "2" || hall.event() != "Open" {
		t.Errorf("after another round %+v is given, of the event %q", g.Orders, hall.event())
	}
	if err := hall.put(&orders.Orders{Settings: orders.Settings{Event: "Closed", Round: "1"}}, ""); err != nil {
		t.Fatal(err)
	}
	if hall.event() != "Closed" {
		t.Errorf("a round of another event is of %q", hall.event())
	}
}

// A computer of the hall gets the table of each board of its own, whatever the board is called there, and its journal
// gets the table with the names. A hall of another version gives none: then the board's own name is not taken for it.
func TestTheHallsTablesReachItsComputers(t *testing.T) {
	conf := config.Default()
	conf.HTTP.Listen = config.Off
	hall := Open(Options{Config: conf, Dir: t.TempDir(), Log: zerolog.Nop(), Hub: true}).round
	if err := hall.put(&orders.Orders{Seats: []orders.Seat{{Board: "7", White: "a", Black: "b"}}}, ""); err != nil {
		t.Fatal(err)
	}
	body, mark := hall.roundFor(map[string]string{"dgt-31415": "7"})
	one, _, _, _ := aTable(t, t.TempDir())
	for _, c := range []struct {
		body []byte
		want string
	}{{body, "7"}, {bytes.ReplaceAll(body, []byte(`,"table":"7"`), nil), ""}} {
		if err := one.round.takeRound(c.body, mark); err != nil {
			t.Fatal(err)
		}
		if names := namesOf(one.round.seats[one.tables.key("dgt-31415")]); names.White != "a" || names.Name != c.want {
			t.Errorf("%s: the journal gets %+v, want table %q", c.body, names, c.want)
		}
	}
}

// A board that people see by its plain name, because no other board is called so any more, has the seat of that name.
func TestASeatFindsTheBoardByItsPlainName(t *testing.T) {
	conf := config.Default()
	conf.HTTP.Listen = config.Off
	hall := Open(Options{Config: conf, Dir: t.TempDir(), Log: zerolog.Nop(), Hub: true}).round
	if err := hall.put(&orders.Orders{Seats: []orders.Seat{{Board: "7", White: "a", Black: "b"}}}, ""); err != nil {
		t.Fatal(err)
	}
	for plain, want := range map[string]bool{"": false, "7": true} {
		hall.d.tables.namesWithoutTable.Store(&map[string]string{"7@t4": plain})
		var g orders.Gift
		body, _ := hall.roundFor(map[string]string{"7": "7@t4"})
		if err := json.Unmarshal(body, &g); err != nil {
			t.Fatal(err)
		}
		if got := len(g.Orders.Seats) == 1 && g.Orders.Seats[0].White == "a"; got != want {
			t.Errorf("called %q: %s", plain, body)
		}
	}
}

// Names are not told again for a table that is spelt otherwise, or that an earlier program has not told.
func TestTheSameNames(t *testing.T) {
	names := namesOf(orders.Seat{White: "a", Black: "b", Table: "7"})
	for _, c := range []struct {
		told *watch.Instruction
		want bool
	}{
		{nil, false},
		{&watch.Instruction{Do: watch.DoNames, White: "a", Black: "b"}, true},
		{&watch.Instruction{Do: watch.DoNames, White: "a", Black: "b", Name: "07"}, true},
		{&watch.Instruction{Do: watch.DoNames, White: "a", Black: "b", Name: "8"}, false},
		{&watch.Instruction{Do: watch.DoNames, White: "b", Black: "a", Name: "7"}, false},
		{&watch.Instruction{Do: watch.DoNames}, false},
	} {
		if got := sameNames(names, c.told); got != c.want {
			t.Errorf("%+v: %v", c.told, got)
		}
	}
	if nobody := namesOf(orders.Seat{}); !sameNames(nobody, nil) || !sameNames(nobody, &watch.Instruction{Do: watch.DoNames}) {
		t.Error("an empty seat is given again")
	}
}

// Boards of two computers that are called alike share a seat, and each has a row of its own.
func TestTwoBoardsOfOneNumberHaveTwoRows(t *testing.T) {
	d, _, _, _ := aTable(t, t.TempDir())
	d.frontend.boards.Add("07", live.Info{Journal: "07-r1"}).Ready()
	d.frontend.boards.Add("8", live.Info{Journal: "8-r1"}).Ready()
	given := &orders.Orders{Seats: []orders.Seat{{Board: "7", White: "a", Black: "b"}}}
	if err := d.round.put(given, ""); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, b := range d.round.RoundState().Boards {
		rows = append(rows, b.Seat+"/"+b.Board)
	}
	if want := []string{"7/7", "7/07", "/8"}; !slices.Equal(rows, want) {
		t.Errorf("the rows are %q, want %q", rows, want)
	}
}

// A board whose computer has left the hall is no board of the round any more: no players are paired there, and those
// that are paired at its table have no board.
func TestABoardThatIsGoneIsNotInTheRound(t *testing.T) {
	d, _, _, _ := aTable(t, t.TempDir())
	boards := d.frontend.boards
	boards.Add("8", live.Info{Journal: "8-r1"}).Ready()
	if err := d.round.put(&orders.Orders{Seats: []orders.Seat{{Board: "7", White: "a", Black: "b"}}}, ""); err != nil {
		t.Fatal(err)
	}
	rows := func() (list []string) {
		for _, b := range d.round.RoundState().Boards {
			list = append(list, b.Seat+"/"+b.Board+" "+b.State)
		}
		for _, r := range d.tables.TablesState().Rows {
			list = append(list, r.Board)
		}
		return list
	}
	for _, step := range []struct {
		gone bool
		want []string
	}{{false, []string{"7/7 away", "/8 free", "7", "8"}}, {true, []string{"7/ none"}}} {
		for _, board := range []string{"7", "8"} {
			boards.Away(board, true)
			boards.Gone(board, step.gone)
		}
		if got := rows(); !slices.Equal(got, step.want) {
			t.Errorf("gone %v: %q, want %q", step.gone, got, step.want)
		}
	}
}

// Two arbiters set the round at the same time: one of them is answered that it was changed.
func TestTwoSetTheRoundAtOnce(t *testing.T) {
	d := Open(Options{Config: config.Default(), Dir: t.TempDir(), Log: zerolog.Nop()})
	asOf := d.round.RoundState().AsOf
	answers := make(chan error)
	for _, round := range []string{"2", "3", "4", "5"} {
		go func() {
			c := web.RoundChange{AsOf: asOf, Request: round}
			c.Round, c.Profile, c.Seats = round, "auto", []web.RoundSeat{{Board: "7", White: "A" + round, Black: "B"}}
			answers <- d.round.SetRound(t.Context(), c)
		}()
	}
	saved := 0
	for range 4 {
		switch err := <-answers; {
		case err == nil:
			saved++
		case !errors.Is(err, web.ErrRoundChanged):
			t.Error(err)
		}
	}
	if saved != 1 {
		t.Errorf("%d were answered that it is saved", saved)
	}
}

// A press that was made for one table does not count for another one, which somebody asks for before it is understood.
func TestAPressIsForTheTableThatWasAskedFor(t *testing.T) {
	tables := Open(Options{Config: config.Default(), Dir: t.TempDir(), Log: zerolog.Nop()}).tables
	change := func(table string) {
		t.Helper()
		if err := tables.find(table); err != nil {
			t.Fatal(err)
		}
	}
	change("8")
	for _, up := range []string{"left", "right"} {
		tables.finder.Lever("dgt-1", up, 1)
	}
	if change("8"); !tables.finder.Waits() {
		t.Error("the press is forgotten when the same table is asked for again")
	}
	if change("7"); tables.finder.Waits() {
		t.Error("the press for table 8 counts for table 7")
	}
}

// A round of the hall that the disk does not take is no refusal: the hall gives it again.
func TestARoundThatTheDiskDoesNotTake(t *testing.T) {
	d := bare(t)
	gift := []byte(`{"orders":{"round":"2"}}`)
	d.round.path = filepath.Join(t.TempDir(), "gone", "round.json")
	if err := d.round.takeRound(gift, "m"); !errors.Is(err, uplink.ErrUnwritten) || d.round.takenMark() == "m" {
		t.Errorf("the disk does not take it: %v, taken is %q", err, d.round.takenMark())
	}
	d.round.path = filepath.Join(t.TempDir(), "round.json")
	if err := d.round.takeRound(gift, "m"); err != nil || d.round.takenMark() != "m" {
		t.Errorf("the disk takes it: %v, taken is %q", err, d.round.takenMark())
	}
	if err := d.round.takeRound([]byte(`{"orders":{"profile":"no-such-rules"}}`), "n"); err == nil || errors.Is(err, uplink.ErrUnwritten) {
		t.Errorf("what cannot hold here: %v", err)
	}
}

// A game of a blind player that goes on in the journal of another round is judged as before.
func TestAGameThatGoesOnIsJudgedAsBefore(t *testing.T) {
	g := gameState{Summary: live.Summary{FEN: "4k3/8/8/8/8/8/8/4K3 w - - 0 1", AppendixD: true, NoTouch: true}}
	on := ""
	for _, i := range g.instructions() {
		if i.Do == watch.DoFlag && i.On {
			on += " " + i.Name
		}
	}
	if on != " appendix_d no_touch" {
		t.Errorf("switched:%s", on)
	}
}

// TestAPlayerWithoutAnOpponentIsNamed: as long as nobody else sits at the board, and the player at no other one.
func TestAPlayerWithoutAnOpponentIsNamed(t *testing.T) {
	d, _, _, _ := aTable(t, t.TempDir())
	d.frontend.boards.Add("8", live.Info{Journal: "8-r1"}).Ready()
	set := func(seats ...web.RoundSeat) (list []string) {
		c := web.RoundChange{AsOf: d.round.RoundState().AsOf, Playing: "next", Request: fmt.Sprint("req-", seats)}
		c.Profile, c.Seats, c.Alone = "auto", seats, []web.RoundAlone{{Board: "08", Player: "Ann"}, {Board: "abc", Player: "Ben"}}
		if err := d.round.SetRound(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		for _, m := range d.round.mistakes() {
			if m.What == "paired_alone" {
				list = append(list, fmt.Sprintf("%s/%s %s", m.ShownAs, m.Seat, m.Other))
			}
		}
		slices.Sort(list)
		return list
	}
	ben := "/abc Ben"
	for _, step := range []struct {
		got, want []string
	}{
		{set(web.RoundSeat{Board: "7", White: "A", Black: "B"}), []string{ben, "8/ Ann"}},
		{set(web.RoundSeat{Board: "8", White: "C", Black: "D"}), []string{ben}},
		{set(web.RoundSeat{Board: "7", White: "A", Black: "Ann"}), []string{ben}},
		{set(web.RoundSeat{Board: "7", White: "Ben", Black: "Ann"}), nil},
	} {
		if !slices.Equal(step.got, step.want) {
			t.Errorf("the mistakes are %q, want %q", step.got, step.want)
		}
	}
	if body, _ := d.round.roundFor(map[string]string{"1": "7"}); strings.Contains(string(body), "alone") {
		t.Errorf("a computer is sent the players without an opponent: %s", body)
	}
}
