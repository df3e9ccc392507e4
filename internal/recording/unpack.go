package recording

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// maxWindow limits the memory that a .zst can request; zstd -19 uses 8 MiB, zstd --ultra -22 uses 128.
const maxWindow = 128 << 20

// unpack returns a reader for a stream, through gzip or zstd if it begins so.
func unpack(name string, in io.Reader) (io.Reader, func() error, error) {
	br := bufio.NewReaderSize(in, headSize)
	magic, err := br.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, fmt.Errorf("read %s: %w", name, err)
	}
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(br)
		if err != nil {
			return nil, nil, packedError(name, ".gz", err)
		}
		// Its Close would only repeat the error that Read has returned.
		return packed{z, name, ".gz"}, func() error { return nil }, nil
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		// Concurrency 1: a replay has one core, and no goroutine to wait for.
		z, err := zstd.NewReader(br, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, packedError(name, ".zst", err)
		}
		return packed{z, name, ".zst"}, func() error { z.Close(); return nil }, nil
	}
	return br, func() error { return nil }, nil
}

// packed names the file in the errors of a decompressor.
type packed struct {
	r          io.Reader
	name, kind string
}

func (p packed) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = packedError(p.name, p.kind, err)
	}
	return n, err
}

func packedError(name, kind string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: the %s is cut short; copy it again", name, kind)
	}
	return fmt.Errorf("%s: the %s is damaged (%w); copy it again", name, kind, err)
}

// unpackedFile opens a file for journal.OpenWith.
func unpackedFile(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	plain, closePlain, err := unpack(path, f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return readCloser{plain, func() error { return errors.Join(closePlain(), f.Close()) }}, nil
}

type readCloser struct {
	io.Reader
	close func() error
}

func (r readCloser) Close() error { return r.close() }
