package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strings"
	"syscall"

	"boardwatchd/internal/console"
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

var canmateCommand = command{
	name: "canmate", args: "[--side white|black] [FEN… | -]",
	brief: "can that side ever give checkmate by legal moves (Laws 6.9, 7.5.5): never, possible or unknown\n" +
		"(without --side both are asked, White first; - reads lines of FEN, or FEN<TAB>SIDE)",
	example: `boardwatchd canmate --side white "5K1k/7P/8/8/8/8/8/8 b - - 0 1"`,
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		side := fs.String("side", "", "white or black (default: both, White first)")
		budget := fs.Int("budget", helpmate.DefaultLimit, "nodes for one question; past it the answer is unknown. 0 asks only what needs no search")
		format := formatFlag(fs)
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if err := checkFormat(*format); err != nil {
			return err
		}
		how := asking{jsonl: *format == "jsonl", budget: *budget}
		if how.sides, err = sidesOf(*side); err != nil {
			return usage("--side %q: it is white or black; both are asked without it", *side)
		}
		if *budget < 0 {
			return usage("--budget %d: it is a number of nodes, 0 or more", *budget)
		}
		in, err := questionsOf(e.in, rest)
		if err != nil {
			return err
		}
		boundMemory()
		p := newProgress(e)
		defer p.stop()
		var crew []answerer
		for range runtime.GOMAXPROCS(0) {
			crew = append(crew, newLineAnswerer(how).line)
		}
		err = answerLines(in, e.out, crew, p)
		if errors.Is(err, syscall.EPIPE) { // more questions may follow, but their answers are not read
			return exit{statusFailed, err}
		}
		return err
	},
}

// sidesOf parses white or black; an empty text means both.
func sidesOf(text string) ([]legal.Side, error) {
	switch text {
	case "":
		return []legal.Side{legal.White, legal.Black}, nil
	case legal.White.String():
		return []legal.Side{legal.White}, nil
	case legal.Black.String():
		return []legal.Side{legal.Black}, nil
	}
	return nil, fmt.Errorf("side %q: it is white or black", text)
}

// questionsOf returns the lines to answer: standard input, or one line for each FEN among the arguments.
func questionsOf(in io.Reader, args []string) (io.Reader, error) {
	if len(args) == 0 && console.IsTerminal(in) {
		return nil, usage("name a FEN, or - to type them; boardwatchd canmate --help has an example")
	}
	if len(args) == 0 || len(args) == 1 && args[0] == "-" {
		return in, nil
	}
	var lines strings.Builder
	for len(args) > 0 {
		var fen string
		if fen, args = cutFEN(args); strings.TrimSpace(fen) == "" {
			return nil, usage("an argument is blank: name a FEN (if it is a variable of the shell, it is not set)")
		}
		if fen == "-" || strings.HasPrefix(fen, "- ") {
			return nil, usage("- (standard input) stands alone, without a FEN beside it")
		}
		// A line break in an argument is a blank within the FEN, not the end of a question. So an argument cannot be a
		// comment.
		lines.WriteString(" " + strings.NewReplacer("\n", " ", "\r", " ").Replace(fen) + "\n")
	}
	return strings.NewReader(lines.String()), nil
}

// cutFEN takes a FEN, which the shell may have split into its fields, from the arguments.
func cutFEN(args []string) (fen string, rest []string) {
	if strings.ContainsAny(args[0], " \t\n") || args[0] == "startpos" {
		return args[0], args[1:]
	}
	n := 1
	for n < len(args) && n < 6 && !strings.ContainsAny(args[n], " /") && args[n] != "startpos" && (n < 4 || isNumber(args[n])) {
		n++
	}
	return strings.Join(args[:n], " "), args[n:]
}
