package rules

import (
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file questions an entered result that the position contradicts (FIDE Laws 5.1.1, 5.1.2, 5.2.1). The arbiter may
// insist, because of a forfeit or another decision that the program does not know.

// resultEntered handles a result that a person enters.
func (d *Docket) resultEntered(e ResultEntered) {
	d.explain(words.Say("explained.result"))
	insists := false
	for _, m := range d.matters {
		if m.c.Kind != kinds.ResultContradicted || !m.live() || m.decision != "" {
			continue
		}
		if m.c.Note.Text == e.Result {
			m.insisted, insists = true, true
			continue
		}
		m.c.State, m.c.Note = Withdrawn, words.Say("explained.other_result")
	}
	if insists {
		return
	}
	pos := e.Position
	if pos == (legal.Position{}) {
		pos = d.pos
	}
	if right, _, _ := d.contradicts(e.Result, &pos, nil); right == "" {
		return
	}
	c := Case{
		ID: kinds.ID(e.Seq, kinds.ResultContradicted), Kind: kinds.ResultContradicted, Game: d.game, Ply: d.ply, Side: e.Resigned,
		State: Confirmed, Proof: Certain, Permille: 1000, Known: true, Before: d.pos, At: pos.Placement(), Stands: true, After: pos,
		Clock: d.clock.shows, Gained: -1, Note: words.Verbatim(e.Result),
	}
	if d.find(c.ID) == nil {
		d.add(c)
	}
}

// unquestioned withdraws the question about a result that was taken back.
func (d *Docket) unquestioned() {
	for _, m := range d.matters {
		if m.c.Kind == kinds.ResultContradicted && m.live() && m.decision == "" {
			m.c.State, m.c.Note, m.insisted = Withdrawn, words.Say("withdrawn.game_on"), false
		}
	}
}

// Questioned reports whether an entered result contradicts the position and the arbiter has not answered yet.
func (d *Docket) Questioned() bool {
	return d.latest(func(m *matter) bool {
		return m.c.Kind == kinds.ResultContradicted && m.live() && !m.insisted && m.decision == ""
	}) != nil
}

// AnsweredResult returns the result after the arbiter's decision about such a question: if confirmed, the one that the
// position gives; if rejected, the one that was entered. Answered is false for any other finding and without a
// decision.
func (d *Docket) AnsweredResult(finding string) (result string, answered bool) {
	m := d.find(finding)
	if m == nil || m.c.Kind != kinds.ResultContradicted {
		return "", false
	}
	switch m.decision {
	case doConfirm:
		return m.entry.Ruling.Result, true
	case doReject, doSensor:
		return m.c.Note.Text, true
	}
	return "", false
}

// contradicts returns the result that the position gives instead of the one entered, with a sentence and the articles;
// "": no contradiction, or not known. The sheet, if any, receives the proof that a side can never mate.
func (d *Docket) contradicts(result string, pos *legal.Position, s *sheet) (right string, why words.Sentence, articles []string) {
	if !d.known || result != wins(legal.White) && result != wins(legal.Black) && result != drawn {
		return "", words.Sentence{}, nil
	}
	for _, m := range d.matters {
		if m.c.Kind == kinds.ResultContradicted || !m.live() || m.decision == doReject || m.decision == doSensor {
			continue
		}
		if d.canDealWith(m) && !m.restored {
			return "", words.Sentence{}, nil // the game may go back, or the strike may decide it
		}
		if r := m.entry.Ruling; m.said && r != nil && r.Result == result {
			return "", words.Sentence{}, nil
		}
	}
	for _, m := range d.matters {
		if r := m.entry.Ruling; m.said && r != nil && r.Result != "" && familyOf(&m.c) == kinds.End && d.ends(m) {
			what, _ := endWords(&m.c)
			return r.Result, words.Say("entered.ended", what, r.Result), m.entry.Articles
		}
	}
	switch pos.Outcome() {
	case legal.Checkmate:
		right = wins(pos.Turn().Other())
		why, articles = words.Say("entered.mated", pos.Turn(), right), []string{"5.1.1"}
	case legal.Stalemate:
		right = drawn
		why, articles = words.Say("entered.stalemated", pos.Turn()), []string{"5.2.1"}
	default:
		right, why, articles = d.cannotWin(result, pos, s)
	}
	if right == result {
		return "", words.Sentence{}, nil
	}
	return right, why, articles
}

// cannotWin rules on a win for a side that cannot mate by any series of legal moves (5.1.2).
func (d *Docket) cannotWin(result string, pos *legal.Position, s *sheet) (right string, why words.Sentence, articles []string) {
	if result == drawn || d.p.MatingTest != "helpmate" {
		return "", words.Sentence{}, nil
	}
	winner := legal.White
	if result == wins(legal.Black) {
		winner = legal.Black
	}
	if s == nil {
		s = &sheet{d: d, p: d.p, m: &matter{}}
	}
	if s.canWin(pos, winner) != helpmate.Never {
		return "", words.Sentence{}, nil
	}
	why = words.Say("entered.never", winner)
	if s.r.Mate != nil && !s.r.Mate.because.IsZero() {
		why = words.Say("lost.never", winner, s.r.Mate.because)
	}
	return drawn, why, []string{"5.1.2"}
}

// resultContradicted asks for confirmation before the result is accepted.
func (s *sheet) resultContradicted() {
	entered := s.m.c.Note.Text
	s.r.Position, s.r.PositionFEN = "", ""
	right, why, articles := s.m.right, s.m.why, s.m.articles
	if right == "" {
		right, why, articles = s.d.contradicts(entered, &s.m.c.After, s)
		s.m.right, s.m.why, s.m.articles = right, why, articles
		s.m.mate = s.r.Mate
	}
	if right == "" {
		s.propose(Log, kindFact, words.Say("entered.result", entered))
		return
	}
	s.r.Mate = s.m.mate
	s.cite(articles...)
	if s.m.insisted {
		s.propose(Log, kindFact, words.Say("entered.again", entered, why))
		s.r.Result = entered
		return
	}
	s.propose(Now, kindFact, words.Say("entered.contradicted", entered, why, right))
	s.r.Result = right
}
