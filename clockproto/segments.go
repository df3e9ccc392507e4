package clockproto

// Bits of a seven-segment character (section 6.3).
const (
	segTop = 1 << iota
	segUpperRight
	segLowerRight
	segBottom
	segLowerLeft
	segUpperLeft
	segMiddle
)

// segments holds the pattern of each ASCII character that can be shown. Digits
// agree in all sources; of the letters this is one choice. A lower case letter
// stands for both cases, except where the upper case looks different.
var segments = [128]byte{
	'0': segTop | segUpperRight | segLowerRight | segBottom | segLowerLeft | segUpperLeft,
	'1': segUpperRight | segLowerRight,
	'2': 0x5B, '3': 0x4F, '4': 0x66, '5': 0x6D, '6': 0x7D, '7': 0x07, '8': 0x7F, '9': 0x6F,
	'a': 0x5F, 'b': 0x7C, 'c': 0x58, 'd': 0x5E, 'e': 0x7B, 'f': 0x71, 'g': 0x3D, 'h': 0x74, 'i': 0x10,
	'j': 0x1E, 'k': 0x75, 'l': 0x38, 'm': 0x55, 'n': 0x54, 'o': 0x5C, 'p': 0x73, 'q': 0x67, 'r': 0x50,
	's': 0x6D, 't': 0x78, 'u': 0x3E, 'v': 0x2A, 'w': 0x7E, 'x': 0x64, 'y': 0x6E, 'z': 0x5B,
	'A': 0x77, 'C': 0x39, 'E': 0x79, 'H': 0x76,
	'-': segMiddle, '_': segBottom, '=': segMiddle | segBottom,
	'/': 0x52, '\\': 0x64, '?': 0x53, '|': 0x36,
}

// Segment returns the pattern of a character, and false where there is none.
func Segment(r rune) (byte, bool) {
	if r == ' ' {
		return 0, true
	}
	if r < 0 || int(r) >= len(segments) {
		return 0, false
	}
	s := segments[r]
	if s == 0 && r >= 'A' && r <= 'Z' {
		s = segments[r-'A'+'a']
	}
	return s, s != 0
}

// The display of an XL has three characters on each side.
const half = 3

// Six returns the six characters of an XL for a text at the left and one at
// the right. Each is cut after three characters and filled with blanks;
// characters without a pattern are shown as a question mark.
func Six(left, right string) [2 * half]byte {
	var s [2 * half]byte
	fill(s[:half], left)
	fill(s[half:], right)
	return s
}

func fill(dst []byte, text string) {
	i := 0
	for _, r := range text {
		if i == len(dst) {
			return
		}
		p, ok := Segment(r)
		if !ok {
			p = segments['?']
		}
		dst[i] = p
		i++
	}
}

// Padded fills dst with text, cut at its length and filled with spaces, for the
// commands that carry ASCII. Other characters become question marks.
func Padded(dst []byte, text string) {
	i := 0
	for _, r := range text {
		if i == len(dst) {
			return
		}
		if r < ' ' || r > '~' {
			r = '?'
		}
		dst[i] = byte(r)
		i++
	}
	for ; i < len(dst); i++ {
		dst[i] = ' '
	}
}
