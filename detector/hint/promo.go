package hint

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// misreadUS is how long a piece must certainly have been on the promotion square: a square that is read wrongly for one
// scan is corrected by the next (reconstruction notes, row 7).
const misreadUS = 250_000

// promoChanged recognises FIDE Laws 4.4.4: the choice is final once a piece has touched the promotion square. The first
// piece that was there counts. It is certain where both pieces stayed there; where the first left within a scan or two
// it is a hint; and where the first turned into the other without the square being empty, it was misread.
func (t *turn) promoChanged() (offence.Shape, bool) {
	m := t.move
	if m.Promotion() == legal.NoKind {
		return offence.Shape{}, false
	}
	for i := range t.changes {
		c := &t.changes[i]
		if c.Square != m.To() || c.Is.Side() != t.side || !offence.CanPromoteTo(c.Is.Kind()) {
			continue
		}
		if c.Is.Kind() == m.Promotion() {
			return offence.Shape{}, false
		}
		j := left(t.changes, i+1, c.Square, c.Is)
		if j < 0 || t.otherLifted(c.Square, c.Is) {
			return offence.Shape{}, false // it is still there, or came from elsewhere on the board
		}
		next := &t.changes[j]
		switch {
		case next.FromDump || c.FromDump || !c.Before(next):
			continue
		case evidence.Between(c, next) >= misreadUS:
			return t.changed(rules.Certain), true
		case next.Is == legal.NoPiece:
			return t.changed(rules.Hint), true
		}
	}
	return offence.Shape{}, false
}

func (t *turn) changed(proof rules.Proof) offence.Shape {
	permille := promoChangedPermille
	if proof == rules.Hint {
		permille = releasedPermille
	}
	return t.shape(kinds.PromoChanged, proof, permille, 0)
}
