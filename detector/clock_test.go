package detector

import (
	"boardwatchd/detector/evidence"
	"testing"
)

// TestAClockThatIsNotThere: the board's first word that no clock is connected is reported, and once only.
func TestAClockThatIsNotThere(t *testing.T) {
	tr := New(DefaultParams())
	told := func(seq evidence.Seq, r evidence.ClockReading) (n int) {
		tr.Clock(evidence.Stamp{Seq: seq, At: int64(seq) * 1_000_000}, r)
		for _, o := range tr.Take() {
			if note, ok := o.(Note); ok && note.What == "clock_missing" {
				n++
			}
		}
		return n
	}
	for i, c := range []struct {
		r    evidence.ClockReading
		want int
	}{
		{evidence.ClockReading{Missing: true}, 1}, {evidence.ClockReading{Missing: true}, 0},
		{evidence.ClockReading{Left: 300, Right: 300}, 0}, {evidence.ClockReading{Missing: true}, 1},
	} {
		if got := told(evidence.Seq(i+1), c.r); got != c.want {
			t.Errorf("reading %d: reported %d times, want %d", i+1, got, c.want)
		}
	}
}
