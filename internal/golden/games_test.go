package golden

import (
	"encoding/json"
	"fmt"
	"testing"

	"boardwatchd/clockproto"
	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// generated is how many games are played; one in ten in a short run.
const generated = 1000

const second = 1_000_000

// tables are the time controls, each with a rule set that goes with it.
var tables = [...]struct {
	profile     string
	tempo       players.Tempo
	base, bonus int
}{
	{"fide-standard", players.Classical, 5400, 30},
	{"fide-rapid", players.Rapid, 900, 10},
	{"fide-blitz", players.Blitz, 180, 2},
	{"uscf-regular", players.Rapid, 3600, 5},
}

// equipmentFaults are what breaks in one game of four.
var equipmentFaults = [...]func(n uint64, f *emulator.Faults){
	func(n uint64, f *emulator.Faults) {
		f.At = append(f.At, emulator.Fault{At: instant(n, 0), Kind: emulator.Unplug, For: 2 * second}, emulator.Fault{At: instant(n, 1), Kind: emulator.Unplug, For: second})
	},
	func(n uint64, f *emulator.Faults) {
		f.At = append(f.At, emulator.Fault{At: instant(n, 0), Kind: emulator.PowerCycle})
	},
	func(n uint64, f *emulator.Faults) { f.LoseField = 20_000 },
	func(n uint64, f *emulator.Faults) { f.BitFlip = 500 },
	func(n uint64, f *emulator.Faults) {
		f.At = append(f.At, emulator.Fault{At: instant(n, 0), Kind: emulator.ClockGone, For: 40 * second})
	},
	func(n uint64, f *emulator.Faults) {
		f.At = append(f.At, emulator.Fault{At: instant(n, 0), Kind: emulator.Mute, For: 5 * second})
	},
}

func instant(n uint64, i int) int64 { return int64(20+(n*37+uint64(i)*61)%120) * second }

// table draws nothing at random: each property has a period of its own, so that a thousand games mix them.
func table(n uint64) (o players.Options, profile string) {
	at := tables[n%4]
	o = players.Options{Seed: 0x60_1d_e7 + n, Tempo: at.tempo, Count: 1}
	o.Generator.MinPlies, o.Generator.Chess960 = 40, n%23 == 5
	o.Clock.BaseSec, o.Clock.BonusSec = at.base, at.bonus
	o.Clock.Lag = [...]emulator.Lag{emulator.LagAsRecorded, emulator.LagNone, emulator.LagUniform, emulator.LagPolled}[n/4%4]
	o.Clock.None = n%37 == 7
	o.Board.Reversed, o.Board.ScanReverse = n%5 == 2, n%7 == 3
	if n%6 == 1 {
		o.Clock.White = clockproto.Right
	}
	switch n % 3 {
	case 0:
		o.Offences.PerMille, o.Innocents.PerMille = 40, 100
	case 1:
		o.Innocents.PerMille = 300
	}
	if n%8 == 6 {
		restless := players.Restless
		o.Habits = &restless
	}
	if n%17 == 11 {
		o.Count, o.Generator.End = 2, players.EndKings
	}
	if n%4 == 3 {
		equipmentFaults[n/4%uint64(len(equipmentFaults))](n, &o.Faults)
	}
	return o, at.profile
}

// games are watched live, and every third one as a recording in which nobody asks for anything. The PGN of some of them
// is judged.
func games(t *testing.T, judge *pgnJudge) (items []item) {
	t.Helper()
	step := uint64(1)
	if testing.Short() {
		step = 10
	}
	for n := uint64(0); n < generated; n += step {
		o, profile := table(n)
		play := live
		if n%3 == 2 {
			play = capture
		}
		items = append(items, item{fmt.Sprintf("game %d", n), func(said func(int64, record.Kind, []byte)) error {
			if judge.wants(n) {
				return judge.played(n, said, func(said func(int64, record.Kind, []byte)) (players.Truth, error) { return play(o, profile, said) })
			}
			_, err := play(o, profile, said)
			return err
		}})
	}
	return items
}

// A watcher is the machine with the loop of a station.
type watcher struct {
	m    *watch.Machine
	seq  record.Seq
	said func(at int64, k record.Kind, body []byte)
}

func newWatcher(src watch.Source, profile string, said func(int64, record.Kind, []byte)) (*watcher, error) {
	conf := config.Default()
	var err error
	if conf.Profile, conf.Rules, err = config.Rules(profile); err != nil {
		return nil, err
	}
	w := &watcher{m: watch.New(), said: said}
	w.step(0, record.Open, watch.Opening{
		Format: watch.Format, Source: src, Board: "1", Config: json.RawMessage(conf.Core(config.NewBoard("1", "")).Canonical()),
	}.Body())
	return w, nil
}

func (w *watcher) step(at int64, k record.Kind, body []byte) (tx []byte) {
	w.seq++
	for _, e := range w.m.Step(record.Record{Seq: w.seq, At: at, Kind: k, Body: body}) {
		w.said(at, e.Kind, e.Body)
		if e.Kind == record.Tx {
			tx = append(tx, e.Body...)
		}
	}
	return tx
}

func (w *watcher) host(at int64, rx []byte) (tx []byte, wakeAt int64) {
	if len(rx) > 0 {
		tx = append(tx, w.step(at, record.Rx, rx)...)
	}
	for {
		due, ok := w.m.Deadline()
		if !ok {
			return tx, emulator.Never
		}
		if due > at {
			return tx, due
		}
		tx = append(tx, w.step(at, record.Wake, nil)...)
	}
}

func (w *watcher) link(at int64, up bool) {
	if up {
		w.step(at, record.Up, watch.Annotation{Device: "emulated"}.Body())
		return
	}
	w.step(at, record.Down, watch.Annotation{Cause: "unplugged"}.Body())
}

func live(o players.Options, profile string, said func(int64, record.Kind, []byte)) (players.Truth, error) {
	w, err := newWatcher(watch.Live, profile, said)
	if err != nil {
		return players.Truth{}, err
	}
	e, err := players.New(o)
	if err != nil {
		return players.Truth{}, err
	}
	w.link(0, true)
	e.OnLink(w.link)
	emulator.Run(e.Emulator, w.host, 40*second, 1<<50)
	return e.Truth(), nil
}

func capture(o players.Options, profile string, said func(int64, record.Kind, []byte)) (players.Truth, error) {
	w, err := newWatcher(watch.Capture, profile, said)
	if err != nil {
		return players.Truth{}, err
	}
	last := int64(0)
	truth, err := players.Record(o, func(at int64, dir byte, p []byte) {
		last = at
		if dir == emulator.FromBoard {
			w.step(at, record.Rx, p)
		}
	})
	w.step(last, record.Instruct, watch.Instruction{Do: watch.DoFinish}.Body())
	return truth, err
}
