package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/access"
)

// An attack is what a client on the LAN tries, and the status that doc.go promises (reliability notes, F13).
type attack struct {
	what   string
	method string
	path   string
	who    string // whose cookie: "", arbiter, viewer, revoked, or the cookie itself
	body   string
	header []string
	want   int
}

const (
	reportsPath = "/api/v1/boards/12/reports"
	claimsPath  = "/api/v1/boards/12/claims"
	instructs   = "/api/v1/boards/12/instructions"
	pairPath    = "/api/v1/pair"
)

func report(rest string) string { return `{"request":"request-r","what":` + rest + `}` }

func decide(rest string) string {
	return `{"request":"request-d","finding":"5:illegal.knight","decision":"confirm","as_of":101` + rest + `}`
}

// notPaired: without a pairing nothing is shown and nothing is changed.
var notPaired = []attack{
	{"session without cookie", "GET", "/api/v1/session", "", "", nil, 401},
	{"boards without cookie", "GET", "/api/v1/boards", "", "", nil, 401},
	{"one board without cookie", "GET", "/api/v1/boards/12", "", "", nil, 401},
	{"an unknown board without cookie tells nothing", "GET", "/api/v1/boards/99", "", "", nil, 401},
	{"feed without cookie", "GET", "/api/v1/events", "", "", nil, 401},
	{"feed with a resume id only", "GET", "/api/v1/events?after=e-1", "", "", []string{"Last-Event-ID", "e-1"}, 401},
	{"decision without cookie", "POST", decisions, "", decide(""), nil, 401},
	{"claim of a draw by nobody", "POST", "/api/v1/boards/12/claims", "arbiter", `{"request":"request-r","what":"draw3"}`, nil, 400},
	{"report without cookie", "POST", reportsPath, "", report(`"assistant"`), nil, 401},
	{"claim without cookie", "POST", claimsPath, "", `{"request":"request-r","what":"flag"}`, nil, 401},
	{"instruction without cookie", "POST", instructs, "", `{"request":"request-r","do":"pause"}`, nil, 401},
	{"seen without cookie", "POST", "/api/v1/alerts/12~5/seen", "", `{"request":"request-s"}`, nil, 401},
	{"devices without cookie", "GET", "/api/v1/devices", "", "", nil, 401},
	{"pairing without cookie", "POST", "/api/v1/pairings", "", `{"role":"arbiter"}`, nil, 401},
	{"revoking without cookie", "DELETE", "/api/v1/devices/x", "", "", nil, 401},
	{"renaming without cookie", "PATCH", "/api/v1/session", "", `{"name":"x"}`, nil, 401},
	{"push without cookie", "PUT", "/api/v1/push", "", `{}`, nil, 401},
	{"a large body without cookie is not read", "POST", decisions, "", strings.Repeat(" ", 10<<20), nil, 401},
	{"empty cookie", "GET", "/api/v1/boards", " ", "", nil, 401},
	{"invented cookie", "GET", "/api/v1/boards", strings.Repeat("A", 43), "", nil, 401},
	{"short cookie", "GET", "/api/v1/boards", "A", "", nil, 401},
	{"very long cookie", "GET", "/api/v1/boards", strings.Repeat("A", 4000), "", nil, 401},
	{"revoked cookie", "GET", "/api/v1/boards", "revoked", "", nil, 401},
	{"revoked cookie decides", "POST", decisions, "revoked", decide(""), nil, 401},
	{"secret as bearer token", "GET", "/api/v1/boards", "", "", []string{"Authorization", "Bearer x"}, 401},
	{"secret in the query", "GET", "/api/v1/boards?boardwatchd=x", "", "", nil, 401},
	{"wrong code", "POST", pairPath, "", `{"code":"ABCD-EFGH","name":"x"}`, nil, 403},
}

