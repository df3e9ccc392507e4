//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// testHeads: the phone keeps the check number that it was given with a decision, shows it in its settings and copies
// it. With it verify reports that the journal was cut.
func testHeads(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h := stillPage(t)
	h.pair(p, h.url)
	h.theKnight(t, p)
	p.tap(".act", "Confirm")
	p.shows(".note.done", "Decided: confirmed")
	p.to("#/settings", ".group")
	p.tap(".row.link", "Check numbers")
	p.shows(".row .digits", "")
	p.await("the number of the decision is kept", `JSON.parse(localStorage.getItem('bw.heads'))[0].heads.some((k) => k.told)`)
	if shown := p.texts(".row .digits"); len(shown) != 1 || !regexp.MustCompile(`^[\d\x{202f}]+ :\s+([0-9a-f]{4}\s*){8}$`).MatchString(shown[0]) {
		t.Errorf("the screen shows %q", shown)
	}
	for _, scheme := range []string{"light", "dark"} {
		p.scheme(scheme)
		p.resize(small)
		p.fits("heads-"+scheme, small)
		p.shoot("heads-" + scheme + "-360x640")
	}
	spoken := strings.Join(strings.Fields(p.text(".row .digits")), " ")
	// As over plain HTTP from another computer, where pages have no clipboard.
	eval[any](p, `void (Object.defineProperty(navigator, 'clipboard', {value: undefined}),
		addEventListener('copy', () => { window.copied = document.activeElement.value; }, true))`)
	p.tap(".act", "Copy all")
	p.shows(".toast", "Copied")
	file := h.write(t, "heads.txt", eval[string](p, "window.copied"))

	// The phone keeps them, and shows them, when the server is gone.
	h.stopped(t)
	journals, err := filepath.Glob(filepath.Join(h.state(), "*.bwj"))
	if err != nil || len(journals) != 1 {
		t.Fatalf("journals %q (%v)", journals, err)
	}
	if r := h.run(t, "", "verify", "--head", file, "--head", spoken, journals[0]).want(t, 0); !strings.Contains(r.out, ": holds head ") {
		t.Errorf("verify says %q", r.out)
	}
	p.to("#/", "main")
	p.to("#/heads", ".row .digits")
	p.keepsOldHeads()
	p.calm()

	text, err := os.ReadFile(journals[0])
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(text), `"decision":"confirm"`)
	cut := string(text)[:strings.LastIndexByte(string(text)[:at], '\n')+1]
	if err := os.WriteFile(journals[0], []byte(cut), 0o600); err != nil {
		t.Fatal(err)
	}
	h.run(t, "", "verify", journals[0]).want(t, 0)
	r := h.run(t, "", "verify", "--head", file, journals[0]).want(t, 3)
	if want := fmt.Sprintf("ends with record %d", strings.Count(cut, "\n")); !strings.Contains(r.out, want) || !strings.Contains(r.out, "records are missing") {
		t.Errorf("verify of the cut journal says %q", r.out)
	}
}

// keepsOldHeads gives the phone a head every five minutes of a long day, one of them with an answer: the first and the
// newest stay, that of the answer, and one an hour, twelve in all. What is no head is not kept.
func (p *phone) keepsOldHeads() {
	p.Helper()
	kept := eval[[]int](p, `(async () => {
		const {keepHeads, records} = await import('/js/heads.js');
		const {store} = await import('/js/store.js');
		const now = store.offset;
		const head = (n) => ({board: 'x', journal: 'x-r1', seq: n, chain: n.toString(16).padStart(32, '0')});
		for (let n = 1; n <= 200; n++) {
			store.offset = now + n * 300e3;
			keepHeads([head(n), {...head(n), chain: '<b>'}, {...head(n), seq: 0}, null], n === 101);
			keepHeads([head(n)], false);
		}
		store.offset = now;
		return records().find((r) => r.journal === 'x-r1').heads.map((k) => k.seq);
	})()`)
	if want := []int{1, 97, 101, 113, 125, 137, 149, 161, 173, 185, 197, 200}; !slices.Equal(kept, want) {
		p.Errorf("the phone keeps the heads %v, want %v", kept, want)
	}
}
