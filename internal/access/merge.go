package access

import (
	"cmp"
	"slices"
	"time"

	"boardwatchd/internal/secretfile"
)

// This file is about a list that a failing disk kept from being read when the program started: the devices that are
// paired meanwhile are in a list of their own, and both count when the disk reads again.

// Check returns why the list in a file cannot be used: fs.ErrNotExist, that of a disk, or that of its content.
func Check(path string) error {
	_, err := readList(path)
	return err
}

// SetUnread notes whether the list of an earlier run cannot be read yet, which Warning reports.
func (s *Store) SetUnread(unread bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unread != unread {
		s.unread = unread
		s.signalChange()
	}
}

// Unread reports whether the list of an earlier run cannot be read yet. Then a device that Check does not know may
// still be a paired one.
func (s *Store) Unread() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.unread
}

// Merge adds the devices of another list, which is that of an earlier run, and writes them.
func (s *Store) Merge(path string) error {
	earlier, err := readList(path)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.devices = union(earlier, s.devices, s.now())
	s.announce()
	s.mu.Unlock()
	return s.save()
}

// MergeFiles adds the devices of one list to those of another one, which is that of an earlier run.
func MergeFiles(earlier, later string, now time.Time) error {
	before, err := readList(earlier)
	if err != nil {
		return err
	}
	after, err := readList(later)
	if err != nil {
		return err
	}
	body, err := encode(union(before, after, now))
	if err != nil {
		return err
	}
	return secretfile.Replace(earlier, body)
}

// union is the devices of both lists, in the order of pairing; of a device in both the later one. If there are too
// many, those are left out that were not seen for longest.
func union(earlier, later []*paired, now time.Time) []*paired {
	all := slices.DeleteFunc(slices.Clone(earlier), func(p *paired) bool {
		return p.over(now) || slices.ContainsFunc(later, func(o *paired) bool { return o.ID == p.ID || o.secret == p.secret })
	})
	all = append(all, later...)
	for len(all) > maxDevices {
		oldest := slices.MinFunc(all, func(a, b *paired) int { return cmp.Compare(a.seen.Load(), b.seen.Load()) })
		all = slices.DeleteFunc(all, func(p *paired) bool { return p == oldest })
	}
	return all
}
