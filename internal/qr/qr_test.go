package qr

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"rsc.io/qr"
)

const link = "http://192.168.100.200:8160/#0123456789ABCDEFGHJKMNPQRS"

var samples = []string{
	"1", "HELLO", link, "https://[fd00::1234:5678]:8161/#0123456789ABCDEFGHJKMNPQRS", "ünïcode \x00\xff", strings.Repeat("x", maxText),
}

func encode(t testing.TB, text string) Code {
	t.Helper()
	c, err := New(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// picture is what a camera sees: dark or not, row by row.
type picture [][]bool

// compare holds a picture with its quiet zone against what the library made.
func (p picture) compare(t *testing.T, c Code, zone int) {
	t.Helper()
	if len(p) < c.Size()+2*zone {
		t.Fatalf("%d rows for %d modules", len(p), c.Size())
	}
	for y, row := range p {
		if len(row) != c.Size()+2*zone {
			t.Fatalf("row %d has %d modules", y, len(row))
		}
		for x, dark := range row {
			if dark != c.modules.Black(x-zone, y-zone) {
				t.Fatalf("module %d,%d is wrong", x-zone, y-zone)
			}
		}
	}
}

var escape = regexp.MustCompile(`^\x1b\[([0-9;]*)m`)

// screen is a terminal: it gives each character with the brightness of ink and ground. Where no colour was set, both
// are unknown, which is an error: the terminal may be dark or light.
func screen(t *testing.T, text string, draw func(line int, char string, ink, ground bool)) {
	t.Helper()
	inks := map[string][2]bool{"38;5;16;48;5;231": {false, true}, "30;107": {false, true}, "30;40": {false, false}}
	colour, known, line := [2]bool{}, false, 0
	for text != "" {
		if m := escape.FindStringSubmatch(text); m != nil {
			colour, known = inks[m[1]]
			if !known && m[1] != "0" {
				t.Fatalf("an unknown sequence %q", m[0])
			}
			text = text[len(m[0]):]
			continue
		}
		_, n := utf8.DecodeRuneInString(text)
		char := text[:n]
		text = text[n:]
		if char == "\n" {
			if known {
				t.Fatalf("line %d leaves its colours on", line)
			}
			line++
			continue
		}
		if !known {
			t.Fatalf("line %d: a character without a colour", line)
		}
		draw(line, char, colour[0], colour[1])
	}
	if known {
		t.Fatal("the colours stay on")
	}
}

func TestTerminalShowsTheCode(t *testing.T) {
	for _, text := range samples {
		c := encode(t, text)
		var b bytes.Buffer
		if err := c.Terminal(&b, false); err != nil {
			t.Fatal(err)
		}
		p := make(picture, 2*strings.Count(b.String(), "\n"))
		screen(t, b.String(), func(line int, char string, ink, ground bool) {
			upper, lower := ground, ground
			switch char {
			case "▀":
				upper = ink
			case "▄":
				lower = ink
			case "█":
				upper, lower = ink, ink
			case " ":
			default:
				t.Fatalf("character %q", char)
			}
			p[2*line], p[2*line+1] = append(p[2*line], !upper), append(p[2*line+1], !lower)
		})
		p.compare(t, c, quiet)
	}
}

func TestTerminalWithoutUTF8ShowsTheCode(t *testing.T) {
	for _, text := range samples {
		c := encode(t, text)
		var b bytes.Buffer
		if err := c.Terminal(&b, true); err != nil {
			t.Fatal(err)
		}
		p := make(picture, strings.Count(b.String(), "\n"))
		half := 0
		screen(t, b.String(), func(line int, char string, ink, ground bool) {
			dark := !ground
			if (char == "#") != dark || char != "#" && char != " " || char == "#" && ink != ground {
				t.Fatalf("character %q: a cell must be one colour, and still be read where colours are lost", char)
			}
			if half++; half%2 == 0 {
				p[line] = append(p[line], dark)
			}
		})
		p.compare(t, c, quietASCII)
	}
}

func TestLinkFitsATerminal(t *testing.T) {
	c := encode(t, link)
	for ascii, most := range map[bool][2]int{false: {80, 23}, true: {80, 40}} {
		var b bytes.Buffer
		if err := c.Terminal(&b, ascii); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(b.String(), ""), "\n"), "\n")
		if wide := utf8.RuneCountInString(lines[0]); wide > most[0] || len(lines) > most[1] {
			t.Errorf("ascii %v: %d x %d", ascii, wide, len(lines))
		}
	}
}

