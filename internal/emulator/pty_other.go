//go:build !linux

package emulator

import (
	"context"
	"errors"
)

// ServePTY needs the pseudo terminals of Linux.
func ServePTY(context.Context, Device, PTYOptions) error {
	return errors.New("serve on a pseudo terminal: only Linux is supported; record to a file instead")
}
