package broadcast

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"boardwatchd/internal/disk"
	"boardwatchd/internal/uptime"
	"boardwatchd/rules/words"
)

// MaxText is the most bytes of a text: some 800 games of 60 moves.
const MaxText = 4 << 20

// The times of a Caster.
const (
	writeEvery   = time.Second      // between two texts, at least
	retryFile    = 5 * time.Second  // after a file that could not be written
	settled      = time.Second      // no journal was read for this long: all those of the start are there
	maxStartWait = 30 * time.Second // the longest that the first text waits for journals
)

// Options configure a Caster. Notify is needed.
type Options struct {
	Delay        time.Duration
	ResultAtOnce bool
	Name         func(id string) string // nil: no names are reported
	File         string                 // "": none
	Pusher       *Pusher                // nil: none

	// Notify reports a problem and its remedy as sentences of the page's texts; an empty say ends the problem.
	Notify func(id string, say, do words.Sentence)
	Now    func() time.Duration // monotonic, and goes on while the computer is suspended; nil: uptime.Now
	Wall   func() time.Time     // nil: time.Now; only for Text.Modified
}

// A Text is the text that is due at a moment.
type Text struct {
	Body     []byte
	ETag     string    // without quotes
	Modified time.Time // greater than that of the text before
	Games    int
	Plies    int
	Trouble  int // number of boards with something left out
}

// A Caster makes the text from the games of all boards. Its methods, and those of its boards, may be called from any
// goroutine.
type Caster struct {
	opt  Options
	text atomic.Pointer[Text]
	wake chan struct{}

	written, failed atomic.Int64 // writes of the file

	mu        sync.Mutex
	boards    []*Board        // in the order of their names
	expected  map[string]bool // their journals are still to be read
	news      time.Duration   // when a journal was last read, or begun to be read
	began     time.Duration
	startRead bool // all journals of the start were read
}

// New returns a Caster without boards.
func New(o Options) *Caster {
	if o.Now == nil {
		o.Now = uptime.Now
	}
	if o.Wall == nil {
		o.Wall = time.Now
	}
	return &Caster{opt: o, wake: make(chan struct{}, 1), expected: map[string]bool{}, began: o.Now()}
}

// Text is the text that is due now. It returns false while the journals are being read.
func (c *Caster) Text() (Text, bool) {
	t := c.text.Load()
	if t == nil {
		return Text{}, false
	}
	return *t, true
}

// Files counts the successful and the failed writes of the file.
func (c *Caster) Files() (written, failed int64) { return c.written.Load(), c.failed.Load() }

// Expect announces that the journal of a board will be read.
func (c *Caster) Expect(board string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expected[board], c.news = true, c.opt.Now()
}

// Add adds a board, or has it read again: what was due stays until Ready. Rate is how much faster than life its time
// runs.
func (c *Caster) Add(name, journal string, rate int64) *Board {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expected[name], c.news = true, c.opt.Now()
	at, found := slices.BinarySearchFunc(c.boards, name, func(b *Board, name string) int { return byNumber(b.name, name) })
	if !found {
		c.boards = slices.Insert(c.boards, at, &Board{caster: c, name: name})
	}
	b := c.boards[at]
	b.begin(journal, rate)
	return b
}

func (c *Caster) ready(board string) {
	c.mu.Lock()
	delete(c.expected, board)
	c.news = c.opt.Now()
	c.mu.Unlock()
	c.poke()
}

// poke wakes Run.
func (c *Caster) poke() {
	select {
	case c.wake <- struct{}{}:
	default: // it is awake
	}
}

// Run updates the text and the file, until ctx ends.
func (c *Caster) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	unwritten := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		case <-timer.C:
		}
		changed, wait := c.update()
		if unwritten = c.writeFile(changed || unwritten); unwritten {
			wait = min(wait, retryFile)
		}
		if changed { // further changes are collected
			select {
			case <-ctx.Done():
				return
			case <-time.After(writeEvery):
			}
			wait -= writeEvery
		}
		timer.Reset(max(wait, 0))
	}
}

