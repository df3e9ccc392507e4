package detector

import (
	"strconv"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// This file watches the suspicions of two hands themselves (timing notes 4.6). If many more manipulations look like two hands than
// the calibration makes us expect, the model does not fit this board or this player, or he does it as a habit: nobody can tell from timing
// which. Then nobody else is asked to look, until a person has said what the earlier ones were. What was told stays told.
//
// How many are too many must be said after a handful of captures, and looked at again after each. So it is a bet: a martingale that stakes on
// "three in ten" (a board: "one in ten") against "twice as many as expected". As long as the latter is not exceeded it
// reaches the odds of 4,000 : 1 with a chance of at most 1 : 4,000, however often one looks (Ville's inequality). Two players and a board
// are three bets a game: by chance alone less than one honest game in 1,000 is held back.

// HandsUnusual is the logarithm, in milli-nats as stated before the cap, from which on a manipulation counts as one that looks like two
// hands: the level of the record, timing notes 3.7.
const HandsUnusual = 3500

const (
	creditOdds      = 8294    // 1000·ln 4000
	creditDismissed = 2996    // 1000·ln 20: an arbiter has looked, and it was none
	playerStake     = 300_000 // ppm that look like two hands, of a player with the habit or whom the model does not know
	boardStake      = 100_000 // likewise of a board
	boardHits       = 2       // of one player in one game count for the board: a habit is no defect of the board
	playerTold      = 2       // so many of a player must have been told in a game before any is held back: a habit is to be seen
	boardTold       = 3       // likewise of a board
	creditFloor     = -1_000_000
	expectedTimes   = 2 // so many times as many as expected are still believed
	maxTold         = 64
)

// expectedHands are what share of each kind reaches HandsUnusual, in parts per million: of one-handed ones, and of two-handed ones by
// class of play. Measured on the families of internal/hands, T = 50 to 290 ms; a test there holds them against the generators.
var expectedHands = [...]struct {
	one int32
	two [plays]int32
}{
	hands.Capture:   {2000, [plays]int32{270_000, 360_000, 440_000}},
	hands.Castling:  {5000, [plays]int32{840_000, 890_000, 900_000}},
	hands.Promotion: {1000, [plays]int32{40_000, 80_000, 130_000}},
}

// Expected is what share of a kind reaches HandsUnusual where the calibration and the prior are right, in parts per million.
func (h *Hands) Expected(k hands.Kind, p Play, trouble bool) int32 {
	if k == hands.NoKind || int(k) >= len(expectedHands) {
		return 0
	}
	kind, e := h.Of(k), &expectedHands[k]
	p = min(p, ClassicalPlay)
	prior := int64(kind.Play[p].prior(kind, trouble))
	return int32((int64(e.one)*(hands.Million-prior) + int64(e.two[p])*prior) / hands.Million)
}

// HandsCount counts manipulations that were judged.
type HandsCount struct {
	Judged   int
	Unusual  int // at or above HandsUnusual
	Advisory int // at or above the advisory threshold
	Held     int // of the latter: nobody was told, because there were too many
}

func (c *HandsCount) add(o *HandsJudged, advisory bool) {
	c.Judged++
	if o.Stated >= HandsUnusual {
		c.Unusual++
	}
	if advisory {
		c.Advisory++
	}
	if o.Held != NobodyHeld {
		c.Held++
	}
}

// credit is one bet.
type credit struct {
	score int32 // 1000·ln of the odds
	held  bool
	told  int
	count HandsCount
}

// bet takes one manipulation. Null is what share may look like two hands, least how many must have been told before one is held back.
func (c *credit) bet(unusual bool, null, stake int32, least int) {
	if null <= 0 || null >= stake {
		return // there so many are expected that nothing would be too many
	}
	win := hands.Gain(null, stake)
	if !unusual {
		win = hands.Gain(hands.Million-null, hands.Million-stake)
	}
	c.score = max(min(c.score+win, max(c.score, creditOdds)), creditFloor)     // no higher, so that there is a way back
	c.held = c.score >= creditOdds && c.told >= least || c.held && c.score > 0 // until the odds are even again
}

// redeem is what a suspicion that proved true does.
func (c *credit) redeem() { c.score, c.held = min(c.score, 0), false }

// A HandsScope is whose suspicions are held back.
type HandsScope uint8

// The scopes.
const (
	NobodyHeld HandsScope = iota
	PlayerHeld            // until the game is over
	BoardHeld
)

// String is the word in the journal.
func (s HandsScope) String() string { return [...]string{"nobody", "player", "board"}[s%3] }

// HandsHeld says that suspicions are held back from now on, or told again.
type HandsHeld struct {
	Stamp
	Game  int
	Scope HandsScope
	Side  legal.Side // of a player
	Held  bool
	Count HandsCount // of him in this game, or of the board
	Why   HandsWhy
}

func (HandsHeld) outcome() {}

// HandsWhy is what has changed it.
type HandsWhy uint8

// The reasons.
const (
	ByNumber    HandsWhy = iota // too many, or no longer too many
	ByDecision                  // the arbiter has decided an earlier one
	ByOtherEnds                 // another board, or other figures in the configuration
)

// Detail is a sentence about it.
func (h HandsHeld) Detail() string {
	who := "this board"
	if h.Scope == PlayerHeld {
		who = h.Side.Name()
	}
	if !h.Held {
		why := [...]string{"the later ones were as expected", "an earlier one was decided so", "it is another board, or other figures hold"}[h.Why%3]
		return "two hands: suspicions of " + who + " are told again: " + why
	}
	return "two hands: judged for the record only: " + who + " reports two hands too often to be believed (" +
		strconv.Itoa(h.Count.Unusual) + " of " + strconv.Itoa(h.Count.Judged) + "); decide the earlier ones: a confirmed one is believed"
}

// HandsVerdict is what the arbiter made of a suspicion.
type HandsVerdict uint8

// The verdicts. Not seen is none: who looked too late knows nothing (timing notes 4.6).
const (
	HandsOpen HandsVerdict = iota
	HandsTrue
	HandsFalse
)

// toldHands is one suspicion that was told.
type toldHands struct {
	game, ply int
	side      legal.Side
	verdict   HandsVerdict
}

// handsCredit is the whole watch.
type handsCredit struct {
	board   credit
	players [3]credit // of this game
	vouched [3]int    // how many suspicions of them the arbiter has confirmed in it, less those that he has dismissed
	told    []toldHands
	kinds   [hands.Promotion + 1]HandsCount // of the board
	unasked [2]bool                         // whom the rules ask nothing about: castling, and the rest
}

// newGame forgets the players. Old debts of the board stay; that it was good for long is no reason to look away now.
func (c *handsCredit) newGame() {
	c.players, c.vouched = [3]credit{}, [3]int{}
	if !c.board.held {
		c.board.score = max(c.board.score, 0)
	}
}

// AskHands says whether the rules in force ask about two hands. Where they do not, what looks like it is no matter for wonder.
func (t *Tracker) AskHands(castling, others bool) {
	t.hands.credit.unasked = [2]bool{!castling, !others}
}

func (c *handsCredit) asked(k hands.Kind) bool {
	if k == hands.Castling {
		return !c.unasked[0]
	}
	return !c.unasked[1]
}

// heldHands is whether, and as whose, suspicions of a player are held back. In a recording nobody is called to a board, and all are told.
func (t *Tracker) heldHands(s legal.Side) HandsScope {
	c := &t.hands.credit
	switch {
	case t.p.Passive || c.vouched[s] > 0:
		return NobodyHeld
	case c.players[s].held:
		return PlayerHeld
	case c.board.held:
		return BoardHeld
	}
	return NobodyHeld
}

// weigh counts a manipulation that was judged, and bets on it; not on what is judged later, which nobody has been told.
func (t *Tracker) weigh(o *HandsJudged, said Statement, of haste) {
	if !o.Known {
		return
	}
	c := &t.hands.credit
	player := &c.players[o.Side]
	c.kinds[o.Kind].add(o, said.Advisory)
	forBoard := player.count.Unusual < boardHits && c.vouched[o.Side] <= 0
	player.count.add(o, said.Advisory)
	c.board.count.add(o, said.Advisory)
	if t.p.Passive || o.Later || !c.asked(o.Kind) {
		return
	}
	before := [...]bool{player.held, c.board.held}
	unusual := o.Stated >= HandsUnusual
	null := min(t.p.Hands.Expected(o.Kind, o.Play, of.short), hands.Million/expectedTimes) * expectedTimes
	if c.vouched[o.Side] <= 0 && !c.board.held {
		player.bet(unusual, null, playerStake, playerTold)
	}
	if forBoard {
		c.board.bet(unusual, null, boardStake, boardTold)
	}
	t.tellHeld(before, o.Side, ByNumber)
}

// tellHeld says what has changed: before is how it was with a player and with the board.
func (t *Tracker) tellHeld(before [2]bool, s legal.Side, why HandsWhy) {
	c := &t.hands.credit
	for i, now := range [...]*credit{&c.players[s], &c.board} {
		if now.held != before[i] {
			h := HandsHeld{Stamp: t.now, Game: t.games, Scope: BoardHeld, Held: now.held, Count: now.count, Why: why}
			if i == 0 {
				h.Scope, h.Side = PlayerHeld, s
			}
			t.emit(h)
		}
	}
}

// owe notes a suspicion that was told.
func (c *handsCredit) owe(x toldHands) {
	if len(c.told) == maxTold {
		c.told = c.told[:copy(c.told, c.told[1:])]
	}
	c.told = append(c.told, x)
	c.players[x.side].told++
	c.board.told++
}

// HandsDecided is what the arbiter made of two hands for a move: of a suspicion, or of a person's report of the same move.
func (t *Tracker) HandsDecided(st Stamp, game, ply int, side legal.Side, v HandsVerdict) {
	t.now = st
	c := &t.hands.credit
	if t.p.Passive {
		return
	}
	for i := len(c.told) - 1; i >= 0; i-- {
		x := &c.told[i]
		if x.game != game || x.ply != ply || x.side != side {
			continue
		}
		if x.verdict == v {
			return
		}
		was := x.verdict
		x.verdict = v
		before := [...]bool{c.players[side].held, c.board.held}
		if game == t.games {
			c.players[side].decided(was, v, playerTold)
			c.vouched[side] += counts(v, HandsTrue) - counts(was, HandsTrue) - counts(v, HandsFalse) + counts(was, HandsFalse)
		}
		c.board.decided(was, v, boardTold)
		t.tellHeld(before, side, ByDecision)
		return
	}
}

func counts(v, of HandsVerdict) int {
	if v == of {
		return 1
	}
	return 0
}

// decided changes the verdict on one suspicion.
func (c *credit) decided(was, is HandsVerdict, least int) {
	by := int32(counts(is, HandsFalse)-counts(was, HandsFalse)) * creditDismissed
	c.score += by
	switch {
	case is == HandsTrue:
		c.redeem()
	case by > 0:
		c.held = c.held || c.score >= creditOdds && c.told >= least
	case by < 0: // it was not meant so
		c.held = c.score >= creditOdds
	}
}

// forgive begins anew: it is another board, or other figures hold.
func (t *Tracker) forgive() {
	c := &t.hands.credit
	held := [...]bool{false, c.board.held}
	*c = handsCredit{kinds: c.kinds, unasked: c.unasked, vouched: c.vouched, told: c.told}
	t.tellHeld(held, legal.NoSide, ByOtherEnds)
}

// HandsCounts are what was judged of a kind since the journal began.
func (t *Tracker) HandsCounts(k hands.Kind) HandsCount {
	if int(k) >= len(t.hands.credit.kinds) {
		return HandsCount{}
	}
	return t.hands.credit.kinds[k]
}

// HandsHeld says whose suspicions are held back now.
func (t *Tracker) HandsHeld() (white, black, board bool) {
	c := &t.hands.credit
	held := func(s legal.Side) bool { return c.players[s].held && c.vouched[s] <= 0 }
	return held(legal.White), held(legal.Black), c.board.held
}
