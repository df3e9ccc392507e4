package players

import (
	"fmt"
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// erring returns players of one tempo with offences and all look-alikes.
func erring(seed uint64, t Tempo) Options {
	o := Options{
		Seed: seed, Tempo: t, Offences: Offences{PerMille: 40}, Innocents: Innocents{PerMille: 100},
		Generator: GeneratorOptions{End: EndStop, MinPlies: 60},
	}
	switch t {
	case Rapid:
		o.Clock.BaseSec, o.Clock.BonusSec = 900, 10
	case Classical:
		o.Clock.BaseSec, o.Clock.BonusSec = 5400, 30
	}
	return o
}

// TestOffencesAreWhatTheyAreCalled plays players with offences and compares every offence with the legality core.
func TestOffencesAreWhatTheyAreCalled(t *testing.T) {
	offences, innocents, afters, edits := map[string]int{}, map[string]int{}, map[After]int{}, map[ClockEdit]int{}
	moves := 0
	games := uint64(150)
	if testing.Short() {
		games = 30
	}
	for seed := range games {
		o := erring(seed, [...]Tempo{Blitz, Rapid, Classical}[seed%3])
		truth, err := Record(o, func(int64, byte, []byte) {})
		if err != nil {
			t.Fatal(err)
		}
		moves += truth.Moves()
		for i := range truth.Games {
			g := &truth.Games[i]
			for j := range g.Offences {
				f := &g.Offences[j]
				offences[strings.TrimSuffix(string(f.Kind)+":"+f.Way, ":")]++
				afters[f.After]++
				edits[f.Clock]++
				checkOffence(t, fmt.Sprintf("seed %d ply %d", seed, f.Ply), f)
			}
			for _, n := range g.Innocents {
				innocents[n.Kind]++
			}
			checkLine(t, fmt.Sprintf("seed %d", seed), g)
		}
	}
	if testing.Short() {
		return
	}
	for _, name := range OffenceNames() {
		if t.Logf("%4d %s", offences[name], name); offences[name] == 0 {
			t.Errorf("%s never happened", name)
		}
	}
	for _, name := range InnocentNames() {
		if t.Logf("%4d %s", innocents[name], name); innocents[name] == 0 {
			t.Errorf("%s never happened", name)
		}
	}
	for a := Stands; a < afterCount; a++ {
		if t.Logf("%4d %s", afters[a], a); afters[a] == 0 {
			t.Errorf("nobody ever did: %s", a)
		}
	}
	t.Logf("%d moves, clock edits %v", moves, edits)
}

func checkOffence(t *testing.T, name string, f *Offence) {
	t.Helper()
	s, err := legal.ParseFEN(f.FEN)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	pos, err := s.Standing()
	if err != nil {
		t.Fatalf("%s: %s: %v", name, f.FEN, err)
	}
	if f.UCI != "" && f.Kind.Illegal() {
		want := f.Kind
		switch f.Kind { // legal, except for the part left undone
		case kinds.IllegalEPPawnLeft, kinds.IllegalCastleKingOnly, kinds.IllegalPromoTwo:
			want = ""
		}
		if v := pos.Explain(f.UCI); v.Kind != want || v.Doubt {
			t.Errorf("%s: %s in %s is %q, called %s", name, f.UCI, f.FEN, v.Kind, f.Kind)
		}
	}
	if f.PressAt != NotPressed && f.PressAt < f.At {
		t.Errorf("%s: %s stood at %d and was pressed at %d", name, f.Kind, f.At, f.PressAt)
	}
	if at := pos.Placement(); f.Kind != kinds.IllegalNoMove && f.Placement == at {
		t.Errorf("%s: %s changed nothing", name, f.Kind)
	}
}

// checkLine replays a game with its offences.
func checkLine(t *testing.T, name string, g *GameTruth) {
	t.Helper()
	steps, _ := g.Line()
	for i, s := range steps {
		if s.Ply != i+1 {
			t.Fatalf("%s: step %d is ply %d", name, i+1, s.Ply)
		}
		if s.Offence == nil && !s.Before.IsLegal(s.Move) {
			t.Fatalf("%s: ply %d: %s is not legal in %s", name, s.Ply, s.UCI, s.Before.FEN())
		}
		if f := s.Offence; f != nil && f.FEN != s.Before.FEN() {
			t.Fatalf("%s: ply %d: %s in %s, the line has %s", name, s.Ply, f.Kind, f.FEN, s.Before.FEN())
		}
	}
}

// TestTheBoardShowsWhatTheOffendersLeft compares the last position of the truth with the board.
func TestTheBoardShowsWhatTheOffendersLeft(t *testing.T) {
	for seed := range uint64(40) {
		o := erring(seed, Blitz)
		o.Innocents.Kinds = []Rate{{"pause_resume", 100}, {"ghost_victim", 500}, {"press_bounce", 100}}
		truth, err := Record(o, func(int64, byte, []byte) {})
		if err != nil {
			t.Fatal(err)
		}
		g := &truth.Games[0]
		if g.End != EndStop {
			continue
		}
		if _, last := g.Line(); last.Placement() != truth.Placement {
			t.Errorf("seed %d: the table shows %s, the truth gives %s", seed, truth.Placement, last.Placement())
		}
	}
}

func TestOffendersPlayTheSameFromTheSameSeed(t *testing.T) {
	o := erring(3, Blitz)
	if a, b := fingerprint(t, o), fingerprint(t, o); a != b {
		t.Error("two runs differ")
	}
	o.Offences.Kinds, o.Innocents.PerMille = []Rate{{string(kinds.IllegalKnight), 1000}}, 0
	truth, err := Record(o, func(int64, byte, []byte) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range truth.Games[0].Offences {
		if f.Kind != kinds.IllegalKnight {
			t.Errorf("only knights were to err, and there is %s", f.Kind)
		}
	}
}

func TestAnUnknownKindIsRefused(t *testing.T) {
	for _, o := range []Options{
		{Offences: Offences{PerMille: 1, Kinds: []Rate{{"illegal.camel", 1000}}}},
		{Innocents: Innocents{PerMille: 1, Kinds: []Rate{{"sneezes", 1000}}}},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// A given game keeps its moves if an offence was restored, and continues as a generated one if the offence stands.
func TestAGivenGameSurvivesRestoredOffences(t *testing.T) {
	moves := Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7")
	o := Options{
		Seed: 5, Tempo: Rapid, Clock: emulator.ClockOptions{BaseSec: 900, BonusSec: 10}, Games: []Game{{Moves: moves}},
		Offences: Offences{PerMille: 300, After: &Aftermath{Stopped: 1}},
	}
	truth, err := Record(o, func(int64, byte, []byte) {})
	if err != nil {
		t.Fatal(err)
	}
	g := &truth.Games[0]
	if len(g.Offences) == 0 {
		t.Fatal("nobody erred")
	}
	var played []string
	for _, m := range g.Moves {
		played = append(played, m.SAN)
	}
	if got, want := strings.Join(played, " "), strings.Join(moves, " "); got != want {
		t.Errorf("played %s, want %s", got, want)
	}
}
