package retention

import (
	"errors"
	"path/filepath"
)

// Share returns the limits of one of several directories that share the limits: each gives up the same part of its
// size.
func (l Limits) Share(own, total int64) Limits {
	if total <= 0 {
		return l
	}
	part := func(n int64) int64 { return int64(float64(n) * float64(own) / float64(total)) }
	l.Journals, l.Free = part(l.Journals), part(l.Free)
	if l.IsFree >= 0 {
		l.IsFree = part(l.IsFree)
	}
	return l
}

// Under returns the lists of several directories below one as one list, with the names of journals as DIRECTORY/NAME.
func Under(dir string, names []string) (all List, err error) {
	all.Version = version
	for _, name := range names {
		l, e := Read(filepath.Join(dir, name))
		err = errors.Join(err, e)
		for _, d := range l.Due {
			d.Name = name + "/" + d.Name
			all.Due = append(all.Due, d)
		}
		for _, r := range l.Removed {
			r.Name = name + "/" + r.Name
			all.Removed = append(all.Removed, r)
		}
		all.Doubted = max(all.Doubted, l.Doubted)
	}
	return all, err
}
