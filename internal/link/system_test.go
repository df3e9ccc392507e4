//go:build linux

package link

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// tree writes files, and links where a value begins with "->", below a new
// root. Targets of links from the root are put below it.
func tree(t *testing.T, files map[string]string) System {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if len(content) > 2 && content[:2] == "->" {
			to := content[2:]
			if filepath.IsAbs(to) {
				to = filepath.Join(root, to)
			}
			err = os.Symlink(to, path)
		} else {
			err = os.WriteFile(path, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return System{Root: root}
}

// usb adds the sysfs files of one USB serial port, as on real machines: an FTDI's tty is one level deeper than a CDC
// one's.
func usb(files map[string]string, name, vid, pid, driver string) {
	dev := "/sys/devices/pci0000:00/usb1/1-" + name
	files[dev+"/idVendor"], files[dev+"/idProduct"] = vid+"\n", pid+"\n"
	files[dev+"/manufacturer"], files[dev+"/product"] = "Maker\n", "Board \x1b[2J"+name+"\n"
	port := dev + "/1-1:1.0"
	if driver == "ftdi_sio" {
		port += "/" + name
		files[port+"/latency_timer"] = "16\n"
	}
	files[port+"/driver"] = "->/sys/bus/drivers/" + driver
	files["/sys/bus/drivers/"+driver+"/bind"] = ""
	files[port+"/tty/"+name+"/device"] = "->" + port
	files["/sys/class/tty/"+name] = "->" + port + "/tty/" + name
	files["/dev/"+name] = ""
}

func machine() map[string]string {
	files := map[string]string{}
	usb(files, "ttyUSB0", "0403", "6001", "ftdi_sio")
	usb(files, "ttyUSB10", "0403", "6001", "ftdi_sio")
	usb(files, "ttyUSB9", "1A86", "7523", "ch341-uart")
	usb(files, "ttyACM0", "04D8", "000A", "cdc_acm")
	files["/dev/serial/by-id/usb-DGT_DGT_Chessboard-if00"] = "->/dev/ttyACM0"
	files["/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0"] = "->/dev/ttyACM0"
	files["/sys/class/tty/tty1/dev"] = "4:1\n"                                             // a console
	files["/sys/class/tty/ttyS0/type"], files["/sys/class/tty/ttyS0/device/x"] = "0\n", "" // a missing chip
	files["/sys/class/tty/ttyS1/type"], files["/sys/class/tty/ttyS1/device/x"] = "4\n", "" // a present chip
	files["/dev/ttyS1"] = ""
	files["/proc/77/comm"], files["/proc/77/fd/3"] = "ModemManager\n", "->x"
	return files
}

func TestPortsWithoutOpeningAny(t *testing.T) {
	s := tree(t, machine())
	if err := os.Remove(filepath.Join(s.Root, "/proc/77/fd/3")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/ttyUSB0", filepath.Join(s.Root, "/proc/77/fd/3")); err != nil {
		t.Fatal(err)
	}
	got, err := s.Ports()
	if err != nil {
		t.Fatal(err)
	}
	// The files under /dev are regular files: opening them as ports would have failed.
	want := []Candidate{
		{Device: Device{Path: "/dev/ttyACM0", ByID: "/dev/serial/by-id/usb-DGT_DGT_Chessboard-if00", ByPath: "/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0",
			VID: "04d8", PID: "000a", Manufacturer: "Maker", Product: "Board [2JttyACM0", Driver: "cdc_acm"}, Likely: true},
		{Device: Device{Path: "/dev/ttyS1"}},
		{Device: Device{Path: "/dev/ttyUSB0", VID: "0403", PID: "6001", Manufacturer: "Maker", Product: "Board [2JttyUSB0", Driver: "ftdi_sio", LatencyMS: 16},
			Likely: true, Users: []string{"ModemManager (process 77)"}},
		{Device: Device{Path: "/dev/ttyUSB9", VID: "1a86", PID: "7523", Manufacturer: "Maker", Product: "Board [2JttyUSB9", Driver: "ch341-uart"}},
		{Device: Device{Path: "/dev/ttyUSB10", VID: "0403", PID: "6001", Manufacturer: "Maker", Product: "Board [2JttyUSB10", Driver: "ftdi_sio", LatencyMS: 16}, Likely: true},
	}
	if len(got) != len(want) {
		t.Fatalf("%d ports: %+v", len(got), got)
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("port %d is\n%+v, want\n%+v", i, got[i], want[i])
		}
	}
}

func TestDescribeFollowsTheStableName(t *testing.T) {
	s := tree(t, machine())
	if d := s.Describe("/dev/serial/by-id/usb-DGT_DGT_Chessboard-if00"); d.Path != "/dev/ttyACM0" || d.VID != "04d8" {
		t.Errorf("%+v", d)
	}
	if d := s.Describe("/dev/ttyUSB77"); d != (Device{Path: "/dev/ttyUSB77"}) {
		t.Errorf("an absent device is described as %+v", d)
	}
}

func TestPortsWithoutSysfs(t *testing.T) {
	if _, err := (System{Root: t.TempDir()}).Ports(); err == nil {
		t.Error("no sysfs, and no error")
	}
}

// On the real machine it must at least not fail.
func TestPortsHere(t *testing.T) {
	all, err := System{}.Ports()
	if err != nil {
		t.Skip(err)
	}
	for _, c := range all {
		t.Logf("%+v", c)
	}
}

func BenchmarkList(b *testing.B) {
	for b.Loop() {
		if _, err := (System{}).list(); err != nil {
			b.Skip(err)
		}
	}
}
