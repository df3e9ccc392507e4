package play

// Cost is how hard something is to believe, in milli-nats: the negative natural logarithm of its probability times
// 1,000.
type Cost int32

// An Arc is a row of the table: one thing that may have happened.
type Arc uint8

// The rows of the table arcs, which gives the source of each.
const (
	NoArc Arc = iota
	ArcPly
	ArcUnderpromotion
	ArcNotSeen
	ArcPassing
	ArcOutOfOrder
	ArcClockOdd
	ArcUnpressed
	ArcAnswered
	ArcAgain
	ArcMerged
	ArcUnseen
	ArcUnseenGap
	ArcReply
	ArcReplyBegun
	ArcLater
	ArcUnusual
	ArcAirNext
	ArcVictimNext
	ArcVictimFirst
	ArcOnWay
	ArcAir
	ArcGhost
	ArcDrag
	ArcMisread
	ArcMore
	ArcPromotionUnread
	ArcPromotionPawn
	ArcLate
	ArcOffence
	ArcPromotionOpen
	ArcNoMove
	ArcDoubt
	ArcStands
	ArcNotAPress
	ArcUnknown
	ArcUnknownGap
	ArcQuietPly
	ArcUnseenQuiet
	ArcIdle
	ArcTakeBack
	arcCount
)

type arcRow struct {
	name   string
	cost   Cost
	source string
}

