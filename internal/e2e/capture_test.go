//go:build linux

package e2e

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// recorded are the three games recorded on real boards, with what happened.
var recorded = []struct {
	name, moves string
	presses     int
	result      string
	last        string // of the lines that the daemon prints while it runs
}{
	{"dgtdriver-game1", "dgtdriver-game1.uci", 57, "", "29.   Bf6"},
	{"dgtdriver-game2-rotated", "dgtdriver-game2-rotated.uci", 98, "", "49... Kh7"},
	{"dgtdriver-game3-johan", "dgtdriver-game3-johan.pgn", 43, "1-0 by kings, proposed", "result proposed: 1-0 by kings"},
}

// wire returns the messages of a recorded game.
func wire(t testing.TB, name string) (messages [][]byte) {
	t.Helper()
	text, err := os.ReadFile(shared(t, "captures/"+name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		p, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(line), " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, p)
	}
	return messages
}

// listed reads the list of moves beside a recorded game.
func listed(t testing.TB, file string) (moves []string) {
	t.Helper()
	text, err := os.ReadFile(shared(t, "captures/"+file))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range strings.Fields(string(text)) {
		if !strings.HasSuffix(w, ".") && w != "*" && w != "1-0" {
			moves = append(moves, w)
		}
	}
	return moves
}

// cuts parts bytes at random places; longest 0 leaves them whole.
func cuts(p []byte, rng *rand.Rand, longest int) (chunks [][]byte) {
	for len(p) > 0 {
		n := len(p)
		if longest > 0 {
			n = min(n, 1+rng.IntN(longest))
		}
		chunks, p = append(chunks, p[:n]), p[n:]
	}
	return chunks
}

// timedCapture writes the chunks as a timed capture, 50 ms a message. The
// game needs its time: a press is judged with what comes after it.
func timedCapture(messages [][]byte, rng *rand.Rand, longest int) string {
	var b strings.Builder
	b.WriteString(`{"board":"7","note":"cut anew"}` + "\n")
	at := 1_700_000_000.0 // any origin
	for _, m := range messages {
		for _, c := range cuts(m, rng, longest) {
			fmt.Fprintf(&b, `{"t":%.3f,"dir":"rx","hex":"%x"}`+"\n", at, c)
			at += 0.002
		}
		at += 0.05
	}
	return b.String()
}

// tale is what was seen, from the objects of the contract.
type tale struct {
	games    []string // the positions they began from
	uci, san []string
	presses  map[string]int // by what they were judged
	result   string
	findings []string
	health   []string
	broken   bool
	gap      string // what stands for the plies from here to the next move, if they are not known
	summary  map[string]any
}

// said reads JSON lines.
func said(t testing.TB, jsonl string) tale {
	t.Helper()
	w := tale{presses: map[string]int{}}
	for i, line := range strings.Split(strings.TrimSpace(jsonl), "\n") {
		if err := w.add([]byte(line)); err != nil {
			t.Fatalf("line %d: %v: %s", i+1, err, line)
		}
	}
	return w
}

// add takes one object.
func (w *tale) add(object []byte) error {
	var o map[string]any
	if err := json.Unmarshal(object, &o); err != nil {
		return err
	}
	text := func(key string) string { s, _ := o[key].(string); return s }
	ply, _ := o["ply"].(float64)
	switch o["type"] {
	case "game":
		w.games = append(w.games, text("fen"))
		w.uci, w.san = nil, nil
	case "move":
		if o["corrects"] == true && int(ply) <= len(w.uci) {
			w.uci[int(ply)-1], w.san[int(ply)-1] = text("uci"), text("san")
			break
		}
		w.back(int(ply) - 1)
		for w.gap != "" && len(w.uci) < int(ply)-1 { // moves that nobody saw
			w.uci, w.san = append(w.uci, w.gap), append(w.san, w.gap)
			w.gap = onePly
		}
		w.gap = ""
		w.uci, w.san = append(w.uci, text("uci")), append(w.san, text("san"))
		if len(w.uci) != int(ply) {
			return fmt.Errorf("ply %v is the move number %d", ply, len(w.uci))
		}
	case "takeback":
		w.back(int(ply))
	case "press":
		w.presses[text("judged")]++
	case "result":
		w.result = text("result") + " by " + text("by") + ", " + text("state")
	case "finding":
		if text("alert") == "now" && !strings.HasPrefix(text("kind"), "end.") && !strings.HasPrefix(text("kind"), "clock.flag") {
			w.findings = append(w.findings, text("kind"))
		}
	case "ruling", "hands":
	case "health":
		w.health = append(w.health, text("what"))
		w.broken = w.broken || text("what") == "record_broken"
		if text("what") == "not_known" {
			from, _ := o["ply_from"].(float64)
			w.back(int(from) - 1)
			if w.gap = onePly; o["ply_to"] == nil {
				w.gap = somePlies
			}
		}
	case "summary":
		w.summary = o
	default:
		return fmt.Errorf("no object of the contract")
	}
	return nil
}

// What stands in a record for plies that are not known.
const (
	onePly    = "?"
	somePlies = "…" // how many is not known either
)

// fits says that a record is that of the moves: each ply of it is one of theirs, in order, but for those that are not
// known.
func fits(record, moves []string) bool {
	switch {
	case len(record) == 0:
		return len(moves) == 0
	case record[0] == somePlies:
		return fits(record[1:], moves) || len(moves) > 0 && fits(record, moves[1:])
	}
	return len(moves) > 0 && (record[0] == onePly || record[0] == moves[0]) && fits(record[1:], moves[1:])
}

// begins says that a record is that of the first of the moves.
func begins(record, moves []string) bool {
	for n := range len(moves) + 1 {
		if fits(record, moves[:n]) {
			return true
		}
	}
	return false
}

func (w *tale) back(plies int) {
	if plies >= 0 && plies < len(w.uci) {
		w.uci, w.san = w.uci[:plies], w.san[:plies]
	}
}

// checkRecorded compares with what happened in a recorded game.
func checkRecorded(t *testing.T, w tale, game int) {
	t.Helper()
	checkMoves(t, w, game, listed(t, recorded[game].moves))
}

func checkMoves(t *testing.T, w tale, game int, want []string) {
	t.Helper()
	g := recorded[game]
	moves := w.uci
	if strings.HasSuffix(g.moves, ".pgn") {
		moves = w.san
	}
	if strings.Join(moves, " ") != strings.Join(want, " ") {
		t.Errorf("moves\n got %v\nwant %v", moves, want)
	}
	if len(w.presses) != 1 || w.presses["ok"] != g.presses {
		t.Errorf("presses %v, want %d ok", w.presses, g.presses)
	}
	if w.result != g.result || len(w.games) != 1 || len(w.findings) != 0 || w.broken {
		t.Errorf("%d games, result %q, findings %v, health %v; want 1 game, %q and no finding", len(w.games), w.result, w.findings, w.health, g.result)
	}
}

// TestRecordedGames: every format of the same game tells the same tale.
func TestRecordedGames(t *testing.T) {
	t.Parallel()
	for i, g := range recorded {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			w := newPlace(t)
			messages := wire(t, g.name)
			all := bytes.Join(messages, nil)
			rng := rand.New(rand.NewPCG(3, uint64(i)))
			text, err := os.ReadFile(shared(t, "captures/"+g.name+".hex"))
			if err != nil {
				t.Fatal(err)
			}
			files := map[string][]byte{
				"game.hex": text, "game.hex.gz": gzipped(text), "game.hex.zst": zstandard(t, text),
				"game.bin": all, "game.bin.gz": gzipped(all), "no-extension": all,
				"whole.jsonl":  []byte(timedCapture(messages, rng, 0)),
				"cut.jsonl":    []byte(timedCapture(messages, rng, 5)),
				"byte.jsonl":   []byte(timedCapture(messages, rng, 1)),
				"joined.jsonl": []byte(joinedCapture(all, rng)),
			}
			files["cut.jsonl.zst"] = zstandard(t, files["cut.jsonl"])
			for name, content := range files {
				r := w.run(t, "", "replay", "--format", "jsonl", w.write(t, name, string(content))).want(t, 0)
				seen := said(t, r.out)
				checkRecorded(t, seen, i)
				if seen.summary["bytes"] != float64(len(all)) || seen.summary["frames"] != float64(len(messages)) || seen.summary["garbage"] != 0.0 {
					t.Errorf("%s: summary %v, want %d bytes in %d frames", name, seen.summary, len(all), len(messages))
				}
				if t.Failed() {
					t.Fatalf("first in %s", name)
				}
			}
			checkRecorded(t, said(t, w.run(t, string(all), "replay", "--format", "jsonl", "-").want(t, 0).out), i)
		})
	}
}

