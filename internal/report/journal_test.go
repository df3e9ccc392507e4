package report_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/people"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
)

const second = 1_000_000

// A table is one board of a round: who plays, and how much the arbiter decides.
type table struct {
	board, event, round string
	white, black, note  string
	paired              string // the table, as the pairing calls it
	restarted           bool   // the program starts again after the pairing
	seed                uint64
	games               int
	offences            int // per mille
	undecided           bool
}

// played is a journal that was written.
type played struct {
	file     string
	truth    players.Truth
	decided  int // decisions
	findings map[string]bool
	strikes  map[int]said.Sides // of each game, as the machine counted them after the last decision
}

// A writer is the machine with the loop of a station, and an arbiter with a phone who decides four seconds after every
// alert.
type writer struct {
	t     testing.TB
	m     *watch.Machine
	w     *journal.Writer
	book  *people.Book
	table table
	due   []due
	played
}

type due struct {
	at      int64
	finding string
}

func write(t testing.TB, dir string, tb table) played {
	t.Helper()
	name := "board" + tb.board + "-r" + tb.round
	w, err := journal.Create(dir, name, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	book := people.Open(filepath.Join(dir, "people.json"), time.Now)
	book.Device("device1", "Ana’s phone <b>")
	k := writer{t: t, m: watch.New(), w: w, book: book, table: tb, played: played{file: filepath.Join(dir, name+".bwj"), findings: map[string]bool{}, strikes: map[int]said.Sides{}}}
	conf := config.Default()
	if conf.Profile, conf.Rules, err = config.Rules("fide-standard"); err != nil {
		t.Fatal(err)
	}
	conf.Event, conf.Round = tb.event, tb.round
	opening := watch.Opening{
		Format: watch.Format, Journal: name, Segment: 1, Core: watch.Revision, Software: "test", Source: watch.Live, Board: tb.board, Wall: "2026-11-24T09:00:00Z",
		Config: json.RawMessage(conf.Core(config.NewBoard(tb.board, "")).Canonical()),
	}
	k.step(0, record.Open, opening.Body())
	k.step(0, record.Up, watch.Annotation{Device: "emulated"}.Body())
	k.step(0, record.Instruct, watch.Instruction{Do: watch.DoNames, White: watch.Value(book.Player(tb.white)), Black: watch.Value(book.Player(tb.black)), Name: tb.paired}.Body())
	if tb.restarted {
		k.step(0, record.Open, opening.Body())
		k.step(0, record.Up, watch.Annotation{Device: "emulated"}.Body())
	}
	e, err := players.New(players.Options{
		Seed: tb.seed, Tempo: players.Rapid, Count: max(tb.games, 1), Offences: players.Offences{PerMille: tb.offences},
		Generator: players.GeneratorOptions{MinPlies: 40, End: players.EndKings}, Clock: emulator.ClockOptions{BaseSec: 3600, BonusSec: 30},
	})
	if err != nil {
		t.Fatal(err)
	}
	emulator.Run(e.Emulator, k.host, 40*second, 1<<50)
	k.truth = e.Truth()
	if err := w.Close(k.m.View().At, "end"); err != nil {
		t.Fatal(err)
	}
	return k.played
}

func (k *writer) step(at int64, kind record.Kind, body []byte) (tx []byte) {
	seq, err := k.w.Add(at, kind, body)
	if err != nil {
		k.t.Fatal(err)
	}
	for _, e := range k.m.Step(record.Record{Seq: seq, At: at, Kind: kind, Body: body}) {
		if _, err := k.w.Add(at, e.Kind, e.Body); err != nil {
			k.t.Fatal(err)
		}
		if e.Kind == record.Tx {
			tx = append(tx, e.Body...)
		} else {
			k.hear(at, e.Body)
		}
	}
	k.w.Flush()
	if v := k.m.View(); kind == record.Decide {
		k.strikes[v.Game] = said.Sides{White: v.Strikes[0], Black: v.Strikes[1]}
	}
	return tx
}

func (k *writer) hear(at int64, body []byte) {
	var s said.Any
	if json.Unmarshal(body, &s) != nil || s.Type != "finding" {
		return
	}
	if !k.findings[s.ID] && s.State == "confirmed" && (s.Alert == "now" || s.Alert == "advise") && !k.table.undecided {
		k.findings[s.ID] = true
		k.due = append(k.due, due{at + 4*second, s.ID})
	}
}

func (k *writer) host(at int64, rx []byte) (tx []byte, wakeAt int64) {
	if len(rx) > 0 {
		tx = append(tx, k.step(at, record.Rx, rx)...)
	}
	for len(k.due) > 0 && k.due[0].at <= at {
		d := watch.Decision{Finding: k.due[0].finding, Decision: "confirm", Device: "device1", Note: k.book.Note(k.table.note)}
		if k.decided%3 == 2 {
			d.Decision = "reject"
		}
		k.due = k.due[1:]
		k.decided++
		tx = append(tx, k.step(at, record.Decide, d.Body())...)
	}
	for {
		due, ok := k.m.Deadline()
		if !ok || due > at {
			if !ok {
				due = emulator.Never
			}
			if len(k.due) > 0 {
				due = min(due, k.due[0].at)
			}
			return tx, due
		}
		tx = append(tx, k.step(at, record.Wake, nil)...)
	}
}

// long is a name that no column is made for.
var long = strings.Repeat("Wolfeschlegelsteinhausenbergerdorff-", 4)
