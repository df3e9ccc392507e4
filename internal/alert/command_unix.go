//go:build unix

package alert

import (
	"errors"
	"os/exec"
	"syscall"
)

// ownGroup gives the program a process group of its own, so that the time limit kills the whole group.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		killGroup(cmd)
		return nil
	}
}

// killGroup kills the whole group. It is called before the program is waited for, while its number cannot belong to
// another process.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// isBusy reports whether starting failed for lack of a resource that becomes available again.
func isBusy(err error) bool {
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.EMFILE) ||
		errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ETXTBSY)
}
