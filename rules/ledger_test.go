package rules

import "testing"

func TestLedger(t *testing.T) {
	var l ledger
	confirmed := [3]int{0, 1, 0}
	is := func(claim string, white, black int) {
		t.Helper()
		if got := l.strikes(confirmed); got != [3]int{0, white, black} {
			t.Errorf("%s: %v, want %d and %d", claim, got, white, black)
		}
	}
	is("a confirmed strike counts", 1, 0)
	l.write(2, 1, confirmed)
	is("what is written in holds", 2, 1)
	confirmed[1] = 2
	is("and a decision after it adds to it", 3, 1)
	confirmed[1] = 0
	is("as taking both back does the other way", 1, 1)
	l.write(0, -3, confirmed)
	confirmed[1] = -1
	is("there are never fewer than none", 0, 0)

	if changed := l.agree([3]int{0, 2, 0}, confirmed); !changed || l.agree([3]int{0, 2, 0}, confirmed) {
		t.Error("it agrees with what it has to be, and then nothing changes")
	}
	is("what it has to be", 2, 0)

	confirmed = [3]int{}
	l.write(1, 1, confirmed)
	l.begin()
	is("what was written in before the first move belongs to the game that begins", 1, 1)
	l.moved()
	is("a move changes nothing", 1, 1)
	l.begin()
	is("and the next game begins without it", 0, 0)
}
