//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// publicDelay is short, so that a test sees its end, and longer than what a busy computer needs for a second.
const publicDelay = 5 * time.Second

// early is what a record's wall time may be later than the record, on a busy computer: it is read beside the time of
// the journal.
const early = 250 * time.Millisecond

// aBroadcast is a daemon whose games are public at a file and an address, and what a stranger has seen there.
type aBroadcast struct {
	place
	*process
	conf, file, url string

	mu   sync.Mutex
	seen map[string][]time.Time // where → when the first, the second … ply was there
	most map[string]int         // plies that were there last
	back []string               // what was there and went away again
}

func newBroadcast(t *testing.T, port string) *aBroadcast {
	b := &aBroadcast{place: newPlace(t), seen: map[string][]time.Time{}, most: map[string]int{}}
	b.file = b.path("round.pgn")
	listen := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	b.url = "http://" + listen
	b.keep(t)
	b.conf = b.write(t, "boardwatchd.yaml", fmt.Sprintf("round: \"1\"\nstate_dir: %s\nhttp: {listen: '%s', secure: off}\nboards: [{name: %s, port: %s}]\n"+
		"broadcast: {delay: %v, file: %s, url: delayed}\n%s", b.state(), listen, boardName, port, publicDelay, b.file, hurried))
	return b
}

// look notes what a stranger finds now.
func (b *aBroadcast) look(t testing.TB, web *http.Client) {
	if text, err := os.ReadFile(b.file); err == nil {
		b.note("the file", string(text))
	}
	if r, err := web.Get(b.url + "/broadcast/round.pgn"); err == nil {
		body, err := io.ReadAll(r.Body)
		_ = r.Body.Close() // read only
		switch {
		case err != nil: // the program was killed meanwhile
		case r.StatusCode == http.StatusOK:
			b.note("the address", string(body))
		case r.StatusCode != http.StatusServiceUnavailable:
			t.Errorf("the address answers %d %s", r.StatusCode, body)
		}
	}
}

func (b *aBroadcast) note(where, text string) {
	now, n := time.Now(), len(movesOfPGN(text))
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.seen[where]) < n {
		b.seen[where] = append(b.seen[where], now)
	}
	if n < b.most[where] {
		b.back = append(b.back, fmt.Sprintf("%s had %d plies and then %d", where, b.most[where], n))
	}
	b.most[where] = n
	for _, word := range []string{"illegal", "Remark", "finding", "FEN"} {
		if strings.Contains(text, word) {
			b.back = append(b.back, fmt.Sprintf("%s says %q: %s", where, word, text))
		}
	}
}

func (b *aBroadcast) plies(where string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.most[where]
}

// follow looks again and again until the test ends.
func (b *aBroadcast) follow(t *testing.T) {
	web := &http.Client{Transport: &http.Transport{}, Timeout: 5 * time.Second}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		look := time.NewTicker(600 * time.Millisecond) // more often an address is refused
		defer look.Stop()
		for {
			select {
			case <-end:
				return
			case <-look.C:
				b.look(t, web)
			}
		}
	}()
	t.Cleanup(func() {
		close(end)
		<-ended
		web.CloseIdleConnections()
	})
}

// recorded is when the record of each ply was made, by the first opening record's wall time; each ply's first record
// counts. The plies of the time without the program are filled in later, from the board's log, where they belong.
func (b *aBroadcast) recorded(t testing.TB) (list []time.Time) {
	t.Helper()
	l := mustRead(t, b.state(), journalName)
	var first struct{ Wall time.Time }
	if err := json.Unmarshal([]byte(l.of("open")[0].body), &first); err != nil {
		t.Fatal(err)
	}
	last := 0
	for _, e := range l.of("say") {
		at := first.Wall.Add(time.Duration(e.at) * time.Microsecond)
		var m struct {
			Type, What string
			Ply        int
			PlyFrom    int `json:"ply_from"`
			Moves      json.RawMessage
		}
		if err := json.Unmarshal([]byte(e.body), &m); err != nil {
			t.Fatal(err)
		}
		switch {
		case m.Type == "move" && m.Ply > last:
			list, last = append(list, at), m.Ply
		case m.What == "filled":
			var moves []json.RawMessage
			if err := json.Unmarshal(m.Moves, &moves); err != nil {
				t.Fatal(err)
			}
			list = slices.Insert(list, m.PlyFrom-1, slices.Repeat([]time.Time{at}, len(moves))...)
		}
	}
	return list
}

// positions matches every text that reads as the placement of a FEN.
var positions = regexp.MustCompile(`[1-8pnbrqkPNBRQK]{1,8}(?:/[1-8pnbrqkPNBRQK]{1,8}){7}`)

