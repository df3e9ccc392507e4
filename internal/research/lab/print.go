package lab

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

// Print writes the report for people.
func (r Report) Print(w io.Writer) error {
	var b bytes.Buffer
	if r.Generated != "" {
		fmt.Fprintf(&b, "Generated hands: %s\n", r.Generated)
	}
	for _, l := range r.Recordings {
		l.print(&b)
	}
	for _, g := range r.Groups {
		g.print(&b)
	}
	if slices.ContainsFunc(r.Groups, func(g Group) bool { return g.At01.coarse() }) {
		b.WriteString("\n* so few one-handed cases do not know that rate: what was found at no false alarm at all\n")
	}
	if len(r.Warnings) > 0 {
		b.WriteString("\nTo be honest:\n")
		for _, text := range r.Warnings {
			fmt.Fprintf(&b, "  ! %s\n", text)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (l SensorLine) print(b *bytes.Buffer) {
	made := ""
	if l.Made != "" {
		made = " (" + l.Made + ")"
	}
	fmt.Fprintf(b, "%s%s\n  %d cards by %d people", l.Recording, made, l.Cards, l.People)
	if l.Void > 0 {
		fmt.Fprintf(b, ", %d void", l.Void)
	}
	if l.PeriodMS == 0 {
		b.WriteString("; scan unknown\n")
		return
	}
	word := "trusted"
	if !l.Trusted {
		word = "not trusted"
	}
	fmt.Fprintf(b, "; scan %.1f ms, order %s, R %.2f, jitter %.0f ms: %s\n", l.PeriodMS, l.Order, l.Fit, l.JitterMS, word)
	if v := l.Lever; v != nil {
		fmt.Fprintf(b, "  lever: told %.0f ms behind the placement in the middle of %d cards (%.0f to %.0f)\n", v.MiddleMS, v.Cards, v.LeastMS, v.MostMS)
	}
}

func (g Group) print(b *bytes.Buffer) {
	if g.Class != "all" {
		fmt.Fprintf(b, "\n  %s, %s: %d one-handed, %d two-handed, %d not judged; AUC %.3f\n", g.Kind, g.Class, g.One, g.Two, g.Silent, g.Area)
		g.printPoints(b)
		for _, l := range g.Families {
			fmt.Fprintf(b, "        %-26s found %-36s false alarms %s\n", "… advisory, "+l.Family, l.Found, l.False)
		}
		g.printEarned(b)
		printBins(b, fmt.Sprintf("stated as in a game: prior %s, ratio at most %s", percent(g.Prior), ratio(g.Cap)), g.FieldBins)
		return
	}
	title := strings.ToUpper(g.Kind)
	fmt.Fprintf(b, "\n%s: %d one-handed, %d two-handed, by %d people\n", title, g.One, g.Two, g.People)
	if g.Alike > 0 {
		fmt.Fprintf(b, "    and %d look-alikes that were dealt: lines of their own below, %s in the earned ratio, and nowhere else\n",
			g.Alike, percent(lookalikes[g.kind].weight))
	}
	fmt.Fprintf(b, "    not judged: %d%s\n", g.Silent, reasons(g.Abstained))
	fmt.Fprintf(b, "    AUC %.3f; found at a false alarm rate, and at the thresholds of the configuration\n", g.Area)
	g.printPoints(b)
	g.printEarned(b)
	how := "fitted to all; its bins are of people whom the fit has not seen"
	if !g.HeldOut {
		how = "as configured"
	}
	fmt.Fprintf(b, "    calibration: slope %.2f, offset %+.2f (%s); log loss %.3f, of always saying the share %.3f\n", g.Slope, g.Offset, how, g.Loss, g.BaseLoss)
	printBins(b, "is the ratio right? at the data's own share", g.Bins)
	printStyles(b, g.Styles)
}

func (g Group) printPoints(b *bytes.Buffer) {
	g.At1.print(b)
	g.At01.print(b)
	for _, p := range g.Over {
		p.print(b)
	}
}

func (g Group) printEarned(b *bytes.Buffer) {
	if g.Earned <= 1 {
		b.WriteString("    earned ratio: none; nothing may be claimed from these data\n")
		return
	}
	fmt.Fprintf(b, "    earned ratio: %s, at the %s threshold (lower bound of what is found / upper bound of the false alarms)\n", ratio(g.Earned), g.EarnedAt)
}

func (p Point) print(b *bytes.Buffer) {
	at := "above all of them"
	if p.Threshold != nil {
		at = fmt.Sprintf("LLR >= %.1f", *p.Threshold)
	}
	name := p.Name
	if p.coarse() {
		name += " *"
	}
	fmt.Fprintf(b, "      %-9s %-18s found %-36s false alarms %s\n", name, at, p.Found, p.False)
}

// coarse: a rate that so few one-handed cases cannot tell from none.
func (p Point) coarse() bool {
	return p.Name == "0.1 %" && p.False.Of < 1000 || p.Name == "1 %" && p.False.Of < 100
}

// String is the share with its interval.
func (s Share) String() string {
	return fmt.Sprintf("%s (%d of %d; %s to %s)", percent(s.Rate), s.Count, s.Of, percent(s.Low), percent(s.High))
}

func percent(v float64) string {
	switch {
	case v > 0 && v < 0.001:
		return fmt.Sprintf("%.3f %%", 100*v)
	case v > 0 && v < 0.01:
		return fmt.Sprintf("%.2f %%", 100*v)
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}

func ratio(v float64) string {
	switch {
	case v < 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func reasons(m map[string]int) string {
	if len(m) == 0 {
		return ""
	}
	var words []string
	for why := range m {
		words = append(words, why)
	}
	sort.Slice(words, func(i, j int) bool {
		if m[words[i]] != m[words[j]] {
			return m[words[i]] > m[words[j]]
		}
		return words[i] < words[j]
	})
	for i, why := range words {
		words[i] = fmt.Sprintf("%s %d", why, m[why])
	}
	return " (" + strings.Join(words, ", ") + ")"
}

func printBins(b *bytes.Buffer, title string, bins []Bin) {
	if len(bins) == 0 {
		return
	}
	fmt.Fprintf(b, "    %s\n      %10s %10s   %-22s %6s\n", title, "stated", "came true", "95 % interval", "cases")
	for _, x := range bins {
		remark := ""
		switch {
		case x.Bold:
			remark = "  too sure"
		case !x.Holds:
			remark = "  too shy"
		}
		fmt.Fprintf(b, "      %10s %10s   %-22s %6d%s\n", percent(x.Stated), percent(x.Observed), percent(x.Low)+" to "+percent(x.High), x.Cases, remark)
	}
}

func printStyles(b *bytes.Buffer, lines []StyleLine) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "    by style: share at the advisory threshold (one hand: false alarms; two: found)\n")
	for _, l := range lines {
		hand := "one"
		if l.Two {
			hand = "two"
		}
		fmt.Fprintf(b, "      %-3s %-19s %22s   of %d, %d not judged\n", hand, l.Style, l.Advisory.short(), l.Cases, l.Silent)
	}
}

// short is the rate; "never" where the configuration has no such threshold.
func (s *Share) short() string {
	if s == nil {
		return "never"
	}
	return percent(s.Rate)
}
