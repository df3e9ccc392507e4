package replay_test

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/notnil/chess"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/pgn"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/watch"
)

// rows is a source in memory.
type rows struct {
	recs    []record.Record
	journal bool
	at      int
}

func (r *rows) Next() (recording.Item, error) {
	if r.at == len(r.recs) {
		return recording.Item{}, io.EOF
	}
	r.at++
	return recording.Item{Record: r.recs[r.at-1]}, nil
}

func (r *rows) Journal() bool { return r.journal }

// capture records generated games as a passive listener would.
func capture(t testing.TB, seed uint64, games int) *rows {
	t.Helper()
	src := &rows{}
	_, err := players.Record(players.Options{Seed: seed, Count: games}, func(at int64, dir byte, p []byte) {
		if dir == emulator.FromBoard {
			src.recs = append(src.recs, record.Record{Seq: record.Seq(len(src.recs) + 2), At: at, Kind: record.Rx, Body: append([]byte(nil), p...)})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// journal runs a capture into a journal on disk and opens that.
func journalOf(t *testing.T, src *rows) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "game.bwj")
	c, err := replay.NewCopier(path)
	if err != nil {
		t.Fatal(err)
	}
	opt := replay.Options{Board: "1"}
	c.Tee(&opt)
	_, _, err = replay.Run(src, opt)
	if err := errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T, path string) *recording.Source {
	t.Helper()
	src, err := recording.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

func TestAJournalMadeFromACaptureVerifies(t *testing.T) {
	path := journalOf(t, capture(t, 3, 2))
	c, err := replay.Verify(open(t, path))
	if err != nil || c.First != nil || c.Effects < 50 || c.Core != watch.Revision {
		t.Fatalf("%+v, %v", c, err)
	}
}

func TestAnyCutOfAJournalVerifies(t *testing.T) {
	var all []record.Record
	src := open(t, journalOf(t, capture(t, 4, 1)))
	for {
		it, err := src.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		it.Record.Body = append([]byte(nil), it.Record.Body...)
		all = append(all, it.Record)
	}
	for n := range all {
		c, err := replay.Verify(&rows{recs: all[:n], journal: true})
		if err != nil || c.First != nil {
			t.Fatalf("the first %d records: %v, %v", n, c.First, err)
		}
	}
}

func TestVerifyShowsTheFirstDifference(t *testing.T) {
	at := func(seq record.Seq, k record.Kind, body string) record.Record {
		return record.Record{Seq: seq, Kind: k, Body: []byte(body)}
	}
	open := record.Record{Seq: 1, Kind: record.Open, Body: watch.Opening{Format: watch.Format, Source: watch.Capture, Core: "0", Board: "1"}.Body()}
	start := append([]byte{0x86, 0x00, 0x43, 8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7}, make([]byte, 32)...)
	start = append(start, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 5, 4, 3, 2)
	rx := record.Record{Seq: 2, Kind: record.Rx, Body: start}
	for _, c := range []struct {
		name string
		recs []record.Record
		want string
	}{
		{"an effect that is not said now", []record.Record{open, at(2, record.Wake, ""), at(3, record.Say, `{"type":"x"}`)}, `record 3`},
		{"another effect than then", []record.Record{open, rx, at(3, record.Say, `{"type":"x"}`)}, `record 3`},
		{"an effect that is missing before the next input", []record.Record{open, rx, at(3, record.Wake, "")}, `then: nothing`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := replay.Verify(&rows{recs: c.recs, journal: true})
			if err != nil || got.First == nil || !strings.Contains(got.First.String(), c.want) || got.Core != "0" {
				t.Errorf("%v, %v; want %q", got.First, err, c.want)
			}
		})
	}
	t.Run("an effect that the writer did not live to write", func(t *testing.T) {
		got, err := replay.Verify(&rows{recs: []record.Record{open, rx}, journal: true})
		if err != nil || got.First != nil || got.Owed != 1 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestReplayIsTheSameTwice(t *testing.T) {
	said := func() string {
		var b strings.Builder
		_, sum, err := replay.Run(capture(t, 5, 2), replay.Options{Board: "1", Effect: func(_ record.Record, e watch.Effect) {
			fmt.Fprintf(&b, "%v %s\n", e.Kind, e.Body)
		}})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s%+v", b.String(), sum)
	}
	if a, b := said(), said(); a != b || !strings.Contains(a, `"type":"move"`) {
		t.Error("two replays of one capture differ")
	}
}

func TestGamesBecomePGN(t *testing.T) {
	var games replay.Games
	games.Opening(watch.Opening{Format: watch.Format, Wall: "2026-11-21T09:00:00Z", Config: []byte(`{"event":"Open","round":"3"}`)}.Body())
	for _, body := range []string{
		`{"type":"game","board":"7","game":1,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`,
		`{"type":"move","game":1,"ply":1,"uci":"e2e4","clock":{"white":181,"black":180}}`,
		`{"type":"move","game":1,"ply":2,"uci":"e7e5","clock":{"white":181,"black":179}}`,
		`{"type":"move","game":1,"ply":3,"uci":"g1f3","clock":null}`,
		`{"type":"takeback","game":1,"ply":2}`,
		`{"type":"move","game":1,"ply":3,"uci":"f1c4","clock":null}`,
		`{"type":"result","game":1,"result":"1-0","by":"kings","state":"proposed"}`,
	} {
		games.Said([]byte(body))
	}
	text, err := games.PGN(replay.Parts)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`[Board "7"]`, `[Event "Open"]`, `[Date "2026.11.21"]`, `[Round "3"]`, `[Result "1-0"]`, `1. e4 {[%clk 0:03:01]} 1... e5 {[%clk 0:02:59]} 2. Bc4 1-0`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// How long a move has taken is known by the clock where the increment is configured, all three plies were pressed, and
// the clock ran between; else by the time between two presses.
func TestElapsedTimesInThePGN(t *testing.T) {
	const thirty = `"time_control":[{"base":5400000000,"increment":30000000}]`
	for name, c := range map[string]struct{ config, third, fourth, want string }{
		"with increment":       {thirty, "", "", "2. Nf3 {[%clk 1:31:20] [%emt 0:00:08]} 2... Nc6 {[%clk 1:29:00] [%emt 0:02:10]}"},
		"not configured":       {`"event":"Open"`, "", "", "2. Nf3 {[%clk 1:31:20] [%emt 0:00:08]} 2... Nc6 {[%clk 1:29:00] [%emt 0:02:11]}"},
		"another control":      {`"time_control":[{"increment":0}]`, "", "", "2. Nf3 {[%clk 1:31:20]} 2... Nc6 {[%clk 1:29:00]}"},
		"with delay":           {`"time_control":[{"increment":30000000,"delay":5000000}]`, "", "", "2. Nf3 {[%clk 1:31:20] [%emt 0:00:08]} 2... Nc6 {[%clk 1:29:00] [%emt 0:02:11]}"},
		"not pressed":          {thirty, `"committed_by":"reply"`, "", "2. Nf3 {[%clk 1:31:20]} 2... Nc6 {[%clk 1:29:00]}"},
		"clock was set":        {thirty, "", `"clock":{"white":5480,"black":5460}`, "2... Nc6 {[%clk 1:31:00]}"},
		"set, not configured":  {`"event":"Open"`, "", `"clock":{"white":5480,"black":5200}`, "2... Nc6 {[%clk 1:26:40]}"},
		"the first move":       {thirty, "", "", "1. e4 {[%clk 1:30:58] [%emt 0:00:02]}"},
		"first, less time set": {`"time_control":[{"base":3600000000,"increment":30000000}]`, "", "", "1. e4 {[%clk 1:30:58]}"},
		"first, without bonus": {`"time_control":[{"base":5430000000,"increment":30000000}]`, "", "", "1. e4 {[%clk 1:30:58] [%emt 0:00:02]}"},
		"first, not known":     {`"event":"Open"`, "", "", "1. e4 {[%clk 1:30:58]}"},
		"stood still for long": {`"event":"Open"`, "", `"clock":{"white":5480,"black":5430}`, "2... Nc6 {[%clk 1:30:30]}"},
	} {
		var games replay.Games
		games.Opening(watch.Opening{Format: watch.Format, Config: []byte("{" + c.config + "}")}.Body())
		third, fourth := `"committed_by":"press"`, `"clock":{"white":5480,"black":5340}`
		if c.third != "" {
			third = c.third
		}
		if c.fourth != "" {
			fourth = c.fourth
		}
		for _, body := range []string{
			`{"type":"game","board":"7","game":1,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`,
			`{"type":"move","t":10.5,"ply":1,"uci":"e2e4","committed_by":"press","clock":{"white":5458,"black":5430}}`,
			`{"type":"move","t":20.25,"ply":2,"uci":"e7e5","committed_by":"press","clock":{"white":5458,"black":5440}}`,
			`{"type":"move","t":28,"ply":3,"uci":"g1f3",` + third + `,"clock":{"white":5480,"black":5440}}`,
			`{"type":"move","t":158.75,"ply":4,"uci":"b8c6","committed_by":"press",` + fourth + `}`,
		} {
			games.Said([]byte(body))
		}
		text, err := games.PGN(replay.Parts)
		if got := strings.ReplaceAll(string(text), "\n", " "); err != nil || !strings.Contains(got, c.want) || !strings.Contains(got, "1... e5 {[%clk 1:30:40] [%emt 0:00:10]}") {
			t.Errorf("%s: %v no %q in\n%s", name, err, c.want, text)
		}
	}
}

// A promotion piece that is read later: the move is said again, and the moves after it stay.
func TestACorrectedMoveStandsInThePGN(t *testing.T) {
	for _, c := range []struct{ piece, want string }{
		{"r", "8. a8=R+ Kd7 9. Kd1 *"},
		{"n", "8. a8=N Kd7 9. Kd1 *"},
	} {
		var games replay.Games
		for _, body := range []string{
			`{"type":"game","board":"7","game":1,"fen":"4k3/P7/8/8/8/8/8/4K3 w - - 0 8"}`,
			`{"type":"move","game":1,"ply":15,"uci":"a7a8q","san":"a8=Q+","clock":null}`,
			`{"type":"move","game":1,"ply":16,"uci":"e8d7","san":"Kd7","clock":null}`,
			`{"type":"move","game":1,"ply":15,"uci":"a7a8` + c.piece + `","corrects":true,"clock":null}`,
			`{"type":"move","game":1,"ply":17,"uci":"e1d1","san":"Kd1","clock":null}`,
		} {
			games.Said([]byte(body))
		}
		text, err := games.PGN(replay.Parts)
		if err != nil || !strings.Contains(string(text), c.want) {
			t.Errorf("%v: no %q in\n%s", err, c.want, text)
		}
	}
}

// An illegal move that stands is no move of PGN: the game goes on after it in another one, which notnil/chess reads
// too.
func TestAGameGoesOnAfterAnIllegalMove(t *testing.T) {
	said := []string{
		`{"type":"game","board":"7","game":1,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`,
		`{"type":"move","ply":1,"uci":"g1f3","san":"Nf3","clock":{"white":181,"black":180}}`,
		`{"type":"move","ply":2,"uci":"d7d6","san":"d6","clock":{"white":181,"black":179}}`,
		`{"type":"move","ply":3,"side":"white","uci":"f3d5","san":"Nd5","clock":null,"illegal":true,"finding":"17:illegal.knight","fen_after":"rnbqkbnr/ppp1pppp/3p4/3N4/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 2"}`,
		`{"type":"move","ply":4,"uci":"c7c6","san":"c6","clock":null}`,
		`{"type":"move","ply":5,"side":"white","uci":null,"san":null,"clock":null,"illegal":true,"finding":"27:illegal.no_move","fen_after":"rnbqkbnr/pp2pppp/2pp4/3N4/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 3"}`,
		`{"type":"move","ply":6,"uci":"c6d5","san":"cxd5","clock":null}`,
		`{"type":"result","result":"0-1","by":"kings","state":"proposed"}`,
	}
	text := func(form replay.Form, more ...string) string {
		var games replay.Games
		for _, body := range append(said, more...) {
			games.Said([]byte(body))
		}
		text, err := games.PGN(form)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	parts := text(replay.Parts)
	for _, want := range []string{
		"2. Nd5 was illegal", `[FEN "rnbqkbnr/ppp1pppp/3p4/3N4/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 2"]`, "2... c6 {3. -- was illegal", "3... cxd5 0-1",
	} {
		if !strings.Contains(strings.ReplaceAll(parts, "\n", " "), want) {
			t.Errorf("no %q in\n%s", want, parts)
		}
	}
	if n := strings.Count(parts, "[Event "); n != 3 || strings.Count(parts, "0-1") != 2 {
		t.Errorf("%d games\n%s", n, parts)
	}
	if p := text(replay.LegalPrefix); strings.Count(p, "[Event ") != 1 || strings.Contains(p, "cxd5") || !strings.Contains(p, `[Result "0-1"]`) {
		t.Errorf("legal prefix\n%s", p)
	}
	if p := text(replay.Full); strings.Count(p, "[Event ") != 1 || strings.Count(p, "cxd5") != 1 || strings.Count(p, "Nd5 was illegal") != 1 || !strings.Contains(strings.ReplaceAll(p, "\n", " "), "stood; 2... c6 3. --") {
		t.Errorf("one game\n%s", p)
	}
	if p := text(replay.Parts, `{"type":"finding","id":"17:illegal.knight","state":"withdrawn"}`); strings.Contains(p, "Nd5 was illegal") {
		t.Errorf("withdrawn\n%s", p)
	}
	if p := text(replay.Parts, `{"type":"takeback","ply":2}`, `{"type":"move","ply":3,"uci":"e2e4","san":"e4","clock":null}`); strings.Count(p, "[Event ") != 1 {
		t.Errorf("taken back\n%s", p)
	}
	for _, one := range strings.SplitAfter(parts, " *\n\n") {
		if one == "" {
			continue
		}
		read, err := chess.PGN(strings.NewReader(one))
		if err != nil {
			t.Errorf("%v in\n%s", err, one)
			continue
		}
		if n := len(chess.NewGame(read).Moves()); n == 0 {
			t.Errorf("no moves read from\n%s", one)
		}
	}
}

// A position in which the side that has moved is in check is one that players go on from. Other readers refuse it: its
// moves stand in a comment until one leads to a position that they take.
func TestAGameGoesOnFromAnImpossiblePosition(t *testing.T) {
	said := []string{
		`{"type":"game","board":"7","game":1,"fen":"4k3/4r3/8/8/8/8/P7/4K3 w - - 0 21"}`,
		`{"type":"move","ply":41,"uci":"a2a4","san":"a4","clock":null,"illegal":true,"finding":"5:illegal.left_in_check","fen_after":"4k3/4r3/8/8/P7/8/8/4K3 b - - 0 21"}`,
		`{"type":"move","ply":42,"uci":"e7d7","san":"Rd7","clock":null}`,
		`{"type":"move","ply":43,"uci":"a4a5","san":"a5","clock":null}`,
		`{"type":"result","result":"1/2-1/2","by":"kings","state":"proposed"}`,
	}
	for n, want := range map[int][]string{
		2: {`[Remark "21. a4 was illegal (illegal.left_in_check) and stood"]`, "\n\n*\n"},
		3: {`stood; 21... Rd7"]`, `[FEN "4k3/3r4/8/8/P7/8/8/4K3 w - - 1 22"]`, `[Part "2/2"]`, "\n\n*\n"},
		5: {`[Part "1/2"]`, `[Remark "continued: 21. a4 was illegal (illegal.left_in_check) and stood; 21... Rd7"]`, "\n\n22. a5 1/2-1/2\n"},
	} {
		var games replay.Games
		for _, body := range said[:n] {
			games.Said([]byte(body))
		}
		text, err := games.PGN(replay.Parts)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("after %d: no %q in\n%s", n, w, text)
			}
		}
		for r := pgn.NewReader(text); ; {
			if _, err := r.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("after %d: %v", n, err)
			}
		}
	}
}

// A game that begins from a position that readers refuse, because the pawn that stands for a queen is read as one, has
// no FEN: its moves are in a remark, once, up to a position that readers accept.
func TestAGameBeginsFromAPositionThatReadersRefuse(t *testing.T) {
	said := []string{
		`{"type":"game","board":"7","game":1,"fen":"4k3/8/8/8/8/8/r7/3PK3 b - - 0 1"}`,
		`{"type":"move","ply":2,"uci":"a2a1","san":"Ra1","clock":null}`,
		`{"type":"move","ply":3,"uci":"e1e2","san":"Ke2","clock":null}`,
		`{"type":"move","ply":4,"uci":"a1d1","san":"Rxd1","clock":null}`,
		`{"type":"move","ply":5,"uci":"e2d1","san":"Kxd1","clock":null}`,
		`{"type":"result","result":"1/2-1/2","by":"kings","state":"proposed"}`,
	}
	const begins = `begins from a position that readers refuse, 4k3/8/8/8/8/8/r7/3PK3 b - - 0 1; 1... Ra1`
	for form, want := range map[replay.Form][]string{
		replay.Parts: {
			`[Remark "` + begins + `; 2. Ke2; 2... Rxd1"]`, `[FEN "4k3/8/8/8/8/8/4K3/3r4 w - - 0 3"]`, `[Part "2/2"]`, "\n\n3. Kxd1 1/2-1/2\n",
		},
		replay.LegalPrefix: {`[Remark "` + begins + `; 2. Ke2; 2... Rxd1"]`, "\n\n1/2-1/2\n"},
		replay.Full:        {`[Remark "` + begins + ` 2. Ke2 2... Rxd1 3. Kxd1"]`, "\n\n1/2-1/2\n"},
	} {
		var games replay.Games
		for _, body := range said {
			games.Said([]byte(body))
		}
		text, err := games.PGN(form)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("form %d: no %q in\n%s", form, w, text)
			}
		}
		if strings.Contains(string(text), `[FEN "4k3/8/8/8/8/8/r7/3PK3`) {
			t.Errorf("form %d: readers get a FEN that they refuse\n%s", form, text)
		}
	}
}

// A queen with the chip of a pawn is read as a pawn. The game is written as the players play it, from the usual array;
// where a move says otherwise it breaks off there. The public text has the moves, and no remark.
func TestAPawnReadInTheQueensPlace(t *testing.T) {
	said := []string{
		`{"type":"game","board":"7","game":1,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBPKBNR w KQkq - 0 1"}`,
		`{"type":"move","ply":1,"uci":"d2d4","san":"d4","clock":{"white":90,"black":90},"committed_by":"press"}`,
		`{"type":"move","ply":2,"uci":"d7d5","san":"d5","clock":{"white":90,"black":88},"committed_by":"press"}`,
	}
	var games replay.Games
	for _, body := range said {
		games.Said([]byte(body))
	}
	text, err := games.PGN(replay.Parts)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`[Remark "a pawn was read on d1 at the start: written as from the usual array"]`, "1. d4 {[%clk 0:01:30]} 1... d5 {[%clk 0:01:28]"} {
		if !strings.Contains(string(text), want) || strings.Contains(string(text), "FEN") {
			t.Errorf("no %q, or a FEN, in\n%s", want, text)
		}
	}
	public := games.LegalPrefixes(strings.Clone)[0]
	if public.Err != nil || len(public.Game.Moves) != 2 || public.Game.Tag("Remark") != "" {
		t.Errorf("public: %+v", public)
	}
	for _, fen := range []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBPKBNR b KQkq - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/PNBPKBNP w kq - 0 1", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBPKBNR w KQkq - 0 1",
	} {
		var games replay.Games
		games.Said(fmt.Appendf(nil, `{"type":"game","board":"7","game":1,"fen":%q}`, fen))
		if text, err := games.PGN(replay.Parts); err != nil || !strings.Contains(string(text), "begins from a position that readers refuse, "+fen) {
			t.Errorf("%s: %v\n%s", fen, err, text)
		}
	}
}
