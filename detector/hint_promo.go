package detector

import (
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
func (t *turn) promoChanged() (shape, bool) {
	m := t.m
	if m.Promotion() == legal.NoKind {
		return shape{}, false
	}
	for i := range t.changes {
		c := &t.changes[i]
		if c.sq != m.To() || c.is.Side() != t.side || !canPromoteTo(c.is.Kind()) {
			continue
		}
		if c.is.Kind() == m.Promotion() {
			return shape{}, false
		}
		j := left(t.changes, i+1, c.sq, c.is)
		if j < 0 || t.otherLifted(c.sq, c.is) {
			return shape{}, false // it stands there still, or came from elsewhere on the board
		}
		next := &t.changes[j]
		switch {
		case next.healed || c.healed || !c.before(next):
			continue
		case between(c, next) >= misreadUS:
			return t.changed(rules.Certain), true
		case next.is == legal.NoPiece:
			return t.changed(rules.Hint), true
		}
	}
	return shape{}, false
}

func canPromoteTo(k legal.Kind) bool { return k >= legal.Knight && k <= legal.Queen }

func (t *turn) changed(proof rules.Proof) shape {
	permille := promoChangedPermille
	if proof == rules.Hint {
		permille = releasedPermille
	}
	return t.shape(kinds.PromoChanged, proof, permille, 0)
}
