package rules

import (
	"strings"

	"boardwatchd/rules/legal"
)

// reason is a sentence that an arbiter can read out: the finder's own, that of the legality core for a move that is not
// legal, or one by kind.
func (s *sheet) reason() string {
	c := &s.m.c
	if c.Reason != "" {
		return c.Reason
	}
	if v := s.m.verdict(); v.Reason != "" {
		return v.Reason
	}
	return strings.ReplaceAll(reasonOf(c), "{side}", upperFirst(name(c.Side)))
}

func reasonOf(c *Case) string {
	switch c.Kind {
	case legal.IllegalNoMove:
		return "{side}'s clock was pressed, and no piece had moved."
	case legal.IllegalPromoIncomplete:
		return "{side}'s pawn reached the last rank, and the clock was pressed before a new piece stood there."
	case legal.IllegalKingCapture:
		return "{side} has taken the king."
	case "illegal.two_hands":
		if c.Proof == Reported {
			return "{side} has made one move with both hands, as a person reports."
		}
		return "{side}'s pieces were in the air together; that may have been two hands."
	case "suspect.two_hands_capture", "suspect.two_hands_castling", "suspect.two_hands_promotion":
		return "The timing of {side}'s move suggests two hands; please look."
	case "illegal.castle_king_only":
		return "{side}'s king has castled, and the rook has not moved."
	case "illegal.ep_pawn_left":
		return "{side} has captured en passant and left the captured pawn on the board."
	case "illegal.promo_two":
		return "{side} has put two new pieces on the board."
	case "irreg.touch_move":
		switch theirs, own := touchedFirst(c); {
		case theirs && !own:
			return "{side} has lifted one of the opponent's pieces, put it back and made a move that does not capture it."
		case theirs:
			return "{side} has lifted an own piece and one of the opponent's, put them back and made another move."
		}
		return "{side} has lifted one piece, put it back and moved another."
	case "irreg.rook_first":
		return "{side} has castled with the rook first."
	case "irreg.released_piece_moved":
		return "{side}'s piece stood on one square and was then moved to another."
	case "irreg.promo_piece_changed":
		return "{side}'s new piece was replaced by another one on the promotion square."
	case "irreg.promo_wrong_colour":
		return "{side} has promoted to a piece of the other colour."
	case "irreg.out_of_turn":
		return "{side} has moved without having the move."
	case "irreg.double_move":
		return "{side} has made two moves in one turn."
	case "irreg.displaced":
		if c.Side == legal.NoSide {
			return "A piece was displaced when the clock was pressed" + onSquares(c) + ". In whose turn is not known."
		}
		return "A piece was displaced when {side}'s clock was pressed."
	}
	return reasonElse(c)
}

func reasonElse(c *Case) string {
	switch c.Kind {
	case "irreg.displaced_found":
		return "A piece was displaced earlier in the game" + onSquares(c) + "."
	case "irreg.press_before_done":
		return "{side}'s clock was pressed before the move was finished."
	case "irreg.other_hand":
		return "{side} has moved with one hand and pressed with the other, as a person reports."
	case "irreg.two_hands_wbca":
		return "{side} has used both hands for one move, as a person reports."
	case "irreg.adjust_off_turn":
		return "A piece was lifted and put back while the opponent's clock ran."
	case kindPause:
		return "The clock was stopped, and no reason is known."
	case "irreg.draw_offer_timing":
		return "{side} has offered a draw at the wrong moment, as a person reports."
	case "clock.flag":
		return "{side}'s time is used up."
	case "clock.both_flags":
		return "The time of both players is used up."
	case "clock.setting_wrong":
		return "The clock was set wrongly, as a person reports."
	case "clock.bonus_wrong":
		return "The times on the clock are not those of the ruling: " + c.Note + "."
	case "clock.foreign_press":
		return "The clock was pressed by somebody else, as a person reports."
	case "clock.lever_changed_in_pause":
		return "The lever was moved while the clock stood."
	case "setup.wrong_array":
		return "The pieces did not stand as a game begins" + onSquares(c) + "."
	case "setup.board_rotated":
		return "The board is turned by a quarter: the corner at the right hand is dark."
	case "setup.colours_reversed":
		return "The players have each other's colours, as a person reports."
	case "end.checkmate":
		return "{side} has given checkmate."
	case "end.stalemate":
		return "Stalemate."
	case "end.dead":
		return "Neither player can give mate any more."
	case "end.fivefold":
		return "The same position has appeared five times."
	case "end.move75":
		return "Seventy-five moves by each player without a pawn move or a capture."
	case "end.illegal_position_draw":
		return "The illegal position is still on the board after the next completed move."
	case kindContradicted:
		return "The result " + c.Note + " was entered, and the position on the board contradicts it."
	case "end.result_signal":
		return "The kings were put in the centre to show the result."
	case "draw.threefold_claimable", "draw.fifty":
		return "{side} claims a draw, and rightly."
	case "draw.claim_incorrect":
		return "{side} claims a draw, and wrongly."
	case kindUnknown:
		return "The board shows what no legal move explains" + onSquares(c) + "."
	case "sensor.unreadable":
		return "A square reads empty where a piece should stand" + onSquares(emptied(c)) + "."
	}
	return c.Kind + "."
}

// emptied keeps of a case's squares those that read empty and should not.
func emptied(c *Case) *Case {
	if !c.Stands {
		return c
	}
	var r Case
	for _, sq := range c.Squares {
		if c.At[sq&63] == legal.NoPiece && c.After.PieceAt(sq) != legal.NoPiece {
			r.Squares = append(r.Squares, sq)
		}
	}
	return &r
}

// onSquares names the squares of a case.
func onSquares(c *Case) string {
	if len(c.Squares) == 0 || len(c.Squares) > 8 {
		return ""
	}
	names := make([]string, len(c.Squares))
	for i, sq := range c.Squares {
		names[i] = sq.String()
	}
	return ": " + strings.Join(names, ", ")
}
