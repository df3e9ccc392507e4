package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/replay"
)

// readHeads reads the value of --head: a head, or a file with one in each line.
func readHeads(text string) ([]journal.Head, error) {
	h, err := journal.ParseHead(text)
	if err == nil {
		return []journal.Head{h}, nil
	}
	content, unread := os.ReadFile(text)
	if errors.Is(unread, os.ErrNotExist) || strings.ContainsRune(text, 0) {
		return nil, fmt.Errorf("%w, and no file has that name", err)
	}
	if unread != nil {
		return nil, unread
	}
	var all []journal.Head
	for i, line := range strings.Split(string(content), "\n") {
		if before, _, _ := strings.Cut(line, "#"); strings.TrimSpace(strings.TrimPrefix(before, "\ufeff")) == "" {
			continue
		}
		h, err := journal.ParseHead(strings.TrimPrefix(line, "\ufeff"))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", text, i+1, err)
		}
		all = append(all, h)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no head in it", text)
	}
	return all, nil
}

// headStatus is the exit status for each result of a head.
var headStatus = map[replay.HeadState]int{
	replay.HeadChanged: statusDifferent, replay.HeadNotFound: statusDifferent,
	replay.HeadMissing: statusDamaged, replay.HeadDamaged: statusDamaged, replay.HeadMistyped: statusUsage,
}

// printHeads prints the result of comparing the journals with the heads. If no head is of these journals, nothing was
// compared.
func (v *verifying) printHeads() error {
	results := v.heads.Results()
	compared, gone := false, false
	for _, r := range results {
		was := r.State
		v.whereRemoved(&r)
		compared = compared || r.State != replay.HeadOther && r.State != replay.HeadRemoved
		gone = gone || r.State == replay.HeadRemoved
		if r.File != nil || !v.unread || r.State != was { // otherwise it may be in a file that could not be read
			v.worst = max(v.worst, headStatus[r.State])
		}
		switch {
		case v.jsonl:
			if err := json.NewEncoder(v.e.out).Encode(r); err != nil {
				return err
			}
		case r.File != nil:
			fmt.Fprintf(v.e.out, "%s: %s\n", *r.File, r.Detail)
		default:
			fmt.Fprintln(v.e.out, r.Detail)
		}
	}
	if gone && !compared {
		return exit{max(v.worst, statusFailed), errors.New("no head was compared: the journals were removed; name a copy that was made before")}
	}
	if len(results) > 0 && !compared {
		return exit{max(v.worst, statusFailed), errors.New("none of the heads is of these journals: name the journals that they are of")}
	}
	return nil
}
