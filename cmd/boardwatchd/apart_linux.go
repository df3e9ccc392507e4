package main

import (
	"os/exec"
	"syscall"
)

// apart starts a command in a process group of its own, so that Ctrl-C does not reach it. The command gets a signal
// when this process dies without ending it.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