// looksOnly: a viewer looks.
var looksOnly = []attack{
	{"viewer decides", "POST", decisions, "viewer", decide(""), nil, 403},
	{"viewer reports", "POST", reportsPath, "viewer", report(`"assistant"`), nil, 403},
	{"viewer claims", "POST", claimsPath, "viewer", `{"request":"request-r","what":"flag"}`, nil, 403},
	{"viewer instructs", "POST", instructs, "viewer", `{"request":"request-r","do":"pause"}`, nil, 403},
	{"viewer stops an escalation", "POST", "/api/v1/alerts/12~5/seen", "viewer", `{"request":"request-s"}`, nil, 403},
	{"viewer lists devices", "GET", "/api/v1/devices", "viewer", "", nil, 403},
	{"viewer pairs", "POST", "/api/v1/pairings", "viewer", `{"role":"viewer"}`, nil, 403},
	{"viewer makes itself arbiter", "PATCH", "/api/v1/devices/x", "viewer", `{"role":"arbiter"}`, nil, 403},
	{"viewer gives itself a role in its session", "PATCH", "/api/v1/session", "viewer", `{"role":"arbiter"}`, nil, 400},
	{"viewer revokes", "DELETE", "/api/v1/devices/x", "viewer", "", nil, 403},
	{"viewer's wrong body is not looked at", "POST", decisions, "viewer", `{`, nil, 403},
}

// fromOutside: other pages, other names.
var fromOutside = []attack{
	{"cross-site decision", "POST", decisions, "arbiter", decide(""), []string{"Sec-Fetch-Site", "cross-site"}, 403},
	{"same-site decision (another port)", "POST", decisions, "arbiter", decide(""), []string{"Sec-Fetch-Site", "same-site"}, 403},
	{"foreign Origin", "POST", decisions, "arbiter", decide(""), []string{"Origin", "http://evil.example"}, 403},
	{"Origin null", "POST", decisions, "arbiter", decide(""), []string{"Origin", "null"}, 403},
	{"malformed Origin", "POST", decisions, "arbiter", decide(""), []string{"Origin", "http://%%"}, 403},
	{"cross-site pairing", "POST", pairPath, "", `{"code":"x","name":"x"}`, []string{"Sec-Fetch-Site", "cross-site"}, 403},
	{"cross-site unpairing", "DELETE", "/api/v1/session", "arbiter", "", []string{"Sec-Fetch-Site", "cross-site"}, 403},
	{"cross-site push", "PUT", "/api/v1/push", "arbiter", `{}`, []string{"Origin", "http://evil.example"}, 403},
	{"form post", "POST", decisions, "arbiter", "finding=5&decision=confirm", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415},
	{"text post, which needs no preflight", "POST", decisions, "arbiter", decide(""), []string{"Content-Type", "text/plain"}, 415},
	{"multipart post", "POST", decisions, "arbiter", decide(""), []string{"Content-Type", "multipart/form-data; boundary=x"}, 415},
	{"preflight", "OPTIONS", decisions, "", "", []string{"Origin", "http://evil.example", "Access-Control-Request-Method", "POST"}, 405},
	{"rebinding: foreign Host", "GET", "/", "", "", []string{"Host", "evil.example"}, 421},
	{"rebinding: foreign Host with port", "GET", "/api/v1/boards", "arbiter", "", []string{"Host", "evil.example:8160"}, 421},
	{"rebinding: decision", "POST", decisions, "arbiter", decide(""), []string{"Host", "evil.example", "Origin", "http://evil.example"}, 421},
	{"rebinding: own name as a prefix", "GET", "/", "", "", []string{"Host", "localhost.evil.example"}, 421},
	{"rebinding: configured name as a prefix", "GET", "/", "", "", []string{"Host", "hall.example.evil.example"}, 421},
	{"rebinding: an address as a prefix", "GET", "/", "", "", []string{"Host", "127.0.0.1.evil.example"}, 421},
	{"rebinding: metrics", "GET", "/metrics", "", "", []string{"Host", "evil.example"}, 421},
	{"rebinding: acknowledgement", "POST", "/ack/good", "", "", []string{"Host", "evil.example"}, 421},
	{"Host with a strange port", "GET", "/", "", "", []string{"Host", "localhost:80x"}, 421},
	{"unknown Host is refused before the path is looked at", "GET", "/nothing", "", "", []string{"Host", "evil.example"}, 421},
	{"forwarded Host is not believed", "GET", "/healthz", "", "", []string{"Host", "evil.example", "X-Forwarded-Host", "localhost"}, 421},
	{"configured name", "GET", "/", "", "", []string{"Host", "HALL.example.:8160"}, 200},
	{"localhost", "GET", "/", "", "", []string{"Host", "localhost"}, 200},
	{"IPv6 literal", "GET", "/", "", "", []string{"Host", "[::1]:8160"}, 200},
}

