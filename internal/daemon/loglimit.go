package daemon

import (
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// A board that comes and goes with a loose plug says so again and again, and the log is on the same disk as the journals: a line that is the
// same but for its values is written ten times at once and then ten times a minute, with the number of those left out. The journal has all.
const (
	logBurst = 10
	logEvery = 6 * time.Second
	logKinds = 256 // messages are constants of the program
)

// logLimit is a hook of one board's log.
type logLimit struct {
	now func() time.Time

	mu   sync.Mutex
	seen map[string]*logged
}

// logged is one message: how often it may still be written since when, and how often it was not.
type logged struct {
	room int
	at   time.Time
	more int
}

func limitLog(l zerolog.Logger) zerolog.Logger {
	return l.Hook(&logLimit{now: time.Now, seen: map[string]*logged{}})
}

// Run leaves a line out, or adds how many were. Details for developers are not limited: somebody has asked for them.
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
		m = &logged{room: logBurst, at: now}
		l.seen[message] = m
	}
	if n := int(now.Sub(m.at) / logEvery); n > 0 {
		m.room, m.at = min(m.room+n, logBurst), m.at.Add(time.Duration(n)*logEvery)
	}
	if m.room == 0 {
		m.more++
		e.Discard()
		return
	}
	m.room--
	if m.more > 0 {
		e.Int("more_since", m.more)
		m.more = 0
	}
}
