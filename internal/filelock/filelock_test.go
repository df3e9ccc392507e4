//go:build unix

package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestALockIsHeldUntilItsFileIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	one, other := open(), open()
	if err := Try(one); err != nil {
		t.Fatal(err)
	}
	if err := Try(other); !errors.Is(err, ErrHeld) {
		t.Errorf("while it is held: %v", err)
	}
	if err := errors.Join(one.Close(), Try(other)); err != nil {
		t.Errorf("after it: %v", err)
	}
	if err := Try(one); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("on a closed file: %v", err)
	}
}
