package watch_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// again steps the records into a new machine and returns the effects.
func again(inputs []record.Record) (lines []string) {
	m := watch.New()
	for _, in := range inputs {
		for _, e := range m.Step(in) {
			lines = append(lines, e.Kind.String()+" "+string(e.Body))
		}
	}
	return lines
}

// A replay gives the same output, byte for byte, also after faults (docs/architecture.md, fact 5).
func TestTheSameRecordsSayTheSame(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		o := players.Options{Seed: seed, Count: 1, Habits: &players.Restless}
		o.Faults.BitFlip, o.Faults.LoseField = 300, 5_000
		o.Faults.At = []emulator.Fault{{At: 60 * second, Kind: emulator.Unplug, For: 3 * second}}
		r, _ := play(t, o)
		if got := again(r.inputs); strings.Join(got, "\n") != strings.Join(r.lines, "\n") {
			t.Fatalf("seed %d: the replay differs", seed)
		}
	}
}

// story returns the output without commands, times and sequence numbers.
func (r *rig) story(types ...string) string {
	var b strings.Builder
	for _, v := range r.said {
		for _, typ := range types {
			if v.Type == typ {
				b.WriteString(strings.Join([]string{v.Type, v.Side, v.UCI, v.Judged, v.Result, v.By, v.State, v.FEN, v.CommittedBy}, " ") + "\n")
			}
		}
	}
	return b.String()
}

// A wake record only affects latency: without any, the next record first handles the deadlines that were due.
func TestLateWakesChangeNothing(t *testing.T) {
	types := []string{"game", "move", "press", "result", "takeback"}
	rng := rand.New(rand.NewPCG(1, 1))
	for seed := uint64(1); seed <= 15; seed++ {
		o := players.Options{Seed: seed, Count: 2, Habits: &players.Restless}
		o.Faults.LoseField = 2_000
		r, _ := play(t, o)
		for _, late := range []int{0, 50, 100} { // percent of the wakes that never come
			var inputs []record.Record
			for _, in := range r.inputs {
				if in.Kind != record.Wake || rng.IntN(100) >= late {
					inputs = append(inputs, in)
				}
			}
			q := &rig{m: watch.New()}
			for _, in := range inputs {
				q.seq = in.Seq - 1
				q.step(in.At, in.Kind, in.Body)
			}
			end := inputs[len(inputs)-1]
			q.step(end.At+60*second, record.Wake, nil) // the last ones have nothing after them
			r.host(end.At+60*second, nil)
			if got, want := q.story(types...), r.story(types...); got != want {
				t.Fatalf("seed %d, %d %% of the wakes lost: the story differs\ngot\n%s\nwant\n%s", seed, late, got, want)
			}
		}
	}
}

// Property (a) of the reconstruction notes, section 7.6: a move is not reported before something completed it. A move
// by press comes in the step of a clock reading, or of a report that the press was waiting for.
func TestNoMoveWithoutACause(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		r, truth := play(t, players.Options{Seed: seed, Count: 1, Habits: &players.Restless})
		moves := truth.Games[0].Moves
		for _, v := range r.said {
			if v.Type != "move" || v.Ply > len(moves) {
				continue
			}
			at, m := int64(v.T*second), moves[v.Ply-1]
			completed := m.PressAt
			switch {
			case v.CommittedBy == "terminal":
				completed = m.PlacedAt
			case v.CommittedBy == "reply" && v.Ply < len(moves):
				completed = moves[v.Ply].LiftAt
			}
			if completed == players.NotPressed || at < completed {
				t.Errorf("seed %d: ply %d %s by %s at %d, completed at %d", seed, v.Ply, v.UCI, v.CommittedBy, at, completed)
			}
		}
	}
}

// FuzzMachine steps arbitrary records: it must never panic, never leave a deadline in the past, and give the same
// output again.
func FuzzMachine(f *testing.F) {
	for seed := uint64(1); seed <= 3; seed++ {
		var bytes []byte
		o := players.Options{Seed: seed, Count: 1, Generator: players.GeneratorOptions{MinPlies: 4, MaxPlies: 6}}
		if _, err := players.Record(o, func(at int64, dir byte, p []byte) {
			if dir == emulator.FromBoard {
				bytes = append(append(bytes, byte(len(p)), 0x21), p...)
			}
		}); err != nil {
			f.Fatal(err)
		}
		f.Add(bytes)
	}
	f.Add([]byte("\x05\x22\x8e\x00\x05\x34\x00\x01\x33x\x01\x44x\x01\x55x\x01\x06x"))
	kinds := []record.Kind{record.Open, record.Rx, record.Up, record.Down, record.Wake, record.Gap, record.Wall, record.Decide, record.Instruct, record.Close, record.Tx, record.Say}
	f.Fuzz(func(t *testing.T, p []byte) {
		m := watch.New()
		var inputs []record.Record
		inputs = append(inputs, record.Record{Seq: 1, Kind: record.Open, Body: watch.Opening{Format: watch.Format, Source: watch.Live, Board: "1"}.Body()})
		now := int64(0)
		for len(p) >= 2 && len(inputs) < 2000 {
			n, op := int(p[0]), p[1]
			p = p[2:]
			n = min(n, len(p))
			now += int64(op>>4) * int64(op>>4) * 20_000
			kind := kinds[int(op&15)%len(kinds)]
			inputs = append(inputs, record.Record{Seq: record.Seq(len(inputs) + 1), At: now, Kind: kind, Body: p[:n]})
			p = p[n:]
		}
		var lines []string
		for _, in := range inputs {
			for _, e := range m.Step(in) {
				lines = append(lines, e.Kind.String()+" "+string(e.Body))
			}
			if at, ok := m.Deadline(); ok && in.Kind.Input() && in.Kind != record.Close && in.Kind != record.Open && at < in.At {
				t.Fatalf("after %v at %d a deadline of %d is left", in.Kind, in.At, at)
			}
		}
		if got := again(inputs); strings.Join(got, "\n") != strings.Join(lines, "\n") {
			t.Fatal("the same records said something else")
		}
	})
}
