package daemon

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"boardwatchd/internal/disk"
	"boardwatchd/internal/secretfile"
	"boardwatchd/internal/web"
	"boardwatchd/rules/words"
)

// This file is about the round and the tables as people have set them. Each is a file in the state directory, with a
// copy in the second place (ownFiles) that is used if the file is damaged.

// openKept reads such a file. A damaged one is set aside and reported; lost is the text about what is used when there
// is no copy.
func openKept[T any](d *Daemon, path string, read func(path string) (T, error), lost, do string) T {
	state, err := read(path)
	if err == nil {
		d.copyKept(path)
		return state
	}
	aside, failed := secretfile.SetAside(path, time.Now())
	if failed != nil {
		aside = path // it stays until it is written again
	}
	d.opt.Log.Error().Err(err).Str("kept", aside).Msg("a file is damaged")
	say, todo := words.Say(lost, aside), words.Say(do)
	if spare := d.copyOf(path); spare != "" && exists(spare) {
		if copied, err := read(spare); err == nil {
			_ = copyFile(path, spare) // otherwise the next start has no copy, unless something changes before
			state, say, todo = copied, words.Say("notice.damaged_copy", path, aside), words.Say("notice.damaged_copy.do")
		}
	}
	d.early = append(d.early, web.NewNotice(damagedID(path), say, todo))
	return state
}

// damagedID is the id of the notice that a file was damaged.
func damagedID(path string) string { return troubleID + filepath.Base(path) }

// copyOf is the path of a file's copy in the second place; "": there is none.
func (d *Daemon) copyOf(path string) string {
	spare, err := spareDir(d.opt.Dir, d.opt.Getenv)
	if err != nil {
		return ""
	}
	return filepath.Join(spare, filepath.Base(path))
}

// copyKept updates the copy of a file.
func (d *Daemon) copyKept(path string) {
	if to := d.copyOf(path); to != "" && exists(path) {
		_ = copyFile(to, path) // without a copy the program works as without a second place
	}
}

// noticePairingGone sets the notice that the pairing's file cannot be opened.
func (d *Daemon) noticePairingGone(gone *fs.PathError) {
	if gone == nil {
		return
	}
	why := words.Verbatim(gone.Err.Error())
	if errors.Is(gone, fs.ErrNotExist) {
		why = disk.Why(gone)
	}
	d.frontend.trouble("pairing", words.Say("notice.pairing_gone", gone.Path, why), words.Say("notice.pairing_gone.do"))
}

// denied reports that a file cannot be reached because the program may not use the state directory, which has a notice
// of its own. Whether the file exists is unknown.
func (f *frontend) denied(err error) bool {
	return errors.Is(err, fs.ErrPermission) && errors.Is(f.files.unusable, fs.ErrPermission)
}
