package daemon

import (
	"errors"
	"io/fs"

	"boardwatchd/internal/web"
	"boardwatchd/rules/words"
)

var causes = map[string]string{
	"full": "notice.because_full", "read_only": "notice.because_read_only", "denied": "notice.because_denied", "gone": "notice.because_gone",
}

// cause is an error of the disk in words that the page has in its language; another error is as it is.
func cause(err error) words.Sentence {
	if key := causes[web.DiskCause(err)]; key != "" {
		return words.Say(key)
	}
	return words.Verbatim(err.Error())
}

// because is cause with the name of the file.
func because(err error) words.Sentence {
	var at *fs.PathError
	why := cause(err)
	if errors.As(err, &at) && why.Key != "" {
		return words.Say("notice.because", at.Path, why)
	}
	return why
}
