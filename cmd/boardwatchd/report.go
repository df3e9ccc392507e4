package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"boardwatchd/internal/daemon"
	"boardwatchd/internal/pairing"
	"boardwatchd/internal/report"
	"boardwatchd/internal/secretfile"
	"boardwatchd/rules/words"
)

var reportCommand = command{
	name: "report", args: "[--game N|BOARD:N] [--anonymous] [--lang LANGUAGE] [--results] [--pairing TRF] --out DIR FILE…",
	brief: "the report of a round, to be printed and signed: one HTML file, and the same as JSON\n" +
		"(latest is the newest round of all boards, latest:BOARD of one; several rounds give several files)",
	example: "boardwatchd report latest --out round-1",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		var opt report.Options
		out := fs.String("out", "", "the folder `DIR` for the files; it is made if it does not exist")
		fs.Func("game", "only one game, for an appeal: its number in the journal `N`, or BOARD:N", opt.ParseGame)
		fs.BoolVar(&opt.Anonymous, "anonymous", false, "without names and offences")
		fs.StringVar(&opt.Lang, "lang", "", "the `LANGUAGE` of the HTML: "+strings.Join(words.Languages(), ", ")+" (default: that of the alerts in the configuration, else en)")
		results := fs.Bool("results", false, "the results too, as a list (CSV) for the pairing program")
		trf := fs.String("pairing", "", "the results too, in a copy of the `TRF` file of the pairing program")
		board := fs.String("board", "", "the board's name, for captures (default: the file's name)")
		names := fs.String("people", "", "the file that says who is meant by the ids in journals (default: people.json beside the recording)")
		files, c, err := parseRecordings(e, fs, args)
		if err != nil {
			return err
		}
		if len(files) == 0 || *out == "" {
			return usage("name at least one recording, and --out DIR")
		}
		if opt.Lang == "" {
			opt.Lang = c.Alerts.Language
		}
		if !slices.Contains(words.Languages(), opt.Lang) {
			return usage("--lang %q: it is one of %s", opt.Lang, strings.Join(words.Languages(), ", "))
		}
		opt.Called = new(daemon.Naming).Of
		all := report.Collector{Options: opt}
		if opt.Anonymous && (*results || *trf != "") {
			return usage("--anonymous: results have names")
		}
		failed := collect(ctx, e, &all, files, *board, *names)
		return errors.Join(failed, writeReports(e, &all, *out, *results || *trf != "", *trf))
	},
}

// collect reads the files one after the other. An unreadable one does not stop the others.
func collect(ctx context.Context, e *env, c *report.Collector, files []string, board, names string) (failed error) {
	without := 0
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return errors.Join(failed, err)
		}
		switch err := reportFile(e, c, f, board, names); {
		case errors.Is(err, report.ErrNoGame):
			without++
		case err != nil:
			c.Missing(f, err)
			failed = errors.Join(failed, withRemoval(f, err))
		}
	}
	if without == len(files) {
		failed = errors.Join(failed, errors.New("no recording has the game that was asked for; boardwatchd pgn lists the games"))
	}
	return failed
}

func reportFile(e *env, c *report.Collector, file, board, names string) (err error) {
	src, err := open(e, file)
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, src.Close()) }()
	return firstError(c.Add(file, src, boardName(file, board), peopleOf(e, file, names)), damaged(e, src))
}

func writeReports(e *env, c *report.Collector, dir string, results bool, trf string) error {
	reports := c.Reports()
	if len(reports) == 0 || len(reports[0].Journals) == 0 { // without a recording there is nothing to print and sign
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil { // it has names and decisions
		return err
	}
	for i, r := range reports {
		name := r.Name()
		for j := range i { // two names of events may have the same letters and digits
			if reports[j].Name() == name {
				name = fmt.Sprintf("%s-%d", r.Name(), i+1)
			}
		}
		for _, f := range []struct {
			extension string
			write     func(io.Writer) error
		}{{".html", r.HTML}, {".json", r.JSON}} {
			path := filepath.Join(dir, name+f.extension)
			if err := writeFile(path, f.write); err != nil {
				return err
			}
			fmt.Fprintln(e.out, path)
		}
		if results {
			if err := writeResults(e, r, filepath.Join(dir, name+"-results"), trf); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeResults writes the results for a pairing program: as a list, and into a copy of its TRF.
func writeResults(e *env, r *report.Report, base, trf string) error {
	list := r.Results()
	err := writeFile(base+".csv", func(w io.Writer) error { return pairing.Results(w, list) })
	if err != nil {
		return err
	}
	fmt.Fprintln(e.out, base+".csv")
	for _, table := range r.Unclear() {
		fmt.Fprintf(e.err, "boardwatchd report: board %s: %s\n", table, words.Text("en", "sheet.unclear"))
	}
	if trf == "" {
		return nil
	}
	data, err := os.ReadFile(trf)
	if err != nil {
		return err
	}
	out, filled, left, err := pairing.FillTRF(trf, data, pairing.Round(r.Round), list)
	if err != nil {
		return err
	}
	for _, l := range left {
		fmt.Fprintf(e.err, "boardwatchd report: not in the TRF: %s\n", l)
	}
	if err := secretfile.Replace(base+".trf", out); err != nil {
		return err
	}
	fmt.Fprintf(e.out, "%s\n", base+".trf")
	if !e.quiet {
		fmt.Fprintf(e.err, "%d results are in the TRF; compare them with the scoresheets.\n", filled)
	}
	return nil
}

// writeFile replaces a whole file. Only its owner may read it.
func writeFile(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return secretfile.Replace(path, b.Bytes())
}
