package access

import (
	"fmt"
	"maps"
	"math"
	"time"
)

// An Origin is the source of a typed code, by which the caller distinguishes clients: an address. Wrong codes of one
// origin are counted together.
type Origin string

// ThisComputer is the origin of codes typed at the computer itself. The limit over all origins does not apply to it.
const ThisComputer Origin = ""

// The limits on wrong typed codes. Their effect on an attacker is in doc.go, Guessing.
var (
	perOrigin = rate{burst: 5, each: time.Minute}
	overAll   = rate{burst: 60, each: time.Second}
)

// guessesPerCode is the number of wrong typed codes, from any origin, after which a code can only be scanned. The limit
// over all origins allows 660 in the ten minutes of CodeLife.
const guessesPerCode = 5000

// TooMany means that wrong codes came too fast from this origin, or from all together, and has the time until the next
// one is checked.
type TooMany struct{ Retry time.Duration }

func (e *TooMany) Error() string {
	return fmt.Sprintf("access: too many wrong pairing codes: type it again in %d s; scanning the QR code works now", e.Seconds())
}

// Seconds returns Retry in whole seconds, rounded up, as in HTTP's Retry-After.
func (e *TooMany) Seconds() int { return int(math.Ceil(e.Retry.Seconds())) }

// A rate allows burst guesses at once, and then one in each interval.
type rate struct {
	burst int
	each  time.Duration
}

// whole returns the time from the last of burst guesses until burst are allowed again.
func (r rate) whole() time.Duration { return time.Duration(r.burst) * r.each }

// debt returns the time until burst guesses are allowed again. It cannot exceed whole unless the clock was set back.
func (r rate) debt(until, now time.Time) time.Duration {
	if d := until.Sub(now); d > 0 && d <= r.whole() {
		return d
	}
	return 0
}

// wait returns the time until one guess is allowed.
func (r rate) wait(until, now time.Time) time.Duration {
	return max(0, r.debt(until, now)-r.whole()+r.each)
}

// spend counts a guess, and returns the time when burst guesses are allowed again.
func (r rate) spend(until, now time.Time) time.Time { return now.Add(r.debt(until, now) + r.each) }

// guesses holds the recent wrong typed codes. The zero value has none.
type guesses struct {
	origins map[Origin]time.Time // until when each is in debt; overAll bounds their number
	all     time.Time
	wrong   int64 // checked since the start
}

// wait returns the time for which no typed code of an origin is checked.
func (g *guesses) wait(from Origin, now time.Time) time.Duration {
	w := perOrigin.wait(g.origins[from], now)
	if from != ThisComputer {
		w = max(w, overAll.wait(g.all, now))
	}
	return w
}

// count notes a wrong one.
func (g *guesses) count(from Origin, now time.Time) {
	maps.DeleteFunc(g.origins, func(_ Origin, until time.Time) bool { return perOrigin.debt(until, now) == 0 })
	if g.origins == nil {
		g.origins = make(map[Origin]time.Time)
	}
	g.origins[from] = perOrigin.spend(g.origins[from], now)
	if from != ThisComputer {
		g.all = overAll.spend(g.all, now)
	}
	g.wrong++
}
