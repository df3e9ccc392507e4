package daemon

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
)

// A board with a loose plug logs the same lines again and again, and the log is on the same disk as the journals. So a
// line that differs only in its values is written as often as budgets.log_lines allows at once, and then as often each
// minute, with the number of lines left out. The journal has everything.
const logKinds = 256 // messages are constants of the program

// logLimit is a hook of the log of one board or of the page: a stranger who is refused a thousand times a second does
// not fill the disk.
type logLimit struct {
	perMinute int
	leftOut   *atomic.Int64
	now       func() time.Time

	mu   sync.Mutex
	seen map[string]*logged
}

// logged is one message: how often it may still be written, since when, and how often it was left out.
type logged struct {
	room int
	at   time.Time
	more int
}

func (d *Daemon) limitLog(l zerolog.Logger) zerolog.Logger {
	return l.Hook(&logLimit{perMinute: max(d.opt.Config.Budgets.LogLines, 1), leftOut: &d.used.logLeftOut, now: time.Now, seen: map[string]*logged{}})
}

// Run leaves a line out, or adds the number of lines left out. Debug lines are not limited, because a person has
// switched them on.
func (l *logLimit) Run(e *zerolog.Event, level zerolog.Level, message string) {
	if level < zerolog.InfoLevel || level > zerolog.ErrorLevel {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now, m := l.now(), l.seen[message]
	if m == nil {
		if len(l.seen) == logKinds {
			return
		}
		m = &logged{room: l.perMinute, at: now}
		l.seen[message] = m
	}
	every := time.Minute / time.Duration(l.perMinute)
	if n := int(now.Sub(m.at) / every); n > 0 {
		m.room, m.at = min(m.room+n, l.perMinute), m.at.Add(time.Duration(n)*every)
	}
	if m.room == 0 {
		m.more++
		l.leftOut.Add(1)
		e.Discard()
		return
	}
	m.room--
	if m.more > 0 {
		e.Int("more_since", m.more)
		m.more = 0
	}
}
