package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// The fault model of these tests.
//
// simDisk is a disk with a page cache in front. A write goes to the cache and is seen by readers at once. Sync moves a
// file's bytes to the platter. A failed sync loses them: a later one succeeds although they never got there (as on
// Linux). A power cut treats each 512-byte sector that was not synced in one of three ways: kept, dropped (zeros, or
// cut off at the end) or trashed (random bytes); a file whose directory was not synced is there or not. Bytes once
// synced survive, also when their sector is written again. A kill loses nothing, but the bytes in the cache stay
// unsynced.
type simDisk struct {
	mu    sync.Mutex
	files map[string]*simFile
	rnd   *rand.Rand

	calls     int
	failFrom  int // the calls from this one on fail …
	failCount int // … this number of them
	reached   bool
	fault     error
	failRate  float64 // any call fails with this probability
	room      int     // bytes left; negative: no limit
	dead      bool
	unsettled bool // a killed process left bytes that cannot be synced any more
	syncTime  time.Duration
	writeTime time.Duration
	log       []string
}

type byteState uint8

const (
	cached byteState = iota
	solid
	doomed // a sync failed: it will never reach the platter
)

type simFile struct {
	disk   *simDisk
	data   []byte
	state  []byteState
	named  bool // the directory has been synced since it was created
	closed bool
}

var errSim = errors.New("simulated input/output error")

func newSimDisk(seed uint64) *simDisk {
	return &simDisk{files: map[string]*simFile{}, rnd: rand.New(rand.NewPCG(seed, 1)), fault: errSim, room: -1}
}

// enter counts a call and returns an error if it is to fail. The lock is held.
func (d *simDisk) enter(what string) error {
	if d.dead {
		return errSim
	}
	d.calls++
	d.log = append(d.log, what)
	failed := d.failFrom > 0 && d.calls >= d.failFrom && d.calls < d.failFrom+d.failCount
	d.reached = d.reached || failed
	if failed || d.failRate > 0 && d.rnd.Float64() < d.failRate {
		return fmt.Errorf("%s: %w", what, d.fault)
	}
	return nil
}

func (d *simDisk) Create(path string) (DiskFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.enter("create " + path); err != nil {
		return nil, err
	}
	if d.files[path] != nil {
		return nil, fmt.Errorf("create %s: %w", path, fs.ErrExist)
	}
	d.files[path] = &simFile{disk: d}
	return d.files[path], nil
}

func (d *simDisk) SyncDir(string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.enter("sync directory"); err != nil {
		return err
	}
	for _, f := range d.files {
		f.named = true
	}
	return nil
}

func (d *simDisk) SyncFile(path string) error {
	d.mu.Lock()
	f := d.files[path]
	d.mu.Unlock()
	if f == nil {
		return fs.ErrNotExist
	}
	err := f.Sync()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unsettled = d.unsettled || err != nil
	return err
}

func (d *simDisk) Remove(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.enter("remove " + path); err != nil {
		return err
	}
	delete(d.files, path)
	return nil
}

func (d *simDisk) Lock(path string) (DiskLock, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return simLock{io.NopCloser(nil)}, d.enter("lock " + path)
}

func (f *simFile) Write(p []byte) (int, error) {
	d := f.disk
	d.mu.Lock()
	slow := d.writeTime
	d.mu.Unlock()
	time.Sleep(slow)
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := len(p), d.enter("write")
	switch {
	case f.closed:
		return 0, errors.New("write to a closed file")
	case d.dead:
		return 0, errSim
	case err != nil:
		n = d.rnd.IntN(len(p) + 1) // part of it may have been written
	case d.room >= 0 && d.room < len(p):
		n, err = d.room, errors.New("no space left on device")
	}
	if d.room >= 0 {
		d.room -= n
	}
	f.data = append(f.data, p[:n]...)
	f.state = append(f.state, make([]byteState, n)...)
	return n, err
}

func (f *simFile) Sync() error {
	d := f.disk
	d.mu.Lock()
	n, slow := len(f.data), d.syncTime
	d.mu.Unlock()
	time.Sleep(slow)
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.enter("sync")
	for i := range n {
		if f.state[i] != cached || d.dead {
			continue
		}
		f.state[i] = solid
		if err != nil {
			f.state[i] = doomed
		}
	}
	return err
}

func (f *simFile) Close() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.closed {
		return errors.New("closed twice")
	}
	f.closed = true
	return f.disk.enter("close")
}

type simLock struct{ io.Closer }

func (simLock) Nameless() bool { return false }

// wasUnsettled reports whether data of earlier writers could not be made durable.
func (d *simDisk) wasUnsettled() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.unsettled
}

func (f *simFile) ReadAt(p []byte, off int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return bytes.NewReader(f.data).ReadAt(p, off)
}

// Nameless reports whether the file is no longer in the disk's directory.
func (f *simFile) Nameless() bool {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	for _, other := range f.disk.files {
		if other == f {
			return false
		}
	}
	return true
}

const sector = 512

// cut simulates a power cut: it makes the disk dead and returns the disk after the restart.
func (d *simDisk) cut() *simDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := newSimDisk(d.rnd.Uint64())
	for _, path := range d.paths() {
		f := d.files[path]
		if !f.named && d.rnd.IntN(2) == 0 {
			continue
		}
		data := d.afterCut(f)
		after.files[path] = &simFile{disk: after, data: data, state: allSolid(len(data)), named: true, closed: true}
	}
	d.dead = true
	return after
}

func (d *simDisk) afterCut(f *simFile) []byte {
	data := bytes.Clone(f.data)
	end := len(data)
	for s := (len(data) - 1) / sector * sector; s >= 0; s -= sector {
		what := d.rnd.IntN(3)
		last := min(s+sector, end)
		for i := s; i < last; i++ {
			switch {
			case f.state[i] == solid || what == 0 && f.state[i] == cached:
			case what == 1 || f.state[i] == doomed:
				data[i] = 0
			default:
				data[i] = byte(d.rnd.Uint32())
			}
		}
		// The file's length may not have grown yet either.
		if what == 1 && last == end && d.rnd.IntN(2) == 0 {
			for end > s && f.state[end-1] != solid {
				end--
			}
		}
	}
	return data[:end]
}

// kill simulates the end of the process: the cache stays, and its bytes are still not synced.
func (d *simDisk) kill() *simDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := newSimDisk(d.rnd.Uint64())
	for path, f := range d.files {
		after.files[path] = &simFile{disk: after, data: bytes.Clone(f.data), state: slices.Clone(f.state), named: f.named, closed: true}
		after.unsettled = after.unsettled || slices.Contains(f.state, doomed)
	}
	d.dead = true
	return after
}

func allSolid(n int) []byteState {
	s := make([]byteState, n)
	for i := range s {
		s[i] = solid
	}
	return s
}

func (d *simDisk) paths() []string {
	var paths []string
	for path := range d.files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// open reads a journal from the disk. It returns nil if there is none.
func (d *simDisk) open(name string) (*Reader, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var sources []source
	for _, path := range d.paths() {
		n, number, ok := ParseSegmentName(filepath.Base(path))
		if !ok || n != name {
			continue
		}
		data := bytes.Clone(d.files[path].data)
		sources = append(sources, source{name: filepath.Base(path), number: number,
			open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }})
	}
	if len(sources) == 0 {
		return nil, nil
	}
	slices.SortFunc(sources, func(a, b source) int { return a.number - b.number })
	return newReader(sources)
}
