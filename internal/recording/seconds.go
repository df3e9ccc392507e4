package recording

// nanoseconds is a time on a capture's own clock: 292 years either way, enough for seconds since 1970 as well as
// seconds since the start of a computer.
type nanoseconds int64

// microsecondsSince rounds down, so that order is kept.
func (t nanoseconds) microsecondsSince(origin nanoseconds) int64 {
	// Both are within ±292 years and the result is in microseconds: the difference of the parts avoids an overflow.
	us := int64(t/1000) - int64(origin/1000)
	if rest := int64(t%1000) - int64(origin%1000); rest < 0 {
		us += (rest - 999) / 1000
	} else {
		us += rest / 1000
	}
	return us
}

const (
	decimals = 9
	maxUnits = 1<<63 - 1
)

// parseSeconds parses a JSON number of seconds without floating point: 0.1 is exactly 100,000 µs. Digits beyond
// nanoseconds are cut off.
func parseSeconds(text []byte) (nanoseconds, string) {
	const notANumber = "a number of seconds is expected"
	s := digitScanner{text: text}
	negative := s.take('-')
	whole := s.digits()
	if len(whole) == 0 || len(whole) > 1 && whole[0] == '0' {
		return 0, notANumber
	}
	var fraction []byte
	if s.take('.') {
		if fraction = s.digits(); len(fraction) == 0 {
			return 0, notANumber
		}
	}
	exponent := 0
	if s.take('e') || s.take('E') {
		down := s.take('-')
		if !down {
			s.take('+')
		}
		e := s.digits()
		if len(e) == 0 {
			return 0, notANumber
		}
		for _, c := range e {
			exponent = min(10*exponent+int(c-'0'), 10_000)
		}
		if down {
			exponent = -exponent
		}
	}
	if s.pos != len(text) {
		return 0, notANumber
	}
	n, ok := scale(whole, fraction, exponent+decimals)
	if !ok {
		return 0, "too great for seconds; is it in milliseconds or nanoseconds?"
	}
	if negative {
		n = -n
	}
	return nanoseconds(n), ""
}

// scale returns the number whole.fraction times ten to the power, cut to an integer.
func scale(whole, fraction []byte, power int) (n int64, ok bool) {
	point := len(whole) + power // digits before the new point
	for i := 0; i < point; i++ {
		var d int64
		switch {
		case i < len(whole):
			d = int64(whole[i] - '0')
		case i-len(whole) < len(fraction):
			d = int64(fraction[i-len(whole)] - '0')
		case n == 0:
			return 0, true // zero stays zero, however great the power
		}
		if n > (maxUnits-d)/10 {
			return 0, false
		}
		n = 10*n + d
	}
	return n, true
}

type digitScanner struct {
	text []byte
	pos  int
}

func (s *digitScanner) take(c byte) bool {
	if s.pos < len(s.text) && s.text[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *digitScanner) digits() []byte {
	start := s.pos
	for s.pos < len(s.text) && '0' <= s.text[s.pos] && s.text[s.pos] <= '9' {
		s.pos++
	}
	return s.text[start:s.pos]
}
