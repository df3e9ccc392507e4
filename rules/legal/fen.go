package legal

import (
	"fmt"
	"strconv"
	"strings"
)

// maxFEN bounds the text that ParseFEN reads; the longest sensible FEN has fewer than 100 bytes.
const maxFEN = 256

// maxCounter bounds the two move counters of a FEN. The longest possible game has fewer than 9,000 moves.
const maxCounter = 20000

// FENError names the field of a FEN that cannot be read, and the remedy.
type FENError struct {
	Field  string // "placement", "side to move", "castling", "en passant", "half-moves", "full moves", or "fields"
	Text   string // the field as it was written, shortened
	Remedy string
}

func (e *FENError) Error() string {
	return fmt.Sprintf("read FEN: %s %q: %s", e.Field, e.Text, e.Remedy)
}

func fenError(field, text, remedy string) error {
	if len(text) > 80 {
		text = text[:80] + "…"
	}
	return &FENError{Field: field, Text: text, Remedy: remedy}
}

// ParseFEN reads a FEN of six fields, or of four where the counters are left out (EPD). Castling rights may be KQkq,
// X-FEN (K and Q are the outermost rooks, a letter names an inner one) or Shredder-FEN (letters only). The result may
// still be impossible: Setup.Position checks it.
//
// Chess960 is set when rights were written with file letters, or a right belongs to a king or rook
// that is not on its square of orthodox chess.
func ParseFEN(fen string) (Setup, error) {
	s := Setup{EnPassant: NoSquare, FullMoves: 1}
	if len(fen) > maxFEN {
		return Setup{}, fenError("fields", fen, "a FEN has at most "+strconv.Itoa(maxFEN)+" characters")
	}
	var field [6]string
	n := 0
	for f := range strings.FieldsSeq(fen) {
		if n < len(field) {
			field[n] = f
		}
		n++
	}
	if n != 4 && n != 6 {
		return Setup{}, fenError("fields", fen, fmt.Sprintf(
			"%d found: write placement, side to move (w or b), castling, en passant, half-moves and full moves, separated by spaces", n))
	}
	if err := s.readPlacement(field[0]); err != nil {
		return Setup{}, err
	}
	switch field[1] {
	case "w":
		s.Turn = White
	case "b":
		s.Turn = Black
	default:
		return Setup{}, fenError("side to move", field[1], "write w or b")
	}
	if err := s.readCastling(field[2]); err != nil {
		return Setup{}, err
	}
	if field[3] != "-" {
		sq, ok := ParseSquare(field[3])
		if !ok {
			return Setup{}, fenError("en passant", field[3], "write a square such as e3, or -")
		}
		s.EnPassant = sq
	}
	if n == 6 {
		var err error
		if s.HalfMoves, err = readCounter("half-moves", field[4]); err != nil {
			return Setup{}, err
		}
		if s.FullMoves, err = readCounter("full moves", field[5]); err != nil {
			return Setup{}, err
		}
		s.FullMoves = max(s.FullMoves, 1) // "0" is a common mistake of other programs, and harmless
	}
	return s, nil
}

// piecesByLetter is pieceOfLetter for every byte.
var piecesByLetter = func() (table [256]Piece) {
	for c := range table {
		table[c] = pieceOfLetter(byte(c))
	}
	return table
}()

func (s *Setup) readPlacement(text string) error {
	if n := strings.Count(text, "/") + 1; n != 8 {
		return fenError("placement", text, fmt.Sprintf("%d ranks: write 8, separated by /, the eighth rank first", n))
	}
	for i := range 8 {
		var rank string
		rank, text, _ = strings.Cut(text, "/")
		file, digit := 0, false
		for j := 0; j < len(rank); j++ {
			c := rank[j]
			if c >= '1' && c <= '8' {
				if digit {
					return fenError("placement", rank, fmt.Sprintf("rank %d: write two digits in a row as their sum", 8-i))
				}
				file, digit = file+int(c-'0'), true
				continue
			}
			digit = false
			piece := piecesByLetter[c]
			if piece == NoPiece {
				return fenError("placement", rank, fmt.Sprintf("rank %d: only KQRBNP, kqrbnp and the digits 1 to 8 may stand here", 8-i))
			}
			if file < 8 {
				s.Placement[SquareOf(file, 7-i)] = piece
			}
			file++
		}
		if file != 8 {
			return fenError("placement", rank, fmt.Sprintf("rank %d describes %d squares: write 8", 8-i, file))
		}
	}
	return nil
}

