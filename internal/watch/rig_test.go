package watch_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// A told holds the fields of the machine's output that these tests use.
type told struct {
	Type, UCI, SAN, Judged, What, Detail, Result, By, State, Side, FEN string
	ID, Kind, Proof, Alert, Finding                                    string
	PositionFEN                                                        string `json:"position_fen"`
	Corrects, Illegal                                                  bool
	Accused                                                            bool   `json:"-"` // of findings: it has accused somebody
	CommittedBy                                                        string `json:"committed_by"`
	T                                                                  float64
	Ply, Game                                                          int
	PlyFrom                                                            int  `json:"ply_from"`
	PlyTo                                                              *int `json:"ply_to"`
	Reversed, Chess960                                                 bool
	Moves                                                              json.RawMessage
	Window                                                             struct{ Lo, Hi float64 }
}

// A rig is the machine at the other end of the emulated cable, with the same loop as a station.
type rig struct {
	m      *watch.Machine
	seq    record.Seq
	said   []told
	lines  []string        // all effects, for comparisons
	inputs []record.Record // all records that were stepped
}

// automatic is the default configuration of a daemon.
var automatic = config.Default().Core(config.NewBoard("1", "")).Canonical()

func newRig(src watch.Source) *rig {
	r := &rig{m: watch.New()}
	r.step(0, record.Open, watch.Opening{Format: watch.Format, Source: src, Board: "1", Config: automatic}.Body())
	if src == watch.Live {
		r.step(0, record.Up, watch.Annotation{Device: "emulated"}.Body())
	}
	return r
}

func (r *rig) step(at int64, k record.Kind, body []byte) (tx []byte) {
	r.seq++
	in := record.Record{Seq: r.seq, At: at, Kind: k, Body: append([]byte(nil), body...)}
	r.inputs = append(r.inputs, in)
	for _, e := range r.m.Step(in) {
		r.lines = append(r.lines, e.Kind.String()+" "+string(e.Body))
		if e.Kind == record.Tx {
			tx = append(tx, e.Body...)
			continue
		}
		var v told
		if err := json.Unmarshal(e.Body, &v); err != nil {
			panic(err)
		}
		r.said = append(r.said, v)
	}
	return tx
}

func (r *rig) host(at int64, rx []byte) (tx []byte, wakeAt int64) {
	if len(rx) > 0 {
		tx = append(tx, r.step(at, record.Rx, rx)...)
	}
	for {
		d, ok := r.m.Deadline()
		if !ok {
			return tx, emulator.Never
		}
		if d > at {
			return tx, d
		}
		tx = append(tx, r.step(at, record.Wake, nil)...)
	}
}

// link reports the state of the cable to the machine.
func (r *rig) link(at int64, up bool) {
	if up {
		r.step(at, record.Up, watch.Annotation{Device: "emulated"}.Body())
		return
	}
	r.step(at, record.Down, watch.Annotation{Cause: "unplugged"}.Body())
}

// play watches the whole of the options, with the whole protocol.
func play(t testing.TB, o players.Options) (*rig, players.Truth) {
	t.Helper()
	table, err := players.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return watched(table.Emulator), table.Truth()
}

// watched watches a board with the whole protocol until no more events come.
func watched(e *emulator.Emulator) *rig {
	r := newRig(watch.Live)
	e.OnLink(r.link)
	emulator.Run(e, r.host, 40*second, 1<<50)
	return r
}

// passive judges a foreign recording of the same: that program requested the board once, at the beginning, and this one
// sends nothing.
func passive(t testing.TB, o players.Options) (*rig, players.Truth) {
	t.Helper()
	table, err := players.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return taped(table.Emulator), table.Truth()
}

// taped judges the recording of a board.
func taped(e *emulator.Emulator) *rig {
	r := newRig(watch.Capture)
	last := int64(0)
	emulator.Record(e, func(at int64, dir byte, p []byte) {
		last = at
		if dir == emulator.FromBoard {
			r.step(at, record.Rx, p)
		}
	})
	r.step(last, record.Instruct, watch.Instruction{Do: watch.DoFinish}.Body())
	return r
}

