//go:build !unix

package alert

import "os/exec"

// ownGroup does nothing: where there are no process groups, only the program itself is killed.
func ownGroup(*exec.Cmd) {}

func isBusy(error) bool { return false }
