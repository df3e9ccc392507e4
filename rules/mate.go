package rules

import (
	"slices"

	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// MatingBudget is the default limit of moves tried for one question whether a side can ever mate. A small computer
// needs a second for all of them; a position of a real game needs far fewer.
const MatingBudget = 1_000_000

// deadBudget is the limit for the question whether a position is dead. It is low because the answer is nearly always
// no.
const deadBudget = 20_000

// A Mate is the answer to the question on which a losing strike or a fallen flag depends: whether the side can ever
// give mate in that position, by any series of legal moves (FIDE Laws 6.9, 7.5.5).
type Mate struct {
	Side    legal.Side
	Verdict string         // possible, never, unknown
	Reason  string         // one word of package helpmate: played; over, material, forced, walls, visited, counted; budget, memory
	Line    []string       // SAN. Possible: moves to mate, empty if it is on the board. Forced: the longest line to its end
	FEN     string         // the position examined
	Text    words.Sentence // about it

	because words.Sentence // the part after "White can never mate: "
	example words.Sentence // the line as shown in a sentence; empty where there is none
	spent   words.Sentence // says that the search ended at its limit, without an answer
}

func sameMate(a, b *Mate) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	return a.Side == b.Side && a.Verdict == b.Verdict && a.Reason == b.Reason && slices.Equal(a.Line, b.Line) && a.FEN == b.FEN && a.Text.Equal(b.Text)
}

// newMate puts an answer into words.
func newMate(pos *legal.Position, side legal.Side, limit int, a *helpmate.Answer) *Mate {
	m := &Mate{Side: side, Verdict: a.Verdict.String(), Reason: a.Reason.String(), FEN: pos.FEN()}
	l := played(pos, a.Line)
	if a.Reason == helpmate.Played || a.Reason == helpmate.Forced {
		m.Line = l.san
	}
	switch a.Verdict {
	case helpmate.Never:
		m.because = cause(pos, side, a)
		m.Text = asSentence(whyNever(pos, side, a))
	case helpmate.Possible:
		m.example = l.short()
		m.Text = asSentence(whyPossible(pos, side, a))
	default:
		m.spent = spent(pos, limit, a)
		m.Text = words.Say("can.unknown", side, m.spent)
	}
	return m
}

// spent names the limit that ended a search without an answer.
func spent(pos *legal.Position, limit int, a *helpmate.Answer) words.Sentence {
	switch a.Reason {
	case helpmate.NoReason:
		if pos.PawnAtTheEnd() {
			return words.Say("found.rank")
		}
	case helpmate.OutOfBudget:
		return words.Say("found.budget", limit)
	case helpmate.OutOfMemory:
		return words.Say("found.memory")
	}
	return words.Say("found.no")
}

// mateAnswer is a remembered answer about mate.
type mateAnswer struct {
	pos   legal.Position
	side  legal.Side
	limit int
	says  helpmate.Answer
	words *Mate
}

// maxAnswers allows two answers for each matter.
const maxAnswers = 2 * maxMatters

// SetMatingBudget limits the moves tried for one question whether a side can ever mate; 0 or less: MatingBudget. Past
// the limit the answer is unknown, and a person has to look.
func (d *Docket) SetMatingBudget(moves int) {
	if moves <= 0 {
		moves = MatingBudget
	}
	if moves != d.budget {
		d.budget, d.mates, d.all = moves, nil, true
	}
}

// askMate answers whether a side can ever give mate by legal moves. Answers are remembered, because entries are judged
// anew at every step.
func (d *Docket) askMate(pos *legal.Position, side legal.Side, limit int) *mateAnswer {
	limit = min(limit, d.budget)
	for i := range d.mates {
		if a := &d.mates[i]; a.side == side && a.limit == limit && a.pos == *pos {
			return a
		}
	}
	if len(d.mates) >= maxAnswers {
		d.mates = d.mates[:copy(d.mates, d.mates[maxAnswers/2:])]
	}
	asked := d.counted(*pos)
	a := helpmate.Ask(&asked, side, limit)
	if a.Verdict == helpmate.Never && pos.PawnAtTheEnd() {
		a = helpmate.Answer{Verdict: helpmate.Unknown, Nodes: a.Nodes} // helpmate treats the pawn as immobile
	}
	d.mates = append(d.mates, mateAnswer{pos: *pos, side: side, limit: limit, says: a})
	return &d.mates[len(d.mates)-1]
}

// counted returns the position with the half-move counter that the rule set uses: where 75 moves do not end a game by
// themselves, they do not end a line either.
func (d *Docket) counted(pos legal.Position) legal.Position {
	if d.p.Move75 == "draw" {
		return pos
	}
	return pos.Uncounted()
}

// canWin applies the rule set's test for a win by a strike or on time (laws notes 3.1; FIDE Laws 6.9, 7.5.5; US Chess
// 14E, 7c). The answer about mate goes with the ruling.
func (s *sheet) canWin(pos *legal.Position, side legal.Side) helpmate.Verdict {
	d := s.d
	if d.p.MatingTest == "helpmate" {
		a := d.askMate(pos, side, d.budget)
		if a.words == nil {
			a.words = newMate(pos, side, a.limit, &a.says)
		}
		s.r.Mate = a.words
		return a.says.Verdict
	}
	if !hasMaterial(pos, side, d.p.MatingTest) {
		return helpmate.Never
	}
	if d.never(pos, side, 0) && d.never(pos, side.Other(), 0) {
		s.dead = true // regardless of material (US Chess 14D4)
		return helpmate.Never
	}
	return helpmate.Possible
}

func (d *Docket) never(pos *legal.Position, side legal.Side, limit int) bool {
	return d.askMate(pos, side, limit).says.Verdict == helpmate.Never
}

// over reports whether a position ends the game by itself: mate, stalemate, or dead (5.1.1, 5.2.1, 5.2.2). The 75-move
// rule alone does not make a position dead: the game is drawn only when those moves have been played.
func (d *Docket) over(pos *legal.Position) bool {
	switch pos.Outcome() {
	case legal.Checkmate, legal.Stalemate:
		return true
	}
	p := pos.Uncounted()
	return d.never(&p, legal.White, deadBudget) && d.never(&p, legal.Black, deadBudget)
}

// whyDead returns the reason why neither player can ever mate in the position of the case, if the search finds it
// again.
func (s *sheet) whyDead() words.Sentence {
	pos, ok := s.after()
	if !ok {
		return words.Sentence{}
	}
	pos = pos.Uncounted()
	white, black := s.d.askMate(&pos, legal.White, deadBudget).says, s.d.askMate(&pos, legal.Black, deadBudget).says
	switch {
	case white.Verdict != helpmate.Never || black.Verdict != helpmate.Never:
		return words.Sentence{}
	case white.Reason == helpmate.Material && black.Reason == helpmate.Material:
		return words.Say("dead.material", versus(&pos, legal.White))
	case white.Wall == helpmate.Closed && black.Wall == helpmate.Closed && len(white.Line)+len(black.Line) == 0:
		return words.Say("dead.walls")
	}
	return beside(asSentence(whyNever(&pos, legal.White, &white)), asSentence(whyNever(&pos, legal.Black, &black)))
}
