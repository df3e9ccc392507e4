//go:build unix

package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
)

// A command learns within a second that no program runs, and waits for one that runs and is busy.
func TestACommandLearnsSoonThatNothingRuns(t *testing.T) {
	dir := t.TempDir()
	ask := func(name string, least, most time.Duration) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			_, err := AskTables(t.Context(), dir, TablesRequest{})
			if took := time.Since(begun); !errors.Is(err, ErrNotRunning) || took < least || took > most {
				t.Errorf("%s: %v after %s", name, err, took)
			}
		})
		if _, err := os.Stat(filepath.Join(dir, tablesAskFile)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: what was asked is there still: %v", name, err)
		}
	}
	ask("nothing has run", 0, time.Second)
	d := Open(Options{Dir: dir, Config: config.Config{HTTP: config.HTTP{Listen: config.Off}}, Log: zerolog.Nop()})
	ask("a program that takes nothing yet", commandTime, commandTime)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	ask("it has ended", 0, time.Second)
}
