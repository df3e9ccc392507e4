package legal

import (
	"fmt"
	"slices"

	"boardwatchd/rules/kinds"
)

// Verdict is the answer of Explain.
type Verdict struct {
	Legal    bool
	Move     Move       // the legal move, else NoMove
	Kind     kinds.Kind // of the offence; "" when legal and when in doubt
	Articles []string   // FIDE Laws 2023
	Reason   string     // a sentence an arbiter can read out
	// Doubt: the independent opinions do not agree, or the text is not a move. Nothing may be
	// called illegal then.
	Doubt bool
}

// fault is what the explanation finds; the zero value is nothing wrong.
type fault struct {
	kind     kinds.Kind
	articles []string
	reason   string
}

func faultOf(kind kinds.Kind, format string, args ...any) fault {
	return fault{kind, slices.Clone(kind.Row().FIDE), fmt.Sprintf(format, args...)}
}

// Explain says whether a transfer in UCI notation is a legal move and, if not, which rule it breaks
// first. The order:
//
//  1. nothing moved, an empty origin, the opponent's piece
//  2. castling named as king takes rook (Chess960), own capture, capture of the king
//  3. castling named by the king's move: right lost, out of check, blocked, through check, into check
//  4. the piece's way of moving: pawns with their captures and en passant; then jumps
//  5. safety of the king: the king's own step, a check left standing, a check opened
//  6. promotion: a piece where none is due or none may be, none where one is due
//
// Safety comes before promotion, because a pawn that may not leave its line cannot be made into the
// queen that FIDE Laws 7.5.2 prescribes.
//
// A move is called illegal only if the list of legal moves, the direct predicate and, in orthodox
// chess, the second opinion agree; else Doubt is set.
func (p *Position) Explain(uci string) Verdict {
	from, to, promo, err := p.ParseUCI(uci)
	if err != nil {
		return Verdict{Doubt: true, Reason: err.Error()}
	}
	var l MoveList
	p.Moves(&l)
	if m, ok := p.pick(&l, from, to, promo); ok {
		return Verdict{Legal: true, Move: m, Doubt: !p.IsLegal(m)}
	}
	f := p.findFault(from, to, promo)
	if f.kind == "" || p.othersAllow(from, to, promo) {
		return Verdict{Doubt: true, Reason: fmt.Sprintf("cannot judge %s: the independent tests of legality do not agree", uci)}
	}
	return Verdict{Kind: f.kind, Articles: f.articles, Reason: f.reason}
}

// othersAllow asks the two other judges about a move that is not in the list.
func (p *Position) othersAllow(from, to Square, promo Kind) bool {
	if p.PieceAt(from).Side() != p.turn {
		return false
	}
	m, ok := p.describe(newMove(from, to).promotingTo(promo))
	if ok && p.allows(m) {
		return true
	}
	if castling, ok := p.castlingAttempt(from, to); ok && promo == NoKind && p.allows(castling) {
		return true
	}
	return SecondOpinion(p, from, to, promo) == SaysLegal
}

func (p *Position) findFault(from, to Square, promo Kind) fault {
	piece, target := p.board[from&63], p.board[to&63]
	switch {
	case from == to:
		return faultOf(kinds.IllegalNoMove, "%s has made no move: the position is unchanged.", p.turn.Name())
	case piece == NoPiece:
		return fault{kind: kinds.NotUnderstood, reason: fmt.Sprintf("No piece stands on %s.", from)}
	case piece.Side() != p.turn:
		f := faultOf(kinds.OutOfTurn, "It is %s's turn, and the %s on %s is %s's.", p.turn.Name(), piece.Kind(), from, piece.Side().Name())
		f.articles = []string{"1.2", "1.3"} // the rest of the row is for the arbiter
		return f
	}
	attempt, castling := p.castlingAttempt(from, to)
	switch {
	case target.Side() == p.turn && !castling:
		return faultOf(kinds.IllegalOwnCapture, "The %s from %s goes to %s, where %s's own %s stands.", piece.Kind(), from, to, p.turn.Name(), target.Kind())
	case target.Kind() == King && !castling:
		return faultOf(kinds.IllegalKingCapture, "The %s from %s takes the king on %s; a king is never captured.", piece.Kind(), from, to)
	case castling && promo == NoKind:
		return p.castlingFault(attempt)
	}
	if f := p.wayFault(from, to); f.kind != "" {
		return f
	}
	if f := p.safetyFault(from, to); f.kind != "" {
		return f
	}
	return p.promotionFault(from, to, promo)
}

// wayFault: the piece does not move so, or something is in the way.
func (p *Position) wayFault(from, to Square) fault {
	kind := p.board[from].Kind()
	if p.reaches(from, to) {
		return fault{}
	}
	if kind == Pawn {
		return p.pawnFault(from, to)
	}
	if line[from][to] != 0 && p.sliderGoes(kind, from, to) {
		at := p.firstBetween(from, to)
		f := faultOf(kinds.IllegalJump, "The %s cannot jump from %s over the %s on %s to %s.", kind, from, p.board[at].Kind(), at, to)
		f.articles = append(slices.Clone(pieceOffences[kind].Row().FIDE), f.articles...)
		return f
	}
	return faultOf(pieceOffences[kind], "The %s cannot go from %s to %s: a %s %s.", kind, from, to, kind, howItMoves[kind])
}

