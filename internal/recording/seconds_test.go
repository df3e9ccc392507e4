package recording

import (
	"encoding/json"
	"math/big"
	"strings"
)

// exactly is parseSeconds with rational numbers of any size, and with the
// standard library's opinion on what a JSON number is.
func exactly(text string) (ns int64, ok bool) {
	var number json.Number
	if strings.TrimSpace(text) != text || strings.HasPrefix(text, `"`) || text == "null" || json.Unmarshal([]byte(text), &number) != nil {
		return 0, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(text)-i > 6 {
		return exactlyFar(text)
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, false
	}
	r.Mul(r, big.NewRat(1e9, 1))
	q := new(big.Int).Quo(r.Num(), r.Denom()) // cut towards zero
	return q.Int64(), q.IsInt64() && q.Int64() != -1<<63
}

// exactlyFar answers for exponents that big.Rat would work on for ever: the
// number is zero, far too great, or far too small.
func exactlyFar(text string) (int64, bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	zero := strings.Trim(mantissa, "-0.") == ""
	if strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0") == "" { // e000000
		return exactly(mantissa)
	}
	if len(strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0")) <= 4 {
		sign := ""
		if strings.HasPrefix(exponent, "-") {
			sign = "-"
		}
		return exactly(mantissa + "e" + sign + strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0"))
	}
	return 0, zero || strings.HasPrefix(exponent, "-")
}
