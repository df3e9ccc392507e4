//go:build !linux

package link

// Open needs Linux: that a port is this process's own, and is in raw mode, is asked of Linux.
func Open(path string) (*Port, error) {
	return nil, &Failure{Op: "open", Path: path, What: ErrNotPort, Hint: "boards are watched on Linux only"}
}
