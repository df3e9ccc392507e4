package kinds

import (
	"strconv"
	"strings"
)

// A Kind is the machine name of a finding (laws notes, section 1.4). It is also the key of its text in rules/words.
type Kind string

// Faults of a move.
const (
	IllegalPawn        Kind = "illegal.pawn"
	IllegalKnight      Kind = "illegal.knight"
	IllegalBishop      Kind = "illegal.bishop"
	IllegalRook        Kind = "illegal.rook"
	IllegalQueen       Kind = "illegal.queen"
	IllegalKing        Kind = "illegal.king"
	IllegalJump        Kind = "illegal.jump"
	IllegalOwnCapture  Kind = "illegal.own_capture"
	IllegalKingCapture Kind = "illegal.king_capture"

	IllegalExposesKing   Kind = "illegal.exposes_king"
	IllegalLeftInCheck   Kind = "illegal.left_in_check"
	IllegalKingIntoCheck Kind = "illegal.king_into_check"

	IllegalCastleRightLost    Kind = "illegal.castle_right_lost"
	IllegalCastleBlocked      Kind = "illegal.castle_blocked"
	IllegalCastleOutOfCheck   Kind = "illegal.castle_out_of_check"
	IllegalCastleThroughCheck Kind = "illegal.castle_through_check"
	IllegalCastleIntoCheck    Kind = "illegal.castle_into_check"
	IllegalCastleKingOnly     Kind = "illegal.castle_king_only"

	IllegalEPLate          Kind = "illegal.ep_late"
	IllegalEPPawnLeft      Kind = "illegal.ep_pawn_left"
	IllegalPromoIncomplete Kind = "illegal.promo_incomplete"
	IllegalPromoBadPiece   Kind = "illegal.promo_bad_piece"
	IllegalPromoTwo        Kind = "illegal.promo_two"
	IllegalNoMove          Kind = "illegal.no_move"
	IllegalTwoHands        Kind = "illegal.two_hands"
)

// Irregularities.
const (
	TouchMove        Kind = "irreg.touch_move"
	RookFirst        Kind = "irreg.rook_first"
	ReleasedMoved    Kind = "irreg.released_piece_moved"
	PromoChanged     Kind = "irreg.promo_piece_changed"
	PromoWrongColour Kind = "irreg.promo_wrong_colour"
	OutOfTurn        Kind = "irreg.out_of_turn"
	DoubleMove       Kind = "irreg.double_move"
	Displaced        Kind = "irreg.displaced"
	DisplacedFound   Kind = "irreg.displaced_found"
	PressBeforeDone  Kind = "irreg.press_before_done"
	OtherHand        Kind = "irreg.other_hand"
	TwoHandsWBCA     Kind = "irreg.two_hands_wbca"
	AdjustOffTurn    Kind = "irreg.adjust_off_turn"
	PauseNoReason    Kind = "irreg.pause_no_reason"
	DrawOfferTiming  Kind = "irreg.draw_offer_timing"
)

// Suspicions that rest on timing alone.
const (
	SuspectCapture   Kind = "suspect.two_hands_capture"
	SuspectCastling  Kind = "suspect.two_hands_castling"
	SuspectPromotion Kind = "suspect.two_hands_promotion"
)

// Findings about the clock, the set-up, and facts that the board does not show.
const (
	FlagFallen   Kind = "clock.flag"
	BothFlags    Kind = "clock.both_flags"
	ClockSetting Kind = "clock.setting_wrong"
	BonusWrong   Kind = "clock.bonus_wrong"
	ForeignPress Kind = "clock.foreign_press"
	LeverInPause Kind = "clock.lever_changed_in_pause"

	WrongArray      Kind = "setup.wrong_array"
	BoardRotated    Kind = "setup.board_rotated"
	ColoursReversed Kind = "setup.colours_reversed"

	Unreadable    Kind = "sensor.unreadable"
	NotUnderstood Kind = "sensor.unknown" // a press with a position that is not legal and that no known fault explains
)

// The end of a game, and claims of a draw.
const (
	Checkmate           Kind = "end.checkmate"
	Stalemate           Kind = "end.stalemate"
	Dead                Kind = "end.dead"
	Fivefold            Kind = "end.fivefold"
	Move75              Kind = "end.move75"
	IllegalPositionDraw Kind = "end.illegal_position_draw"
	ResultSignal        Kind = "end.result_signal"
	ResultContradicted  Kind = "end.result_contradicted"

	Threefold      Kind = "draw.threefold_claimable"
	Fifty          Kind = "draw.fifty"
	ClaimIncorrect Kind = "draw.claim_incorrect"
)

// Family groups the kinds of findings that are dealt with in the same way.
type Family uint8

const (
	Other        Family = iota
	Illegal             // completed illegal moves
	Hand                // timing suggests that two hands were used
	Touch               // article 4
	Turn                // out of turn, two moves
	Displacement        // article 7.4
	End
	Flag
	SetUp
	Draw
	Sensor
)

// familyOf returns the family named by the word before the dot, for kinds that only another revision knows.
func familyOf(k Kind) Family {
	word, _, _ := strings.Cut(string(k), ".")
	switch word {
	case "illegal":
		return Illegal
	case "suspect":
		return Hand
	case "end":
		return End
	case "setup":
		return SetUp
	case "draw":
		return Draw
	case "sensor":
		return Sensor
	}
	return Other
}

// Family returns the group of kinds that k is dealt with in.
func (k Kind) Family() Family { return k.Row().Family }

// Illegal reports whether a finding of the kind is an illegal move once it was completed.
func (k Kind) Illegal() bool { return k.Row().Family == Illegal }

// Known reports whether the kind has a row.
func (k Kind) Known() bool { return index[k] != nil }

// Row returns the data of a kind. The row is shared: read only.
func (k Kind) Row() *Row {
	if r := index[k]; r != nil {
		return r
	}
	return &Row{Kind: k, Family: familyOf(k)}
}

// ID returns the identity of a finding: the sequence number of its first evidence and its kind, "123:illegal.knight".
func ID(first int64, k Kind) string { return strconv.FormatInt(first, 10) + ":" + string(k) }

// OfID splits an identity into its two parts. A first part that is not a number counts as 0.
func OfID(id string) (first int64, k Kind) {
	number, kind, _ := strings.Cut(id, ":")
	first, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		first = 0
	}
	return first, Kind(kind)
}
