package watch_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/rules/kinds"
)

// These tests play games in which the players sometimes break the Laws and also do everything that only looks like an
// offence. They count the machine's judgements: the offences found, their names, the time of the report, and
// accusations of innocent players. The thresholds are those of the requirements.
//
//	BOARDWATCHD_SEEDS=2000 go test ./internal/watch -run 'Offences|Innocent' -timeout 3h -v

// A room is a tournament: tempo, clock and the rules that go with it.
type room struct {
	name  string
	rules string
	tempo players.Tempo
	base  int
	bonus int
}

var rooms = []room{
	{"classical", "fide-standard", players.Classical, 5400, 30},
	{"rapid", "fide-rapid", players.Rapid, 900, 10},
	{"blitz", "fide-blitz", players.Blitz, 180, 2},
}

func (r room) options(seed int) players.Options {
	o := players.Options{
		Seed: uint64(seed)<<8 + uint64(r.base), Tempo: r.tempo, Count: 1, Generator: players.GeneratorOptions{MinPlies: 40},
		Offences: players.Offences{PerMille: 40}, Innocents: players.Innocents{PerMille: 100},
	}
	o.Clock.BaseSec, o.Clock.BonusSec = r.base, r.bonus
	if seed%3 == 0 {
		habits := players.Restless
		habits.RookFirst = 0 // FIDE Laws 4.4.2: rook first is an irregularity, and this test is about offences
		o.Habits = &habits
	}
	if seed%4 == 1 {
		o.Clock.Lag = emulator.LagNone
	}
	o.Board.Reversed, o.Board.ScanReverse = seed%5 == 2, seed%7 == 3
	return o
}

// honest returns the same players without offences, and with more look-alikes; their clock has every documented delay.
func (r room) honest(seed int) players.Options {
	o := r.options(seed)
	o.Offences.PerMille, o.Innocents.PerMille = 0, 300
	o.Clock.Lag = [...]emulator.Lag{emulator.LagAsRecorded, emulator.LagNone, emulator.LagUniform, emulator.LagPolled}[seed%4]
	return o
}

// knightOffence returns the simplest offence.
func knightOffence() players.Options {
	return players.Options{
		Seed: 1, Generator: players.GeneratorOptions{MinPlies: 30, MaxPlies: 30},
		Offences: players.Offences{
			PerMille: 1000, Kinds: []players.Rate{{Kind: string(kinds.IllegalKnight), Share: 1000}}, After: &players.Aftermath{players.Stopped: 1},
		},
	}
}

// needFindings skips the test if the machine reports no findings at all.
func needFindings(t *testing.T) {
	t.Helper()
	if tr := try(t, live, rulesConfig(t, "fide-blitz"), knightOffence()); len(tr.found) == 0 {
		t.Skip("this build reports no findings: a knight that went where no knight goes was pressed, and nothing was reported")
	}
}

func TestOffencesAreFoundAndNamed(t *testing.T) { judgeRooms(t, room.options) }

// judgeRooms plays generated games in every kind of room, watched live and as a recording, and checks what was found in
// all of them against the requirements.
func judgeRooms(t *testing.T, people func(where room, seed int) players.Options) {
	t.Helper()
	needFindings(t)
	for _, where := range rooms {
		for _, how := range [...]watching{live, capture} {
			t.Run(where.name+" "+string(how), func(t *testing.T) {
				first, last := seeds(t, 12)
				v := newVerdict()
				rules := rulesConfig(t, where.rules)
				for seed := first; seed <= last; seed++ {
					v.judge(fmt.Sprintf("seed %d", seed), try(t, how, rules, people(where, seed)))
				}
				v.report(t)
				v.demand(t)
			})
		}
	}
}

// demand checks what was found in all games against the requirements.
func (v *verdict) demand(t *testing.T) {
	t.Helper()
	c := &v.certain
	if c.found*1000 < c.n*995 {
		t.Errorf("%d of %d certain offences found, at least 99.5 %% wanted", c.found, c.n)
	}
	if c.exact*100 < c.n*98 {
		t.Errorf("%d of %d certain offences called by their names, at least 98 %% wanted", c.exact, c.n)
	}
	for _, line := range v.false {
		t.Error("accused an innocent: " + line)
	}
	if c.alerts > 0 && (c.latest > 1_500_000 || c.latencyLo < 0) {
		t.Errorf("alerts %d to %d µs after the press was reported, wanted within 1.5 s and not before it", c.latencyLo, c.latest)
	}
}

// Honest players with all look-alikes are never accused.
func TestTheInnocentAreNeverAccused(t *testing.T) { judgeRooms(t, room.honest) }

