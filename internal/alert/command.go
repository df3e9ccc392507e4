package alert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// CommandOptions name the program to run.
type CommandOptions struct {
	Command []string      // the program and its arguments; no shell interprets them
	Timeout time.Duration // 0: 10 s
}

// Command runs a program for each message: to send an SMS, to switch on a lamp. It gets the JSON of Payload on its
// standard input, the most useful parts of it as BOARDWATCHD_… in the environment, and from this program's environment
// only the variables that a program needs to run (PATH, HOME, LANG and the like).
//
// Exit status 0: delivered. 75 (EX_TEMPFAIL): try again later. Any other status, and a program that cannot be started:
// given up. A program that runs too long is killed with all its children, and tried again.
type Command struct {
	name    string
	words   []string
	timeout time.Duration
}

const (
	exTempFail = 75 // EX_TEMPFAIL of sysexits.h
	maxOutput  = 4 << 10
	lastWords  = 200 // bytes of the output that go into an error
	maxEnv     = 1000
	// reapWait is the time for which the pipes of a killed program are waited for.
	reapWait = time.Second
)

// NewCommand checks that the program exists.
func NewCommand(name string, opt CommandOptions) (*Command, error) {
	if len(opt.Command) == 0 || opt.Command[0] == "" {
		return nil, errors.New("command: there is none; give the program and its arguments as a list of words")
	}
	if _, err := exec.LookPath(opt.Command[0]); err != nil {
		return nil, fmt.Errorf("command: %w; give the whole path, and make it executable", err)
	}
	c := &Command{name: name, words: append([]string(nil), opt.Command...), timeout: opt.Timeout}
	if c.timeout <= 0 {
		c.timeout = sendTimeout
	}
	return c, nil
}

func (c *Command) Name() string { return c.name }

// Send runs the program once.
func (c *Command) Send(ctx context.Context, m Message) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	var out tail
	cmd := exec.CommandContext(ctx, c.words[0], c.words[1:]...)
	cmd.Stdin = bytes.NewReader(m.Payload())
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Env = environment(m)
	cmd.WaitDelay = reapWait
	ownGroup(cmd)
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return temporary("the command did not end in time and was killed%s", out.words(m))
	case ctx.Err() != nil:
		return &Temporary{Err: ctx.Err()}
	case errors.Is(err, exec.ErrWaitDelay):
		return nil // it ended successfully; a child of it still holds its output
	case errors.As(err, &exit) && exit.ExitCode() == exTempFail:
		return temporary("the command asks to be run again later (exit status %d)%s", exTempFail, out.words(m))
	case errors.As(err, &exit):
		return fmt.Errorf("the command failed: %s%s", exit.ProcessState, out.words(m))
	case isBusy(err):
		return temporary("the command cannot be started at present: %s", reason(err))
	}
	return fmt.Errorf("the command cannot be started: %s; check its path and that it is executable", reason(err))
}

// inherited are the variables of this program that the command gets too.
var inherited = [...]string{"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT"}

// environment returns the environment of the program, with the message.
func environment(m Message) []string {
	var env []string
	for _, name := range inherited {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	for _, v := range [...][2]string{
		{"ID", m.ID}, {"VERSION", strconv.Itoa(m.Version)}, {"BOARD", m.Board}, {"TITLE", m.Title}, {"BODY", m.Body},
		{"KIND", m.Kind}, {"JOURNAL", m.Journal},
		{"STATE", m.State}, {"LEVEL", m.Level}, {"PRIORITY", strconv.Itoa(m.Priority)}, {"UPDATE", strconv.FormatBool(m.Update)},
		{"CLOSED", strconv.FormatBool(m.Closed)}, {"URL", m.URL}, {"ACK_URL", m.AckURL},
	} {
		env = append(env, "BOARDWATCHD_"+v[0]+"="+clean(v[1], maxEnv))
	}
	return env
}

// A tail keeps the end of the output written to it. Only one goroutine writes: exec uses one pipe for equal writers.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p[max(len(p)-maxOutput, 0):]...)
	if over := len(t.kept) - maxOutput; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// words returns the last output of the program for an error, without the secret that it was given.
func (t *tail) words(m Message) string {
	s := string(t.kept)
	if m.AckURL != "" {
		s = strings.ReplaceAll(s, m.AckURL, ellipsis)
		if i := strings.LastIndexByte(m.AckURL, '/'); i >= 0 && i+1 < len(m.AckURL) {
			s = strings.ReplaceAll(s, m.AckURL[i+1:], ellipsis)
		}
	}
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' })
	if len(lines) == 0 {
		return ""
	}
	return ": " + clean(lines[len(lines)-1], lastWords)
}
