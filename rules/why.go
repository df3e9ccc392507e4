package rules

import (
	"strconv"
	"strings"

	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

// This file says in words what package helpmate has proved: why a side can never mate, or how it can (FIDE Laws 5.2.2,
// 6.9, 7.5.5).

// WhyNever is the sentence that goes with the verdict Never, as an arbiter reads it out: "White can never mate: 1...Kxh7 is
// forced, and White is left with the bare king." The answer must be the one to that position and side.
func WhyNever(pos *legal.Position, side legal.Side, a helpmate.Answer) string {
	return whyNever(pos, side, &a) + "."
}

func whyNever(pos *legal.Position, side legal.Side, a *helpmate.Answer) string {
	return name(side) + " can never mate: " + cause(pos, side, a)
}

// whyPossible is the sentence that goes with the verdict Possible: "White can mate, for example 1.Qb7#". A long line is cut in
// the middle.
func whyPossible(pos *legal.Position, side legal.Side, a *helpmate.Answer) string {
	l := played(pos, a.Line)
	if len(l.san) == 0 {
		return name(side) + " has given mate"
	}
	return name(side) + " can mate, for example " + l.short()
}

func cause(pos *legal.Position, side legal.Side, a *helpmate.Answer) string {
	switch a.Reason {
	case helpmate.Over:
		return over(pos)
	case helpmate.Material:
		return barren(pos, side)
	case helpmate.Forced:
		return forced(pos, side, a)
	case helpmate.Walls:
		return walled(pos, side)
	case helpmate.Visited:
		if a.Positions > 1 {
			return "none of the " + strconv.Itoa(a.Positions) + " positions that can be reached is a mate by " + name(side)
		}
	case helpmate.Counted:
		return "the 75-move rule ends the game before any mate (9.6.2)"
	}
	return "no series of legal moves ends in mate by " + name(side)
}

// over is how the position itself has ended the game.
func over(pos *legal.Position) string {
	switch pos.Outcome() {
	case legal.Checkmate:
		return name(pos.Turn()) + " is checkmated"
	case legal.Stalemate:
		return name(pos.Turn()) + " is stalemated"
	}
	return "75 moves by each player without capture or pawn move have ended the game (9.6.2)"
}

// walled is why nobody gets through.
func walled(pos *legal.Position, side legal.Side) string {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if pos.PieceAt(sq).Kind() == legal.Pawn {
			return "the pawns are locked and nothing can pass, so that " + name(side.Other()) + "'s king cannot be got at"
		}
	}
	return "its pieces cannot get at " + name(side.Other()) + "'s king"
}

// forced is play that comes to an end whatever is chosen. That the wrong side mates surprises people, so it is said first.
func forced(pos *legal.Position, side legal.Side, a *helpmate.Answer) string {
	l := played(pos, a.Line)
	if l.only && len(l.san) > 0 {
		verb := " is forced, and "
		if len(l.san) > 1 {
			verb = " are forced, and "
		}
		return l.short() + verb + left(&l.last, side)
	}
	return "every line ends " + endings(side, a.Ends) + ", for example " + l.short()
}

// endings is how lines end that were all followed.
func endings(side legal.Side, e helpmate.Ends) string {
	var ways []string
	add := func(n int, what string) {
		if n > 0 {
			ways = append(ways, what)
		}
	}
	add(e.Mated, "with "+name(side)+" mated by "+name(side.Other()))
	add(e.Stalemate, "in stalemate")
	add(e.Dead, "in a position in which "+name(side)+" can never mate")
	add(e.Late, "in a draw by the 75-move rule (9.6.2)")
	return strings.Join(ways, " or ")
}

// left is what a side is left with when forced moves have come to their end.
func left(pos *legal.Position, side legal.Side) string {
	switch pos.Outcome() {
	case legal.Checkmate:
		return name(pos.Turn()) + " is mated by " + name(pos.Turn().Other())
	case legal.Stalemate:
		return name(pos.Turn()) + " is stalemated"
	case legal.Move75:
		return "the game is drawn by the 75-move rule (9.6.2)"
	}
	switch a := helpmate.Ask(pos, side, 0); {
	case a.Reason == helpmate.Walls:
		return walled(pos, side)
	case menOf(pos, side) == "bare king":
		return name(side) + " is left with the bare king"
	default:
		return name(side) + " is left without mating material, " + versus(pos, side)
	}
}

// barren says which men cannot mate.
func barren(pos *legal.Position, side legal.Side) string {
	if menOf(pos, side) == "bare king" {
		return name(side) + " has only the king"
	}
	return "no mating material, " + versus(pos, side)
}

func versus(pos *legal.Position, side legal.Side) string {
	other := menOf(pos, side.Other())
	if other == "bare king" {
		other = "the bare king"
	}
	return menOf(pos, side) + " against " + other
}

// menOf lists a side's men: "king, rook and two pawns", "bare king".
func menOf(pos *legal.Position, side legal.Side) string {
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
	list := []string{"king"}
	add := func(n int, what string) {
		switch {
		case n == 1:
			list = append(list, what)
		case n > 1:
			list = append(list, number(n)+" "+what+"s")
		}
	}
	add(n[legal.Queen], "queen")
	add(n[legal.Rook], "rook")
	add(n[legal.Bishop]-dark, "light-squared bishop")
	add(dark, "dark-squared bishop")
	add(n[legal.Knight], "knight")
	add(n[legal.Pawn], "pawn")
	if len(list) == 1 {
		return "bare king"
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

func number(n int) string {
	words := [...]string{2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}
	if n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}
