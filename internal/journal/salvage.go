package journal

// scraps finds whole records inside a bad line: if a newline was damaged, two good lines are joined, and if a page was
// never written, a good line may begin after NUL bytes.
//
// The pieces tried do not overlap, so the work is linear in the length of the line for any content.
type scraps struct {
	line    line
	problem string // the reason why the line is bad
	end     int    // of the last piece
}

// next finds the next piece that looks like a record from its end.
func (s *scraps) next() (from, to int, ok bool) {
	text := s.line.text
	from = s.end
	if from > 0 {
		from++ // the damaged newline
	}
	for i := from + tailAhead; i+crcDigits < len(text); i++ {
		if text[i] != ' ' || !looksLikeTail(text, i) {
			continue
		}
		s.end = i + 1 + crcDigits
		for j := s.end - 1; j >= from; j-- {
			if b := text[j]; b < 0x20 || b == 0x7f { // never inside a line
				from = j + 1
				break
			}
		}
		return from, s.end, true
	}
	return 0, 0, false
}

const (
	crcDigits   = 8
	chainDigits = 32
	tailAhead   = 1 + chainDigits // from the space before the chain to the one after it
)

// looksLikeTail reports whether the space at text[i] is between a chain and a checksum.
func looksLikeTail(text []byte, i int) bool {
	return text[i-tailAhead] == ' ' && allHex(text[i-chainDigits:i]) && allHex(text[i+1:i+1+crcDigits])
}

func allHex(b []byte) bool {
	for _, c := range b {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
