//go:build linux

package e2e

import "testing"

// testUnreadList: the program is started again under an open page while its list of devices cannot be read. The page
// asks to be paired, keeps what is typed there, and goes on by itself when the disk reads.
func testUnreadList(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h, conf := runPage(t)
	h.pair(p, h.url)
	h.theKnight(t, p)
	stamp := eval[float64](p, "(window.sameDocument = Math.random())")
	harm, mend := loopOfLinks(t, h.state())
	h.kill()
	harm()
	h.process = h.start(t, "run", "-c", conf)
	h.invited()
	p.shows("form.pairing", "")
	p.typed("#code", "ABCD")
	before := len(p.requested("/session"))
	until(p, "it has asked twice more", func() bool { return len(p.requested("/session")) > before+1 })
	if typed := eval[string](p, "document.getElementById('code').value"); typed != "ABCD" {
		t.Errorf("what was typed is %q now", typed)
	}
	mend()
	p.shows(".conn.live", "live")
	if eval[float64](p, "window.sameDocument") != stamp {
		t.Error("the page was loaded anew")
	}
	p.calm()
}