// readCastling needs the placement. A K or Q without a rook is kept as a right of the corner, so that Setup.Position
// can name the missing rook.
func (s *Setup) readCastling(text string) error {
	if text == "-" {
		return nil
	}
	const remedy = "write -, or some of KQkq, or the files of the rooks (HAha), each once"
	letters := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		side := White
		if c >= 'a' {
			side = Black
		}
		var file int
		switch lower := c | 0x20; {
		case c < 'A':
			return fenError("castling", text, remedy)
		case lower == 'k' || lower == 'q':
			file = s.outermostRook(side, lower == 'k')
			if file < 0 && lower == 'k' {
				file = fileH
			} else if file < 0 {
				file = fileA
			}
		case lower >= 'a' && lower <= 'h':
			file, letters = int(lower-'a'), true
		default:
			return fenError("castling", text, remedy)
		}
		if s.Castling.Has(side, file) {
			return fenError("castling", text, remedy)
		}
		s.Castling = s.Castling.With(side, file)
	}
	s.Chess960 = letters || !s.orthodoxRights()
	return nil
}

func readCounter(field, text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n > maxCounter {
		return 0, fenError(field, text, "write a whole number from 0 to "+strconv.Itoa(maxCounter))
	}
	return int(n), nil
}

// FEN writes the six fields. ParseFEN reads them back to an equal Setup, except that Chess960
// without any castling right cannot be written, and that K and Q without rooks mean the corners.
func (s Setup) FEN() string {
	b := make([]byte, 0, 96)
	b = s.Placement.appendFEN(b)
	switch s.Turn {
	case White:
		b = append(b, " w "...)
	case Black:
		b = append(b, " b "...)
	default:
		b = append(b, " - "...)
	}
	b = s.appendCastling(b)
	b = append(b, ' ')
	b = append(b, s.EnPassant.String()...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(s.HalfMoves), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(s.FullMoves), 10)
	return string(b)
}

// String returns the first field of a FEN.
func (p Placement) String() string { return string(p.appendFEN(make([]byte, 0, 72))) }

func (p *Placement) appendFEN(b []byte) []byte {
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for file := range 8 {
			piece := p[SquareOf(file, rank)]
			if piece == NoPiece {
				empty++
				continue
			}
			if empty > 0 {
				b = append(b, '0'+empty)
				empty = 0
			}
			b = append(b, piece.letter())
		}
		if empty > 0 {
			b = append(b, '0'+empty)
		}
		if rank > 0 {
			b = append(b, '/')
		}
	}
	return b
}

// appendCastling writes KQkq for outermost rooks and a file letter for inner ones (X-FEN). Where
// KQkq would be read back as orthodox chess but the game is Chess960, all rights are letters.
func (s *Setup) appendCastling(b []byte) []byte {
	if s.Castling == 0 {
		return append(b, '-')
	}
	lettersOnly := s.Chess960 && s.orthodoxRights()
	for _, side := range [...]Side{White, Black} {
		lower := byte(0)
		if side == Black {
			lower = 0x20
		}
		right, left := s.outermostRook(side, true), s.outermostRook(side, false)
		if king := s.kingSquare(side); king == NoSquare || king.Rank() != side.homeRank() {
			right, left = fileH, fileA
		}
		if right < 0 {
			right = fileH
		}
		if left < 0 {
			left = fileA
		}
		for file := fileH; file >= fileA; file-- {
			switch {
			case !s.Castling.Has(side, file):
			case !lettersOnly && file == right:
				b = append(b, 'K'|lower)
			case !lettersOnly && file == left:
				b = append(b, 'Q'|lower)
			default:
				b = append(b, 'A'+byte(file)|lower)
			}
		}
	}
	return b
}
