package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"

	"boardwatchd/internal/link"
)

var portsCommand = command{
	name: "ports", args: "[--ask]", brief: "the serial ports that are plugged in, and which of them a DGT board answers on",
	example: "boardwatchd ports --ask",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		ask := fs.Bool("ask", false, "ask the likely ports who is there (sends harmless requests)")
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return usage("%q: ports takes flags only", rest[0])
		}
		ports, err := link.System{}.Ports()
		if err != nil {
			return err
		}
		if len(ports) == 0 {
			fmt.Fprintln(e.out, "no serial port is plugged in; boardwatchd simulate needs none")
			return nil
		}
		w := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "PORT\tUSB\tDRIVER\tPRODUCT\tSTABLE NAME\tREMARK")
		for _, p := range ports {
			remark := portRemark(ctx, p, *ask)
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", p.Path, usb(p.Device), dash(p.Driver), dash(p.Product), dash(p.ByPath), remark)
		}
		return w.Flush()
	},
}

func portRemark(ctx context.Context, p link.Candidate, ask bool) string {
	switch {
	case p.Denied:
		return "this user may not open it: sudo usermod -aG dialout $USER, then log in again"
	case len(p.Users) > 0:
		return "open in " + strings.Join(p.Users, ", ")
	case !p.Likely:
		return "not a board by its USB numbers"
	case !ask:
		return "may be a board; --ask tells"
	}
	id, err := link.Identify(ctx, p.Path, 0)
	if err != nil {
		return "no board: " + err.Error()
	}
	return "DGT board " + id.Serial
}

func usb(d link.Device) string {
	if d.VID == "" {
		return "-"
	}
	return d.VID + ":" + d.PID
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
