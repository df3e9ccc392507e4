package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"boardwatchd/internal/live"
	"boardwatchd/internal/qr"
	"boardwatchd/internal/said"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/words"
)

var (
	//go:embed report.html
	pageText string
	//go:embed report.css
	pageStyle string
)

// The functions depend on the language; when the text is parsed only their names are needed.
var sheet = template.Must(template.New("report").Funcs(texts{}.funcs()).Parse(pageText))

// CSP is the policy that the HTML needs, and no more: its own style. The file carries it itself as well.
func CSP() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// HTML writes the report as one file to be printed on A4.
func (r *Report) HTML(w io.Writer) error {
	t, err := newTexts(r.opt.Lang)
	if err != nil {
		return err
	}
	own, err := sheet.Clone()
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	var b bytes.Buffer // a report that is cut off in the middle would still be printed
	err = own.Funcs(t.funcs()).Execute(&b, map[string]any{
		"R": r, "Lang": t.lang, "CSP": CSP(), "Style": template.CSS(pageStyle), "Sprite": sprite, // our own
	})
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// texts are the texts of one language: the page's own and the core's.
type texts struct {
	lang string
	page map[string]string
}

func newTexts(lang string) (texts, error) {
	lang, _, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(lang, "_", "-")), "-")
	body, ok := page.Texts(lang)
	if !ok {
		lang = "en"
		body, _ = page.Texts(lang)
	}
	t := texts{lang: lang, page: map[string]string{}}
	err := json.Unmarshal(body, &t.page)
	for _, group := range []string{page.Rest, "tell"} {
		more, _ := page.GroupTexts(group, lang)
		err = errors.Join(err, json.Unmarshal(more, &t.page))
	}
	return t, err
}

func (t texts) funcs() template.FuncMap {
	return template.FuncMap{
		"t": t.text, "p": t.own, "name": t.name, "entry": t.entry, "say": t.say, "ruled": t.ruled, "mate": t.mate, "health": t.health, "span": t.span, "moment": t.moment,
		"side": t.side, "judged": t.judged, "when": t.when, "clock": clock, "ago": ago, "diagram": diagram, "qr": qrCode, "number": moveNumber, "head": groups, "raw": raw, "begin": begin,
		"join": strings.Join, "word": func(w live.Word) string { return string(w) }, "moves": func(plies int) int { return (plies + 1) / 2 },
	}
}

// text returns one of the core's texts.
func (t texts) text(key string, args ...string) string { return words.Text(t.lang, key, args...) }

// own returns one of the page's texts.
func (t texts) own(key string, args ...string) string {
	text := t.page[key]
	for i, a := range args {
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", a)
	}
	return text
}

func (t texts) name(kind any) string { return words.Name(t.lang, fmt.Sprint(kind)) }

func (t texts) in(s *words.Sentence, english string) string {
	if s == nil || s.IsZero() {
		return english
	}
	return s.In(t.lang)
}

func (t texts) say(f Finding) string        { return t.in(f.f.Say, f.f.Reason) }
func (t texts) ruled(r *said.Ruling) string { return t.in(r.Say, r.Text) }
func (t texts) mate(m *said.Mate) string    { return t.in(m.Say, m.Text) }
func (t texts) health(h Health) string      { return t.in(h.any.Say, h.Detail) }

// span describes the plies that are not known.
func (t texts) span(s Span) string {
	from := strconv.Itoa(s.PlyFrom)
	switch {
	case s.FEN == "":
		return t.text("row.not_known_end", from)
	case s.PlyTo == nil:
		return t.text("row.not_known_from", from, s.FEN)
	case *s.PlyTo == s.PlyFrom:
		return t.text("row.not_known_ply", from, s.FEN)
	}
	return t.text("row.not_known", from, strconv.Itoa(*s.PlyTo), s.FEN)
}

func (t texts) side(s any) string {
	word := ""
	switch s := s.(type) {
	case string:
		word = s
	case *string:
		if s != nil {
			word = *s
		}
	}
	if word != "white" && word != "black" {
		return ""
	}
	return t.text("side." + word)
}

// moment returns one line of a time line.
func (t texts) moment(m live.Moment) string {
	was, is := t.piece(m.Was), t.piece(m.Is)
	switch m.What {
	case "lift":
		return t.own("line.lift", was, m.Square)
	case "place":
		return t.own("line.place", is, m.Square)
	case "replace":
		return t.own("line.replace", m.Square, was, is)
	}
	if side := t.side(m.Side); side != "" {
		return t.own("line.press", side)
	}
	return t.own("line.presses")
}

// judged returns the judgement of a press, if it is a finding.
func (t texts) judged(code string) string {
	kind, _, _ := strings.Cut(code, "+")
	if !kinds.Kind(kind).Known() {
		return "" // ok, ok_late …
	}
	return t.name(kind)
}

// piece returns the name of the piece with a FEN's letter.
func (t texts) piece(letter string) string {
	switch {
	case letter == "":
		return t.own("piece.none")
	case letter == strings.ToLower(letter):
		return t.own("piece.b" + letter)
	}
	return t.own("piece.w" + strings.ToLower(letter))
}

// when returns a moment by the computer's clock, in the same form in every language.
func (t texts) when(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).Format("2006-01-02 15:04:05 MST")
}

func clock(sec int) string {
	if sec < 0 {
		return "–" + clock(-sec)
	}
	return fmt.Sprintf("%d:%02d:%02d", sec/3600, sec/60%60, sec%60)
}

// ago returns the time of a moment in seconds from the press.
func ago(f Finding, m live.Moment) string {
	at := m.T - float64(f.f.Window.Hi)/1e6
	return strings.Replace(fmt.Sprintf("%+.2f", at), "-", "−", 1)
}

func moveNumber(ply int) string {
	if ply < 1 {
		return ""
	}
	dots := "."
	if ply%2 == 0 {
		dots = "…"
	}
	return strconv.Itoa((ply+1)/2) + dots
}

// begin capitalises a word as the others in the head of a table: within a sentence it may have a small letter.
func begin(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}

// groups returns the digits of a chain in groups of four.
func groups(chain string) string {
	var b strings.Builder
	for i, c := range chain {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func qrCode(text string) (template.HTML, error) {
	code, err := qr.New(text)
	if err != nil {
		return "", err
	}
	return template.HTML(code.SVG()), nil // our own drawing
}

func raw(v json.RawMessage) string { return string(v) }
