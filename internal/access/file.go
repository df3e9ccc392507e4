package access

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"boardwatchd/internal/secretfile"
	"boardwatchd/rules/words"
)

const (
	fileVersion = 1
	maxFile     = 4 << 20
	mode        = 0o600
)

// The file:
//
//	{"version": 1,
//	 "devices": [{"id": "7k3m9q2x4v", "name": "Anna's phone", "role": "arbiter", "secret_sha256": "64 hex digits",
//	   "boards": ["12"], "paired_at": "2026-11-21T14:03:22Z", "seen_at": "2026-11-21T15:00:00Z",
//	   "push": {"endpoint": "https://…", "p256dh": "…", "auth": "…"}}]}
//
// boards and push may be missing. Unknown keys are ignored.
type file struct {
	Version int          `json:"version"`
	Devices []fileDevice `json:"devices"`
}

type fileDevice struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Role     Role      `json:"role"`
	Secret   string    `json:"secret_sha256"`
	Boards   []string  `json:"boards,omitempty"`
	PairedAt time.Time `json:"paired_at"`
	SeenAt   time.Time `json:"seen_at"`
	Push     *filePush `json:"push,omitempty"`
}

type filePush struct {
	Endpoint string `json:"endpoint"`
	P256dh   string `json:"p256dh"`
	Auth     string `json:"auth"`
}

func encode(devices []*paired) ([]byte, error) {
	f := file{Version: fileVersion, Devices: []fileDevice{}}
	for _, p := range devices {
		d := fileDevice{
			ID: p.ID, Name: p.Name, Role: p.Role, Boards: p.Boards, Secret: hex.EncodeToString(p.secret[:]),
			PairedAt: p.PairedAt, SeenAt: time.UnixMilli(p.seen.Load()).UTC().Truncate(time.Second),
		}
		if p.Push != nil {
			d.Push = (*filePush)(p.Push)
		}
		f.Devices = append(f.Devices, d)
	}
	body, err := json.MarshalIndent(f, "", " ")
	return append(body, '\n'), err
}

// decode accepts a file as a whole or not at all: a part of the list of devices with rights is not acceptable.
func decode(body []byte) ([]*paired, error) {
	var f file
	if err := json.Unmarshal(body, &f); err != nil {
		return nil, err
	}
	if f.Version != fileVersion {
		return nil, fmt.Errorf("its version is %d, this program reads %d", f.Version, fileVersion)
	}
	if len(f.Devices) > maxDevices {
		return nil, fmt.Errorf("it has more than %d devices", maxDevices)
	}
	var devices []*paired
	for i, d := range f.Devices {
		p, err := d.device()
		if err != nil {
			return nil, fmt.Errorf("device %d: %w", i+1, err)
		}
		if slices.ContainsFunc(devices, func(o *paired) bool { return o.ID == p.ID || o.secret == p.secret }) {
			return nil, fmt.Errorf("device %d is there twice", i+1)
		}
		devices = append(devices, p)
	}
	return devices, nil
}

func (d fileDevice) device() (*paired, error) {
	p := &paired{Device: Device{ID: d.ID, Name: cleanName(d.Name), Role: d.Role, Boards: d.Boards, PairedAt: d.PairedAt.UTC()}}
	if len(d.ID) == 0 || len(d.ID) > 40 || slices.ContainsFunc([]byte(d.ID), func(c byte) bool {
		return (c < '0' || c > '9') && (c < 'a' || c > 'z')
	}) {
		return nil, &Invalid{"id", "is not made of 0-9 and a-z"}
	}
	if !d.Role.Valid() {
		return nil, &Invalid{"role", "is neither arbiter nor viewer"}
	}
	if len(d.Secret) != hex.EncodedLen(len(p.secret)) {
		return nil, &Invalid{"secret_sha256", "is not 64 hex digits"}
	}
	if _, err := hex.Decode(p.secret[:], []byte(d.Secret)); err != nil {
		return nil, &Invalid{"secret_sha256", "is not 64 hex digits"}
	}
	if err := checkBoards(d.Boards); err != nil {
		return nil, err
	}
	if d.Push != nil {
		p.Push = (*Push)(d.Push)
		if err := checkPush(*p.Push); err != nil {
			return nil, err
		}
	}
	for _, at := range []time.Time{d.PairedAt, d.SeenAt} {
		if at.Year() < 1970 || at.Year() > 9000 { // the clock of a machine without a battery begins in 1970
			return nil, &Invalid{"paired_at or seen_at", "is no time that can be"}
		}
	}
	p.seen.Store(d.SeenAt.UnixMilli())
	return p, nil
}

// load reads the file, or sets it aside and reports that, whatever is wrong with it: the page must be there.
func load(path string, now time.Time) (devices []*paired, aside words.Sentence) {
	devices, err := readList(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, aside
	}
	if err == nil {
		return devices, aside
	}
	name, failed := secretfile.SetAside(path, now)
	if failed != nil {
		name = path // in a directory that takes no file it stays, and no other is written over it
	}
	return nil, words.Say("notice.devices_damaged", name)
}

// glance reads the file of another program and does not change it.
func glance(path string, _ time.Time) (devices []*paired, warning words.Sentence) {
	warning = words.Say("notice.devices_shared", path)
	devices, err := readList(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, warning
	}
	if err != nil {
		return nil, words.List(" ", []words.Sentence{warning, words.Say("notice.devices_list_damaged")})
	}
	return devices, warning
}

func readList(path string) ([]*paired, error) {
	body, err := read(path)
	if err != nil {
		return nil, err
	}
	return decode(body)
}

func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // checked before opening: opening a pipe would block
		return nil, fmt.Errorf("%s is not a file: move it away", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Mode().Perm() != mode {
		if err := f.Chmod(mode); err != nil {
			return nil, err
		}
	}
	return io.ReadAll(io.LimitReader(f, maxFile+1)) // cut off, it is not JSON any more
}
