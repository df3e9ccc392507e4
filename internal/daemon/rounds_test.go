package daemon

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/people"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
)

// writeRound makes a journal with one short game.
func writeRound(t *testing.T, dir, name, board, white string) {
	t.Helper()
	w, err := journal.Create(dir, name, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	writeGame(t, w, 0, "Open", name, board, white)
}

// writeGame writes a segment with one short game, or without White with one that was not begun.
func writeGame(t *testing.T, w *journal.Writer, at int64, event, name, board, white string) {
	t.Helper()
	conf := config.Default()
	conf.Event, conf.Round = event, "4"
	if base := fileName(board) + nameOfRound; strings.HasPrefix(name, base) {
		conf.Round = again.ReplaceAllString(name[len(base):], "")
	}
	opening := watch.Opening{
		Format: watch.Format, Journal: name, Segment: 1, Core: watch.Revision, Source: watch.Live, Board: board, Wall: "2026-11-24T09:00:00Z",
		Config: json.RawMessage(conf.Core(config.NewBoard(board, "")).Canonical()),
	}
	for i, r := range []struct {
		kind record.Kind
		body []byte
	}{
		{record.Open, opening.Body()},
		{record.Instruct, watch.Instruction{Do: watch.DoNames, White: watch.Value(white), Black: "B"}.Body()},
		{record.Say, []byte(`{"type":"game","seq":2,"t":0,"board":"` + board + `","game":1,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`)},
		{record.Say, []byte(`{"type":"move","seq":2,"t":1,"board":"` + board + `","game":1,"ply":1,"side":"white","uci":"e2e4","san":"e4","clock":{"white":90,"black":90},"committed_by":"press"}`)},
		{record.Say, []byte(`{"type":"result","seq":2,"t":2,"board":"` + board + `","game":1,"result":"1-0","by":"kings","state":"proposed"}`)},
	} {
		if white == "" && i != 0 && i != 2 {
			continue
		}
		if _, err := w.Add(at, r.kind, r.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(at+2_000_000, "end"); err != nil {
		t.Fatal(err)
	}
}

func TestRoundsByTheNamesOfTheirJournals(t *testing.T) {
	for name, want := range map[string][3]string{
		"12-r4": {"r4", "4", "12"}, "12-r4--2": {"r4--2", "4", "12"}, "a-b-rfinal": {"rfinal", "final", "a-b"},
		"12-20261124-101010":                      {"20261124", "", "12"},
		"simulation-20261124-152815-seed7-table2": {"simulation-20261124-152815-seed7", "", "2"},
		"lab-20261124-101010":                     {},
		"copy":                                    {},
	} {
		id, round, board := roundOf(journal.Entry{Name: name, Segments: []journal.File{{Path: name}}})
		if [3]string{id, round, board} != want {
			t.Errorf("%s is of %q %q %q", name, id, round, board)
		}
	}
}

// A name that can be read in two ways is that which its opening record says.
func TestARoundOrABoardWithTheMarkOfARoundInItsName(t *testing.T) {
	dir := t.TempDir()
	writeRound(t, dir, "7-r4-rapid", "7", "A")
	writeRound(t, dir, "7-r5-rapid--2", "7", "A")
	writeRound(t, dir, "big-room-r2-r4", "big-room-r2", "A")
	all, err := (&rounds{dir: dir, people: people.Open(filepath.Join(dir, peopleFile), time.Now)}).all()
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, h := range all {
		have[h.ID] = h.Round.Round + " " + strings.Join(h.Boards, ",")
	}
	if want := map[string]string{"r4-rapid": "4-rapid 7", "r5-rapid--2": "5-rapid 7", "r4": "4 big-room-r2"}; !maps.Equal(have, want) {
		t.Errorf("the rounds are %q, want %q", have, want)
	}
}

func TestFilesOfRounds(t *testing.T) {
	dir := t.TempDir()
	book := people.Open(filepath.Join(dir, peopleFile), time.Now)
	ana := book.Player("Ana <script>")
	writeRound(t, dir, "12-r4", "12", ana)
	writeRound(t, dir, "2-r4", "2", "p-unknown")
	writeRound(t, dir, "12-r3", "12", ana)
	if err := os.WriteFile(filepath.Join(dir, "3-r4.bwj"), []byte("no journal\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &rounds{dir: dir, people: book}
	list, err := r.Rounds()
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v %v", list, err)
	}
	i := slices.IndexFunc(list, func(x web.Round) bool { return x.ID == "r4" })
	if i < 0 || len(list[i].Boards) != 3 || list[i].Bytes == 0 {
		t.Errorf("%+v", list)
	}
	games, err := r.Games(t.Context(), "r4")
	if err != nil || len(games) != 2 || games[0].Board != "2" || games[1].White != "Ana <script>" || games[1].Result != "1-0" || games[1].Plies != 1 {
		t.Errorf("%+v %v", games, err)
	}
	if _, err := book.Forget(ana); err != nil {
		t.Fatal(err)
	}
	if games, _ = r.Games(t.Context(), "r4"); games[1].White != ana {
		t.Errorf("a name that was forgotten is still there: %+v", games[1])
	}
	for file, want := range map[string]string{
		web.ReportHTML: "Rundenbericht", web.ReportJSON: `"type":"report"`, web.GamesPGN: "1. e4 {[%clk 0:01:30]} 1-0", web.JournalsZIP: "PK",
	} {
		var b bytes.Buffer
		if err := r.Write(t.Context(), &b, "r4", file, "de"); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %v, no %q in %.200s", file, err, want, b.String())
		}
		if file == web.ReportHTML && !strings.Contains(b.String(), "3-r4.bwj") {
			t.Error("the journal that cannot be read is not named in the report")
		}
		if err := r.Write(t.Context(), &b, "r9", file, "de"); !errors.Is(err, web.ErrNoRound) {
			t.Errorf("%s of a round that is not there: %v", file, err)
		}
	}
	var b bytes.Buffer
	if err := r.Write(t.Context(), &b, "r4", web.JournalsZIP, "en"); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(z.File) != 3 {
		t.Fatalf("%v", err)
	}
	for _, f := range z.File {
		if f.Name != filepath.Base(f.Name) || !strings.HasSuffix(f.Name, "-r4.bwj") {
			t.Errorf("the file %q", f.Name)
		}
	}
}

// An event that has a round of the name of an earlier event's is a round of its own, however few boards it has.
func TestRoundsOfTwoEvents(t *testing.T) {
	dir := t.TempDir()
	for _, board := range []string{"1", "2", "3", "4"} {
		writeRound(t, dir, board+"-r1", board, "of the Open")
		month := time.Now().Add(-30 * 24 * time.Hour)
		if err := os.Chtimes(filepath.Join(dir, board+"-r1.bwj"), month, month); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "6-r1.bwj"), []byte("no journal\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &rounds{dir: dir, people: people.Open(filepath.Join(dir, peopleFile), time.Now)}
	listed := func() (list []string) {
		all, err := r.Rounds()
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range all {
			list = append(list, x.ID+" "+x.Round+": "+strings.Join(x.Boards, " "))
		}
		return list
	}
	if list := listed(); !slices.Equal(list, []string{"r1 1: 1 2 3 4 6"}) {
		t.Errorf("one event: %q", list)
	}

	// The club has two boards; one of them goes on in the journal of last month.
	rd, err := journal.Open(filepath.Join(dir, "1-r1.bwj"))
	for err == nil {
		_, err = rd.Next()
	}
	w, err := journal.Continue(dir, "1-r1", rd.Last(), journal.Options{})
	if err != nil || rd.Close() != nil {
		t.Fatal(err)
	}
	writeGame(t, w, 3_000_000, "Club", "1-r1", "1", "of the club")
	if w, err = journal.Create(dir, "5-r1", journal.Options{}); err != nil {
		t.Fatal(err)
	}
	writeGame(t, w, 0, "Club", "5-r1", "5", "of the club")
	list := listed()
	if len(list) != 2 || list[0] != "r1 1: 1 5 6" || !strings.HasPrefix(list[1], "r1-") || !strings.HasSuffix(list[1], " 1: 2 3 4") {
		t.Fatalf("two events: %q", list)
	}
	earlier, _, _ := strings.Cut(list[1], " ")
	for id, want := range map[string]string{"r1": "1,of the club,B,1-0\n5,of the club,B,1-0\n", earlier: "2,of the Open,B,1-0\n3,of the Open,B,1-0\n4,of the Open,B,1-0\n"} {
		var b bytes.Buffer
		if err := r.Write(t.Context(), &b, id, web.ResultsCSV, "en"); err != nil {
			t.Fatal(err)
		}
		if _, rows, _ := strings.Cut(b.String(), "\n"); rows != want {
			t.Errorf("results of %s: %q, want %q", id, rows, want)
		}
	}
}

// A hall has its journals by computers.
func TestRoundsOfAHall(t *testing.T) {
	dir := t.TempDir()
	for _, computer := range []string{"table-1", "table-2"} {
		if err := os.MkdirAll(filepath.Join(dir, computer), 0o700); err != nil {
			t.Fatal(err)
		}
		writeRound(t, filepath.Join(dir, computer), computer[6:]+"-r4", computer[6:], "W")
	}
	r := &rounds{dir: dir, mirror: true, people: people.Open(filepath.Join(dir, peopleFile), time.Now)}
	games, err := r.Games(t.Context(), "r4")
	if err != nil || len(games) != 2 {
		t.Errorf("%+v %v", games, err)
	}
	var b bytes.Buffer
	if err := r.Write(t.Context(), &b, "r4", web.JournalsZIP, "en"); err != nil || !strings.Contains(b.String(), "table-2/2-r4.bwj") {
		t.Errorf("%v", err)
	}
	if list, err := (&rounds{dir: filepath.Join(dir, "none"), mirror: true}).Rounds(); err != nil || len(list) != 0 {
		t.Errorf("no directory: %v %v", list, err)
	}
	if list, err := (&rounds{dir: filepath.Join(dir, "none")}).Rounds(); err != nil || len(list) != 0 {
		t.Errorf("no directory: %v %v", list, err)
	}
}

// A game that was not begun, at a board whose computer has left the hall, is no game of the round.
func TestAGameThatNobodyHasBegunAtABoardThatIsGone(t *testing.T) {
	dir := t.TempDir()
	for computer, white := range map[string]string{"1": "W1", "2": "", "3": "W3", "4": ""} {
		if err := os.MkdirAll(filepath.Join(dir, "table-"+computer), 0o700); err != nil {
			t.Fatal(err)
		}
		writeRound(t, filepath.Join(dir, "table-"+computer), computer+"-r4", computer, white)
	}
	gone := map[string]bool{}
	r := &rounds{dir: dir, mirror: true, people: people.Open(filepath.Join(dir, peopleFile), time.Now), left: func(computer string) bool { return gone[computer] }}
	for _, want := range []string{"1 2 3 4", "1 3 4"} {
		games, err := r.Games(t.Context(), "r4")
		var boards []string
		for _, g := range games {
			boards = append(boards, g.Board)
		}
		var pgn bytes.Buffer
		err = errors.Join(err, r.Write(t.Context(), &pgn, "r4", web.GamesPGN, "en"))
		if err != nil || strings.Join(boards, " ") != want || strings.Count(pgn.String(), "[Board ") != len(boards) {
			t.Errorf("%q, want %q (%v)\n%s", boards, want, err, pgn.String())
		}
		gone["table-2"], gone["table-3"] = true, true
	}
}

// A computer that had another name in the hall for a while has brought the beginning of a journal under that name too:
// it counts once. Of a journal that only begins alike, the games of the common part do.
func TestAJournalOfTwoMembersCountsOnce(t *testing.T) {
	state := t.TempDir()
	dir := HallFiles(state).Mirror()
	for computer, board := range map[string]string{"table-1": "1", "table-2": "2", "table-3": "3"} {
		if err := os.MkdirAll(filepath.Join(dir, computer), 0o700); err != nil {
			t.Fatal(err)
		}
		writeRound(t, filepath.Join(dir, computer), board+"-r4", board, "of "+computer)
	}
	for copied, cut := range map[string]struct{ from, rest string }{
		"table-44": {"table-1/1-r4.bwj", ""}, "table-45": {"table-2/2-r4.bwj", "not its end"}, "table-2b": {"table-3/3-r4.bwj", ""},
	} {
		b, err := os.ReadFile(filepath.Join(dir, cut.from))
		if err != nil {
			t.Fatal(err)
		}
		if copied != "table-2b" { // that one has the whole journal
			b = append(b[:len(b)-60], cut.rest...)
		}
		if err := os.MkdirAll(filepath.Join(dir, copied), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, copied, filepath.Base(cut.from)), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := &rounds{dir: dir, mirror: true, people: people.Open(filepath.Join(state, peopleFile), time.Now)}
	for range 2 {
		list, err := r.Rounds()
		if err != nil || len(list) != 1 || len(list[0].Boards) != 4 {
			t.Fatalf("%+v %v", list, err)
		}
		games, err := r.Games(t.Context(), "r4")
		if err != nil || len(games) != 3 {
			t.Errorf("%+v %v", games, err)
		}
		var csv, zipped bytes.Buffer
		if err := r.Write(t.Context(), &csv, "r4", web.ResultsCSV, "en"); err != nil || strings.Count(csv.String(), "of table-1,") != 1 || strings.Count(csv.String(), "of table-3,") != 1 || strings.Count(csv.String(), "of table-2,") != 1 {
			t.Errorf("%v\n%s", err, csv.String())
		}
		if err := r.Write(t.Context(), &zipped, "r4", web.JournalsZIP, "en"); err != nil || !strings.Contains(zipped.String(), "table-44/1-r4.bwj") {
			t.Errorf("the journals: %v", err)
		}
	}
	if files, _, _, err := LatestJournals("", state); err != nil || len(files) != 4 {
		t.Errorf("the latest: %q %v", files, err)
	}
}

// Boards of one name at two computers of a hall keep their results apart, under the
// tables where those are known.
func TestResultsOfBoardsOfOneName(t *testing.T) {
	state := t.TempDir()
	dir := HallFiles(state).Mirror()
	for _, computer := range []string{"table-11", "table-12", "table-13", "table-14"} {
		if err := os.MkdirAll(filepath.Join(dir, computer), 0o700); err != nil {
			t.Fatal(err)
		}
		board := map[bool]string{true: "9", false: "a"}[computer == "table-14"] // which stands at no table
		writeRound(t, filepath.Join(dir, computer), board+"-r4", board, "of "+computer)
	}
	for file, text := range map[string]string{
		filepath.Join(state, hallDir, "shown.json"): `[{"computer":"table-11","board":"a","shown":"a"},{"computer":"table-12","board":"a","shown":"a@table-12"}]`,
		filepath.Join(state, tablesFile):            `{"version":1,"entries":[{"table":"7","board":"a"},{"table":"9","board":"a@table-12"}]}`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := &rounds{dir: dir, mirror: true, people: people.Open(filepath.Join(state, peopleFile), time.Now)}
	for file, want := range map[string][]string{
		web.ResultsCSV: {"7,of table-11,B,1-0\n", "9,of table-12,B,1-0\n", "9@table-14,of table-14,B,1-0\n", "a@table-13,of table-13,B,1-0\n"},
		web.GamesPGN:   {`[Board "7"]`, `[Board "9"]`, `[Board "9@table-14"]`, `[Board "a@table-13"]`},
	} {
		var b bytes.Buffer
		if err := r.Write(t.Context(), &b, "r4", file, "en"); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s does not have %q:\n%s", file, w, b.String())
			}
		}
	}
	games, err := r.Games(t.Context(), "r4")
	var boards []string
	for _, g := range games {
		boards = append(boards, g.Board)
	}
	slices.Sort(boards)
	want := []string{"7", "9", "9@table-14", "a@table-13"}
	if err != nil || !slices.Equal(boards, want) {
		t.Errorf("games at %q, want %q (%v)", boards, want, err)
	}
	if list, err := r.Rounds(); err != nil || len(list) != 1 || !slices.Equal(slices.Sorted(slices.Values(list[0].Boards)), want) {
		t.Errorf("%+v %v", list, err)
	}
}

// A card was copied while a game was in progress; both computers have begun a segment in the journal, and one has
// played on. The game is one, and counts where it was played on; a game that was begun in the copy afterwards is
// another one.
func TestTheGamesOfACopyThatGoesOnCountOnce(t *testing.T) {
	dir, name := t.TempDir(), "1-r4"
	first, second := filepath.Join(dir, "table-1"), filepath.Join(dir, "table-9")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(second, 0o700))
	must(os.MkdirAll(first, 0o700))
	writeRound(t, first, name, "1", "W")
	b, err := os.ReadFile(filepath.Join(first, name+journal.Extension))
	must(err)
	must(os.WriteFile(filepath.Join(second, name+journal.Extension), b, 0o600))
	at := int64(2_000_000)
	goOn := func(dir string, said ...string) {
		t.Helper()
		at += 2_000_000
		rd, err := journal.Open(filepath.Join(dir, name+journal.Extension))
		for err == nil {
			_, err = rd.Next()
		}
		w, err := journal.Continue(dir, name, rd.Last(), journal.Options{})
		must(err)
		must(rd.Close())
		opening := watch.Opening{
			Format: watch.Format, Journal: name, Segment: 2, Core: watch.Revision, Source: watch.Live, Board: "1", Boot: dir,
			Config: json.RawMessage(config.Default().Core(config.NewBoard("1", "")).Canonical()),
		}
		_, err = w.Add(at, record.Open, opening.Body())
		must(err)
		for _, one := range said {
			_, err = w.Add(at, record.Say, []byte(one))
			must(err)
		}
		must(w.Close(at+1_000_000, "end"))
	}
	goOn(second)
	goOn(first, `{"type":"move","seq":2,"t":3,"board":"1","game":1,"ply":2,"side":"black","uci":"e7e5","san":"e5","clock":{"white":90,"black":90},"committed_by":"press"}`)
	r := &rounds{dir: dir, mirror: true, people: people.Open(filepath.Join(dir, peopleFile), time.Now)}
	check := func(want int) {
		t.Helper()
		all, err := r.Rounds()
		must(err)
		games, err := r.Games(t.Context(), all[0].ID)
		if err != nil || len(games) != want || games[0].Plies != 2 {
			t.Errorf("%d games are to count: %+v %v", want, games, err)
		}
		var results, pgn bytes.Buffer
		must(r.Write(t.Context(), &results, all[0].ID, web.ResultsCSV, "en"))
		must(r.Write(t.Context(), &pgn, all[0].ID, web.GamesPGN, "en"))
		if rows := strings.Count(results.String(), "W,B,"); rows != 1 || strings.Count(pgn.String(), "[Result ") != want {
			t.Errorf("results %q, games %s", results.String(), pgn.String())
		}
	}
	check(1)
	goOn(second, `{"type":"game","seq":2,"t":9,"board":"1","game":2,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`)
	check(2)
}
