package broadcast

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/internal/sharedtest"
)

// A standIn is a server of the documented interface, as http.RoundTripper and as http.Handler. Nothing here ever asks
// the real one.
type standIn struct {
	mu     sync.Mutex
	token  string // that it takes
	script []func(http.ResponseWriter, *http.Request)
	pushes []push // all of them
	open   int    // requests that are being answered
	most   int
	errs   []string // what no client may do
}

type push struct {
	at     time.Time
	body   string
	status int
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.open++
	s.most = max(s.most, s.open)
	var answer func(http.ResponseWriter, *http.Request)
	if len(s.script) > 0 {
		answer, s.script = s.script[0], s.script[1:]
	}
	if r.Method != http.MethodPost || r.URL.Path != "/api/broadcast/round/AbCd1234/push" || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/plain") {
		s.errs = append(s.errs, fmt.Sprint(r.Method, " ", r.URL.Path, " ", r.Header))
	}
	if n := strings.Count(string(body), "[Event "); n > 100 {
		s.errs = append(s.errs, fmt.Sprint(n, " games in one push"))
	}
	s.mu.Unlock()
	rec := httptest.NewRecorder()
	switch {
	case answer != nil:
		answer(rec, r)
	case r.Header.Get("Authorization") != "Bearer "+s.token:
		rec.WriteHeader(http.StatusUnauthorized)
	default:
		rec.Header().Set("Content-Type", "application/json")
		_, _ = rec.WriteString(`{"games":[{"tags":{"White":"Adams, Ann"},"moves":2}]}`)
	}
	s.mu.Lock()
	s.open--
	s.pushes = append(s.pushes, push{time.Now(), string(body), rec.Code})
	s.mu.Unlock()
	for k, v := range rec.Header() {
		w.Header()[k] = v
	}
	w.WriteHeader(rec.Code)
	_, _ = w.Write(rec.Body.Bytes())
}

func (s *standIn) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if rec.Code == 599 {
		return nil, errors.New("the connection broke")
	}
	return rec.Result(), nil
}

func (s *standIn) all() []push {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]push(nil), s.pushes...)
}

func status(code int, head ...string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(head); i += 2 {
			w.Header().Set(head[i], head[i+1])
		}
		w.WriteHeader(code)
	}
}

// running starts a Pusher in a bubble.
func running(t *testing.T, s *standIn, token func() (string, error)) (*Pusher, *told) {
	d := new(told)
	p := NewPusher(PusherOptions{Server: "https://lichess.example/", Round: "AbCd1234", Token: token, Notify: d.tell, Client: &http.Client{Transport: s}})
	ctx, cancel := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() { p.Run(ctx) })
	t.Cleanup(func() { cancel(); ended.Wait() })
	return p, d
}

func good() (string, error) { return "lip_secret", nil }

func pgnGames(n int, moves string) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("[Event \"%d\"]\n\n%s *\n\n", i, moves))
	}
	return list
}

func TestEachTextIsPushedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &standIn{token: "lip_secret"}
		p, d := running(t, s, good)
		for i := range 3 {
			for range 5 { // nothing new
				p.Offer(pgnGames(2, strings.Repeat("x", i)))
				time.Sleep(10 * time.Second)
			}
		}
		all := s.all()
		if len(all) != 3 || !strings.Contains(all[2].body, "xx *") || strings.Count(all[2].body, "[Event ") != 2 {
			t.Errorf("%+v", all)
		}
		if taken, failed := p.Pushes(); taken != 3 || failed != 0 || d.of(pushNotice) != "" {
			t.Errorf("%d taken, %d failed, told %v", taken, failed, d.now)
		}
	})
}

func TestOneRequestAtATimeAndOneASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &standIn{token: "lip_secret"}
		p, _ := running(t, s, good)
		for i := range 40 {
			p.Offer(pgnGames(150, strings.Repeat("x", i)))
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		all := s.all()
		for i := 1; i < len(all); i++ {
			if d := all[i].at.Sub(all[i-1].at); d < time.Second {
				t.Errorf("push %d came %v after the one before", i, d)
			}
		}
		last := ""
		for _, x := range all[len(all)-3:] {
			last += x.body
		}
		if s.most != 1 || len(s.errs) > 0 || strings.Count(last, strings.Repeat("x", 39)+" *") != 150 {
			t.Errorf("%d at once, wrong %v; the last ones have %d games", s.most, s.errs, strings.Count(last, "[Event "))
		}
	})
}

func TestAfter429ThereIsSilenceForAMinute(t *testing.T) {
	for wait, head := range map[time.Duration][]string{time.Minute: nil, 2 * time.Minute: {"Retry-After", "120"}, 61 * time.Second: {"Retry-After", "61"}} {
		synctest.Test(t, func(t *testing.T) {
			s := &standIn{token: "lip_secret", script: []func(http.ResponseWriter, *http.Request){status(429, head...)}}
			p, d := running(t, s, good)
			p.Offer(pgnGames(1, "e4"))
			for range 300 { // moves go on
				time.Sleep(time.Second)
				p.Offer(pgnGames(1, "e4 e5"))
			}
			all := s.all()
			if len(all) != 2 || all[1].at.Sub(all[0].at) < wait || !strings.Contains(all[1].body, "e5") {
				t.Errorf("%v: %+v", head, all)
			}
			if d.times[pushNotice] != 0 {
				t.Errorf("one answer of 429 is told: %v", d.now)
			}
		})
	}
}

