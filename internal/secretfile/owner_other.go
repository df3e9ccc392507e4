//go:build !unix

package secretfile

import "os"

// GiveToOwner does nothing on systems that are not Unix.
func GiveToOwner(*os.File, string) {}
