package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/scenario"
)

func main() {
	// A daemon outlives the reader of its output: a closed pipe is an error of a write, not the end of the process.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := context.Background(), context.CancelFunc(func() {})
	if len(os.Args) > 1 && endsInOrder[os.Args[1]] {
		ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
		if !signal.Ignored(syscall.SIGHUP) { // nohup
			ends = append(ends, syscall.SIGHUP) // its terminal was closed
		}
		ctx, stop = signal.NotifyContext(ctx, ends...)
		context.AfterFunc(ctx, stop) // a second signal ends a process that hangs
	}
	out := &output{File: os.Stdout}
	code := run(ctx, &env{in: os.Stdin, out: out, err: os.Stderr, getenv: os.Getenv}, os.Args[1:])
	stop()
	if len(os.Args) > 1 && endsInOrder[os.Args[1]] {
		os.Exit(code) // their output is not their result
	}
	os.Exit(out.status(code, os.Stderr))
}

// endsInOrder are the commands that have a journal, a port or a link to close. The others just end.
var endsInOrder = map[string]bool{"run": true, "simulate": true, "emulate": true, "ports": true, "lab": true, "hall": true, "tables": true}

// env is the part of the process that a command may use.
type env struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	quiet    bool
}

// A command is one row of the table. Its flags and wiring are in a file of its name.
type command struct {
	name    string
	args    string   // the arguments in a line
	words   []string // words among the arguments that the command defines
	brief   string   // what it does, one line
	example string
	run     func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error
}

// commands is filled in init, because help lists them.
var commands []command

func init() {
	commands = []command{
		runCommand, hallCommand, joinCommand, tablesCommand, simulateCommand, emulateCommand, replayCommand, verifyCommand, decodeCommand, pgnCommand, reportCommand,
		explainCommand, canmateCommand, scenariosCommand, labCommand, peopleCommand, portsCommand, doctorCommand, checkConfigCommand, completionCommand,
		manualCommand, versionCommand,
	}
}

// An exit is an error with its own exit status (contract section 1).
type exit struct {
	code int
	err  error // nil: everything has been printed
}

func (x exit) Error() string {
	if x.err == nil {
		return ""
	}
	return x.err.Error()
}

func (x exit) Unwrap() error { return x.err }

// Exit statuses of the contract.
const (
	statusFailed    = 1
	statusUsage     = 2
	statusDamaged   = 3
	statusRevision  = 4
	statusDifferent = 5
)

// usage returns an error of wrong usage: status 2.
func usage(format string, args ...any) error {
	return exit{statusUsage, fmt.Errorf(format, args...)}
}

func run(ctx context.Context, e *env, args []string) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		if len(args) > 1 {
			return run(ctx, e, []string{args[1], "--help"})
		}
		return help(e, len(args) == 0)
	}
	if args[0] == "-v" || args[0] == "-version" || args[0] == "--version" {
		return versionCommand.start(ctx, e, args[1:])
	}
	var names []string
	for _, c := range commands {
		if c.name == args[0] {
			return c.start(ctx, e, args[1:])
		}
		names = append(names, c.name)
	}
	fmt.Fprintf(e.err, "boardwatchd: %q is not a command%s; boardwatchd help lists them\n", args[0], scenario.Near(args[0], names))
	return statusUsage
}

func help(e *env, wrong bool) int {
	w := e.out
	if wrong {
		w = e.err
	}
	fmt.Fprintln(w, "boardwatchd watches chess boards and keeps a record that can be replayed.")
	fmt.Fprintln(w)
	for _, c := range commands {
		brief, _, _ := strings.Cut(c.brief, "\n")
		fmt.Fprintf(w, "  %-13s %s\n", c.name, brief)
	}
	fmt.Fprintln(w, "\nTry: boardwatchd simulate          (a board, a clock and two players, watched; needs nothing)")
	fmt.Fprintln(w, "     boardwatchd COMMAND --help    (flags and an example)")
	if wrong {
		return statusUsage
	}
	return 0
}

func (c command) start(ctx context.Context, e *env, args []string) int {
	fs := c.flagSet(e)
	err := c.run(ctx, e, fs, args)
	switch x := (exit{}); {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		c.help(e.out, fs)
		return 0
	case errors.As(err, &x):
		if x.err != nil {
			c.complain(e, x.err)
		}
		return x.code
	case errors.Is(err, syscall.EPIPE): // the reader, such as head, needs no more
		return 0
	case errors.Is(err, journal.ErrExists): // the name of a new journal is in use
		c.complain(e, err)
		return statusUsage
	default:
		c.complain(e, err)
		return statusFailed
	}
}

// flagSet returns the flags of every command; run adds the command's own.
func (c command) flagSet(e *env) *flag.FlagSet {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&e.quiet, "quiet", false, "no progress and no informational messages on standard error")
	fs.Usage = func() {}
	return fs
}

func (c command) complain(e *env, err error) {
	for _, line := range strings.Split(strings.TrimRight(err.Error(), "\n"), "\n") {
		fmt.Fprintf(e.err, "boardwatchd %s: %s\n", c.name, line)
	}
}

func (c command) help(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprintf(w, "%s\n\n%s\n\nFlags:\n", strings.TrimSpace("boardwatchd "+c.name+" "+c.args), c.brief)
	for _, f := range flagsOf(fs) {
		fmt.Fprintf(w, "  %s\n        %s\n", strings.TrimRight(f.Dashed()+" "+f.Value, " "), f.Text())
	}
	fmt.Fprintf(w, "\nExample:\n  %s\n", c.example)
}

// parse reads the flags, which may be anywhere among the arguments, and returns the other arguments.
func parse(fs *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			text := err.Error()
			if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
				text = noFlag(fs, name)
			}
			return nil, usage("%s; boardwatchd %s --help lists the flags", text, fs.Name())
		}
		args = fs.Args()
		if len(args) == 0 {
			return rest, nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// noFlag is the error for an unknown flag, and suggests the one that was meant.
func noFlag(fs *flag.FlagSet, name string) string {
	var names []string
	for _, f := range flagsOf(fs) {
		names = append(names, f.Dashed())
	}
	name = "--" + strings.TrimPrefix(name, "-")
	return "there is no flag " + name + scenario.Near(name, names)
}

// formats are the values of --format. json and jsonl are the same everywhere.
var formats = []string{"text", "json", "jsonl"}

// A format is "text" or "jsonl"; other values are unknown.
type format string

func (f *format) String() string { return string(*f) }

func (f *format) Set(s string) error {
	if s == "json" {
		s = "jsonl"
	}
	*f = format(s)
	return nil
}

// formatFlag is the --format flag of the commands that print objects.
func formatFlag(fs *flag.FlagSet) *string {
	f := format("text")
	fs.Var(&f, "format", "print in this `FORMAT`: text, or json or jsonl, which are one JSON object per line")
	return (*string)(&f)
}

func checkFormat(f string) error {
	if f != "text" && f != "jsonl" {
		return usage("--format %q: it is text, json or jsonl", f)
	}
	return nil
}
