//go:build linux

package e2e

import (
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
)

// knights are two games whose plies could have been played in several orders.
const (
	threeKnights = "e4 e5 Nf3 Nc6 Nc3"
	fourKnights  = "e4 e5 Nf3 Nc6 Nc3 Nf6 Bb5 Bb4"
)

// unseen lets the daemon see the first two plies of a game only: then it is killed, and comes back when the others have
// been played.
func unseen(t *testing.T, moves string, log emulator.LogAnswer) (place, *process) {
	t.Helper()
	w := newPlace(t)
	table, err := players.New(players.Options{
		Seed: 21, WaitForHost: true, Board: emulator.BoardOptions{Log: log},
		Games: []players.Game{{Moves: players.Moves(moves)}},
		Tempo: players.Tempo{Hand: 750, Press: 330_000, Think: 1_000_000, React: 800_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	board := &heldBoard{Device: table.Emulator, presses: 2}
	b := serveBoard(t, board, operaSpeed, "")
	conf := w.configure(t, b.plugged(t), hurried)
	d := w.daemon(t, conf)
	d.out.await(t, "1... e5")
	d.kill()
	board.free()
	<-b.played
	return w, w.daemon(t, conf)
}

// TestTheBoardsLogFillsAGap: plies that were played while the program was away, and that the position alone does not
// tell, are read from the board's own log: those that were reported as not known, and those that nothing explained. The
// record is that of the game, and the journal verifies.
func TestTheBoardsLogFillsAGap(t *testing.T) {
	long(t)
	t.Parallel()
	for _, c := range []struct{ name, moves, says, comment string }{
		{"not known", threeKnights, "(filled) filled in from the board's own log: 2. Nf3 2... Nc6 3. Nc3", "filled in from the board's own log"},
		{"more than are looked for", fourKnights, "(filled) filled in from the board's own log: 2. Nf3 2... Nc6 3. Nc3 3... Nf6 4. Bb5 4... Bb4", "filled in from the board's own log"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, d := unseen(t, c.moves, emulator.LogTrue)
			d.out.await(t, c.says)
			d.stopped(t)
			w.judged(t)
			pgn := w.run(t, "", "pgn", w.journal()).want(t, 0).out
			if got := movesOf(pgn); got != c.moves || !strings.Contains(strings.Join(strings.Fields(pgn), " "), c.comment) {
				t.Errorf("the moves of the PGN are %s\n%s", got, pgn)
			}
		})
	}
}

// movesOf are the moves of a PGN of one game, without comments.
func movesOf(pgn string) string {
	_, text, _ := strings.Cut(pgn, "\n\n")
	var moves []string
	comment := false
	for _, word := range strings.Fields(strings.NewReplacer("{", " { ", "}", " } ").Replace(text)) {
		switch {
		case word == "{" || word == "}":
			comment = word == "{"
		case comment || word == "*" || strings.HasSuffix(word, "."):
		default:
			moves = append(moves, word)
		}
	}
	return strings.Join(moves, " ")
}

// TestALogOfAnotherGameFillsNothing: a log that holds another game, and then the pieces as they stand, changes nothing.
func TestALogOfAnotherGameFillsNothing(t *testing.T) {
	long(t)
	t.Parallel()
	w, d := unseen(t, threeKnights, emulator.LogOther)
	d.out.await(t, "(not_known)")
	w.awaitLedger(t, "the log and the dump after it", func(l ledger) bool {
		const asked, dumped = "49", "42" // hexadecimal: the log, a dump
		stage := 0
		for _, e := range l.entries {
			switch {
			case stage == 0 && e.kind == "tx" && e.body == asked, stage == 1 && e.kind == "tx" && e.body == dumped, stage == 2 && e.kind == "rx" && strings.Contains(e.body, "860043"):
				stage++
			}
		}
		return stage == 3
	})
	d.stopped(t)
	for _, what := range w.judged(t).health {
		if what == "filled" || what == "log_corrected" || what == "log_read" {
			t.Errorf("health %s", what)
		}
	}
	if pgn := w.run(t, "", "pgn", w.journal()).want(t, 0).out; strings.Contains(pgn, "own log") {
		t.Errorf("the PGN is\n%s", pgn)
	}
}
