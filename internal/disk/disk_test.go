package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"boardwatchd/internal/web/page"
)

// An error of the system is a sentence of the page's texts, with the file that it is about; another one is as it is.
func TestErrorsOfTheSystemInNotices(t *testing.T) {
	at := func(err error) error {
		return fmt.Errorf("the key: %w", &fs.PathError{Op: "open", Path: "/s/key", Err: err})
	}
	for want, err := range map[string]error{
		"/s/key: the disk is full":                at(syscall.ENOSPC),
		"/s/key: the disk can only be read":       at(syscall.EROFS),
		"/s/key: the program may not write there": at(syscall.EACCES),
		"/s/key: it is not there":                 at(syscall.ENOENT),
		"the disk is full":                        syscall.ENOSPC,
		"the key: open /s/key: too many links":    at(syscall.EMLINK),
		"line 3 is damaged":                       errors.New("line 3 is damaged"),
		"/s/pgn: the disk is full":                fmt.Errorf("the file: %w", &os.LinkError{Op: "rename", Old: "/s/pgn.new", New: "/s/pgn", Err: syscall.ENOSPC}),
		"/s/key: it is damaged":                   fmt.Errorf("the hall: %w", Unusable("/s/key", "notice.because_damaged", "is damaged: join again")),
	} {
		if got := page.English(WhyAt(err)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := page.English(Why(at(syscall.EROFS))); got != "the disk can only be read" {
		t.Errorf("the cause alone: %q", got)
	}
}

// Whether a directory takes a file is tried, and nothing of it stays.
func TestADirectoryTakesAFile(t *testing.T) {
	dir := t.TempDir()
	if err := Takes(dir); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if err := Takes("/proc/self"); err == nil {
		t.Error("/proc takes a file")
	}
}
