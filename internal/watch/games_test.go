package watch_test

import (
	"slices"
	"strings"
	"testing"

	"boardwatchd/clockproto"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/rules/legal"
)

// These tests play generated games at the emulated board and compare the machine's output with the moves played: every
// move of every game, and the result wherever the board shows one. There are no faults here.

// tally compares the records of one set of games with the truth and counts.
func tally(t *testing.T, seed int, r *rig, truth players.Truth) (bad bool) {
	t.Helper()
	judged := map[string]int{}
	for _, v := range r.said {
		switch v.Type {
		case "press":
			judged[v.Judged]++
			if strings.HasPrefix(v.Judged, "illegal.") {
				t.Errorf("seed %d: a press was judged %s at %.1f s", seed, v.Judged, v.T)
			}
		case "health":
			judged["health "+v.What]++
		case "finding":
			if v.accuses() {
				t.Errorf("seed %d: accused: %+v", seed, v)
			}
		}
	}
	wrong := compare(r, truth)
	if len(wrong) > 0 {
		t.Errorf("seed %d: %v\n  %v", seed, strings.Join(wrong, "\n  "), judged)
	}
	return len(wrong) > 0
}

// accuses reports whether a finding alerts the arbiter with more than a hint.
func (v *told) accuses() bool {
	at := strings.HasPrefix(v.Kind, "illegal.") || strings.HasPrefix(v.Kind, "irreg.")
	return v.Type == "finding" && at && v.Alert == "now" && v.State == "confirmed" && (v.Proof == "certain" || v.Proof == "strong")
}

func TestCleanGamesAreRebuiltExactly(t *testing.T) {
	habits := map[string]*players.Habits{"as recorded": &players.AsRecorded, "tidy": &players.Tidy, "restless": &players.Restless}
	for _, name := range []string{"as recorded", "tidy", "restless"} {
		t.Run(name, func(t *testing.T) {
			first, last := seeds(t, 60)
			bad := 0
			for seed := first; seed <= last; seed++ {
				r, truth := play(t, players.Options{Seed: uint64(seed), Count: 1, Habits: habits[name]})
				if tally(t, seed, r, truth) {
					bad++
				}
			}
			t.Logf("%d of %d games wrong", bad, last-first+1)
		})
	}
}

// Recordings by other programs contain only bytes: without a dump when it would help, and without requests.
func TestPassiveRecordingsAreRebuiltExactly(t *testing.T) {
	for _, c := range []circumstance{
		{"as recorded", 40, func(_ uint64, o *players.Options) { o.Habits = &players.AsRecorded }},
		{"restless", 40, func(_ uint64, o *players.Options) {}},
		{"several games", 5, func(_ uint64, o *players.Options) { o.Count = 3 }},
		{"chess960", 10, func(_ uint64, o *players.Options) { o.Generator.Chess960 = true }},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, passive) })
	}
}

// A circumstance is a property of a table. None of them may cost a move.
type circumstance struct {
	name  string
	games int
	tweak func(seed uint64, o *players.Options)
}

var circumstances = []circumstance{
	{"white at the far side", 15, func(_ uint64, o *players.Options) { o.Board.Reversed = true }},
	{"white's clock on the right", 15, func(_ uint64, o *players.Options) { o.Clock.White = clockproto.Right }},
	{"scanned from the other end", 15, func(_ uint64, o *players.Options) { o.Board.ScanReverse = true }},
	{"chess960", 40, func(_ uint64, o *players.Options) { o.Generator.Chess960 = true }},
	{"classical", 10, func(_ uint64, o *players.Options) {
		o.Tempo, o.Clock.BaseSec, o.Clock.BonusSec = players.Classical, 5400, 30
	}},
	{"several games on one board", 10, func(_ uint64, o *players.Options) { o.Count = 4 }},
	{"event lag", 20, func(_ uint64, o *players.Options) { o.Clock.Lag = emulator.LagNone }},
	{"uniform lag", 20, func(_ uint64, o *players.Options) { o.Clock.Lag = emulator.LagUniform }},
	{"polled clock", 20, func(_ uint64, o *players.Options) { o.Clock.Lag = emulator.LagPolled }},
	{"adjourned and resumed", 15, adjourned},
	{"no clock, tidy players", 20, func(_ uint64, o *players.Options) { o.Clock.None, o.Habits = true, &players.Tidy }},
	{"no clock", 20, func(_ uint64, o *players.Options) { o.Clock.None, o.Habits = true, &players.AsRecorded }},
	{"a flag falls", 20, func(_ uint64, o *players.Options) { o.Generator.End = players.EndFlag }},
	{"everybody goes away", 15, func(_ uint64, o *players.Options) { o.Generator.End = players.EndLeave }},
	{"nothing but a stopped clock", 10, func(_ uint64, o *players.Options) { o.Count, o.Generator.End = 2, players.EndStop }},
}

