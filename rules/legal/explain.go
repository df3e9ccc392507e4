package legal

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/words"
)

// Verdict is the answer of Explain.
type Verdict struct {
	Legal    bool
	Move     Move           // the legal move, else NoMove
	Kind     kinds.Kind     // of the offence; "" when the move is legal or in doubt
	Articles []string       // FIDE Laws 2023
	Reason   words.Sentence // text that an arbiter can read out
	// Doubt: the independent opinions do not agree, or the text is not a move. The move must then not be called
	// illegal.
	Doubt bool
}

// fault is the result of the explanation; the zero value means no fault.
type fault struct {
	kind     kinds.Kind
	articles []string
	reason   words.Sentence
}

func faultOf(kind kinds.Kind, key string, args ...any) fault {
	return fault{kind, slices.Clone(kind.Row().FIDE), words.Say("why."+key, args...)}
}

// Explain reports whether a transfer in UCI notation is a legal move and, if not, the first rule that it breaks. The
// order:
//
//  1. nothing moved, an empty origin, the opponent's piece
//  2. castling named as king takes rook (Chess960), own capture, capture of the king
//  3. castling named by the king's move: right lost, out of check, blocked, through check, into check
//  4. the piece's way of moving: pawns with their captures and en passant; then jumps
//  5. safety of the king: the king's own step, a check left standing, a check opened
//  6. promotion: a piece where none is allowed or of a kind that is not allowed, or no piece where one is required
//
// Safety comes before promotion, because a pawn that may not leave its line cannot be made into the
// queen that FIDE Laws 7.5.2 prescribes.
//
// A move is called illegal only if the list of legal moves, the direct predicate and, in orthodox
// chess, the second opinion agree; else Doubt is set.
func (p *Position) Explain(uci string) Verdict {
	from, to, promo, err := p.ParseUCI(uci)
	if err != nil {
		return Verdict{Doubt: true, Reason: words.Verbatim(err.Error())}
	}
	var l MoveList
	p.Moves(&l)
	if m, ok := p.pick(&l, from, to, promo); ok {
		return Verdict{Legal: true, Move: m, Doubt: !p.IsLegal(m)}
	}
	f := p.findFault(from, to, promo)
	if f.kind == "" || p.othersAllow(from, to, promo) {
		return Verdict{Doubt: true, Reason: words.Verbatim("cannot judge " + uci + ": the independent tests of legality do not agree")}
	}
	return Verdict{Kind: f.kind, Articles: f.articles, Reason: f.reason}
}

// othersAllow asks the two other opinions about a move that is not in the list.
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
		return faultOf(kinds.IllegalNoMove, "no_move", p.turn)
	case piece == NoPiece:
		return fault{kind: kinds.NotUnderstood, reason: words.Say("why.empty", from)}
	case piece.Side() != p.turn:
		f := faultOf(kinds.OutOfTurn, "turn", p.turn, piece.Kind(), from, piece.Side())
		f.articles = []string{"1.2", "1.3"} // the other articles of the row concern the arbiter
		return f
	}
	attempt, castling := p.castlingAttempt(from, to)
	switch {
	case target.Side() == p.turn && !castling:
		return faultOf(kinds.IllegalOwnCapture, "own", piece.Kind(), from, to, p.turn, target.Kind())
	case target.Kind() == King && !castling:
		return faultOf(kinds.IllegalKingCapture, "king_taken", piece.Kind(), from, to)
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

// wayFault: the piece does not move in this way, or a piece is in the way.
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
		f := faultOf(kinds.IllegalJump, "jump", kind, from, p.board[at].Kind(), at, to)
		f.articles = append(slices.Clone(pieceOffences[kind].Row().FIDE), f.articles...)
		return f
	}
	return faultOf(pieceOffences[kind], "way."+kind.String(), from, to)
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

// firstBetween returns the first occupied square on the way, as seen from the origin.
func (p *Position) firstBetween(from, to Square) Square {
	for b := between[from][to] & p.occupied(); b != 0; b &= b - 1 {
		if s := b.first(); between[from][s]&p.occupied() == 0 {
			return s
		}
	}
	return NoSquare
}

// pawnFault separates an en passant capture that comes too late from all other faults of a pawn's move.
func (p *Position) pawnFault(from, to Square) fault {
	df, ahead := abs(to.File()-from.File()), (to.Rank()-from.Rank())*p.turn.forward()/8
	onto := p.board[to]
	switch {
	case df == 1 && ahead == 1:
		victim := from&^7 | to&7
		fifthRank := p.turn.homeRank() + 4*p.turn.forward()/8
		if from.Rank() == fifthRank && p.board[victim] == PieceOf(p.turn.Other(), Pawn) {
			return faultOf(kinds.IllegalEPLate, "ep_late", from, victim)
		}
		return pawnFaultOf("3.7.3", "pawn.aslant", from, to)
	case df == 0 && ahead == 1:
		return pawnFaultOf("3.7.1", "pawn.blocked", from, to, onto.Kind())
	case df == 0 && ahead == 2 && from.Rank() != p.turn.homeRank()+p.turn.forward()/8:
		return pawnFaultOf("3.7.2", "pawn.double", from, to)
	case df == 0 && ahead == 2:
		at := to
		if s := p.firstBetween(from, to); s != NoSquare {
			at = s
		}
		return pawnFaultOf("3.7.2", "pawn.double_blocked", from, to, p.board[at].Kind(), at)
	case ahead <= 0 && df == 0:
		return pawnFaultOf("3.7.1", "pawn.back", from, to)
	}
	return pawnFaultOf("3.7.1", "way.pawn", from, to)
}

func pawnFaultOf(article, key string, args ...any) fault {
	f := fault{kind: kinds.IllegalPawn, articles: []string{article}, reason: words.Say("why."+key, args...)}
	if onlyMovesStraight := article == "3.7.1"; onlyMovesStraight {
		f.articles = append(f.articles, "3.7.3")
	}
	return f
}

// safetyFault makes the move on a copy and looks for attackers of the king (FIDE Laws 3.9.2).
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
		return faultOf(kinds.IllegalKingIntoCheck, "king_beside", to, by)
	case p.board[from].Kind() == King:
		return faultOf(kinds.IllegalKingIntoCheck, "king_attacked", to, attacker, by)
	case p.InCheck():
		return faultOf(kinds.IllegalLeftInCheck, "left_in_check", p.turn, king, from, to, attacker, by)
	}
	return faultOf(kinds.IllegalExposesKing, "exposes", p.board[from].Kind(), from, to, king, attacker, by)
}

// promotionFault is reached only when the move is right except for its promotion.
func (p *Position) promotionFault(from, to Square, promo Kind) fault {
	lastRank := p.turn.Other().homeRank()
	switch {
	case p.board[from].Kind() != Pawn || to.Rank() != lastRank:
		if promo == NoKind {
			return fault{} // no fault: the caller decides how to treat that
		}
		return faultOf(kinds.IllegalPromoBadPiece, "promo.piece", p.board[from].Kind(), from, to, promo)
	case promo == NoKind:
		return faultOf(kinds.IllegalPromoIncomplete, "promo.none", to)
	case promo == King || promo == Pawn:
		return faultOf(kinds.IllegalPromoBadPiece, "promo.bad", to, promo)
	}
	return fault{}
}
