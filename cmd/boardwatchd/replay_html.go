package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"boardwatchd/internal/playback"
	"boardwatchd/internal/replay"
)

// htmlFile writes the replay page of recordings into one file, completely or not at all. A damaged recording is shown
// as far as it can be read, and the exit status shows the damage.
func (r replaying) htmlFile(e *env, out, names string, files []string) error {
	var all []*playback.Recording
	var damage error
	for _, f := range files {
		rec, err := r.playback(e, f, names)
		if rec == nil {
			return err
		}
		all, damage = append(all, rec), firstError(damage, err)
	}
	if err := replaceFile(out, all); err != nil {
		return err
	}
	return damage
}

// playback reads a recording. For a damaged one it returns the readable part and an error.
func (r replaying) playback(e *env, file, names string) (*playback.Recording, error) {
	board := boardName(file, r.board)
	o := replay.Options{Board: board, Config: captureConfig(board)}
	src, err := open(e, file)
	if err != nil {
		return nil, err
	}
	rec, err := replay.Playback(src, o, peopleOf(e, file, names))
	err = firstError(err, src.Close())
	if err != nil {
		return nil, fmt.Errorf("%s: %w; boardwatchd verify tells more", src.Name(), err)
	}
	if rec.Journal == "" || rec.Journal == "recording" {
		rec.Journal = filepath.Base(file)
	}
	if err = damaged(e, src); err != nil {
		for _, d := range src.Damage() {
			rec.Damage = append(rec.Damage, d.String())
		}
	}
	if src.GoesOn() {
		rec.Damage = append(rec.Damage, endsEarly)
	}
	if len(r.rules) > 0 {
		if err := r.compare(e, file, rec, o); err != nil {
			return nil, err
		}
	}
	return rec, err
}

// compare adds the differences under the requested rules.
func (r replaying) compare(e *env, file string, rec *playback.Recording, o replay.Options) (err error) {
	if file == "-" {
		return usage("--html with --profile reads a recording three times: name a file")
	}
	o.Rules, o.Profile = r.rules, r.profile
	rec.WhatIf, err = replay.WhatIf(func() (replay.Reading, error) { return open(e, file) }, o)
	return err
}

// replaceFile writes a temporary file beside the file and renames it.
func replaceFile(out string, all []*playback.Recording) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(out), ".replay-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", out, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp.Name()) // err is the more important error
		}
	}()
	err = firstError(playback.WriteFile(temp, all), temp.Chmod(0o644), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), out)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", out, err)
	}
	return nil
}

// checkHTML refuses flags that do not go with --html.
func checkHTML(fs *flag.FlagSet, out string) (err error) {
	if out == "-" {
		return usage("--html takes the name of a file")
	}
	if err := mayReplace(out, aPage); err != nil {
		return err
	}
	fs.Visit(func(f *flag.Flag) {
		if f.Name == "format" || f.Name == "speed" || f.Name == "journal" {
			err = usage("--html and --%s exclude each other", f.Name)
		}
	})
	return err
}
