package qr

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
)

// PageData has the content of the printed page. All texts are plain: markup in them is shown.
type PageData struct {
	Event   string    // its name; "" for none
	Network string    // the Wi-Fi to join; "" if that is clear
	URL     string    // content of the QR code; printed without the part after the #
	Code    string    // to be typed, already in groups: "ABCD-EFGH"
	Role    string    // "arbiter", "viewer"
	Boards  []string  // its boards; none: all
	Expires time.Time // zero: not printed
}

// maxBoards is how many boards are named, so that the page stays one sheet.
const maxBoards = 20

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var page = template.Must(template.New("page").Parse(pageText))

// roles describe in plain words the rights of a paired phone.
var roles = map[string]string{
	"arbiter": "Arbiter: this phone sees every alert and decides.",
	"viewer":  "Viewer: this phone sees every alert and decides nothing.",
}

// PageCSP is the Content-Security-Policy that the page needs: its own style and nothing else. The page also has it in
// its header, for when it is opened as a file.
func PageCSP() string {
	sum := sha256.Sum256([]byte(pageStyle))
	style := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	return "default-src 'none'; style-src " + style + "; base-uri 'none'; form-action 'none'"
}

// Page writes one HTML file to be printed on A5 or A4. It has no script and loads nothing. It holds a secret until the
// code is used, so only its owner may read the file.
func Page(w io.Writer, d PageData) error {
	code, err := New(d.URL)
	if err != nil {
		return err
	}
	address, _, _ := strings.Cut(d.URL, "#")
	role := roles[d.Role]
	if role == "" {
		role = d.Role
	}
	expires := ""
	if !d.Expires.IsZero() {
		expires = d.Expires.Format("Monday 2 January 2006, 15:04 MST")
	}
	boards := strings.Join(d.Boards, ", ")
	if more := len(d.Boards) - maxBoards; more > 0 {
		boards = fmt.Sprintf("%s and %d more", strings.Join(d.Boards[:maxBoards], ", "), more)
	}
	var b bytes.Buffer // an incomplete page would be printed all the same
	err = page.Execute(&b, map[string]any{
		"CSP": PageCSP(), "Style": template.CSS(pageStyle), "SVG": template.HTML(code.SVG()), // all three are our own
		"Event": d.Event, "Network": d.Network, "Address": address, "Groups": strings.Split(d.Code, "-"), "Code": d.Code,
		"Role": role, "Boards": boards, "Expires": expires,
	})
	if err != nil {
		return fmt.Errorf("qr: make the page: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("qr: write the page: %w", err)
	}
	return nil
}
