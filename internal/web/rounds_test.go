package web

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// archive is one round.
type archive struct {
	fails error // every answer
	cut   bool  // a file ends in the middle
	big   int   // bytes of a file
	wait  chan struct{}
	zips  chan bool     // for each archive, whether it has to end in a time
	hold  chan struct{} // an archive is not ended before
}

func (a *archive) Rounds() ([]Round, error) {
	return []Round{{ID: "r4", Round: "4", Boards: []string{"12"}, WallMS: 1, Bytes: 2}}, a.fails
}

func (a *archive) Games(_ context.Context, round string) ([]RoundGame, error) {
	if round != "r4" {
		return nil, ErrNoRound
	}
	return []RoundGame{{Board: "12", Game: 1, White: "<b>", Black: "B", Result: "1-0", Plies: 3}}, a.fails
}

func (a *archive) Write(ctx context.Context, w io.Writer, round, file, lang string) error {
	if a.wait != nil {
		select {
		case <-a.wait:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if round != "r4" {
		return ErrNoRound
	}
	if a.fails != nil {
		return a.fails
	}
	if file == JournalsZIP && a.zips != nil {
		_, bounded := ctx.Deadline()
		a.zips <- bounded
		<-a.hold
	}
	if file == JournalsZIP {
		z := zip.NewWriter(w)
		out, err := z.Create("12-r4.bwj")
		if err == nil {
			_, err = out.Write(bytes.Repeat([]byte("journal\n"), a.big+1))
		}
		if a.cut {
			return errors.Join(err, z.Flush(), errors.New("the disk has gone"))
		}
		return errors.Join(err, z.Close())
	}
	_, err := io.WriteString(w, file+" in "+lang+strings.Repeat(" ", a.big))
	return err
}

var roundPaths = []string{
	"/api/v1/rounds", "/api/v1/rounds/r4/games", "/api/v1/rounds/r4/report.html", "/api/v1/rounds/r4/report.json", "/api/v1/rounds/r4/games.pgn",
	"/api/v1/rounds/r4/results.csv", "/api/v1/rounds/r4/journals.zip",
}

// Earlier rounds are for paired devices only, with any path and header.
func TestRoundsAreForPairedDevicesOnly(t *testing.T) {
	h := newHarness(t, func(o *Options) { o.Rounds = &archive{} })
	for _, path := range roundPaths {
		for _, method := range []string{"GET", "HEAD"} {
			for _, cookie := range []string{"", "guessed"} {
				if r := h.ask(method, path, cookie, ""); r.status != 401 || bytes.Contains(r.body, []byte("journal")) || bytes.Contains(r.body, []byte("12")) {
					t.Errorf("%s %s with the cookie %q: %d %s", method, path, cookie, r.status, r.body)
				}
			}
			for _, cookie := range []string{h.arbiter, h.viewer} {
				if r := h.ask(method, path, cookie, ""); r.status != 200 {
					t.Errorf("%s %s, paired: %d %s", method, path, r.status, r.body)
				}
			}
		}
		if r := h.ask("POST", path, h.arbiter, "{}"); r.status != 405 {
			t.Errorf("POST %s: %d", path, r.status)
		}
		if r := h.ask("GET", path, h.arbiter, "", "Sec-Fetch-Site", "cross-site", "Origin", "http://other.example"); strings.Contains(r.header.Get("Access-Control-Allow-Origin"), "other") {
			t.Errorf("another page may read %s", path)
		}
	}
	if n := strings.Count(h.log.String(), "report.html"); n > 0 {
		t.Errorf("the log has a path")
	}
}

// A test that the walk above walks all of them: each route of rounds is asked for with a round and a file.
func TestTheWalkHasEveryRouteOfRounds(t *testing.T) {
	h := build(t, nil)
	patterns, files := 0, 0
	for _, r := range h.server.routes() {
		if strings.HasPrefix(r.pattern, "/api/v1/rounds") {
			patterns++
			if r.who != paired {
				t.Errorf("%s is for others than paired devices", r.pattern)
			}
		}
	}
	for _, path := range roundPaths {
		if _, is := roundFiles[path[strings.LastIndexByte(path, '/')+1:]]; is {
			files++
		}
	}
	if files != len(roundFiles) || patterns != 3 {
		t.Errorf("%d of %d files and %d patterns are walked", files, len(roundFiles), patterns)
	}
}

func TestFilesOfARound(t *testing.T) {
	h := newHarness(t, func(o *Options) { o.Rounds = &archive{big: 300_000} })
	r := h.ask("GET", "/api/v1/rounds/r4/report.html?lang=de", h.viewer, "")
	if !strings.HasPrefix(string(r.body), "report.html in de") || r.header.Get("Content-Disposition") != "inline; filename=r4-report.html" ||
		!strings.Contains(r.header.Get("Content-Security-Policy"), "default-src 'none'; style-src") || r.header.Get("Cache-Control") != "no-store" || len(r.body) < 300_000 {
		t.Errorf("%.60q %v", r.body, r.header)
	}
	if r := h.ask("GET", "/api/v1/rounds/r4/games.pgn?lang=../x", h.viewer, ""); !strings.HasPrefix(string(r.body), "games.pgn in en") ||
		r.header.Get("Content-Disposition") != "attachment; filename=r4-games.pgn" || r.header.Get("Content-Type") != "application/x-chess-pgn; charset=utf-8" {
		t.Errorf("%.60q %v", r.body, r.header)
	}
	z := h.ask("GET", "/api/v1/rounds/r4/journals.zip", h.arbiter, "")
	if read, err := zip.NewReader(bytes.NewReader(z.body), int64(len(z.body))); err != nil || len(read.File) != 1 {
		t.Errorf("%v", err)
	}
	var list struct{ Games []RoundGame }
	if r := h.ask("GET", "/api/v1/rounds/r4/games", h.viewer, ""); json.Unmarshal(r.body, &list) != nil || len(list.Games) != 1 || list.Games[0].White != "<b>" {
		t.Errorf("%s", r.body)
	}
	for _, path := range []string{"/api/v1/rounds/r5/games", "/api/v1/rounds/r5/report.html", "/api/v1/rounds/r5/journals.zip", "/api/v1/rounds/r4/people.json", "/api/v1/rounds/r4", "/api/v1/rounds/..%2f/games"} {
		if r := h.ask("GET", path, h.arbiter, ""); r.status != 404 {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
}

// An unreadable round is an error and no empty file; one that breaks off is no complete download.
func TestARoundThatCannotBeRead(t *testing.T) {
	a := &archive{fails: errors.New("disk gone")}
	h := newHarness(t, func(o *Options) { o.Rounds = a })
	for _, path := range roundPaths {
		if r := h.ask("GET", path, h.arbiter, ""); r.status != 500 || r.code() != "unreadable" || bytes.Contains(r.body, []byte("disk")) {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	a.fails, a.cut, a.big = nil, true, 1<<16
	r, err := http.NewRequest("GET", h.base+"/api/v1/rounds/r4/journals.zip", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: cookieName, Value: h.arbiter})
	res, err := h.client.Do(r)
	if err == nil {
		_, err = io.ReadAll(res.Body)
		res.Body.Close()
	}
	if err == nil {
		t.Error("a download that broke off looks whole")
	}
	if none := newHarness(t, nil).ask("GET", "/api/v1/rounds", "", ""); none.status != 401 {
		t.Errorf("without an archive: %d", none.status)
	}
}

// One round is read at a time: a second phone waits, and gets its answer.
func TestOneRoundAtATime(t *testing.T) {
	a := &archive{wait: make(chan struct{})}
	h := newHarness(t, func(o *Options) { o.Rounds = a })
	answers := make(chan reply, 2)
	for range 2 {
		go func() { answers <- h.ask("GET", "/api/v1/rounds/r4/games.pgn", h.arbiter, "") }()
	}
	a.wait <- struct{}{}
	if r := <-answers; r.status != 200 {
		t.Errorf("the first: %d", r.status)
	}
	select {
	case r := <-answers:
		t.Errorf("the second did not wait: %d", r.status)
	case a.wait <- struct{}{}:
	}
	if r := <-answers; r.status != 200 {
		t.Errorf("the second: %d", r.status)
	}
}

// An archive of journals takes as long as its reader does: it has no time in which all of it has to be sent, and keeps
// no report waiting. The number that is sent at once has a limit.
func TestAnArchiveThatIsSentForLong(t *testing.T) {
	a := &archive{zips: make(chan bool), hold: make(chan struct{})}
	h := newHarness(t, func(o *Options) { o.Rounds = a })
	answers := make(chan reply, zipsAtOnce)
	for range zipsAtOnce {
		go func() { answers <- h.ask("GET", "/api/v1/rounds/r4/journals.zip", h.viewer, "") }()
		if bounded := <-a.zips; bounded {
			t.Error("an archive has to be sent in a time")
		}
	}
	select {
	case h.server.zips <- struct{}{}:
		t.Error("there is a place for one more archive")
	default:
	}
	for _, path := range roundPaths[:len(roundPaths)-1] {
		if r := h.ask("GET", path, h.arbiter, ""); r.status != 200 {
			t.Errorf("%s meanwhile: %d %s", path, r.status, r.body)
		}
	}
	close(a.hold)
	for range zipsAtOnce {
		if r := <-answers; r.status != 200 {
			t.Errorf("an archive: %d %s", r.status, r.body)
		}
	}
}

// taken is a client that takes a bit of what is sent, and the deadlines that it had.
type taken struct {
	http.ResponseWriter
	takes     time.Duration // for each write
	deadlines []time.Time
	bytes     int
}

func (w *taken) Header() http.Header { return http.Header{} }
func (w *taken) WriteHeader(int)     {}

func (w *taken) SetWriteDeadline(t time.Time) error {
	w.deadlines = append(w.deadlines, t)
	return nil
}

func (w *taken) Write(b []byte) (int, error) {
	if time.Sleep(w.takes); time.Now().After(w.deadlines[len(w.deadlines)-1]) {
		return 0, os.ErrDeadlineExceeded
	}
	w.bytes += len(b)
	return len(b), nil
}

// Each piece has its time, in however small parts it is written; what passes while a part is made does not count.
func TestEachPieceHasItsTime(t *testing.T) {
	for name, c := range map[string]struct {
		takes, makes time.Duration
		whole        bool
	}{
		"a client that takes a piece in time":        {200 * time.Millisecond, 0, true},
		"a client that takes bits only":              {400 * time.Millisecond, 0, false},
		"a disk that is slower than a client's time": {200 * time.Millisecond, 6 * time.Second, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &taken{takes: c.takes}
			out := &sending{w: w, s: &Server{Options: Options{Stall: 5 * time.Second}}, f: roundFiles[JournalsZIP], file: "r4-journals.zip"}
			const bit = 4 << 10
			var err error
			for range 3 * piece / bit {
				time.Sleep(c.makes)
				if _, err = out.Write(make([]byte, bit)); err != nil {
					break
				}
			}
			if (err == nil) != c.whole || c.whole != (w.bytes == 3*piece) {
				t.Errorf("%s: %d bytes, %v", name, w.bytes, err)
			}
		})
	}
}
