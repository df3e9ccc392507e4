package main

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"boardwatchd/detector/hands"
	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/research/lab"
	"boardwatchd/internal/research/populations"
	"boardwatchd/internal/watch"
)

// evaluation judges labelled captures, or generated people.
func (l *laboratory) evaluation(ctx context.Context, files []string) error {
	type result struct {
		report lab.Report
		err    error
	}
	done := make(chan result, 1)
	go func() { // so that an interrupt ends it
		r, err := l.report(files)
		done <- result{r, err}
	}()
	select {
	case <-ctx.Done():
		return errors.New("interrupted")
	case r := <-done:
		if r.err != nil {
			return r.err
		}
		if err := l.write(r.report); err != nil {
			return err
		}
		return l.broken // what is readable was judged, and is no success
	}
}

func (l *laboratory) report(files []string) (lab.Report, error) {
	conf, err := loadConfig(l.file)
	if err != nil {
		return lab.Report{}, err
	}
	figures := watch.Opening{Config: conf.Core(config.NewBoard("lab", "")).Canonical()}.Hands()
	if l.generated > 0 {
		seed := l.drawn()
		return lab.EvaluateGenerated(l.generated, seed, populations.Board{PeriodUS: l.scan.Microseconds()}, hands.Standard(), figures), nil
	}
	var list []lab.Recording
	files = l.once(files)
	for _, f := range files {
		r, err := l.read(f)
		if err != nil {
			return lab.Report{}, err
		}
		list = append(list, r)
	}
	if err := l.leaveOut(files, list); err != nil {
		return lab.Report{}, err
	}
	return lab.Evaluate(list, hands.Standard(), figures), nil
}

// leaveOut takes the cards of --void out of their recordings.
func (l *laboratory) leaveOut(files []string, list []lab.Recording) error {
	for _, word := range strings.FieldsFunc(l.void, func(r rune) bool { return r == ',' || r == ' ' }) {
		in, card := -1, word
		if i := strings.LastIndexByte(word, ':'); i >= 0 {
			file := word[:i]
			in, card = slices.IndexFunc(files, func(f string) bool { return f == file || filepath.Base(f) == file }), word[i+1:]
			if in < 0 {
				return usage("--void %s: %s is none of the recordings", word, file)
			}
		} else if len(list) == 1 {
			in = 0
		} else {
			return usage("--void %s: there are %d recordings; write FILE:%s", word, len(list), word)
		}
		if !list[in].LeaveOut(card) {
			return usage("--void %s: no card %s counts in %s", word, card, files[in])
		}
	}
	return nil
}

// once leaves out what is read already: a journal is read with all its segments, and a pattern of the shell names each of them.
func (l *laboratory) once(files []string) (list []string) {
	read := map[string]bool{}
	for _, f := range files {
		key := filepath.Clean(f)
		if name, _, ok := journal.ParseSegmentName(filepath.Base(f)); ok {
			key = filepath.Join(filepath.Dir(f), name)
		}
		if read[key] && f != "-" {
			l.note("%s: read already, with the rest of its journal", f)
			continue
		}
		read[key] = true
		list = append(list, f)
	}
	return list
}

func (l *laboratory) read(file string) (r lab.Recording, err error) {
	src, err := recording.Open(file, l.in)
	if err != nil {
		return r, err
	}
	defer func() { err = firstError(err, src.Close()) }()
	r, err = lab.Read(src)
	if err == nil {
		l.broken = errors.Join(l.broken, damaged(l.env, src))
	}
	return r, err
}

func (l *laboratory) write(r lab.Report) error {
	if l.format == "text" {
		return r.Print(l.env.out)
	}
	out := json.NewEncoder(l.env.out)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	return out.Encode(r)
}
