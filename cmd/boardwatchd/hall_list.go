package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"boardwatchd/internal/daemon"
	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/wire"
)

// list prints the operator's list of a running hall, or the members of one that does not run.
func (h *hallArgs) list(ctx context.Context) error {
	files := daemon.HallFiles(h.dir)
	if err := files.Exists(); err != nil {
		return fmt.Errorf("%w (looked in %s; -c FILE names the configuration of a hall elsewhere)", err, h.dir)
	}
	r, err := files.Members().Read()
	if err != nil {
		return err
	}
	none := len(r.Computers)+len(r.Invitations) == 0
	if none {
		fmt.Fprintf(h.env.out, "No computer is in the hall: %s\n", h.command("hall invite", "NAME"))
	}
	b, err := files.AskList(ctx, h.conf.Hall.Listen, h.conf.Hall.Cluster)
	if err != nil {
		if !none {
			fmt.Fprintln(h.env.out, "The hall is not running: these are in it, and how they are is not known.")
			h.members(&r)
		}
		return fmt.Errorf("the list of computers: %w; start boardwatchd hall (systemctl status boardwatchd-hall)", err)
	}
	var l roster.List
	if err := json.Unmarshal(b, &l); err != nil {
		return fmt.Errorf("the hall's list: %w", err)
	}
	for _, n := range l.Newcomers { // first, as on the page
		fmt.Fprintf(h.env.out, "new   %s  calls itself %q, since %s\n      -> %s, if it shows the same code; else %s\n", n.Code, n.Host, clockOf(n.AskedMS), h.command("hall accept", n.Code+" NAME"), h.command("hall refuse", n.Code))
	}
	for _, o := range l.Stranded {
		fmt.Fprintf(h.env.out, "bad   %-28s a decision waits that no board gets: %s\n      -> take it back on the page, under Computers, and decide again\n", o.Computer+" board "+o.Board, o.Finding)
	}
	for _, row := range l.Rows {
		if !none || !row.Own {
			h.printRow(&row)
		}
	}
	h.invitations(&r)
	return nil
}

// printRow prints a row of the list: its name, facts and problems.
func (h *hallArgs) printRow(r *roster.Row) {
	name := r.Computer
	if r.Board != "" {
		name = r.Computer + " board " + cmp.Or(r.Name, r.Board)
		if r.Table != "" && r.Table != r.Board {
			name += " (table " + r.Table + ")"
		}
	}
	fmt.Fprintf(h.env.out, "%-4s  %-28s %s\n", r.Level, name, strings.Join(facts(r), ", "))
	for _, p := range r.Problems {
		text := p.Text
		if p.Detail != "" {
			text += ": " + p.Detail
		}
		fmt.Fprintf(h.env.out, "      %s\n      -> %s\n", text, p.Do)
	}
}

// facts are a short form of a row's facts.
func facts(r *roster.Row) (list []string) {
	add := func(is bool, format string, a ...any) {
		if is {
			list = append(list, fmt.Sprintf(format, a...))
		}
	}
	add(r.Own, "this computer")
	add(!r.Here && r.SeenMS > 0, "last seen %s", clockOf(r.SeenMS))
	if r.Board == "" {
		add(r.Boards > 0, "%d boards", r.Boards)
		add(r.Version != "", "version %s", r.Version)
		add(r.Core != "", "core %s", r.Core)
		if r.AheadMS != nil && !r.Own {
			add(true, "clock %+.1f s", float64(*r.AheadMS)/1e3)
		}
		if r.FreeMB != nil {
			add(true, "%d MB free", *r.FreeMB)
		}
		return list
	}
	add(r.Link != "", "link %s", r.Link)
	add(r.Clock != "", "clock %s", r.Clock)
	add(r.ClockBattery != "", "clock's battery %s", r.ClockBattery)
	add(r.Battery != "", "board's battery %s", r.Battery)
	add(r.ScanMS > 0, "scan %d ms", r.ScanMS)
	add(r.Journal != "", "journal %s", r.Journal)
	add(r.LateS > 0, "stood still %.1f s", r.LateS)
	add(r.Serial != "", "no. %s", r.Serial)
	return list
}

// clockOf is a time of day for people.
func clockOf(ms int64) string {
	t := time.UnixMilli(ms)
	if time.Since(t) < 12*time.Hour {
		return t.Format("15:04:05")
	}
	return t.Format(time.DateTime)
}

// members prints the members of the hall.
func (h *hallArgs) members(r *members.Roll) {
	for _, c := range r.Computers {
		fmt.Fprintf(h.env.out, "%-20s joined %s\n", c.Name, c.Joined.Local().Format(time.DateTime))
	}
	for _, n := range r.Waiting(time.Now()) {
		fmt.Fprintf(h.env.out, "%-20s waits to be accepted, calls itself %q\n", wire.CodeOf(n.Key), n.Host)
	}
	h.invitations(r)
}

func (h *hallArgs) invitations(r *members.Roll) {
	for _, i := range r.Invitations {
		switch {
		case i.Used != "" || !i.Expires.After(time.Now()):
		case i.Many:
			fmt.Fprintf(h.env.out, "%-20s a token, until %s\n", "(any computer)", i.Expires.Local().Format(time.DateTime))
		default:
			fmt.Fprintf(h.env.out, "%-20s invited, until %s\n", i.Name, i.Expires.Local().Format(time.DateTime))
		}
	}
}

// answer changes the list of computers of an existing hall.
func (h *hallArgs) answer(change func(*members.Roll) error) error {
	files := daemon.HallFiles(h.dir)
	if err := files.Exists(); err != nil {
		return err
	}
	return files.Members().Change(change)
}

// accept admits a newcomer. The hall follows the list of computers, and need not run.
func (h *hallArgs) accept(code, name string) error {
	var in members.Computer
	err := h.answer(func(r *members.Roll) (err error) {
		in, err = r.Accept(code, name, time.Now())
		return err
	})
	var wrong wire.NameError
	switch {
	case errors.As(err, &wrong) && name == "":
		return usage("hall accept %s NAME: the computer has no name that can be its own here: %v", code, err)
	case err != nil:
		return fmt.Errorf("accept %s: %w", code, err)
	}
	fmt.Fprintf(h.env.out, "%s is accepted. It is in the hall when hall list says that it is there, some seconds from now if it runs.\n", in.Name)
	return nil
}

// refuse rejects a newcomer.
func (h *hallArgs) refuse(code string) error {
	err := h.answer(func(r *members.Roll) error { return r.Refuse(code, time.Now()) })
	if err != nil {
		return fmt.Errorf("refuse %s: %w", code, err)
	}
	fmt.Fprintf(h.env.out, "The computer with the code %s is refused.\n", code)
	return nil
}
