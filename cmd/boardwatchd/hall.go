package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/console"
	"boardwatchd/internal/daemon"
	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/qr"
	"boardwatchd/internal/secretfile"
)

var hallCommand = command{
	name: "hall", args: "[-c FILE] | invite NAME|--many [--address HOST[:PORT]]… [--out FILE] | list | accept CODE [NAME] | refuse CODE | revoke NAME | cluster DIRECTORY",
	words: []string{"invite", "list", "accept", "refuse", "revoke", "cluster"},
	brief: "many computers on one page: serve them; invite one, list all with what to do, cut one off (docs/hall.md)",
	example: "boardwatchd hall\n  boardwatchd hall invite table-7        (on the same computer; prints a token)\n" +
		"  boardwatchd join TOKEN                 (on the other computer, once; then run)",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		h := hallArgs{env: e}
		fs.StringVar(&h.file, "c", "", "the configuration of the hall; without it the defaults hold")
		fs.Var(&h.addresses, "address", "invite: where the other computer finds the hall, if not at this computer's addresses; may be given several times")
		fs.BoolVar(&h.many, "many", false, "invite: for any number of computers; each waits until it is accepted, on the page or by hall accept")
		fs.BoolVar(&h.replace, "replace", false, "invite: although a computer of that name is in the hall; it is out when the token is used")
		fs.StringVar(&h.out, "out", "", "invite: write the token into this file, which nobody else may read, for hall: {join: FILE}")
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if h.conf, err = loadConfig(h.file); err != nil {
			return err
		}
		if len(rest) == 0 {
			return h.serve(ctx)
		}
		if h.dir, err = stateDir(e, h.conf); err != nil {
			return err
		}
		return h.run(ctx, rest)
	},
}

var joinCommand = command{
	name: "join", args: "[-c FILE] [--replace] TOKEN | --address HOST:PORT", brief: "make this computer one of a hall, with the token that boardwatchd hall invite printed; then start run",
	example: "boardwatchd join bwh1.eyJuIjoidGFibGUtNyIs…\n  boardwatchd join --address 192.168.1.20:8162   (the hall has moved; this computer stays in it)",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		file := fs.String("c", "", "the configuration of run; it names the state directory")
		var moved list
		fs.Var(&moved, "address", "HOST:PORT: the hall of this computer has moved there; may be given several times")
		replace := fs.Bool("replace", false, "although this computer belongs to another hall, which it leaves, or has another name in this one")
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(moved) > 0 && len(rest) == 0 {
			return changeHallAddress(e, *file, moved)
		}
		if len(rest) != 1 || len(moved) > 0 {
			return usage("one token is needed, or the whole path of a file with it")
		}
		conf, dir, err := prepare(e, *file)
		if err != nil {
			return err
		}
		if conf.Hall.Join != "" && conf.Hall.Join != rest[0] {
			return usage("%w", daemon.ErrHallFixed)
		}
		was, _ := uplink.ReadMember(daemon.MemberFile(dir)) // on an error it is in none
		who, err := joinPatiently(ctx, e, dir, rest[0], *replace)
		if other := (*daemon.OtherHallError)(nil); errors.As(err, &other) {
			return fmt.Errorf("%w; if it shall: boardwatchd join --replace TOKEN", err)
		}
		if err != nil {
			return err
		}
		switch {
		case was.Hub == "":
		case was.Hub != who.Hub:
			fmt.Fprintf(e.out, "It has left the hall at %s; there: boardwatchd hall revoke %s.\n", was.Addresses[0], was.Computer)
		case was.Computer != who.Computer && *replace:
			fmt.Fprintf(e.out, "It was %s before; at the hall: boardwatchd hall revoke %s.\n", was.Computer, was.Computer)
		}
		fmt.Fprintf(e.out, "This computer is %s of the hall at %s. %s\n", who.Computer, who.Addresses[0], startAgain(*file))
		return nil
	},
}

// startAgain says how run learns what a command has changed in its state directory.
func startAgain(file string) string {
	if config.OfService(absolutePath(file)) {
		return "Start the service again: sudo systemctl restart boardwatchd."
	}
	return "Start boardwatchd run; if it runs already, start it again."
}

