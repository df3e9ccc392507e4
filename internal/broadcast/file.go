package broadcast

import (
	"errors"
	"os"
)

// replace replaces a file that everybody may read. A reader sees the old text or the new one at any moment. It does not
// wait for the disk: after a power cut the text is made again from the journals.
func replace(path string, body []byte) error {
	next := path + ".new"
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	err = f.Chmod(0o644) // a service's umask would keep others from reading
	if err == nil {
		_, err = f.Write(body)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		_ = os.Remove(next) // err has the reason
	}
	return err
}
