package rules

import (
	"slices"

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

// own are the articles about the thing itself: those of the profile, of whoever found it, of the legality core, of the table.
func (s *sheet) own() []string {
	c := &s.m.c
	if list, ok := s.p.Articles[c.Kind]; ok {
		return list
	}
	switch s.p.Book {
	case bookUS, bookUSBlitz:
		return s.american()
	case bookWBCA:
		if c.Kind == "irreg.two_hands_wbca" || c.Kind == "irreg.other_hand" {
			return []string{"WBCA 4"}
		}
		return []string{"WBCA (source 003)"}
	}
	broken := c.Articles
	if len(broken) == 0 {
		broken = s.m.verdict().Articles
	}
	if len(broken) > 0 && isIllegal(c.Kind) && legal.Articles(c.Kind) != nil {
		return broken // the way of moving that was broken; what follows is added where it does
	}
	return append(slices.Clone(broken), s.fide(ownArticles(c)...)...)
}

// fide adds what the rule set's fast play adds to an article of the Laws.
func (s *sheet) fide(articles ...string) []string {
	fast := s.d.class == Rapid || s.d.class == Blitz
	switch {
	case s.m.c.Kind == "draw.claim_incorrect" && fast && s.p.WrongClaimS != 120:
		return append(articles, "A.3")
	case s.p.window(s.d.class) != untilReply:
		return articles
	case familyOf(&s.m.c) == flagFamily:
		return append(articles, "A.5.3", "A.5.5")
	case familyOf(&s.m.c) == setupFamily && s.m.c.Kind != "setup.colours_reversed":
		return append(articles, "A.5.1.2")
	case s.m.c.Kind == "clock.setting_wrong":
		return append(articles, "A.5.1.1")
	}
	return articles
}

// ownArticles are the articles of the FIDE Laws by kind.
func ownArticles(c *Case) []string {
	switch c.Kind {
	case "illegal.ep_pawn_left":
		return []string{"3.1.1", "3.7.3.1", "6.2.4"}
	case "illegal.promo_two":
		return []string{"3.7.3.3", "4.4.4"}
	case "illegal.castle_king_only":
		return []string{"3.8.1", "3.8.2", "4.7.2"}
	case "illegal.two_hands", "suspect.two_hands_capture", "suspect.two_hands_castling", "suspect.two_hands_promotion":
		return []string{"4.1", "7.5.4"}
	case "irreg.other_hand":
		return []string{"6.2.3", "12.9"}
	case "irreg.press_before_done":
		if c.Proof == Reported {
			return []string{"1.3", "6.2.3", "6.2.4", "12.9"}
		}
		return []string{"6.2.1", "6.2.4", "12.9"}
	case "irreg.touch_move":
		switch theirs, own := touchedFirst(c); {
		case theirs && own:
			return []string{"4.2.1", "4.2.2", "4.3.3", "4.8", "12.9"}
		case theirs:
			return []string{"4.2.1", "4.2.2", "4.3.2", "4.8", "12.9"}
		}
		return []string{"4.2.1", "4.2.2", "4.3.1", "4.8", "12.9"}
	case "irreg.rook_first":
		return []string{"4.4.2", "4.3.1", "4.7", "4.8"}
	case "irreg.released_piece_moved":
		return []string{"4.7", "4.8", "12.9"}
	case "irreg.promo_piece_changed":
		return []string{"4.4.4", "4.8", "12.9"}
	case "irreg.promo_wrong_colour":
		return []string{"3.7.3.3", "12.9"}
	case "irreg.out_of_turn":
		return []string{"1.2", "1.3", "11.5", "12.9"}
	case "irreg.double_move":
		return []string{"1.2", "1.3", "12.9"}
	case "irreg.displaced":
		return []string{"7.4.1", "7.4.2", "7.4.3", "12.9"}
	case "irreg.displaced_found":
		return []string{"7.6", "7.1"}
	case "irreg.adjust_off_turn":
		return []string{"4.2.1", "6.2.5", "11.5", "12.9"}
	case kindPause:
		return []string{"6.11.2", "6.11.4", "12.9"}
	case "irreg.draw_offer_timing":
		return []string{"9.1.2.1", "11.5", "12.9"}
	}
	if isIllegal(c.Kind) {
		return legal.Articles(c.Kind)
	}
	return factArticles(c.Kind)
}

// touchedFirst says whose pieces were touched before the one that was moved.
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

func factArticles(kind string) []string {
	switch kind {
	case "clock.flag", "clock.both_flags":
		return []string{"6.4", "6.8", "6.9"}
	case "clock.setting_wrong":
		return []string{"6.10.2"}
	case "clock.bonus_wrong":
		return []string{"7.5.5"}
	case "clock.foreign_press", "clock.lever_changed_in_pause":
		return []string{"7.1", "6.10.2"}
	case "setup.wrong_array":
		return []string{"7.2.1"}
	case "setup.board_rotated":
		return []string{"2.1", "7.2.2"}
	case "setup.colours_reversed":
		return []string{"7.3"}
	case kindContradicted:
		return []string{"5.1.2", "5.2.1"}
	case "end.checkmate":
		return []string{"5.1.1", "6.2.1.1", "6.9"}
	case "end.stalemate":
		return []string{"5.2.1", "6.2.1.1"}
	case "end.dead":
		return []string{"5.2.2", "6.2.1.1"}
	case "end.fivefold":
		return []string{"9.6.1", "6.2.1.1"}
	case "end.move75":
		return []string{"9.6.2"}
	case "end.illegal_position_draw":
		return []string{"A.5.4"}
	case "draw.threefold_claimable":
		return []string{"9.2", "9.5"}
	case "draw.fifty":
		return []string{"9.3", "9.5"}
	case "draw.claim_incorrect":
		return []string{"9.2", "9.4", "9.5.3"}
	case "sensor.unreadable":
		return []string{"7.4.1", "7.4.3", "12.9"}
	case kindUnknown:
		return []string{"4.6", "7.5.1", "7.6"}
	}
	return nil
}

// american are the rules of US Chess by kind.
func (s *sheet) american() []string {
	book := "US"
	if s.p.Book == bookUSBlitz {
		book = "US blitz"
	}
	switch k := s.m.c.Kind; k {
	case "illegal.two_hands", "irreg.other_hand", "suspect.two_hands_capture", "suspect.two_hands_castling", "suspect.two_hands_promotion":
		if book == "US blitz" {
			return []string{"US blitz 4"}
		}
		return []string{"US 16C1"}
	case "clock.flag", "clock.both_flags":
		if book == "US blitz" {
			return []string{"US 13C1", "US blitz 7c"}
		}
		return []string{"US 13C1", "US 14E"}
	case "setup.wrong_array", "setup.colours_reversed", "setup.board_rotated":
		if book == "US blitz" {
			return []string{"US blitz 3", "US blitz 3A"}
		}
		return []string{"US 11F"}
	case "irreg.displaced", "sensor.unreadable":
		return []string{"US 11C", "US 11D"}
	case kindUnknown:
		return []string{"US 11A", "US 11D"}
	case "irreg.promo_wrong_colour":
		return []string{"US 9D"}
	case "irreg.touch_move", "irreg.released_piece_moved", "irreg.promo_piece_changed", "irreg.adjust_off_turn":
		return []string{"US 10"}
	case "irreg.rook_first":
		return []string{"US 10I2"}
	case "irreg.out_of_turn", "irreg.double_move":
		return []string{"US 1C2"}
	case "end.fivefold", "end.move75":
		return []string{"US 14K"}
	case "end.dead":
		return []string{"US 14D"}
	case "end.checkmate":
		return []string{"US 13A"}
	case "end.stalemate":
		return []string{"US 14A"}
	case "draw.threefold_claimable", "draw.claim_incorrect":
		return []string{"US 14C"}
	case "draw.fifty":
		return []string{"US 14F"}
	}
	return nil
}

// book are the articles for an illegal move as it is dealt with: illegal, late, late-signed, improper.
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
		if s.m.c.Kind == "illegal.two_hands" {
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

// consequence are the articles that say what follows from an illegal move, and from touching its pieces.
func (s *sheet) consequence() []string {
	c := &s.m.c
	switch c.Kind {
	case legal.IllegalNoMove:
		return []string{"6.2.4", "7.5.3", "7.5.5"}
	case legal.IllegalPromoIncomplete:
		return append([]string{"7.5.2", "7.5.5"}, s.queenEnds()...)
	case "illegal.two_hands":
		return []string{"7.5.4", "7.5.5"}
	}
	list := []string{"7.5.1", "7.5.5"}
	switch {
	case isCastlingKind(c.Kind):
		list = append(list, "4.4.3")
	case castledAstray(c, touches(c)) != legal.NoSquare:
		list = append(list, "4.4.1")
	case len(touches(c)) > 1:
		list = append(list, "4.3.3", "4.3.1", "4.5")
	default:
		list = append(list, "4.3.1", "4.5")
	}
	return list
}

// queenEnds is the article by which the queen that a pawn becomes ends the game.
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

// supervision are the articles of fast play (appendices A and B).
func (s *sheet) supervision() []string {
	if s.d.class != Rapid && s.d.class != Blitz {
		return nil
	}
	open := s.p.window(s.d.class) == untilReply
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

// regular are the rules of US Chess for an illegal move.
func (s *sheet) regular(what string) []string {
	switch {
	case what == "late":
		return []string{"US 11B"}
	case what == "improper" && s.m.c.Kind == legal.IllegalPromoIncomplete:
		return []string{"US 8F7", "US 9D"}
	case what == "improper" && s.m.c.Kind == legal.IllegalNoMove:
		return []string{"US 11C", "US 8F7", "US 16J"}
	case what == "improper":
		return s.american()
	}
	list := s.american()
	if s.m.c.Kind == "irreg.displaced" {
		return list
	}
	return append(append([]string{"US 11A"}, list...), "US 10", "US 11D")
}
