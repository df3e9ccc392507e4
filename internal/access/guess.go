package access

import (
	"fmt"
	"maps"
	"math"
	"time"
)

// An Origin is where a typed code comes from, as the caller tells its clients apart: an address. Wrong codes of one origin
// are counted together.
type Origin string

// ThisComputer is the origin of what is typed at the computer itself. The ceiling over all origins is not for it.
const ThisComputer Origin = ""

// The limits on wrong typed codes. What they leave to somebody who guesses is in doc.go, Guessing.
var (
	perOrigin = rate{burst: 5, each: time.Minute}
	overAll   = rate{burst: 60, each: time.Second}
)

// guessesPerCode is after how many wrong typed codes, of whomever, a code can only be scanned any more. The ceiling lets
// 660 through in the ten minutes of CodeLife.
const guessesPerCode = 5000

// TooMany says that wrong codes came too fast from this origin, or from all together, and when the next one is looked at.
type TooMany struct{ Retry time.Duration }

func (e *TooMany) Error() string {
	return fmt.Sprintf("access: too many wrong pairing codes: type it again in %d s; scanning the QR code works now", e.Seconds())
}

// Seconds is Retry in whole seconds, rounded up, as HTTP's Retry-After takes it.
func (e *TooMany) Seconds() int { return int(math.Ceil(e.Retry.Seconds())) }

// A rate allows burst guesses at once, and then one each time.
type rate struct {
	burst int
	each  time.Duration
}

// whole is how long it takes from the last of burst guesses until burst are allowed again.
func (r rate) whole() time.Duration { return time.Duration(r.burst) * r.each }

// debt is how long it takes until burst guesses are allowed again. More than whole cannot be: the clock was put back.
func (r rate) debt(until, now time.Time) time.Duration {
	if d := until.Sub(now); d > 0 && d <= r.whole() {
		return d
	}
	return 0
}

// wait is how long it takes until one guess is allowed.
func (r rate) wait(until, now time.Time) time.Duration {
	return max(0, r.debt(until, now)-r.whole()+r.each)
}

// spend counts a guess, and says when burst guesses are allowed again.
func (r rate) spend(until, now time.Time) time.Time { return now.Add(r.debt(until, now) + r.each) }

// guesses are the wrong typed codes of late. The zero value has seen none.
type guesses struct {
	origins map[Origin]time.Time // until when each is in debt; overAll bounds how many there are
	all     time.Time
	wrong   int64 // looked at, since the start
}

// wait is how long no typed code of an origin is looked at.
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
