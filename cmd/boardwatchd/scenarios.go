package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/scenario"
)

var scenariosCommand = command{
	name: "scenarios", args: "FILE…",
	brief: "play arbiter cases through the emulated board and the machine, and compare with what the file expects\n" +
		"(own stands for the cases that come with the program; - is standard input)",
	example: "boardwatchd scenarios --only press-without-a-move,mate own",
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		s := scenarios{format: formatFlag(fs)}
		fs.Var(&s.only, "only", "play these cases only: ID or ID,ID")
		fs.StringVar(&s.profile, "profile", "", "judge every case under this rule profile: what if?")
		fs.StringVar(&s.dir, "journal", "", "keep each case's journal in this directory, as ID.bwj, with _ for a dot in ID")
		fs.BoolVar(&s.verbose, "v", false, "print everything that was said")
		files, err := parse(fs, args)
		if err != nil {
			return err
		}
		if err := checkFormat(*s.format); err != nil {
			return err
		}
		if len(files) == 0 {
			return usage("name at least one file of cases, or own for the program's")
		}
		if s.profile != "" {
			if _, _, err := config.Rules(s.profile); err != nil {
				return usage("--profile %v", err)
			}
		}
		s.out = bufio.NewWriter(e.out)
		err = s.files(e, files)
		return firstError(err, s.out.Flush())
	},
}

// scenarios is one run of the command.
type scenarios struct {
	format        *string
	only          list
	profile, dir  string
	verbose       bool
	out           *bufio.Writer
	played, wrong int
}

func (s *scenarios) files(e *env, files []string) error {
	var cases []*scenario.Case
	for _, name := range files {
		f, err := readCases(e.in, name)
		if err != nil {
			return err
		}
		for i := range f.Cases {
			cases = append(cases, &f.Cases[i])
		}
	}
	cases, err := choose(cases, s.only)
	if err != nil {
		return err
	}
	for _, c := range cases {
		if err := s.play(c); err != nil {
			return fmt.Errorf("case %s: %w", c.ID, err)
		}
	}
	if *s.format == "text" {
		fmt.Fprintf(s.out, "%d of %d cases as expected\n", s.played-s.wrong, s.played)
	}
	if s.wrong > 0 {
		return exit{code: statusFailed}
	}
	return nil
}

// ownCases is the argument for the cases of the program.
const ownCases = "own"

func readCases(in io.Reader, name string) (*scenario.File, error) {
	var src []byte
	var err error
	switch name {
	case ownCases:
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return &scenario.File{Name: name, Cases: scenario.Own()}, nil
		}
		src, err = os.ReadFile(name)
	case "-":
		src, err = io.ReadAll(io.LimitReader(in, scenario.MaxBytes+1))
	default:
		src, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, err
	}
	f, err := scenario.Read(name, src)
	if err != nil {
		return nil, exit{statusUsage, err}
	}
	return f, nil
}

// choose returns the cases with the given ids, in the order of the file; without ids, all of them.
func choose(cases []*scenario.Case, only list) ([]*scenario.Case, error) {
	if len(only) == 0 {
		return cases, nil
	}
	wanted := map[string]bool{}
	for _, arg := range only {
		for id := range strings.SplitSeq(arg, ",") {
			wanted[strings.TrimSpace(id)] = false
		}
	}
	var chosen []*scenario.Case
	var ids []string
	for _, c := range cases {
		ids = append(ids, c.ID)
		if _, ok := wanted[c.ID]; ok {
			wanted[c.ID] = true
			chosen = append(chosen, c)
		}
	}
	for id, found := range wanted {
		if !found {
			return nil, usage("--only %s: there is no such case%s", id, scenario.Near(id, ids))
		}
	}
	return chosen, nil
}

// play plays one case and prints the result.
func (s *scenarios) play(c *scenario.Case) (err error) {
	o := scenario.Options{Profile: s.profile}
	if s.dir != "" {
		if err := os.MkdirAll(s.dir, 0o755); err != nil {
			return err
		}
		w, err := journal.Create(s.dir, c.JournalName(), journal.Options{})
		if err != nil {
			return err
		}
		last := int64(0)
		o.Record = func(r record.Record) error {
			last = r.At
			_, err := w.Add(r.At, r.Kind, r.Body)
			return err
		}
		defer func() { err = firstError(err, w.Close(last, "end")) }()
	}
	v, err := c.Judge(o)
	if err != nil {
		return err
	}
	s.played++
	if !v.Pass() {
		s.wrong++
	}
	if *s.format == "jsonl" {
		return s.object(v)
	}
	s.text(v)
	return nil
}

// answer is the object of contract section 4.
type answer struct {
	ID           string          `json:"id"`
	PressResults []string        `json:"press_results"`
	Finding      json.RawMessage `json:"finding"`
	Ruling       json.RawMessage `json:"ruling"`
	Pass         bool            `json:"pass"`
	Differences  []string        `json:"differences"`

	Said []json.RawMessage `json:"said,omitempty"` // with -v
}

func (s *scenarios) object(v *scenario.Verdict) error {
	a := answer{ID: v.Case.ID, PressResults: v.Presses, Pass: v.Pass(), Differences: v.Differences}
	if a.Differences == nil {
		a.Differences = []string{}
	}
	if f := v.Finding; f != nil {
		a.Finding = f.Body
		if f.Ruling != nil {
			a.Ruling = f.Ruling.Body
		}
	}
	if s.verbose && v.Said != nil {
		a.Said = v.Said.Lines
	}
	enc := json.NewEncoder(s.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(a)
}

func (s *scenarios) text(v *scenario.Verdict) {
	word := "ok  "
	if !v.Pass() {
		word = "FAIL"
	}
	fmt.Fprintf(s.out, "%s %-4s %s\n", word, v.Case.ID, v.Case.Title)
	for _, d := range v.Differences {
		fmt.Fprintf(s.out, "         %s\n", d)
	}
	if s.verbose && v.Said != nil {
		for _, line := range v.Said.Lines {
			fmt.Fprintf(s.out, "       > %s\n", line)
		}
	}
}