// walk asks every route of docs/api.md and the page's files as a stranger does: none has a position or a move. That the
// list has all routes is a test of internal/web.
func (b *aBroadcast) walk(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	web := &http.Client{Transport: &http.Transport{}, Timeout: sharedtest.Patience(t)}
	defer web.CloseIdleConnections()
	named := strings.NewReplacer("{board}", boardName, "{lang}", "en", "{id}", "1", "{file}", "games.pgn", "{request}", "12345678", "{token}", "x")
	asked := 0
	for _, row := range regexp.MustCompile("(?m)^\\| (`[A-Z]+ /[^|]*) \\|").FindAllStringSubmatch(string(page), -1) {
		method := "GET"
		for _, words := range regexp.MustCompile("`([A-Z]* ?)(/[^`]*)`").FindAllStringSubmatch(row[1], -1) {
			if words[1] != "" {
				method = strings.TrimSpace(words[1])
			}
			if words[2] == "/broadcast/round.pgn" {
				continue // this one is looked at all the time
			}
			asked++
			b.asStranger(t, web, method, named.Replace(words[2]))
		}
	}
	files, err := fs.Glob(os.DirFS(filepath.Join("..", "web", "page", "assets")), "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		asked++
		b.asStranger(t, web, "GET", "/"+filepath.Base(f))
	}
	if asked < 30 {
		t.Errorf("only %d routes were asked", asked)
	}
}

func (b *aBroadcast) asStranger(t *testing.T, web *http.Client, method, path string) {
	t.Helper()
	r, err := http.NewRequest(method, b.url+path, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := web.Do(r)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close() // read only
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
	}
	const array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
	for _, p := range positions.FindAllString(string(body), -1) {
		if p != array {
			t.Errorf("%s %s shows strangers the position %s", method, path, p)
		}
	}
	if strings.Contains(string(body), `"san":`) || strings.Contains(string(body), "[Event ") {
		t.Errorf("%s %s shows strangers moves: %s", method, path, clip(string(body)))
	}
}

// TestTheBroadcastIsDelayed: file and address follow a game after the delay, never early, also when the program
// was killed; nothing that was shown goes away by that; all other routes show strangers nothing; in the end the game is
// there, as the command pgn has it.
func TestTheBroadcastIsDelayed(t *testing.T) {
	long(t)
	t.Parallel()
	board := serveBoard(t, operaBoard(t, 205), operaSpeed, "")
	b := newBroadcast(t, board.plugged(t))
	b.follow(t)
	b.process = b.daemon(t, b.conf)
	shows := func(n int) {
		t.Helper()
		eventually(t, fmt.Sprintf("%d plies in the file and at the address", n), func() bool { return b.plies("the file") >= n && b.plies("the address") >= n },
			func() string { return fmt.Sprint(b.plies("the file"), " and ", b.plies("the address")) })
	}
	shows(2)
	b.walk(t)
	b.kill()
	held := len(b.recorded(t)) - b.plies("the file")
	if held < 1 {
		t.Errorf("%d plies were held back when the program was killed", held)
	}
	b.process = b.daemon(t, b.conf)
	b.out.await(t, "The arbiter's page") // the address had its six plies before that, perhaps
	shows(6)
	b.walk(t)
	b.kill()
	b.process = b.daemon(t, b.conf)
	var file, want string
	eventually(t, "the whole game", func() bool { // plies of the time without the program may come later, from the board's log
		text, err := os.ReadFile(b.file)
		if err != nil {
			t.Fatal(err)
		}
		if file = string(text); !strings.Contains(file, "[Result \"1-0\"]") {
			return false // before that no program is started to read the journal
		}
		want = strings.Join(movesOfPGN(b.run(t, "", "pgn", "--legal-prefix", b.journal()).want(t, 0).out), " ")
		return strings.Join(movesOfPGN(file), " ") == want
	}, func() string { return "the public has\n" + file + "\nand the journal\n" + want })
	b.stopped(t)

	made := b.recorded(t)
	b.mu.Lock()
	defer b.mu.Unlock()
	for where, seen := range b.seen {
		for i, at := range seen {
			if i >= len(made) {
				t.Errorf("%s has ply %d, of which there is no record", where, i+1)
			} else if after := at.Sub(made[i]); after < publicDelay-early {
				t.Errorf("%s has ply %d %v after its record", where, i+1, after)
			}
		}
	}
	for _, wrong := range b.back {
		t.Error(wrong)
	}
	t.Logf("%d plies, seen in the file %d, at the address %d", len(made), len(b.seen["the file"]), len(b.seen["the address"]))
}

