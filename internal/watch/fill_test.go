package watch_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// shown returns a dump of the position after these moves from the start.
func shown(t testing.TB, moves string) []byte {
	t.Helper()
	pos := standingAfter(t, moves)
	var codes [64]byte
	for i := range codes {
		letters := strings.IndexByte(".PRNBKQprnbkq", pos.Placement()[(7-i/8)*8+i%8].String()[0])
		codes[i] = byte(max(letters, 0))
	}
	return dumpFrame(&codes)
}

// unknownPlies returns a recording of a board without a clock in which three plies were not seen: d4 d5 Nf3, or Nf3 d5
// d4.
func unknownPlies(t testing.TB) *rig {
	t.Helper()
	r := newRig(watch.Capture)
	for i, moves := range []string{"", "d4 d5 Nf3", "d4 d5 Nf3 Nc6", "d4 d5 Nf3 Nc6 Bf4", "d4 d5 Nf3 Nc6 Bf4 Bf5"} {
		for n := range 3 {
			r.step(int64(i*10+n*3)*second, record.Rx, shown(t, moves))
		}
	}
	return r
}

func (r *rig) fill(at int64, moves string) (what, detail string) {
	n := len(r.said)
	r.step(at, record.Instruct, watch.Instruction{Do: watch.DoFill, Game: 1, Ply: 1, Moves: moves}.Body())
	if len(r.said) != n+1 {
		return "", fmt.Sprint(r.said[n:])
	}
	return r.said[n].What, r.said[n].Detail
}

func TestAPersonFillsInPliesThatAreNotKnown(t *testing.T) {
	r := unknownPlies(t)
	for _, c := range []struct{ claim, moves, what, detail string }{
		{"plies that are legal and lead there", "1. Nf3 d5 2. d4", "filled", "1. Nf3 1... d5 2. d4"},
		{"other ones, corrected", "d4 d5 Nf3", "filled", "1. d4 1... d5 2. Nf3"},
		{"taken back", "", "filled", "taken back"},
		{"not legal", "d4 d5 Nf4", "instruction_refused", "2. Nf4 is not possible there; possible: "},
		{"too few", "d4", "instruction_refused", "3 plies are missing here, and 1 were given"},
		{"another position", "d4 d5 Nc3", "instruction_refused", "differs on b1, g1, c3, f3"},
	} {
		if what, detail := r.fill(100*second, c.moves); what != c.what || !strings.Contains(detail, c.detail) {
			t.Errorf("%s: %s, %q", c.claim, what, detail)
		}
	}
	if len(r.m.Tracker().Take()) > 0 {
		t.Error("the tracker has heard of it")
	}
}

func TestASpanIsSaidSoThatItCanBeFilledIn(t *testing.T) {
	r := unknownPlies(t)
	for _, l := range r.lines {
		_, body, _ := strings.Cut(l, " ")
		if !strings.Contains(body, `"not_known"`) {
			continue
		}
		s, ok := watch.ParseSpan([]byte(body))
		if !ok {
			t.Fatal(body)
		}
		rows := s.Rows()
		var list []string
		for _, row := range rows {
			list = append(list, strings.Join(row, " "))
		}
		slices.Sort(list)
		if want := []string{"Nf3 d5 d4", "d4 d5 Nf3"}; !slices.Equal(list, want) {
			t.Errorf("rows %q, want %q", list, want)
		}
		return
	}
	t.Fatal("nothing is not known")
}

func TestASpanAtTheEndOfAGame(t *testing.T) {
	const body = `{"type":"health","seq":8,"t":20,"board":"1","game":1,"what":"not_known","detail":"","ply_from":3,"ply_to":null,"side_to_move":"",` +
		`"fen_before":"rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2"}`
	s, ok := watch.ParseSpan([]byte(body))
	if !ok || !s.Ends() || s.From != 3 || s.To != 0 {
		t.Fatalf("%+v, %v", s, ok)
	}
	if row, err := s.Parse("2. Nf3 Nc6 3. Bf4"); err != nil || len(row) != 3 {
		t.Errorf("%v: %v", row, err)
	}
	if _, err := s.Parse("2. Nf3 Nf3"); err == nil {
		t.Error("an illegal move fills it in")
	}
	if rows := s.Rows(); rows != nil {
		t.Errorf("rows %v", rows)
	}
}

func FuzzFill(f *testing.F) {
	s := watch.Span{Game: 1, From: 1, Before: standingAfter(f, ""), After: standingAfter(f, "d4 d5 Nf3")}
	for _, text := range []string{"d4 d5 Nf3", "1. d4 d5 2.Nf3", "1.d4 d5 2. Nf3 Nc6 3. Ng1 Nb8", "0-0", "1... e5", ".", "d4 d5 Nf3 \u2026"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		row, err := s.Parse(text)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("an error without words")
			}
			return
		}
		pos := s.Before
		for _, m := range row {
			if !pos.IsLegal(m) {
				t.Fatalf("%q: %v is not legal", text, m)
			}
			pos = pos.After(m)
		}
		if pos.Placement() != s.After.Placement() || pos.Turn() != s.After.Turn() {
			t.Fatalf("%q leads to %s", text, pos.FEN())
		}
	})
}

// The bodies of instructions stay readable: unused keys are not written.
func TestInstructionToFill(t *testing.T) {
	b := watch.Instruction{Do: watch.DoFill, Game: 2, Ply: 11, Moves: "Nf3"}.Body()
	var back watch.Instruction
	if err := json.Unmarshal(b, &back); err != nil || back.Ply != 11 || string(b) != `{"do":"fill","game":2,"ply":11,"moves":"Nf3"}` {
		t.Errorf("%s: %v", b, err)
	}
}

func standingAfter(t testing.TB, moves string) legal.Position {
	t.Helper()
	s, err := legal.ParseFEN("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	pos, err := s.Position()
	for _, san := range strings.Fields(moves) {
		m, bad := pos.ParseSAN(san)
		if bad != nil {
			t.Fatal(bad)
		}
		pos = pos.After(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return pos
}
