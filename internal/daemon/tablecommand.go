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

// A command on this computer sends its request to the running program as a file in the state directory, so that it
// needs the right to write there, and reads the answer from another file.
const (
	tablesAskFile    = "tables.ask"
	tablesAnswerFile = "tables.answer"
	tablesLockFile   = "tables.lock" // a program that will answer holds its lock
	commandEvery     = 100 * time.Millisecond
	commandTime      = 5 * time.Second
	untakenTime      = 800 * time.Millisecond // an idle program has taken the request by then (tablesEvery)
)

// lockForCommands takes the lock that shows that commands will be answered, from the start until Close. If another
// program holds it, or the directory takes no file, requests are answered all the same.
func (t *tabling) lockForCommands() {
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
	t.commandLock = f
}

func (t *tabling) close() {
	if t.commandLock != nil {
		_ = t.commandLock.Close() // nothing was written
	}
}

// answersCommands reports whether a program that runs with a state directory will answer, as far as can be determined.
func answersCommands(state string) bool {
	f, err := os.Open(filepath.Join(state, tablesLockFile))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	return errors.Is(filelock.Try(f), filelock.ErrHeld)
}

// A TablesRequest is a command's request.
type TablesRequest struct {
	ID string `json:"id"`
	web.TablesChange
	Sheet bool `json:"sheet,omitempty"`
	Cards bool `json:"cards,omitempty"`
}

// A TablesResponse is the program's answer.
type TablesResponse struct {
	ID    string          `json:"id"`
	Error string          `json:"error,omitempty"`
	State web.TablesState `json:"state"`
	Sheet string          `json:"sheet,omitempty"`
}

// answerCommand answers the request of a command, if there is one.
func (t *tabling) answerCommand() {
	ask := filepath.Join(t.d.opt.Dir, tablesAskFile)
	b, err := os.ReadFile(ask)
	if err != nil {
		return
	}
	_ = os.Remove(ask) // if it stays, the request is carried out twice, which changes nothing
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

// ErrNotRunning means that no program answers for a state directory.
var ErrNotRunning = errors.New("boardwatchd does not run with this state directory: start run or hall first, or give its configuration with -c")

// AskTables sends a request to the program that runs with a state directory. It fails within a second if none runs.
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
		if _, err := os.Stat(ask); err == nil && time.Since(begun) >= untakenTime && !answersCommands(state) {
			break
		}
	}
	_ = os.Remove(ask) // it was not taken
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	return a, ErrNotRunning
}
