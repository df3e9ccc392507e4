package journal

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"boardwatchd/internal/record"
)

// A Head identifies a record by its link of the chain, and with it all records before it. Rewriting a journal, or
// cutting off its end, does not change the heads that were noted elsewhere: on a phone, on paper.
type Head struct {
	Journal string       `json:"journal"` // its name; "": not known
	Seq     record.Seq   `json:"seq"`     // 0: not known
	Chain   record.Chain `json:"chain"`
}

// String returns the form in which people note a head: SEQ:CHAIN.
func (h Head) String() string {
	if h.Seq == 0 {
		return h.Chain.String()
	}
	return strconv.FormatInt(int64(h.Seq), 10) + ":" + h.Chain.String()
}

var errNoHead = errors.New("not a head: SEQ:CHAIN is expected, a record's number and the 32 hexadecimal digits of its link of the chain")

// ParseHead reads a head as a person has noted it: SEQ:CHAIN, or the chain alone, with spaces between groups of digits,
// in either case; the journal's name may follow after a space, and a comment after #.
func ParseHead(text string) (Head, error) {
	var h Head
	text, _, _ = strings.Cut(text, "#")
	if number, rest, ok := strings.Cut(text, ":"); ok {
		n, err := strconv.ParseInt(withoutSpaces(number), 10, 64)
		if err != nil || n < 1 || withoutSpaces(number)[0] == '+' {
			return Head{}, fmt.Errorf("%w; %.40q is no record's number", errNoHead, number)
		}
		h.Seq, text = record.Seq(n), rest
	}
	digits, rest := hexDigits(text)
	if len(digits) != 2*len(h.Chain) || rest != "" && !unicode.IsSpace(rune(rest[0])) {
		return Head{}, fmt.Errorf("%w; %.60q is no such link", errNoHead, strings.TrimSpace(text))
	}
	if _, err := hex.Decode(h.Chain[:], digits); err != nil {
		return Head{}, errNoHead
	}
	if h.Journal = strings.TrimSpace(rest); h.Journal != "" {
		if err := CheckName(h.Journal); err != nil {
			return Head{}, fmt.Errorf("%w; after it: %w", errNoHead, err)
		}
	}
	return h, nil
}

// hexDigits reads the hexadecimal digits of a chain and the spaces between them, and returns the rest.
func hexDigits(text string) (digits []byte, rest string) {
	for i, r := range text {
		switch {
		case len(digits) == 2*len(record.Chain{}):
			return digits, text[i:]
		case unicode.IsSpace(r):
		case r < unicode.MaxASCII && strings.ContainsRune("0123456789abcdefABCDEF", r):
			digits = append(digits, byte(r))
		default:
			return digits, text[i:]
		}
	}
	return digits, ""
}

func withoutSpaces(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

// Head returns the newest record that is on the disk. Its number is 0 if there is none.
func (w *Writer) Head() Head {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stream.durable.seq == 0 {
		return Head{}
	}
	return Head{Journal: w.name, Seq: w.stream.durable.seq, Chain: w.stream.durable.chain}
}
