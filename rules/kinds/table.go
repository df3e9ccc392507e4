package kinds

// A Row is what belongs to a kind alone.
type Row struct {
	Kind   Kind
	Family Family
	// Transfer: the legality core finds it in the squares of a move, and may know finer articles.
	Transfer bool
	Castling bool // the move was meant as castling
	Check    bool // the offender's king is left in check

	// The articles about the thing itself, in the books. American ones hold for both books of US Chess; Blitz replaces them
	// in the one for blitz.
	FIDE     []string
	American []string
	Blitz    []string
	WBCA     []string

	Treatment Treatment
	Position  Position
	Alert     Alert  // while nothing speaks for another one
	Reason    string // a sentence that an arbiter can read out; {side} is whose doing it is, {squares} where it is seen
}

// Treatment is the key of a profile that says what a rule set makes of an illegal move. Without one it is a strike.
type Treatment uint8

// The keys.
const (
	Strike Treatment = iota
	NoMoveKey
	PromotionKey
	TwoHandsKey
	EPPawnLeftKey
	KingOnlyKey
	PromoTwoKey
)

// Position is what the ruling on an illegal move does to the position.
type Position uint8

// The positions.
const (
	Back         Position = iota // the one before the move
	Queen                        // the pawn becomes a queen
	Stands                       // the move stands
	CastlingDone                 // the castling is completed
	PutBack                      // what was displaced goes back, and the move stands
)

// Alert says how the arbiter is told.
type Alert uint8