// changeHallAddress changes the address of the hall.
func changeHallAddress(e *env, file string, addresses []string) error {
	for _, a := range addresses {
		if _, _, err := net.SplitHostPort(a); err != nil {
			return usage("--address %s: it has to be HOST:PORT, as boardwatchd hall prints the port (8162 unless it was changed)", a)
		}
	}
	_, dir, err := prepare(e, file)
	if err != nil {
		return err
	}
	who, err := daemon.MoveHall(dir, addresses)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.out, "The hall of %s is at %s now. %s\n", who.Computer, strings.Join(who.Addresses, " or "), startAgain(file))
	return nil
}

// joinPatiently joins a hall, and waits if a person has to accept this computer.
func joinPatiently(ctx context.Context, e *env, dir, token string, replace bool) (uplink.Member, error) {
	told := false
	var asked uplink.Member
	for {
		if who, ok := daemon.JoinedAs(dir, asked); ok {
			return who, nil
		}
		who, err := daemon.JoinHall(ctx, dir, token, replace)
		var waits *uplink.WaitsError
		switch {
		case errors.Is(err, wire.ErrToken):
			return who, exit{statusUsage, err}
		case !errors.As(err, &waits):
			return who, err
		}
		asked = who
		if !told {
			told = true
			fmt.Fprintf(e.out, "This computer waits to be accepted at the hall. Its code is %s.\n", waits.Code)
		}
		select {
		case <-ctx.Done():
			return who, fmt.Errorf("%w; ask again with the same token", err)
		case <-time.After(askAgain):
		}
	}
}

// askAgain is how often a computer asks whether it was accepted.
const askAgain = 2 * time.Second

// hallArgs are the arguments of the command hall.
type hallArgs struct {
	*env
	file      string
	addresses list
	out       string
	many      bool
	replace   bool
	conf      config.Config
	dir       string
}

func (h *hallArgs) run(ctx context.Context, rest []string) error {
	word, rest := rest[0], rest[1:]
	for _, o := range hallWords {
		if o.word != word {
			continue
		}
		if len(rest) < o.least || len(rest) > o.most || (h.many && word == "invite") != (len(rest) == 0 && word == "invite") {
			return usage("hall %s", o.wants)
		}
		if slices.Contains(rest, "") { // an empty variable in a script
			return usage("hall %s: one is empty", o.wants)
		}
		err := o.do(ctx, h, append(rest, ""))
		if wrong := wire.NameError(""); errors.As(err, &wrong) {
			return exit{statusUsage, err}
		}
		return err
	}
	return usage("%q: hall is alone, or followed by invite NAME, list, accept CODE, refuse CODE, revoke NAME or cluster DIRECTORY", word)
}

// hallWords are the subcommands of hall. Their functions get the arguments, followed by an empty one.
var hallWords = []struct {
	word        string
	least, most int
	wants       string
	do          func(ctx context.Context, h *hallArgs, rest []string) error
}{
	{"invite", 0, 1, "invite NAME, like table-7; or hall invite --many", func(_ context.Context, h *hallArgs, rest []string) error { return h.invite(rest[0]) }},
	{"list", 0, 0, "list takes nothing more", func(ctx context.Context, h *hallArgs, _ []string) error { return h.list(ctx) }},
	{"accept", 1, 2, "accept CODE [NAME]: the code that hall list shows, and a name like table-7", func(_ context.Context, h *hallArgs, rest []string) error { return h.accept(rest[0], rest[1]) }},
	{"refuse", 1, 1, "refuse CODE: the code that hall list shows", func(_ context.Context, h *hallArgs, rest []string) error { return h.refuse(rest[0]) }},
	{"revoke", 1, 1, "revoke NAME: one name is needed, like table-7", func(_ context.Context, h *hallArgs, rest []string) error { return h.revoke(rest[0]) }},
	{"cluster", 1, 1, "cluster DIRECTORY: one directory is needed, for the files of the NATS servers", func(_ context.Context, h *hallArgs, rest []string) error { return h.cluster(rest[0]) }},
}

func (h *hallArgs) serve(ctx context.Context) (err error) {
	if h.dir, err = namedStateDir(h.env, h.conf); err != nil {
		return err
	}
	messages := console.NewScreen(h.err)
	defer messages.Close()
	out := console.NewScreen(h.env.out)
	defer out.Close()
	o := daemonOptions(h.env, h.conf, h.dir, out, logger(h.env, h.conf.Log, messages))
	o.Hub, o.File = true, absolutePath(h.file)
	return daemon.RunHall(ctx, o)
}

