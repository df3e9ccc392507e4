package helpmate

import "testing"

// BenchmarkRealGames answers both questions about positions of real games; one operation is one question.
func BenchmarkRealGames(b *testing.B) {
	list := positions(b, corpus(b, "lichess.txt"))
	for i := range b.N {
		q := &list[i%len(list)]
		CanMate(&q.pos, q.side, DefaultLimit)
	}
}