// The alerts, from the quietest.
const (
	NoAlert Alert = iota
	Log           // in the record only
	OnClaim       // shown when the arbiter opens a claim
	Advise        // a quiet "please look", no offence named
	Now           // at once
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

// In the articles of FIDE Laws 2023 the knight's row has 3.10.2, the definition of an illegal move, because a knight's move
// has no finer article to break.
var rows = [...]Row{
	{Kind: IllegalPawn, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.7"}},
	{Kind: IllegalKnight, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.6", "3.10.2"}},
	{Kind: IllegalBishop, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.2"}},
	{Kind: IllegalRook, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.3"}},
	{Kind: IllegalQueen, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.4"}},
	{Kind: IllegalKing, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.8.1"}},
	{Kind: IllegalJump, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.5"}},
	{Kind: IllegalOwnCapture, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.1"}},
	{Kind: IllegalKingCapture, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"1.4.1"}, Reason: "{side} has taken the king."},
	{Kind: IllegalExposesKing, Family: Illegal, Transfer: true, Check: true, Alert: Now, FIDE: []string{"3.9.2"}},
	{Kind: IllegalLeftInCheck, Family: Illegal, Transfer: true, Check: true, Alert: Now, FIDE: []string{"3.9.2"}},
	{Kind: IllegalKingIntoCheck, Family: Illegal, Transfer: true, Check: true, Alert: Now, FIDE: []string{"3.9.2"}},
	{Kind: IllegalCastleRightLost, Family: Illegal, Transfer: true, Castling: true, Alert: Now, FIDE: []string{"3.8.2.1.1", "3.8.2.1.2"}},
	{Kind: IllegalCastleBlocked, Family: Illegal, Transfer: true, Castling: true, Alert: Now, FIDE: []string{"3.8.2.2.2"}},
	{Kind: IllegalCastleOutOfCheck, Family: Illegal, Transfer: true, Castling: true, Alert: Now, FIDE: []string{"3.8.2.2.1"}},
	{Kind: IllegalCastleThroughCheck, Family: Illegal, Transfer: true, Castling: true, Alert: Now, FIDE: []string{"3.8.2.2.1"}},
	{Kind: IllegalCastleIntoCheck, Family: Illegal, Transfer: true, Castling: true, Alert: Now, FIDE: []string{"3.8.2.2.1"}},
	{
		Kind: IllegalCastleKingOnly, Family: Illegal, Castling: true, Alert: Now, FIDE: []string{"3.8.1", "3.8.2", "4.7.2"},
		Treatment: KingOnlyKey, Position: CastlingDone, Reason: "{side}'s king has castled, and the rook has not moved.",
	},
	{Kind: IllegalEPLate, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.7.3.2"}},
	{
		Kind: IllegalEPPawnLeft, Family: Illegal, Alert: Now, FIDE: []string{"3.1.1", "3.7.3.1", "6.2.4"}, Treatment: EPPawnLeftKey,
		Reason: "{side} has captured en passant and left the captured pawn on the board.",
	},
	{
		Kind: IllegalPromoIncomplete, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.7.3.3", "7.5.2"}, Treatment: PromotionKey, Position: Queen,
		Reason: "{side}'s pawn reached the last rank, and the clock was pressed before a new piece stood there.",
	},
	{Kind: IllegalPromoBadPiece, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"3.7.3.3"}},
	{
		Kind: IllegalPromoTwo, Family: Illegal, Alert: Now, FIDE: []string{"3.7.3.3", "4.4.4"}, Treatment: PromoTwoKey, Position: Stands,
		Reason: "{side} has put two new pieces on the board.",
	},
	{
		Kind: IllegalNoMove, Family: Illegal, Transfer: true, Alert: Now, FIDE: []string{"6.2.4", "7.5.3"}, Treatment: NoMoveKey,
		Reason: "{side}'s clock was pressed, and no piece had moved.",
	},
	{
		Kind: IllegalTwoHands, Family: Illegal, Alert: Now, FIDE: []string{"4.1", "7.5.4"}, American: []string{"US 16C1"}, Blitz: []string{"US blitz 4"},
		Treatment: TwoHandsKey, Position: Stands, Reason: "{side} has made one move with both hands, as a person reports.",
	},

	{
		Kind: TouchMove, Family: Touch, Alert: Log, FIDE: []string{"4.2.1", "4.2.2", "4.3.1", "4.8", "12.9"}, American: []string{"US 10"},
		Reason: "{side} has lifted one piece, put it back and moved another.",
	},
	{
		Kind: RookFirst, Family: Touch, Alert: Log, FIDE: []string{"4.4.2", "4.3.1", "4.7", "4.8"}, American: []string{"US 10I2"},
		Reason: "{side} has castled with the rook first.",
	},
	{
		Kind: ReleasedMoved, Family: Touch, Alert: Log, FIDE: []string{"4.7", "4.8", "12.9"}, American: []string{"US 10"},
		Reason: "{side}'s piece stood on one square and was then moved to another.",
	},
	{
		Kind: PromoChanged, Family: Touch, Alert: Log, FIDE: []string{"4.4.4", "4.8", "12.9"}, American: []string{"US 10"},
		Reason: "{side}'s new piece was replaced by another one on the promotion square.",
	},
	{
		Kind: PromoWrongColour, Alert: Now, FIDE: []string{"3.7.3.3", "12.9"}, American: []string{"US 9D"},
		Reason: "{side} has promoted to a piece of the other colour.",
	},
	{
		Kind: OutOfTurn, Family: Turn, Alert: Now, FIDE: []string{"1.2", "1.3", "11.5", "12.9"}, American: []string{"US 1C2"},
		Reason: "{side} has moved without having the move.",
	},
	{
		Kind: DoubleMove, Family: Turn, Alert: Now, FIDE: []string{"1.2", "1.3", "12.9"}, American: []string{"US 1C2"},
		Reason: "{side} has made two moves in one turn.",
	},
	{
		Kind: Displaced, Family: Displacement, Alert: Advise, FIDE: []string{"7.4.1", "7.4.2", "7.4.3", "12.9"}, American: []string{"US 11C", "US 11D"},
		Position: PutBack, Reason: "A piece was displaced when {side}'s clock was pressed.",
	},
	{
		Kind: DisplacedFound, Alert: Now, FIDE: []string{"7.6", "7.1"},
		Reason: "A piece was displaced earlier in the game{squares}.",
	},
	{
		Kind: PressBeforeDone, Alert: Log, FIDE: []string{"6.2.1", "6.2.4", "12.9"},
		Reason: "{side}'s clock was pressed before the move was finished.",
	},
	{
		Kind: OtherHand, Alert: OnClaim, FIDE: []string{"6.2.3", "12.9"}, American: []string{"US 16C1"}, Blitz: []string{"US blitz 4"},
		WBCA: []string{"WBCA 4"}, Reason: "{side} has moved with one hand and pressed with the other, as a person reports.",
	},
	{
		Kind: TwoHandsWBCA, Alert: OnClaim, WBCA: []string{"WBCA 4"},
		Reason: "{side} has used both hands for one move, as a person reports.",
	},
	{
		Kind: AdjustOffTurn, Alert: Log, FIDE: []string{"4.2.1", "6.2.5", "11.5", "12.9"}, American: []string{"US 10"},
		Reason: "A piece was lifted and put back while the opponent's clock ran.",
	},
	{
		Kind: PauseNoReason, Alert: Advise, FIDE: []string{"6.11.2", "6.11.4", "12.9"},
		Reason: "The clock was stopped, and no reason is known.",
	},
	{
		Kind: DrawOfferTiming, Alert: NoAlert, FIDE: []string{"9.1.2.1", "11.5", "12.9"},
		Reason: "{side} has offered a draw at the wrong moment, as a person reports.",
	},

	{
		Kind: SuspectCapture, Family: Hand, Alert: Advise, FIDE: []string{"4.1", "7.5.4"}, American: []string{"US 16C1"}, Blitz: []string{"US blitz 4"},
		Reason: "The timing of {side}'s move suggests two hands; please look.",
	},
	{
		Kind: SuspectCastling, Family: Hand, Alert: Advise, FIDE: []string{"4.1", "7.5.4"}, American: []string{"US 16C1"},
		Blitz: []string{"US blitz 4"}, Reason: "The timing of {side}'s move suggests two hands; please look.",
	},
	{
		Kind: SuspectPromotion, Family: Hand, Alert: Advise, FIDE: []string{"4.1", "7.5.4"}, American: []string{"US 16C1"}, Blitz: []string{"US blitz 4"},
		Reason: "The timing of {side}'s move suggests two hands; please look.",
	},

	{
		Kind: FlagFallen, Family: Flag, Alert: Now, FIDE: []string{"6.4", "6.8", "6.9"}, American: []string{"US 13C1", "US 14E"},
		Blitz: []string{"US 13C1", "US blitz 7c"}, Reason: "{side}'s time is used up.",
	},
	{
		Kind: BothFlags, Family: Flag, Alert: Now, FIDE: []string{"6.4", "6.8", "6.9"}, American: []string{"US 13C1", "US 14E"},
		Blitz: []string{"US 13C1", "US blitz 7c"}, Reason: "The time of both players is used up.",
	},
	{
		Kind: ClockSetting, Alert: Advise, FIDE: []string{"6.10.2"},
		Reason: "The clock was set wrongly, as a person reports.",
	},
	{
		Kind: BonusWrong, Alert: Advise, FIDE: []string{"7.5.5"},
		Reason: "The times on the clock are not those of the ruling: {note}.",
	},
	{
		Kind: ForeignPress, Alert: Advise, FIDE: []string{"7.1", "6.10.2"},
		Reason: "The clock was pressed by somebody else, as a person reports.",
	},
	{
		Kind: LeverInPause, Alert: Advise, FIDE: []string{"7.1", "6.10.2"},
		Reason: "The lever was moved while the clock stood.",
	},

	{
		Kind: WrongArray, Family: SetUp, Alert: Now, FIDE: []string{"7.2.1"}, American: []string{"US 11F"}, Blitz: []string{"US blitz 3", "US blitz 3A"},
		Reason: "The pieces did not stand as a game begins{squares}.",
	},
	{
		Kind: BoardRotated, Family: SetUp, Alert: Now, FIDE: []string{"2.1", "7.2.2"}, American: []string{"US 11F"}, Blitz: []string{"US blitz 3", "US blitz 3A"},
		Reason: "The board is turned by a quarter: the corner at the right hand is dark.",
	},
	{
		Kind: ColoursReversed, Family: SetUp, Alert: Now, FIDE: []string{"7.3"}, American: []string{"US 11F"}, Blitz: []string{"US blitz 3", "US blitz 3A"},
		Reason: "The players have each other's colours, as a person reports.",
	},
	{
		Kind: Unreadable, Family: Sensor, Alert: Advise, FIDE: []string{"7.4.1", "7.4.3", "12.9"}, American: []string{"US 11C", "US 11D"},
		Reason: "A square reads empty where a piece should stand{squares}.",
	},
	{
		Kind: NotUnderstood, Family: Sensor, Alert: Advise, FIDE: []string{"4.6", "7.5.1", "7.6"}, American: []string{"US 11A", "US 11D"},
		Reason: "The board shows what no legal move explains{squares}.",
	},

	{Kind: Checkmate, Family: End, Alert: Now, FIDE: []string{"5.1.1", "6.2.1.1", "6.9"}, American: []string{"US 13A"}, Reason: "{side} has given checkmate."},
	{Kind: Stalemate, Family: End, Alert: Now, FIDE: []string{"5.2.1", "6.2.1.1"}, American: []string{"US 14A"}, Reason: "Stalemate."},
	{
		Kind: Dead, Family: End, Alert: Now, FIDE: []string{"5.2.2", "6.2.1.1"}, American: []string{"US 14D"},
		Reason: "Neither player can give mate any more.",
	},
	{
		Kind: Fivefold, Family: End, Alert: Now, FIDE: []string{"9.6.1", "6.2.1.1"}, American: []string{"US 14K"},
		Reason: "The same position has appeared five times.",
	},
	{
		Kind: Move75, Family: End, Alert: Now, FIDE: []string{"9.6.2"}, American: []string{"US 14K"},
		Reason: "Seventy-five moves by each player without a pawn move or a capture.",
	},
	{
		Kind: IllegalPositionDraw, Family: End, Alert: Now, FIDE: []string{"A.5.4"},
		Reason: "The illegal position is still on the board after the next completed move.",
	},
	{Kind: ResultSignal, Family: End, Alert: Log, Reason: "The kings were put in the centre to show the result."},
	{
		Kind: ResultContradicted, Family: End, Alert: Now, FIDE: []string{"5.1.2", "5.2.1"},
		Reason: "The result {note} was entered, and the position on the board contradicts it.",
	},
	{
		Kind: Threefold, Family: Draw, Alert: OnClaim, FIDE: []string{"9.2", "9.5"}, American: []string{"US 14C"},
		Reason: "{side} claims a draw, and rightly.",
	},
	{
		Kind: Fifty, Family: Draw, Alert: OnClaim, FIDE: []string{"9.3", "9.5"}, American: []string{"US 14F"},
		Reason: "{side} claims a draw, and rightly.",
	},
	{
		Kind: ClaimIncorrect, Family: Draw, Alert: OnClaim, FIDE: []string{"9.2", "9.4", "9.5.3"}, American: []string{"US 14C"},
		Reason: "{side} claims a draw, and wrongly.",
	},
}
