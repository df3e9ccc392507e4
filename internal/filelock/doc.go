// Package filelock keeps other programs away by a lock on a file, which the kernel releases when the process ends,
// however it ends. It does not know what the lock stands for. On systems other than Unix there is none.
package filelock

import "errors"

// ErrHeld means that another open file has the lock.
var ErrHeld = errors.New("the lock is held")
