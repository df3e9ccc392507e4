package hub

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nkeys"

	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/mirror"
	"boardwatchd/internal/secretfile"
	"boardwatchd/internal/trust"
)

// This file is about small files of the hall that a failing disk or a person has damaged. None of them keeps the page
// from showing the mirror.

// readJSON reads a file. If there is none, into stays as it is.
func readJSON(path string, into any) error {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(b, into)
}

// openOrSetAside opens a file that the hall can do without. A damaged one is set aside; if the disk does not allow
// that, it stays until it is written again.
func openOrSetAside[T any](h *Hub, path string, open func(path string) (T, error)) T {
	t, err := open(path)
	if err == nil {
		return t
	}
	aside, failed := secretfile.SetAside(path, time.Now())
	if failed != nil {
		aside = path
	}
	h.opt.Log.Error().Err(err).Str("file", path).Str("kept", aside).Msg("a file of the hall is damaged: it is set aside, and the hall begins without it")
	h.opt.Damaged(filepath.Base(path), aside)
	t, _ = open(path)
	return t
}

// Keys are the files without which no computer can reach the hall: the list of computers, the hall's own key, its
// authority (a directory), and the keys for servers that are programs of their own.
func (f Files) Keys() []string {
	return []string{f.Members().Path(), f.trust(), f.seed(), f.clusterSeed(issuerSeed), f.clusterSeed(systemSeed)}
}

// DamagedKeys are the existing files of Keys that cannot be used. The keys for separate servers count only in a hall
// that has such servers. DamagedKeys creates no file.
func (f Files) DamagedKeys(cluster bool) (damaged []string) {
	check := func(path string, err error) {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			damaged = append(damaged, path)
		}
	}
	_, err := f.Members().Read()
	check(f.Members().Path(), err)
	check(f.trust(), trust.Check(f.trust()))
	seeds := []string{f.seed()}
	if cluster {
		seeds = append(seeds, f.clusterSeed(issuerSeed), f.clusterSeed(systemSeed))
	}
	for _, path := range seeds {
		seed, err := os.ReadFile(path)
		if err == nil {
			_, err = nkeys.FromSeed(seed)
		}
		check(path, err)
	}
	return damaged
}

// StandIn makes a list of computers in another directory, for Options.Keys: a copy of the hall's own, or if that cannot
// be read, the computers of the mirror.
func (f Files) StandIn(dir string) error {
	r, err := f.Members().Read()
	if err != nil {
		for _, name := range mirror.Open(f.Mirror()).Computers() {
			r.Computers = append(r.Computers, members.Computer{Name: name})
		}
	}
	return FilesIn(dir).Members().Change(func(next *members.Roll) error {
		next.Computers = slices.Clone(r.Computers)
		return nil
	})
}
