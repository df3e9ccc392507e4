package report_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/people"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/report"
	"boardwatchd/internal/said"
	"boardwatchd/rules/words"
)

// round is one with everything: long names, other scripts, markup, decisions, a board without offences, one without a
// name.
var round = []table{
	{board: "2", event: "Open <i>", round: "4", white: "محمد العربي", black: "Иванова, Анна <script>alert(1)</script>", note: "seen </table> by two", seed: 11, games: 1, offences: 120},
	{board: "10", event: "Open <i>", round: "4", white: "王小明", black: "शर्मा, अनिल", note: "सही", seed: 12, games: 2, offences: 120},
	{board: "1", event: "Open <i>", round: "4", white: long, black: long, note: long, seed: 13, games: 1, offences: 60, undecided: true},
	{board: "3", event: "Open <i>", round: "4", seed: 14, games: 1},
}

// collect reads journals into reports.
func collect(t testing.TB, opt report.Options, files ...string) *report.Collector {
	t.Helper()
	c := &report.Collector{Options: opt}
	for _, f := range files {
		src, err := recording.Open(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		book, err := people.Read(filepath.Join(filepath.Dir(f), "people.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Add(f, src, "1", book); err != nil && !errors.Is(err, report.ErrNoGame) {
			t.Fatal(err)
		}
		if err := src.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func written(t testing.TB, r *report.Report) (html, text string) {
	t.Helper()
	var h, j bytes.Buffer
	if err := r.HTML(&h); err != nil {
		t.Fatal(err)
	}
	if err := r.JSON(&j); err != nil {
		t.Fatal(err)
	}
	return h.String(), j.String()
}

func one(t testing.TB, c *report.Collector) *report.Report {
	t.Helper()
	all := c.Reports()
	if len(all) != 1 {
		t.Fatalf("%d reports", len(all))
	}
	return all[0]
}

// A board that was moved since names the table of its journal, and the table of today only where the journal has none.
func TestAnEarlierRoundNamesItsOwnTables(t *testing.T) {
	called := func(string, string) (shown, table string) { return "dgt-31415", "3" }
	for _, c := range []struct {
		paired, want string
		restarted    bool
	}{{"7", "7", false}, {"7", "7", true}, {"", "3", false}} {
		w := write(t, t.TempDir(), table{board: "dgt-31415", event: "Open", round: "4", white: "A", black: "B", paired: c.paired, restarted: c.restarted, seed: 11, games: 1})
		r := one(t, collect(t, report.Options{PGN: true, Called: called}, w.file))
		if res := r.Results(); len(res) != 1 || res[0].Board != c.want {
			t.Errorf("paired at %q: results %v, want table %s", c.paired, res, c.want)
		}
		games := r.Games()
		if len(games) != 1 || games[0].Table != c.want || !strings.Contains(games[0].PGN, "[Board \""+c.want+"\"]") {
			t.Errorf("paired at %q: game of table %q, want %s\n%.200s", c.paired, games[0].Table, c.want, games[0].PGN)
		}
	}
}

// ruled returns the result of the ruling that was confirmed last in a game. The generated players, who do not hear of
// decisions, play on after it; the arbiter's decision is the result.
func ruled(findings []report.Finding, game int) (result string) {
	for _, f := range findings {
		var r said.Ruling
		if f.Game == game && f.Decided == "confirm" && json.Unmarshal(f.Ruling, &r) == nil && r.Result != nil {
			result = *r.Result
		}
	}
	return result
}

// The report has the content of the journal: results, every decision with its author, strikes, the head.
func TestTheReportSaysWhatTheJournalsSay(t *testing.T) {
	dir := t.TempDir()
	var files []string
	games, decided := 0, 0
	truth := map[string]played{}
	for _, tb := range round {
		p := write(t, dir, tb)
		files = append(files, p.file)
		games += len(p.truth.Games)
		decided += p.decided
		truth[tb.board] = p
	}
	if decided < 5 {
		t.Fatalf("%d decisions: nothing is tested", decided)
	}
	r := one(t, collect(t, report.Options{}, files...))
	if len(r.Games()) != games {
		t.Errorf("%d games, %d were played", len(r.Games()), games)
	}
	for i, want := range []string{"1", "2", "3", "10"} {
		if r.Journals[i].Board != want {
			t.Errorf("board %s stands in place %d", r.Journals[i].Board, i+1)
		}
	}
	n, strikes := 0, 0
	for _, j := range r.Journals {
		for i, g := range j.Games {
			real := truth[j.Board].truth.Games[i]
			if want := cmp.Or(ruled(j.Findings, g.Game), real.Result); string(g.Result) != want && g.Result != "" {
				t.Errorf("board %s game %d: %s, and it was %s", j.Board, g.Game, g.Result, want)
			}
			if want := truth[j.Board].strikes[g.Game]; g.Strikes != want {
				t.Errorf("board %s game %d: strikes %v, and it was %v", j.Board, g.Game, g.Strikes, want)
			}
			if g.Clock == nil || g.Clock.White <= 0 || g.WallMS == 0 || g.Profile != "fide-standard" {
				t.Errorf("board %s game %d: %+v", j.Board, g.Game, g)
			}
			if g.White != "" {
				strikes += g.Strikes.White + g.Strikes.Black
			}
		}
		for _, f := range j.Findings {
			n += len(f.Decisions)
			if len(f.Decisions) > 0 && f.Decided == "" {
				t.Errorf("%s was decided and is not", f.ID)
			}
		}
		headHolds(t, filepath.Join(dir, j.File), j.Head)
	}
	if n != decided {
		t.Errorf("%d decisions, %d were made", n, decided)
	}
	total := 0
	for _, s := range r.Strikes {
		total += s.Total
	}
	if strikes == 0 || total != strikes {
		t.Errorf("%d strikes of games, %d of players", strikes, total)
	}
	for _, lang := range words.Languages() {
		r := one(t, collect(t, report.Options{Lang: lang}, files...))
		html, _ := written(t, r)
		wellFormed(t, lang, html, len(r.Decided())+len(r.Open()), len(files))
	}
	html, text := written(t, r)
	for _, want := range []string{"Open &lt;i&gt;", "محمد العربي", "&lt;script&gt;alert(1)&lt;/script&gt;", "seen &lt;/table&gt; by two", "Ana’s phone &lt;b&gt;", "王小明", "Decided: confirmed"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in the HTML", want)
		}
	}
	var again map[string]any
	if err := json.Unmarshal([]byte(text), &again); err != nil || again["type"] != "report" {
		t.Errorf("%v in the JSON", err)
	}
	if other, otherText := written(t, one(t, collect(t, report.Options{}, files...))); other != html || otherText != text {
		t.Error("the same journals give another report")
	}
}

// headHolds: what is printed proves the journal, as verify --head does.
func headHolds(t *testing.T, file string, h *report.Head) {
	t.Helper()
	head, err := journal.ParseHead(h.Text())
	if err != nil {
		t.Fatal(err)
	}
	src, err := recording.Open(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close() // read only
	heads := replay.NewHeads([]journal.Head{head})
	if _, err := replay.Verify(heads.Over(file, src)); err != nil {
		t.Fatal(err)
	}
	if res := heads.Results(); len(res) != 1 || res[0].State != replay.HeadHeld || *res[0].Record != h.Seq {
		t.Errorf("%s: %+v", file, res)
	}
}

var (
	loads = regexp.MustCompile(`(?i)https?://|src=|@import|url\(|href="[^#]|<script|<link|javascript:`)
	hole  = regexp.MustCompile(`>[^<]*(\{[0-9]\}|sheet\.[a-z_]+|%!)[^<]*<`)
)

func wellFormed(t *testing.T, lang, html string, findings, heads int) {
	t.Helper()
	if m := loads.FindString(strings.ReplaceAll(html, "http://www.w3.org/2000/svg", "")); m != "" {
		t.Errorf("%s: the HTML has %q", lang, m)
	}
	if m := hole.FindString(html); m != "" {
		t.Errorf("%s: a text is missing: %q", lang, m)
	}
	if n := strings.Count(html, `<article class="finding">`); n != findings {
		t.Errorf("%s: %d findings are shown, of %d", lang, n, findings)
	}
	if n := strings.Count(html, "<title>QR code</title>"); n != heads {
		t.Errorf("%s: %d QR codes for %d journals", lang, n, heads)
	}
	if !strings.Contains(html, `<html lang="`+lang+`">`) {
		t.Errorf("%s: the page says another language", lang)
	}
}

// Without names and offences there is neither, in either file.
func TestAnonymousHasNoNamesAndNoOffences(t *testing.T) {
	dir := t.TempDir()
	p := write(t, dir, round[0])
	if p.decided == 0 {
		t.Fatal("nothing was decided: nothing is tested")
	}
	r := one(t, collect(t, report.Options{Anonymous: true}, p.file))
	html, text := written(t, r)
	for _, out := range []string{html, text} {
		for _, secret := range []string{"محمد", "Иванова", "Ana", "seen", "illegal", "irreg", "p-", "Illegal", "confirm"} {
			if i := strings.Index(out, secret); i >= 0 && !strings.HasPrefix(out[max(0, i-4):], "top-") && secret != "p-" {
				t.Errorf("%q is in it: %q", secret, out[max(0, i-40):min(len(out), i+40)])
			}
		}
	}
	if regexp.MustCompile(`p-[a-z0-9]{10}`).MatchString(text) {
		t.Error("the id of a player is in it")
	}
	if len(r.Games()) != 1 || r.Name() != "report-open-i-4-anonymous" {
		t.Errorf("%d games, %s", len(r.Games()), r.Name())
	}
}

func TestOneGameOnly(t *testing.T) {
	dir := t.TempDir()
	a, b := write(t, dir, round[1]), write(t, dir, round[3])
	var opt report.Options
	if err := opt.ParseGame("10:2"); err != nil {
		t.Fatal(err)
	}
	r := one(t, collect(t, opt, a.file, b.file))
	html, _ := written(t, r)
	if g := r.Games(); len(g) != 1 || g[0].Game != 2 || g[0].Board != "10" || !strings.Contains(html, "1. ") || !strings.Contains(html, "[%clk") {
		t.Errorf("%+v", g)
	}
	for _, f := range r.Journals[0].Findings {
		if f.Game != 2 {
			t.Errorf("a finding of game %d", f.Game)
		}
	}
	for _, bad := range []string{"", "0", "x", "10:", "10:-1", "2:10:x"} {
		if err := new(report.Options).ParseGame(bad); err == nil {
			t.Errorf("%q is a game", bad)
		}
	}
}

// Each round has a report of its own, the strikes of a player are those of all rounds.
func TestRoundsApart(t *testing.T) {
	dir := t.TempDir()
	first, second := round[0], round[0]
	second.round, second.seed = "5", 21
	c := collect(t, report.Options{}, write(t, dir, second).file, write(t, dir, first).file)
	all := c.Reports()
	if len(all) != 2 || all[0].Name() == all[1].Name() {
		t.Fatalf("%d reports", len(all))
	}
	rounds := map[string]bool{}
	for _, s := range all[0].Strikes {
		for _, g := range s.Games {
			rounds[g.Round] = true
		}
	}
	if len(rounds) != 2 {
		t.Errorf("strikes of rounds %v", rounds)
	}
}

// Two players of one name are not one: nothing of one board is added to what the other has.
func TestTwoPlayersOfOneName(t *testing.T) {
	dir := t.TempDir()
	const name = "Singh, Gurpreet"
	first, other, next := round[0], round[1], round[0]
	first.white, other.white = name, name
	next.round, next.seed, next.black, next.white = "5", 21, name, "Novak, Jan"
	files := []string{write(t, dir, first).file, write(t, dir, other).file, write(t, dir, next).file}
	for _, tt := range []struct {
		what   string
		files  []string
		rows   int
		shared bool
	}{
		{"one board in each round", []string{files[0], files[2]}, 1, false},
		{"two boards in round 4", files, 2, true},
	} {
		rows, struck := 0, 0
		r := collect(t, report.Options{}, tt.files...).Reports()[0]
		for _, s := range r.Strikes {
			if s.Player != name {
				if s.Shared {
					t.Errorf("%s: %s has another name", tt.what, s.Player)
				}
				continue
			}
			rows++
			boards := map[string]bool{}
			for _, g := range s.Games {
				boards[g.Board] = true
				struck += g.Strikes
			}
			if s.Shared != tt.shared || s.Shared && len(boards) != 1 {
				t.Errorf("%s: %+v", tt.what, s)
			}
		}
		if rows != tt.rows || struck < 2 {
			t.Errorf("%s: %d rows with %d strikes", tt.what, rows, struck)
		}
		var page strings.Builder
		if err := r.HTML(&page); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(page.String(), "It may be two people"); got != tt.shared {
			t.Errorf("%s: the page says so: %v", tt.what, got)
		}
	}
}

// A journal that is damaged, cut, or of nothing, is reported as far as it goes, and so is a file that is missing.
func TestDamagedJournals(t *testing.T) {
	dir := t.TempDir()
	p := write(t, dir, round[0])
	text, err := os.ReadFile(p.file)
	if err != nil {
		t.Fatal(err)
	}
	for n, broken := range map[string][]byte{
		"cut in a line":   text[:len(text)/2],
		"a line of noise": append(append(append([]byte{}, text[:len(text)/3]...), "\x00\x01 noise\n"...), text[len(text)/3:]...),
		"one record":      text[:bytes.IndexByte(text, '\n')+1],
	} {
		file := filepath.Join(dir, "board9-r4.bwj")
		if err := os.WriteFile(file, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		c := collect(t, report.Options{}, file)
		c.Missing("/somewhere/gone.bwj", os.ErrNotExist)
		r := one(t, c)
		html, _ := written(t, r)
		if j := r.Journals[0]; j.State == "closed" || j.Head == nil {
			t.Errorf("%s: %s", n, j.State)
		}
		if !strings.Contains(html, "gone.bwj") || strings.Contains(html, "somewhere") {
			t.Errorf("%s: the missing file is not named by its name", n)
		}
	}
}

// The pieces are read from the page's own drawings.
func TestAllPiecesAreDrawn(t *testing.T) {
	html, _ := written(t, one(t, collect(t, report.Options{}, write(t, t.TempDir(), round[3]).file)))
	for _, piece := range "pnbrqkPNBRQK" {
		if !regexp.MustCompile(`<symbol id="p-` + string(piece) + `" viewBox="0 0 100 100"><path class="[wb]" d="m[^"]{40,}"/><path class="[wb]l" d="m[^"]{6,}"/>`).MatchString(html) {
			t.Errorf("%c is not drawn", piece)
		}
	}
}
