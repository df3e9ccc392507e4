package web

import "boardwatchd/internal/disk"

// The report of a file that could not be written has the remedy against its cause: free space does not help against a
// card that has become read-only.

// remedies are the remedies against the causes of a failed write. The page has them in its language, as cause.CAUSE.
var remedies = map[string]string{
	"full":      "The disk is full: make room, and do it again.",
	"read_only": "The disk can only be read, or has errors, mostly because card or disk is failing. Do not restart the computer before the last game has ended: what is only in its memory would be lost. Then restart it; if it comes back so, replace the card.",
	"denied":    "The program may not write there: give its state directory back to the user that it runs as, and do it again.",
	"gone":      "The program's state directory is not there any more: bring it back, and do it again.",
	"other":     "The program's log names the reason: mend that, and do it again.",
}

// DiskRemedy is the remedy against a failed write, for a command that ends with that error; "" for another error.
func DiskRemedy(err error) string {
	switch cause := disk.Cause(err); cause {
	case "full", "read_only", "denied":
		return remedies[cause]
	}
	return ""
}

// unwritten is the refusal after a file of the program's own could not be written.
func (s *Server) unwritten(what string, err error) error {
	s.log.Error().Err(err).Msg(what + " not saved")
	e := unavailable("not_saved", what+" not saved: the disk does not take it.", remedies[disk.Cause(err)])
	e.cause = disk.Cause(err)
	return e
}
