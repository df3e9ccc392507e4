package hint

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// misreadUS is how long a piece must certainly have stood on the promotion square: a square that is read wrongly for
// one scan is put right by the next (reconstruction notes, row 7).
const misreadUS = 250_000

// promoChanged is FIDE Laws 4.4.4: the choice is final once a piece has touched the square of promotion. The first
// piece that stood there counts. It is certain where both stood there; where the first was gone within a scan or two it
// is a hint, and where it turned into the other without the square being empty, it was misread.
func (t *Turn) promoChanged() (offence.Shape, bool) {
	m := t.M
	if m.Promotion() == legal.NoKind {
		return offence.Shape{}, false
	}
	for i := range t.Changes {
		c := &t.Changes[i]
		if c.Square != m.To() || c.Is.Side() != t.Side || !offence.CanPromoteTo(c.Is.Kind()) {
			continue
		}
		if c.Is.Kind() == m.Promotion() {
			return offence.Shape{}, false
		}
		j := left(t.Changes, i+1, c.Square, c.Is)
		if j < 0 || t.otherLifted(c.Square, c.Is) {
			return offence.Shape{}, false // it stands there still, or came from elsewhere on the board
		}
		next := &t.Changes[j]
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

func (t *Turn) changed(proof rules.Proof) offence.Shape {
	permille := promoChangedPermille
	if proof == rules.Hint {
		permille = releasedPermille
	}
	return t.shape(kinds.PromoChanged, proof, permille, 0)
}