// badPaths: nothing but what is in the table and the page's files.
var badPaths = []attack{
	{"unknown file", "GET", "/nothing", "", "", nil, 404},
	{"directory", "GET", "/js/", "", "", nil, 404},
	{"directory without slash", "GET", "/js", "", "", nil, 404},
	{"dot dot", "GET", "/../../etc/passwd", "", "", nil, 404},
	{"dot dot in the middle", "GET", "/js/../index.html", "", "", nil, 404},
	{"encoded dot dot", "GET", "/%2e%2e/%2e%2e/etc/passwd", "", "", nil, 404},
	{"encoded slash", "GET", "/api%2fv1%2fboards", "arbiter", "", nil, 404},
	{"encoded slash in a board", "GET", "/api/v1/boards/..%2f12", "arbiter", "", nil, 404},
	{"double encoded slash", "GET", "/api/v1/boards/%252f12", "arbiter", "", nil, 404},
	{"backslash", "GET", "/..%5c..%5cetc", "", "", nil, 404},
	{"double slash", "GET", "//evil.example/", "", "", nil, 404},
	{"double slash in the API", "GET", "/api//v1/boards", "arbiter", "", nil, 404},
	{"NUL", "GET", "/index.html%00.png", "", "", nil, 404},
	{"line break", "GET", "/index.html%0d%0aSet-Cookie:x=y", "", "", nil, 404},
	{"bytes that are no UTF-8", "GET", "/%ff%fe", "", "", nil, 404},
	{"very long", "GET", "/" + strings.Repeat("a", 2000), "", "", nil, 414},
	{"very long query", "GET", "/?" + strings.Repeat("a", 6000), "", "", nil, 414},
	{"trailing slash", "GET", "/api/v1/boards/", "arbiter", "", nil, 404},
	{"API root", "GET", "/api/v1", "arbiter", "", nil, 404},
	{"other case", "GET", "/API/v1/boards", "arbiter", "", nil, 404},
	{"no CA, no certificate", "GET", "/ca.crt", "", "", nil, 404},
	{"profiling", "GET", "/debug/pprof/", "", "", nil, 404},
	{"version control", "GET", "/.git/config", "", "", nil, 404},
	{"texts of no language", "GET", "/texts/xx.json", "", "", nil, 404},
	{"texts with a path", "GET", "/texts/..%2fen.json", "", "", nil, 404},
	{"unknown board", "GET", "/api/v1/boards/99", "arbiter", "", nil, 404},
	{"board with markup", "GET", "/api/v1/boards/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "arbiter", "", nil, 404},
	{"decision for an unknown board", "POST", "/api/v1/boards/99/decisions", "arbiter", decide(""), nil, 404},
	{"report for an unknown board", "POST", "/api/v1/boards/99/reports", "arbiter", report(`"assistant"`), nil, 404},
	{"unknown alert", "POST", "/api/v1/alerts/99~1/seen", "arbiter", `{"request":"request-s"}`, nil, 404},
	{"unknown device renamed", "PATCH", "/api/v1/devices/x", "arbiter", `{"name":"x"}`, nil, 404},
	{"unknown device revoked", "DELETE", "/api/v1/devices/x", "arbiter", "", nil, 404},
	{"guessed acknowledgement", "POST", "/ack/guess", "", "", nil, 404},
	{"late acknowledgement", "POST", "/ack/late", "", "", nil, 410},
	{"acknowledgement by a link preview", "GET", "/ack/good", "", "", nil, 405},
	{"acknowledgement by HEAD", "HEAD", "/ack/good", "", "", nil, 405},
	{"acknowledgement from the notification page of another origin", "POST", "/ack/good", "", "", []string{"Origin", "http://ntfy.example", "Sec-Fetch-Site", "cross-site"}, 204},
}

// badMethods: each address knows its own.
var badMethods = []attack{
	{"POST to the overview", "POST", "/api/v1/boards", "arbiter", "{}", nil, 405},
	{"GET of a decision", "GET", decisions, "arbiter", "", nil, 405},
	{"PUT of a decision", "PUT", decisions, "arbiter", decide(""), nil, 405},
	{"DELETE of a board", "DELETE", "/api/v1/boards/12", "arbiter", "", nil, 405},
	{"GET of pairing", "GET", pairPath + "?code=x", "", "", nil, 405},
	{"POST to a file", "POST", "/index.html", "", "{}", nil, 405},
	{"TRACE", "TRACE", "/", "", "", nil, 405},
	{"OPTIONS", "OPTIONS", "/api/v1/boards", "arbiter", "", nil, 405},
	{"PROPFIND", "PROPFIND", "/", "", "", nil, 405},
	{"small letters", "get", "/", "", "", nil, 405},
	{"method override is not known", "POST", "/api/v1/devices/x", "arbiter", "{}", []string{"X-HTTP-Method-Override", "DELETE"}, 405},
	{"POST to the feed", "POST", "/api/v1/events", "arbiter", "{}", nil, 405},
	{"POST to metrics", "POST", "/metrics", "", "{}", nil, 405},
}

// badBodies: strict, and the answer names the key.
// manyKeys is an object with that many different keys.
func manyKeys(n int) string {
	b := []byte{'{'}
	for i := range n {
		b = fmt.Appendf(b, "\"k%d\":1,", i)
	}
	b[len(b)-1] = '}'
	return string(b)
}

var badBodies = []attack{
	{"no content type", "POST", decisions, "arbiter", decide(""), []string{"Content-Type", ""}, 415},
	{"other charset", "POST", decisions, "arbiter", decide(""), []string{"Content-Type", "application/json; charset=utf-16"}, 415},
	{"malformed content type", "POST", decisions, "arbiter", decide(""), []string{"Content-Type", "application/json; ="}, 415},
	{"compressed body", "POST", decisions, "arbiter", decide(""), []string{"Content-Encoding", "gzip"}, 415},
	{"10 MB", "POST", decisions, "arbiter", `{"note":"` + strings.Repeat("a", 10<<20) + `"}`, nil, 413},
	{"one byte too much", "POST", decisions, "arbiter", strings.Repeat(" ", maxBody+1), nil, 413},
	{"10 MB to pair", "POST", pairPath, "", `{"code":"` + strings.Repeat("A", 10<<20) + `"}`, nil, 413},
	{"no JSON", "POST", decisions, "arbiter", `finding`, nil, 400},
	{"an array", "POST", decisions, "arbiter", `[]`, nil, 400},
	{"null", "POST", decisions, "arbiter", `null`, nil, 400},
	{"cut off", "POST", decisions, "arbiter", `{"request":"request-d"`, nil, 400},
	{"something after it", "POST", decisions, "arbiter", decide("") + `{}`, nil, 400},
	{"byte order mark", "POST", decisions, "arbiter", "\ufeff" + decide(""), nil, 400},
	{"no UTF-8", "POST", decisions, "arbiter", decide(`,"note":"` + "\xff" + `"`), nil, 400},
	{"NUL in the body", "POST", decisions, "arbiter", decide("\x00"), nil, 400},
	{"deep nesting", "POST", decisions, "arbiter", strings.Repeat(`{"a":`, 3000), nil, 400},
	{"deep nesting, closed", "POST", decisions, "arbiter", `{"note":` + strings.Repeat("[", 4000) + strings.Repeat("]", 4000) + `}`, nil, 400},
	{"key twice", "POST", decisions, "arbiter", decide(`,"decision":"reject"`), nil, 400},
	{"key twice, escaped", "POST", decisions, "arbiter", decide(`,"decisi\u006fn":"reject"`), nil, 400},
	{"a request with very many keys", "PUT", "/api/v1/round", "arbiter", manyKeys(100_000), nil, 400},
	{"unknown key", "POST", decisions, "arbiter", decide(`,"force":true`), nil, 400},
	{"key in capitals", "POST", decisions, "arbiter", strings.Replace(decide(""), "finding", "Finding", 1), nil, 400},
	{"somebody else's name", "POST", decisions, "arbiter", decide(`,"by":"Chief arbiter"`), nil, 400},
	{"a time of one's own", "POST", decisions, "arbiter", decide(`,"wall_ms":1`), nil, 400},
	{"another board in the body", "POST", decisions, "arbiter", decide(`,"board":"13"`), nil, 400},
	{"unknown decision", "POST", decisions, "arbiter", strings.Replace(decide(""), "confirm", "guilty", 1), nil, 400},
	{"decision of another type", "POST", decisions, "arbiter", strings.Replace(decide(""), `"confirm"`, "1", 1), nil, 400},
	{"as_of left out", "POST", decisions, "arbiter", strings.Replace(decide(""), `,"as_of":101`, "", 1), nil, 400},
	{"as_of as text", "POST", decisions, "arbiter", strings.Replace(decide(""), `:101`, `:"101"`, 1), nil, 400},
	{"as_of broken", "POST", decisions, "arbiter", strings.Replace(decide(""), `:101`, `:101.5`, 1), nil, 400},
	{"as_of negative", "POST", decisions, "arbiter", strings.Replace(decide(""), `:101`, `:-1`, 1), nil, 400},
	{"as_of huge", "POST", decisions, "arbiter", strings.Replace(decide(""), `:101`, `:1e300`, 1), nil, 400},
	{"request left out", "POST", decisions, "arbiter", strings.Replace(decide(""), `"request":"request-d",`, "", 1), nil, 400},
	{"request with a line break", "POST", decisions, "arbiter", strings.Replace(decide(""), "request-d", `request\n-d`, 1), nil, 400},
	{"request too long", "POST", decisions, "arbiter", strings.Replace(decide(""), "request-d", strings.Repeat("a", 65), 1), nil, 400},
	{"note too long", "POST", decisions, "arbiter", decide(`,"note":"` + strings.Repeat("a", 501) + `"`), nil, 400},
	{"unknown finding", "POST", decisions, "arbiter", strings.Replace(decide(""), "5:illegal", "6:illegal", 1), nil, 404},
	{"finding of another board", "POST", "/api/v1/boards/13/decisions", "arbiter", decide(""), nil, 404},
	{"looked at something older", "POST", decisions, "arbiter", strings.Replace(decide(""), ":101", ":100", 1), nil, 409},
	{"unknown report", "POST", reportsPath, "arbiter", report(`"murder"`), nil, 400},
	{"whose hands", "POST", reportsPath, "arbiter", report(`"two-hands"`), nil, 400},
	{"unknown side", "POST", reportsPath, "arbiter", report(`"two-hands","side":"green"`), nil, 400},
	{"squares that are none", "POST", reportsPath, "arbiter", report(`"displaced","squares":"d2-d9"`), nil, 400},
	{"markup as squares", "POST", reportsPath, "arbiter", report(`"displaced","squares":"<b>"`), nil, 400},
	{"found at no move", "POST", reportsPath, "arbiter", report(`"found"`), nil, 400},
	{"move number out of range", "POST", reportsPath, "arbiter", report(`"found","move":10001`), nil, 400},
	{"unknown claim", "POST", claimsPath, "arbiter", `{"request":"request-r","what":"win"}`, nil, 400},
	{"unknown instruction", "POST", instructs, "arbiter", `{"request":"request-r","do":"finish"}`, nil, 400},
	{"the outbox's own instruction", "POST", instructs, "arbiter", `{"request":"request-r","do":"alert"}`, nil, 400},
	{"key of another instruction", "POST", instructs, "arbiter", `{"request":"request-r","do":"pause","result":"1-0"}`, nil, 400},
	{"result that is none", "POST", instructs, "arbiter", `{"request":"request-r","do":"result","result":"2-0"}`, nil, 400},
	{"strikes of one side", "POST", instructs, "arbiter", `{"request":"request-r","do":"strikes","white":1}`, nil, 400},
	{"ten strikes", "POST", instructs, "arbiter", `{"request":"request-r","do":"strikes","white":10,"black":0}`, nil, 400},
	{"unknown flag", "POST", instructs, "arbiter", `{"request":"request-r","do":"flag","name":"cheat","on":true}`, nil, 400},
	{"flag neither on nor off", "POST", instructs, "arbiter", `{"request":"request-r","do":"flag","name":"no_touch","on":"yes"}`, nil, 400},
	{"position without kings", "POST", instructs, "arbiter", `{"request":"request-r","do":"position","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}`, nil, 400},
	{"position that is none", "POST", instructs, "arbiter", `{"request":"request-r","do":"position","fen":"<script>"}`, nil, 400},
	{"unknown role", "POST", "/api/v1/pairings", "arbiter", `{"role":"owner"}`, nil, 400},
	{"role left out", "POST", "/api/v1/pairings", "arbiter", `{}`, nil, 400},
	{"boards that are no list", "PATCH", "/api/v1/session", "arbiter", `{"boards":"12"}`, nil, 400},
	{"boards with a number", "PATCH", "/api/v1/session", "arbiter", `{"boards":[12]}`, nil, 400},
	{"boards with null", "PATCH", "/api/v1/session", "arbiter", `{"boards":[null]}`, nil, 400},
	{"seen without request", "POST", "/api/v1/alerts/12~5/seen", "arbiter", `{}`, nil, 400},
}

// attacks are all of them; the ones over raw TCP are in rawattack_test.go.
func attacks() (all []attack) {
	for _, list := range [][]attack{notPaired, looksOnly, fromOutside, badPaths, badMethods, badBodies} {
		all = append(all, list...)
	}
	return all
}

func TestAttacks(t *testing.T) {
	h := newHarness(t, nil)
	h.table.find(knight, "confirmed")
	gone := h.join(access.Viewer, "lost phone")
	if err := h.store.Revoke(h.device(gone).ID); err != nil {
		t.Fatal(err)
	}
	cookies := map[string]string{"arbiter": h.arbiter, "viewer": h.viewer, "revoked": gone}
	devices := fmt.Sprint(len(h.store.Devices()))
	list := attacks()
	for _, a := range list {
		t.Run(a.what, func(t *testing.T) {
			cookie, ok := cookies[a.who]
			if !ok {
				cookie = a.who
			}
			r := h.ask(a.method, a.path, cookie, a.body, a.header...)
			if r.status != a.want {
				t.Fatalf("status %d, not %d: %.300s", r.status, a.want, r.body)
			}
			checkAnswer(t, a, r)
			if h.table.count() != 0 {
				t.Fatalf("something was told to the board: %v", h.table.taken)
			}
			if now := fmt.Sprint(len(h.store.Devices())); now != devices {
				t.Fatalf("%s devices, not %s", now, devices)
			}
		})
	}
	t.Logf("%d attacks over HTTP", len(list))
	if len(list) < 120 {
		t.Errorf("only %d attacks in the table", len(list))
	}
}

// checkAnswer holds what is true of every answer.
func checkAnswer(t *testing.T, a attack, r reply) {
	t.Helper()
	for key, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
		"X-Frame-Options": "DENY", "Access-Control-Allow-Origin": "",
	} {
		if got := r.header.Get(key); got != want {
			t.Errorf("%s is %q, not %q", key, got, want)
		}
	}
	if csp := r.header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; script-src 'self'; ") || strings.Contains(csp, "evil") {
		t.Errorf("Content-Security-Policy is %q", csp)
	}
	if a.want < 400 || a.method == http.MethodHead {
		return
	}
	var body struct {
		Error struct{ Code, Message, Remedy string }
	}
	if err := json.Unmarshal(r.body, &body); err != nil || body.Error.Code == "" || body.Error.Message == "" || body.Error.Remedy == "" {
		t.Errorf("the refusal is %.300s", r.body)
	}
	if got := r.header.Get("Content-Type"); got != "application/json; charset=utf-8" || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("it comes as %q, %q", got, r.header.Get("Cache-Control"))
	}
	if a.want == 405 && r.header.Get("Allow") == "" {
		t.Error("405 without Allow")
	}
	if strings.ContainsAny(string(r.body), "<>") {
		t.Errorf("markup comes back as it is: %.300s", r.body)
	}
}

