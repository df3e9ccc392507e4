package alert

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"boardwatchd/rules/words"
)

// raise makes one alert and returns the messages that a phone receives for it and for its closing.
func raise(t *testing.T, opt Options, class string, close func(r *rig)) (first, last Message) {
	t.Helper()
	bubble(t, func(t *testing.T) {
		hall := &fake{name: "hall"}
		r := newRig(t, opt, hall).start()
		defer r.stop()
		r.say("12", knight, "confirmed", class, "")
		rest(time.Second)
		close(r)
		rest(time.Second)
		tries := hall.all()
		if len(tries) != 2 {
			t.Fatalf("%d messages", len(tries))
		}
		first, last = tries[0].m, tries[1].m
	})
	return first, last
}

func expired(r *rig) { r.say("12", knight, "expired", "log", "") }

func TestTheLockScreen(t *testing.T) {
	for _, c := range []struct {
		claim                            string
		opt                              Options
		class                            string
		title, body, lastTitle, lastBody string
	}{
		{"says no more than that somebody should look", Options{}, Now, "Board 12: please look", "", "Board 12: answered meanwhile", ""},
		{"in the hall's language", Options{Wording: "look", Language: "de-AT"}, Now, "Brett 12: bitte nachsehen", "", "Brett 12: inzwischen beantwortet", ""},
		{"in a language there is none of", Options{Language: "tlh"}, Now, "Board 12: please look", "", "Board 12: answered meanwhile", ""},
		{
			"names the offence where that is wanted", Options{Wording: "full"}, Now,
			"Board 12: please look", "Illegal knight move (3.6, 7.5.1)", "Board 12: answered meanwhile", "Answered meanwhile: the move stands",
		},
		{"never names a hint", Options{Wording: "full"}, Advise, "Board 12: please look", "", "Board 12: answered meanwhile", "Answered meanwhile: the move stands"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			first, last := raise(t, c.opt, c.class, expired)
			if first.Title != c.title || first.Body != c.body || last.Title != c.lastTitle || last.Body != c.lastBody {
				t.Errorf("%q %q, then %q %q", first.Title, first.Body, last.Title, last.Body)
			}
			want := map[string]int{Now: 4, Advise: 3}[c.class]
			if first.Priority != want || last.Priority != 2 {
				t.Errorf("priorities %d and %d", first.Priority, last.Priority)
			}
		})
	}
}

func TestNobodyIsAccused(t *testing.T) {
	for _, lang := range append(words.Languages(), "") {
		for _, deed := range []func(r *rig){
			expired, func(r *rig) { r.say("12", knight, "withdrawn", "log", "") }, func(r *rig) { r.decide("12", knight, "confirm", "confirmed") },
			func(r *rig) { r.decide("12", knight, "later", "confirmed") },
		} {
			first, last := raise(t, Options{Wording: "full", Language: lang}, Now, deed)
			for _, text := range []string{first.Title, first.Body, last.Title, last.Body, first.AckText, first.OpenText} {
				for _, side := range []string{words.Text(lang, "side.white"), words.Text(lang, "side.black")} {
					if strings.Contains(text, side) {
						t.Errorf("%s: %q names a side", lang, text)
					}
				}
			}
			if first.AckText == "" || first.OpenText == "" || strings.Contains(last.Title, "{") {
				t.Errorf("%s: %q %q %q", lang, first.AckText, first.OpenText, last.Title)
			}
			if w := wordsOf(lang); lang != "" && w.lang != lang {
				t.Errorf("there are no words in %s", lang)
			}
		}
	}
}

func TestLinks(t *testing.T) {
	page := func() string { return "http://192.0.2.7:8160/" }
	first, last := raise(t, Options{URL: page}, Now, expired)
	if first.OpenURL != "http://192.0.2.7:8160/#/b/12" || first.URL != "http://192.0.2.7:8160/#/b/12/961:illegal.knight" {
		t.Errorf("links %q %q", first.OpenURL, first.URL)
	}
	if !strings.HasPrefix(first.AckURL, "http://192.0.2.7:8160/ack/") || last.AckURL != "" {
		t.Errorf("buttons %q, then %q", first.AckURL, last.AckURL)
	}
	for _, public := range []string{first.OpenURL, first.AckURL, first.Ref} {
		if strings.Contains(public, "knight") || strings.Contains(public, "961") {
			t.Errorf("%q tells a stranger what it is about", public)
		}
	}
	first, _ = raise(t, Options{}, Now, expired)
	if first.OpenURL+first.URL+first.AckURL != "" {
		t.Errorf("without an address: %q %q %q", first.OpenURL, first.URL, first.AckURL)
	}
}

func TestIDs(t *testing.T) {
	if id := ID("12", knight); id != "12~961~.illegal.knight" {
		t.Errorf("id is %s", id)
	}
	parts := []string{"", "1", "12", "1~2", "~", "x", "h", ".", "~x3a", ":", "~.", "1:2", "x3a", "Tisch 1/ä", "a~b", "a", "b", "\x00", "../..", strings.Repeat("y", 500), strings.Repeat("y", 501)}
	seen := map[string]string{}
	for _, b := range parts {
		for _, f := range parts {
			id := ID(b, f)
			if strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-") != "" || len(id) > longestID {
				t.Errorf("%q is not fit for a URL", id)
			}
			if other, twice := seen[id]; twice {
				t.Errorf("%q and %q share %s", other, b+" | "+f, id)
			}
			seen[id] = b + " | " + f
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "",
		" a \r\n\t b ":       "a b",
		"a\x00b\x1b[31m":     "a b [31m",
		"\u202eevil\u2066x":  "evilx",
		"\xff":               "\uFFFD",
		"a\u2028b\u0085c":    "a b c",
		"Ünïcö ♞ ok":         "Ünïcö ♞ ok",
		"0123456789ABCDEFGH": "0123456789ABC…",
		"012345678901ü34567": "012345678901…",
	} {
		if have := clean(in, 16); have != want {
			t.Errorf("%q becomes %q, want %q", in, have, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("Board 12: please look\n", 10)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = max(limit%500, 3)
		if limit < 0 {
			limit = 3
		}
		c := clean(s, limit)
		if len(c) > limit || !utf8.ValidString(c) || strings.ContainsAny(c, "\r\n\x00\u202e\u2028") || clean(c, limit) != c {
			t.Errorf("%q becomes %q (limit %d)", s, c, limit)
		}
	})
}

func TestKeyIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "alert.key")
	first, err := LoadKey(path)
	if err != nil || len(first) != keyBytes {
		t.Fatalf("%d bytes, %v", len(first), err)
	}
	again, err := LoadKey(path)
	if err != nil || string(again) != string(first) {
		t.Errorf("read again: %v", err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode: %v, %v", st.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("zz"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKey(path); err == nil || !strings.Contains(err.Error(), "delete it") {
		t.Errorf("a damaged key: %v", err)
	}
	if _, err := LoadKey(filepath.Join(path, "x")); err == nil {
		t.Error("a path that cannot be is taken")
	}
}
