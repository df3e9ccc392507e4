package access

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"boardwatchd/internal/disk"
	"boardwatchd/internal/filelock"
	"boardwatchd/internal/secretfile"
	"boardwatchd/rules/words"
)

const (
	maxDevices  = 256
	secretBytes = 32
	idSymbols   = 10
	flushEvery  = time.Minute
)

// Life is how long a pairing lasts.
const Life = 30 * 24 * time.Hour

// secretLength is the length of a secret as text: base64url without padding.
var secretLength = base64.RawURLEncoding.EncodedLen(secretBytes)

var (
	ErrUnknownDevice  = errors.New("access: there is no such device: it may have been removed; look at the list of devices again")
	ErrTooManyDevices = fmt.Errorf("access: %d devices are paired already: remove one that is not used any more", maxDevices)
	// ErrNotSaved is for a change that is in force and would be lost at a restart.
	ErrNotSaved = errors.New("access: the change is in force, but could not be saved")

	errClosed = errors.New("the list is closed already")
)

// A Store keeps the devices and the codes. All its methods may be called from any goroutine.
type Store struct {
	path  string
	now   func() time.Time
	aside words.Sentence // the file that Open had to set aside, or the program that owns it; empty: neither

	mu      sync.RWMutex // never held during disk access
	devices []*paired    // in the order of pairing
	codes   codes
	changed chan struct{}
	unsaved error
	unread  bool // see SetUnread

	writing sync.Mutex  // held while the file is written
	dirty   atomic.Bool // memory has changes that the file does not
	shared  bool        // another program owns the file: nothing is written
	lock    *os.File    // nil: none
	closed  bool        // under writing
}

// paired is a device of the store. Device.SeenAt is not used; seen is, so that Check needs no writer's lock.
type paired struct {
	Device
	secret digest
	since  time.Time    // when it was paired in this run; zero: in an earlier one
	seen   atomic.Int64 // ms since 1970
}

// over reports whether a pairing has ended. For a pairing of this run the elapsed time counts, not the computer's
// clock, which may have been set meanwhile.
func (p *paired) over(now time.Time) bool {
	if !p.since.IsZero() {
		return now.Sub(p.since) >= Life
	}
	return now.Sub(p.PairedAt) >= Life
}

// redate corrects the time of a pairing of this run after the computer's clock was set.
func (p *paired) redate(now time.Time) {
	if p.since.IsZero() {
		return
	}
	if at := now.Add(-now.Sub(p.since)).UTC().Truncate(time.Second); at.Sub(p.PairedAt).Abs() > time.Minute {
		p.PairedAt = at
	}
}

func (p *paired) value() Device {
	d := p.Device
	d.SeenAt = time.UnixMilli(p.seen.Load()).UTC()
	d.Boards = slices.Clone(d.Boards)
	if d.Push != nil {
		push := *d.Push
		d.Push = &push
	}
	return d
}

// Open reads the devices of a file; without one there are none. One that is damaged, may not be read or is no file is
// set aside, which Warning reports. If another program has the file open, the devices are those that it last wrote, and
// changes here are not written; see Shared.
func Open(path string, now func() time.Time) *Store {
	s := &Store{path: path, now: now, changed: make(chan struct{})}
	s.lock, s.shared = lock(path)
	open := load
	if s.shared {
		open = glance
	}
	s.devices, s.aside = open(path, now())
	return s
}

// lock locks the file beside the store's file. Shared means that another program holds the lock. If no lock is
// possible, there is none: a directory that accepts no file accepts no change either, which is reported at the first
// change.
func lock(path string) (held *os.File, shared bool) {
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return nil, false
	}
	if err := filelock.Try(f); err != nil {
		_ = f.Close() // nothing was written
		return nil, errors.Is(err, filelock.ErrHeld)
	}
	return f, false
}

// InUse reports whether a program has the file open already.
func InUse(path string) bool {
	held, shared := lock(path)
	if held != nil {
		_ = held.Close() // nothing was written
	}
	return shared
}

