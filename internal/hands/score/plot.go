package score

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Plot is a diagram with two axes, written as one SVG file that needs nothing else: no script, no font, no network. Its
// colours follow the reader's scheme, light or dark; the series differ by dashes and marks too, for whoever sees no
// colours or prints in grey.
type Plot struct {
	Title  string // also for screen readers
	Desc   string // what is to be seen, in some sentences, for screen readers and as the caption; each line begins a row of it
	X, Y   Axis
	Series []Series
}

// Axis runs from Lo to Hi, on a logarithmic scale by decades if Log. Both are shares, and labelled in per cent.
type Axis struct {
	Label  string
	Lo, Hi float64
	Log    bool
}

// Series is a line, marks with their intervals, or both.
type Series struct {
	Name  string // in the legend; none if empty
	Line  []XY
	Marks []Mark
	Faint bool // for orientation only, such as a diagonal
}

// XY is a point.
type XY struct{ X, Y float64 }

// Mark is a point with an interval in Y; no bar where From and To are equal.
type Mark struct{ X, Y, From, To float64 }

// The sheet, in pixels.
const (
	sheetWidth  = 720
	plotLeft    = 92
	plotRight   = 688
	plotTop     = 56
	plotBottom  = 440
	legendTop   = 516
	legendStep  = 24
	captionStep = 20
	captionRow  = 92 // characters
)

const style = `
svg{font:15px system-ui,sans-serif;background:#fff;color:#1b1b1b}
text{fill:currentColor}
.title{font-size:18px;font-weight:600}.caption{font-size:14px}
.frame,.bar,.line,.mark{fill:none;stroke:currentColor}
.frame{stroke-width:1}.grid{stroke:currentColor;stroke-opacity:.18;stroke-width:1}
.line{stroke-width:2.2}.bar{stroke-width:1.6}.mark{stroke-width:2}
.faint{stroke-width:1.2;stroke-dasharray:2 4;stroke-opacity:.75}
.s0{color:#0b5394}.s1{color:#a33c00}.s2{color:#2f6f2f}.s3{color:#7a2a86}.s4{color:#5c5c00}.s5{color:#444}
@media (prefers-color-scheme:dark){
svg{background:#16181b;color:#ececec}
.s0{color:#7db7f2}.s1{color:#f2a06b}.s2{color:#86cf86}.s3{color:#d79be0}.s4{color:#d4d46a}.s5{color:#bbb}}
`

const styles = 6

// dashes tell the series apart without colours.
var dashes = [styles]string{"", "10 5", "3 4", "14 4 3 4", "6 3", "12 3 3 3 3 3"}

// Write writes the SVG.
func (p Plot) Write(w io.Writer) error {
	var b bytes.Buffer
	caption := wrapped(p.Desc, captionRow)
	named := 0
	for _, s := range p.Series {
		if s.Name != "" {
			named++
		}
	}
	height := legendTop + named*legendStep + len(caption)*captionStep + 12
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title desc">`+"\n", sheetWidth, height)
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n<style>%s</style>\n", text(p.Title), text(p.Desc), style)
	fmt.Fprintf(&b, "<text class=\"title\" x=\"%d\" y=\"30\">%s</text>\n", plotLeft, text(p.Title))
	p.axes(&b)
	row := 0
	for i, s := range p.Series {
		p.draw(&b, s, i%styles)
		if s.Name != "" {
			legend(&b, s, i%styles, legendTop+row*legendStep)
			row++
		}
	}
	for i, line := range caption {
		fmt.Fprintf(&b, "<text class=\"caption\" x=\"20\" y=\"%d\">%s</text>\n", legendTop+named*legendStep+10+i*captionStep, text(line))
	}
	b.WriteString("</svg>\n")
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write plot: %w", err)
	}
	return nil
}

