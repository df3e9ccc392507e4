package helpmate

import (
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"testing"
)

// An answer depends on the question alone: a used Solver, in any order, says what a fresh one says.
// BOARDWATCHD_HELPMATE_BOARDS asks for more questions; there are 7,024.
func TestAnswersDoNotDependOnEarlierQuestions(t *testing.T) {
	var list []question
	for _, name := range []string{"lichess.txt", "positions.txt"} {
		list = append(list, corpus(t, name)...)
	}
	r := rand.New(rand.NewPCG(6, 9))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	questions := 1500
	if n, err := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_BOARDS")); err == nil {
		questions = n
	} else if testing.Short() {
		questions = 500
	}
	list = list[:min(questions, len(list))]
	const limit = 3000
	used := new(Solver)
	for i := range list {
		q := &list[i]
		fresh := Ask(&q.pos, q.side, limit)
		if got := used.Ask(&q.pos, q.side, limit); !reflect.DeepEqual(got, fresh) {
			t.Fatalf("%s in %s: used %+v, fresh %+v", q.side, q.pos.FEN(), got, fresh)
		}
		if r.IntN(4) == 0 {
			used.Dead(&q.pos, DeadLimit)
			used.Forced(&q.pos, 200)
		}
	}
}

// The memory of small sets is reused by age; when the age comes round, nothing old is recognised.
func TestAgeOfVisitsComesRound(t *testing.T) {
	var v visits
	v.forget()
	v.add(7)
	v.age = 1<<32 - 1
	v.forget()
	if !v.add(7) {
		t.Error("a key of an earlier age is still known")
	}
	for key := range uint64(3 * firstVisits) {
		v.add(key)
	}
	for key := range uint64(3 * firstVisits) {
		if v.add(key) {
			t.Fatalf("key %d got lost", key)
		}
	}
}
