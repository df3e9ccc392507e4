package qr

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"
)

func sheet() PageData {
	return PageData{
		Event: "Open Championship 2026", Network: "hall-arbiters", URL: link, Code: "ABCD-EFGH", Role: "arbiter",
		Boards: []string{"1", "2", "12"}, Expires: time.Date(2026, 11, 21, 15, 4, 0, 0, time.UTC),
	}
}

func print(t *testing.T, d PageData) string {
	t.Helper()
	var b bytes.Buffer
	if err := Page(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPageSaysWhatHasToBeDone(t *testing.T) {
	text := print(t, sheet())
	for _, want := range []string{
		"Open Championship 2026", "<strong>hall-arbiters</strong>", ">http://192.168.100.200:8160/<", `aria-label="ABCD-EFGH"`,
		"<span>ABCD</span><span>EFGH</span>", "this phone sees every alert and decides.", "Boards: 1, 2, 12.",
		"until Saturday 21 November 2026, 15:04 UTC", string(encode(t, link).SVG()), `<html lang="en">`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(text, "<li>"); n != 3 {
		t.Errorf("%d steps", n)
	}
	if strings.Contains(text, "0123456789ABCDEFGHJKMNPQRS") {
		t.Error("the link's secret is printed as text")
	}
}

func TestPageWithoutWhatMayBeMissing(t *testing.T) {
	text := print(t, PageData{URL: link, Code: "ABCD-EFGH", Role: "viewer"})
	for _, want := range []string{"the hall’s Wi-Fi", "decides nothing", "Boards: all.", "works once. Whoever", "<title>Pair a phone</title>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	d := sheet()
	d.Boards = strings.Split(strings.Repeat("9,", 59)+"9", ",")
	if !strings.Contains(print(t, d), "Boards: "+strings.Repeat("9, ", 19)+"9 and 40 more.") {
		t.Error("many boards fill the sheet")
	}
	if err := Page(&bytes.Buffer{}, PageData{}); err == nil {
		t.Error("a page without an address was made")
	}
}

func TestMarkupOnThePageIsText(t *testing.T) {
	bad := `"'></style><script>alert(1)</script><img src=x onerror=y>{{.}}`
	d := PageData{Event: bad, Network: bad, URL: "http://h/" + bad, Code: bad, Role: bad, Boards: []string{bad}}
	text := print(t, d)
	tags := regexp.MustCompile(`<[a-z]+`).FindAllString(text, -1)
	for _, tag := range tags {
		if tag == "<script" || tag == "<img" {
			t.Errorf("%s on the page", tag)
		}
	}
	d.Event, d.Network, d.Code, d.Role, d.Boards = "e", "n", "c", "r", []string{"b"}
	d.URL = link
	if plain := regexp.MustCompile(`<[a-z]+`).FindAllString(print(t, d), -1); strings.Join(plain, "") != strings.Join(tags, "") {
		t.Errorf("other elements: %v, %v", tags, plain)
	}
}

func TestPageStandsAlone(t *testing.T) {
	text := print(t, sheet())
	for _, forbidden := range []string{"<script", "<link", "src=", "href=", "url(", "@import", " style=", " on"} {
		rest := strings.ReplaceAll(html.UnescapeString(text), "style-src=", "")
		if i := strings.Index(regexp.MustCompile(`>[^<]*<`).ReplaceAllString(rest, "><"), forbidden); i >= 0 {
			t.Errorf("%q on the page", forbidden)
		}
	}
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(text)
	sum := sha256.Sum256([]byte(style[1]))
	if !strings.Contains(PageCSP(), base64.StdEncoding.EncodeToString(sum[:])) {
		t.Error("the policy does not fit the style as it stands on the page")
	}
	if !strings.Contains(html.UnescapeString(text), `content="`+PageCSP()+`"`) {
		t.Error("the page does not carry the policy")
	}
}
