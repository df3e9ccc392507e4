package rules

import (
	"strconv"

	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file puts the proofs of package helpmate into words: why a side can never mate, or how it can (FIDE Laws 5.2.2,
// 6.9, 7.5.5).

// WhyNever returns the sentence for the verdict Never, for an arbiter to read out: "White can never mate: 1...Kxh7 is
// forced, and White is left with the bare king." The answer must be the one to that position and side.
func WhyNever(pos *legal.Position, side legal.Side, a helpmate.Answer) words.Sentence {
	return asSentence(whyNever(pos, side, &a))
}

func whyNever(pos *legal.Position, side legal.Side, a *helpmate.Answer) words.Sentence {
	return words.Say("lost.never", side, cause(pos, side, a))
}

// whyPossible returns the sentence for the verdict Possible: "White can mate, for example 1.Qb7#". A long line is cut
// in the middle.
func whyPossible(pos *legal.Position, side legal.Side, a *helpmate.Answer) words.Sentence {
	l := played(pos, a.Line)
	if len(l.san) == 0 {
		return words.Say("can.given", side)
	}
	return words.Say("can.mate", side, l.short())
}

func cause(pos *legal.Position, side legal.Side, a *helpmate.Answer) words.Sentence {
	if a.Reason != helpmate.Forced && len(a.Line) > 0 {
		return afterForced(pos, side, a)
	}
	switch a.Reason {
	case helpmate.Over:
		return over(pos)
	case helpmate.Material:
		return materialCause(pos, side)
	case helpmate.Forced:
		return forced(pos, side, a)
	case helpmate.Walls:
		return walled(pos, side, a.Wall)
	case helpmate.Visited:
		switch {
		case a.Positions > 1 && a.DeadLeftOut:
			return words.Say("cause.searched", a.Positions, side)
		case a.Positions > 1:
			return words.Say("cause.visited", a.Positions, side)
		}
	case helpmate.Counted:
		return words.Say("cause.counted")
	}
	return words.Say("cause.none", side)
}

// over describes how the position itself has ended the game.
func over(pos *legal.Position) words.Sentence {
	switch pos.Outcome() {
	case legal.Checkmate:
		return words.Say("cause.mated", pos.Turn())
	case legal.Stalemate:
		return words.Say("cause.stalemated", pos.Turn())
	}
	return words.Say("cause.move75")
}

// afterForced returns the reason that holds after forced moves.
func afterForced(pos *legal.Position, side legal.Side, a *helpmate.Answer) words.Sentence {
	l, after := played(pos, a.Line), *a
	after.Line = nil
	key := "cause.forced_moves"
	if len(l.san) == 1 {
		key = "cause.forced_move"
	}
	return words.Say(key, l.short(), cause(&l.last, side, &after))
}

// walled explains a proof from the board alone.
func walled(pos *legal.Position, side legal.Side, wall helpmate.Wall) words.Sentence {
	switch wall {
	case helpmate.AlwaysFree:
		return words.Say("cause.always_free", side.Other())
	case helpmate.MovesEnd:
		return words.Say("cause.moves_end")
	case helpmate.AnyCapture:
		return words.Say("cause.any_capture", side.Other())
	case helpmate.AnyPlace:
		return words.Say("cause.any_place", side.Other())
	}
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if pos.PieceAt(sq).Kind() == legal.Pawn {
			return words.Say("cause.walled", side.Other())
		}
	}
	return words.Say("cause.shut_in", side.Other())
}

// forced describes play that ends in the same way for every choice of moves. A mate by the other side surprises people,
// so it comes first.
func forced(pos *legal.Position, side legal.Side, a *helpmate.Answer) words.Sentence {
	l := played(pos, a.Line)
	switch {
	case l.only && len(l.san) == 1:
		return words.Say("cause.forced_move", l.short(), left(&l.last, side))
	case l.only && len(l.san) > 1:
		return words.Say("cause.forced_moves", l.short(), left(&l.last, side))
	}
	return words.Say("cause.every_line", endings(side, a.Ends), l.short())
}

// endings describes how the lines end. All of them were followed to the end.
func endings(side legal.Side, e helpmate.Ends) (ways words.Sentence) {
	add := func(n int, way words.Sentence) {
		switch {
		case n == 0:
		case ways.IsZero():
			ways = way
		default:
			ways = words.Say("cause.or", ways, way)
		}
	}
	add(e.Mated, words.Say("cause.ends_mated", side, side.Other()))
	add(e.Stalemate, words.Say("cause.ends_stalemate"))
	add(e.Dead, words.Say("cause.ends_dead", side))
	add(e.Late, words.Say("cause.ends_move75"))
	return ways
}

// left describes the material of a side after forced moves.
func left(pos *legal.Position, side legal.Side) words.Sentence {
	switch pos.Outcome() {
	case legal.Checkmate:
		return words.Say("cause.mated_by", pos.Turn(), pos.Turn().Other())
	case legal.Stalemate:
		return words.Say("cause.stalemated", pos.Turn())
	case legal.Move75:
		return words.Say("cause.drawn_move75")
	}
	switch a := helpmate.Ask(pos, side, 0); {
	case a.Reason == helpmate.Walls:
		return walled(pos, side, a.Wall)
	case isBare(pos, side):
		return words.Say("cause.left_bare", side)
	default:
		return words.Say("cause.left_material", side, versus(pos, side))
	}
}

// materialCause names the pieces that cannot mate.
func materialCause(pos *legal.Position, side legal.Side) words.Sentence {
	if isBare(pos, side) {
		return words.Say("cause.bare", side)
	}
	return words.Say("cause.material", versus(pos, side))
}

func versus(pos *legal.Position, side legal.Side) words.Sentence {
	other := piecesOf(pos, side.Other())
	if isBare(pos, side.Other()) {
		other = words.Say("pieces.against_bare")
	}
	return words.Say("pieces.against", piecesOf(pos, side), other)
}

// isBare reports whether a side has only its king.
func isBare(pos *legal.Position, side legal.Side) bool {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if p := pos.PieceAt(sq); p.Side() == side && p.Kind() != legal.King {
			return false
		}
	}
	return true
}

