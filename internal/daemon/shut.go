package daemon

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"boardwatchd/internal/doctor"
	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/secretfile"
	"boardwatchd/internal/web"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

// unreachableHall is why no computer can reach the hall: its keys cannot be read or made, or its port is in use. The
// page is served all the same, with the content of the mirror, and the hall is opened again when over returns true.
// Nil: computers can reach it.
type unreachableHall struct {
	files hub.Files
	over  func() bool
	why   string // in English
	dir   string // a directory of temporary keys
}

// checkReachable determines whether computers can reach the hall, and reports the obstacle. Damaged keys with a good
// copy are restored.
func (d *Daemon) checkReachable() *unreachableHall {
	f, files, cluster := d.frontend, HallFiles(d.opt.Dir), len(d.opt.Config.Hall.Cluster) > 0
	d.restoreKeys(files)
	if damaged := files.DamagedKeys(cluster); len(damaged) > 0 {
		say := words.Say("notice.hall_keys", strings.Join(damaged, ", "))
		f.trouble("hall-keys", say, words.Say("notice.hall_keys.do"))
		return &unreachableHall{files: files, why: page.English(say), over: func() bool { return len(files.DamagedKeys(cluster)) == 0 }}
	}
	if err := f.files.unusable; err != nil && files.Exists() != nil { // the hall has never run: no keys can be made
		why := "No computer can reach this hall. " + f.stateDirNotice(err).Text
		return &unreachableHall{files: files, why: why, over: func() bool { return takesFiles(d.opt.Dir) == nil }}
	}
	listen := d.opt.Config.Hall.Listen
	if cluster || f.devices == nil || f.devices.Shared() {
		return nil // no page, or the program at the port is a hall with these files
	}
	if err := tryListen(listen); err != nil {
		say := words.Say("notice.hall_listen", listen, whyNotAt(listen, err))
		f.trouble("hall-listen", say, words.Say("notice.hall_listen.do"))
		return &unreachableHall{files: files, why: page.English(say), over: func() bool { return tryListen(listen) == nil }}
	}
	return nil
}

// tryListen returns why the hall's server cannot listen, or nil. Without a host it listens to IPv4 only.
func tryListen(address string) error {
	if host, port, err := net.SplitHostPort(address); err == nil && host == "" {
		address = net.JoinHostPort("0.0.0.0", port)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}

// whyNotAt is the reason why an address cannot be used.
func whyNotAt(address string, err error) words.Sentence {
	if !errors.Is(err, syscall.EADDRINUSE) {
		return words.Verbatim(err.Error())
	}
	_, port, _ := net.SplitHostPort(address)
	if holder, known := doctor.ThisComputer().Holder(port); known {
		return words.Say("notice.because_port_of", holder)
	}
	return words.Say("notice.because_port")
}

// apply changes the options so that no computer reaches the hall.
func (s *unreachableHall) apply(o *hub.Options) (err error) {
	if s == nil {
		return nil
	}
	if s.dir, err = os.MkdirTemp("", "boardwatchd-hall-"); err != nil {
		return err
	}
	full := o.Full
	o.Keys, o.Memory, o.Listen, o.Cluster = s.dir, s.dir, "127.0.0.1:0", nil
	o.Full = func() bool { full(); return true } // full still updates what the operator's list shows of the disk
	return s.files.StandIn(s.dir)
}

func (s *unreachableHall) close() {
	if s != nil && s.dir != "" {
		_ = os.RemoveAll(s.dir) // remaining files are keys that are not used
	}
}

// waitToOpen ends the daemon, so that it starts again, when the hall can be opened.
func (d *Daemon) waitToOpen(ctx context.Context, cancel context.CancelFunc, s *unreachableHall) {
	for pause(ctx, listenAgain) {
		if s.over() {
			d.startAgain.Store(true)
			cancel()
		}
	}
}

// keyCopies is the directory with copies of a hall's keys and of its list of computers, in the second place (ownFiles).
const keyCopies = "hall-keys"

// restoreKeys replaces unreadable files by their copies.
func (d *Daemon) restoreKeys(files hub.Files) {
	f := d.frontend
	if f.files.spare == "" {
		return
	}
	copies := hub.FilesIn(filepath.Join(f.files.spare, keyCopies))
	damaged, bad := files.DamagedKeys(true), copies.DamagedKeys(true)
	for i, path := range files.Keys() {
		spare := copies.Keys()[i]
		if !slices.Contains(damaged, path) || slices.Contains(bad, spare) || !exists(spare) {
			continue
		}
		aside, err := secretfile.SetAside(path, time.Now())
		if err != nil {
			continue // it stays, and is reported
		}
		if err := copyTree(path, spare); err != nil {
			_ = errors.Join(os.RemoveAll(path), os.Rename(aside, path)) // without the file the hall would make new keys
			continue
		}
		f.trouble("copy-"+filepath.Base(path), words.Say("notice.damaged_copy", path, aside), words.Say("notice.damaged_copy.do"))
	}
}

// copyKeys updates the copies until ctx ends.
func (d *Daemon) copyKeys(ctx context.Context) {
	files, spare := HallFiles(d.opt.Dir), d.frontend.files.spare
	if spare == "" || d.frontend.files.unusable != nil {
		return
	}
	to := hub.FilesIn(filepath.Join(spare, keyCopies)).Keys()
	for {
		if len(files.DamagedKeys(true)) == 0 {
			for i, path := range files.Keys() {
				_ = copyTree(to[i], path) // without a copy the program works as without a second place
			}
		}
		if !pause(ctx, keepEvery) {
			return
		}
	}
}

// copyTree copies a file, or the files of a directory.
func copyTree(to, from string) error {
	list, err := os.ReadDir(from)
	if errors.Is(err, syscall.ENOTDIR) {
		return copyFile(to, from)
	}
	errs := []error{err}
	for _, e := range list {
		errs = append(errs, copyFile(filepath.Join(to, e.Name()), filepath.Join(from, e.Name())))
	}
	return errors.Join(errs...)
}

// damagedTexts are the notices about files that the hall has begun without.
var damagedTexts = map[string]struct{ say, do string }{
	"waiting.json": {"notice.damaged_waiting", "notice.damaged_waiting.do"},
	"shown.json":   {"notice.damaged_shown", "notice.damaged_shown.do"},
	"homes.json":   {"notice.damaged_homes", "notice.damaged_homes.do"},
}

// damaged reports a file that was set aside.
func (f *frontend) damaged(name, aside string) {
	text := damagedTexts[name]
	f.trouble(name, words.Say(text.say, aside), words.Say(text.do))
}

// troubleID begins the ids of notices that are also in the list of computers.
const troubleID = "trouble-"

// trouble shows a problem that is also in the list of computers.
func (f *frontend) trouble(id string, say, do words.Sentence) { f.addProblem(troubleID+id, say, do) }

// troubles are these problems, for the row of this computer.
func (f *frontend) troubles() (list []roster.Problem) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range slices.Concat(f.problems, f.present) {
		if strings.HasPrefix(n.ID, troubleID) {
			list = append(list, problemOf(n))
		}
	}
	return list
}

func problemOf(n web.Notice) roster.Problem {
	return roster.Problem{What: "trouble", Level: roster.Bad, Text: n.Text, Say: n.Say, Do: n.Remedy, DoSay: n.DoSay}
}
