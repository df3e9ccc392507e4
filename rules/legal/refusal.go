package legal

import "strings"

// Reason is one reason why a set-up is not a position. Reasons are bits; a Refusal is a set of them.
type Reason uint32

// The reasons. Their names (String) are part of the output of the command explain.
const (
	EmptyBoard Reason = 1 << iota
	UnknownPiece
	NoSideToMove
	MissingKingWhite
	MissingKingBlack
	TooManyKings
	TooManyPieces // more than 16 of one side
	TooManyPawns  // more than 8 of one side
	PawnOnLastRank
	NeighbouringKings
	SideNotToMoveInCheck
	ImpossibleCheck // no last move can have given it
	CastlingRightWithoutKing
	CastlingRightWithoutRook
	CastlingRightAmbiguous // two rooks of one wing
	EnPassantWrongRank
	EnPassantWithoutPawn
	EnPassantSquareOccupied // or the square behind it, from which the pawn must have come
	EnPassantOutOfCheck     // before the double step the side to move was in check, out of turn; now it is not
)

var reasonNames = [...]string{
	"empty_board", "unknown_piece", "no_side_to_move", "missing_king_white", "missing_king_black", "too_many_kings",
	"too_many_pieces", "too_many_pawns", "pawn_on_last_rank", "neighbouring_kings", "side_not_to_move_in_check",
	"impossible_check", "castling_right_without_king", "castling_right_without_rook", "castling_right_ambiguous",
	"en_passant_wrong_rank", "en_passant_without_pawn", "en_passant_square_occupied",
	"en_passant_out_of_check",
}

// String returns the machine name; a set gives its names joined by commas.
func (r Reason) String() string { return strings.Join(r.names(), ",") }

func (r Reason) names() []string {
	var out []string
	for i, name := range reasonNames {
		if r>>i&1 != 0 {
			out = append(out, name)
		}
	}
	return out
}

// Refusal is the error of Setup.Position: the set of all faults, never empty.
type Refusal struct{ Set Reason }

// Has reports whether one of the given reasons is in the set.
func (r Refusal) Has(reason Reason) bool { return r.Set&reason != 0 }

// Reasons returns the machine names, in a fixed order.
func (r Refusal) Reasons() []string { return r.Set.names() }

func (r Refusal) Error() string {
	return "not a chess position: " + strings.Join(r.Set.names(), ", ")
}