// Shared reports whether another program owns the file: changes are in force here, and are lost when this program ends.
func (s *Store) Shared() bool { return s.shared }

// Close writes unsaved changes, and releases the file for another program. Later changes are not written.
func (s *Store) Close() error {
	err := s.save()
	s.writing.Lock()
	defer s.writing.Unlock()
	s.closed = true
	return errors.Join(err, s.unlock())
}

func (s *Store) unlock() error {
	held := s.lock
	s.lock = nil
	if held == nil {
		return nil
	}
	return held.Close()
}

// Warning returns information for the operator, with the remedy, as a sentence of the page's texts; empty: all is well.
// Changed signals its changes.
func (s *Store) Warning() words.Sentence {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.warning()
}

func (s *Store) warning() words.Sentence {
	var list []words.Sentence
	if !s.aside.IsZero() {
		list = append(list, s.aside)
	}
	if s.unread {
		list = append(list, words.Say("notice.devices_unread"))
	}
	if s.unsaved != nil {
		list = append(list, words.Say("notice.devices_unsaved", disk.WhyAt(s.unsaved)))
	}
	switch len(list) {
	case 0:
		return words.Sentence{}
	case 1:
		return list[0]
	}
	return words.List(" ", list)
}

// NewCode opens a code that pairs one device within life (0: CodeLife).
func (s *Store) NewCode(role Role, life time.Duration) (Code, error) {
	if !role.Valid() {
		return Code{}, &Invalid{"role", "is neither arbiter nor viewer"}
	}
	if life <= 0 {
		life = CodeLife
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	return s.codes.add(role, now.Add(life), now)
}

// CodeOpen reports whether a code can still be used: it was not used, and has not expired.
func (s *Store) CodeOpen(c Code) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.codes.holds(c, s.now())
}

// Pair makes a device from a code entered at an origin. Check accepts the returned secret, which is not stored. Errors:
// ErrWrongCode, *TooMany, ErrTooManyDevices.
func (s *Store) Pair(from Origin, code, name string) (d Device, secret string, err error) {
	d, secret, err = s.pair(from, code, cleanName(name))
	if err == nil {
		_ = s.save() // Warning reports it; the phone works all the same
	}
	return d, secret, err
}

func (s *Store) pair(from Origin, code, name string) (Device, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	used, err := s.codes.take(from, code, now)
	if err != nil {
		return Device{}, "", err
	}
	s.devices = slices.DeleteFunc(s.devices, func(p *paired) bool { return p.over(now) })
	if len(s.devices) >= maxDevices {
		return Device{}, "", ErrTooManyDevices
	}
	s.codes.spend(used)
	var random [secretBytes]byte
	rand.Read(random[:])
	secret := base64.RawURLEncoding.EncodeToString(random[:])
	p := &paired{secret: digestOf(secret), since: now}
	p.Device = Device{ID: s.newID(), Name: name, Role: used.role, PairedAt: now.UTC().Truncate(time.Second)}
	p.seen.Store(now.UnixMilli())
	s.devices = append(s.devices, p)
	s.announce()
	return p.value(), secret, nil
}

func (s *Store) newID() string {
	for {
		if id := strings.ToLower(symbols(idSymbols)); s.find(id) == nil {
			return id
		}
	}
}

// Check returns the device with this secret, and notes the time. It is called for every request: it uses no disk and
// waits for none.
func (s *Store) Check(secret string) (Device, bool) {
	if len(secret) != secretLength {
		return Device{}, false
	}
	sum := digestOf(secret)
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found *paired
	for _, p := range s.devices {
		if p.secret.equal(sum) {
			found = p
		}
	}
	if found == nil || found.over(s.now()) {
		return Device{}, false
	}
	found.seen.Store(s.now().UnixMilli())
	s.dirty.Store(true)
	return found.value(), true
}

// Device returns the device with an ID.
func (s *Store) Device(id string) (Device, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if p := s.find(id); p != nil {
		return p.value(), true
	}
	return Device{}, false
}

