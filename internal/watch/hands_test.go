package watch_test

import (
	"encoding/json"
	"strings"
	"testing"

	"boardwatchd/detector"
	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// handLine holds the fields of the objects about hands that these tests use.
type handLine struct {
	Type, Kind, Proof, Alert, State, What, Hands, Order, Untold, Scope string
	Suspected, Held                                                    bool
	Abstained                                                          *string
	LLR                                                                *float64
	Period                                                             float64 `json:"period_ms"`
}

// handLines returns all objects about hands.
func handLines(t *testing.T, r *rig) (list []handLine) {
	t.Helper()
	for _, line := range r.lines {
		body, ok := strings.CutPrefix(line, "say ")
		if !ok {
			continue
		}
		var l handLine
		if err := json.Unmarshal([]byte(body), &l); err != nil {
			t.Fatal(err)
		}
		if l.Type == "hands" || strings.HasPrefix(l.Kind, "suspect.") || l.What == "scan" || l.What == "hands_held" {
			list = append(list, l)
		}
	}
	return list
}

// The emulated players use one hand. Timing notes 4.3: no suspicion at the amber level, at most one advisory per 1,000
// captures.
func TestOneHandIsLeftAlone(t *testing.T) {
	judged, suspected, strong, told := 0, 0, 0, 0
	abstained := map[string]int{}
	look := func(r *rig) {
		for _, l := range handLines(t, r) {
			switch {
			case l.What == "scan":
				told++
			case l.Type == "hands" && l.Abstained != nil:
				abstained[*l.Abstained]++
			case l.Type == "hands":
				judged++
			case l.Type == "finding":
				suspected++
				t.Logf("suspected: %+v", l)
				if l.Proof == "strong" {
					strong++
				}
			}
		}
	}
	first, last := seeds(t, 20)
	for seed := first; seed <= last; seed++ {
		for _, where := range rooms {
			r, _ := play(t, where.honest(seed))
			look(r)
			r, _ = passive(t, where.honest(seed))
			look(r)
		}
		for _, h := range []*players.Habits{&players.AsRecorded, &players.Tidy, &players.Restless} {
			r, _ := play(t, players.Options{Seed: uint64(seed), Count: 1, Habits: h})
			look(r)
		}
	}
	t.Logf("%d manipulations judged, %d suspected, %d strongly; not judged: %v; the scan was told %d times", judged, suspected, strong, abstained, told)
	if strong > 0 {
		t.Errorf("%d of %d are strongly suspected", strong, judged)
	}
	if suspected > 1+judged/1000 {
		t.Errorf("%d of %d are suspected", suspected, judged)
	}
	if judged < 20*(last-first+1) {
		t.Errorf("only %d are judged: the test shows nothing", judged)
	}
}

// The scan of a board with its own order and period is known after some moves.
func TestTheScanIsFoundOut(t *testing.T) {
	for _, reverse := range []bool{false, true} {
		o := players.Options{Seed: 5, Count: 1, Generator: players.GeneratorOptions{MinPlies: 80}}
		o.Board.ScanReverse = reverse
		r, _ := play(t, o)
		want := "raster"
		if reverse {
			want = "raster reversed"
		}
		found := false
		for _, l := range handLines(t, r) {
			if l.What == "scan" {
				found = true
				if l.Order != want || l.Hands != "judged" || l.Period < 200 || l.Period > 250 {
					t.Errorf("%+v", l)
				}
			}
		}
		if !found {
			t.Error("nothing is said about the scan in 80 half-moves")
		}
	}
}

// Another board that is connected in the middle of a round has another scan.
func TestTheScanGoesWithTheBoard(t *testing.T) {
	o := players.Options{Seed: 5, Count: 1, Generator: players.GeneratorOptions{MinPlies: 80}}
	o.Board.Serial = 2718
	r, _ := play(t, o)
	known := r.m.View().Scan
	serial := func(digits string) watch.ScanView {
		r.step(1<<40, record.Rx, append([]byte{0x91, 0, 8}, digits...))
		return r.m.View().Scan
	}
	if same := serial("02718"); known == (watch.ScanView{}) || same != known {
		t.Fatalf("before %+v, and the same board %+v", known, same)
	}
	if other := serial("01025"); other != (watch.ScanView{}) {
		t.Errorf("another board: %+v", other)
	}
}

// An empty configuration file and no configuration give the same settings of the core.
func TestDefaultsOfTheHandsAgree(t *testing.T) {
	core := config.Default().Core(config.NewBoard("1", "auto"))
	body := watch.Opening{Format: watch.Format, Source: watch.Capture, Board: "1", Config: core.Canonical()}.Body()
	o, err := watch.ParseOpening(body)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := o.Params().Hands, detector.DefaultHands(); got != want {
		t.Errorf("configured %+v\nby itself  %+v", got, want)
	}
}

// A journal from before the suspicion existed gives its old output.
func TestAnOpeningWithoutTwoHandsJudgesNone(t *testing.T) {
	for _, conf := range []string{"", `{}`, `{"rules":[]}`, `{"two_hands":null}`, `{"two_hands":{"enabled":false}}`} {
		if got := (watch.Opening{Format: watch.Format, Config: []byte(conf)}).Hands(); got.On {
			t.Errorf("%q: %+v", conf, got)
		}
	}
}

// Players who use both hands for every capture and castling are suspected of castlings, quietly, and never accused.
func TestTwoHandsAreSuspected(t *testing.T) {
	habits := players.Tidy
	habits.TwoHands = 1000
	judged, suspected, told, untold := map[string]int{}, map[string]int{}, 0, 0
	held := map[string]int{}
	first, last := seeds(t, 20)
	for seed := first; seed <= last; seed++ {
		o := players.Options{Seed: uint64(seed), Count: 2, Habits: &habits, Generator: players.GeneratorOptions{MinPlies: 60}}
		o.Tempo, o.Clock.BaseSec, o.Clock.BonusSec = players.Classical, 5400, 30
		r, truth := play(t, o)
		if wrong := compare(r, truth); len(wrong) > 0 {
			t.Errorf("seed %d: %v", seed, wrong)
		}
		for _, l := range handLines(t, r) {
			switch {
			case l.Type == "hands" && l.Abstained == nil:
				judged[l.Kind]++
				if l.Suspected {
					suspected[l.Kind]++
				}
				if l.Untold != "" {
					untold++
				}
			case l.What == "hands_held" && l.Held:
				held[l.Scope]++
			case l.Type == "finding" && l.State == "expired": // the next game has begun
			case l.Type == "finding":
				told++
				if l.Alert != "advise" || l.Proof != "hint" || l.State != "confirmed" {
					t.Errorf("seed %d: %+v", seed, l)
				}
			}
		}
		for _, v := range r.said {
			if v.accuses() {
				t.Errorf("seed %d: accused: %+v", seed, v)
			}
		}
	}
	t.Logf("judged %v, suspected %v; %d told, %d not, because nobody answered; paused: %v", judged, suspected, told, untold, held)
	// Without an arbiter's answer there are two in each game and no more. Captures of a classical game and promotions
	// are only recorded.
	games := last - first + 1
	if all := suspected["castling"]; told+untold != all || told < games || told > 2*2*games || suspected["capture"]+suspected["promotion"] > 0 || judged["capture"] == 0 {
		t.Errorf("%d of %d are told at %d boards: %v", told, all, games, suspected)
	}
	// Both hands together in classical play: the notes find 85 % (timing notes 3.3); here players whose tempo is not
	// known yet are included.
	if suspected["castling"]*2 < judged["castling"] {
		t.Errorf("%d of %d castlings are suspected", suspected["castling"], judged["castling"])
	}
}

// Two rounds are played on one emulated board over the whole protocol: with the scan of the first in the opening
// record, the castlings of move 4 of the second are judged at the press, as far as six pairs of reports agree by then,
// and without it they are not; a replay gives the same bytes.
func TestTheScanOfTheLastRoundJudgesTheFirstCastling(t *testing.T) {
	round := func(o players.Options, before *watch.ScanBefore) (r *rig, castled []handLine) {
		table, err := players.New(o)
		if err != nil {
			t.Fatal(err)
		}
		r = &rig{m: watch.New()}
		open := watch.Opening{Format: watch.Format, Source: watch.Live, Board: "1", Config: automatic, Scan: before}
		r.step(0, record.Open, open.Body())
		r.step(0, record.Up, watch.Annotation{Device: "emulated"}.Body())
		table.OnLink(r.link)
		emulator.Run(table.Emulator, r.host, 40*second, 1<<50)
		for _, l := range handLines(t, r) {
			if l.Type == "hands" && l.Kind == "castling" && len(castled) < 2 {
				castled = append(castled, l)
			}
		}
		return r, castled
	}
	silent, judged := 0, 0
	for seed := uint64(1); seed <= 12; seed++ {
		o := players.Options{Seed: seed, Count: 1, Generator: players.GeneratorOptions{MinPlies: 80}}
		o.Board.ScanUS = 225_000
		first, _ := round(o, nil)
		var before watch.ScanBefore
		if !before.FindScan([]byte(strings.Join(first.lines, "\n"))) || before.Serial != "02718" {
			t.Logf("seed %d: the first round told no scan: %+v", seed, before)
			continue
		}
		o.Seed, o.Count = seed+100, 0
		o.Games = []players.Game{{Moves: players.Moves("e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O d3 d6")}}
		_, without := round(o, nil)
		r, with := round(o, &before)
		for i, l := range without {
			if l.Abstained == nil || *l.Abstained != "no sensor" {
				continue
			}
			if silent++; with[i].LLR != nil && !with[i].Suspected {
				judged++
			}
		}
		again := watch.New()
		var said []string
		for _, in := range r.inputs {
			for _, e := range again.Step(in) {
				said = append(said, e.Kind.String()+" "+string(e.Body))
			}
		}
		if strings.Join(said, "\n") != strings.Join(r.lines, "\n") {
			t.Errorf("seed %d: a replay says something else", seed)
		}
	}
	t.Logf("of %d castlings in move 4, of which nothing was said in their time, %d are judged with the scan of the last round", silent, judged)
	if silent < 20 || judged < silent {
		t.Errorf("%d of %d", judged, silent)
	}
}
