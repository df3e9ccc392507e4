package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"boardwatchd/rules/words"
)

// Cause is why a disk refuses a file: full, read_only, denied, gone, or other.
func Cause(err error) string {
	is := func(targets ...error) bool {
		for _, t := range targets {
			if errors.Is(err, t) {
				return true
			}
		}
		return false
	}
	switch {
	case is(syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG):
		return "full"
	case is(syscall.EROFS, syscall.EIO):
		return "read_only"
	case is(fs.ErrPermission):
		return "denied"
	case is(fs.ErrNotExist, syscall.ENOTDIR, syscall.ESTALE):
		return "gone"
	}
	return "other"
}

var causes = map[string]string{
	"full": "notice.because_full", "read_only": "notice.because_read_only", "denied": "notice.because_denied", "gone": "notice.because_gone",
}

// Why returns a sentence with the reason why a file cannot be read or written.
func Why(err error) words.Sentence {
	if key := causes[Cause(err)]; key != "" {
		return words.Say(key)
	}
	return words.Verbatim(err.Error())
}

// WhyAt is Why with the path of the file.
func WhyAt(err error) words.Sentence {
	var unusable *FileError
	if errors.As(err, &unusable) {
		return words.Say("notice.because", unusable.Path, unusable.Why)
	}
	path, why := "", Why(err)
	var at *fs.PathError
	var two *os.LinkError
	switch {
	case errors.As(err, &at):
		path = at.Path
	case errors.As(err, &two):
		path = two.New
	}
	if path == "" || why.Key == "" {
		return why
	}
	return words.Say("notice.because", path, why)
}

// A FileError means that a file exists, or should exist, and cannot be used.
type FileError struct {
	Path string
	Why  words.Sentence
	text string
}

// Unusable makes a FileError: the reason as a key of the page's texts, and in English with the remedy.
func Unusable(path, key, format string, args ...any) error {
	return &FileError{path, words.Say(key), fmt.Sprintf(format, args...)}
}

func (e *FileError) Error() string { return e.Path + ": " + e.text }

// Takes returns why a directory takes no file, or nil. It makes a file there and removes it, because after an error of
// a disk the kernel may leave it mounted for writing, and refuse only the writes.
func Takes(dir string) error {
	f, err := os.CreateTemp(dir, ".probe-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 64<<10)) // more than all of the page's files
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
