package hub

import (
	"testing"
	"time"

	"boardwatchd/internal/hall/members"
)

// A key that leaves the list, or gets another name, is cut off; the others, newcomers and the hall itself stay.
func TestTheDoorEndsConnectionsOfOthers(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	d := &door{hub: "hall"}
	roll := func(expires time.Time, computers ...members.Computer) *members.Roll {
		return &members.Roll{Computers: computers, Invitations: []members.Invitation{{Key: "invited", Expires: expires}}}
	}
	over := d.let(roll(now.Add(time.Hour), members.Computer{Name: "a", Key: "1"}, members.Computer{Name: "b", Key: "2"}), now)
	for _, key := range []string{"hall", "1", "2", "invited"} {
		if over(key) {
			t.Errorf("%s is cut off at the start", key)
		}
	}
	over = d.let(roll(now, members.Computer{Name: "c", Key: "2"}, members.Computer{Name: "d", Key: "3"}), now)
	// A connection that has not said its key yet is checked by the new list when it does.
	for key, want := range map[string]bool{"hall": false, "1": true, "2": true, "3": false, "invited": true, "stranger": true, "": false} {
		if over(key) != want {
			t.Errorf("%q is cut off: %v", key, !want)
		}
	}
}
