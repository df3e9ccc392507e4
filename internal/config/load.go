package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Load reads the file. All errors are returned as Problems, also a file that cannot be read.
func Load(file string) (Config, error) {
	src, err := read(file, "without -c the defaults are used")
	if err != nil {
		return Default(), Problems{{File: file, Text: err.Error()}}
	}
	return Parse(file, src)
}

// read returns the content of a file; missing is the remedy if the file does not exist.
func read(file, missing string) (src []byte, err error) {
	f, err := os.Open(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("no such file; " + missing)
	case errors.Is(err, fs.ErrPermission):
		return nil, errors.New("permission denied: the service runs as a stranger, so let everybody read it (chmod 0644); it holds no secrets")
	case err != nil:
		return nil, withoutPath(err)
	}
	defer f.Close() // read only: Close loses no data
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, withoutPath(err)
	case info.IsDir():
		return nil, errors.New("is a directory; name the file in it")
	case info.Size() > MaxBytes+3: // 3: a byte order mark
		return nil, fmt.Errorf("has %d bytes; a configuration has at most %d. Is it the right file?", info.Size(), MaxBytes)
	}
	// The limit is checked again: a device or a growing file reports no true size.
	if src, err = io.ReadAll(io.LimitReader(f, MaxBytes+4)); err != nil {
		return nil, withoutPath(err)
	}
	return src, nil
}

// withoutPath drops the path from an error, because the Problem names it.
func withoutPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	return err
}
