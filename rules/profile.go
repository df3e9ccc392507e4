package rules

import "boardwatchd/rules/kinds"

// A Profile is one rule set as data: its origin, the offences it knows, how long they can be dealt with, and their
// consequences. Every key is always written, so that a journal's opening record is complete; a local rule is one key
// changed.
//
// Where the allowed values are words, they are listed with the key; Check names a value that is not among them. Section
// numbers are those of the laws notes, articles those of the FIDE Laws of 2023 unless another book is named.
type Profile struct {
	// Name is the file's name without extension; letters, digits and hyphens. Title is shown on every alert. Law names
	// the origin of the rules and Edition the text, both for people. Note is a remark that goes with a ruling; "".
	Name    string `json:"name"`
	Title   string `json:"title"`
	Law     string `json:"law"`
	Edition string `json:"edition"`
	Note    string `json:"note"`

	// Book names the book whose article numbers are cited: fide, us, us-blitz, wbca, rc-2017.
	Book string `json:"book"`

	// TimeControl is the usual one, "90+30", for cases and demonstrations that give none. The clock decides.
	TimeControl string `json:"time_control"`
	// Classes are the classes of time control that the rule set may be used with (A.1, B.1, US Chess 5C): standard,
	// rapid, blitz; us-regular, us-dual, us-quick, us-blitz. See Fits.
	Classes []string `json:"classes"`
	// Supervised says that the event has declared adequate supervision (A.4, B.2); it changes the cited articles.
	Supervised bool `json:"supervised"`

	// FIDERated says that the event is rated by FIDE: then FIDERatedAllowed must be true (Preface of the Laws: local
	// rules are for games that are not rated).
	FIDERated        bool `json:"fide_rated"`
	FIDERatedAllowed bool `json:"fide_rated_allowed"`

	// BonusS is the unit of time for an illegal move in seconds, given to the opponent (7.5.5, A.3); 0 to 600.
	// BonusRapidS and BonusBlitzS replace it in those classes of time control; -1: the same.
	BonusS      int `json:"bonus_s"`
	BonusRapidS int `json:"bonus_rapid_s"`
	BonusBlitzS int `json:"bonus_blitz_s"`
	// BonusByLetterS is another unit that the text allows, shown beside the first; 0: none (section 6 no 2).
	BonusByLetterS int `json:"bonus_by_letter_s"`
	// OtherPenaltyS is the unit for other faults if it differs; 0: none.
	OtherPenaltyS int `json:"other_penalty_s"`
	// WrongClaimS is given to the opponent for a wrong claim of a draw (9.5.3, A.3).
	WrongClaimS int `json:"wrong_draw_claim_s"`

	// StrikesToLose is the number of completed illegal moves that loses the game; 0: no number does. StrikesRapid and
	// StrikesBlitz replace it in those classes; -1: the same.
	StrikesToLose int `json:"strikes_to_lose"`
	StrikesRapid  int `json:"strikes_to_lose_rapid"`
	StrikesBlitz  int `json:"strikes_to_lose_blitz"`

	// Window is the time in which an illegal move is dealt with: until_game_end (7.5.1), until_reply (A.5.2: the
	// opponent has made his next move on the board), last_moves (WindowMoves), by_class (until_game_end in standard
	// play and where Supervised, until_reply else).
	Window string `json:"window"`
	// WindowMoves is the length of the window last_moves: the offence must be among that number of last moves of the
	// player who committed it (US Chess 11A, source 003).
	WindowMoves int `json:"window_moves"`
	// A player with less than TimePressureS seconds is in time pressure, unless the increment or delay is at least
	// TimePressureFreeS; then the window has TimePressureMoves moves and the arbiter is silent (US Chess 11A, 11D1). 0:
	// no such rule.
	TimePressureS     int `json:"time_pressure_s"`
	TimePressureMoves int `json:"time_pressure_moves"`
	TimePressureFreeS int `json:"time_pressure_free_s"`
	// CheckStaysOpen: an offence that left the king in check is never too late while the king is still in check; the
	// game goes back to the first such move (US Chess 11A, director's tip).
	CheckStaysOpen bool `json:"check_stays_open"`

	// Arbiter says when the arbiter acts on an illegal move without a claim: always; in_window; calm (not in time
	// pressure); never (the opponent claims).
	Arbiter string `json:"arbiter"`
	// AlertObserves says that the event's rules take an alert as an observation by the arbiter (section 6 no 9).
	AlertObserves bool `json:"alert_counts_as_observation"`

	// NoMove is a press with nothing moved: strike (7.5.3), improper (US Chess), unregulated.
	NoMove string `json:"no_move"`
	// Promotion is a pawn that was not exchanged: queen (7.5.2, with a strike), improper (US Chess 8F7: the choice is
	// kept).
	Promotion string `json:"promotion_incomplete"`
	// TwoHands, as reported by a person: strike (7.5.4), unit (time, the arbiter decides: it is not in the list of
	// offences that lose), counter (its own: warning, time, loss: WBCA), penalty (OtherPenaltyS), nothing.
	TwoHands string `json:"two_hands"`
	// TwoHandsCastling: castling with both hands is allowed.
	TwoHandsCastling bool `json:"two_hands_castling_allowed"`
	// TwoHandsMate, a move with two hands that ends the game: over (5.1.1 was first), draw (when it is the losing
	// strike: sources 000 and 004) (section 6 no 3).
	TwoHandsMate string `json:"two_hands_mate"`
	// KingCapture: illegal (an illegal move of the capturing side), claim (that the king had been left in check).
	KingCapture string `json:"king_capture"`
	// KingsAdjacent: a player who moves the king beside the opponent's king and then claims loses (US Chess blitz 7d).
	KingsAdjacent bool `json:"kings_adjacent_trick_loses"`

	// EPPawnLeft, KingOnly and PromoTwo are offences that can be read in two ways: decide (the arbiter), illegal.
	EPPawnLeft string `json:"ep_pawn_left"`
	KingOnly   string `json:"castle_king_only"`
	PromoTwo   string `json:"promo_two"`
	// RookFirst is castling with the rook first: irregularity (the rook's move is compulsory, 4.4.2), allowed (US Chess
	// 10I2, a variation that the event announces). Journals of older programs do not have the key: irregularity.
	RookFirst string `json:"rook_first"`
	// WrongColour is a promotion piece of the other colour: irregularity, illegal (section 6 no 6), nothing.
	WrongColour string `json:"promo_wrong_colour"`
	// InvertedRook is what an upside-down rook counts as: rook, queen (section 6 no 12).
	InvertedRook string `json:"inverted_rook"`

	// Displaced is a piece knocked over or pushed when the clock is pressed: irregularity (7.4), illegal (US Chess
	// 11C).
	Displaced string `json:"displaced"`
	// OutOfTurn is a move without having the move: irregularity (12.9), director.
	OutOfTurn string `json:"out_of_turn"`
	// TouchClaim is the event at which a claim of touch-move lapses: touch (4.8: the opponent touches a piece), move
	// (source 001) (section 6 no 14).
	TouchClaim string `json:"touch_claim_lapses"`
	// Restart is the opponent's press back after an illegal move: ignored (an accident), disputed (he may have accepted
	// it), disputed_blitz (only in blitz), nothing (allowed) (section 6 no 5).
	Restart string `json:"restart_after_illegal"`

	// TakeBack is when the increment of an irregular press is taken off: restored (only when the position goes back),
	// always, never (section 6 no 8).
	TakeBack string `json:"take_back_increment"`
	// MatingTest is the condition of a win by a strike or on time: helpmate (any legal series of moves, 6.9, 7.5.5),
	// us-14e, us-7c, material (anything but a bare king, a single bishop or a single knight).
	MatingTest string `json:"mating_test"`
	// IllegalPosition is both kings in check or a pawn on the last rank, let stand: draw_after_next (A.5.4), arbiter
	// (he acts at once), nothing.
	IllegalPosition string `json:"illegal_position"`

	// FlagCall names who calls a flag: arbiter_or_player (6.8), arbiter (A.5.5: he shall), players.
	FlagCall string `json:"flag_called_by"`
	// Fivefold and Move75 are the same position five times, and 75 moves without pawn move or capture: draw (9.6),
	// director (he may declare it), nothing.
	Fivefold string `json:"fivefold"`
	Move75   string `json:"move75"`

	// WrongArrayMoves is the last move number at which a wrong start position can be claimed; 0: always (7.2.1,
	// A.5.1.2, US Chess 11F). WrongColoursMoves and ClockSettingMoves likewise (7.3; A.5.1.1).
	WrongArrayMoves   int `json:"wrong_array_moves"`
	WrongColoursMoves int `json:"wrong_colours_moves"`
	ClockSettingMoves int `json:"clock_setting_moves"`

	// Agreement: when the window is closed the players may still agree on a correction without the arbiter (A.5.2).
	Agreement bool `json:"players_may_agree"`

	// Articles replaces the cited articles of a kind of finding, "illegal.two_hands": ["7.5.4"]. Kinds that are not
	// named keep the book's own.
	Articles map[kinds.Kind][]string `json:"articles"`
}
