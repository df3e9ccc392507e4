package link

import (
	"math/rand/v2"
	"time"
)

// backoff is the pause between failing attempts: 0.1 s, doubling to 2 s, a quarter of it at random, so that the boards
// of a hub that lost its power do not all reconnect at once (reliability notes, F11).
type backoff struct {
	random *rand.Rand
	failed int
}

const (
	firstPause = 100 * time.Millisecond
	lastPause  = 2 * time.Second
	// steady is the least duration of a link that does not count as a loose contact.
	steady = 2 * time.Second
)

func newBackoff(seed uint64) backoff {
	return backoff{random: rand.New(rand.NewPCG(seed, 0))}
}

func (b *backoff) next() time.Duration {
	full := lastPause
	if b.failed < 5 { // 0.1 s << 5 exceeds the longest pause
		full = min(firstPause<<b.failed, lastPause)
	}
	b.failed++
	return full - time.Duration(b.random.Int64N(int64(full/4)))
}

func (b *backoff) reset() { b.failed = 0 }

// lasted reports whether a link of that duration in microseconds was stable: the next attempt is then made at once.
func (b *backoff) lasted(us int64) bool {
	if us < steady.Microseconds() {
		return false
	}
	b.reset()
	return true
}
