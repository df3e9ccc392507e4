package console

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// IsTerminal reports whether the stream is a terminal; /dev/null, which is a character device as well, is not.
func IsTerminal(stream any) bool {
	f, ok := stream.(interface{ Stat() (os.FileInfo, error) })
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// HasUTF8 reports whether a terminal shows more than ASCII characters.
func HasUTF8(getenv func(string) string) bool {
	for _, key := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(key); v != "" {
			v = strings.ToUpper(v)
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return false
}

// IsSystemLog reports whether a file is the stream to systemd's log, or this cannot be determined: no secret goes
// there.
func IsSystemLog(getenv func(string) string, f *os.File) bool {
	stream := getenv("JOURNAL_STREAM")
	if stream == "" {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return true
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || stream == fmt.Sprintf("%d:%d", st.Dev, st.Ino)
}
