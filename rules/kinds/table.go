package kinds

// A Row holds the data that belong to a kind alone.
type Row struct {
	Kind   Kind
	Family Family
	// Transfer: the legality core recognises the fault from the squares of a move, and may cite more exact articles.
	Transfer bool
	Castling bool // the move was meant as castling
	Check    bool // the offender's king is left in check

	// The articles about the fault itself, by rule book. American ones hold for both books of US Chess; Blitz replaces
	// them in the book for blitz.
	FIDE     []string
	American []string
	Blitz    []string
	WBCA     []string

	Treatment Treatment
	Position  Position
	Alert     Alert  // unless a case gives a reason for another one
	Text      string // key of a sentence for the arbiter to read out: {0} is the offender, {1} the squares, or a note
}

// Treatment is the key of the profile that decides how a rule set treats the illegal move. Without one it is a strike.
type Treatment uint8

const (
	Strike Treatment = iota
	NoMoveKey
	PromotionKey
	TwoHandsKey
	EPPawnLeftKey
	KingOnlyKey
	PromoTwoKey
)

// Position is the effect of the ruling on the position after an illegal move.
type Position uint8

const (
	Back         Position = iota // the one before the move
	Queen                        // the pawn becomes a queen
	Stands                       // the move stands
	CastlingDone                 // the castling is completed
	PutBack                      // displaced pieces go back, and the move stands
)

// Alert is the way in which the arbiter is alerted.
type Alert uint8

// The alerts, from the quietest.
const (
	NoAlert Alert = iota
	Log           // in the record only
	OnClaim       // shown when the arbiter opens a claim
	Advise        // a quiet "please look", no offence named
	Now           // at once, as an alert
)

func (a Alert) String() string {
	return [...]string{"none", "log", "on_claim", "advise", "now"}[a]
}

// All returns the table. It is shared: read only.
func All() []Row { return rows[:] }

var index = func() map[Kind]*Row {
	m := make(map[Kind]*Row, len(rows))
	for i := range rows {
		m[rows[i].Kind] = &rows[i]
	}
	return m
}()

