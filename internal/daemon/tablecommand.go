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

	"boardwatchd/internal/secretfile"
	"boardwatchd/internal/web"
)

// A command on this computer asks the running program by a file in the state directory, which whoever may write the
// journals can write, and reads the answer from another one.
const (
	tablesAskFile    = "tables.ask"
	tablesAnswerFile = "tables.answer"
	commandEvery     = 100 * time.Millisecond
	commandTime      = 5 * time.Second
)

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

// AskTables asks the program that runs with a state directory.
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
	for until := time.Now().Add(commandTime); time.Now().Before(until) && pause(ctx, commandEvery); {
		b, err := os.ReadFile(answer)
		if err == nil && json.Unmarshal(b, &a) == nil && a.ID == q.ID {
			return a, os.Remove(answer)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return a, err
		}
	}
	_ = os.Remove(ask) // nobody takes it
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	return a, ErrNotRunning
}
