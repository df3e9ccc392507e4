package hub

import (
	"testing"
	"testing/synctest"
)

// An urgent caller goes before earlier ones, and no two go at once if there is room for one.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turn := turns{free: 1}
		turn.enter(false)
		var order []string
		for _, name := range []string{"a", "b", "first"} {
			go func() {
				turn.enter(name == "first")
				order = append(order, name)
				turn.leave()
			}()
			synctest.Wait()
		}
		if len(order) != 0 || !turn.queued() {
			t.Fatalf("%v went in before", order)
		}
		turn.leave()
		synctest.Wait()
		if len(order) != 3 || order[0] != "first" || order[1] != "a" {
			t.Errorf("the order is %v", order)
		}
		if turn.enter(false); turn.queued() {
			t.Error("whoever has a turn waits for one")
		}
	})
}