func TestSVGShowsTheCode(t *testing.T) {
	for _, text := range samples {
		c := encode(t, text)
		var svg struct {
			ViewBox string `xml:"viewBox,attr"`
			Role    string `xml:"role,attr"`
			Title   string `xml:"title"`
			Rect    struct {
				Width, Height int    `xml:",attr"`
				W             int    `xml:"width,attr"`
				H             int    `xml:"height,attr"`
				Fill          string `xml:"fill,attr"`
			} `xml:"rect"`
			Paths []struct {
				Fill string `xml:"fill,attr"`
				D    string `xml:"d,attr"`
			} `xml:"path"`
		}
		if err := xml.Unmarshal(c.SVG(), &svg); err != nil {
			t.Fatal(err)
		}
		side := c.Size() + 2*quiet
		if svg.ViewBox != fmt.Sprintf("0 0 %d %d", side, side) || svg.Role != "img" || svg.Title != "QR code" ||
			svg.Rect.W != side || svg.Rect.H != side || svg.Rect.Fill != "#fff" || len(svg.Paths) != 1 || svg.Paths[0].Fill != "#000" {
			t.Fatalf("%+v", svg)
		}
		p := make(picture, side)
		for y := range p {
			p[y] = make([]bool, side)
		}
		for _, run := range strings.Split(strings.TrimSuffix(svg.Paths[0].D, "z"), "z") {
			var x, y, long, back int
			if _, err := fmt.Sscanf(run, "M%d %dh%dv1h-%d", &x, &y, &long, &back); err != nil || long != back {
				t.Fatalf("%q: %v", run, err)
			}
			for i := range long {
				p[y][x+i] = true
			}
		}
		p.compare(t, c, quiet)
	}
}

func TestMoreCorrectionWhereThereIsRoom(t *testing.T) {
	for _, text := range samples {
		least, err := qr.Encode(text, qr.M)
		if err != nil {
			t.Fatal(err)
		}
		if c := encode(t, text); c.Size() != least.Size {
			t.Errorf("%.20q: %d modules, %d would do", text, c.Size(), least.Size)
		}
	}
	best, err := qr.Encode("1", qr.H)
	if err != nil || !bytes.Equal(encode(t, "1").modules.Bitmap, best.Bitmap) {
		t.Errorf("a digit has room for the best correction: %v", err)
	}
}

func TestTextsThatAreNotTaken(t *testing.T) {
	for _, text := range []string{"", strings.Repeat("x", maxText+1)} {
		if _, err := New(text); !errors.Is(err, ErrLength) {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
	if err := (Code{}).Terminal(&bytes.Buffer{}, false); err == nil || (Code{}).SVG() != nil {
		t.Error("a code without a text was drawn")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the terminal is gone") }

func TestWriteErrorsAreSaid(t *testing.T) {
	c := encode(t, link)
	for name, err := range map[string]error{
		"blocks": c.Terminal(full{}, false), "ascii": c.Terminal(full{}, true), "page": Page(full{}, PageData{URL: link}),
	} {
		if err == nil || !strings.Contains(err.Error(), "the terminal is gone") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, text := range samples {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := New(text)
		if (err == nil) != (len(text) >= 1 && len(text) <= maxText) {
			t.Fatalf("%d bytes: %v", len(text), err)
		}
		if err == nil && (c.Size() < 21 || c.Size()%4 != 1 || len(c.SVG()) == 0) {
			t.Fatalf("%d modules", c.Size())
		}
	})
}