// update makes the text of what is due. It reports whether the text has changed, and when to call it again.
func (c *Caster) update() (changed bool, wait time.Duration) {
	if wait := c.unread(); wait > 0 {
		return false, wait
	}
	c.mu.Lock()
	boards := slices.Clone(c.boards)
	c.mu.Unlock()
	wait = time.Hour
	for _, b := range boards {
		news, next := b.update()
		changed, wait = changed || news, min(wait, next)
	}
	if changed || c.text.Load() == nil {
		changed = c.compose(boards)
	}
	return changed, wait
}

// unread is how long the first text still has to wait for journals; 0: not at all. Without that wait a restart would
// remove the round's games from the file for a moment.
func (c *Caster) unread() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.opt.Now()
	switch rest := settled - (now - c.news); {
	case c.startRead || now-c.began >= maxStartWait:
	case len(c.expected) > 0:
		return settled
	case rest > 0:
		return rest
	}
	c.startRead = true
	return 0
}

// compose joins the boards' games.
func (c *Caster) compose(boards []*Board) (changed bool) {
	var body strings.Builder
	var games, wrong []string
	next := &Text{}
	for _, b := range boards {
		sheet := b.due()
		if sheet.Trouble != nil {
			wrong = append(wrong, b.name)
		}
		for _, g := range sheet.Games {
			if body.Len()+len(g) > MaxText {
				wrong = append(wrong, b.name)
				break
			}
			body.WriteString(g)
			games = append(games, g)
		}
		next.Plies += sheet.Plies
	}
	wrong = slices.Compact(wrong)
	next.Body, next.Games, next.Trouble = []byte(body.String()), len(games), len(wrong)
	sum := sha256.Sum256(next.Body)
	next.ETag = hex.EncodeToString(sum[:12])
	next.Modified = c.opt.Wall().UTC().Truncate(time.Second)
	c.noticeTrouble(wrong)
	if last := c.text.Load(); last != nil {
		if last.ETag == next.ETag {
			return false
		}
		if least := last.Modified.Add(time.Second); next.Modified.Before(least) { // even if the wall clock was set back
			next.Modified = least
		}
	}
	c.text.Store(next)
	if c.opt.Pusher != nil {
		c.opt.Pusher.Offer(games)
	}
	return true
}

func (c *Caster) noticeTrouble(boards []string) {
	var say words.Sentence
	if n := len(boards); n > 0 {
		const named = 8
		if n > named {
			boards = append(boards[:named:named], "…")
		}
		say = words.Say("notice.cast_games", n, strings.Join(boards, ", "))
	}
	c.opt.Notify("broadcast-games", say, words.Say("notice.cast_games.do"))
}

// writeFile writes the file if there is something new. It returns true if the file still has to be written.
func (c *Caster) writeFile(news bool) bool {
	t := c.text.Load()
	if c.opt.File == "" || !news || t == nil {
		return false
	}
	if err := replace(c.opt.File, t.Body); err != nil {
		c.failed.Add(1)
		c.opt.Notify("broadcast-file", words.Say("notice.cast_file", disk.WhyAt(err)), words.Say("notice.cast_file.do"))
		return true
	}
	c.written.Add(1)
	c.opt.Notify("broadcast-file", words.Sentence{}, words.Sentence{})
	return false
}

// byNumber orders 2 before 10.
func byNumber(a, b string) int {
	number := func(s string) (prefix string, n int) {
		digits := len(s) - len(strings.TrimRight(s, "0123456789"))
		for _, d := range s[len(s)-min(digits, 9):] {
			n = 10*n + int(d-'0')
		}
		return s[:len(s)-digits], n
	}
	pa, na := number(a)
	pb, nb := number(b)
	return cmp.Or(strings.Compare(pa, pb), cmp.Compare(na, nb), strings.Compare(a, b))
}
