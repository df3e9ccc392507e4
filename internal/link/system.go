package link

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// System is where devices are looked up. The zero value is this computer;
// tests put a tree of files under Root.
type System struct{ Root string }

// Device describes a port with the kernel's data. Every field but Path may be empty.
type Device struct {
	Path         string // /dev/ttyUSB0
	ByID, ByPath string // stable names below /dev/serial
	VID, PID     string // USB numbers, lower-case hexadecimal
	Manufacturer string
	Product      string
	USBSerial    string // of the adapter; not the board's own number
	Driver       string // ftdi_sio, cdc_acm, …
	LatencyMS    int    // the time for which the driver may delay bytes; 0: not known
}

// Candidate is a port in the list of Ports.
type Candidate struct {
	Device
	Likely bool     // has USB numbers that DGT boards use, so a request is worthwhile
	Users  []string // programs that have it open, as far as this user may see
	Denied bool     // this user may not open it
}

// boardIDs are the USB numbers of known boards (DGT protocol notes, section 1.2). All are generic numbers of a chip
// maker: they make a request worthwhile and prove nothing.
var boardIDs = []string{
	"0403:6001", // FTDI FT232, boards before about 2012
	"04d8:000a", // Microchip CDC, Bluetooth and later USB boards
	"045b:8111", // Renesas CDC, boards with USB-C
}

// Ports lists the serial ports with hardware, without opening any: opening a port changes its modem lines, and
// go.bug.st/serial's own list opens every ttyS of the machine each time.
func (s System) Ports() ([]Candidate, error) {
	all, err := s.list()
	for i := range all {
		c := &all[i]
		c.Users = s.users(c.Path)
		err := unix.Faccessat(unix.AT_FDCWD, s.at(c.Path), unix.R_OK|unix.W_OK, unix.AT_EACCESS)
		c.Denied = errors.Is(err, fs.ErrPermission)
	}
	return all, err
}

// list is Ports without the slow details.
func (s System) list() ([]Candidate, error) {
	entries, err := os.ReadDir(s.at("/sys/class/tty"))
	if err != nil {
		return nil, &Failure{Op: "list", Path: "/sys/class/tty", Cause: bare(err), Hint: "is sysfs mounted?"}
	}
	var all []Candidate
	for _, e := range entries {
		if !s.hardware(e.Name()) {
			continue
		}
		c := Candidate{Device: s.Describe("/dev/" + e.Name())}
		c.Likely = slices.Contains(boardIDs, c.VID+":"+c.PID)
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b Candidate) int { return naturally(a.Path, b.Path) })
	return all, nil
}

// hardware distinguishes ports from virtual consoles and from the ttyS of chips that the computer does not have.
func (s System) hardware(name string) bool {
	if strings.TrimRight(name, "0123456789") == "tty" {
		return false // a console; there are 64, and list is called four times a second
	}
	if strings.HasPrefix(name, "rfcomm") {
		return true // Bluetooth: without a parent device until it is connected
	}
	if _, err := os.Stat(s.at("/sys/class/tty/" + name + "/device")); err != nil {
		return false
	}
	if kind := s.read("/sys/class/tty/" + name + "/type"); kind == "0" {
		return false // PORT_UNKNOWN
	}
	return true
}

// Describe collects the data about the device at path, which may be a symbolic link. It does not open the device.
func (s System) Describe(path string) Device {
	d := Device{Path: path}
	if real, err := filepath.EvalSymlinks(s.at(path)); err == nil {
		if inside, ok := strings.CutPrefix(real, s.root()+"/"); ok {
			d.Path = "/" + inside
		}
	}
	d.ByID, d.ByPath = s.link("/dev/serial/by-id", d.Path), s.link("/dev/serial/by-path", d.Path)
	if filepath.Dir(d.Path) != "/dev" {
		return d // a PTY
	}
	dir := "/sys/class/tty/" + filepath.Base(d.Path) + "/device"
	if driver, err := filepath.EvalSymlinks(s.at(dir + "/driver")); err == nil {
		d.Driver = filepath.Base(driver)
	}
	if ms, err := strconv.Atoi(s.read(dir + "/latency_timer")); err == nil {
		d.LatencyMS = ms
	}
	d.usb(s, dir)
	return d
}

// usb climbs in sysfs from the tty to its USB device.
func (d *Device) usb(s System, dir string) {
	real, err := filepath.EvalSymlinks(s.at(dir))
	if err != nil {
		return
	}
	for up := strings.TrimPrefix(real, s.root()); up != "/" && up != "."; up = filepath.Dir(up) {
		if vid := s.read(up + "/idVendor"); vid != "" {
			d.VID, d.PID = strings.ToLower(vid), strings.ToLower(s.read(up+"/idProduct"))
			d.Manufacturer, d.Product, d.USBSerial = s.read(up+"/manufacturer"), s.read(up+"/product"), s.read(up+"/serial")
			return
		}
	}
}

// link returns the name in dir that leads to path.
func (s System) link(dir, path string) string {
	entries, err := os.ReadDir(s.at(dir))
	if err != nil {
		return ""
	}
	for _, e := range entries { // sorted by name, so the answer is always the same
		name := dir + "/" + e.Name()
		if real, err := filepath.EvalSymlinks(s.at(name)); err == nil && strings.TrimPrefix(real, s.root()) == path {
			return name
		}
	}
	return ""
}

// users returns the programs that have path open: for an ordinary user the user's own, for root all.
func (s System) users(path string) []string {
	var all []string
	fds, err := filepath.Glob(s.at("/proc/[0-9]*/fd/*"))
	if err != nil {
		return nil
	}
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err != nil || to != path {
			continue
		}
		proc := filepath.Dir(filepath.Dir(strings.TrimPrefix(fd, s.root())))
		who := s.read(proc+"/comm") + " (process " + filepath.Base(proc) + ")"
		if !slices.Contains(all, who) {
			all = append(all, who)
		}
	}
	return all
}

// root returns Root without a slash at its end.
func (s System) root() string { return strings.TrimSuffix(s.Root, "/") }

func (s System) at(path string) string { return s.root() + path }

// read returns the trimmed content of a file of one line, or nothing. The name that a USB device gives itself is
// untrusted, so control characters are removed.
func (s System) read(path string) string {
	b, err := os.ReadFile(s.at(path))
	if err != nil {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.TrimSpace(string(b)))
}

// naturally orders ttyUSB10 after ttyUSB9.
func naturally(a, b string) int {
	cut := func(s string) (string, int) {
		stem := strings.TrimRight(s, "0123456789")
		n, _ := strconv.Atoi(s[len(stem):])
		return stem, n
	}
	as, an := cut(a)
	bs, bn := cut(b)
	if as != bs {
		return strings.Compare(as, bs)
	}
	return an - bn
}
