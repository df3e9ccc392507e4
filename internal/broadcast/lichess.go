package broadcast

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"boardwatchd/internal/disk"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

// The interface, as it is documented: POST /api/broadcast/round/{broadcastRoundId}/push with the PGN of up to 100 games
// as text/plain and a token with the scope study:write; one request at a time; after 429 at least a minute of silence.
// It answers with an object for each game, which has an error if the game was refused.
const (
	gamesInPush      = 64 // an earlier edition of the interface accepted no more
	pushEvery        = time.Second
	pushPatience     = 30 * time.Second
	limitedFor       = time.Minute
	firstRetry       = 2 * time.Second
	lastRetry        = time.Minute
	lookForToken     = 10 * time.Second
	failuresToReport = 3 // in a row
	maxAnswer        = 1 << 20
)

// PusherOptions configure a Pusher.
type PusherOptions struct {
	Server string                                  // https://lichess.org
	Round  string                                  // its identity there
	Token  func() (token string, err error)        // reads it from its file
	Notify func(id string, say, do words.Sentence) // as in Options
	Client *http.Client                            // nil: Go's usual one. Redirects are not followed
}

// A Pusher sends the games to a round of lichess' broadcasts. Only its goroutine sends, one request at a time.
type Pusher struct {
	opt    PusherOptions
	target string
	offer  chan struct{}

	pushed, failed atomic.Int64

	mu    sync.Mutex
	games []string

	sent    map[int]string // accepted pushes, by their number
	refused string         // the token that was refused; "": none
	streak  int            // failures in a row
}

// NewPusher returns a Pusher. It sends nothing before Offer.
func NewPusher(o PusherOptions) *Pusher {
	if o.Client == nil {
		o.Client = &http.Client{}
	}
	client := *o.Client
	// The token is for this server only.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	o.Client = &client
	return &Pusher{
		opt: o, offer: make(chan struct{}, 1), sent: map[int]string{},
		target: strings.TrimRight(o.Server, "/") + "/api/broadcast/round/" + url.PathEscape(o.Round) + "/push",
	}
}

// Offer sets the current games. It does not wait.
func (p *Pusher) Offer(games []string) {
	p.mu.Lock()
	p.games = slices.Clone(games)
	p.mu.Unlock()
	select {
	case p.offer <- struct{}{}:
	default:
	}
}

// Pushes counts the accepted and the failed pushes.
func (p *Pusher) Pushes() (taken, failed int64) { return p.pushed.Load(), p.failed.Load() }

// Run sends the offered games until ctx ends. After a failure it sends again, with what has come since.
func (p *Pusher) Run(ctx context.Context) {
	for {
		wait := p.round(ctx)
		var again <-chan time.Time
		offer := p.offer
		if wait > 0 {
			again, offer = time.After(wait), nil
		}
		select {
		case <-ctx.Done():
			return
		case <-offer:
		case <-again:
		}
	}
}

// round sends every push that differs from the accepted one, and returns the wait before the next try; 0: until the
// games change.
func (p *Pusher) round(ctx context.Context) (wait time.Duration) {
	p.mu.Lock()
	games := p.games
	p.mu.Unlock()
	for n := 0; n*gamesInPush < len(games); n++ {
		text := strings.Join(games[n*gamesInPush:min((n+1)*gamesInPush, len(games))], "")
		if p.sent[n] == text {
			continue
		}
		token, err := p.opt.Token()
		if err != nil {
			return p.failure(&pushError{
				say: disk.WhyAt(err), do: words.Say("notice.cast_token.do"), lasting: true,
			})
		}
		if token == p.refused {
			return lookForToken
		}
		if err := p.push(ctx, token, text); err != nil {
			return p.failure(err)
		}
		p.pushed.Add(1)
		p.sent[n], p.refused, p.streak = text, "", 0
		p.opt.Notify(pushNotice, words.Sentence{}, words.Sentence{})
		select { // the interface demands it
		case <-ctx.Done():
			return 0
		case <-time.After(pushEvery):
		}
	}
	return 0
}

// pushNotice and the next are the ids of the notices.
const (
	pushNotice  = "broadcast-lichess"
	gamesNotice = "broadcast-lichess-games"
)

