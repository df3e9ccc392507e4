package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"boardwatchd/configs"
	"boardwatchd/internal/config"
	"boardwatchd/internal/manual"
	"boardwatchd/internal/scenario"
)

// completions are the shells with the functions that write their completion.
var completions = map[string]func(io.Writer, manual.Program) error{"bash": manual.Bash, "zsh": manual.Zsh, "fish": manual.Fish}

var completionCommand = command{
	name: "completion", args: "bash|zsh|fish", words: []string{"bash", "zsh", "fish"},
	brief:   "a script that lets a shell complete commands, flags and their values",
	example: "boardwatchd completion bash | sudo tee /etc/bash_completion.d/boardwatchd",
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(rest) != 1 || completions[rest[0]] == nil {
			return usage("name one shell: bash, zsh or fish")
		}
		return completions[rest[0]](e.out, programManual())
	},
}

var manualCommand = command{
	name: "manual", args: "DIRECTORY",
	brief:   "write the manual pages into a directory: boardwatchd.1 and one for each command",
	example: "boardwatchd manual /usr/local/share/man/man1",
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(rest) != 1 {
			return usage("name one directory; %d are given", len(rest))
		}
		return writeManual(e, rest[0])
	},
}

func writeManual(e *env, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	p := programManual()
	// The variable by which builds that can be repeated name the time of their sources, in seconds.
	if seconds, err := strconv.ParseInt(e.getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		p.Date = time.Unix(seconds, 0).UTC().Format(time.DateOnly)
	}
	var page bytes.Buffer
	err := manual.Overview(&page, p)
	err = firstError(err, os.WriteFile(filepath.Join(dir, p.Name+".1"), page.Bytes(), 0o644))
	for _, c := range p.Commands {
		page.Reset()
		err = firstError(err, manual.Page(&page, p, c))
		err = firstError(err, os.WriteFile(filepath.Join(dir, p.Name+"-"+c.Name+".1"), page.Bytes(), 0o644))
	}
	if err == nil && !e.quiet {
		fmt.Fprintf(e.out, "%d pages are in %s\n", len(p.Commands)+1, dir)
	}
	return err
}

// programManual is the manual of the program, made from the help of the commands.
func programManual() manual.Program {
	p := manual.Program{
		Name: "boardwatchd", Version: version, Brief: "watch tournament chess boards, and tell the arbiter what the Laws say",
		About: []string{
			"boardwatchd runs beside DGT electronic boards and their clocks. It rebuilds every move, says at each press of the clock which offence" +
				" was made, if any, and what the Laws of Chess say about it, and serves a page for the arbiter's phone. The arbiter decides.",
			"Everything is written into a journal, which can be judged again.",
			"Without a configuration it finds the boards that are plugged in. The service of the package reads the files below /etc/boardwatchd.",
		},
		Files: []manual.File{
			{Path: "/etc/boardwatchd/boardwatchd.yaml", What: "the configuration of the service that watches boards (boardwatchd.service)"},
			{Path: "/etc/boardwatchd/hall.yaml", What: "the configuration of the service of a hall of many computers (boardwatchd-hall.service)"},
			{Path: "/var/lib/boardwatchd", What: "journals, paired phones and keys of the service"},
			{Path: "/var/lib/boardwatchd-hall", What: "the same of the hall's service"},
			{Path: "~/.local/state/boardwatchd", What: "the same, where a user starts the program"},
		},
		Statuses: []manual.Status{
			{Code: 0, What: "done"},
			{Code: statusFailed, What: "failed"},
			{Code: statusUsage, What: "wrong usage or configuration, or input that cannot be read"},
			{Code: statusDamaged, What: "verify: a journal is damaged"},
			{Code: statusRevision, What: "verify: a journal of another revision of the core, which says something else today"},
			{Code: statusDifferent, What: "verify: a journal says something else than the program"},
		},
	}
	for _, c := range commands {
		p.Commands = append(p.Commands, c.manualOf())
	}
	return p
}

// manualOf runs the command with --help, which only defines its flags.
func (c command) manualOf() manual.Command {
	fs := c.flagSet(&env{getenv: func(string) string { return "" }})
	_ = c.run(context.Background(), &env{}, fs, []string{"--help"}) // flag.ErrHelp
	return manual.Command{Name: c.name, Args: c.args, Brief: c.brief, Words: c.words, Flags: flagsOf(fs), Example: c.example}
}

// valueWords are the names of flags' values, by their kinds, for flags whose help has no word in backquotes.
var valueWords = map[string]string{"int": "N", "uint": "N", "string": "TEXT", "value": "TEXT"}

// placeholders are such names by the flag's name, which has precedence over its kind.
var placeholders = map[string]string{
	"c": "FILE", "pairing": "FILE", "pgn": "FILE", "out": "FILE", "people": "FILE", "journal": "PATH", "link": "PATH", "html": "FILE",
	"profile": "NAME", "case": "ID", "only": "ID", "address": "HOST[:PORT]", "side": "SIDE", "board": "BOARD", "protocol": "NAME",
}

// flagsOf lists flags in the form in which people type them.
func flagsOf(fs *flag.FlagSet) (list []manual.Flag) {
	fs.VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		if kind := valueWords[value]; kind != "" {
			value = cmp.Or(placeholders[f.Name], kind)
		}
		d := manual.Flag{Name: f.Name, Value: value, Usage: strings.Join(strings.Fields(text), " "), Values: valuesOf(f.Name)}
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			d.Value = ""
		}
		switch f.DefValue {
		case "", "0", "false", "[]":
		default:
			if !strings.Contains(d.Usage, "(default") {
				d.Default = f.DefValue
			}
		}
		list = append(list, d)
	})
	return list
}

// valuesOf lists the values that a flag of this name takes, in every command that has it.
func valuesOf(name string) []string {
	switch name {
	case "format":
		return formats
	case "profile":
		return append([]string{config.Auto}, configs.ProfileNames()...)
	case "protocol":
		return []string{"full", "short"}
	case "side":
		return []string{"white", "black"}
	case "case":
		own := scenario.Own()
		ids := []string{caseList}
		for i := range own {
			ids = append(ids, own[i].ID)
		}
		return ids
	}
	return nil
}
