//go:build linux

package e2e

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/rs/zerolog"

	"boardwatchd/internal/access"
	"boardwatchd/internal/hall/roster"
	hallview "boardwatchd/internal/hall/view"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/web"
)

// BenchmarkPageOfAHall is BenchmarkPage for 500 boards in play, whose journals a hall would read: per cent of one core,
// on a core made six times slower. The promise is below 15.
//
//	go test -run xxx -bench PageOfAHall -benchtime 1x ./internal/e2e
func BenchmarkPageOfAHall(b *testing.B) {
	long(b)
	url, cookie := pageOfAHall(b, 500)
	c := openBrowser(b)
	for _, s := range []struct {
		name     string
		screen   size
		pictured bool
		list     bool // of computers and boards
	}{
		{"phone", tall, false, false}, {"wide", size{1280, 800}, false, false}, {"wide, with positions", size{1280, 800}, true, false},
		{"the operator's list, wide", size{1280, 800}, false, true},
	} {
		b.Run(s.name, func(b *testing.B) {
			p := c.phone(b, s.screen)
			do(p, network.SetCookie, network.SetCookieParams{Name: "boardwatchd", Value: cookie, URL: url, HTTPOnly: new(true)})
			p.open(url)
			p.shows(".conn.live", "live")
			p.await("500 boards", "document.querySelectorAll('.card').length === 500")
			p.shoot("hall-500-" + s.name)
			if s.pictured {
				p.tap(".act", "With positions")
				p.shows(".card .diagram", "")
				p.shoot("hall-500-pictured")
			}
			if s.list {
				p.to("#/computers", ".unit")
				p.await("500 boards and 25 computers", "document.querySelectorAll('.unit').length === 525")
				p.shoot("hall-500-list")
			}
			do(p, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 6})
			do(p, performance.Enable, performance.EnableParams{})
			time.Sleep(5 * time.Second) // what comes with the start is over
			for b.Loop() {
				b.ReportMetric(p.busy(20*time.Second), "%core")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// pairedStore is a list of devices with one that an arbiter has paired, and its cookie.
func pairedStore(t testing.TB) (store *access.Store, cookie string) {
	t.Helper()
	store = access.Open(filepath.Join(t.TempDir(), "devices.json"), time.Now)
	code, err := store.NewCode(access.Arbiter, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, cookie, err = store.Pair(access.ThisComputer, code.Text, "Ann"); err != nil {
		t.Fatal(err)
	}
	return store, cookie
}

// pageOfAHall serves the page of n boards at which a simulated game is played, each at another moment of it.
func pageOfAHall(b testing.TB, n int) (url, cookie string) {
	b.Helper()
	var lines [][]byte
	var at []int64
	var p record.Parser
	for line := range bytes.Lines(playedJournal(b, 20*time.Minute, 20)) {
		r, _, err := p.Parse(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			b.Fatal(err)
		}
		lines, at = append(lines, line), append(at, r.At)
	}
	boards := live.New(live.Options{})
	store, cookie := pairedStore(b)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := web.New(web.Options{Live: boards, Access: store, Boards: unheard{}, Computers: func() roster.List { return listOf(boards) }, Event: func() string { return "Hall Open" }, Round: func() string { return "1" }, Log: zerolog.Nop()})
	ctx, cancel := context.WithCancel(context.Background())
	served, played := make(chan error, 1), make(chan struct{})
	go func() { served <- server.Serve(ctx, listener) }()

	views, next := make([]*hallview.View, n), make([]int, n)
	for i := range views {
		name := strconv.Itoa(i + 1)
		board := boards.Add(name, live.Info{Journal: "r1", Rate: 1})
		next[i] = max(3, len(lines)*i/(2*n))
		path := filepath.Join(b.TempDir(), name+".bwj")
		if err := os.WriteFile(path, bytes.Join(lines[:next[i]], nil), 0o600); err != nil {
			b.Fatal(err)
		}
		hear := hallview.Listener{Recovered: board.Recovered, Entered: board.Entered, Seen: board.Seen, Said: board.Said, Ready: board.Ready}
		if views[i], err = hallview.Read(path, hear, nil, zerolog.Nop()); err != nil {
			b.Fatal(err)
		}
		body := fmt.Sprintf(`{"do":"names","white":%q,"black":%q}`, playerOf(2*i), playerOf(2*i+1))
		board.Entered(record.Record{At: at[next[i]-1], Kind: record.Instruct, Body: []byte(body)})
	}
	go func() {
		defer close(played)
		begun, begin := time.Now(), append([]int(nil), next...)
		for ctx.Err() == nil {
			for i, v := range views {
				for next[i] < len(lines) && at[next[i]]-at[begin[i]] <= time.Since(begun).Microseconds() {
					v.Feed(1, lines[next[i]])
					next[i]++
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	b.Cleanup(func() {
		cancel()
		<-played
		if err := <-served; err != nil {
			b.Error(err)
		}
	})
	return "http://" + listener.Addr().String(), cookie
}

// playerOf is the name of a player; of 1,000 no two have the same.
func playerOf(i int) string {
	first := strings.Fields("Anna Boris Clara David Elif Farid Greta Hans Ines Jonas Karin Lars Mira Nils Olga Peter Ruth Sven Tina Uwe Vera Wim Xenia Yusuf Zoe")
	last := strings.Fields("Adler Brandt Cordes Demir Engel Fischer Graf Hofmann Ivanova Jansen Keller Lorenz Meyer Novak Ortmann Petrov Quast Richter Schulz Tanaka Ulrich Vogel Weber Xu Yilmaz Ziegler Aydin Bauer Castro Dubois")
	n := i * 7919 % 1000 // in no order, as in a round
	return last[n%len(last)] + ", " + first[n/len(last)%len(first)] + " " + string(rune('A'+n/len(last)/len(first)))
}

// testFirstLoadOfAHall: phones that have nothing in their cache, at 500 boards in play, and a wide screen. The rest of
// the boards is there when it is looked for.
func testFirstLoadOfAHall(t *testing.T, b *browser) {
	url, cookie := pageOfAHall(t, 500)
	for _, s := range []struct {
		name   string
		screen size
	}{{"a phone", tall}, {"a wide screen", size{1600, 1000}}} {
		r := newRadio(t, url)
		p := b.phone(t, s.screen)
		do(p, network.SetCookie, network.SetCookieParams{Name: "boardwatchd", Value: cookie, URL: r.url(), HTTPOnly: new(true)})
		p.open(r.url())
		p.shows(".conn.live", "live")
		p.await("500 boards", "document.querySelectorAll('.card').length === 500")
		p.light(s.name+" at 500 boards", r)
		p.await("all that can be seen is there", `[...document.querySelectorAll('.card')].filter((c) => c.getBoundingClientRect().top < innerHeight).every((c) => c.querySelector('.names').textContent)`)
		p.typed(".search", playerOf(999))
		p.await("a player at the last board is found", "document.querySelectorAll('.card').length === 1 && document.querySelector('.card .names').textContent.includes("+strconv.Quote(playerOf(999))+")")
	}
}

// listOf is the operator's list of computers with 20 boards each.
func listOf(boards *live.Boards) roster.List {
	facts, now := boards.Facts(), time.Now()
	var computers []roster.Computer
	for i, f := range facts {
		if i%20 == 0 {
			computers = append(computers, roster.Computer{Name: fmt.Sprintf("table-%d", i/20+1), Here: true, Seen: now, AheadKnown: true})
		}
		c := &computers[len(computers)-1]
		c.Self.Run = "1"
		c.Boards = append(c.Boards, roster.Board{ShownAs: f.Board, Name: f.Board, Here: true})
	}
	return roster.Make(true, computers, facts, now)
}

// unheard boards take nothing.
type unheard struct{}

func (unheard) Instruct(context.Context, string, []byte) error {
	return fmt.Errorf("instruct: %w", web.ErrNoBoard)
}
func (unheard) Decide(context.Context, string, []byte) error {
	return fmt.Errorf("decide: %w", web.ErrNoBoard)
}
func (unheard) Saved(context.Context, string, int64) error {
	return fmt.Errorf("save: %w", web.ErrNoBoard)
}

// Head is as long as a real one.
func (unheard) Head(board string) journal.Head {
	sum := sha256.Sum256([]byte(board))
	return journal.Head{Journal: "hall-open-20261130-1400-r1-" + board, Seq: 1, Chain: record.Chain(sum[:16])}
}