// adjourned plays a generated game again as a given one that is interrupted in the middle and set up again.
func adjourned(seed uint64, o *players.Options) {
	e, err := players.New(players.Options{Seed: seed, Count: 1, Habits: &players.Tidy})
	if err != nil {
		return
	}
	emulator.Run(e.Emulator, emulator.NewWatcher().Host, 0, 1<<50)
	g := e.Truth().Games[0]
	o.Count = 0
	o.Games = []players.Game{{
		Start: legal.StartSetup(518), Moves: truthMoves(g), AdjournAt: 1 + int(seed*7)%len(g.Moves), End: players.EndKings, Result: g.Result,
	}}
}

// run watches the games of a circumstance in the given way and counts those that were not reconstructed exactly.
func (c circumstance) run(t *testing.T, watched func(testing.TB, players.Options) (*rig, players.Truth)) {
	first, last := seeds(t, c.games)
	bad := 0
	for seed := first; seed <= last; seed++ {
		o := players.Options{Seed: uint64(seed), Count: 1, Habits: &players.Restless}
		c.tweak(uint64(seed), &o)
		r, truth := watched(t, o)
		if tally(t, seed, r, truth) {
			bad++
		}
	}
	t.Logf("%d of %d wrong", bad, last-first+1)
}

func TestEveryCircumstance(t *testing.T) {
	for _, c := range circumstances {
		t.Run(c.name, func(t *testing.T) { c.run(t, play) })
	}
}

// TestABoardThatIsTurnedWithItsPieces: the board is turned while its cable is out, and the clock is started before the
// board has been read, or before a dump that was lost has been asked for again.
func TestABoardThatIsTurnedWithItsPieces(t *testing.T) {
	for lost := range 3 {
		d := newDesk(t, aBoard("01001"))
		b := d.board
		d.pass(5 * second)
		d.down()
		d.pass(20 * second)
		b.turned, b.noDump = true, lost
		d.up(b)
		d.pass(200_000)
		b.running, b.ticked = legal.White, d.at
		d.give(b.face())
		d.play(2_500_000, "e4", "Nf6", "e5", "d5", "exd6", "c5")
		d.pass(5 * second)
		if got := d.san(); !slices.Equal(got, []string{"e2e4", "g8f6", "e4e5", "d7d5", "e5d6", "c7c5"}) {
			t.Errorf("%d dumps lost: the record is %v", lost, got)
		}
		if told := d.says("not_known"); len(told) > 0 {
			t.Errorf("%d dumps lost: %v", lost, told)
		}
	}
}

// TestAPieceThatIsMovedInTheOpponentsTime: White moves again while Black's clock runs, or Black puts White's last move
// back. The finding names no side, raises no alert, and is reported.
func TestAPieceThatIsMovedInTheOpponentsTime(t *testing.T) {
	for _, tt := range []struct {
		name    string
		moved   string // by White's piece in Black's time
		replies []string
		finding string
		judged  int
	}{
		{"White moves again, and Black answers", "d2d4", []string{"e5"}, "irreg.out_of_turn confirmed  hint log", 0},
		{"White's move is put back, and Black presses", "e4e2", nil, "", 1},
	} {
		b := aBoard("01001")
		b.bonus = 30
		d := newDesk(t, b)
		d.start()
		d.play(5*second, "e4")
		d.pass(3 * second)
		from, _ := legal.ParseSquare(tt.moved[:2])
		to, _ := legal.ParseSquare(tt.moved[2:])
		pawn := b.place[from]
		d.set(from, legal.NoPiece)
		d.pass(400_000)
		d.set(to, pawn)
		d.pass(4 * second)
		for _, san := range tt.replies {
			m, err := b.pos.ParseSAN(san)
			if err != nil {
				t.Fatal(err)
			}
			pawn = b.place[m.From()]
			d.set(m.From(), legal.NoPiece)
			d.pass(400_000)
			d.set(m.To(), pawn)
			d.pass(500_000)
		}
		b.ticked = d.at
		d.give(b.press(legal.Black))
		d.pass(5 * second)
		told := ""
		for _, v := range d.said {
			if v.Type == "finding" {
				told = strings.Join([]string{v.Kind, v.State, v.Side, v.Proof, v.Alert}, " ")
			}
		}
		if told != tt.finding {
			t.Errorf("%s: told %q, want %q", tt.name, told, tt.finding)
		}
		if notes := d.says("cannot_judge"); len(notes) != tt.judged {
			t.Errorf("%s: %q", tt.name, notes)
		}
	}
}
