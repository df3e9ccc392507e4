package said

import (
	"errors"
	"strconv"
	"strings"
)

// Seconds is a time in microseconds that is written as a decimal number of seconds.
type Seconds int64

// MarshalJSON writes at most six decimals and no trailing zeros.
func (s Seconds) MarshalJSON() ([]byte, error) { return s.AppendTo(nil), nil }

// AppendTo appends the decimal text.
func (s Seconds) AppendTo(b []byte) []byte {
	if s < 0 {
		b, s = append(b, '-'), -s
	}
	b = strconv.AppendInt(b, int64(s)/1_000_000, 10)
	frac := int64(s) % 1_000_000
	if frac == 0 {
		return b
	}
	b = append(b, '.')
	for unit := int64(100_000); frac > 0; unit /= 10 {
		b = append(b, byte('0'+frac/unit))
		frac %= unit
	}
	return b
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Seconds) UnmarshalJSON(b []byte) error {
	whole, frac, _ := strings.Cut(string(b), ".")
	if len(frac) > 6 {
		return errors.New("more than six decimals")
	}
	n, err := strconv.ParseInt(whole+frac+"000000"[len(frac):], 10, 64)
	*s = Seconds(n)
	return err
}

// Permille is written as a decimal number from 0 to 1.
type Permille int

// MarshalJSON writes three decimals at most.
func (p Permille) MarshalJSON() ([]byte, error) { return Seconds(p * 1000).AppendTo(nil), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Permille) UnmarshalJSON(b []byte) error {
	var s Seconds
	err := s.UnmarshalJSON(b)
	*p = Permille(s / 1000)
	return err
}

// Nats are thousandths of the unit of evidence, written with three decimals.
type Nats int32

// MarshalJSON writes three decimals at most.
func (n Nats) MarshalJSON() ([]byte, error) { return Seconds(int64(n) * 1000).AppendTo(nil), nil }

// PPM is written as a decimal number from 0 to 1.
type PPM int32

// MarshalJSON writes six decimals at most.
func (p PPM) MarshalJSON() ([]byte, error) { return Seconds(p).AppendTo(nil), nil }
