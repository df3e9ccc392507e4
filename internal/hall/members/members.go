package members

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"boardwatchd/internal/filelock"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/secretfile"
)

// A Computer has joined the hall.
type Computer struct {
	Name   string    `json:"name"`
	Key    string    `json:"key"` // public
	Joined time.Time `json:"joined"`
	New    bool      `json:"new,omitempty"` // not heard since it joined
}

// An Invitation can be used once, until it expires.
type Invitation struct {
	Name    string    `json:"name"`
	Key     string    `json:"key"` // public
	Expires time.Time `json:"expires"`
	// Many lets any number of computers ask to join: each waits until a person accepts it. Name is "".
	Many bool `json:"many,omitempty"`
	// Replace lets the invitation remove a computer of its name from the hall even if that computer was heard.
	Replace bool `json:"replace,omitempty"`
	// Used is the key that has joined with it: a computer that lost the answer asks again, with the same key.
	Used string `json:"used,omitempty"`
}

// askAgain is how long a used invitation still answers the computer that has used it.
const askAgain = time.Minute

// A Roll is the content of the file.
type Roll struct {
	Format      string       `json:"format"`
	Computers   []Computer   `json:"computers"`
	Invitations []Invitation `json:"invitations"`
	Newcomers   []Newcomer   `json:"newcomers,omitempty"`
	Revoked     []Revoked    `json:"revoked,omitempty"`
}

// A Revoked computer was revoked in the last day.
type Revoked struct {
	Name string    `json:"name"`
	At   time.Time `json:"at"`
}

// revokedFor is how long a revoked computer is remembered: longer than a round lasts.
const revokedFor = 24 * time.Hour

const format = "boardwatchd-hall/1"

// MaxComputers is the largest number of computers.
const MaxComputers = 2000

// Computer returns the computer of a name.
func (r *Roll) Computer(name string) (Computer, bool) {
	i := slices.IndexFunc(r.Computers, func(c Computer) bool { return c.Name == name })
	if i < 0 {
		return Computer{}, false
	}
	return r.Computers[i], true
}

// Invite opens an invitation, which replaces an earlier one of its name.
func (r *Roll) Invite(i Invitation, now time.Time) error {
	if err := wire.CheckName(i.Name); err != nil && !i.Many {
		return err
	}
	if !i.Many && r.inUse(i) {
		return ErrNameInUse
	}
	r.Invitations = slices.DeleteFunc(r.Invitations, func(o Invitation) bool { return !i.Many && o.Name == i.Name || !o.Expires.After(now) })
	if len(r.Computers)+len(r.Invitations) >= MaxComputers {
		return fmt.Errorf("there are %d computers and invitations already; revoke some", MaxComputers)
	}
	r.Invitations = append(r.Invitations, i)
	return nil
}

// ErrNameInUse means that the invitation would remove another computer from the hall.
var ErrNameInUse = errors.New("a computer of that name is in the hall, and would be out of it; give another name, or revoke that one first (boardwatchd hall revoke NAME)")

// inUse reports whether a computer that was heard has the invitation's name and must not be replaced.
func (r *Roll) inUse(i Invitation) bool {
	c, taken := r.Computer(i.Name)
	return taken && !c.New && !i.Replace
}

// ErrInvitation means that an invitation is not open.
var ErrInvitation = errors.New("this invitation was used, was replaced, or its time is over: ask for a new one (boardwatchd hall invite)")

// Join uses an invitation: from now on the computer of its name has this key.
func (r *Roll) Join(invitation, key string, now time.Time) (Computer, error) {
	i := slices.IndexFunc(r.Invitations, func(i Invitation) bool { return i.Key == invitation && i.Expires.After(now) })
	if i < 0 {
		return Computer{}, ErrInvitation
	}
	in := &r.Invitations[i]
	if in.Many {
		return r.accepted(key)
	}
	if c, ok := r.Computer(in.Name); in.Used != "" {
		if ok && in.Used == key && c.Key == key {
			return c, nil
		}
		return Computer{}, ErrInvitation
	}
	if r.inUse(*in) { // since the invitation was made
		return Computer{}, ErrNameInUse
	}
	c := Computer{Name: in.Name, Key: key, Joined: now.UTC().Truncate(time.Second), New: true}
	in.Used = key
	if end := now.Add(askAgain).UTC(); end.Before(in.Expires) {
		in.Expires = end
	}
	r.admit(c)
	return c, nil
}

