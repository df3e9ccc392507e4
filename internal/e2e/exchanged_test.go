//go:build linux

package e2e

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
)

// evergreen is another game than opera (Anderssen, Berlin 1852).
const evergreen = `1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 Bxb4 5. c3 Ba5 6. d4 exd4 7. O-O d3 8. Qb3 Qf6 9. e5 Qg6 10. Re1 Nge7 11. Ba3 b5
12. Qxb5 Rb8 13. Qa4 Bb6 14. Nbd2 Bb7 15. Ne4 Qf5 16. Bxd3 Qh5 17. Nf6+ gxf6 18. exf6 Rg8 19. Rad1 Qxf3 20. Rxe7+ Nxe7 21. Qxd7+ Kxd7
22. Bf5+ Ke8 23. Bd7+ Kf8 24. Bxe7#`

// evergreenMoves are its moves without their numbers.
func evergreenMoves() (moves []string) {
	for _, word := range strings.Fields(evergreen) {
		if !strings.HasSuffix(word, ".") {
			moves = append(moves, word)
		}
	}
	return moves
}

// TestBoardsExchanged: the cables of two boards are exchanged in the middle of their games. Each port reports that
// another board answers, nothing of one game comes into the record of the other, and both go on when the cables are
// back.
func TestBoardsExchanged(t *testing.T) {
	long(t)
	t.Parallel()
	w := newPlace(t)
	pulled := []emulator.Fault{
		{At: 14 * second, Kind: emulator.Unplug, For: 12 * second},
		{At: 40 * second, Kind: emulator.Unplug, For: 12 * second},
	}
	for i, game := range []string{opera, evergreen} {
		table, err := players.New(players.Options{
			Seed: uint64(31 + i), WaitForHost: true, Board: emulator.BoardOptions{Serial: uint16(1001 + i)},
			Games:  []players.Game{{Moves: players.Moves(game)}},
			Tempo:  players.Tempo{Hand: 750, Press: 330_000, Think: 1_000_000, React: 800_000},
			Faults: emulator.Faults{At: pulled},
		})
		if err != nil {
			t.Fatal(err)
		}
		serveBoard(t, table.Emulator, operaSpeed, w.path(fmt.Sprint("board", i+1))).plugged(t)
	}
	plug := func(first, second string) {
		t.Helper()
		for port, board := range map[string]string{"port1": first, "port2": second} {
			next := w.path(port + ".next")
			if err := errors.Join(os.Symlink(w.path(board), next), os.Rename(next, w.path(port))); err != nil {
				t.Fatal(err)
			}
		}
	}
	plug("board1", "board2")
	d := w.daemon(t, w.write(t, "boardwatchd.yaml", fmt.Sprintf("round: \"1\"\nstate_dir: %s\n%sboards: [{name: b1, port: %s}, {name: b2, port: %s}]\n%s",
		w.state(), ownPage, w.path("port1"), w.path("port2"), hurried)))
	both := func(says string) {
		t.Helper()
		d.out.await(t, says)
		d.out.await(t, says)
	}
	both("game 1")
	both("(link_down)")
	plug("board2", "board1")
	both("(wrong_board) another board answers, serial number 0100")
	d.err.await(t, "The board of b", "answers at the port of b", "put them back")
	both("(link_down)")
	plug("board1", "board2")
	both("(link_up)")
	d.out.await(t, "result proposed: 1-0")
	d.stopped(t)
	for name, moves := range map[string][]string{"b1": strings.Fields(operaMoves), "b2": evergreenMoves()} {
		seen := mustRead(t, w.state(), name+"-r1").tale(t)
		record := seen.san
		if seen.gap != "" {
			record = append(record, somePlies)
		}
		if !begins(record, moves) || len(seen.games) != 1 || len(record) < 6 {
			t.Errorf("%s: %d games, moves %s", name, len(seen.games), strings.Join(record, " "))
		}
		for _, kind := range seen.findings {
			t.Errorf("%s: found %s", name, kind)
		}
	}
}
