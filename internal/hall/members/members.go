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

// A Computer is one that has joined.
type Computer struct {
	Name   string    `json:"name"`
	Key    string    `json:"key"` // public
	Joined time.Time `json:"joined"`
	New    bool      `json:"new,omitempty"` // it was not heard since it joined
}

// An Invitation can be used once, until it expires.
type Invitation struct {
	Name    string    `json:"name"`
	Key     string    `json:"key"` // public
	Expires time.Time `json:"expires"`
	// Many says that any number of computers may ask with it to join: each waits until somebody accepts it, and Name is
	// "".
	Many bool `json:"many,omitempty"`
	// Replace says that a computer of its name that was heard in the hall is out when it is used.
	Replace bool `json:"replace,omitempty"`
	// Used is the key that has joined with it: whoever did not hear the answer asks again, with the same key.
	Used string `json:"used,omitempty"`
}

// askAgain is how long an invitation that was used answers the computer that has used it.
const askAgain = time.Minute

// A Roll is the content of the file.
type Roll struct {
	Format      string       `json:"format"`
	Computers   []Computer   `json:"computers"`
	Invitations []Invitation `json:"invitations"`
	Newcomers   []Newcomer   `json:"newcomers,omitempty"`
	Revoked     []Revoked    `json:"revoked,omitempty"`
}

// A Revoked is a computer that was revoked in the last day.
type Revoked struct {
	Name string    `json:"name"`
	At   time.Time `json:"at"`
}

// revokedFor is how long it is remembered: longer than a round takes.
const revokedFor = 24 * time.Hour

const format = "boardwatchd-hall/1"

// Most bounds the list.
const Most = 2000

// Computer returns the one of a name.
func (r *Roll) Computer(name string) (Computer, bool) {
	i := slices.IndexFunc(r.Computers, func(c Computer) bool { return c.Name == name })
	if i < 0 {
		return Computer{}, false
	}
	return r.Computers[i], true
}

// Invite opens an invitation in place of an earlier one of that name.
func (r *Roll) Invite(i Invitation, now time.Time) error {
	if err := wire.CheckName(i.Name); err != nil && !i.Many {
		return err
	}
	if !i.Many && r.inUse(i) {
		return ErrNameInUse
	}
	r.Invitations = slices.DeleteFunc(r.Invitations, func(o Invitation) bool { return !i.Many && o.Name == i.Name || !o.Expires.After(now) })
	if len(r.Computers)+len(r.Invitations) >= Most {
		return fmt.Errorf("there are %d computers and invitations already; revoke some", Most)
	}
	r.Invitations = append(r.Invitations, i)
	return nil
}

// ErrNameInUse says that somebody is called so who would be thrown out.
var ErrNameInUse = errors.New("a computer of that name is in the hall, and would be out of it; give another name, or revoke that one first (boardwatchd hall revoke NAME)")

// inUse says whether a computer that was heard has the name of an invitation, and is not to be replaced.
func (r *Roll) inUse(i Invitation) bool {
	c, taken := r.Computer(i.Name)
	return taken && !c.New && !i.Replace
}

// ErrInvitation says that an invitation is not open.
var ErrInvitation = errors.New("this invitation was used, was replaced, or its time is over: ask for a new one (boardwatchd hall invite)")

// Join uses an invitation: the computer of its name has this key from now on.
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
	if r.inUse(*in) { // since it was written
		return Computer{}, ErrNameInUse
	}
	c := Computer{Name: in.Name, Key: key, Joined: now.UTC().Truncate(time.Second), New: true}
	in.Used = key
	if end := now.Add(askAgain).UTC(); end.Before(in.Expires) {
		in.Expires = end
	}
	r.let(c)
	return c, nil
}

// let takes a computer in, in place of an earlier one of its name, or with its key under another name.
func (r *Roll) let(c Computer) {
	r.Computers = slices.DeleteFunc(r.Computers, func(o Computer) bool { return o.Name == c.Name || o.Key == c.Key })
	r.Newcomers = slices.DeleteFunc(r.Newcomers, func(n Newcomer) bool { return n.Key == c.Key })
	r.Revoked = slices.DeleteFunc(r.Revoked, func(o Revoked) bool { return o.Name == c.Name })
	r.Computers = append(r.Computers, c)
}

// Heard notes that computers, by their keys, were heard. It says whether that is new.
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

// ErrUnknown says that there is no computer of that name.
var ErrUnknown = errors.New("there is no such computer in the hall, and no invitation for it; boardwatchd hall list names them")

// Revoke removes a computer and an invitation of its name.
func (r *Roll) Revoke(name string, now time.Time) error {
	if _, in := r.Computer(name); in {
		r.Revoked = slices.DeleteFunc(r.Revoked, func(o Revoked) bool { return o.Name == name || now.Sub(o.At) > revokedFor })
		r.Revoked = append(r.Revoked, Revoked{name, now.UTC().Truncate(time.Second)})
	}
	return r.Leave(name)
}

// Leave is Revoke for a computer that has left by itself: nobody misses its boards.
func (r *Roll) Leave(name string) error {
	was := len(r.Computers) + len(r.Invitations)
	r.Computers = slices.DeleteFunc(r.Computers, func(c Computer) bool { return c.Name == name })
	r.Invitations = slices.DeleteFunc(r.Invitations, func(i Invitation) bool { return i.Name == name && !i.Many })
	if len(r.Computers)+len(r.Invitations) == was {
		return ErrUnknown
	}
	return nil
}

// A List is the file.
type List struct{ path string }

// Open names the file; it is made at the first change.
func Open(path string) *List { return &List{path} }

// Path is where the file is.
func (l *List) Path() string { return l.path }

// Read returns what the file says; without one nobody is in the hall.
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

// Change reads, changes and writes the file, with no other program between. When do fails nothing is written.
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

// Alone does something in the hall's directory with no other program between. Where the file system is read-only no
// other program changes anything, and there is no lock.
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

// A Version tells whether the file was changed: two that are equal are of the same content.
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
