package daemon

import (
	"os"
	"path/filepath"
	"sync"
	"time"
)

// sockets gives ports the names of the sockets that their cables are in, because /dev/ttyACM0 is simply the board that
// was plugged in first. The zero value is ready.
type sockets struct {
	mu     sync.Mutex
	names  map[string]string // by device
	readAt time.Time
}

// socketDirs have lasting names, the better ones last: those of the system, and those of
// deploy/systemd/99-boardwatchd.rules.
var socketDirs = []string{"/dev/serial/by-path/*", "/dev/dgt/port-*"}

// socketsFor is how long the names are kept; a board that was plugged in takes longer to answer.
const socketsFor = 500 * time.Millisecond

// of is the name of a device's socket, or the device itself.
func (s *sockets) of(device string) string {
	if device == "" {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.Sub(s.readAt).Abs() > socketsFor {
		s.readAt, s.names = now, socketNames(socketDirs)
	}
	if name := s.names[device]; name != "" {
		return name
	}
	return device
}

func socketNames(patterns []string) map[string]string {
	names := map[string]string{}
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern) // the patterns are valid
		for _, name := range found {
			target, err := os.Readlink(name)
			if err != nil {
				continue
			}
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(name), target)
			}
			names[target] = name
		}
	}
	return names
}
