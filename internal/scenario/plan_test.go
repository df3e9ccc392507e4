package scenario

import (
	"fmt"
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/rules/legal"
)

// planOf plans the one case of a file.
func planOf(t *testing.T, src string) *Plan {
	t.Helper()
	f, err := Read("a.yaml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if p := f.Cases[0].Problems; len(p) > 0 {
		t.Fatal(p)
	}
	p, err := f.Cases[0].Plan(0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// planned plans lines from a start and returns the events of the equipment after the beginning, with times in ms from
// there; the beginning is one second before the first line.
func planned(t *testing.T, start string, lines ...string) (*Plan, []string) {
	t.Helper()
	src := strings.Replace(oneCase, "start: startpos", "start: "+start, 1)
	src = strings.Replace(src, "[W move e2e4, W press]", "["+strings.Join(lines, ", ")+"]", 1)
	p := planOf(t, src)
	var seen []string
	for _, a := range p.Acts {
		if a.At >= p.Begins {
			a.At = (a.At - p.Begins) / 1000
			seen = append(seen, a.String())
		}
	}
	return p, seen
}

func TestWhatAMoveLooksLike(t *testing.T) {
	for _, row := range []struct{ name, start, move, want string }{
		{"a step", "startpos", "W move e2e4", "1000 sense e2 - 1300 sense e4 P"},
		{"a capture takes the victim off in between", "startpos moves e2e4 d7d5", "W move e4d5", "1000 sense e4 - 1300 sense d5 - 1600 sense d5 P"},
		{"en passant", "startpos moves e2e4 a7a6 e4e5 d7d5", "W move e5d6", "1000 sense e5 - 1300 sense d5 - 1600 sense d6 P"},
		{"castling begins with the king", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "W move e1c1", "1000 sense e1 - 1300 sense c1 K 1600 sense a1 - 1900 sense d1 R"},
		{"castling of Chess960", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "W move f1g1", "1000 sense f1 - 1300 sense g1 - 1600 sense g1 K 1900 sense f1 R"},
		{"a promotion", "4k3/8/8/8/8/8/2p5/4K3 b - - 0 1", "B move c2c1n", "1000 sense c2 - 1300 sense c1 n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, seen := planned(t, row.start, row.move); strings.Join(seen, " ") != row.want {
				t.Errorf("%s\nwant %s", strings.Join(seen, " "), row.want)
			}
		})
	}
}

