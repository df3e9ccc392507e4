package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/console"
	"boardwatchd/internal/daemon"
	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/secretfile"
)

var hallCommand = command{
	name: "hall", args: "[-c FILE] | invite NAME [--address HOST[:PORT]]… [--out FILE] | list | revoke NAME | cluster DIRECTORY",
	words: []string{"invite", "list", "revoke", "cluster"},
	brief: "many computers on one page: serve them; invite one, list them, cut one off (docs/hall.md)",
	example: "boardwatchd hall\n  boardwatchd hall invite table-7        (on the same computer; prints a token)\n" +
		"  boardwatchd join TOKEN                 (on the other computer, once; then run)",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		h := hallArgs{env: e}
		fs.StringVar(&h.file, "c", "", "the configuration of the hall; without it the defaults hold")
		fs.Var(&h.addresses, "address", "invite: where the other computer finds the hall, if not at this computer's addresses; may be given several times")
		fs.StringVar(&h.out, "out", "", "invite: write the token into this file, which nobody else may read, for hall: {join: FILE}")
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if h.conf, err = loadConfig(h.file); err != nil {
			return err
		}
		if h.dir, err = stateDir(e, h.conf); err != nil {
			return err
		}
		return h.run(ctx, rest)
	},
}

var joinCommand = command{
	name: "join", args: "[-c FILE] TOKEN", brief: "make this computer one of a hall, with the token that boardwatchd hall invite printed; then start run",
	example: "boardwatchd join bwh1.eyJuIjoidGFibGUtNyIs…",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		file := fs.String("c", "", "the configuration of run; it names the state directory")
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(rest) != 1 {
			return usage("one token is needed, or the whole path of a file with it")
		}
		_, dir, err := prepare(e, *file)
		if err != nil {
			return err
		}
		who, err := daemon.JoinHall(ctx, dir, rest[0])
		if err != nil {
			return err
		}
		fmt.Fprintf(e.out, "This computer is %s of the hall at %s. Start boardwatchd run; if it runs already, start it again.\n", who.Computer, who.Addresses[0])
		return nil
	},
}

// hallArgs are the arguments of hall.
type hallArgs struct {
	*env
	file      string
	addresses list
	out       string
	conf      config.Config
	dir       string
}

func (h *hallArgs) run(ctx context.Context, rest []string) error {
	if len(rest) == 0 {
		return h.serve(ctx)
	}
	switch word := rest[0]; {
	case word == "invite" && len(rest) == 2:
		return h.invite(rest[1])
	case word == "revoke" && len(rest) == 2:
		return h.revoke(rest[1])
	case word == "list" && len(rest) == 1:
		return h.list()
	case word == "cluster" && len(rest) == 2:
		return h.cluster(rest[1])
	case word == "invite" || word == "revoke":
		return usage("hall %s NAME: one name is needed, like table-7", word)
	case word == "cluster":
		return usage("hall cluster DIRECTORY: one directory is needed, for the files of the NATS servers")
	default:
		return usage("%q: hall is alone, or followed by invite NAME, list, revoke NAME or cluster DIRECTORY", word)
	}
}

func (h *hallArgs) serve(ctx context.Context) error {
	messages := console.NewScreen(h.err)
	defer messages.Close()
	out := console.NewScreen(h.env.out)
	defer out.Close()
	o := daemonOptions(h.env, h.conf, h.dir, out, logger(h.env, h.conf.Log, messages))
	o.Hub = true
	return daemon.Open(o).RunHall(ctx)
}

// invite prints a token, or writes it into a file.
func (h *hallArgs) invite(name string) error {
	addresses := h.conf.Hall.Cluster
	if len(addresses) == 0 {
		addresses = daemon.HallAddresses(h.conf.Hall.Listen)
	}
	if len(h.addresses) > 0 {
		_, port, err := net.SplitHostPort(h.conf.Hall.Listen)
		if err != nil {
			return err
		}
		addresses = nil
		for _, a := range h.addresses {
			if _, _, err := net.SplitHostPort(a); err != nil {
				a = net.JoinHostPort(a, port)
			}
			addresses = append(addresses, a)
		}
	}
	token, err := daemon.Invite(h.dir, name, addresses)
	if err != nil {
		return err
	}
	if h.out != "" {
		if err := secretfile.Replace(h.out, []byte(token+"\n")); err != nil {
			return err
		}
		fmt.Fprintf(h.env.out, "%s holds the token for %s. It is good once, for a day.\n", h.out, name)
		return nil
	}
	fmt.Fprintln(h.env.out, token)
	if !h.quiet {
		fmt.Fprintf(h.err, "The token is good once, for a day, at %s. On %s: boardwatchd join TOKEN, then boardwatchd run.\n", addresses[0], name)
	}
	return nil
}

// cluster writes the files of NATS servers of one's own.
func (h *hallArgs) cluster(dir string) error {
	if len(h.conf.Hall.Cluster) == 0 {
		return usage("hall cluster: the configuration names no servers: hall: {cluster: [HOST:PORT, HOST:PORT, HOST:PORT]}")
	}
	confs, err := daemon.HallFiles(h.dir).WriteCluster(dir, h.conf.Hall.Cluster, time.Now())
	if err != nil {
		return err
	}
	for i, c := range confs {
		fmt.Fprintf(h.env.out, "%-22s nats-server -c %s\n", h.conf.Hall.Cluster[i], c)
	}
	if !h.quiet {
		fmt.Fprintf(h.err, "Copy %s to each of them, where nobody else may read it, and start the server in it. Then start boardwatchd hall.\n", dir)
	}
	return nil
}

func (h *hallArgs) revoke(name string) error {
	err := daemon.HallFiles(h.dir).Members().Change(func(r *members.Roll) error { return r.Revoke(name) })
	if errors.Is(err, os.ErrNotExist) {
		err = members.ErrUnknown // there is no hall here
	}
	if err != nil {
		return fmt.Errorf("revoke %s: %w", name, err)
	}
	fmt.Fprintf(h.env.out, "%s is not in the hall any more. What its boards wrote until now stays.\n", name)
	return nil
}

func (h *hallArgs) list() error {
	r, err := daemon.HallFiles(h.dir).Members().Read()
	if err != nil {
		return err
	}
	for _, c := range r.Computers {
		fmt.Fprintf(h.env.out, "%-20s joined %s\n", c.Name, c.Joined.Local().Format(time.DateTime))
	}
	for _, i := range r.Invitations {
		if i.Used == "" && i.Expires.After(time.Now()) {
			fmt.Fprintf(h.env.out, "%-20s invited, until %s\n", i.Name, i.Expires.Local().Format(time.DateTime))
		}
	}
	if len(r.Computers)+len(r.Invitations) == 0 {
		fmt.Fprintln(h.env.out, "No computer is in the hall: boardwatchd hall invite NAME")
	}
	return nil
}