func (p *Position) sliderGoes(kind Kind, from, to Square) bool {
	straight := from.File() == to.File() || from.Rank() == to.Rank()
	switch kind {
	case Rook:
		return straight
	case Bishop:
		return !straight
	}
	return kind == Queen
}

// firstBetween is the first occupied square on the way, as seen from the origin.
func (p *Position) firstBetween(from, to Square) Square {
	for b := between[from][to] & p.occupied(); b != 0; b &= b - 1 {
		if s := b.first(); between[from][s]&p.occupied() == 0 {
			return s
		}
	}
	return NoSquare
}

// pawnFault separates an en passant that comes too late from everything else a pawn cannot do.
func (p *Position) pawnFault(from, to Square) fault {
	df, ahead := abs(to.File()-from.File()), (to.Rank()-from.Rank())*p.turn.forward()/8
	onto := p.board[to]
	switch {
	case df == 1 && ahead == 1:
		victim := from&^7 | to&7
		fifthRank := p.turn.homeRank() + 4*p.turn.forward()/8
		if from.Rank() == fifthRank && p.board[victim] == PieceOf(p.turn.Other(), Pawn) {
			return faultOf(kinds.IllegalEPLate, "The pawn from %s cannot take the pawn on %s en passant: that pawn did not make its double step on the move before.", from, victim)
		}
		return pawnFaultOf("3.7.3", "The pawn cannot go from %s to %s: it moves diagonally only to capture, and %s is empty.", from, to, to)
	case df == 0 && ahead == 1:
		return pawnFaultOf("3.7.1", "The pawn cannot go from %s to %s: a %s stands there, and a pawn does not capture straight ahead.", from, to, onto.Kind())
	case df == 0 && ahead == 2 && from.Rank() != p.turn.homeRank()+p.turn.forward()/8:
		return pawnFaultOf("3.7.2", "The pawn cannot go two squares from %s to %s: only a pawn's first move may be of two squares.", from, to)
	case df == 0 && ahead == 2:
		at := to
		if s := p.firstBetween(from, to); s != NoSquare {
			at = s
		}
		return pawnFaultOf("3.7.2", "The pawn cannot go two squares from %s to %s: both squares must be empty, and a %s stands on %s.", from, to, p.board[at].Kind(), at)
	case ahead <= 0 && df == 0:
		return pawnFaultOf("3.7.1", "The pawn cannot go from %s to %s: a pawn only moves forward.", from, to)
	}
	return pawnFaultOf("3.7.1", "The pawn cannot go from %s to %s: a pawn %s.", from, to, howItMoves[Pawn])
}

func pawnFaultOf(article, format string, args ...any) fault {
	f := fault{kind: kinds.IllegalPawn, articles: []string{article}, reason: fmt.Sprintf(format, args...)}
	if onlyMovesStraight := article == "3.7.1"; onlyMovesStraight {
		f.articles = append(f.articles, "3.7.3")
	}
	return f
}

// safetyFault makes the move on a copy and looks who attacks the king (FIDE Laws 3.9.2).
func (p *Position) safetyFault(from, to Square) fault {
	move, ok := p.describe(newMove(from, to))
	if !ok {
		return fault{}
	}
	after := p.After(move)
	king := after.KingSquare(p.turn)
	attackers := after.attackers(king, after.turn, after.occupied())
	if attackers == 0 {
		return fault{}
	}
	by := attackers.first()
	attacker := after.board[by].Kind()
	switch {
	case p.board[from].Kind() == King && attacker == King:
		return faultOf(kinds.IllegalKingIntoCheck, "The king cannot go to %s, beside the other king on %s.", to, by)
	case p.board[from].Kind() == King:
		return faultOf(kinds.IllegalKingIntoCheck, "The king cannot go to %s: the %s on %s attacks that square.", to, attacker, by)
	case p.InCheck():
		return faultOf(kinds.IllegalLeftInCheck, "%s's king on %s is in check, and after the move from %s to %s the %s on %s still attacks it.",
			p.turn.Name(), king, from, to, attacker, by)
	}
	return faultOf(kinds.IllegalExposesKing, "The %s cannot leave %s for %s: the king on %s would stand in check from the %s on %s.",
		p.board[from].Kind(), from, to, king, attacker, by)
}

// promotionFault is reached only when the move is right but for its promotion.
func (p *Position) promotionFault(from, to Square, promo Kind) fault {
	lastRank := p.turn.Other().homeRank()
	switch {
	case p.board[from].Kind() != Pawn || to.Rank() != lastRank:
		if promo == NoKind {
			return fault{} // nothing is wrong: the caller knows what to make of that
		}
		return faultOf(kinds.IllegalPromoBadPiece, "The %s from %s to %s cannot become a %s: only a pawn that reaches the last rank is exchanged.",
			p.board[from].Kind(), from, to, promo)
	case promo == NoKind:
		return faultOf(kinds.IllegalPromoIncomplete, "The pawn has reached %s and was not exchanged for a new piece.", to)
	case promo == King || promo == Pawn:
		return faultOf(kinds.IllegalPromoBadPiece, "The pawn on %s cannot become a %s: it is exchanged for a queen, rook, bishop or knight.", to, promo)
	}
	return fault{}
}