// invitedTo returns the addresses for a token.
func (h *hallArgs) invitedTo() (addresses []string, err error) {
	switch {
	case len(h.addresses) == 0 && len(h.conf.Hall.Cluster) > 0:
		return h.conf.Hall.Cluster, nil
	case len(h.addresses) == 0:
		return daemon.HallAddresses(h.conf.Hall.Listen), nil
	}
	_, port, err := net.SplitHostPort(h.conf.Hall.Listen)
	if err != nil {
		return nil, err
	}
	for _, a := range h.addresses {
		if _, _, err := net.SplitHostPort(a); err != nil {
			a = net.JoinHostPort(a, port)
		}
		addresses = append(addresses, a)
	}
	return addresses, nil
}

// command is a command about this hall, as a person has to type it.
func (h *hallArgs) command(verb, arguments string) string {
	return config.Typed(absolutePath(h.file), verb, arguments)
}

// joining is what has to be typed at the computer that is invited: where the hall is a service, it has the package too.
func (h *hallArgs) joining() string {
	if config.OfService(absolutePath(h.file)) {
		return config.Typed("/etc/boardwatchd/boardwatchd.yaml", "join", "TOKEN") + ", then sudo systemctl restart boardwatchd"
	}
	return "boardwatchd join TOKEN, then boardwatchd run"
}

// invite prints a token, or writes it into a file.
func (h *hallArgs) invite(name string) error {
	if err := mayReplace(h.out, aToken); err != nil {
		return err
	}
	addresses, err := h.invitedTo()
	if err != nil {
		return err
	}
	if err := daemon.HallFiles(h.dir).Exists(); errors.Is(err, hub.ErrNoHall) && h.file == "" {
		// A token of a new hall would be one that the hall of the service does not take.
		return fmt.Errorf("%w (looked in %s; -c FILE names the configuration of a hall elsewhere, as that of a service: /etc/boardwatchd/hall.yaml)", err, h.dir)
	}
	open := daemon.Invite
	if h.replace && !h.many {
		open = daemon.InviteInstead
	}
	token, err := open(h.dir, name, addresses)
	if errors.Is(err, members.ErrNameInUse) {
		return fmt.Errorf("%w; or, for a computer in its place: %s --replace", err, h.command("hall invite", name))
	}
	if err != nil {
		return err
	}
	if h.out != "" {
		if err := secretfile.Replace(h.out, []byte(token+"\n")); err != nil {
			return err
		}
		how := "the token for " + name + ". It is good once, for a day"
		if h.many {
			how = "a token. It is good for a day, for any number of computers; each waits until it is accepted"
		}
		fmt.Fprintf(h.env.out, "%s holds %s.\n", h.out, how)
		return nil
	}
	fmt.Fprintln(h.env.out, token)
	if h.quiet {
		return nil
	}
	if console.IsTerminal(h.env.out) {
		if picture, err := qr.New(token); err == nil {
			if err := picture.Terminal(h.err, !console.HasUTF8(h.getenv)); err != nil {
				return err
			}
		}
	}
	if h.many {
		fmt.Fprintf(h.err, "The token is good for a day, at %s, for any number of computers; each waits until it is accepted.\n", addresses[0])
		fmt.Fprintf(h.err, "On each: boardwatchd join TOKEN, or the token in %s. Then here: %s.\n", joinFile, h.command("hall list", ""))
		return nil
	}
	fmt.Fprintf(h.err, "The token is good once, for a day, at %s. On %s: %s.\n", addresses[0], name, h.joining())
	return nil
}

// cluster writes the files for NATS servers that the user runs.
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
	err := daemon.HallFiles(h.dir).Members().Change(func(r *members.Roll) error { return r.Revoke(name, time.Now()) })
	if errors.Is(err, os.ErrNotExist) {
		err = members.ErrUnknown // there is no hall here
	}
	if err != nil {
		return fmt.Errorf("revoke %s: %w", name, err)
	}
	fmt.Fprintf(h.env.out, "%s is not in the hall any more. What its boards wrote until now stays.\n", name)
	return nil
}
