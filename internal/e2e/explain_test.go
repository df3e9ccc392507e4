//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/notnil/chess"
)

// A question is a line for explain with what another library knows about it.
type question struct {
	fen   string
	move  string   // "" asks for the legal moves
	legal []string // all of them, sorted
}

// questions walks through random games of the other library. It keeps its hands
// off castling and en passant, which that library gets wrong at the edges
// (documented measurements of the field), unless the position offers neither.
func questions(n int) (all []question) {
	rng := rand.New(rand.NewPCG(1, 2))
	for len(all) < n {
		pos := chess.StartingPosition()
		for ply := 0; ply < 80 && pos.Status() == chess.NoMethod && len(all) < n; ply++ {
			valid := pos.ValidMoves()
			var moves []string
			special := false
			for _, m := range valid {
				moves = append(moves, m.String())
				special = special || m.HasTag(chess.EnPassant) || m.HasTag(chess.KingSideCastle) || m.HasTag(chess.QueenSideCastle)
			}
			slices.Sort(moves)
			q := question{fen: pos.String(), legal: moves}
			switch rng.IntN(3) {
			case 0: // the list
			case 1:
				q.move = moves[rng.IntN(len(moves))]
			case 2: // mostly a piece that could move, to a square of any kind
				q.move = moves[rng.IntN(len(moves))][:2] + square(rng)
				if rng.IntN(4) == 0 {
					q.move = square(rng) + square(rng)
				}
			}
			if !special {
				all = append(all, q)
			}
			pos = pos.Update(valid[rng.IntN(len(valid))])
		}
	}
	return all
}

func square(rng *rand.Rand) string {
	return string([]byte{"abcdefgh"[rng.IntN(8)], "12345678"[rng.IntN(8)]})
}

// offence is the class of kinds of a move that is not legal, taken from who
// stands on the square it begins at.
func offence(fen, move string) string {
	if move[:2] == move[2:4] {
		return "illegal."
	}
	rank := strings.Split(strings.Fields(fen)[0], "/")['8'-move[1]]
	file := int(move[0] - 'a')
	for _, r := range rank {
		if r >= '1' && r <= '8' {
			file -= int(r - '0')
			if file < 0 {
				return "sensor."
			}
			continue
		}
		if file == 0 {
			if (r < 'a') == (strings.Fields(fen)[1] == "w") {
				return "illegal."
			}
			return "irreg."
		}
		file--
	}
	return "?"
}

// TestExplainThousandsOfLines: legal moves as another library lists them, a
// verdict on each move, a reason for each refusal, and the contract's fields.
func TestExplainThousandsOfLines(t *testing.T) {
	t.Parallel()
	asked := questions(6000)
	var in strings.Builder
	for _, q := range asked {
		in.WriteString(q.fen)
		if q.move != "" {
			in.WriteString("\t" + q.move)
		}
		in.WriteString("\n")
	}
	r := newPlace(t).run(t, in.String(), "explain", "--format", "jsonl", "-").want(t, 0)
	lines := strings.Split(strings.TrimRight(r.out, "\n"), "\n")
	if len(lines) != len(asked) {
		t.Fatalf("%d answers to %d questions", len(lines), len(asked))
	}
	judged := map[bool]int{}
	for i, line := range lines {
		if err := checkAnswer(asked[i], line, judged); err != nil {
			t.Fatalf("%q: %v\n%s", asked[i].fen, err, line)
		}
	}
	if judged[true] < 1000 || judged[false] < 1000 {
		t.Errorf("the questions are lopsided: %v", judged)
	}
}

func checkAnswer(q question, line string, judged map[bool]int) error {
	var o map[string]any
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		return err
	}
	if o["fen"] != q.fen {
		return fmt.Errorf("fen is %v", o["fen"])
	}
	if q.move == "" {
		if got := fmt.Sprint(o["legal_moves"]); got != fmt.Sprint(q.legal) {
			return fmt.Errorf("legal moves\n got %v\nwant %v", got, q.legal)
		}
		return only(o, "fen", "legal_moves")
	}
	legal := slices.Contains(q.legal, q.move)
	judged[legal]++
	kind, _ := o["kind"].(string)
	articles, isList := o["articles"].([]any)
	reason, _ := o["reason"].(string)
	switch {
	case o["move"] != q.move:
		return fmt.Errorf("move is %v", o["move"])
	case o["legal"] != legal:
		return fmt.Errorf("legal is %v", o["legal"])
	case !isList:
		return fmt.Errorf("articles are no list")
	case legal && (o["kind"] != nil || reason != "" || len(articles) != 0):
		return fmt.Errorf("a legal move has a kind, an article or a reason")
	case !legal && !strings.HasPrefix(kind, offence(q.fen, q.move)):
		return fmt.Errorf("kind %q, want %s…", kind, offence(q.fen, q.move))
	case !legal && (len(articles) == 0) != (offence(q.fen, q.move) == "sensor."):
		return fmt.Errorf("articles %v for %s", articles, kind)
	case !legal && !strings.HasSuffix(reason, "."):
		return fmt.Errorf("no sentence")
	}
	return only(o, "fen", "move", "legal", "kind", "articles", "reason", "san", "repetition", "outcome")
}

// only fails on fields that the contract does not have, and on missing ones of
// its own six (or of the two of a list).
func only(o map[string]any, fields ...string) error {
	for f := range maps.Keys(o) {
		if !slices.Contains(fields, f) {
			return fmt.Errorf("field %q is new", f)
		}
	}
	for _, f := range fields[:min(len(fields), 6)] {
		if _, ok := o[f]; !ok {
			return fmt.Errorf("field %q is missing", f)
		}
	}
	return nil
}

// TestExplainEndsAtABadLine: the answers before it are there, and the number of
// the line is reported.
func TestExplainEndsAtABadLine(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	good := "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\te2e4\n"
	r := w.run(t, strings.Repeat(good, 10)+strings.Repeat("x", 3<<20), "explain", "--format", "jsonl", "-").want(t, 1)
	if n := strings.Count(r.out, "\n"); n != 10 || !strings.Contains(r.err, "line 11") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("%d answers, and on standard error %q", n, r.err)
	}
}
