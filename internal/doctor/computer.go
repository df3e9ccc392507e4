package doctor

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/config"
	"boardwatchd/internal/disk"
	"boardwatchd/internal/link"
)

// Computer holds the sources of the checks. ThisComputer fills it; tests put a tree of files under Root and use
// functions of their own.
type Computer struct {
	Root       string // of the files of the system; empty: this computer's
	Getenv     func(string) string
	Now        func() time.Time
	UID, PID   int
	Hostname   func() (string, error)
	Disk       func(dir string) (Disk, error)
	Writable   func(dir string) error
	Synced     func() (bool, error) // the kernel's status of the wall clock
	Ports      func() ([]link.Candidate, error)
	Interfaces func() ([]Interface, error)
	Listen     func(ctx context.Context, address string) (io.Closer, error)
	Dial       func(ctx context.Context, address string) error
	Get        func(ctx context.Context, url string) (status int, body []byte, err error)
	Lookup     func(ctx context.Context, host string) ([]string, error)
	Run        func(ctx context.Context, name string, args ...string) (string, error) // a program that only reports
	Hall       func(ctx context.Context, dir string, c config.Hall) ([]byte, error)   // the list of the hall that runs in a directory
}

// Disk is a file system's own description.
type Disk struct {
	Kind     int64 // magic number of the kernel
	Free     int64 // bytes for this user
	ReadOnly bool
}

// Interface is a network interface.
type Interface struct {
	Name     string
	Up       bool
	Loopback bool
	Wireless bool
	Hardware bool // has a device, or is a bridge or bond of such interfaces
	Addrs    []net.IP
}

// patience is the time limit for a network or a program.
const patience = 3 * time.Second

// ThisComputer returns the sources of the real computer.
func ThisComputer() Computer {
	return Computer{
		Getenv: os.Getenv, Now: time.Now, UID: os.Geteuid(), PID: os.Getpid(), Hostname: os.Hostname,
		Disk: fileSystem, Writable: writable, Synced: synced, Ports: link.System{}.Ports, Interfaces: interfaces,
		Listen: listen, Dial: dial, Get: get, Lookup: net.DefaultResolver.LookupHost, Run: ask, Hall: askHall,
	}
}

func fileSystem(dir string) (Disk, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return Disk{}, err
	}
	return Disk{Kind: int64(uint32(s.Type)), Free: int64(s.Bavail) * int64(s.Bsize), ReadOnly: s.Flags&unix.ST_RDONLY != 0}, nil
}

func writable(dir string) error {
	if err := unix.Faccessat(unix.AT_FDCWD, dir, unix.R_OK|unix.W_OK|unix.X_OK, unix.AT_EACCESS); err != nil {
		return err
	}
	return disk.Takes(dir)
}

// synced asks the kernel, which gets the status from every time service: chrony, ntpd, timesyncd.
func synced() (bool, error) {
	var t unix.Timex
	state, err := unix.Adjtimex(&t)
	return state != unix.TIME_ERROR && t.Status&unix.STA_UNSYNC == 0, err
}

func interfaces() ([]Interface, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	there := func(name, what string) bool {
		_, err := os.Stat(filepath.Join("/sys/class/net", name, what))
		return err == nil
	}
	var list []Interface
	for _, n := range all {
		i := Interface{
			Name: n.Name, Up: n.Flags&net.FlagUp != 0 && n.Flags&net.FlagRunning != 0, Loopback: n.Flags&net.FlagLoopback != 0,
			Wireless: there(n.Name, "wireless") || there(n.Name, "phy80211"),
			Hardware: there(n.Name, "device") || there(n.Name, "bonding"),
		}
		ports, _ := filepath.Glob("/sys/class/net/" + n.Name + "/brif/*/../device") // a bridge with a real port
		lower, _ := filepath.Glob("/sys/class/net/" + n.Name + "/lower_*/device")   // a VLAN of a real device
		i.Hardware = i.Hardware || len(ports)+len(lower) > 0
		addrs, err := n.Addrs()
		if err != nil {
			continue // removed since the list was made
		}
		for _, a := range addrs {
			if ip, ok := a.(*net.IPNet); ok {
				i.Addrs = append(i.Addrs, ip.IP)
			}
		}
		list = append(list, i)
	}
	return list, nil
}

func listen(ctx context.Context, address string) (io.Closer, error) {
	return (&net.ListenConfig{}).Listen(ctx, "tcp", address)
}

func dial(ctx context.Context, address string) error {
	d := net.Dialer{Timeout: patience}
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return conn.Close()
}

// get follows no redirection and does not check the certificate of the program's own page: only an answer counts.
func get(ctx context.Context, url string) (status int, body []byte, err error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	transport := &http.Transport{DisableKeepAlives: true}
	client := http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close() // read only: nothing to lose
	body, err = io.ReadAll(io.LimitReader(res.Body, 1<<20))
	return res.StatusCode, body, err
}

func ask(ctx context.Context, name string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "LC_ALL=C", "PATH="+os.Getenv("PATH")+":/usr/sbin:/sbin")
	out, err := cmd.Output()
	return string(out), err
}

// path returns the path of a file of the system.
func (c Computer) path(name string) string { return strings.TrimSuffix(c.Root, "/") + name }

// read returns the trimmed content of a small file of the system, or "".
func (c Computer) read(name string) string {
	f, err := os.Open(c.path(name))
	if err != nil {
		return ""
	}
	defer f.Close() // read only: nothing to lose
	b, _ := io.ReadAll(io.LimitReader(f, 1<<20))
	return strings.TrimSpace(string(b))
}

func (c Computer) there(name string) bool {
	_, err := os.Stat(c.path(name))
	return err == nil
}

func (c Computer) glob(pattern string) []string {
	found, _ := filepath.Glob(c.path(pattern))
	for i := range found {
		found[i] = strings.TrimPrefix(found[i], strings.TrimSuffix(c.Root, "/"))
	}
	return found
}

// process is a running program.
type process struct {
	pid  int
	name string
}

// processes returns the processes that have one of the names, as shortened by the kernel.
func (c Computer) processes(names ...string) []process {
	var all []process
	for _, file := range c.glob("/proc/[0-9]*/comm") {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || pid == c.PID {
			continue
		}
		comm := printable(c.read(file))
		for _, n := range names {
			if comm == n[:min(len(n), 15)] {
				all = append(all, process{pid, comm})
			}
		}
	}
	return all
}

// name returns the name of a process.
func (c Computer) name(pid string) string { return printable(c.read("/proc/" + pid + "/comm")) }

func (c Computer) running(name string) bool { return len(c.processes(name)) > 0 }

// printable removes control characters from foreign names.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return -1
		}
		return r
	}, s)
}

// why returns an error without the address and the operation that the line itself names.
func why(err error) string {
	var op *net.OpError
	var dns *net.DNSError
	var asked *url.Error
	if errors.As(err, &asked) {
		err = asked.Err
	}
	switch {
	case errors.As(err, &dns):
		return dns.Err
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer within " + patience.String()
	case errors.As(err, &op):
		err = op.Err
	}
	var sys *os.SyscallError
	if errors.As(err, &sys) {
		err = sys.Err
	}
	return err.Error()
}