// TestTheHallsBroadcast: the hall's file has the boards of all computers, with the legal prefix of a game in which an
// illegal move stood, and keeps it when hall and computer were killed.
func TestTheHallsBroadcast(t *testing.T) {
	long(t)
	t.Parallel()
	h := &hub{venue: newVenue(t), listen: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
	file := h.path("round.pgn")
	h.configure(t, "hall: {listen: '"+h.listen+"'}\nbroadcast: {delay: 3s, file: "+file+", url: delayed}\n")
	h.open(t)
	one, two := h.newTable(t, "table-1", boardName, ""), h.newTable(t, "table-2", "b2", "")
	for _, c := range []*tableComputer{one, two} {
		c.run(t, "", "join", "-c", c.conf, h.token(t, c.name)).want(t, 0)
		c.watch(t)
	}
	var text string
	whole := func() {
		t.Helper()
		eventually(t, "both games in the file of the hall", func() bool {
			b, err := os.ReadFile(file)
			text = string(b)
			games := strings.Split(text, "[Event ")
			return err == nil && len(games) == 3 && strings.Contains(games[1], "[Board \"b1\"]") && strings.Contains(games[2], "[Board \"b2\"]") &&
				len(movesOfPGN("[Event "+games[1])) == 6 && len(movesOfPGN("[Event "+games[2])) == 6
		}, func() string { return text })
	}
	whole()
	if strings.Contains(text, "illegal") || strings.Contains(text, "Remark") {
		t.Errorf("the public reads\n%s", text)
	}
	h.kill()
	one.kill()
	h.open(t)
	one.watch(t)
	whole()
	var answer string
	eventually(t, "the same at the address", func() bool {
		r, err := http.Get(h.url + "/broadcast/round.pgn")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		answer = fmt.Sprint(r.StatusCode, " ", string(body), err)
		return err == nil && string(body) == text
	}, func() string { return answer })
}

// A lichess is a stand-in of its documented interface.
type lichess struct {
	mu     sync.Mutex
	answer []int // to the next requests; then it takes what has the token
	token  string
	last   string
	pushes int
	wrong  []string
}

func (l *lichess) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pushes++
	if r.Method != "POST" || r.URL.Path != "/api/broadcast/round/AbCd1234/push" || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/plain") || err != nil {
		l.wrong = append(l.wrong, fmt.Sprint(r.Method, " ", r.URL, " ", r.Header, err))
	}
	switch {
	case len(l.answer) > 0:
		w.WriteHeader(l.answer[0])
		l.answer = l.answer[1:]
	case r.Header.Get("Authorization") != "Bearer "+l.token:
		w.WriteHeader(http.StatusUnauthorized)
	default:
		l.last = string(body)
		_, _ = io.WriteString(w, `{"games":[{"tags":{},"moves":6}]}`)
	}
}

// state is how many pushes there were and the last one that was taken.
func (l *lichess) state() (int, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pushes, l.last
}

// TestTheBroadcastIsPushed: a stand-in of lichess refuses, which is reported once on the page, and then takes the
// games; the token is in no log.
func TestTheBroadcastIsPushed(t *testing.T) {
	long(t)
	t.Parallel()
	l := &lichess{token: "lip_theTokenThatIsRight", answer: []int{http.StatusBadGateway}}
	server := httptest.NewServer(l)
	defer server.Close()
	v := newVenue(t)
	old := "lip_theTokenThatIsOld"
	v.secret("token of lichess", old)
	v.secret("token of lichess", l.token)
	token := v.write(t, "lichess.token", old+"\n")
	v.serveCase(t, fmt.Sprintf("broadcast: {delay: 1s, lichess: {server: '%s', round: AbCd1234, token_file: %s}}\n", server.URL, token))
	ann := v.pair(t, "Ann")
	eventually(t, "the page tells it", func() bool { return strings.Contains(ann.notices(t), "refuses the token") }, func() string { return ann.notices(t) })
	before, _ := l.state()
	if r, err := http.Get(v.url + "/broadcast/round.pgn"); err != nil || r.StatusCode != http.StatusNotFound {
		t.Errorf("an address that is not configured: %v %v", r, err)
	} else {
		_ = r.Body.Close() // read only
	}
	v.write(t, "lichess.token", l.token+"\n")
	var last string
	eventually(t, "the games are there", func() bool {
		_, last = l.state()
		return len(movesOfPGN(last)) == 6 && !strings.Contains(ann.notices(t), "lichess")
	}, func() string { return last + ann.notices(t) })
	if before != 2 || len(l.wrong) > 0 || strings.Contains(last, "illegal") {
		t.Errorf("%d pushes with the wrong token and before, wrong %v; the last one\n%s", before, l.wrong, last)
	}
	sent := map[string]float64{}
	for _, m := range v.metrics(t)["boardwatchd_broadcast_sent_total"].GetMetric() {
		name := ""
		for _, p := range m.GetLabel() {
			name += p.GetValue() + " "
		}
		sent[name] = m.GetCounter().GetValue()
	}
	if sent["ok lichess "] < 1 || sent["failed lichess "] != 2 {
		t.Errorf("counted are %v", sent)
	}
}
