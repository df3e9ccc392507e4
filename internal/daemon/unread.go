package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/alert"
	"boardwatchd/internal/secretfile"
	"boardwatchd/internal/trust"
	"boardwatchd/internal/web"
	"boardwatchd/rules/words"
)

// This file is about the page's own files that could not be read when the program started, neither in the state
// directory nor in the second place: a computer that starts with a failing disk has an empty runtime directory. New
// ones are made in the place where the files live. As soon as the state directory can be read, even if it takes no
// file, the lists of devices are joined, and the keys of the state directory count. Until then none of these files is
// written over. notRead keeps their names over a restart of the program.
//
// The state directory's files are also unread while they are missing there, since what is mounted late has not been
// seen either. They are taken for missing when the directory takes files and still has none.

// notRead is the file of these names, in the place where the files live.
const notRead = "not-read"

// mayBeUnread are the files that this is about. The authority's files are one: its directory.
var mayBeUnread = []string{devicesFile, alertKeyFile, vapidFile, trustDir}

// restored is a file that was damaged, and has been replaced by its copy.
type restored struct{ path, aside string }

// noteUnread is called when the files begin to live outside the state directory.
func (o *ownFiles) noteUnread() {
	before := o.markedUnread()
	o.unread = slices.DeleteFunc(slices.Clone(mayBeUnread), func(unit string) bool {
		return !slices.Contains(before, unit) && exists(filepath.Join(o.dir, unit))
	})
	o.markUnread()
}

func (o ownFiles) markedUnread() []string {
	place := o.dir
	if o.unusable == nil {
		place = o.spare
	}
	body, err := readOwn(filepath.Join(place, notRead))
	if err != nil {
		return nil // none
	}
	return strings.Fields(string(body))
}

func (o ownFiles) markUnread() {
	mark := filepath.Join(o.dir, notRead)
	if len(o.unread) == 0 {
		_ = os.Remove(mark) // what it names is looked for once more
		return
	}
	_ = secretfile.Replace(mark, []byte(strings.Join(o.unread, "\n")+"\n")) // only a restart needs it
}

// isUnread reports whether a file is one of those, or belongs to one.
func (o ownFiles) isUnread(name string) bool {
	return slices.ContainsFunc(o.unread, func(unit string) bool { return name == unit || filepath.Dir(name) == unit })
}

// adopted notes that the state directory's file is in use.
func (o *ownFiles) adopted(unit string) {
	o.unread = slices.DeleteFunc(o.unread, func(other string) bool { return other == unit })
	o.markUnread()
}

// look returns why a file, or the authority's directory, cannot be used.
func look(dir, unit string) error {
	path := filepath.Join(dir, unit)
	switch unit {
	case devicesFile:
		return access.Check(path)
	case trustDir:
		for _, name := range []string{"ca.key", "ca.crt"} { // one alone is none
			if _, err := readOwn(filepath.Join(path, name)); err != nil {
				return err
			}
		}
		return trust.Check(path)
	}
	_, err := readOwn(path)
	return err
}

// found are the unread files that can be read now.
func (o ownFiles) found() (units []string) {
	if len(o.unread) == 0 || access.InUse(filepath.Join(o.state, devicesFile)) {
		return nil
	}
	for _, unit := range o.unread {
		if look(o.state, unit) == nil {
			units = append(units, unit)
		}
	}
	return units
}

// giveUp is called when the state directory takes files. A file that is missing there, or that cannot be read all the
// same and is set aside, is not waited for any longer.
func (o *ownFiles) giveUp() {
	for _, unit := range slices.Clone(o.unread) {
		err := look(o.state, unit)
		if err == nil {
			continue // it is adopted at the next look
		}
		if !secretfile.Missing(err) {
			if _, err := secretfile.SetAside(filepath.Join(o.state, unit), time.Now()); err != nil {
				continue
			}
		}
		o.adopted(unit)
	}
}

// join makes one of the two lists, and takes the keys of the state directory, if they were unread until the end.
func (o ownFiles) join() {
	for _, unit := range o.markedUnread() {
		here, there := filepath.Join(o.dir, unit), filepath.Join(o.spare, unit)
		err := look(o.dir, unit)
		if err == nil && unit == devicesFile && exists(there) {
			err = access.MergeFiles(here, there, time.Now())
		}
		switch {
		case err == nil:
			_ = copyUnit(o.spare, o.dir, unit)
		case exists(here):
			_, _ = secretfile.SetAside(here, time.Now()) // it would be written over
		}
	}
	_ = os.Remove(filepath.Join(o.spare, notRead))
}

// copyUnit copies a file, or those of the authority.
func copyUnit(to, from, unit string) error {
	return copyNamed(to, from, slices.DeleteFunc(ownNames(from), func(name string) bool {
		return name != unit && filepath.Dir(name) != unit
	}))
}

// restore replaces the files of the state directory that cannot be read by their copies.
func (o *ownFiles) restore() {
	for _, unit := range mayBeUnread {
		path := filepath.Join(o.dir, unit)
		if err := look(o.dir, unit); err == nil || secretfile.Missing(err) || look(o.spare, unit) != nil {
			continue
		}
		aside, err := secretfile.SetAside(path, time.Now())
		if err == nil {
			err = copyUnit(o.dir, o.spare, unit)
		}
		if err == nil {
			o.restored = append(o.restored, restored{path, aside})
		}
	}
}

// adoptUnread takes up the files that could not be read before.
func (f *frontend) adoptUnread() {
	for _, unit := range f.files.found() {
		if err := f.adopt(unit); err != nil {
			f.d.opt.Log.Warn().Err(err).Str("file", unit).Msg("a file that could not be read is not taken up yet")
			continue
		}
		f.files.adopted(unit)
		f.d.opt.Log.Info().Str("file", unit).Msg("a file that could not be read when the program started is in use again")
	}
	f.noteUnread()
}

// noteUnread says on the page whether the list of devices cannot be read. A missing one is no such list.
func (f *frontend) noteUnread() {
	err := error(nil)
	if f.files.isUnread(devicesFile) {
		err = look(f.files.state, devicesFile)
	}
	f.devices.SetUnread(err != nil && !secretfile.Missing(err))
}

func (f *frontend) adopt(unit string) error {
	if unit == devicesFile && f.merged {
		return f.devices.Flush()
	}
	if unit == devicesFile {
		err := f.devices.Merge(filepath.Join(f.files.state, unit))
		f.merged = err == nil || errors.Is(err, access.ErrNotSaved)
		return err
	}
	if err := copyUnit(f.files.dir, f.files.state, unit); err != nil {
		return err
	}
	switch {
	case unit == trustDir && f.secure != nil:
		return f.secure.Reload()
	case unit == vapidFile && f.push != nil:
		keys, err := alert.LoadVAPID(filepath.Join(f.files.dir, unit))
		if err != nil {
			return err
		}
		f.push.use(keys)
	}
	return nil // the key of the buttons is that of this run until its end
}

// restoredNotices are about files that were damaged.
func (f *frontend) restoredNotices() (list []web.Notice) {
	for _, r := range f.files.restored {
		list = append(list, web.NewNotice(damagedID(r.path), words.Say("notice.own_copy", r.path, r.aside), words.Say("notice.own_copy.do")))
	}
	return list
}
