package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"boardwatchd/configs"
	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/show"
	"boardwatchd/internal/watch"
	"boardwatchd/rules"
)

var replayCommand = command{
	name: "replay", args: "[--profile NAME] [--html OUT] FILE…", brief: "judge a recording again: a journal, a timed or an untimed capture\n" +
		"(- is standard input; latest is the newest round of all boards, latest:BOARD of one)",
	example: "boardwatchd replay --format jsonl latest",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		format := formatFlag(fs)
		speed := fs.Int("speed", 0, "times as fast as life; 0 is as fast as possible")
		board := fs.String("board", "", "the board's name, for captures (default: the file's name)")
		into := fs.String("journal", "", "write the replay of one capture into this new journal (NAME.bwj)")
		profile := fs.String("profile", "", "what if? judge under this rule profile: "+profileWords()+" (default: the journal's own; auto for captures)")
		page := fs.String("html", "", "write the replay page into this one file, for a browser without network: board, clocks, time line, findings;\n"+
			"with --profile also what would be different")
		names := fs.String("people", "", "with --html: the file that says who is meant by the ids in journals (default: people.json beside the recording)")
		files, _, err := parseRecordings(e, fs, args)
		if err != nil {
			return err
		}
		if err := checkFormat(*format); err != nil {
			return err
		}
		if *speed < 0 || len(files) == 0 {
			return usage("name at least one recording, and a speed of 0 or more")
		}
		if *into != "" && len(files) != 1 {
			return usage("--journal takes one capture; %d are given", len(files))
		}
		how := replaying{board: *board, format: *format, into: *into, speed: *speed}
		if *profile != "" {
			if how.profile, how.rules, err = config.Rules(*profile); err != nil {
				return usage("--profile: %w", err)
			}
		}
		if *page != "" {
			if err := checkHTML(fs, *page); err != nil {
				return err
			}
			return how.htmlFile(e, *page, *names, files)
		}
		for _, f := range files {
			if err := replayFile(ctx, e, f, how); err != nil {
				return err
			}
		}
		return nil
	},
}

// boardName is the name of a capture's board: the file's name without its extensions.
func boardName(file, given string) string {
	if given != "" {
		return given
	}
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	if file == "-" || name == "" {
		return "1"
	}
	return name
}

// open opens a recording. Damage that does not prevent reading is reported at the end by damaged.
func open(e *env, file string) (*recording.Source, error) {
	return recording.Open(file, e.in)
}

// summary is the last object of a replay.
type summary struct {
	Type     string `json:"type"`
	Bytes    int64  `json:"bytes"`
	Frames   int64  `json:"frames"`
	Garbage  int64  `json:"garbage"`
	Moves    int    `json:"moves"`
	Findings int    `json:"findings"`
	Games    int    `json:"games"`

	seen map[finding]bool
}

// finding is the identity of a finding within a recording.
type finding = struct {
	ID   string
	Game int
}

// replaying has the options of a replay.
type replaying struct {
	board, format, into string
	speed               int
	profile             string // one name for a set of rules
	rules               []rules.Profile
}

// profileWords are the values of --profile, for its help.
func profileWords() string {
	return strings.Join(append([]string{config.Auto}, configs.ProfileNames()...), ", ") + ", or FILE.yaml"
}

// captureConfig is the configuration for a capture, which has none: all defaults, judged under auto.
func captureConfig(board string) []byte {
	return config.Default().Core(config.NewBoard(board, "")).Canonical()
}

// warnMisfit warns on standard error that the requested rules do not fit the time control of a recording. They are
// applied all the same.
func (r replaying) warnMisfit(e *env, file string) func(record.Record) {
	told := e.quiet
	return func(rec record.Record) {
		if told || rec.Kind != record.Open {
			return
		}
		o, err := watch.ParseOpening(rec.Body)
		if err != nil {
			return
		}
		core, err := config.ParseCanonical(o.Config)
		if err != nil {
			return // another program's form: its time control is unknown
		}
		if err := config.Misfit(core.TimeControl, r.rules); err != nil {
			told = true
			fmt.Fprintf(e.err, "boardwatchd: %s: note: %v\n", file, err)
		}
	}
}

