package doctor

import (
	"context"
	"fmt"

	"boardwatchd/internal/config"
)

// Level is the severity of a line.
type Level uint8

// The levels.
const (
	NoLevel Level = iota
	OK
	Warn // works, with a limit that a person should know
	Fail // it prevents operation
)

var levelNames = [...]string{"invalid", "ok", "warn", "fail"}

func (l Level) String() string {
	if int(l) >= len(levelNames) {
		l = NoLevel
	}
	return levelNames[l]
}

// Line is one result.
type Line struct {
	Check  string // name of the check, one word
	Level  Level
	Text   string // the fact
	Remedy string // the remedy, or a way to test what cannot be checked; mostly empty with OK
}

// Subject is the configuration to be examined.
type Subject struct {
	File    string // name of the configuration; empty: the defaults
	Config  config.Config
	Problem error // of the configuration; then Config holds the defaults
}

// checks in the order of the report: conditions of everything else come first.
var checks = []struct {
	name string
	look func(context.Context, *visit)
}{
	{"config", configuration},
	{"state", state},
	{"boards", boards},
	{"clock", clock},
	{"page", page},
	{"budgets", budgets},
	{"network", network},
	{"firewall", firewall},
	{"names", names},
	{"https", certificates},
	{"devices", devices},
	{"channels", channels},
	{"broadcast", public},
	{"service", service},
	{"hall", hall},
}

// Examine makes all checks. It ends early when ctx does.
func Examine(ctx context.Context, c Computer, s Subject) []Line {
	v := &visit{Computer: c, Subject: s}
	for _, check := range checks {
		if ctx.Err() != nil {
			break
		}
		v.check = check.name
		check.look(ctx, v)
	}
	return v.lines
}

// visit is one examination: its subject, its results, and facts that later checks use.
type visit struct {
	Computer
	Subject

	check string
	lines []Line

	dir            string    // the state directory; empty: none, or not known
	writer         string    // the process that uses the journals; empty: none
	running        string    // the page of a running boardwatchd, as HOST:PORT; empty: none
	phoneAddresses []address // addresses at which phones may reach the page
}

func (v *visit) line(l Level, remedy, format string, a ...any) {
	v.lines = append(v.lines, Line{Check: v.check, Level: l, Text: fmt.Sprintf(format, a...), Remedy: remedy})
}

func (v *visit) ok(format string, a ...any) { v.line(OK, "", format, a...) }

func (v *visit) warn(remedy, format string, a ...any) { v.line(Warn, remedy, format, a...) }

func (v *visit) fail(remedy, format string, a ...any) { v.line(Fail, remedy, format, a...) }