// moves returns the reported moves of each game.
func (r *rig) moves() (games [][]string) {
	for _, v := range r.said {
		switch v.Type {
		case "game":
			games = append(games, nil)
		case "takeback":
			games[v.Game-1] = games[v.Game-1][:min(v.Ply, len(games[v.Game-1]))]
		case "move":
			g := games[v.Game-1]
			if v.Corrects {
				g[v.Ply-1] = v.UCI
				continue
			}
			if v.Ply <= len(g) {
				g = g[:v.Ply-1]
			}
			if v.Illegal {
				v.UCI = "?"
			}
			games[v.Game-1] = append(g, v.UCI)
		}
	}
	return games
}

// results returns the result that stands for each game, "" for none.
func (r *rig) results() (results []string) {
	for _, v := range r.said {
		switch {
		case v.Type == "game":
			results = append(results, "")
		case v.Type == "result" && v.State == "proposed":
			results[v.Game-1] = v.Result
		case v.Type == "result":
			results[v.Game-1] = ""
		}
	}
	return results
}

// truthMoves returns the moves in the machine's notation. From the orthodox array, which is one of the 960, castling is
// the king's move.
func truthMoves(g players.GameTruth) (moves []string) {
	orthodox := g.Start.Placement == legal.StartSetup(518).Placement
	for _, m := range g.Moves {
		uci := m.UCI
		if orthodox && m.Move.IsCastling() {
			uci = m.Move.From().String() + m.Move.To().String()
		}
		moves = append(moves, uci)
	}
	return moves
}

// truthResult returns the result that the board showed: by a position that ends the game, or by the kings.
func truthResult(g players.GameTruth) string {
	pos, err := g.Start.Position()
	if err != nil {
		return err.Error()
	}
	for _, m := range g.Moves {
		pos = pos.After(m.Move)
	}
	switch pos.Outcome() {
	case legal.Checkmate, legal.Stalemate:
		return g.Result
	}
	if g.End == players.EndKings || g.End == players.EndFlag {
		return g.Result
	}
	return ""
}

// compare returns the errors in the record of the games.
func compare(r *rig, truth players.Truth) (wrong []string) {
	got, results := r.moves(), r.results()
	if len(got) != len(truth.Games) {
		wrong = append(wrong, fmt.Sprintf("%d games, want %d", len(got), len(truth.Games)))
	}
	for i := range min(len(got), len(truth.Games)) {
		g := truth.Games[i]
		want := truthMoves(g)
		if unanswered(g) && len(got[i]) == len(want)-1 {
			want = want[:len(want)-1]
		}
		if strings.Join(got[i], " ") != strings.Join(want, " ") {
			n := 0
			for n < len(got[i]) && n < len(want) && got[i][n] == want[n] {
				n++
			}
			wrong = append(wrong, fmt.Sprintf("game %d (%d plies, end %v) differs from ply %d: got %v want %v, got %d plies", i+1, len(want), g.End, n+1, tail(got[i], n), tail(want, n), len(got[i])))
		}
		if want := truthResult(g); results[i] != want {
			wrong = append(wrong, fmt.Sprintf("game %d (end %v) result %q, want %q", i+1, g.End, results[i], want))
		}
	}
	return wrong
}

// unanswered reports whether nothing on the board completes the last move: no press, no reply, no result.
func unanswered(g players.GameTruth) bool {
	n := len(g.Moves)
	return n > 0 && g.Moves[n-1].PressAt == players.NotPressed && truthResult(g) == ""
}

func tail(s []string, n int) []string { return s[max(0, min(n, len(s))):min(len(s), n+4)] }

// long leaves a test to the full run: with the race detector, which makes it eight times as slow and has only one
// goroutine to check, the short run is enough.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine, and long: the full run has it")
	}
}

// seeds returns the seeds to play. BOARDWATCHD_SEEDS=5000 makes it the long run:
//
//	BOARDWATCHD_SEEDS=5000 go test ./internal/watch -run 'CleanGames|Circumstance|Passive|Faults' -timeout 2h -v
func seeds(t *testing.T, n int) (first, last int) {
	if s := os.Getenv("BOARDWATCHD_SEEDS"); s != "" {
		v, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		n = v
	}
	if testing.Short() {
		n = min(n, 10)
	}
	return 1, n
}
