package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"
)

// An output is standard output. It remembers a failed write, because a command with an incomplete answer has failed.
type output struct {
	*os.File
	failed atomic.Pointer[error]
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	if err != nil && !errors.Is(err, syscall.EPIPE) { // the reader, such as head, needs no more
		o.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// status is the exit status of a process that would otherwise end with code.
func (o *output) status(code int, errs io.Writer) int {
	err := o.failed.Load()
	if code != 0 || err == nil {
		return code
	}
	fmt.Fprintf(errs, "boardwatchd: %v\n", *err)
	return statusFailed
}