// arcs is the table. The costs are those of the prototype in inference notes 6, which were set on 560 generated games;
// a row with a counted rate gives it. A row that applies only under a condition names it after "guard:".
var arcs = [arcCount]arcRow{
	NoArc: {"none", 0, ""},

	// Plies.
	ArcPly:            {"ply", 0, "a legal ply that its press completed"},
	ArcUnderpromotion: {"underpromotion", 1500, "a promotion to rook, bishop or knight whose piece was not read"},
	ArcNotSeen:        {"not_seen", 1500, "a ply whose placement never stood on the board exactly: the reply began too soon, or a phantom"},
	ArcPassing:        {"passing", 1400, "the placement stood for less than passingUS: a piece that slides on, or a captured one that is dragged away, is read there as well"},
	ArcOutOfOrder:     {"out_of_order", 1500, "plies of an unseen chain whose squares came to rest in another order"},
	ArcClockOdd:       {"clock_odd", 10000, "a merged reading of the clock that the story leaves unexplained"},
	ArcUnpressed:      {"unpressed", 2500, "a forgotten press: a few in a thousand plies"},
	ArcAnswered:       {"answered", 200, "the reply to an unpressed ply: its lever cannot move"},
	ArcAgain:          {"again", 1000, "a further forgotten pair: who has forgotten once has not noticed yet"},
	ArcMerged:         {"merged", 300, "two presses in one reading of the clock: the resting side's time has changed"},
	ArcUnseen:         {"unseen", 2500, "a ply of which no image was seen although the line was whole"},
	ArcUnseenGap:      {"unseen_gap", 300, "a ply in a gap of the line"},

	// What is left on the board at the press.
	ArcReply:           {"reply", 400, "the opponent's whole legal reply stands already: 0.4 to 4 % of plies"},
	ArcReplyBegun:      {"reply_begun", 1200, "some of a legal reply is done, at any stage of the hands that make it (reply.go); guard: each square of the ply was seen as it leaves it"},
	ArcLater:           {"later", 1200, "plies made after the one that this press completed stand already; guard: in a scramble, where the ply stood no longer than a report of a press can be on its way, and each ply after it stood by itself"},
	ArcUnusual:         {"unusual", 2000, "the report of that press comes later by a margin than the last eight did in this game, one that was much later than the others left out"},
	ArcAirNext:         {"air_next", 200, "a piece of the side to move next is in the air: its turn has begun"},
	ArcVictimNext:      {"victim_next", 600, "a piece of the mover is gone: a capture has begun; guard: a piece in the air could capture it"},
	ArcVictimFirst:     {"victim_first", 1200, "a capture that begins with its victim (19 % of captures); guard: the placement stood before the press, some piece could capture it"},
	ArcOnWay:           {"on_way", 3000, "the piece that begins its turn is read on a square where it makes no legal ply: a slide"},
	ArcAir:             {"air", 4000, "a piece is not read: 5 dropouts of 0.3 s an hour, one square in 32"},
	ArcGhost:           {"ghost", 4500, "a piece is read where none stands"},
	ArcDrag:            {"drag", 1500, "the captured piece is read beside its square while it is taken away: 5 of 37 captures; guard: only the captured piece"},
	ArcMisread:         {"misread", 4500, "another piece is read"},
	ArcMore:            {"more", 5000, "each further one of the last four at the same time: they are not independent luck"},
	ArcPromotionUnread: {"promotion_unread", 9000, "the promoted piece is not read at the press"},
	ArcPromotionPawn:   {"promotion_pawn", 13000, "a pawn stands on the last rank and is taken for a promoted piece"},
	ArcLate:            {"late", 1000, "the image came more than 0.35 s after the report of the press"},

	// Offences are expensive.
	ArcOffence:       {"offence", 6000, "a transfer that no legal move makes: 1 in 100 presses times 1 in 4 of its look-alikes"},
	ArcPromotionOpen: {"promotion_open", 5000, "a promotion that is not completed at the press"},
	ArcNoMove:        {"no_move", 6000, "a press without a move"},
	ArcDoubt:         {"doubt", 4000, "an offence at the first press after a gap of the line"},
	ArcStands:        {"stands", 1000, "the game goes on from the position that an offence has left"},

	// The lever.
	ArcNotAPress:  {"not_a_press", 12000, "the lever changed and nobody pressed"},
	ArcUnknown:    {"unknown", 15000, "plies that are not known: the line goes on from the board; guard: after a loss, or where all else costs 10,000"},
	ArcUnknownGap: {"unknown_gap", 8000, "the same after a gap of the line; guard: the same"},

	// Without a clock.
	ArcQuietPly:    {"quiet_ply", 1000, "a ply; what an image shows beyond it costs what it costs at a press, by how long the image stood"},
	ArcUnseenQuiet: {"unseen_quiet", 1500, "a ply of which no dump shows anything, where less than calmUS passed for each"},
	ArcIdle:        {"idle", 3000, "one of several unseen plies brings the board no nearer to what the dump shows: there and back, one of some 30 legal ones"},
	ArcTakeBack:    {"take_back", 2500, "the last plies were taken back; guard: an earlier position stands again for backUS"},
}

func (a Arc) cost() Cost { return arcs[a].cost }

// String is the row's name.
func (a Arc) String() string {
	if int(a) < len(arcs) {
		return arcs[a].name
	}
	return "none"
}

const (
	maxExplanations = 8  // stories of one press that are returned; no caller has needed one further down
	longestChain    = 16 // plies without a press that a story may go through
)

// Without a clock.
const (
	courseWidth        = 6      // courses that are kept
	courseMargin  Cost = 60_000 // courses that cost this much more than the best are dropped
	settleMargin  Cost = 5000   // plies shared by all courses this close to the best are settled
	tieMargin     Cost = 1000   // courses to the same position whose costs differ by no more count as equal
	rowRest       Cost = 3000   // an image with as much beyond two plies may hide more of them
	unclearRest   Cost = 4500   // an image with as much beyond every course may show plies that are not known
	maxRest            = 8      // with more squares that differ after the first of two plies, no second ply is tried
	quietBudget        = 200    // positions that the search for a row of plies of one length may visit
	imageBudget        = 1500   // the same for all courses and lengths at one image
	maxBack            = 12     // plies within which a take-back is recognised
	longestCourse      = 24     // plies that may be unsettled
	maxTies            = 32     // spans of plies for which another course has other plies
)