func TestRefusalNamesTheKeyAndTheRemedy(t *testing.T) {
	h := newHarness(t, nil)
	for _, row := range []struct{ body, message, remedy string }{
		{decide(`,"force":true`), `The key "force" is not known here.`, "Known here: request, finding, decision, as_of, note, journal, waiting."},
		{manyKeys(maxKeys + 1), "The body has more than 64 keys.", "Send the keys that the request has, and no others."},
		{decide(`,"as_of":7`), `The key "as_of" stands there twice.`, "Give each key once."},
		{strings.Replace(decide(""), "confirm", "guilty", 1), `"decision" is not one of the words that are known.`, "It is one of confirm, reject, unseen, accident, sensor, later, undo."},
		{strings.Replace(decide(""), ":101", ":0", 1), `"as_of" is not a number that fits.`, "Give a whole number from 1 to 9007199254740992."},
		{`{}`, `"request" has 0 characters.`, "Give 8 to 64."},
	} {
		var b errorBody
		r := h.ask("POST", decisions, h.arbiter, row.body)
		if err := json.Unmarshal(r.body, &b); err != nil || b.Error.Message != row.message || b.Error.Remedy != row.remedy {
			t.Errorf("%.200s: %s", row.body, r.body)
		}
	}
}

// Wrong codes are counted against the address of the connection: one that claims many others gains nothing.
func TestBruteForce(t *testing.T) {
	h := newHarness(t, nil)
	statuses := map[int]int{}
	for i := range 200 {
		r := h.ask("POST", pairPath, "", fmt.Sprintf(`{"code":"AAAA-%04d","name":"x"}`, i), "X-Forwarded-For", fmt.Sprintf("10.0.0.%d", i))
		statuses[r.status]++
		if r.status == 429 && (r.code() != "too_many" || r.header.Get("Retry-After") == "" || r.header.Get("Retry-After") == "0") {
			t.Fatalf("429 is %s %v", r.body, r.header)
		}
	}
	if statuses[403] != 5 || statuses[429] != 195 {
		t.Errorf("statuses %v", statuses)
	}
}

