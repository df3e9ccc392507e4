package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/watch"
)

var verifyCommand = command{
	name: "verify", args: "[--head HEAD]… FILE…", brief: "replay a journal and compare with what was said at the time, byte for byte\n" +
		"(latest is the newest round of all boards, latest:BOARD of one)",
	example: "boardwatchd verify latest",
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		format := formatFlag(fs)
		var noted []journal.Head
		fs.Func("head", "also look whether the journals hold this `HEAD`: SEQ:CHAIN as a phone shows it, the chain alone, or a file with one in each line", func(text string) error {
			more, err := readHeads(text)
			noted = append(noted, more...)
			return err
		})
		files, _, err := parseRecordings(e, fs, args)
		if err != nil {
			return err
		}
		if err := checkFormat(*format); err != nil {
			return err
		}
		if len(files) == 0 {
			return usage("name at least one journal")
		}
		v := verifying{e: e, jsonl: *format == "jsonl", heads: replay.NewHeads(noted)}
		var unread error
		for _, f := range files {
			err := v.file(f)
			if bad := (exit{}); errors.As(err, &bad) {
				return err
			}
			unread = errors.Join(unread, err)
		}
		v.unread = unread != nil
		if err := v.printHeads(); err != nil {
			return err
		}
		if unread != nil {
			return exit{max(v.worst, statusFailed), unread} // the other files have had their verdict
		}
		return status(v.worst)
	},
}

func status(code int) error {
	if code == 0 {
		return nil
	}
	return exit{code: code}
}

// verifying is one run of verify.
type verifying struct {
	e     *env
	jsonl bool
	heads *replay.Heads
	worst int

	unread bool     // one of the files could not be read
	dirs   []string // of the files
}

// A verdict is the result for one file: an object of the output.
type verdict struct {
	Type       string      `json:"type"` // verify
	File       string      `json:"file"`
	Verdict    string      `json:"verdict"` // equal, damaged, revision, different
	Status     int         `json:"status"`
	Journal    string      `json:"journal"` // closed, unclosed, torn, corrupt
	Inputs     int64       `json:"inputs"`
	Effects    int64       `json:"effects"` // compared and equal
	Damage     []string    `json:"damage"`
	Difference *difference `json:"difference"` // the first one, or null
	Detail     string      `json:"detail"`
	lines      []string    // of text after the detail
}

type difference struct {
	Seq  int64   `json:"seq"`
	Then *string `json:"then"` // null: nothing
	Now  *string `json:"now"`
}

// file prints one verdict. A journal that was not closed (the daemon was killed) is good: all its records are valid,
// and none is missing before its end.
func (v *verifying) file(file string) (err error) {
	v.dirs = append(v.dirs, filepath.Dir(file))
	src, err := open(v.e, file)
	if err != nil {
		return withRemoval(file, err)
	}
	defer func() { err = firstError(err, src.Close()) }()
	if !src.Journal() {
		return usage("%s is a capture, not a journal: only a journal holds what was said at the time; see boardwatchd replay", file)
	}
	c, err := replay.Verify(v.heads.Over(file, src))
	if err != nil {
		return err
	}
	copies, err := src.Copies()
	if err != nil {
		return err
	}
	said := judge(file, src, c, copies)
	v.worst = max(v.worst, said.Status)
	return v.print(said)
}

func (v *verifying) print(said verdict) error {
	if v.jsonl {
		return json.NewEncoder(v.e.out).Encode(said)
	}
	for _, d := range said.Damage {
		fmt.Fprintf(v.e.out, "%s: %s\n", said.File, d)
	}
	fmt.Fprintf(v.e.out, "%s: %s\n", said.File, said.Detail)
	for _, l := range said.lines {
		fmt.Fprintln(v.e.out, l)
	}
	return nil
}

// judge returns the verdict on a journal that was read to its end.
func judge(file string, src *recording.Source, c replay.Comparison, copies []string) verdict {
	state := src.Verdict()
	d := verdict{
		Type: "verify", File: file, Verdict: "damaged", Status: statusDamaged, Journal: state.String(), Inputs: c.Records, Effects: c.Effects, Damage: []string{},
	}
	for _, place := range src.Damage() {
		d.Damage = append(d.Damage, place.String())
	}
	switch {
	case len(copies) > 0:
		d.Detail = fmt.Sprintf("damaged: %s is a copy of the segment before it, which no daemon makes; all else was read", strings.Join(copies, ", "))
		return d
	case src.GoesOn():
		d.Detail = "damaged: " + endsEarly
		return d
	case state == journal.Corrupt || state == journal.Torn:
		d.Detail = fmt.Sprintf("damaged (%v): %d records read, %d effects equal; the file is left as it is", state, c.Records+c.Effects, c.Effects)
	case c.Missing:
		d.Detail = "damaged: it does not begin with the journal's first record; name the file, so that its other segments are found"
		return d
	case c.Lost > 0:
		d.Detail = fmt.Sprintf("damaged: %d records were lost while the disk took none, as the journal itself says", c.Lost)
		return d
	case c.First == nil:
		d.Verdict, d.Status = "equal", 0
		d.Detail = fmt.Sprintf("equal: %d inputs, %d effects, %v", c.Records, c.Effects, state)
		if c.Owed > 0 {
			d.lines = append(d.lines, fmt.Sprintf("%s: the writer ended before it wrote the last %d effects; the next start writes them", file, c.Owed))
		}
		return d
	case c.Unread != "":
		d.Detail = fmt.Sprintf("damaged: when the daemon was started, a part could not be read that can be read now (%s), so it said other things since; the first difference:", c.Unread)
	case c.Core != watch.Revision:
		d.Verdict, d.Status = "revision", statusRevision
		d.Detail = fmt.Sprintf("written by core revision %s, this is %s; the first difference:", c.Core, watch.Revision)
	default:
		d.Verdict, d.Status = "different", statusDifferent
		d.Detail = "different; the first difference:"
	}
	if c.First != nil {
		d.Difference = &difference{Seq: int64(c.First.Seq), Then: orNull(c.First.Then), Now: orNull(c.First.Now)}
		d.lines = append(d.lines, c.First.String())
	}
	return d
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