func replayFile(ctx context.Context, e *env, file string, r replaying) (err error) {
	src, err := open(e, file)
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, src.Close()) }()
	out := bufio.NewWriter(e.out)
	sum := summary{Type: "summary"}
	pace := pacer{ctx: ctx, speed: r.speed, flush: out.Flush}
	note := r.warnMisfit(e, src.Name())
	board := boardName(file, r.board)
	opt := replay.Options{
		Board: board, Config: captureConfig(board), Profile: r.profile, Rules: r.rules,
		Input: func(rec record.Record) {
			note(rec)
			pace.wait(rec)
		},
		Effect: func(_ record.Record, eff watch.Effect) {
			if eff.Kind == record.Say {
				sum.count(eff.Body)
				printSaid(out, r.format, eff.Body)
			}
		},
	}
	if r.into != "" {
		if src.Journal() {
			return usage("%s is a journal already; --journal makes one of a capture", file)
		}
		c, err := replay.NewCopier(r.into)
		if err != nil {
			return err
		}
		c.Tee(&opt)
		defer func() { err = firstError(err, c.Close()) }()
	}
	_, counts, err := replay.Run(src, opt)
	if err != nil {
		return firstError(err, out.Flush())
	}
	sum.Bytes, sum.Frames, sum.Garbage = counts.Bytes, counts.Frames, counts.Garbage
	sum.print(out, r.format)
	return firstError(out.Flush(), ctx.Err(), damaged(e, src))
}

// damaged reports on standard error what could not be read. A torn tail comes from a power cut or a full disk and is no
// failure; where another segment goes on after it, nothing is lost, and only verify names it. Other damage is a failure:
// incomplete output must not look like success.
func damaged(e *env, src *recording.Source) error {
	segments := src.Segments()
	for _, d := range src.Damage() {
		if d.Cause == journal.TornTail && d.Segment != segments[len(segments)-1].Name {
			continue
		}
		fmt.Fprintf(e.err, "boardwatchd: %s: %s\n", src.Name(), d)
	}
	switch {
	case src.Verdict() == journal.Corrupt:
		return fmt.Errorf("%s is damaged; what is readable was read, boardwatchd verify tells more", src.Name())
	case src.GoesOn():
		return fmt.Errorf("%s: %s; what is there was read", src.Name(), endsEarly)
	}
	return nil
}

// endsEarly describes a journal that continues in a missing file.
const endsEarly = "its last segment announces another one, which is not there: it was removed, or the daemon was killed at that very moment"

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// count reads the type only, which is the first key of every object.
func (s *summary) count(body []byte) {
	switch {
	case bytes.HasPrefix(body, []byte(`{"type":"move"`)):
		if !bytes.Contains(body, []byte(`"corrects":true`)) { // a move that is reported again
			s.Moves++
		}
	case bytes.HasPrefix(body, []byte(`{"type":"finding"`)):
		var f struct {
			ID   string
			Game int
		}
		if json.Unmarshal(body, &f) == nil && !s.seen[f] { // a finding that changes is reported again
			if s.seen == nil {
				s.seen = make(map[finding]bool)
			}
			s.seen[f] = true
			s.Findings++
		}
	case bytes.HasPrefix(body, []byte(`{"type":"game"`)):
		s.Games++
	}
}

func (s *summary) print(w io.Writer, format string) {
	if format == "jsonl" {
		b, _ := json.Marshal(s) // plain numbers
		fmt.Fprintf(w, "%s\n", b)
		return
	}
	fmt.Fprintf(w, "%d games, %d moves, %d findings; %d bytes, %d frames, %d bytes of garbage\n",
		s.Games, s.Moves, s.Findings, s.Bytes, s.Frames, s.Garbage)
}

func printSaid(w io.Writer, format string, body []byte) {
	if format == "jsonl" {
		fmt.Fprintf(w, "%s\n", body)
		return
	}
	if line := show.Line(body); line != "" {
		fmt.Fprintln(w, line)
	}
}

// pacer delays a replay to the speed of life, times a factor.
type pacer struct {
	ctx   context.Context
	speed int
	flush func() error
	began time.Time
	first int64
}

func (p *pacer) wait(r record.Record) {
	if p.speed == 0 || p.ctx.Err() != nil {
		return
	}
	if p.began.IsZero() {
		p.began, p.first = time.Now(), r.At
	}
	due := time.Duration(r.At-p.first) * time.Microsecond / time.Duration(p.speed)
	if d := time.Until(p.began.Add(due)); d > 0 {
		_ = p.flush() // the final Flush returns the same error
		select {
		case <-time.After(d):
		case <-p.ctx.Done():
		}
	}
}
