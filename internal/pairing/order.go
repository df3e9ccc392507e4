package pairing

import (
	"cmp"
	"strconv"
	"strings"
)

// Natural orders names with numbers by their value: 2 before 10.
func Natural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			n, _ := strconv.ParseUint(a[:x], 10, 64) // a number that is too large becomes the greatest
			o, _ := strconv.ParseUint(b[:y], 10, 64)
			if n != o {
				return cmp.Compare(n, o)
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
