package live_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"boardwatchd/internal/live"
)

// follow starts followers that read everything, and returns the function that ends them.
func follow(bs *live.Boards, n int) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range n {
		f := bs.Follow("")
		wg.Go(func() {
			defer f.Close()
			for {
				if _, err := f.Next(ctx); err == live.ErrFellBehind {
					f.Close()
					f = bs.Follow("")
				} else if err != nil {
					return
				}
			}
		})
	}
	return func() { cancel(); wg.Wait() }
}

// BenchmarkPublish measures one durable event with 50 reading followers.
func BenchmarkPublish(b *testing.B) {
	for _, followers := range []int{0, 50} {
		b.Run(fmt.Sprintf("%d followers", followers), func(b *testing.B) {
			bs := live.New(live.Options{})
			defer follow(bs, followers)()
			data := []byte(`{"type":"press","side":"white","judged":"ok"}`)
			b.ReportAllocs()
			for b.Loop() {
				bs.Publish("press", "1", data)
			}
		})
	}
}

// BenchmarkTick measures one second of 64 boards whose clocks run, with 50 followers: 64 steps.
func BenchmarkTick(b *testing.B) {
	for _, followers := range []int{0, 50} {
		b.Run(fmt.Sprintf("%d followers", followers), func(b *testing.B) {
			bs, boards := sixtyFourBoards()
			defer follow(bs, followers)()
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				for _, board := range boards {
					tick(board, n)
				}
			}
		})
	}
}

func sixtyFourBoards() (bs *live.Boards, boards []*live.Board) {
	bs = live.New(live.Options{})
	for n := range 64 {
		board := bs.Add(fmt.Sprint(n+1), live.Info{})
		say(board, `{"type":"game","game":1,"fen":%q}`, array)
		tick(board, 0)
		boards = append(boards, board)
	}
	return bs, boards
}

// BenchmarkSummaries measures the overview of 64 boards as JSON.
func BenchmarkSummaries(b *testing.B) {
	bs, _ := sixtyFourBoards()
	b.ReportAllocs()
	for b.Loop() {
		text, err := json.Marshal(bs.Summaries())
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(text)))
	}
}

// BenchmarkSaid measures a move object of a station.
func BenchmarkSaid(b *testing.B) {
	bs, boards := sixtyFourBoards()
	defer follow(bs, 50)()
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		say(boards[0], `{"type":"move","seq":9,"t":1.5,"board":"1","game":1,"ply":%d,"side":"white",`+
			`"uci":"e2e4","san":"e4","clock":{"white":5400,"black":5400},"committed_by":"press"}`, n%300+1)
	}
}
