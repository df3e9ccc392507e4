package recording

// appendHexText appends the bytes of a text of pairs of hexadecimal digits, upper or lower case, with or without blanks
// between pairs. bad is the index of the first invalid character, or -1.
func appendHexText(dst, text []byte) (_ []byte, bad int) {
	for i := 0; i < len(text); {
		if c := text[i]; c == ' ' || c == '\t' {
			i++
			continue
		}
		hi := nibble(text[i])
		if hi < 0 {
			return dst, i
		}
		if i+1 == len(text) {
			return dst, i + 1
		}
		lo := nibble(text[i+1])
		if lo < 0 {
			return dst, i + 1
		}
		dst = append(dst, byte(hi<<4|lo))
		i += 2
	}
	return dst, -1
}

func nibble(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c - 'a' + 10)
	case 'A' <= c && c <= 'F':
		return int(c - 'A' + 10)
	}
	return -1
}