// For any behaviour of the players, a replay of the records gives the same output, byte by byte.
func TestOffendersAreReplayedAlike(t *testing.T) {
	for _, where := range rooms {
		for seed := 1; seed <= 3; seed++ {
			tr := try(t, live, rulesConfig(t, where.rules), where.options(seed))
			if lines := again(tr.rig.inputs); !slices.Equal(lines, tr.rig.lines) {
				t.Errorf("%s, seed %d: the replay says something else", where.name, seed)
			}
		}
	}
}

// Check of the measurement itself: the same game, compared with a truth without its offences, and with a silent
// machine.
func TestTheMeasureCanFail(t *testing.T) {
	needFindings(t)
	o := knightOffence()
	good := newVerdict()
	good.judge("as it was", try(t, live, rulesConfig(t, "fide-blitz"), o))
	if good.certain.n == 0 || good.certain.exact != good.certain.n || len(good.false) > 0 || good.right != good.moves {
		t.Errorf("%d knights that erred, %d found; %d false; %d of %d moves", good.certain.n, good.certain.exact, len(good.false), good.right, good.moves)
	}
	tr := try(t, live, rulesConfig(t, "fide-blitz"), o)
	tr.truth.Games[0].Offences = nil
	denied := newVerdict()
	denied.judge("denied", tr)
	if len(denied.false) != good.certain.n {
		t.Errorf("%d accusations of the innocent, want %d", len(denied.false), good.certain.n)
	}
	tr = try(t, live, rulesConfig(t, "fide-blitz"), o)
	tr.found, tr.moves = nil, nil
	silent := newVerdict()
	silent.judge("silent", tr)
	if silent.certain.found != 0 || silent.right != 0 {
		t.Errorf("a silent machine found %d offences and recorded %d moves", silent.certain.found, silent.right)
	}
}

// TestShowOffences is not a test but a tool: it prints the events of one seed and the output about them.
//
//	BOARDWATCHD_SHOW=7 BOARDWATCHD_AS='blitz live' BOARDWATCHD_PLY=31 go test ./internal/watch -run ShowOffences -v
//
// With BOARDWATCHD_PLY it also prints all output around that ply. With BOARDWATCHD_AS ending in "innocent" the players
// commit no offences.
func TestShowOffences(t *testing.T) {
	var seed, ply int
	if _, err := fmt.Sscan(os.Getenv("BOARDWATCHD_SHOW"), &seed); err != nil {
		t.Skip("set BOARDWATCHD_SHOW to a seed")
	}
	fmt.Sscan(os.Getenv("BOARDWATCHD_PLY"), &ply) // 0: none
	as := os.Getenv("BOARDWATCHD_AS")
	for _, where := range rooms {
		for _, how := range [...]watching{live, capture} {
			name := where.name + " " + string(how)
			o := where.options(seed)
			switch as {
			case name + " innocent":
				o = where.honest(seed)
			case name:
			default:
				continue
			}
			story(t, try(t, how, rulesConfig(t, where.rules), o), ply)
		}
	}
}

// story prints truth and output in the order of time.
func story(t *testing.T, tr *trial, ply int) {
	for i := range tr.truth.Games {
		g := &tr.truth.Games[i]
		var from, to int64
		for _, m := range g.Moves {
			if ply == 0 || m.Ply >= ply-3 && m.Ply <= ply+3 {
				t.Logf("%10.3f truth: ply %d %s lifted, stood %.3f, pressed %.3f", inSeconds(m.LiftAt), m.Ply, m.UCI, inSeconds(m.PlacedAt), inSeconds(m.PressAt))
				if from == 0 {
					from = m.LiftAt - 5*second
				}
				to = max(m.PlacedAt, m.PressAt) + 5*second
			}
		}
		for _, o := range g.Offences {
			t.Logf("%10.3f OFFENCE ply %d %v %s %s %s: pressed %.3f done %.3f %v restored %v at %.3f clock %v answered %v in %s",
				inSeconds(o.At), o.Ply, o.Side, o.Kind, o.Way, o.UCI, inSeconds(o.PressAt), inSeconds(o.DoneAt), o.After, o.Restored, inSeconds(o.RestoredAt), o.Clock, o.Answered, o.FEN)
		}
		for _, n := range g.Innocents {
			t.Logf("%10.3f innocent ply %d %v %s %s", inSeconds(n.At), n.Ply, n.Side, n.Kind, n.Detail)
		}
		for _, line := range tr.rig.lines {
			var head struct {
				Type string
				T    float64
			}
			if len(line) < 4 || line[:4] != "say " || json.Unmarshal([]byte(line[4:]), &head) != nil {
				continue
			}
			if head.Type == "finding" || ply > 0 && head.T >= inSeconds(from) && head.T <= inSeconds(to) {
				t.Log(line)
			}
		}
	}
	v := newVerdict()
	v.judge("this seed", tr)
	v.report(t)
	for _, line := range v.false {
		t.Log("accused an innocent: " + line)
	}
}

func inSeconds(us int64) float64 { return float64(us) / 1e6 }
