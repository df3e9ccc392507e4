package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// cite sets the articles, each once.
func (s *sheet) cite(articles ...string) {
	s.e.Articles = s.e.Articles[:0:0]
	for _, a := range articles {
		if a != "" && !slices.Contains(s.e.Articles, a) {
			s.e.Articles = append(s.e.Articles, a)
		}
	}
	if s.e.Articles == nil {
		s.e.Articles = []string{}
	}
}

// prefixed puts the book before each article.
func prefixed(book string, articles ...string) []string {
	list := make([]string, len(articles))
	for i, a := range articles {
		list[i] = book + " " + a
	}
	return list
}

// own returns the articles about the fault itself, from the first of these that names any: the profile, the finder, the
// legality core, the table of kinds.
func (s *sheet) own() []string {
	c := &s.m.c
	if list, ok := s.p.Articles[c.Kind]; ok {
		return list
	}
	row := c.Kind.Row()
	switch s.p.Book {
	case bookUS, bookUSBlitz:
		return s.american()
	case bookWBCA:
		if row.WBCA != nil {
			return row.WBCA
		}
		return []string{"WBCA (source 003)"}
	}
	broken := c.Articles
	if len(broken) == 0 {
		broken = s.m.verdict().Articles
	}
	if len(broken) > 0 && row.Transfer {
		return broken // the article on the piece's move that was broken; consequences are added elsewhere
	}
	return append(slices.Clone(broken), s.fide(ownArticles(c)...)...)
}

// fide adds the article of the rule set's rapid or blitz appendix to an article of the Laws.
func (s *sheet) fide(articles ...string) []string {
	fast := s.d.class == Rapid || s.d.class == Blitz
	switch {
	case s.m.c.Kind == kinds.ClaimIncorrect && fast && s.p.WrongClaimS != 120:
		return append(articles, "A.3")
	case s.d.until() != untilReply:
		return articles
	case familyOf(&s.m.c) == kinds.Flag:
		return append(articles, "A.5.3", "A.5.5")
	case familyOf(&s.m.c) == kinds.SetUp && s.m.c.Kind != kinds.ColoursReversed:
		return append(articles, "A.5.1.2")
	case s.m.c.Kind == kinds.ClockSetting:
		return append(articles, "A.5.1.1")
	}
	return articles
}

// ownArticles returns the articles of the FIDE Laws by kind and by the details of the case.
func ownArticles(c *Case) []string {
	theirs, own := touchedFirst(c)
	switch {
	case c.Kind == kinds.PressBeforeDone && c.Proof == Reported:
		return []string{"1.3", "6.2.3", "6.2.4", "12.9"}
	case c.Kind == kinds.TouchMove && theirs && own:
		return []string{"4.2.1", "4.2.2", "4.3.3", "4.8", "12.9"}
	case c.Kind == kinds.TouchMove && theirs:
		return []string{"4.2.1", "4.2.2", "4.3.2", "4.8", "12.9"}
	}
	return c.Kind.Row().FIDE
}

// touchedFirst reports whether an opponent's piece, and whether an own piece, was touched before the piece that moved.
func touchedFirst(c *Case) (theirs, own bool) {
	for _, t := range c.Touched {
		if len(c.UCI) >= 4 && t.Square.String() == c.UCI[:2] {
			break
		}
		theirs = theirs || t.Piece.Side() == c.Side.Other()
		own = own || t.Piece.Side() == c.Side
	}
	return theirs, own
}

// american returns the rules of US Chess by kind.
func (s *sheet) american() []string {
	row := s.m.c.Kind.Row()
	if s.p.Book == bookUSBlitz && row.Blitz != nil {
		return row.Blitz
	}
	return row.American
}

// book returns the articles for an illegal move by its treatment: illegal, late, late-signed, improper.
func (s *sheet) book(what string) []string {
	if list, ok := s.p.Articles[s.m.c.Kind]; ok {
		return list
	}
	switch s.p.Book {
	case bookUS:
		return s.regular(what)
	case bookUSBlitz:
		if what == "late" {
			return prefixed("US blitz", "3A", "7d", "14")
		}
		list := append(prefixed("US blitz", "7c", "7d", "14"), s.american()...)
		if s.r.Result == drawn {
			list = append(list, "US blitz 8d")
		}
		return list
	case bookWBCA:
		return s.own()
	case bookDraft:
		if s.d.class != Standard && what != "late-signed" {
			if what == "late" {
				return []string{"draft A.4.2.1"}
			}
			return append(prefixed("draft", append([]string{"A.4.2.1"}, s.consequence()...)...), s.own()...)
		}
	}
	switch what {
	case "late-signed":
		return []string{"7.5.1", "8.7"}
	case "late":
		if s.m.c.Kind == kinds.IllegalTwoHands {
			return []string{"A.5.2", "4.1", "7.5.4"}
		}
		if s.m.c.Answered {
			return []string{"A.5.2", "6.2.2"}
		}
		return []string{"A.5.2", "1.3", "4.7"}
	}
	list := append(slices.Clone(s.own()), s.consequence()...)
	return append(list, s.supervision()...)
}

// consequence returns the articles on the consequences of an illegal move and of touching its pieces.
func (s *sheet) consequence() []string {
	c := &s.m.c
	switch c.Kind {
	case kinds.IllegalNoMove:
		return []string{"6.2.4", "7.5.3", "7.5.5"}
	case kinds.IllegalPromoIncomplete:
		return append([]string{"7.5.2", "7.5.5"}, s.queenEnds()...)
	case kinds.IllegalTwoHands:
		return []string{"7.5.4", "7.5.5"}
	}
	list := []string{"7.5.1", "7.5.5"}
	switch {
	case c.Kind.Row().Castling:
		list = append(list, "4.4.3")
	case miscastledRook(c, touches(c)) != legal.NoSquare:
		list = append(list, "4.4.1")
	case len(touches(c)) > 1:
		list = append(list, "4.3.3", "4.3.1", "4.5")
	default:
		list = append(list, "4.3.1", "4.5")
	}
	return list
}

// queenEnds returns the article by which the queen that replaces an unpromoted pawn ends the game.
func (s *sheet) queenEnds() []string {
	if after, ok := s.after(); ok {
		switch after.Outcome() {
		case legal.Checkmate:
			return []string{"5.1.1"}
		case legal.Stalemate:
			return []string{"5.2.1"}
		}
		if s.d.over(&after) {
			return []string{"5.2.2"}
		}
	}
	return nil
}

// supervision returns the articles of rapid and blitz play (appendices A and B).
func (s *sheet) supervision() []string {
	if s.d.class != Rapid && s.d.class != Blitz {
		return nil
	}
	open := s.d.until() == untilReply
	switch {
	case s.d.class == Rapid && open:
		return []string{"A.3", "A.5.2"}
	case s.d.class == Rapid:
		return []string{"A.3", "A.4"}
	case open:
		return []string{"B.3", "A.3", "A.5.2"}
	}
	return []string{"B.2"}
}

// regular returns the rules of US Chess for an illegal move.
func (s *sheet) regular(what string) []string {
	switch {
	case what == "late":
		return []string{"US 11B"}
	case what == "improper" && s.m.c.Kind == kinds.IllegalPromoIncomplete:
		return []string{"US 8F7", "US 9D"}
	case what == "improper" && s.m.c.Kind == kinds.IllegalNoMove:
		return []string{"US 11C", "US 8F7", "US 16J"}
	case what == "improper":
		return s.american()
	}
	list := s.american()
	if s.m.c.Kind == kinds.Displaced {
		return list
	}
	return append(append([]string{"US 11A"}, list...), "US 10", "US 11D")
}