// A pushError is why a push failed.
type pushError struct {
	say, do words.Sentence // do is empty if the internet connection has to be checked
	after   time.Duration  // the server wants this pause
	lasting bool           // it is reported at once
}

func (e *pushError) Error() string { return page.English(e.say) }

// failure reports a failure if it lasts, and returns the wait before the next try.
func (p *Pusher) failure(err error) time.Duration {
	p.failed.Add(1)
	p.streak++
	var e *pushError
	if !errors.As(err, &e) {
		e = &pushError{say: words.Verbatim(err.Error())}
	}
	if e.lasting || p.streak >= failuresToReport {
		if e.do.IsZero() {
			e.do = words.Say("notice.cast_push.do")
		}
		p.opt.Notify(pushNotice, words.Say("notice.cast_push", e.say), e.do)
	}
	return max(e.after, min(firstRetry<<min(p.streak-1, 10), lastRetry))
}

// push sends one text.
func (p *Pusher) push(ctx context.Context, token, text string) error {
	ctx, cancel := context.WithTimeout(ctx, pushPatience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.target, strings.NewReader(text))
	if err != nil {
		return &pushError{say: words.Say("notice.cast_address"), do: words.Say("notice.cast_server.do"), lasting: true}
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "text/plain; charset=utf-8")
	req.Header.Set("User-Agent", "boardwatchd")
	resp, err := p.opt.Client.Do(req)
	if err != nil {
		return &pushError{say: why(req.URL.Host, err)}
	}
	defer func() { _ = resp.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer)) // the status decides
	if err := p.verdict(req.URL.Host, token, resp, body); err != nil {
		return err
	}
	p.noticeRefusedGames(body)
	return nil
}

// why is the innermost reason, with the server and without the address.
func why(host string, err error) words.Sentence {
	var t interface{ Timeout() bool }
	if errors.As(err, &t) && t.Timeout() {
		return words.Say("notice.cast_no_answer", host)
	}
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return words.Verbatim(host + ": " + err.Error())
		}
		err = next
	}
}

func (p *Pusher) verdict(host, token string, resp *http.Response, body []byte) error {
	e := &pushError{say: words.Say("notice.cast_answer", host, resp.StatusCode)}
	switch s := resp.StatusCode; {
	case s/100 == 2:
		return nil
	case s == http.StatusTooManyRequests:
		e.after = limitedFor
		if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
			const most = 3600
			e.after = max(e.after, time.Duration(min(n, most))*time.Second)
		}
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		p.refused = token
		e.lasting, e.after = true, lookForToken
		e.say.Key = "notice.cast_answer_token"
		e.do = words.Say("notice.cast_refused.do")
	case s == http.StatusNotFound:
		e.lasting, e.after = true, lastRetry
		e.say.Key = "notice.cast_answer_round"
		e.do = words.Say("notice.cast_round.do")
	case s/100 == 3:
		e.lasting, e.after = true, lastRetry
		e.do = words.Say("notice.cast_moved.do")
	case s/100 == 4:
		var answer struct{ Error string }
		if json.Unmarshal(body, &answer) == nil && answer.Error != "" {
			e.say = words.Say("notice.cast_answer_why", host, resp.StatusCode, clean(answer.Error))
		}
		e.lasting, e.after = true, lastRetry
		e.do = words.Say("notice.cast_source.do")
	}
	return e
}

// noticeRefusedGames sets the notice that names the games which the server has refused.
func (p *Pusher) noticeRefusedGames(body []byte) {
	var answer struct {
		Games []struct {
			Tags  struct{ White, Black string }
			Error string
		}
	}
	first, n := "", 0
	if json.Unmarshal(body, &answer) == nil {
		for _, g := range answer.Games {
			if g.Error == "" {
				continue
			}
			if n++; n == 1 {
				first = fmt.Sprintf("%s - %s: %s", clean(g.Tags.White), clean(g.Tags.Black), clean(g.Error))
			}
		}
	}
	var say words.Sentence
	if n > 0 {
		say = words.Say("notice.cast_left", n, first)
	}
	p.opt.Notify(gamesNotice, say, words.Say("notice.cast_left.do"))
}

// clean makes a text from elsewhere fit to be shown.
func clean(s string) string {
	const most = 60
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}
