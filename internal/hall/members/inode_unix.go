//go:build unix

package members

import (
	"io/fs"
	"syscall"
)

// inode tells a file that was replaced from the one before.
func inode(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino)
	}
	return 0
}
