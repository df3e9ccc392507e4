//go:build !linux

package journal

import "os"

// osFile is a file of the operating system.
type osFile struct{ *os.File }
