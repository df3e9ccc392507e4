package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/link"
)

var today = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

type closer struct{}

func (closer) Close() error { return nil }

// goodComputer returns a computer without problems: a Raspberry Pi in a hall, the daemon not started yet.
func goodComputer(t testing.TB) (*Computer, *Subject) {
	t.Helper()
	c := &Computer{
		Root: t.TempDir(), UID: 1000, PID: 1, Now: func() time.Time { return today },
		Getenv:   func(string) string { return "" },
		Hostname: func() (string, error) { return "Boards", nil },
		Disk:     func(string) (Disk, error) { return Disk{Kind: 0xef53, Free: 20 << 30}, nil },
		Writable: func(string) error { return nil },
		Synced:   func() (bool, error) { return true, nil },
		Ports: func() ([]link.Candidate, error) {
			return []link.Candidate{{Device: link.Device{Path: "/dev/ttyUSB0", Product: "DGT Board", LatencyMS: 1}, Likely: true}}, nil
		},
		Interfaces: func() ([]Interface, error) {
			return []Interface{
				{Name: "lo", Up: true, Loopback: true, Addrs: ips("127.0.0.1", "::1")},
				{Name: "docker0", Up: true, Addrs: ips("172.17.0.1")},
				{Name: "eth1", Hardware: true, Addrs: ips("10.9.9.9")},
				{Name: "wlan0", Up: true, Hardware: true, Wireless: true, Addrs: ips("192.168.1.10", "fe80::1")},
			}, nil
		},
		Listen: func(context.Context, string) (io.Closer, error) { return closer{}, nil },
		Dial:   func(context.Context, string) error { return nil },
		Get:    func(context.Context, string) (int, []byte, error) { return 200, nil, nil },
		Lookup: func(context.Context, string) ([]string, error) { return []string{"192.168.1.10"}, nil },
		Run: func(_ context.Context, name string, _ ...string) (string, error) {
			if name != "systemctl" {
				return "", errors.New("not installed")
			}
			return "LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nWatchdogUSec=10s\nMemoryMax=201326592\nUser=boardwatchd\nDynamicUser=yes\n", nil
		},
	}
	s := &Subject{Config: config.Default()}
	s.Config.StateDir = "/var/lib/games"
	for name, text := range map[string]string{
		"/var/lib/games/x": "", "/run/systemd/system/x": "", "/etc/udev/rules.d/99-boardwatchd.rules": "", "/proc/200/comm": "avahi-daemon\n",
		"/sys/class/rtc/rtc0/since_epoch": fmt.Sprint(today.Unix() + 2),
	} {
		write(t, c, name, text)
	}
	return c, s
}

func ips(list ...string) (all []net.IP) {
	for _, s := range list {
		all = append(all, net.ParseIP(s))
	}
	return all
}

