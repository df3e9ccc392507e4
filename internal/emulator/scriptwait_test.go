package emulator

import (
	"testing"

	"boardwatchd/dgt"
	"boardwatchd/rules/legal"
)

func TestAScriptThatWaitsBeginsWithItsHost(t *testing.T) {
	acts := []Act{{At: second, Verb: Sense, Square: legal.E2}}
	b := newBench(t, Options{WaitForHost: true, Script: acts})
	b.wait(10 * second)
	if b.e.Done() || b.e.Placement()[legal.E2] == legal.NoPiece {
		t.Fatal("it has begun without a host")
	}
	b.tell(dgt.SetUpdateNice)
	if b.wait(second / 2); b.e.Placement()[legal.E2] == legal.NoPiece {
		t.Error("its first second did not pass")
	}
	if frames := b.wait(second); count(frames, dgt.MsgField) != 1 || !b.e.Done() {
		t.Errorf("%d updates, done %v", count(frames, dgt.MsgField), b.e.Done())
	}
}
