package members

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/hall/wire"
)

// A Newcomer has asked to join with an invitation for many.
type Newcomer struct {
	Key        string    `json:"key"`        // public
	Invitation string    `json:"invitation"` // key of the invitation
	Host       string    `json:"host"`       // the computer's own host name
	Asked      time.Time `json:"asked"`
	Refused    bool      `json:"refused,omitempty"`
}

// MaxNewcomers is how many may wait: the holder of the token could ask with ever new keys.
const MaxNewcomers = 256

// Answers to the holder of an invitation for many.
var (
	ErrWaits   = errors.New("the computer waits to be accepted at the hall")
	ErrRefused = errors.New("the hall has refused this computer: ask its operator, then delete hall/joining.json in the state directory and join again")
	ErrMany    = fmt.Errorf("%d computers wait to be accepted already; accept or refuse some", MaxNewcomers)
)

// accepted returns the computer with the key, or why there is none.
func (r *Roll) accepted(key string) (Computer, error) {
	if i := slices.IndexFunc(r.Computers, func(c Computer) bool { return c.Key == key }); i >= 0 {
		return r.Computers[i], nil
	}
	if i := r.newcomer(key); i >= 0 && r.Newcomers[i].Refused {
		return Computer{}, ErrRefused
	}
	return Computer{}, ErrWaits
}

func (r *Roll) newcomer(key string) int {
	return slices.IndexFunc(r.Newcomers, func(n Newcomer) bool { return n.Key == key })
}

// Ask notes a newcomer, once, and reports whether it is new.
func (r *Roll) Ask(n Newcomer) (asked bool, err error) {
	if r.newcomer(n.Key) >= 0 {
		return false, nil
	}
	if len(r.Newcomers) >= MaxNewcomers {
		return false, ErrMany
	}
	r.Newcomers = append(r.Newcomers, n)
	return true, nil
}

// Waiting are the newcomers without an answer whose invitation is open.
func (r *Roll) Waiting(now time.Time) (list []Newcomer) {
	for _, n := range r.Newcomers {
		open := slices.ContainsFunc(r.Invitations, func(i Invitation) bool { return i.Key == n.Invitation && i.Expires.After(now) })
		if open && !n.Refused {
			list = append(list, n)
		}
	}
	return list
}

// Waits reports whether the computer with a key is among Waiting.
func (r *Roll) Waits(key string, now time.Time) bool {
	return slices.ContainsFunc(r.Waiting(now), func(n Newcomer) bool { return n.Key == key })
}

// Clean removes newcomers whose invitation has expired.
func (r *Roll) Clean(now time.Time) {
	r.Newcomers = slices.DeleteFunc(r.Newcomers, func(n Newcomer) bool {
		return !slices.ContainsFunc(r.Invitations, func(i Invitation) bool { return i.Key == n.Invitation && i.Expires.After(now) })
	})
}

// Errors of answering a newcomer.
var (
	ErrNoNewcomer = errors.New("no computer with that code waits to be accepted")
	ErrNameTaken  = errors.New("there is a computer of that name in the hall; give another name, or revoke that one first")
)

// Accept admits the newcomer with a code under a name; "" is its own.
func (r *Roll) Accept(code, name string, now time.Time) (Computer, error) {
	i := r.indexOfCode(code, now)
	if i < 0 {
		return Computer{}, ErrNoNewcomer
	}
	if name == "" {
		name = r.Newcomers[i].Host
	}
	if err := wire.CheckName(name); err != nil {
		return Computer{}, err
	}
	if c, taken := r.Computer(name); taken && !c.New { // one that never came is replaced: it asks again, if it is there at all
		return Computer{}, ErrNameTaken
	}
	if len(r.Computers) >= MaxComputers {
		return Computer{}, fmt.Errorf("there are %d computers already; revoke some", MaxComputers)
	}
	c := Computer{Name: name, Key: r.Newcomers[i].Key, Joined: now.UTC().Truncate(time.Second), New: true}
	r.admit(c)
	return c, nil
}

// Refuse rejects the newcomer with a code.
func (r *Roll) Refuse(code string, now time.Time) error {
	i := r.indexOfCode(code, now)
	if i < 0 {
		return ErrNoNewcomer
	}
	r.Newcomers[i].Refused = true
	return nil
}

// indexOfCode is the index of the newcomer with a code; -1: none waits, or the code fits several.
func (r *Roll) indexOfCode(code string, now time.Time) int {
	signs := func(code string) string { return strings.ReplaceAll(strings.ToUpper(strings.TrimSpace(code)), "-", "") }
	code, found := signs(code), -1
	for _, n := range r.Waiting(now) {
		if signs(wire.CodeOf(n.Key)) != code {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = r.newcomer(n.Key)
	}
	return found
}

// FreeName is a free name for a newcomer: its host name, with a number if that is in use; "" if the host name cannot be
// a name.
func (r *Roll) FreeName(host string) string {
	if wire.CheckName(host) != nil {
		return ""
	}
	name := host
	for n := 2; ; n++ {
		if _, taken := r.Computer(name); !taken {
			return name
		}
		if name = fmt.Sprintf("%s-%d", host, n); wire.CheckName(name) != nil {
			return ""
		}
	}
}