func write(t testing.TB, c *Computer, name, text string) {
	t.Helper()
	path := c.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestNothingIsWrongWithAGoodComputer(t *testing.T) {
	c, s := goodComputer(t)
	lines := Examine(t.Context(), *c, *s)
	seen := map[string]bool{}
	for _, l := range lines {
		seen[l.Check] = true
		if l.Level != OK {
			t.Errorf("%s: %s: %s", l.Check, l.Level, l.Text)
		}
	}
	for _, check := range checks {
		if !seen[check.name] {
			t.Errorf("%s says nothing", check.name)
		}
	}
}

// change introduces a problem of the computer.
type change func(t *testing.T, c *Computer, s *Subject)

func file(name, text string) change {
	return func(t *testing.T, c *Computer, _ *Subject) { write(t, c, name, text) }
}

func without(name string) change {
	return func(t *testing.T, c *Computer, _ *Subject) {
		if err := os.RemoveAll(c.path(name)); err != nil {
			t.Fatal(err)
		}
	}
}

func conf(f func(*config.Config)) change {
	return func(_ *testing.T, _ *Computer, s *Subject) { f(&s.Config) }
}

func machine(f func(*Computer)) change {
	return func(_ *testing.T, c *Computer, _ *Subject) { f(c) }
}

func both(all ...change) change {
	return func(t *testing.T, c *Computer, s *Subject) {
		for _, f := range all {
			f(t, c, s)
		}
	}
}

func ports(p ...link.Candidate) change {
	return machine(func(c *Computer) { c.Ports = func() ([]link.Candidate, error) { return p, nil } })
}

func listening(err error) change {
	return machine(func(c *Computer) {
		c.Listen = func(context.Context, string) (io.Closer, error) {
			return nil, fmt.Errorf("listen tcp :8160: bind: %w", err)
		}
	})
}

func getting(status int, body string, err error) change {
	return machine(func(c *Computer) {
		c.Get = func(context.Context, string) (int, []byte, error) { return status, []byte(body), err }
	})
}

// metrics simulates the metrics of a running boardwatchd.
func metrics(text string) change {
	return machine(func(c *Computer) {
		c.Listen = func(context.Context, string) (io.Closer, error) { return nil, syscall.EADDRINUSE }
		c.Get = func(_ context.Context, url string) (int, []byte, error) {
			if strings.HasSuffix(url, "/metrics") {
				return 200, []byte(text), nil
			}
			return 200, []byte(`{"status":"ok","boards":2}`), nil
		}
	})
}

func running(said string) change {
	return machine(func(c *Computer) {
		c.Run = func(context.Context, string, ...string) (string, error) { return said, nil }
	})
}

func networks(list ...Interface) change {
	return machine(func(c *Computer) { c.Interfaces = func() ([]Interface, error) { return list, nil } })
}

func channel(ch config.Channel) change {
	return conf(func(c *config.Config) { c.Alerts.Channels = append(c.Alerts.Channels, ch) })
}

func lichess(token string) change {
	return conf(func(c *config.Config) {
		c.Broadcast.Lichess = config.Lichess{Server: "https://lichess.org", Round: "AbCd1234", TokenFile: token}
	})
}

func disks(d Disk) change {
	return machine(func(c *Computer) { c.Disk = func(string) (Disk, error) { return d, nil } })
}

const tcpTable = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
	"   0: 00000000:1FE0 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000000000000000 100 0 0 10 0\n"

// holding simulates process 77 listening on port 8160.
func holding(comm string) change {
	return both(file("/proc/net/tcp", tcpTable), file("/proc/77/comm", comm+"\n"), func(t *testing.T, c *Computer, _ *Subject) {
		if err := os.MkdirAll(c.path("/proc/77/fd"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("socket:[4711]", c.path("/proc/77/fd/5")); err != nil {
			t.Fatal(err)
		}
	})
}

// locked simulates process 55 holding the lock of a journal.
func locked(t *testing.T, c *Computer, _ *Subject) {
	write(t, c, "/var/lib/games/board-1.lock", "55\n")
	write(t, c, "/proc/55/comm", "boardwatchd\n")
	write(t, c, "/proc/54/comm", "boardwatchd\n")
	info, err := os.Stat(c.path("/var/lib/games/board-1.lock"))
	if err != nil {
		t.Fatal(err)
	}
	inode := info.Sys().(*syscall.Stat_t).Ino
	list := fmt.Sprintf("1: FLOCK  ADVISORY  WRITE 55 fe:01:%d 0 EOF\n2: POSIX  ADVISORY  READ 9 fe:01:1 0 0\n", inode)
	list += fmt.Sprintf("3: FLOCK  ADVISORY  WRITE 54 00:02:%d 0 EOF\n", inode) // another file of that number, on another disk
	write(t, c, "/proc/locks", list)
}

var board = link.Device{Path: "/dev/ttyUSB0", LatencyMS: 1}

var findings = []struct {
	claim  string
	wrong  change
	check  string
	level  Level
	text   string
	remedy string
}{
	{"a wrong configuration", func(_ *testing.T, _ *Computer, s *Subject) {
		s.File = "b.yaml"
		s.Problem = config.Problems{{File: "b.yaml", Line: 3, Column: 5, Text: "unknown key"}}
	}, "config", Fail, "b.yaml:3:5: unknown key", "check-config b.yaml"},

	{"a state directory of somebody else", machine(func(c *Computer) { c.Writable = func(string) error { return syscall.EACCES } }), "state", Fail, "/var/lib/games cannot be written: permission denied", "state_dir"},
	{"a disk that the kernel has stopped", machine(func(c *Computer) { c.Writable = func(string) error { return syscall.EROFS } }), "state", Fail, "/var/lib/games takes no file: the disk can only be read", "do not restart"},
	{"a disk without room for a file", machine(func(c *Computer) { c.Writable = func(string) error { return syscall.ENOSPC } }), "state", Fail, "/var/lib/games takes no file: the disk is full", "delete"},
	{"a file for a directory", both(without("/var/lib/games"), file("/var/lib/games", "")), "state", Fail, "is not a directory", "state_dir"},
	{"no state directory at all", conf(func(c *config.Config) { c.StateDir = "" }), "state", Fail, "no state directory", "state_dir"},
	{"a directory that is not there yet", without("/var/lib/games"), "state", OK, "made at the first start", ""},
	{"a journal in memory", disks(Disk{Kind: 0x01021994, Free: 20 << 30}), "state", Warn, "tmpfs", "on a disk"},
	{"a journal on a share", disks(Disk{Kind: 0xfe534d42, Free: 20 << 30}), "state", Warn, "on another computer", "on a disk"},
	{"a card that went read-only", disks(Disk{Free: 20 << 30, ReadOnly: true}), "state", Fail, "read-only", "remount"},
	{"a full disk", disks(Disk{Free: 10 << 20}), "state", Fail, "only 10 MB are free", "delete"},
	{"a disk that gets full", disks(Disk{Free: 500 << 20}), "state", Warn, "500 MB are free", "delete"},
	{"a daemon that is at work", locked, "state", OK, "process 55 (boardwatchd) is writing 1 of the journals", "kill 55"},

	{"no cable", ports(), "boards", Warn, "no serial port is plugged in", "carries data"},
	{"ports that are no boards", ports(link.Candidate{Device: board}), "boards", Warn, "none of the 1 serial ports", "ports --ask"},
	{"a port without the right", ports(link.Candidate{Device: board, Likely: true, Denied: true}), "boards", Fail, "may not open", "usermod -aG dialout"},
	{"a port that ModemManager has", ports(link.Candidate{Device: board, Likely: true, Users: []string{"ModemManager (process 7)"}}), "boards", Fail, "open in ModemManager (process 7)", "99-boardwatchd.rules"},
	{"a port that the daemon has", ports(link.Candidate{Device: board, Likely: true, Users: []string{"boardwatchd (process 7)"}}), "boards", OK, "a running boardwatchd has it", ""},
	{"a slow driver", ports(link.Candidate{Device: link.Device{Path: "/dev/ttyUSB0", LatencyMS: 16}, Likely: true}), "boards", Warn, "16 ms", "udev"},
	{"a board that is not plugged in", conf(func(c *config.Config) { c.Boards = []config.Board{config.NewBoard("one", "/dev/ttyUSB7")} }), "boards", Fail, "one: its port /dev/ttyUSB7 is not there", "boardwatchd ports"},
	{"a configured port without the numbers of a board", both(ports(link.Candidate{Device: board}), conf(func(c *config.Config) { c.Boards = []config.Board{config.NewBoard("one", "/dev/ttyUSB0")} })), "boards", OK, "/dev/ttyUSB0 can be opened", ""},
	{"brltty without the rule", both(without("/etc/udev/rules.d"), file("/proc/300/comm", "brltty\n")), "boards", Warn, "brltty (process 300) is running", "systemctl disable --now brltty"},
	{"power saving", func(t *testing.T, c *Computer, _ *Subject) {
		write(t, c, "/sys/devices/usb1/1-1/idVendor", "0403")
		write(t, c, "/sys/devices/usb1/1-1/power/control", "auto")
		write(t, c, "/sys/devices/usb1/1-1/1-1:1.0/ttyUSB0/x", "")
		if err := os.MkdirAll(c.path("/sys/class/tty/ttyUSB0"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(c.path("/sys/devices/usb1/1-1/1-1:1.0/ttyUSB0"), c.path("/sys/class/tty/ttyUSB0/device")); err != nil {
			t.Fatal(err)
		}
	}, "boards", Warn, "power saving", "udev"},

	{"a clock that starts at 1970", machine(func(c *Computer) { c.Now = func() time.Time { return time.Unix(100, 0).UTC() } }), "clock", Fail, "1970-01-01", "set-time"},
	{"a clock on its own", machine(func(c *Computer) { c.Synced = func() (bool, error) { return false, nil } }), "clock", Warn, "not synchronised", "set-ntp"},
	{"a kernel that does not tell", machine(func(c *Computer) { c.Synced = func() (bool, error) { return false, syscall.EPERM } }), "clock", OK, "not told", ""},
	{"no battery clock", without("/sys/class/rtc/rtc0"), "clock", Warn, "without power", "battery"},
	{"an empty battery", file("/sys/class/rtc/rtc0/since_epoch", "1000\n"), "clock", Warn, "differs", "hwclock"},

	{"no page", conf(func(c *config.Config) { c.HTTP.Listen, c.HTTP.Secure = config.Off, config.Off }), "page", Fail, "switched off", "http.listen"},
	{"a page on loopback", conf(func(c *config.Config) { c.HTTP.Listen = "127.0.0.1:8160" }), "page", Fail, "own loopback", "write :8160"},
	{"a running daemon", both(listening(syscall.EADDRINUSE), getting(200, `{"status":"ok","boards":4}`, nil)), "page", OK, "a running boardwatchd serves :8160; boards watched: 4", ""},
	{"a daemon that is not well", both(listening(syscall.EADDRINUSE), getting(503, `{"status":"stuck\u001b[2J"}`, nil)), "page", Warn, `not well: "stuck[2J"`, "journalctl"},
	{"another program at the port", both(listening(syscall.EADDRINUSE), getting(200, "<html>", nil), holding("nginx")), "page", Fail, "port 8160 is taken by nginx (process 77)", "choose another port"},
	{"a program that may not be seen", both(listening(syscall.EADDRINUSE), getting(0, "", syscall.ECONNRESET)), "page", Fail, "taken by another program (sudo ss -ltnp", "choose another port"},
	{"somebody else at the port of HTTPS", both(listening(syscall.EADDRINUSE), getting(0, "", io.EOF)), "page", Fail, "http.secure: port 8161 is taken", "for http.secure"},
	{"an address that is gone", both(listening(syscall.EADDRNOTAVAIL), conf(func(c *config.Config) { c.HTTP.Listen = "192.168.7.7:8160" })), "page", Fail, "has no address 192.168.7.7:8160", "write :8160"},
	{"a port for root", listening(syscall.EACCES), "page", Fail, "may not serve port 8160", "from 1024"},
	{"a daemon without this page", locked, "page", Warn, "though process 55 is at work", "-c FILE"},

	{"no network", networks(Interface{Name: "lo", Up: true, Loopback: true, Addrs: ips("127.0.0.1")}), "network", Fail, "no address on a network", "access point"},
	{"only what containers see", networks(Interface{Name: "docker0", Up: true, Addrs: ips("172.17.0.1")}, Interface{Name: "veth1", Up: true, Addrs: ips("10.0.3.1")}), "network", Fail, "no address on a network", "access point"},
	{"only a link-local address", networks(Interface{Name: "eth0", Up: true, Addrs: ips("169.254.3.4")}), "network", Fail, "no address on a network", "access point"},
	{"a pulled cable", networks(Interface{Name: "eth0", Addrs: ips("10.0.0.2")}), "network", Fail, "no address on a network", "access point"},
	{"only a cable", networks(Interface{Name: "eth0", Up: true, Addrs: ips("10.0.0.2")}), "network", OK, "only by cable", "mobile data"},
	{"a bridge over a real port", networks(Interface{Name: "br-hall", Up: true, Hardware: true, Addrs: ips("10.0.0.2")}), "network", OK, "http://10.0.0.2:8160 (br-hall, cable)", ""},
	{"the phone's way", change(func(*testing.T, *Computer, *Subject) {}), "network", OK, "http://192.168.1.10:8160 (wlan0, Wi-Fi)", ""},
	{"how to try the access point", change(func(*testing.T, *Computer, *Subject) {}), "network", OK, "cannot be seen from here", "open http://192.168.1.10:8160 on a phone"},
	{"IPv6", networks(Interface{Name: "eth0", Up: true, Addrs: ips("fd00::2")}), "network", OK, "http://[fd00::2]:8160", ""},
	{"one address of several", both(conf(func(c *config.Config) { c.HTTP.Listen = "10.0.0.2:8160" }), networks(Interface{Name: "wlan0", Up: true, Wireless: true, Addrs: ips("10.9.0.1")}, Interface{Name: "eth0", Up: true, Addrs: ips("10.0.0.2")})), "network", OK, "only by cable", ""},
	{"the internet's address", networks(Interface{Name: "eth0", Up: true, Addrs: ips("8.8.4.4")}), "network", Warn, "the whole internet", "router"},
	{"a page that does not answer", machine(func(c *Computer) { c.Dial = func(context.Context, string) error { return syscall.ECONNREFUSED } }), "network", Fail, "http://192.168.1.10:8160 (wlan0, Wi-Fi) does not answer even here", "firewall"},
	{"buttons that lead elsewhere", conf(func(c *config.Config) { c.Alerts.URL = "http://hall.example.org" }).and(lookup("10.1.1.1")), "network", Warn, "alerts.url: hall.example.org is not this computer", "alerts.url"},
	{"buttons to nowhere", conf(func(c *config.Config) { c.Alerts.URL = "http://hall.example.org" }).and(lookup()), "network", Warn, "is not found", "alerts.url"},

	{"ufw", file("/etc/ufw/ufw.conf", "# x\nENABLED=yes\n"), "firewall", Warn, "ufw is at work and may block port 8160", "sudo ufw allow 8160/tcp"},
	{"ufw for HTTPS", file("/etc/ufw/ufw.conf", "ENABLED=yes\n"), "firewall", Warn, "port 8161", "sudo ufw allow 8161/tcp"},
	{"ufw that is open", both(file("/etc/ufw/ufw.conf", "ENABLED=yes\n"), file("/etc/ufw/user.rules", "-A ufw-user-input -p tcp --dport 8160 -j ACCEPT\n")), "firewall", OK, "ufw lets phones in at port 8160", ""},
	{"ufw that is closed", both(file("/etc/ufw/ufw.conf", "ENABLED=yes\n"), file("/etc/ufw/user.rules", "-A ufw-user-input -p tcp --dport 22 -j ACCEPT\n")), "firewall", Warn, "ufw seems to block port 8160", "ufw allow"},
	{"ufw switched off", file("/etc/ufw/ufw.conf", "ENABLED=no\n"), "firewall", OK, "no ufw", "sudo boardwatchd doctor"},
	{"firewalld", file("/proc/400/comm", "firewalld\n"), "firewall", Warn, "firewalld is at work and may block port 8160", "--add-port=8160/tcp"},
	{"firewalld that is open", both(file("/proc/400/comm", "firewalld\n"), running("yes\n")), "firewall", OK, "firewalld lets phones in", ""},
	{"nftables that drop", running("table inet filter {\n chain input {\n  type filter hook input priority 0; policy drop;\n  tcp dport { 22, 80 } accept\n }\n}"), "firewall", Warn, "nftables seems to block port 8160", "dport 8160 accept"},
	{"nftables with a last rule", running("table inet filter {\n chain input {\n  type filter hook input priority 0; policy accept;\n  tcp dport 8160 accept\n  counter packets 1 bytes 2 drop\n }\n}"), "firewall", OK, "lets phones in at port 8160", ""},
	{"nftables that let all in", running("table inet filter {\n chain input {\n  type filter hook input priority 0; policy accept;\n }\n}"), "firewall", OK, "no firewall was found", ""},

	{"no mDNS", without("/proc/200"), "names", Warn, "nobody answers for boards.local", "avahi-daemon"},
	{"a computer without a name", machine(func(c *Computer) { c.Hostname = func() (string, error) { return "localhost", nil } }), "names", Warn, "no name of its own", "set-hostname"},
	{"mDNS by systemd", both(without("/proc/200"), file("/etc/systemd/resolved.conf", "[Resolve]\nMulticastDNS = yes\n")), "names", OK, "http://boards.local:8160", ""},
	{"a name that is nobody's", conf(func(c *config.Config) { c.HTTP.Names = []string{"hall.lan"} }).and(lookup()), "names", Warn, "hall.lan is not found", "name server"},
	{"a name of another computer", conf(func(c *config.Config) { c.HTTP.Names = []string{"hall.lan"} }).and(lookup("10.1.1.1")), "names", Warn, "another computer's", "name server"},

	{"HTTPS switched off", conf(func(c *config.Config) { c.HTTP.Secure = config.Off }), "https", OK, "HTTPS is switched off", "notifications"},
	{"a damaged authority", file("/var/lib/games/tls/ca.crt", "x"), "https", Fail, "/var/lib/games/tls/ca.crt cannot be read", "trust it anew"},

	{"nobody paired", change(func(*testing.T, *Computer, *Subject) {}), "devices", OK, "no device is paired yet", "QR code"},
	{"viewers only", file("/var/lib/games/devices.json", `{"version":1,"devices":[{"role":"viewer"},{"role":"viewer"}]}`), "devices", Warn, "nobody can decide (viewers: 2)", "QR code"},
	{"an arbiter", file("/var/lib/games/devices.json", `{"devices":[{"role":"arbiter"},{"role":"viewer"}]}`), "devices", OK, "1 as arbiter, 1 as viewer", ""},
	{"an arbiter whose pairing has ended", file("/var/lib/games/devices.json", `{"devices":[{"role":"arbiter","paired_at":"2020-01-01T10:00:00Z"},{"role":"viewer"}]}`), "devices", Warn, "nobody can decide (viewers: 1)", "QR code"},
	{"a damaged list", file("/var/lib/games/devices.json", `{"devices":[`), "devices", Fail, "is damaged", "paired anew"},
	{"a list that others read", both(file("/var/lib/games/devices.json", `{}`), func(t *testing.T, c *Computer, _ *Subject) {
		if err := os.Chmod(c.path("/var/lib/games/devices.json"), 0o644); err != nil {
			t.Fatal(err)
		}
	}), "devices", Warn, "can be read by others", "chmod 0600"},

	{"a channel that answers", channel(config.Channel{Name: "a", Type: config.Ntfy, URL: "http://h/topic"}), "channels", OK, "a: http://h answers (status 200)", ""},
	{"journals", change(func(*testing.T, *Computer, *Subject) {}), "budgets", OK, "journals: they take 0 MB of 1024 GB; 1024 MB of the disk are kept free; 0 were removed so far", ""},
	{"journals that will be removed", file("/var/lib/games/removed.json", `{"version": 1, "due": [
		{"journal": "b1-r1", "bytes": 2097152, "written": "2026-05-03T12:00:00Z", "why": "room", "told": ["2026-11-19", "2026-11-20"]},
		{"journal": "b1-r2", "bytes": 1, "written": "2026-05-17T12:00:00Z", "why": "room", "told": ["2026-11-20"]}]}`),
		"budgets", Warn, "Journals that will be removed to make room, not before 2026-11-22: 2, 3 MB, last written 2026-05-03 – 2026-05-17 (b1-r1, b1-r2).",
		"find '/var/lib/games' -maxdepth 1 -name '*.bwj*'"},
	{"a list of removed journals that is damaged", file("/var/lib/games/removed.json", "{"), "budgets", Fail, "removed.json is no list of removed journals", "rename"},
	{"more journals than there may be", both(file("/var/lib/games/a.bwj", strings.Repeat("x", 3<<20)), conf(func(c *config.Config) { c.Budgets.Journals = 1 << 20 })),
		"budgets", Warn, "journals: they take 3 MB of 1 MB", "budgets.journals"},
	{"a line full of garbage", metrics("# TYPE x counter\nboardwatchd_garbage_left_out_bytes_total{board=\"1\"} 0\n" +
		"boardwatchd_garbage_left_out_bytes_total{board=\"2 \\\"B\\\"\"} 1.048576e+07\n"), "budgets", Warn, `board 2 "B" has sent 10 MB of garbage`, "cable"},
	{"descriptors that run out", metrics("boardwatchd_descriptors 900\nboardwatchd_descriptors_limit 1024\n"), "budgets", Warn, "descriptors: 900 of 1024 are used", "LimitNOFILE"},
	{"somebody who holds all connections", metrics("boardwatchd_connections{of=\"local\"} 12\nboardwatchd_connections{of=\"others\"} 500\nboardwatchd_connections_limit 512\nboardwatchd_connections_reclaimed_total 7\n"),
		"budgets", Warn, "connections: 512 of 512 are open, and 7 idle ones were closed", "keep their places"},
	{"connections", metrics("boardwatchd_connections{of=\"local\"} 2\nboardwatchd_connections_limit 512\nboardwatchd_connections_reclaimed_total 0\n"), "budgets", OK, "connections: 2 of 512 are open", ""},
	{"more memory than the limit", metrics("boardwatchd_memory_bytes 1.2e+08\nboardwatchd_memory_limit_bytes 83886080\n"), "budgets", Warn, "memory: 114 MB are used, and the limit is 80 MB", "budgets.memory"},
	{"memory", metrics("boardwatchd_memory_bytes 2e+07\nboardwatchd_memory_limit_bytes 83886080\n"), "budgets", OK, "memory: 19 MB of 80 MB are used", ""},
	{"memory without a limit", metrics("boardwatchd_memory_bytes 2e+07\nboardwatchd_memory_limit_bytes 9.223372036854776e+18\n"), "budgets", OK, "memory: 19 MB are used; GOMEMLIMIT switches the limit off", ""},
	{"lines that were left out", metrics("boardwatchd_log_lines_limit 10\nboardwatchd_log_lines_left_out_total 37\n"), "budgets", OK, "log: 37 lines that were like others were left out (10 a minute", ""},
	{"a busy computer", metrics("boardwatchd_late_seconds_total{board=\"3\"} 12.5\n"), "budgets", Warn, "busy or suspended: for 12 s of its journal board 3", "power saving"},
	{"nothing is used up", metrics("boardwatchd_descriptors 90\nboardwatchd_descriptors_limit 1024\nboardwatchd_garbage_limit_bytes 5242880\n"), "budgets", OK, "no line is full of it (5 MB a day", ""},
	{"a channel that is down", channel(config.Channel{Name: "a", Type: config.Ntfy, URL: "http://h/topic"}).and(getting(0, "", context.DeadlineExceeded)), "channels", Fail, "a: http://h does not answer: no answer within 3s", "start the server"},
	{"a channel that is not well", channel(config.Channel{Name: "a", Type: config.Ntfy, URL: "http://h/topic"}).and(getting(502, "", nil)), "channels", Warn, "not well (status 502)", "log"},
	{"a channel that is not found", channel(config.Channel{Name: "a", Type: config.Ntfy, URL: "http://h/topic"}).and(lookup()), "channels", Fail, "a: h is not found", "name server"},
	{"a webhook without a key", channel(config.Channel{Name: "a", Type: config.Webhook, URL: "https://h/topic"}), "channels", Warn, "not signed", "secret_file"},
	{"a command that is not there", channel(config.Channel{Name: "a", Type: config.Command, Command: []string{"/none/tell"}}), "channels", Fail, "a: /none/tell: no such program", "mend"},
	{"nothing public", conf(func(*config.Config) {}), "broadcast", OK, "nothing is public", ""},
	{"games without a delay", conf(func(c *config.Config) { c.Broadcast.URL, c.Broadcast.Delay = config.LiveURL, 0 }), "broadcast", Warn, "public without a delay", "15m"},
	{"games with a delay", conf(func(c *config.Config) { c.Broadcast.URL = config.DelayedURL }), "broadcast", OK, "public 15m0s after", ""},
	{"a public file", conf(func(c *config.Config) { c.Broadcast.File = "/var/lib/games/round.pgn" }), "broadcast", OK, "/var/lib/games/round.pgn can be written", ""},
	{"a public file without its directory", conf(func(c *config.Config) { c.Broadcast.File = "/srv/www/round.pgn" }), "broadcast", Fail, "/srv/www is not there", "make the directory"},
	{"a public file in a directory of somebody else", conf(func(c *config.Config) { c.Broadcast.File = "/var/lib/games/round.pgn" }).and(machine(func(c *Computer) {
		c.Writable = func(string) error { return syscall.EACCES }
	})), "broadcast", Fail, "/var/lib/games cannot be written: permission denied", "choose a directory"},
	{"a token for lichess that is not there", lichess("/none/token"), "broadcast", Fail, "lichess: /none/token: no such file", "mend"},
	{"lichess without the internet", lichess("/proc/sys/kernel/ostype").and(getting(0, "", context.DeadlineExceeded)), "broadcast", Fail, "lichess.org does not answer", "internet"},
	{"lichess that answers", lichess("/proc/sys/kernel/ostype"), "broadcast", OK, "nothing was sent", ""},
	{"a token that is not there", channel(config.Channel{Name: "a", Type: config.Ntfy, URL: "http://h/t", TokenFile: "/none/token"}), "channels", Fail, "a: /none/token: no such file", "mend"},

	{"no systemd", without("/run/systemd"), "service", OK, "systemd does not run here", ""},
	{"not a service", running("LoadState=not-found\n"), "service", Warn, "not a service", "deploy/systemd/README.md"},
	{"a service that failed", running("LoadState=loaded\nActiveState=failed\nResult=exit-code\nDynamicUser=yes\n"), "service", Fail, "has failed (exit-code)", "journalctl"},
	{"a service that was never started", running("LoadState=loaded\nActiveState=inactive\nUnitFileState=disabled\nDynamicUser=yes\n"), "service", Warn, "not started at boot", "systemctl enable"},
	{"no watchdog", running("LoadState=loaded\nActiveState=active\nWatchdogUSec=0\nDynamicUser=yes\n"), "service", Warn, "no watchdog", "WatchdogSec"},
	{"too little memory", running("LoadState=loaded\nActiveState=active\nMemoryMax=33554432\nDynamicUser=yes\n"), "service", Warn, "32 MB of memory", "MemoryMax"},
	{"a service that is root", running("LoadState=loaded\nActiveState=active\nUser=\nDynamicUser=no\n"), "service", Warn, "runs as root", "DynamicUser"},
	{"a daemon that is root", both(file("/proc/55/cmdline", "boardwatchd\x00run\x00-c\x00f\x00"),
		file("/proc/55/comm", "boardwatchd\n"), file("/proc/55/status", "Name:\tboardwatchd\nUid:\t0\t0\t0\t0\n")), "service", Warn, "boardwatchd runs as root, which nothing in it needs (process 55)", "dialout"},
}

func (a change) and(b change) change { return both(a, b) }

func lookup(addresses ...string) change {
	return machine(func(c *Computer) {
		c.Lookup = func(context.Context, string) ([]string, error) {
			if len(addresses) == 0 {
				return nil, &net.DNSError{Err: "no such host"}
			}
			return addresses, nil
		}
	})
}

func TestFindings(t *testing.T) {
	for _, f := range findings {
		t.Run(f.claim, func(t *testing.T) {
			c, s := goodComputer(t)
			f.wrong(t, c, s)
			lines := Examine(t.Context(), *c, *s)
			found := false
			for _, l := range lines {
				found = found || l.Check == f.check && l.Level == f.level && strings.Contains(l.Text, f.text) && strings.Contains(l.Remedy, f.remedy)
				if l.Level > OK && l.Remedy == "" {
					t.Errorf("%s: %q has no remedy", l.Check, l.Text)
				}
				if strings.ContainsAny(l.Text+l.Remedy, "\x1b\n") {
					t.Errorf("%s: %q is not one clean line", l.Check, l.Text)
				}
			}
			if !found {
				var b strings.Builder
				if err := Text(&b, lines, Style{}); err != nil {
					t.Fatal(err)
				}
				t.Errorf("%s does not say %s %q with the remedy %q:\n%s", f.check, f.level, f.text, f.remedy, b.String())
			}
		})
	}
}

// A configuration that names each board's port looks for no other.
func TestNamedPortsAreAllThatIsLookedFor(t *testing.T) {
	c, s := goodComputer(t)
	c.Ports = func() ([]link.Candidate, error) {
		return []link.Candidate{{Device: link.Device{Path: "/dev/ttyS0"}}}, nil
	}
	if text := linesOf(Examine(t.Context(), *c, *s), "boards"); !strings.Contains(text, "none of the 1 serial ports") {
		t.Errorf("of a port that is no board: %s", text)
	}
	write(t, c, "/srv/boards/1", "")
	s.Config.Boards = []config.Board{config.NewBoard("1", "/srv/boards/1")}
	if text := linesOf(Examine(t.Context(), *c, *s), "boards"); strings.Contains(text, "warn") || !strings.Contains(text, "/srv/boards/1 is there") {
		t.Errorf("of an emulated board: %s", text)
	}
}