// admit adds a computer, which replaces an earlier one of its name or of its key.
func (r *Roll) admit(c Computer) {
	r.Computers = slices.DeleteFunc(r.Computers, func(o Computer) bool { return o.Name == c.Name || o.Key == c.Key })
	r.Newcomers = slices.DeleteFunc(r.Newcomers, func(n Newcomer) bool { return n.Key == c.Key })
	r.Revoked = slices.DeleteFunc(r.Revoked, func(o Revoked) bool { return o.Name == c.Name })
	r.Computers = append(r.Computers, c)
}

// Heard notes that the computers with these keys were heard, and reports whether that is new.
func (r *Roll) Heard(keys []string) (changed bool) {
	computers := slices.Clone(r.Computers) // a copy of the roll may be read elsewhere
	for i := range computers {
		if computers[i].New && slices.Contains(keys, computers[i].Key) {
			computers[i].New, changed = false, true
		}
	}
	r.Computers = computers
	return changed
}

// ErrUnknown means that there is no computer of that name.
var ErrUnknown = errors.New("there is no such computer in the hall, and no invitation for it; boardwatchd hall list names them")

// Revoke removes the computer and the invitation of a name.
func (r *Roll) Revoke(name string, now time.Time) error {
	if _, in := r.Computer(name); in {
		r.Revoked = slices.DeleteFunc(r.Revoked, func(o Revoked) bool { return o.Name == name || now.Sub(o.At) > revokedFor })
		r.Revoked = append(r.Revoked, Revoked{name, now.UTC().Truncate(time.Second)})
	}
	return r.Leave(name)
}

// Leave is Revoke for a computer that has left by itself: its boards are not reported as missed.
func (r *Roll) Leave(name string) error {
	was := len(r.Computers) + len(r.Invitations)
	r.Computers = slices.DeleteFunc(r.Computers, func(c Computer) bool { return c.Name == name })
	r.Invitations = slices.DeleteFunc(r.Invitations, func(i Invitation) bool { return i.Name == name && !i.Many })
	if len(r.Computers)+len(r.Invitations) == was {
		return ErrUnknown
	}
	return nil
}

// A List is the file computers.json.
type List struct{ path string }

// Open returns the list in a file, which is made at the first change.
func Open(path string) *List { return &List{path} }

// Path is the path of the file.
func (l *List) Path() string { return l.path }

// Read returns the content of the file; without a file the hall has no computers.
func (l *List) Read() (r Roll, err error) {
	b, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return Roll{Format: format}, nil
	}
	if err != nil {
		return r, fmt.Errorf("the list of computers: %w", err)
	}
	if err := json.Unmarshal(b, &r); err != nil || r.Format != format {
		return r, fmt.Errorf("%s is damaged: mend it, or put it away and let every computer join again", l.path)
	}
	return r, nil
}

// lockTries times lockRest is how long Change waits for another program.
const (
	lockTries = 200
	lockRest  = 10 * time.Millisecond
)

// Change reads, changes and writes the file under its lock. If do fails nothing is written.
func (l *List) Change(do func(*Roll) error) error {
	return l.Alone(func() error {
		r, err := l.Read()
		if err != nil {
			return err
		}
		if err := do(&r); err != nil {
			return err
		}
		b, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		return secretfile.Replace(l.path, append(b, '\n'))
	})
}

// Alone runs a function under the lock of the hall's directory. A read-only file system has no lock, and no program can
// change anything there.
func (l *List) Alone(do func() error) error {
	f, err := os.OpenFile(l.path+".lock", os.O_RDWR|os.O_CREATE, secretfile.Mode)
	if errors.Is(err, syscall.EROFS) {
		return do()
	}
	if err != nil {
		return fmt.Errorf("the list of computers: %w", err)
	}
	defer f.Close() // with the lock; nothing was written
	secretfile.GiveToOwner(f, l.path+".lock")
	for range lockTries {
		if err = filelock.Try(f); !errors.Is(err, filelock.ErrHeld) {
			break
		}
		time.Sleep(lockRest)
	}
	if err != nil {
		return fmt.Errorf("the list of computers: lock it: %w", err)
	}
	return do()
}

// A Version identifies the file's content: equal versions have equal content.
type Version struct {
	size int64
	time time.Time
	at   uint64
}

// Version returns the present version of the list's file: size, time and inode.
func (l *List) Version() (v Version) {
	if info, err := os.Stat(l.path); err == nil {
		v.size, v.time, v.at = info.Size(), info.ModTime(), inode(info)
	}
	return v
}
