package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"boardwatchd/internal/filelock"
	"boardwatchd/internal/secretfile"
	"boardwatchd/internal/web"
)

// A command on this computer asks the running program by a file in the state directory, which whoever may write the
// journals can write, and reads the answer from another one.
const (
	tablesAskFile    = "tables.ask"
	tablesAnswerFile = "tables.answer"
	tablesLockFile   = "tables.lock" // a program that will answer holds its lock
	commandEvery     = 100 * time.Millisecond
	commandTime      = 5 * time.Second
	untakenTime      = 800 * time.Millisecond // a program that is not busy has taken what was asked (tablesEvery)
)

// promise holds the lock that says that commands will be answered, from the start on and until Close. Another program
// that holds it, or a directory that takes no file, changes nothing: what is asked is answered all the same.
func (t *tabling) promise() {
	path := filepath.Join(t.d.opt.Dir, tablesLockFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, secretfile.Mode)
	if err != nil {
		return
	}
	secretfile.GiveToOwner(f, path)
	if filelock.Try(f) != nil {
		_ = f.Close() // nothing was written
		return
	}
	t.promised = f
}

func (t *tabling) close() {
	if t.promised != nil {
		_ = t.promised.Close() // nothing was written
	}
}

// isPromised reports whether a program that runs with a state directory will answer, as far as that can be found out.
func isPromised(state string) bool {
	f, err := os.Open(filepath.Join(state, tablesLockFile))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	return errors.Is(filelock.Try(f), filelock.ErrHeld)
}

// A TablesRequest is what a command asks.
type TablesRequest struct {
	ID string `json:"id"`
	web.TablesChange
	Sheet bool `json:"sheet,omitempty"`
	Cards bool `json:"cards,omitempty"`
}

// A TablesResponse is what the program says.
type TablesResponse struct {
	ID    string          `json:"id"`
	Error string          `json:"error,omitempty"`
	State web.TablesState `json:"state"`
	Sheet string          `json:"sheet,omitempty"`
}

// answerCommand answers a command, if one has asked.
func (t *tabling) answerCommand() {
	ask := filepath.Join(t.d.opt.Dir, tablesAskFile)
	b, err := os.ReadFile(ask)
	if err != nil {
		return
	}
	_ = os.Remove(ask) // else it is done twice, which changes nothing
	var q TablesRequest
	if json.Unmarshal(b, &q) != nil || q.ID == "" {
		return
	}
	a := TablesResponse{ID: q.ID}
	if q.Do != "" {
		if err := t.ChangeTables(q.TablesChange); err != nil {
			a.Error = err.Error()
			switch playing := (*web.PlayingError)(nil); {
			case errors.Is(err, web.ErrTablesAsk):
				a.Error += "; say --sure if it is meant"
			case errors.As(err, &playing):
				a.Error += "; change their tables when the games are over"
			}
		}
	}
	if q.Sheet {
		var out bytes.Buffer
		if err := t.TableSheet(&out, "en", q.Cards); err == nil {
			a.Sheet = out.String()
		}
	}
	a.State = t.TablesState()
	if b, err = json.Marshal(a); err == nil {
		err = secretfile.Replace(filepath.Join(t.d.opt.Dir, tablesAnswerFile), b)
	}
	if err != nil {
		t.d.opt.Log.Error().Err(err).Msg("a command about tables gets no answer")
	}
}

// ErrNotRunning says that no program answers for a state directory.
var ErrNotRunning = errors.New("boardwatchd does not run with this state directory: start run or hall first, or give its configuration with -c")

// AskTables asks the program that runs with a state directory. That none runs is said within a second.
func AskTables(ctx context.Context, state string, q TablesRequest) (a TablesResponse, err error) {
	q.ID = fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano())
	b, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	ask, answer := filepath.Join(state, tablesAskFile), filepath.Join(state, tablesAnswerFile)
	if err := secretfile.Replace(ask, b); err != nil {
		return a, err
	}
	for begun := time.Now(); time.Since(begun) < commandTime && pause(ctx, commandEvery); {
		b, err := os.ReadFile(answer)
		if err == nil && json.Unmarshal(b, &a) == nil && a.ID == q.ID {
			return a, os.Remove(answer)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return a, err
		}
		if _, err := os.Stat(ask); err == nil && time.Since(begun) >= untakenTime && !isPromised(state) {
			break
		}
	}
	_ = os.Remove(ask) // nobody takes it
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	return a, ErrNotRunning
}
