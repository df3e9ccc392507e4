package watch

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/sharedtest"
)

// shared returns the path of a file in the folder of recordings beside the project, or skips.
func shared(t testing.TB, name ...string) string {
	t.Helper()
	return sharedtest.Path(t, name...)
}

// chunks returns the messages of an untimed capture.
func chunks(t testing.TB, path string) (rows [][]byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		line = strings.ReplaceAll(strings.TrimSpace(line), " ", "")
		if line == "" || line[0] == '#' {
			continue
		}
		b, err := hex.DecodeString(line)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, b)
	}
	return rows
}

// judge steps the chunks, all at one instant, and returns the output.
func judge(rows [][]byte) (said []map[string]any) {
	m := New()
	seq := record.Seq(1)
	step := func(k record.Kind, body []byte) {
		for _, e := range m.Step(record.Record{Seq: seq, Kind: k, Body: body}) {
			var v map[string]any
			if json.Unmarshal(e.Body, &v) == nil {
				said = append(said, v)
			}
		}
		seq++
	}
	step(record.Open, Opening{Format: Format, Source: Capture, Board: "1"}.Body())
	for _, r := range rows {
		step(record.Rx, r)
	}
	step(record.Instruct, Instruction{Do: DoFinish}.Body())
	return said
}

// recut joins the chunks and splits them again at random places.
func recut(rows [][]byte, rng *rand.Rand, longest int) (cut [][]byte) {
	for all := bytes.Join(rows, nil); len(all) > 0; {
		n := min(1+rng.IntN(longest), len(all))
		cut = append(cut, all[:n])
		all = all[n:]
	}
	return cut
}

// what returns the output without the sequence numbers, which count chunks.
func what(said []map[string]any) string {
	var b strings.Builder
	for _, v := range said {
		delete(v, "seq")
		delete(v, "id")
		delete(v, "finding")
		delete(v, "evidence")
		line, _ := json.Marshal(v)
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

func TestChunkBoundariesMeanNothing(t *testing.T) {
	for _, name := range []string{"dgtdriver-game1", "dgtdriver-game2-rotated", "dgtdriver-game3-johan"} {
		rows := chunks(t, shared(t, "captures/"+name+".hex"))
		want := what(judge(rows))
		for seed, longest := range []int{1, 2, 3, 7, 64, 1000, 100_000} {
			if got := what(judge(recut(rows, rand.New(rand.NewPCG(1, uint64(seed))), longest))); got != want {
				t.Errorf("%s in chunks of up to %d bytes says\n%s\nwant\n%s", name, longest, got, want)
			}
		}
	}
}

func TestCaptures(t *testing.T) {
	for _, c := range []struct {
		file, moves string
		presses     int
		end         string
	}{
		{"dgtdriver-game1", "dgtdriver-game1.uci", 57, ""},
		{"dgtdriver-game2-rotated", "dgtdriver-game2-rotated.uci", 98, ""},
		{"dgtdriver-game3-johan", "dgtdriver-game3-johan.pgn", 43, "1-0 kings proposed"},
	} {
		t.Run(c.file, func(t *testing.T) {
			said := judge(chunks(t, shared(t, "captures/"+c.file+".hex")))
			var moves []string
			presses, end := 0, ""
			for _, v := range said {
				switch v["type"] {
				case "move":
					if strings.HasSuffix(c.moves, ".uci") {
						moves = append(moves, v["uci"].(string))
					} else {
						moves = append(moves, v["san"].(string))
					}
				case "press":
					presses++
					if v["judged"] != "ok" {
						t.Errorf("press judged %v", v)
					}
				case "result":
					end = fmt.Sprint(v["result"], " ", v["by"], " ", v["state"])
				case "finding", "health":
					if v["kind"] == "end.result_signal" {
						continue
					}
					t.Errorf("said on a clean game: %v", v)
				}
			}
			if want := listed(t, shared(t, "captures/"+c.moves)); strings.Join(moves, " ") != strings.Join(want, " ") {
				t.Errorf("moves\n got %v\nwant %v", moves, want)
			}
			if presses != c.presses || end != c.end {
				t.Errorf("%d presses and end %q, want %d and %q", presses, end, c.presses, c.end)
			}
		})
	}
}

// listed reads the moves of a list beside a capture: numbered rows, two moves each.
func listed(t *testing.T, path string) (moves []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range strings.Fields(string(text)) {
		if strings.HasSuffix(w, ".") || w == "*" || strings.Contains(w, "1-0") {
			continue
		}
		moves = append(moves, w)
	}
	return moves
}
