package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// scalar checks one written value against its row of the table. Its error
// completes the sentence `key: "value" …`.
func (k *key) scalar(s string) (value, error) {
	switch k.kind {
	case text:
		return k.text(s)
	case choice:
		return k.word(s)
	case duration:
		return k.duration(s)
	case size:
		return k.size(s)
	case boolean:
		return k.boolean(s)
	case integer:
		return k.integer(s)
	case decimal:
		return k.decimal(s)
	}
	return value{}, errors.New("cannot have a value")
}

func (k *key) text(s string) (value, error) {
	// A control character in the event's name would end up in file names,
	// in PGN tags and on a terminal.
	for _, r := range s {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return value{}, fmt.Errorf("contains the character %U; only printable text is allowed", r)
		}
	}
	if n := utf8.RuneCountInString(s); int64(n) > k.max {
		return value{}, fmt.Errorf("has %d characters; at most %d are allowed", n, k.max)
	}
	if k.check != nil && (s != "" || k.def != "") { // nothing stands for the default: it is no value
		if err := k.check(s); err != nil {
			return value{}, err
		}
	}
	return value{text: s}, nil
}

func (k *key) word(s string) (value, error) {
	for i, c := range k.choices {
		if s == c {
			return value{text: c, index: uint8(i + 1)}, nil
		}
	}
	return value{}, fmt.Errorf("is not one of: %s%s", strings.Join(k.choices, ", "), didYouMean(s, k.choices))
}

func (k *key) boolean(s string) (value, error) {
	switch s {
	case "true", "false":
		return value{yes: s == "true"}, nil
	}
	return value{}, errors.New("is neither true nor false; write one of these words")
}

func (k *key) integer(s string) (value, error) {
	digits, negative := strings.CutPrefix(s, "-")
	if n, err := number(digits, 0, int(k.max), "number"); err == nil {
		if negative {
			n = -n
		}
		if (k.min > 0 || k.def != "") && int64(n) < k.min { // the range of a profile's keys is checked elsewhere
			return value{}, fmt.Errorf("is out of range (from %d to %d)", k.min, k.max)
		}
		return value{number: int64(n)}, nil
	}
	return value{}, fmt.Errorf("is not a whole number up to %d; write digits only, without a unit", k.max)
}

func (k *key) duration(s string) (value, error) {
	d, err := time.ParseDuration(s)
	switch _, numErr := strconv.ParseFloat(s, 64); {
	case err != nil && numErr == nil, s == "0", s == "+0", s == "-0":
		return value{}, fmt.Errorf("needs a unit: write %sms, %ss or %sm (%s)", s, s, s, k.bounds())
	case err != nil:
		return value{}, fmt.Errorf("is not a duration like 250ms, 1.5s or 2m (%s)", k.bounds())
	case int64(d) < k.min || int64(d) > k.max:
		return value{}, fmt.Errorf("is out of range (%s)", k.bounds())
	case d%time.Microsecond != 0:
		// The journal's time line counts microseconds.
		return value{}, errors.New("is finer than a microsecond")
	}
	return value{number: int64(d)}, nil
}

var sizeUnits = []struct {
	name  string
	shift uint
}{{"KiB", 10}, {"MiB", 20}, {"GiB", 30}}

func (k *key) size(s string) (value, error) {
	for _, u := range sizeUnits {
		digits, ok := strings.CutSuffix(s, u.name)
		if !ok {
			continue
		}
		n, err := number(strings.TrimSpace(digits), 0, 1<<20, "size")
		if err != nil {
			break
		}
		b := int64(n) << u.shift
		if b < k.min || b > k.max {
			return value{}, fmt.Errorf("is out of range (%s)", k.bounds())
		}
		return value{number: b}, nil
	}
	return value{}, fmt.Errorf("is not a size: write a whole number and KiB, MiB or GiB, like %s (%s)", k.def, k.bounds())
}

// bounds returns the range and the default in words, for messages.
func (k *key) bounds() string {
	if k.kind == size {
		return fmt.Sprintf("from %s to %s, default %s", sizeString(k.min), sizeString(k.max), k.def)
	}
	if k.kind == decimal {
		return fmt.Sprintf("from %s to %s, default %s", decimalString(k.min), decimalString(k.max), k.def)
	}
	return fmt.Sprintf("from %s to %s, default %s", durationString(k.min), durationString(k.max), k.def)
}

// durationString returns 1m instead of time.Duration's 1m0s, and 1h instead of 1h0m0s.
func durationString(n int64) string {
	s := time.Duration(n).String()
	if m, ok := strings.CutSuffix(s, "m0s"); ok {
		s = m + "m"
	}
	if h, ok := strings.CutSuffix(s, "h0m"); ok {
		s = h + "h"
	}
	return s
}

func sizeString(n int64) string {
	for i := len(sizeUnits) - 1; i >= 0; i-- {
		if u := sizeUnits[i]; n>>u.shift<<u.shift == n && n != 0 {
			return strconv.FormatInt(n>>u.shift, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10) + sizeUnits[0].name // zero: all other values are whole units
}

func checkDirectory(s string) error {
	if strings.HasPrefix(s, "~") || strings.HasPrefix(s, "$") {
		return errors.New("is not expanded: write the whole path, like /var/lib/boardwatchd")
	}
	if !filepath.IsAbs(s) {
		return errors.New("is relative: write the whole path, like /var/lib/boardwatchd")
	}
	return nil
}

func checkPort(s string) error {
	if s == Auto || (filepath.IsAbs(s) && filepath.Clean(s) != "/") {
		return nil
	}
	return errors.New("is neither auto nor a path: write it from the root, like /dev/serial/by-id/usb-DGT_DGT_Chessboard-if00 or /dev/ttyUSB0")
}

// checkName accepts file names that are valid on every system, because journals are copied to other machines.
func checkName(s string) error {
	for i, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case i > 0 && (c == '-' || c == '_' || c == '.'):
		default:
			return errors.New("is not a name: letters, digits, and after the first character . _ - (it names the journal's file)")
		}
	}
	return nil
}

// checkSerial accepts possible answers of a board: five or ten printable characters, digits in all known boards (DGT
// protocol notes, section 5).
func checkSerial(s string) error {
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' {
			return errors.New("is not a serial number: printable characters without blanks, as boardwatchd ports shows them")
		}
	}
	return nil
}
