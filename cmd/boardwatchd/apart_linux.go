package main

import (
	"os/exec"
	"syscall"
)

// apart starts a command in a group of its own, so that it does not hear Ctrl-C; it hears when this process has ended
// without a word.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