// Wrong typed codes from one address do not keep others from typing, nor anyone from scanning.
func TestWrongCodesLockOneAddress(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, p *pipes) {
		pair := func(from, code string) int {
			body := fmt.Sprintf(`{"code":%q,"name":"x"}`, code)
			v := visit(p.dialFrom(from))
			defer v.Close()
			_, _ = fmt.Fprintf(v, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", pairPath, len(body), body)
			return statusOn(v)
		}
		code := func() access.Code {
			c, err := h.store.NewCode(access.Viewer, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		for range 200 {
			pair("192.168.1.66", "ABCD-EFGH")
			pair("2001:db8::66", "ABCD-EFGH")
		}
		for _, row := range []struct {
			what, from, code string
			want             int
		}{
			{"typed where the wrong ones came from", "192.168.1.66", code().Text, 429},
			{"typed in the same network of IPv6", "2001:db8::67", code().Text, 429},
			{"scanned where the wrong ones came from", "192.168.1.66", code().Link, 200},
			{"typed at another address", "192.168.1.67", code().Text, 200},
			{"typed in another network of IPv6", "2001:db8:0:1::66", code().Text, 200},
			{"typed at this computer", "127.0.0.1", code().Text, 200},
		} {
			if got := pair(row.from, row.code); got != row.want {
				t.Errorf("%s: %d, not %d", row.what, got, row.want)
			}
		}
	})
}
