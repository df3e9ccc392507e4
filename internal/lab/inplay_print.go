package lab

import (
	"bytes"
	"fmt"
)

// print writes what came of the suspicions in games.
func (p *InPlay) print(b *bytes.Buffer) {
	fmt.Fprintf(b, "\nIN PLAY: %d games; what the boards said at the time, nothing is judged anew\n", p.Games)
	if len(p.Kinds) == 0 {
		b.WriteString("    no capture, castling or promotion was judged\n")
		return
	}
	fmt.Fprintf(b, "    %-34s %6s   %-30s %9s   %-24s %6s   %s\n", "", "judged", "like two hands, per 1,000", "expected", "told, per 1,000", "held", "confirmed, dismissed, not seen, undecided")
	much := false
	for _, part := range []struct {
		name string
		list []PlayLine
	}{{"", p.Kinds}, {"board ", p.Boards}, {"", remarkable(p.Players)}} {
		for _, l := range part.list {
			much = much || l.tooMany()
			l.print(b, part.name)
		}
		b.WriteString("\n")
	}
	if n := len(p.Players) - len(remarkable(p.Players)); n > 0 {
		fmt.Fprintf(b, "    of %d other players nothing looked like two hands\n", n)
	}
	for _, l := range p.Arbiters {
		fmt.Fprintf(b, "    decided by %-23s confirmed %d, dismissed %d, not seen %d\n", l.Name, l.Confirmed, l.Dismissed, l.NotSeen)
	}
	if much {
		b.WriteString("    ! more than twice as many as expected look like two hands, beyond chance: a habit, or a model that does not fit\n")
	}
}

// remarkable are those of whom there is something to say; a tournament has hundreds of players.
func remarkable(list []PlayLine) (out []PlayLine) {
	for _, l := range list {
		if l.Unusual.Count+l.Told.Count+l.Held > 0 {
			out = append(out, l)
		}
	}
	return out
}

func (l PlayLine) print(b *bytes.Buffer, what string) {
	mark := ""
	if l.tooMany() {
		mark = " !"
	}
	fmt.Fprintf(b, "    %-34s %6d   %-30s %9.1f   %-24s %6d   %d, %d, %d, %d\n", what+l.Name, l.Judged, l.Unusual.perMille()+mark, 1000*l.Expected,
		l.Told.perMille(), l.Held, l.Confirmed, l.Dismissed, l.NotSeen, l.Open)
}

// perMille is the count and the rate per 1,000 with its interval.
func (s Share) perMille() string {
	if s.Of == 0 {
		return fmt.Sprintf("%d", s.Count)
	}
	return fmt.Sprintf("%d: %.1f (%.1f to %.1f)", s.Count, 1000*s.Rate, 1000*s.Low, 1000*s.High)
}
