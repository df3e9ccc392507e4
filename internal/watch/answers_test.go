package watch

import (
	"testing"

	"boardwatchd/dgt"
	"boardwatchd/internal/record"
)

// TestAnswersThatComeLate: a board whose answers come late by a second and more for a minute is slow; one lost
// answer, a request that waited with another one, and a standstill of the program make none.
func TestAnswersThatComeLate(t *testing.T) {
	const s = 1_000_000
	exchange := func(a *answers, at, late int64) {
		a.sent(byte(dgt.RequestBoard), at)
		a.heard(dgt.MsgBoard, at+late)
	}
	for name, c := range map[string]struct {
		play func(a *answers)
		want int64
	}{
		"late for a minute": {func(a *answers) {
			for at := int64(1); at <= 91; at += 30 {
				exchange(a, at*s, 2_400_000)
			}
		}, 2_400_000},
		"in time": {func(a *answers) {
			for at := int64(1); at <= 91; at += 30 {
				exchange(a, at*s, 200_000)
			}
		}, 0},
		"late for half a minute": {func(a *answers) {
			exchange(a, 62*s, 2*s)
			exchange(a, 92*s, 2*s)
		}, 0},
		"late until now": {func(a *answers) {
			for at := int64(1); at <= 61; at += 30 {
				exchange(a, at*s, 2*s)
			}
			exchange(a, 91*s, s/10)
		}, 0},
		"one answer was lost": {func(a *answers) {
			a.sent(byte(dgt.RequestSerial), 1*s)
			for at := int64(3); at < 99; at += 2 {
				a.sent(byte(dgt.RequestSerial), at*s)
				a.heard(dgt.MsgSerial, at*s+s/10)
			}
		}, 0},
		"two requests at once": {func(a *answers) {
			for at := int64(1); at <= 91; at += 30 {
				a.sent(byte(dgt.RequestBoard), at*s)
				a.sent(byte(dgt.RequestBoard), at*s+s/2)
				a.heard(dgt.MsgBoard, at*s+2*s)
				a.heard(dgt.MsgBoard, at*s+2*s)
			}
		}, 0},
		"the program stood still": {func(a *answers) {
			for at := int64(1); at <= 91; at += 30 {
				exchange(a, at*s, 2*s)
			}
			a.step(record.Record{Kind: record.Late})
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var a answers
			c.play(&a)
			if got := a.slow(100 * s); got != c.want {
				t.Errorf("slow by %d µs, want %d", got, c.want)
			}
		})
	}
}