// piecesOf lists a side's pieces: "king, rook and two pawns", "bare king".
func piecesOf(pos *legal.Position, side legal.Side) words.Sentence {
	var n [7]int
	dark := 0
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if p := pos.PieceAt(sq); p.Side() == side {
			n[p.Kind()]++
			if p.Kind() == legal.Bishop {
				dark += 1 - (sq.File()+sq.Rank())&1
			}
		}
	}
	list := []words.Sentence{legal.King.Word()}
	add := func(n int, one words.Sentence, many string) {
		switch {
		case n == 1:
			list = append(list, one)
		case n > 1:
			list = append(list, words.Say(many, number(n)))
		}
	}
	add(n[legal.Queen], legal.Queen.Word(), "pieces.queens")
	add(n[legal.Rook], legal.Rook.Word(), "pieces.rooks")
	add(n[legal.Bishop]-dark, words.Say("pieces.light_bishop"), "pieces.light_bishops")
	add(dark, words.Say("pieces.dark_bishop"), "pieces.dark_bishops")
	add(n[legal.Knight], legal.Knight.Word(), "pieces.knights")
	add(n[legal.Pawn], legal.Pawn.Word(), "pieces.pawns")
	if len(list) == 1 {
		return words.Say("pieces.bare")
	}
	last := len(list) - 1
	if last == 1 {
		return words.Say("pieces.and", list[0], list[1])
	}
	return words.Say("pieces.and", words.List(", ", list[:last]), list[last])
}

func number(n int) words.Sentence {
	if n >= 2 && n <= 9 {
		return words.Say("number." + strconv.Itoa(n))
	}
	return words.Verbatim(strconv.Itoa(n))
}
