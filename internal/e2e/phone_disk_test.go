//go:build linux

package e2e

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// fileSize lets a process write files of at most that many bytes; a full disk is like 0.
func (pr *process) fileSize(t testing.TB, bytes uint64) {
	t.Helper()
	var limit unix.Rlimit
	err := unix.Prlimit(pr.cmd.Process.Pid, unix.RLIMIT_FSIZE, nil, &limit)
	if err == nil {
		limit.Cur = min(bytes, limit.Max)
		err = unix.Prlimit(pr.cmd.Process.Pid, unix.RLIMIT_FSIZE, &limit, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestPhoneDiskThatTakesNothing: while the disk takes nothing, nothing is answered "saved", and health says why. When
// it takes again, the same request is saved, once, and survives a kill.
func TestPhoneDiskThatTakesNothing(t *testing.T) {
	long(t)
	t.Parallel()
	v := openVenue(t, "")
	ann := v.pair(t, "Ann")
	feed := ann.follow(t, "")
	item := ann.awaitConfirmed(t)
	v.fileSize(t, 0)
	health := ""
	eventually(t, "health tells of the journal", func() bool {
		var status int
		status, health = v.health(t)
		return status == http.StatusServiceUnavailable && health == `{"status":"journal","boards":1}`
	}, func() string { return health })
	d := decision(ann.item(t, item.Finding.ID), "confirm")
	before := ann.head(t)
	status, _, text, err := ann.send(t.Context(), d) // waits for the disk for 10 s
	if err != nil || status != http.StatusServiceUnavailable || !strings.Contains(string(text), "not_saved") || strings.Contains(string(text), `"head"`) {
		t.Fatalf("a disk that takes nothing: %d %s (%v)", status, text, err)
	}
	if now := ann.head(t); now != before {
		t.Errorf("the disk takes nothing, and the journal's head went from %v to %v", before, now)
	}
	feed.await(t, "what is in force all the same", func(e happened) bool { return e.name == "decision" && strings.Contains(e.data, d.request()) })
	if n := value(v.metrics(t), "boardwatchd_journal_degraded", "board", boardName); n != 1 {
		t.Errorf("boardwatchd_journal_degraded is %v", n)
	}
	v.fileSize(t, unix.RLIM_INFINITY)
	eventually(t, "saved when the disk takes it", func() bool {
		if status, _, text, err = ann.send(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		return status == http.StatusOK
	}, func() string { return string(text) })
	v.kill()
	if n := v.written(t)[d.request()]; n != 1 {
		t.Errorf("saved, and the journal has it %d times", n)
	}
	v.again(t)
	if after := ann.item(t, item.Finding.ID); after.decided() != "confirm" || len(after.Decisions) != 1 {
		t.Errorf("after the kill: %+v", after)
	}
	if status, what := v.health(t); status != http.StatusOK {
		t.Errorf("after the kill: %d %s", status, what)
	}
}
