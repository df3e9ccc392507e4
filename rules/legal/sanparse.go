package legal

import (
	"fmt"
	"strings"
)

// SANError is a move text that names no legal move, or more than one.
type SANError struct {
	Text    string
	Matches int // 0, or how many legal moves fit
}

func (e *SANError) Error() string {
	if e.Matches > 1 {
		return fmt.Sprintf("read move %q: %d legal moves fit, add the file or rank it comes from", e.Text, e.Matches)
	}
	return fmt.Sprintf("read move %q: no legal move has this notation", e.Text)
}

// sanParts holds the parts of a move text; -1 and zero values mean that a part is missing.
type sanParts struct {
	kind               Kind
	fromFile, fromRank int
	to                 Square
	promotion          Kind
	castling           byte // 0, 'K' or 'Q'
}

// ParseSAN reads standard notation and its usual variants: 0-0, e8Q or e8(Q), fuller origins (Ng1f3),
// long forms (e2-e4), a missing or needless x, and any of +, #, !, ?, e.p. at the end. A promotion piece
// must be written (FIDE Laws 3.7.3.3: the choice is the player's).
func (p *Position) ParseSAN(s string) (Move, error) {
	parts, ok := splitSAN(s)
	if !ok {
		return NoMove, sanError(s, 0)
	}
	var l MoveList
	p.Moves(&l)
	found, matches := NoMove, 0
	for _, m := range l.Slice() {
		if p.fits(m, parts) {
			found = m
			matches++
		}
	}
	if matches != 1 {
		return NoMove, sanError(s, matches)
	}
	return found, nil
}

func sanError(s string, matches int) error {
	if len(s) > 20 {
		s = s[:20] + "…"
	}
	return &SANError{s, matches}
}

func (p *Position) fits(m Move, w sanParts) bool {
	if m.IsCastling() || w.castling != 0 {
		return m.IsCastling() && (w.castling == 'K') == (m.To().File() == fileG) && w.castling != 0
	}
	from := m.From()
	return m.To() == w.to && p.board[from].Kind() == w.kind && m.Promotion() == w.promotion &&
		(w.fromFile < 0 || from.File() == w.fromFile) && (w.fromRank < 0 || from.Rank() == w.fromRank)
}

// splitSAN reads from the end, where the destination is.
func splitSAN(s string) (sanParts, bool) {
	w := sanParts{kind: Pawn, fromFile: -1, fromRank: -1}
	if len(s) > 20 {
		return w, false
	}
	s = strings.TrimRight(s, "+#!? ")
	s = strings.TrimRight(strings.TrimSuffix(s, "e.p."), " ")
	switch s {
	case "O-O", "0-0", "o-o":
		w.castling = 'K'
		return w, true
	case "O-O-O", "0-0-0", "o-o-o":
		w.castling = 'Q'
		return w, true
	}
	if s != "" && strings.IndexByte("KQRBNP", s[0]) >= 0 {
		w.kind = kindOf(s[0])
		s = s[1:]
	}
	s, w.promotion = cutPromotion(s)
	if len(s) < 2 {
		return w, false
	}
	to, ok := ParseSquare(s[len(s)-2:])
	if !ok {
		return w, false
	}
	w.to = to
	s = strings.TrimRight(s[:len(s)-2], "x:-")
	if s != "" && s[0] >= 'a' && s[0] <= 'h' {
		w.fromFile = int(s[0] - 'a')
		s = s[1:]
	}
	if s != "" && s[0] >= '1' && s[0] <= '8' {
		w.fromRank = int(s[0] - '1')
		s = s[1:]
	}
	return w, s == ""
}

// cutPromotion takes "=Q", "Q", "(Q)" or "/Q" from the end.
func cutPromotion(s string) (string, Kind) {
	body := strings.TrimSuffix(s, ")")
	if body == "" || strings.IndexByte("QRBN", body[len(body)-1]) < 0 {
		return s, NoKind
	}
	kind := kindOf(body[len(body)-1])
	return strings.TrimRight(body[:len(body)-1], "=(/"), kind
}
