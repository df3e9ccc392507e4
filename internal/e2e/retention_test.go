//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// announced is the list of journals that are removed or will be, as its description says.
type announced struct {
	Version int       `json:"version"`
	Looked  string    `json:"looked"`
	Due     []leaving `json:"due"`
	Removed []leaving `json:"removed"`
}

type leaving struct {
	Journal string   `json:"journal"`
	Bytes   int64    `json:"bytes"`
	Written string   `json:"written"`
	Seq     int64    `json:"seq"`
	Chain   string   `json:"chain"`
	Why     string   `json:"why"`
	Told    []string `json:"told,omitempty"`
	At      string   `json:"at,omitempty"`
}

func (p place) announced(t *testing.T) (a announced) {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(p.state(), "removed.json"))
	if err == nil {
		err = json.Unmarshal(body, &a)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// toldBefore makes the announcement one of the three days before.
func (p place) toldBefore(t *testing.T) {
	t.Helper()
	a := p.announced(t)
	a.Looked = time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	for i := range a.Due {
		for day := range 3 {
			a.Due[i].Told = append([]string{time.Now().UTC().AddDate(0, 0, -1-day).Format(time.DateOnly)}, a.Due[i].Told[:min(day, len(a.Due[i].Told))]...)
		}
	}
	body, err := json.Marshal(a)
	if err == nil {
		err = os.WriteFile(filepath.Join(p.state(), "removed.json"), body, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestJournalsAreRemovedAsAnnounced: journals take more than they may. Page, log, metrics and doctor say which will be
// removed and when, and how to copy them; on the fourth day the oldest are, and no others; verify knows of those that
// they were removed by this program, and by their last record. What is still being decided stays.
func TestJournalsAreRemovedAsAnnounced(t *testing.T) {
	long(t)
	t.Parallel()
	v := newVenue(t)
	v.configure(t, "boards: [{name: b1, port: "+v.path("nothing")+"}]\nbudgets: {journals: 1MiB}\n")
	old := unpacked(t, "testdata/released/revision8.bwj.gz")
	open, _, _ := strings.Cut(string(old), "\"decision\":") // up to the decision: the finding waits
	open = open[:strings.LastIndexByte(open, '\n')+1]
	if err := os.Mkdir(v.state(), 0o700); err != nil {
		t.Fatal(err)
	}
	names := []string{"b1-open"}
	for i := range 10 {
		names = append(names, fmt.Sprintf("b1-r%d", 10+i))
	}
	for i, name := range names {
		text := old
		if name == "b1-open" {
			text = []byte(open)
		}
		at := time.Now().AddDate(0, 0, i-60)
		path := segmentPath(v.state(), name, 1)
		if err := os.WriteFile(path, text, 0o640); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	left := func() (there string) {
		for _, name := range names {
			if _, err := os.Stat(segmentPath(v.state(), name, 1)); err == nil {
				there += " " + name
			}
		}
		return there
	}
	v.open(t)
	v.err.await(t, "that will be removed to make room, not before", "b1-r10", "find '"+v.state()+"'")
	ann := v.pair(t, "Ann")
	if text := ann.notices(t); !strings.Contains(text, "that will be removed to make room, not before") || strings.Contains(text, "b1-open") || !strings.Contains(text, "cp -p") {
		t.Errorf("the page says %s", text)
	}
	due := v.announced(t).Due
	if n := value(v.metrics(t), "boardwatchd_journals_due"); len(due) < 2 || n != float64(len(due)) {
		t.Errorf("due are %+v, and boardwatchd_journals_due is %v", due, n)
	}
	if list := v.examined(t); list.find("that will be removed to make room, not before") < 0 || list[list.find("that will be removed to make room, not before")].Level != "warn" {
		t.Errorf("doctor: %+v", list)
	}
	v.stopped(t)
	v.again(t) // on the same day
	v.err.await(t, "that will be removed to make room, not before")
	v.stopped(t)
	if there := left(); there != " "+strings.Join(names, " ") || len(v.announced(t).Due[0].Told) != 1 {
		t.Fatalf("on the first day there are%s; announced is %+v", there, v.announced(t))
	}

	v.toldBefore(t)
	v.again(t)
	v.err.await(t, "a journal was removed, as announced", "b1-r10", fmt.Sprintf("%d:%s", due[0].Seq, due[0].Chain))
	eventually(t, "the metrics count it", func() bool { return value(v.metrics(t), "boardwatchd_journals_removed_total") > 0 }, func() string { return "" })
	if text := v.first.notices(t); !strings.Contains(text, "removed to make room, as announced") {
		t.Errorf("the page says %s", text)
	}
	gone := v.announced(t).Removed
	there := left()
	if want := fmt.Sprint(names[:1], names[1+len(gone):]); len(gone) == 0 || strings.Trim(there, " ") != strings.Trim(strings.NewReplacer("[", "", "]", "").Replace(want), " ") {
		t.Errorf("removed are %+v, there are%s", gone, there)
	}
	if n := value(v.metrics(t), "boardwatchd_journals_removed_total"); n != float64(len(gone)) {
		t.Errorf("%v are counted, removed are %+v", n, gone)
	}
	v.stopped(t)

	head, path := fmt.Sprintf("%d:%s", gone[0].Seq, gone[0].Chain), segmentPath(v.state(), "b1-r10", 1)
	v.wantHead(t, 1, "the journal b1-r10 was removed by boardwatchd on "+gone[0].At[:10], path)
	stays := segmentPath(v.state(), "b1-r13", 1)
	v.wantHead(t, 1, "which is this head", "--head", head+" b1-r10", stays)
	v.wantHead(t, 1, "was removed by boardwatchd", "--head", fmt.Sprintf("5:%s b1-r10", strings.Repeat("7", 32)), stays)
	v.wantHead(t, 5, "has another chain", "--head", fmt.Sprintf("%d:%s b1-r10", gone[0].Seq, strings.Repeat("7", 32)), stays)
	v.wantHead(t, 3, "was missing by then", "--head", fmt.Sprintf("%d:%s b1-r10", gone[0].Seq+1, strings.Repeat("7", 32)), stays)
	text, _, _ := strings.Cut(string(old), "\"decision\":") // another year's round has the same name
	if err := os.WriteFile(path, []byte(text[:strings.LastIndexByte(text, '\n')+1]), 0o640); err != nil {
		t.Fatal(err)
	}
	v.wantHead(t, 1, "which is this head", "--head", head+" b1-r10", path)
	v.wantHead(t, 3, "or the head is of an earlier one: the journal b1-r10 was removed", "--head", fmt.Sprintf("%d:%s b1-r10", gone[0].Seq-1, strings.Repeat("7", 32)), path)
	v.wantHead(t, 1, "which is not among the files", "--head", head+" b1-r77", stays)
}
