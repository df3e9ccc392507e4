package main

import (
	"fmt"
	"regexp"
	"strings"

	"boardwatchd/rules/legal"
)

// sanForm is the standard algebraic notation, as FIDE Laws C.1 to C.13 and PGN write it: piece, where it comes from if
// that is needed, a capture, the square, a promotion.
var sanForm = regexp.MustCompile(`^([KQRBN]?)([a-h]?)([1-8]?)(x?)([a-h])([1-8])(?:=?([QRBN]))?[+#]?[!?]*$`)

var castlingForm = regexp.MustCompile(`^[O0]-[O0](-[O0])?[+#]?[!?]*$`)

// readMove translates a move in SAN or UCI into UCI. A move in SAN that is not legal is taken as the move of the only
// piece of its kind that can be meant.
func readMove(pos *legal.Position, text string) (string, error) {
	if _, _, _, err := pos.ParseUCI(text); err == nil {
		return text, nil
	}
	if m, err := pos.ParseSAN(text); err == nil {
		return pos.UCI(m), nil
	}
	if m := castlingForm.FindStringSubmatch(text); m != nil {
		return castlingOf(pos, text, m[1] != "")
	}
	m := sanForm.FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%q is no move: write it like Nf3, exd5, O-O or e7e8q", text)
	}
	to := m[5] + m[6]
	var from []string
	placement := pos.Placement()
	for sq, p := range placement {
		name := legal.Square(sq).String()
		if p == legal.NoPiece || p.Side() != pos.Turn() || p.Kind() != kindOf(m[1]) || !strings.HasPrefix(name, m[2]) || !strings.HasSuffix(name, m[3]) {
			continue
		}
		if m[1] == "" && m[2] == "" && m[4] == "" && name[0] != to[0] {
			continue // a pawn's capture is written with its file
		}
		if name != to {
			from = append(from, name)
		}
	}
	switch len(from) {
	case 1:
		return from[0] + to + strings.ToLower(m[7]), nil
	case 0:
		return "", fmt.Errorf("%q: no piece of the side to move, %v, can be meant", text, pos.Turn())
	}
	return "", fmt.Errorf("%q: write where the piece comes from, one of %s", text, strings.Join(from, ", "))
}

func kindOf(letter string) legal.Kind {
	switch letter {
	case "K":
		return legal.King
	case "Q":
		return legal.Queen
	case "R":
		return legal.Rook
	case "B":
		return legal.Bishop
	case "N":
		return legal.Knight
	}
	return legal.Pawn
}

// castlingOf returns a castling that is not legal as the king's move.
func castlingOf(pos *legal.Position, text string, long bool) (string, error) {
	placement := pos.Placement()
	for sq, p := range placement {
		if p != legal.NoPiece && p.Side() == pos.Turn() && p.Kind() == legal.King {
			from, file := legal.Square(sq).String(), "g"
			if long {
				file = "c"
			}
			if to := file + from[1:]; to != from {
				return from + to, nil
			}
		}
	}
	return "", fmt.Errorf("%q: the side to move, %v, has no king that could castle", text, pos.Turn())
}