// joinedCapture cuts the stream without regard for messages, and much faster
// than the game was played: a chunk of about 20 bytes each 20 ms, the line's own
// pace. Slower, and a message that is cut would be one that does not go on.
func joinedCapture(all []byte, rng *rand.Rand) string {
	var b strings.Builder
	at := 0.0
	for _, c := range cuts(all, rng, 40) {
		fmt.Fprintf(&b, `{"t":%.3f,"dir":"rx","hex":"%x"}`+"\n", at, c)
		at += 0.02
	}
	return b.String()
}

func zstandard(t testing.TB, p []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll(p, nil)
}

// TestPGNOfRecordedGames: the PGN has the moves and the result that were seen.
func TestPGNOfRecordedGames(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	for _, g := range recorded {
		pgn := w.run(t, "", "pgn", shared(t, "captures/"+g.name+".hex")).want(t, 0).out
		if !strings.Contains(pgn, "%clk") {
			t.Errorf("%s: no clock times in\n%s", g.name, pgn)
		}
		if strings.HasSuffix(g.moves, ".pgn") {
			want := listed(t, g.moves)
			if got := movesOfPGN(pgn); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s: moves\n got %v\nwant %v", g.name, got, want)
			}
		}
	}
}

// TestPGNOfAPart: a capture that was copied in part has the games before its end.
func TestPGNOfAPart(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	text, err := os.ReadFile(shared(t, "captures/"+recorded[0].name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	packed := gzipped(text)
	r := w.run(t, "", "pgn", w.write(t, "part.hex.gz", string(packed[:len(packed)/2]))).want(t, 1)
	if !strings.Contains(r.out, "1. e4") || !strings.Contains(r.err, "cut short; copy it again") {
		t.Errorf("it shows\n%s\nand says %q", clip(r.out), r.err)
	}
}

// movesOfPGN takes the words of the move text that are moves.
func movesOfPGN(pgn string) (moves []string) {
	depth := 0
	for _, line := range strings.Split(pgn, "\n") {
		if strings.HasPrefix(line, "[") {
			continue
		}
		for _, w := range strings.Fields(strings.NewReplacer("{", " { ", "}", " } ").Replace(line)) {
			switch {
			case w == "{":
				depth++
			case w == "}":
				depth--
			case depth == 0 && !strings.HasSuffix(w, ".") && !strings.Contains(w, "1-0") && w != "*":
				moves = append(moves, w)
			}
		}
	}
	return moves
}

// A recording that ends while a finding waits for a second look ends all the same, and the finding stays a suspicion.
func TestARecordingEndsInDoubt(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	var lines strings.Builder
	for _, l := range []struct {
		at  string
		hex string
	}{
		{"0.577", "86004308090a0c0b0a0908" + strings.Repeat("07", 8) + strings.Repeat("00", 32) + strings.Repeat("01", 8) + "0203040605040302"},
		{"2.529", "8d000a20050020050008"}, {"3.521", "8d000a20050020050008"}, {"4.529", "8d000a20050020050009"},
		{"5.521", "8d000a20050020045909"}, {"6.321", "8e00050d00"}, {"6.529", "8d000a20050020045809"},
		{"6.577", "8e00051507"}, {"7.521", "8d000a20050320050109"},
	} {
		fmt.Fprintf(&lines, "{\"t\":%s,\"dir\":\"rx\",\"hex\":%q}\n", l.at, l.hex)
	}
	file := w.write(t, "cut.jsonl", lines.String())
	out := w.run(t, "", "replay", "--format", "jsonl", file).want(t, 0).out
	if !strings.Contains(out, `"state":"suspected"`) || strings.Contains(out, `"state":"confirmed"`) || !strings.Contains(out, `"type":"summary"`) {
		t.Error(out)
	}
}
