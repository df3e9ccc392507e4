package doctor

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"boardwatchd/internal/config"
	"boardwatchd/internal/link"
)

const udevRemedy = "install the udev rule deploy/systemd/99-boardwatchd.rules (README.md beside it) and plug the board in again"

func boards(_ context.Context, v *visit) {
	if v.servesHall() {
		v.ok("the state directory is that of a hall: its boards are at other computers")
		return
	}
	ports, err := v.Ports()
	if err != nil {
		v.fail("mount sysfs (a container needs /sys)", "%v", err)
		return
	}
	likely, search := v.configured(ports)
	switch {
	case len(likely) == 0 && !search: // each port of the configuration has its line
		return
	case len(ports) == 0:
		v.warn("plug the board's cable in (one that carries data, not only power); boardwatchd simulate needs no board", "no serial port is plugged in")
		return
	case len(likely) == 0:
		v.warn("boardwatchd ports --ask; name the port in the configuration if it is a board", "none of the %d serial ports has the USB numbers of a board", len(ports))
		return
	}
	for _, p := range likely {
		v.port(p)
	}
	v.intruders()
}

// configured returns the ports that the configuration names, and those that a search would ask, if there is one.
func (v *visit) configured(ports []link.Candidate) (all []link.Candidate, search bool) {
	search = len(v.Config.Boards) == 0
	for _, b := range v.Config.Boards {
		if b.Port == config.Auto {
			search = true
			continue
		}
		i := slices.IndexFunc(ports, func(p link.Candidate) bool {
			return slices.Contains([]string{p.Path, p.ByID, p.ByPath}, b.Port) || v.leads(b.Port, p.Path)
		})
		if i < 0 && v.there(b.Port) {
			v.line(OK, "boardwatchd ports lists what is known as a serial port", "%s: %s is there; it is no serial port of this computer (an emulated board, a tunnel?)", b.Name, b.Port)
			continue
		}
		if i < 0 {
			v.fail("plug it in, or correct boards.port; boardwatchd ports lists what is there", "%s: its port %s is not there", b.Name, b.Port)
			continue
		}
		all = append(all, ports[i])
	}
	for _, p := range ports {
		if search && p.Likely && !slices.ContainsFunc(all, func(q link.Candidate) bool { return q.Path == p.Path }) {
			all = append(all, p)
		}
	}
	return all, search
}

// leads reports whether a name is a symbolic link to the device.
func (v *visit) leads(name, device string) bool {
	real, err := filepath.EvalSymlinks(v.path(name))
	return err == nil && real == v.path(device)
}

func (v *visit) port(p link.Candidate) {
	ours := slices.ContainsFunc(p.Users, func(u string) bool { return strings.HasPrefix(u, "boardwatchd ") })
	switch {
	case p.Denied:
		v.fail("sudo usermod -aG dialout $USER, then log in again (the group is uucp on Arch; in a service: SupplementaryGroups=)", "%s: this user may not open it", p.Path)
	case ours:
		v.ok("%s: a running boardwatchd has it open", p.Path)
	case len(p.Users) > 0:
		v.fail("end that program; ModemManager and brltty are kept away by "+udevRemedy, "%s is open in %s", p.Path, printable(strings.Join(p.Users, ", ")))
	default:
		v.ok("%s can be opened (%s); boardwatchd ports --ask tells whether a board answers", p.Path, cmpOr(p.Product, "no product name"))
	}
	if p.LatencyMS > 1 {
		v.warn(udevRemedy, "%s: the driver holds bytes back for %d ms; 1 ms is possible", p.Path, p.LatencyMS)
	}
	if v.autosuspends(p.Path) {
		v.warn(udevRemedy, "%s: its USB power saving is on; a board that is put to sleep is silent without an error", p.Path)
	}
}

// autosuspends reports whether the tty's USB device is set to autosuspend. Without a delay the setting has no effect.
func (v *visit) autosuspends(tty string) bool {
	real, err := filepath.EvalSymlinks(v.path("/sys/class/tty/" + filepath.Base(tty) + "/device"))
	if err != nil {
		return false
	}
	for dir := strings.TrimPrefix(real, strings.TrimSuffix(v.Root, "/")); len(dir) > len("/sys/"); dir = filepath.Dir(dir) {
		if v.there(dir + "/idVendor") {
			return v.read(dir+"/power/control") == "auto" && !strings.HasPrefix(v.read(dir+"/power/autosuspend_delay_ms"), "-")
		}
	}
	return false
}

// intruders looks for programs that write to every new serial port, unless the udev rule prevents it.
func (v *visit) intruders() {
	for _, dir := range []string{"/etc/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d"} {
		if len(v.glob(dir+"/*boardwatchd*.rules")) > 0 {
			v.ok("the udev rule is installed")
			return
		}
	}
	for _, p := range v.processes("ModemManager", "brltty") {
		v.warn(udevRemedy+"; or end it: sudo systemctl disable --now "+p.name, "%s (process %d) is running and may take a board for its own device", p.name, p.pid)
	}
}

func cmpOr(a, b string) string {
	if a = printable(a); a == "" {
		return b
	}
	return a
}
