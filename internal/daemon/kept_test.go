package daemon

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/orders"
	"boardwatchd/internal/pairing"
	"boardwatchd/internal/retention"
	"boardwatchd/internal/tables"
)

// The round and the tables, where their file is damaged, are those of the copy; where there is none a notice on the
// page and in the list says what counts, until they are set again.
func TestADamagedRoundAndDamagedTables(t *testing.T) {
	for _, copied := range []bool{true, false} {
		dir, run := t.TempDir(), ""
		if copied {
			run = t.TempDir()
		}
		open := func() *Daemon {
			conf := config.Default()
			conf.HTTP.Listen = config.Off
			env := func(name string) string { return map[string]string{"XDG_RUNTIME_DIR": run}[name] }
			d := Open(Options{Config: conf, Dir: dir, Log: zerolog.Nop(), Getenv: env})
			t.Cleanup(d.member.end)
			return d
		}
		d := open()
		given := &orders.Orders{Settings: orders.Settings{Round: "2", TimeControl: "25+2", Profile: "fide-rapid-supervised"}}
		if err := d.round.put(given, ""); err != nil {
			t.Fatal(err)
		}
		if err := d.tables.write(tables.State{Entries: []tables.Entry{{Table: "9", Board: "12"}}}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{roundFile, tablesFile} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		d = open()
		round, table, says := "2", "9", "A copy of it counts"
		if !copied {
			round, table, says = "", "12", "is kept as"
		}
		if d.round.round() != round || d.tables.of("12") != table {
			t.Errorf("copied %v: round %q, table %q", copied, d.round.round(), d.tables.of("12"))
		}
		for _, name := range []string{roundFile, tablesFile} {
			path := filepath.Join(dir, name)
			if aside, err := filepath.Glob(path + ".damaged-*"); err != nil || len(aside) != 1 || !told(d, aside[0]) || !told(d, says) {
				t.Errorf("copied %v: kept are %q, %v; the list says %+v", copied, aside, err, d.frontend.Computers().Rows)
			}
		}
		if err := d.round.put(given, ""); err != nil {
			t.Fatal(err)
		}
		for _, n := range d.frontend.notices() {
			if strings.Contains(n.Text, roundFile) {
				t.Errorf("the round was set again: %s", n.Text)
			}
		}
		if d = open(); d.round.round() != "2" || told(d, "is kept as") {
			t.Errorf("after another start: round %q, the list says %+v", d.round.round(), d.frontend.Computers().Rows)
		}
	}
}

// Of a state directory that the program may not use one notice says so, and none that journals cannot be removed, or
// that the computer has to join its hall again.
func TestADirectoryThatMayNotBeUsed(t *testing.T) {
	d := alone(t, t.TempDir(), "")
	f, no := d.frontend, &fs.PathError{Op: "open", Path: d.opt.Dir, Err: syscall.EACCES}
	for _, denied := range []bool{false, true} {
		if denied {
			f.files.unusable = no
		}
		f.retention(retention.Outcome{}, no, d.opt.Dir)
		if f.presentAt("journals-stay") >= 0 == denied || f.denied(no) != denied || f.denied(syscall.ENOSPC) {
			t.Errorf("denied %v: %+v", denied, f.present)
		}
	}
}

// A pairing whose file is gone keeps no board from being watched, and the round that was set on the page counts.
func TestAPairingThatIsGone(t *testing.T) {
	dir := t.TempDir()
	open := func(p *pairing.Pairing, gone *fs.PathError) *Daemon {
		conf := config.Default()
		conf.HTTP.Listen = config.Off
		d := Open(Options{Config: conf, Dir: dir, Log: zerolog.Nop(), Getenv: func(string) string { return "" }, Pairing: p, PairingGone: gone})
		t.Cleanup(d.member.end)
		return d
	}
	d := open(&pairing.Pairing{Games: []pairing.Game{{Board: "1"}}}, nil)
	if err := d.round.put(&orders.Orders{Settings: orders.Settings{Round: "2"}}, ""); err != nil {
		t.Fatal(err)
	}
	d = open(nil, &fs.PathError{Op: "open", Path: "/media/stick/round2.trf", Err: syscall.ENOENT})
	if !told(d, "The pairing /media/stick/round2.trf cannot be read: it is not there.") || d.round.round() != "2" {
		t.Errorf("round %q, the list says %+v", d.round.round(), d.frontend.Computers().Rows)
	}
}
