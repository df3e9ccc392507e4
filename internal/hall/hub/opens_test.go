package hub

import (
	"testing"
	"time"
)

func TestABoardThatIsOpenedAnewIsNotMissed(t *testing.T) {
	now := time.Now()
	c := &computer{watches: []string{"1", "2", "3"}, last: map[string]lastBeat{
		"1": {at: now.Add(-4 * time.Second)}, "2": {at: now.Add(-opensWithin)}, "4": {at: now},
	}}
	for board, want := range map[string]bool{"1": true, "2": false, "3": false, "4": false} {
		if got := c.opensAgain(board, now); got != want {
			t.Errorf("board %s is being opened: %v: its computer has 1, 2 and 3, and watched 1 4 s ago, 2 %v ago", board, got, opensWithin)
		}
	}
}