// In the articles of FIDE Laws 2023 the knight's row has 3.10.2, the definition of an illegal move, because a knight's
// move has no more exact article to break.
var rows = [...]Row{
	{Kind: IllegalPawn, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.7"}, Text: "reason.illegal"},
	{Kind: IllegalKnight, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.6", "3.10.2"}, Text: "reason.illegal"},
	{Kind: IllegalBishop, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.2"}, Text: "reason.illegal"},
	{Kind: IllegalRook, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.3"}, Text: "reason.illegal"},
	{Kind: IllegalQueen, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.4"}, Text: "reason.illegal"},
	{Kind: IllegalKing, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.8.1"}, Text: "reason.illegal"},
	{Kind: IllegalJump, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.5"}, Text: "reason.illegal"},
	{Kind: IllegalOwnCapture, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.1"}, Text: "reason.illegal"},
	{Kind: IllegalKingCapture, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"1.4.1"}, Text: "reason.illegal.king_capture"},
	{Kind: IllegalExposesKing, Family: Illegal, Transfer: true, Check: true, Alert: Now, FIDE: []string{"3.9.2"}, Text: "reason.illegal"},
	{Kind: IllegalLeftInCheck, Family: Illegal, Transfer: true, Check: true, Alert: Now, FIDE: []string{"3.9.2"}, Text: "reason.illegal"},
	{Kind: IllegalKingIntoCheck, Family: Illegal, Transfer: true, Check: true, Alert: Now, FIDE: []string{"3.9.2"}, Text: "reason.illegal"},
	{Kind: IllegalCastleRightLost, Family: Illegal, Transfer: true, Castling: true, Alert: Now, FIDE: []string{"3.8.2.1.1", "3.8.2.1.2"}, Text: "reason.illegal"},
	{Kind: IllegalCastleBlocked, Family: Illegal, Transfer: true, Castling: true, Alert: Now, FIDE: []string{"3.8.2.2.2"}, Text: "reason.illegal"},
	{Kind: IllegalCastleOutOfCheck, Family: Illegal, Transfer: true, Castling: true, Alert: Now, FIDE: []string{"3.8.2.2.1"}, Text: "reason.illegal"},
	{Kind: IllegalCastleThroughCheck, Family: Illegal, Transfer: true, Castling: true, Alert: Now, FIDE: []string{"3.8.2.2.1"}, Text: "reason.illegal"},
	{Kind: IllegalCastleIntoCheck, Family: Illegal, Transfer: true, Castling: true, Alert: Now, FIDE: []string{"3.8.2.2.1"}, Text: "reason.illegal"},
	{
		Kind: IllegalCastleKingOnly, Family: Illegal, Castling: true, Alert: Now, FIDE: []string{"3.8.1", "3.8.2", "4.7.2"},
		Treatment: KingOnlyKey, Position: CastlingDone, Text: "reason.illegal.castle_king_only",
	},
	{Kind: IllegalEPLate, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.7.3.2"}, Text: "reason.illegal"},
	{
		Kind: IllegalEPPawnLeft, Family: Illegal, Alert: Now, FIDE: []string{"3.1.1", "3.7.3.1", "6.2.4"}, Treatment: EPPawnLeftKey,
		Text: "reason.illegal.ep_pawn_left",
	},
	{
		Kind: IllegalPromoIncomplete, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.7.3.3", "7.5.2"}, Treatment: PromotionKey, Position: Queen,
		Text: "reason.illegal.promo_incomplete",
	},
	{Kind: IllegalPromoBadPiece, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.7.3.3"}, Text: "reason.illegal"},
	{
		Kind: IllegalPromoTwo, Family: Illegal, Alert: Now, FIDE: []string{"3.7.3.3", "4.4.4"}, Treatment: PromoTwoKey, Position: Stands,
		Text: "reason.illegal.promo_two",
	},
	{
		Kind: IllegalNoMove, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"6.2.4", "7.5.3"}, Treatment: NoMoveKey,
		Text: "reason.illegal.no_move",
	},
	{
		Kind: IllegalTwoHands, Family: Illegal, Alert: Now, FIDE: []string{"4.1", "7.5.4"}, American: []string{"US 16C1"}, Blitz: []string{"US blitz 4"},
		Treatment: TwoHandsKey, Position: Stands, Text: "reason.illegal.two_hands",
	},

	{
		Kind: TouchMove, Family: Touch, Alert: Log, FIDE: []string{"4.2.1", "4.2.2", "4.3.1", "4.8", "12.9"}, American: []string{"US 10"},
		Text: "reason.irreg.touch_move",
	},
	{
		Kind: RookFirst, Family: Touch, Alert: Log, FIDE: []string{"4.4.2", "4.3.1", "4.7", "4.8"}, American: []string{"US 10I2"},
		Text: "reason.irreg.rook_first",
	},
	{
		Kind: ReleasedMoved, Family: Touch, Alert: Log, FIDE: []string{"4.7", "4.8", "12.9"}, American: []string{"US 10"},
		Text: "reason.irreg.released_piece_moved",
	},
	{
		Kind: PromoChanged, Family: Touch, Alert: Log, FIDE: []string{"4.4.4", "4.8", "12.9"}, American: []string{"US 10"},
		Text: "reason.irreg.promo_piece_changed",
	},
	{
		Kind: PromoWrongColour, Alert: Now, FIDE: []string{"3.7.3.3", "12.9"}, American: []string{"US 9D"},
		Text: "reason.irreg.promo_wrong_colour",
	},
	{
		Kind: OutOfTurn, Family: Turn, Alert: Now, FIDE: []string{"1.2", "1.3", "11.5", "12.9"}, American: []string{"US 1C2"},
		Text: "reason.irreg.out_of_turn",
	},
	{
		Kind: DoubleMove, Family: Turn, Alert: Now, FIDE: []string{"1.2", "1.3", "12.9"}, American: []string{"US 1C2"},
		Text: "reason.irreg.double_move",
	},
	{
		Kind: Displaced, Family: Displacement, Alert: Advise, FIDE: []string{"7.4.1", "7.4.2", "7.4.3", "12.9"}, American: []string{"US 11C", "US 11D"},
		Position: PutBack, Text: "reason.irreg.displaced",
	},
	{
		Kind: DisplacedFound, Alert: Now, FIDE: []string{"7.6", "7.1"},
		Text: "reason.irreg.displaced_found",
	},
	{
		Kind: PressBeforeDone, Alert: Log, FIDE: []string{"6.2.1", "6.2.4", "12.9"},
		Text: "reason.irreg.press_before_done",
	},
	{
		Kind: OtherHand, Alert: OnClaim, FIDE: []string{"6.2.3", "12.9"}, American: []string{"US 16C1"}, Blitz: []string{"US blitz 4"},
		WBCA: []string{"WBCA 4"}, Text: "reason.irreg.other_hand",
	},
	{
		Kind: TwoHandsWBCA, Alert: OnClaim, WBCA: []string{"WBCA 4"},
		Text: "reason.irreg.two_hands_wbca",
	},
	{
		Kind: AdjustOffTurn, Alert: Log, FIDE: []string{"4.2.1", "6.2.5", "11.5", "12.9"}, American: []string{"US 10"},
		Text: "reason.irreg.adjust_off_turn",
	},
	{
		Kind: PauseNoReason, Alert: Advise, FIDE: []string{"6.11.2", "6.11.4", "12.9"},
		Text: "reason.irreg.pause_no_reason",
	},
	{
		Kind: DrawOfferTiming, Alert: NoAlert, FIDE: []string{"9.1.2.1", "11.5", "12.9"},
		Text: "reason.irreg.draw_offer_timing",
	},

	{
		Kind: SuspectCapture, Family: Hand, Alert: Advise, FIDE: []string{"4.1", "7.5.4"}, American: []string{"US 16C1"}, Blitz: []string{"US blitz 4"},
		Text: "reason.suspect",
	},
	{
		Kind: SuspectCastling, Family: Hand, Alert: Advise, FIDE: []string{"4.1", "7.5.4"}, American: []string{"US 16C1"},
		Blitz: []string{"US blitz 4"}, Text: "reason.suspect",
	},
	{
		Kind: SuspectPromotion, Family: Hand, Alert: Advise, FIDE: []string{"4.1", "7.5.4"}, American: []string{"US 16C1"}, Blitz: []string{"US blitz 4"},
		Text: "reason.suspect",
	},

	{
		Kind: FlagFallen, Family: Flag, Alert: Now, FIDE: []string{"6.4", "6.8", "6.9"}, American: []string{"US 13C1", "US 14E"},
		Blitz: []string{"US 13C1", "US blitz 7c"}, Text: "reason.clock.flag",
	},
	{
		Kind: BothFlags, Family: Flag, Alert: Now, FIDE: []string{"6.4", "6.8", "6.9"}, American: []string{"US 13C1", "US 14E"},
		Blitz: []string{"US 13C1", "US blitz 7c"}, Text: "reason.clock.both_flags",
	},
	{
		Kind: ClockSetting, Alert: Advise, FIDE: []string{"6.10.2"},
		Text: "reason.clock.setting_wrong",
	},
	{
		Kind: BonusWrong, Alert: Advise, FIDE: []string{"7.5.5"},
		Text: "reason.clock.bonus_wrong",
	},
	{
		Kind: ForeignPress, Alert: Advise, FIDE: []string{"7.1", "6.10.2"},
		Text: "reason.clock.foreign_press",
	},
	{
		Kind: LeverInPause, Alert: Advise, FIDE: []string{"7.1", "6.10.2"},
		Text: "reason.clock.lever_changed_in_pause",
	},

	{
		Kind: WrongArray, Family: SetUp, Alert: Now, FIDE: []string{"7.2.1"}, American: []string{"US 11F"}, Blitz: []string{"US blitz 3", "US blitz 3A"},
		Text: "reason.setup.wrong_array",
	},
	{
		Kind: BoardRotated, Family: SetUp, Alert: Now, FIDE: []string{"2.1", "7.2.2"}, American: []string{"US 11F"}, Blitz: []string{"US blitz 3", "US blitz 3A"},
		Text: "reason.setup.board_rotated",
	},
	{
		Kind: ColoursReversed, Family: SetUp, Alert: Now, FIDE: []string{"7.3"}, American: []string{"US 11F"}, Blitz: []string{"US blitz 3", "US blitz 3A"},
		Text: "reason.setup.colours_reversed",
	},
	{
		Kind: Unreadable, Family: Sensor, Alert: Advise, FIDE: []string{"7.4.1", "7.4.3", "12.9"}, American: []string{"US 11C", "US 11D"},
		Text: "reason.sensor.unreadable",
	},
	{
		Kind: NotUnderstood, Family: Sensor, Alert: Advise, FIDE: []string{"4.6", "7.5.1", "7.6"}, American: []string{"US 11A", "US 11D"},
		Text: "reason.sensor.unknown",
	},

	{Kind: Checkmate, Family: End, Alert: Now, FIDE: []string{"5.1.1", "6.2.1.1", "6.9"}, American: []string{"US 13A"}, Text: "reason.end.checkmate"},
	{Kind: Stalemate, Family: End, Alert: Now, FIDE: []string{"5.2.1", "6.2.1.1"}, American: []string{"US 14A"}, Text: "reason.end.stalemate"},
	{
		Kind: Dead, Family: End, Alert: Now, FIDE: []string{"5.2.2", "6.2.1.1"}, American: []string{"US 14D"},
		Text: "reason.end.dead",
	},
	{
		Kind: Fivefold, Family: End, Alert: Now, FIDE: []string{"9.6.1", "6.2.1.1"}, American: []string{"US 14K"},
		Text: "reason.end.fivefold",
	},
	{
		Kind: Move75, Family: End, Alert: Now, FIDE: []string{"9.6.2"}, American: []string{"US 14K"},
		Text: "reason.end.move75",
	},
	{
		Kind: IllegalPositionDraw, Family: End, Alert: Now, FIDE: []string{"A.5.4"},
		Text: "reason.end.illegal_position_draw",
	},
	{Kind: ResultSignal, Family: End, Alert: Log, Text: "reason.end.result_signal"},
	{
		Kind: ResultContradicted, Family: End, Alert: Now, FIDE: []string{"5.1.2", "5.2.1"},
		Text: "reason.end.result_contradicted",
	},
	{
		Kind: Threefold, Family: Draw, Alert: OnClaim, FIDE: []string{"9.2", "9.5"}, American: []string{"US 14C"},
		Text: "reason.draw.right",
	},
	{
		Kind: Fifty, Family: Draw, Alert: OnClaim, FIDE: []string{"9.3", "9.5"}, American: []string{"US 14F"},
		Text: "reason.draw.right",
	},
	{
		Kind: ClaimIncorrect, Family: Draw, Alert: OnClaim, FIDE: []string{"9.2", "9.4", "9.5.3"}, American: []string{"US 14C"},
		Text: "reason.draw.claim_incorrect",
	},
}
