package retention

import (
	"errors"
	"path/filepath"
)

// Share are the limits of one directory of several that have the limits together: each gives up the same part of what
// it has.
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

// Under are the lists of several directories below one as one list, with the names of journals as DIRECTORY/NAME.
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
