package hub

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"boardwatchd/internal/hall/wire"
)

// Boards with a large backlog begin a few at a time, first those for which a person waits. A board with a small
// backlog, or an older one that does not report it, does not wait.
func TestBoardsBringInTurns(t *testing.T) {
	t.Parallel()
	var b bringing
	var let []string
	b.open(func(m *nats.Msg) { let = append(let, wire.Sender(m.Subject)+m.Reply) })
	now := time.Unix(1, 0)
	board := func(computer string) string { return wire.Records(computer, "1") }
	ask := func(computer, reply string, backlog int64, urgent bool) {
		q := wire.LastQuestion{Journal: "1-r1", Backlog: backlog, Urgent: urgent}
		m := q.Message(computer, "1")
		m.Reply = reply
		b.ask(m, now)
	}
	expect := func(when string, want ...string) {
		t.Helper()
		if !slices.Equal(let, want) {
			t.Errorf("%s: let begin were %q, want %q", when, let, want)
		}
		let = nil
	}
	const much = muchToBring
	var first []string
	for n := range maxBringing {
		first = append(first, fmt.Sprint("t", n))
		ask(first[n], "", much, false)
	}
	expect("at first", first...)
	ask("slow", "", much, false)
	ask("late", "", much, false)
	ask("urgent", "", much, true)
	ask("small", "", much-1, false)
	b.ask(nats.NewMsg(wire.Last("old", "1")), now)
	ask(first[3], "", much, false) // its connection was broken
	expect("without a turn", "small", "old", first[3])
	if !b.waits(board("slow")) || b.waits(board("small")) || b.waits(board(first[0])) {
		t.Error("another board waits than those without a turn")
	}
	ask("slow", " again", much, false)
	b.came(board(first[0]), false, now)
	b.came(board("small"), true, now)
	expect("no turn is over")
	b.came(board(first[0]), true, now)
	b.came(board(first[1]), true, now)
	expect("two turns are over", "urgent", "slow again")
	if b.waits(board("slow")) || !b.waits(board("late")) {
		t.Error("whoever was let begin waits")
	}

	for elapsed := time.Duration(0); elapsed < turnTime; elapsed += turnRest {
		for _, one := range []string{"urgent", "slow"} {
			b.came(board(one), false, now)
		}
		b.tick(now)
		now = now.Add(turnRest)
	}
	expect("nothing came of most", "late")
	if len(b.turns) != 3 {
		t.Errorf("%d have a turn, want those of which something came, and the last one", len(b.turns))
	}
	if b.tick(now); len(b.turns) != 0 {
		t.Errorf("%d have a turn, want none after %v", len(b.turns), turnTime)
	}

	b.answered(board("slow"), now) // its worker was at something else all the time
	if b.tick(now); len(b.turns) != 1 {
		t.Errorf("%d have a turn, want the one that was answered", len(b.turns))
	}

	for n := range maxBringing {
		ask(fmt.Sprint("t", n), "", much, false)
	}
	let = nil
	for n := range maxBoards + 1 {
		q := wire.LastQuestion{Backlog: much}
		b.ask(q.Message("broken", fmt.Sprint(n)), now)
	}
	expect("a computer with more boards than any has", "broken")
}
