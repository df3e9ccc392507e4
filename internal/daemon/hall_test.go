package daemon

import (
	"testing"

	"boardwatchd/internal/web"
)

// A decision that the board has refused for good does not wait: the board never gets it.
func TestARefusedDecisionDoesNotWait(t *testing.T) {
	const waits = "Decisions that wait for board 12: 1. They are on this computer's disk, and the board gets them when it can be reached."
	const never = "Decisions that board 12 has not taken, and never will: 1. The last reason: the board writes 12-r2 now."
	one, no := web.Waiting{Request: "1"}, web.Waiting{Request: "2", Failed: "the board writes 12-r2 now"}
	for name, c := range map[string]struct {
		list             []web.Waiting
		waiting, refused string
	}{
		"nothing": {nil, "", ""}, "one waits": {[]web.Waiting{one}, waits, ""},
		"one was refused": {[]web.Waiting{no}, "", never}, "both": {[]web.Waiting{no, one}, waits, never},
	} {
		if waiting, refused := waitTexts("12", c.list); waiting != c.waiting || refused != c.refused {
			t.Errorf("%s: %q, %q", name, waiting, refused)
		}
	}
}