func TestALastingFailureIsReportedOnceAndEnds(t *testing.T) {
	for claim, trouble := range map[string]func(http.ResponseWriter, *http.Request){
		"500": status(500), "503": status(503), "a broken connection": status(599),
		"no answer in time": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &standIn{token: "lip_secret"}
			for range 8 {
				s.script = append(s.script, trouble)
			}
			p, d := running(t, s, good)
			p.Offer(pgnGames(1, "e4"))
			time.Sleep(firstRetry + pushPatience + time.Second)
			if d.of(pushNotice) != "" && len(s.all()) < failuresToReport {
				t.Errorf("%s: told at once: %q", claim, d.of(pushNotice))
			}
			time.Sleep(90 * time.Second)
			if d.of(pushNotice) == "" || d.times[pushNotice] != 1 {
				t.Errorf("%s: told %d times: %q", claim, d.times[pushNotice], d.of(pushNotice))
			}
			p.Offer(pgnGames(1, "e4 e5"))
			time.Sleep(12 * time.Minute)
			all := s.all()
			for i := 1; i < len(all); i++ {
				if pause := all[i].at.Sub(all[i-1].at); pause < firstRetry || pause > lastRetry+pushPatience+time.Second {
					t.Errorf("%s: try %d comes %v after the one before", claim, i, pause)
				}
			}
			if n := len(all); n != 9 || !strings.Contains(all[n-1].body, "e5") || d.of(pushNotice) != "" {
				t.Errorf("%s: in the end %d tries, told %q", claim, n, d.of(pushNotice))
			}
		})
	}
}

func TestARefusedTokenIsNotSentAgain(t *testing.T) {
	for _, code := range []int{401, 403} {
		synctest.Test(t, func(t *testing.T) {
			s := &standIn{token: "lip_new"}
			if code == 403 {
				s.script = append(s.script, status(403))
			}
			var mu sync.Mutex
			token := "lip_old"
			p, d := running(t, s, func() (string, error) {
				mu.Lock()
				defer mu.Unlock()
				return token, nil
			})
			for i := range 100 {
				p.Offer(pgnGames(1, strings.Repeat("x", i)))
				time.Sleep(10 * time.Second)
			}
			if n := len(s.all()); n != 1 || d.times[pushNotice] != 1 || !strings.Contains(d.of(pushNotice), "refuses the token") {
				t.Errorf("%d: sent %d times, told %d times: %q", code, n, d.times[pushNotice], d.of(pushNotice))
			}
			if strings.Contains(fmt.Sprint(d.now), "lip_") {
				t.Errorf("the token is told: %v", d.now)
			}
			mu.Lock()
			token = "lip_new"
			mu.Unlock()
			time.Sleep(lookForToken + time.Second)
			if all := s.all(); len(all) != 2 || all[1].status != 200 || d.of(pushNotice) != "" {
				t.Errorf("%d: with another token %d pushes, told %q", code, len(all), d.of(pushNotice))
			}
		})
	}
}

func TestALastingErrorIsReportedAtOnce(t *testing.T) {
	for claim, c := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		token  error
		want   string
	}{
		"no such round": {status(404), nil, "knows no such round"},
		"a redirect":    {status(301, "Location", "https://evil.example/"), nil, "answered 301"},
		"a bad text": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(400)
			_, _ = io.WriteString(w, `{"error":"Cannot parse moves\u001b[2J"}`)
		}, nil, "answered 400: Cannot parse moves [2J"},
		"no file of the token": {nil, errors.New("/etc/token: no such file"), "/etc/token: no such file"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &standIn{token: "lip_secret", script: []func(http.ResponseWriter, *http.Request){c.answer}}
			p, d := running(t, s, func() (string, error) { return "lip_secret", c.token })
			p.Offer(pgnGames(1, "e4"))
			time.Sleep(time.Second)
			if got := d.of(pushNotice); !strings.Contains(got, c.want) {
				t.Errorf("%s: told %q", claim, got)
			}
		})
	}
}

func TestARefusedGameIsReportedAndStopsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &standIn{token: "lip_secret", script: []func(http.ResponseWriter, *http.Request){func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"games":[{"tags":{"White":"A","Black":"B"},"moves":2},{"tags":{"White":"Adams","Black":"Brown"},"error":"No move found: Pawn a8"}]}`)
		}}}
		p, d := running(t, s, good)
		p.Offer(pgnGames(2, "e4"))
		time.Sleep(5 * time.Second)
		if got := d.of(gamesNotice); got != "Games that lichess did not take: 1 (Adams - Brown: No move found: Pawn a8)." {
			t.Errorf("told %q", got)
		}
		p.Offer(pgnGames(2, "e4 e5"))
		time.Sleep(5 * time.Second)
		if got := d.of(gamesNotice); got != "" || len(s.all()) != 2 {
			t.Errorf("then told %q, %d pushes", got, len(s.all()))
		}
	})
}

// Over a real connection, even one without answers.
func TestAPushOverHTTP(t *testing.T) {
	s := &standIn{token: "lip_secret", script: []func(http.ResponseWriter, *http.Request){status(500)}}
	server := httptest.NewServer(s)
	defer server.Close()
	d := new(told)
	p := NewPusher(PusherOptions{Server: server.URL, Round: "AbCd1234", Token: good, Notify: d.tell})
	ctx, cancel := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() { p.Run(ctx) })
	defer ended.Wait()
	defer cancel()
	p.Offer(pgnGames(3, "e4"))
	sharedtest.Until(t, "the games arrive", func() bool {
		all := s.all()
		return len(all) == 2 && all[1].status == 200 && strings.Count(all[1].body, "e4 *") == 3
	})
	if len(s.errs) > 0 {
		t.Error(s.errs)
	}
}
