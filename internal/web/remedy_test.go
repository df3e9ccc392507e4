package web

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

func TestDiskRemedy(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&fs.PathError{Op: "open", Path: "hall/computers.json.lock", Err: syscall.EROFS}, "can only be read"},
		{fmt.Errorf("the list of computers: %w", syscall.ENOSPC), "make room"},
		{&fs.PathError{Op: "open", Path: "hall", Err: syscall.EACCES}, "may not write"},
		{errors.New("the address is in use"), ""},
		{fs.ErrNotExist, ""},
	} {
		if got := DiskRemedy(tt.err); !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
}
