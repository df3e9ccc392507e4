package legal

// The machine names of what can be wrong with a transfer. They are the offence names of the whole program;
// the package rules knows what follows from each.
const (
	IllegalPawn        = "illegal.pawn"
	IllegalKnight      = "illegal.knight"
	IllegalBishop      = "illegal.bishop"
	IllegalRook        = "illegal.rook"
	IllegalQueen       = "illegal.queen"
	IllegalKing        = "illegal.king"
	IllegalJump        = "illegal.jump"
	IllegalOwnCapture  = "illegal.own_capture"
	IllegalKingCapture = "illegal.king_capture"

	IllegalExposesKing   = "illegal.exposes_king"
	IllegalLeftInCheck   = "illegal.left_in_check"
	IllegalKingIntoCheck = "illegal.king_into_check"

	IllegalCastleRightLost    = "illegal.castle_right_lost"
	IllegalCastleBlocked      = "illegal.castle_blocked"
	IllegalCastleOutOfCheck   = "illegal.castle_out_of_check"
	IllegalCastleThroughCheck = "illegal.castle_through_check"
	IllegalCastleIntoCheck    = "illegal.castle_into_check"

	IllegalEPLate          = "illegal.ep_late"
	IllegalPromoIncomplete = "illegal.promo_incomplete"
	IllegalPromoBadPiece   = "illegal.promo_bad_piece"
	IllegalNoMove          = "illegal.no_move"

	OutOfTurn    = "irreg.out_of_turn" // an irregularity, not an illegal move
	NothingMoved = "sensor.unknown"    // no piece stands on the origin: nobody can have moved it
)

// pieceOffences is the kind for a piece that does not move so, by Kind.
var pieceOffences = [...]string{NothingMoved, IllegalPawn, IllegalKnight, IllegalBishop, IllegalRook, IllegalQueen, IllegalKing}

// pieceArticles is where the Laws (edition 2023) say how the piece moves, by Kind. The knight's row has 3.10.2,
// the definition of an illegal move, because a knight's move has no finer article to break.
var pieceArticles = [...][]string{nil, {"3.7"}, {"3.6", "3.10.2"}, {"3.2"}, {"3.3"}, {"3.4"}, {"3.8.1"}}

// howItMoves completes "a … " in a reason, by Kind.
var howItMoves = [...]string{
	"",
	"moves straight ahead and captures diagonally ahead",
	"moves two squares along a rank or file and one to the side",
	"moves along diagonals",
	"moves along ranks and files",
	"moves along ranks, files and diagonals",
	"moves to a neighbouring square",
}

// Articles is the articles of the Laws (edition 2023) that an offence of this name breaks; what follows from
// it (7.5 and others) is not listed. For the offences of a piece's own way of moving Explain gives finer ones.
func Articles(kind string) []string {
	switch kind {
	case IllegalJump:
		return []string{"3.5"}
	case IllegalOwnCapture:
		return []string{"3.1"}
	case IllegalKingCapture:
		return []string{"1.4.1"}
	case IllegalExposesKing, IllegalLeftInCheck, IllegalKingIntoCheck:
		return []string{"3.9.2"}
	case IllegalCastleRightLost:
		return []string{"3.8.2.1.1", "3.8.2.1.2"}
	case IllegalCastleBlocked:
		return []string{"3.8.2.2.2"}
	case IllegalCastleOutOfCheck, IllegalCastleThroughCheck, IllegalCastleIntoCheck:
		return []string{"3.8.2.2.1"}
	case IllegalEPLate:
		return []string{"3.7.3.2"}
	case IllegalPromoIncomplete:
		return []string{"3.7.3.3", "7.5.2"}
	case IllegalPromoBadPiece:
		return []string{"3.7.3.3"}
	case IllegalNoMove:
		return []string{"6.2.4", "7.5.3"}
	case OutOfTurn:
		return []string{"1.2", "1.3"}
	}
	for k, name := range pieceOffences {
		if name == kind {
			return append([]string(nil), pieceArticles[k]...)
		}
	}
	return nil
}