// Devices returns the devices in the order of pairing. One whose pairing has ended is kept until another one is paired,
// since the computer's clock may be wrong, and is not among them.
func (s *Store) Devices() []Device {
	s.mu.RLock()
	defer s.mu.RUnlock()
	now, list := s.now(), make([]Device, 0, len(s.devices))
	for _, p := range s.devices {
		if !p.over(now) {
			list = append(list, p.value())
		}
	}
	return list
}

// Refused counts the codes refused since the start, wrong ones and those that came too fast.
func (s *Store) Refused() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.codes.refused
}

// Rename gives a device another name, cleaned as Pair does.
func (s *Store) Rename(id, name string) error {
	name = cleanName(name)
	return s.change(id, func(p *paired) { p.Name = name })
}

// SetRole makes an arbiter of a viewer, or the other way round.
func (s *Store) SetRole(id string, role Role) error {
	if !role.Valid() {
		return &Invalid{"role", "is neither arbiter nor viewer"}
	}
	return s.change(id, func(p *paired) { p.Role = role })
}

// SetBoards sets the boards whose alerts a device receives; empty: all.
func (s *Store) SetBoards(id string, boards []string) error {
	if err := checkBoards(boards); err != nil {
		return err
	}
	boards = slices.Clone(boards)
	return s.change(id, func(p *paired) { p.Boards = boards })
}

// SetPush stores a device's Web Push subscription, in place of an earlier one.
func (s *Store) SetPush(id string, push Push) error {
	if err := checkPush(push); err != nil {
		return err
	}
	return s.change(id, func(p *paired) { p.Push = &push })
}

// DropPush forgets a device's Web Push subscription.
func (s *Store) DropPush(id string) error {
	return s.change(id, func(p *paired) { p.Push = nil })
}

// Revoke removes a device: its secret is invalid from now on. The last arbiter may be removed as well; then only a code
// made at the machine itself brings one back.
func (s *Store) Revoke(id string) error {
	return s.change(id, func(p *paired) {
		s.devices = slices.DeleteFunc(s.devices, func(other *paired) bool { return other == p })
	})
}

// Changed returns a channel that is closed at the next change of Warning or of any device other than its time of last
// use.
func (s *Store) Changed() <-chan struct{} {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.changed
}

func (s *Store) change(id string, do func(*paired)) error {
	s.mu.Lock()
	p := s.find(id)
	if p == nil {
		s.mu.Unlock()
		return ErrUnknownDevice
	}
	do(p)
	s.announce()
	s.mu.Unlock()
	return s.save()
}

// announce is called with the lock held, after a change of a device.
func (s *Store) announce() {
	s.dirty.Store(true)
	s.signalChange()
}

func (s *Store) signalChange() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Store) find(id string) *paired {
	i := slices.IndexFunc(s.devices, func(p *paired) bool { return p.ID == id })
	if i < 0 {
		return nil
	}
	return s.devices[i]
}

// Flush writes unsaved changes, if there are any.
func (s *Store) Flush() error { return s.save() }

// Run flushes once a minute, and once more when ctx ends. Warning reports failures.
func (s *Store) Run(ctx context.Context) {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_ = s.save()
		case <-ctx.Done():
			_ = s.save()
			return
		}
	}
}

func (s *Store) save() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.shared || !s.dirty.Swap(false) { // a write by another call included this change
		return nil
	}
	why := s.write()
	err := why
	if why != nil {
		s.dirty.Store(true)
		err = fmt.Errorf("%w: %w; free some space or mend the disk: until then a restart brings back what the file holds",
			ErrNotSaved, why)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.warning()
	s.unsaved = why
	if !s.warning().Equal(before) {
		s.signalChange()
	}
	return err
}

func (s *Store) write() error {
	if s.closed {
		return errClosed
	}
	s.mu.Lock()
	for _, p := range s.devices {
		p.redate(s.now())
	}
	body, err := encode(s.devices)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return secretfile.Replace(s.path, body)
}
