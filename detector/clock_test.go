package detector

import "testing"

// TestAClockThatIsNotThere: the board's first word that no clock is connected is reported, and once only.
func TestAClockThatIsNotThere(t *testing.T) {
	tr := New(DefaultParams())
	told := func(seq Seq, r ClockReading) (n int) {
		tr.Clock(Stamp{Seq: seq, At: int64(seq) * 1_000_000}, r)
		for _, o := range tr.Take() {
			if note, ok := o.(Note); ok && note.What == "clock_missing" {
				n++
			}
		}
		return n
	}
	for i, c := range []struct {
		r    ClockReading
		want int
	}{
		{ClockReading{Missing: true}, 1}, {ClockReading{Missing: true}, 0},
		{ClockReading{Left: 300, Right: 300}, 0}, {ClockReading{Missing: true}, 1},
	} {
		if got := told(Seq(i+1), c.r); got != c.want {
			t.Errorf("reading %d: reported %d times, want %d", i+1, got, c.want)
		}
	}
}
