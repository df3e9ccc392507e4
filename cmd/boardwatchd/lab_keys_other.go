//go:build !linux

package main

import "io"

// rawKeys: elsewhere a letter comes with its Enter.
func rawKeys(io.Reader) (restore func()) { return func() {} }
