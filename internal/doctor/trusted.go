package doctor

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/config"
)

// soon is how long before its end internal/trust renews a certificate at the next start.
const soon = 30 * 24 * time.Hour

// certificates checks the program's own authority, on which HTTPS depends.
func certificates(_ context.Context, v *visit) {
	if v.Config.HTTP.Secure == config.Off || v.Config.HTTP.Listen == config.Off {
		v.line(OK, "write http.secure into the configuration if phones shall get notifications", "HTTPS is switched off")
		return
	}
	file := v.authority()
	if file == "" {
		v.ok("the certificate authority is made at the first start")
		return
	}
	ca, err := certificate(v.path(file))
	switch {
	case errors.Is(err, fs.ErrPermission):
		v.ok("the certificate authority is the service's; sudo boardwatchd doctor looks at it")
		return
	case err != nil:
		v.fail("put a copy of the directory "+filepath.Dir(file)+" back, or delete it: a new one is made, and every phone has to trust it anew", "%s cannot be read: %v", file, err)
		return
	}
	now := v.Now()
	const anew = "restart boardwatchd, which renews it; then every phone has to trust it anew"
	switch until := ca.NotAfter.Format(time.DateOnly); {
	case now.After(ca.NotAfter):
		v.fail(anew, "the certificate authority ended on %s", until)
	case now.Before(ca.NotBefore):
		v.fail("set the clock right", "the certificate authority is valid from %s only", ca.NotBefore.Format(time.DateOnly))
	case now.Add(soon).After(ca.NotAfter):
		v.warn(anew, "the certificate authority ends on %s", until)
	default:
		v.ok("the certificate authority is valid until %s", until)
	}
	key := filepath.Join(filepath.Dir(file), "ca.key")
	v.warnIfReadable(key, "whoever has it can pretend to be this page")
}

// authority returns the file of the authority's certificate, or "".
func (v *visit) authority() string {
	if v.dir == "" {
		return ""
	}
	for _, pattern := range []string{"/ca.crt", "/*/ca.crt"} {
		if found := v.glob(v.dir + pattern); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

func certificate(file string) (*x509.Certificate, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if block, _ := pem.Decode(b); block != nil {
		b = block.Bytes
	}
	return x509.ParseCertificate(b)
}

// warnIfReadable warns of a file that others than its owner can read.
func (v *visit) warnIfReadable(file, why string) {
	if info, err := os.Stat(v.path(file)); err == nil && info.Mode().Perm()&0o077 != 0 {
		v.warn("chmod 0600 "+file, "%s can be read by others: %s", file, why)
	}
}

// devices counts the devices that may decide. Secrets are in the file only as hashes, and are not shown.
func devices(_ context.Context, v *visit) {
	if v.dir == "" {
		return
	}
	file := filepath.Join(v.dir, "devices.json")
	pair := "boardwatchd run prints a QR code; open it with the arbiter's phone"
	if v.servesHall() {
		pair = "boardwatchd hall prints a QR code, and " + filepath.Join(v.dir, "pair.html") + " has it; open it with the arbiter's phone"
	}
	b, err := os.ReadFile(v.path(file))
	type device struct {
		Role     string    `json:"role"`
		PairedAt time.Time `json:"paired_at"`
	}
	var list struct {
		Devices []device `json:"devices"`
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.line(OK, pair, "no device is paired yet")
		return
	case errors.Is(err, fs.ErrPermission):
		v.ok("the paired devices are the service's; sudo boardwatchd doctor looks at them")
		return
	case err != nil:
		v.fail("look at the disk: dmesg", "%s cannot be read: %v", file, err)
		return
	case json.Unmarshal(b, &list) != nil:
		v.fail("move it away; every device has to be paired anew", "%s is damaged", file)
		return
	}
	list.Devices = slices.DeleteFunc(list.Devices, func(d device) bool { return !d.PairedAt.IsZero() && time.Since(d.PairedAt) >= access.Life })
	arbiters := 0
	for _, d := range list.Devices {
		if d.Role == "arbiter" {
			arbiters++
		}
	}
	if arbiters == 0 {
		v.warn(pair, "no paired device is an arbiter's: nobody can decide (viewers: %d)", len(list.Devices))
	} else {
		v.ok("paired: %d as arbiter, %d as viewer", arbiters, len(list.Devices)-arbiters)
	}
	v.warnIfReadable(file, "it says who may decide")
}