func TestALineBeginsAfterTheEndOfTheOneBefore(t *testing.T) {
	_, seen := planned(t, "startpos", "W move e2e4", "+0.2 W press", "W wait 3", "B move e7e5")
	want := "1000 sense e2 - 1300 sense e4 P 1500 press white 6500 sense e7 - 6800 sense e5 p"
	if got := strings.Join(seen, " "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestEachHandPutsDownWhatItHolds(t *testing.T) {
	_, seen := planned(t, "startpos moves e2e4 d7d5", "W/L lift d5", "W/R lift e4", "W/L drop", "W/R put d5")
	if got := seen[len(seen)-1]; !strings.HasSuffix(got, "sense d5 P") {
		t.Errorf("last: %s", got)
	}
	_, seen = planned(t, "8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "W/L hold Q", "W/R lift a7", "W/R drop P", "W transfer Q L-R", "W/R put a8")
	if got := seen[len(seen)-1]; !strings.HasSuffix(got, "sense a8 Q") {
		t.Errorf("last: %s", got)
	}
}

func TestAPieceThatCannotBeReadLeavesItsSquareEmpty(t *testing.T) {
	_, seen := planned(t, "8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "W lift a7", "W drop", "W put a8 R inverted", "W knock g1", "W stand g1")
	if got, want := strings.Join(seen, " "), "1000 sense a7 - 3000 sense a8 - 4000 sense g1 - 5000 sense g1 K"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestWhoStartsTheClock(t *testing.T) {
	for _, row := range []struct{ name, start, first, want string }{
		{"White's runs at the start", "startpos", "W move e2e4", "3370000 run white"},
		{"Black's runs when he has the move", "8/8/4k3/8/8/3QK3/8/8 b - - 0 1", "B move e6e5", "3370000 run black"},
		{"a press by the other player starts it", "startpos", "B press", "1000000 lever black"},
		{"in the middle of a game his time runs", "8/8/4k3/8/8/3QK3/8/8 w - - 0 1", "B press", "3370000 run black"},
		{"but not after a preamble", "startpos moves e2e4", "W press", "3370000 run white"},
		{"and not after a pause", "startpos", "A pause", "3370000 run white"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, _ := planned(t, row.start, row.first)
			if got := p.Acts[0].String(); got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
		})
	}
	_, seen := planned(t, "startpos", "B press")
	if got := strings.Join(seen, " "); got != "1000 run white" {
		t.Errorf("the press that starts the clock: %s", got)
	}
}

func TestTheLastGoodPositionIsPutBack(t *testing.T) {
	for _, row := range []struct {
		name, start string
		lines       []string
		want        string
	}{
		{"after an illegal move", "startpos moves g1f3 d7d6", []string{"W lift f3", "W put d5", "W press"},
			"rnbqkbnr/ppp1pppp/3p4/8/8/5N2/PPPPPPPP/RNBQKB1R"},
		{"a legal move is kept", "startpos", []string{"W move e2e4", "W press", "B lift e7", "B put e4", "B press"},
			"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"},
		{"and so is one with its answer", "startpos", []string{"W move e2e4", "B move e7e5", "W press", "B press", "W lift f1", "W drop", "W press"},
			"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"},
		{"a fallen piece is stood up", "startpos", []string{"W move e2e4", "W press", "B knock d7"},
			"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, _ := planned(t, row.start, append(row.lines, "A pause", "A restore")...)
			table := p.Table
			for _, a := range p.Acts {
				if a.Verb == emulator.Sense {
					table[a.Square] = a.Piece
				}
			}
			if table.String() != row.want {
				t.Errorf("%s, want %s", table, row.want)
			}
			last := p.Cues[len(p.Cues)-2:]
			if !last[0].Decides() || string(last[0].Body("7:x.y")) != `{"finding":"7:x.y","decision":"confirm","by":"arbiter"}` ||
				string(last[1].Body("")) != `{"do":"restore"}` || last[1].At != p.Ends {
				t.Errorf("cues %+v", last)
			}
		})
	}
}

func TestInputsOfPeople(t *testing.T) {
	src := strings.NewReplacer("start: startpos", "start: 8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "title: a title", "trace: Appendix D.2\n  strikes: {W: 1}",
		"[W move e2e4, W press]", "[B say claim-draw3, W say adjust, A report two-hands W, A report displaced d2-d3 move=3, B result 1-0, B sign, A restore, W leave]").Replace(oneCase)
	f, err := Read("a.yaml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Cases[0].Plan(0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"do":"position","fen":"8/P5k1/8/8/8/8/8/6K1 w - - 0 1"}`, `{"do":"strikes","white":1,"black":0}`, `{"do":"flag","name":"appendix_d","on":true}`,
		`{"do":"claim","what":"draw3","side":"black"}`, `{"do":"report","what":"two-hands","side":"white"}`,
		`{"do":"report","what":"displaced","move":3,"squares":"d2-d3"}`, `{"do":"result","result":"1-0"}`, `{"do":"sign","side":"black"}`,
		``, `{"do":"restore"}`,
	}
	for i, c := range p.Cues {
		if got := string(c.Body("")); i >= len(want) || got != want[i] {
			t.Errorf("cue %d: %s", i, got)
		}
	}
	if len(p.Cues) != len(want) {
		t.Errorf("%d cues, want %d", len(p.Cues), len(want))
	}
}

func TestARotatedBoard(t *testing.T) {
	array := legal.StartSetup(518).Placement
	for _, row := range []struct {
		say  string
		want string
	}{
		{"the a- and b-files", "RP4pr/NP4pn/BP4pb/QP4pq/KP4pk/BP4pb/NP4pn/RP4pr"},
		{"ranks 7 and 8", "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr"},
		{"the g- and h-files", "rp4PR/np4PN/bp4PB/kp4PK/qp4PQ/bp4PB/np4PN/rp4PR"},
	} {
		p, seen := planned(t, "startpos", "A say board shows the white pieces on "+row.say, "W move e2e4")
		if p.Table.String() != row.want {
			t.Errorf("%s: %s, want %s", row.say, p.Table, row.want)
		}
		if seen[0] == "2000 sense e2 -" {
			t.Errorf("%s: the hands play on a board that lies straight", row.say)
		}
	}
	if p, _ := planned(t, "startpos", "W press"); p.Table != array {
		t.Errorf("without a direction: %s", p.Table)
	}
}

func TestEveryTurnIsABijection(t *testing.T) {
	for turned := straight; turned <= threeFourth; turned++ {
		seen := map[legal.Square]bool{}
		for sq := legal.A1; sq < legal.NoSquare; sq++ {
			seen[turned.square(sq)] = true
		}
		if len(seen) != 64 {
			t.Errorf("%s: %d squares", turned, len(seen))
		}
	}
}

func TestTimeControls(t *testing.T) {
	for tc, want := range map[string]string{
		"90+30": "5400 30 0", "5+0": "300 0 0", "G/60 d5": "3600 0 0", "G/5 d0": "300 0 0", "20+10": "1200 10 0", "40/90+30, 30+30": "5400 30 1800",
	} {
		o, err := clockOptions(tc)
		if got := fmt.Sprint(o.BaseSec, o.BonusSec, o.NextSec); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", tc, got, err, want)
		}
	}
	if _, err := clockOptions(""); err == nil {
		t.Error("no time control is accepted")
	}
}

func TestAProgrammeSetsUpTheNextCase(t *testing.T) {
	var cases []*Case
	own := Own()
	for i := range own {
		if own[i].Scan == 0 {
			cases = append(cases, &own[i])
		}
	}
	plan, err := Programme(cases)
	if err != nil {
		t.Fatal(err)
	}
	table, last := plan.Table, int64(0)
	for _, a := range plan.Acts {
		if a.At < last && a.Verb != emulator.LeverTo {
			t.Fatalf("%s comes after something at %d", a, last)
		}
		last = max(last, a.At)
		if a.Verb == emulator.Sense {
			table[a.Square] = a.Piece
		}
	}
	alone, err := cases[len(cases)-1].Plan(0)
	if err != nil {
		t.Fatal(err)
	}
	end := alone.Table
	for _, a := range alone.Acts {
		if a.Verb == emulator.Sense {
			end[a.Square] = a.Piece
		}
	}
	if table != end {
		t.Errorf("at the end of the last case %s stands there, alone it is %s", table, end)
	}
}