// axes draws the frame, the grid and the labels.
func (p Plot) axes(b *bytes.Buffer) {
	for _, v := range p.X.ticks() {
		x := p.x(v)
		fmt.Fprintf(b, `<path class="grid" d="M%s %dV%d"/><text x="%s" y="%d" text-anchor="middle">%s</text>`+"\n",
			number(x), plotTop, plotBottom, number(x), plotBottom+22, percent(v))
	}
	for _, v := range p.Y.ticks() {
		y := p.y(v)
		fmt.Fprintf(b, `<path class="grid" d="M%d %sH%d"/><text x="%d" y="%s" text-anchor="end">%s</text>`+"\n",
			plotLeft, number(y), plotRight, plotLeft-8, number(y+5), percent(v))
	}
	fmt.Fprintf(b, `<rect class="frame" x="%d" y="%d" width="%d" height="%d"/>`+"\n", plotLeft, plotTop, plotRight-plotLeft, plotBottom-plotTop)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", (plotLeft+plotRight)/2, plotBottom+50, text(p.X.Label))
	middle := (plotTop + plotBottom) / 2
	fmt.Fprintf(b, `<text transform="translate(24 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", middle, text(p.Y.Label))
}

// draw draws one series.
func (p Plot) draw(b *bytes.Buffer, s Series, n int) {
	fmt.Fprintf(b, `<g class="s%d">`, n)
	if len(s.Line) > 0 {
		b.WriteString(`<path class="line`)
		if s.Faint {
			b.WriteString(` faint"`)
		} else {
			fmt.Fprintf(b, `" stroke-dasharray="%s"`, dashes[n])
		}
		b.WriteString(` d="`)
		for i, v := range s.Line {
			b.WriteByte("ML"[min(i, 1)])
			fmt.Fprintf(b, "%s %s", number(p.x(v.X)), number(p.y(v.Y)))
		}
		b.WriteString(`"/>`)
	}
	for _, m := range s.Marks {
		x := p.x(m.X)
		if m.From != m.To {
			fmt.Fprintf(b, `<path class="bar" d="M%s %sV%sm-5 0h10M%s %sh10"/>`,
				number(x), number(p.y(m.From)), number(p.y(m.To)), number(x-5), number(p.y(m.From)))
		}
		mark(b, n, x, p.y(m.Y))
	}
	b.WriteString("</g>\n")
}

// mark draws a sign that differs from series to series.
func mark(b *bytes.Buffer, n int, x, y float64) {
	shapes := [styles]string{"m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", "m-5-5h10v10h-10z", "m0-6l6 11h-12z", "m0-6l6 6l-6 6l-6-6z", "m-5-5l10 10m0-10l-10 10", "m-6 0h12m-6-6v12"}
	fmt.Fprintf(b, `<path class="mark" d="M%s %s%s"/>`, number(x), number(y), shapes[n])
}

func legend(b *bytes.Buffer, s Series, n, y int) {
	fmt.Fprintf(b, `<g class="s%d">`, n)
	switch {
	case s.Faint:
		fmt.Fprintf(b, `<path class="line faint" d="M20 %dh52"/>`, y-5)
	case len(s.Line) > 0:
		fmt.Fprintf(b, `<path class="line" stroke-dasharray="%s" d="M20 %dh52"/>`, dashes[n], y-5)
	}
	if len(s.Marks) > 0 {
		mark(b, n, 46, float64(y-5))
	}
	fmt.Fprintf(b, "</g><text x=\"84\" y=\"%d\">%s</text>\n", y, text(s.Name))
}

func (p Plot) x(v float64) float64 { return plotLeft + p.X.part(v)*(plotRight-plotLeft) }
func (p Plot) y(v float64) float64 { return plotBottom - p.Y.part(v)*(plotBottom-plotTop) }

// part is where a value lies between the ends, 0 to 1; what lies beyond is drawn at the end.
func (a Axis) part(v float64) float64 {
	lo, hi := a.Lo, a.Hi
	if a.Log {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(max(v, a.Lo))
	}
	part := (v - lo) / (hi - lo)
	if math.IsNaN(part) {
		return 0
	}
	return min(max(part, 0), 1)
}

func (a Axis) ticks() (at []float64) {
	if a.Log {
		for d := math.Ceil(math.Log10(a.Lo) - 1e-9); d <= math.Log10(a.Hi)+1e-9; d++ {
			at = append(at, math.Pow(10, d))
		}
		return at
	}
	for i := range 6 {
		at = append(at, a.Lo+float64(i)*(a.Hi-a.Lo)/5)
	}
	return at
}

func percent(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e4, 'f', -1, 64) + " %" }

func number(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

func text(s string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return "" // not reached: a buffer takes everything
	}
	return b.String()
}

// wrapped cuts a text into rows at its spaces.
func wrapped(s string, width int) (rows []string) {
	if first, rest, more := strings.Cut(s, "\n"); more {
		return append(wrapped(first, width), wrapped(rest, width)...)
	}
	row := ""
	for _, word := range bytes.Fields([]byte(s)) {
		if row != "" && len(row)+1+len(word) > width {
			rows, row = append(rows, row), ""
		}
		if row != "" {
			row += " "
		}
		row += string(word)
	}
	if row != "" {
		rows = append(rows, row)
	}
	return rows
}
