package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"boardwatchd/internal/daemon"
	"boardwatchd/internal/people"
	"boardwatchd/internal/web/page"
)

// peopleFile has the names for the ids in the journals beside it.
const peopleFile = "people.json"

var peopleCommand = command{
	name: "people", args: "[-c FILE] [--format text|jsonl] [forget ID…]", words: []string{"forget"},
	brief:   "who is meant by the ids in journals, and notes; forget removes a name or a note for good, also while boards are watched",
	example: "boardwatchd people forget n-5b1f0c3a9d2e4f60718293a4b5c6d7e8",
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		file := fs.String("c", "", "configuration file, for the directory of the journals")
		format := formatFlag(fs)
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if err := checkFormat(*format); err != nil {
			return err
		}
		if len(rest) == 1 || len(rest) > 0 && rest[0] != "forget" {
			return usage("%q: people takes nothing, or forget and the ids of what is to be forgotten", strings.Join(rest, " "))
		}
		book, path, err := openPeople(e, *file)
		switch {
		case err != nil:
			return err
		case len(rest) > 0:
			return forget(e, book, path, rest[1:])
		default:
			return listPeople(e, book, path, *format)
		}
	},
}

func openPeople(e *env, file string) (book *people.Book, path string, err error) {
	conf, err := loadConfig(file)
	if err != nil {
		return nil, "", err
	}
	dir, err := conf.StateDirectory(e.getenv)
	if err != nil {
		return nil, "", exit{statusUsage, err}
	}
	path = filepath.Join(dir, peopleFile)
	book = people.Open(path, time.Now)
	if warning := book.Warning(); !warning.IsZero() {
		fmt.Fprintf(e.err, "boardwatchd: %s\n", page.English(warning))
	}
	return book, path, nil
}

func forget(e *env, book *people.Book, path string, ids []string) error {
	unknown, err := book.Forget(ids...)
	if err != nil {
		return err
	}
	if n := len(ids) - len(unknown); n > 0 && !e.quiet {
		fmt.Fprintf(e.out, "%d forgotten; a daemon that runs shows it on its page until it is started again\n", n)
	}
	if len(unknown) > 0 {
		return fmt.Errorf("nothing in %s has the id %s; boardwatchd people lists them", path, strings.Join(unknown, ", "))
	}
	return nil
}

// A person is one line of the list.
type person struct {
	Kind string `json:"kind"` // player, device, note
	ID   string `json:"id"`
	Day  string `json:"day"` // when it was last needed
	Text string `json:"text"`
}

func listPeople(e *env, book *people.Book, path, format string) error {
	var all []person
	for _, x := range book.Players() {
		all = append(all, person{"player", x.ID, x.Day, x.Name})
	}
	for _, x := range book.Devices() {
		all = append(all, person{"device", x.ID, x.Day, x.Name})
	}
	for _, x := range book.Notes() {
		all = append(all, person{"note", x.ID, x.Day, x.Text})
	}
	if format == "jsonl" {
		out := json.NewEncoder(e.out)
		for _, p := range all {
			if err := out.Encode(p); err != nil {
				return err
			}
		}
		return nil
	}
	if len(all) == 0 {
		fmt.Fprintf(e.out, "no names and no notes are kept in %s\n", path)
		return nil
	}
	w := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KIND\tID\tLAST NEEDED\tTEXT")
	for _, p := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", p.Kind, p.ID, p.Day, strings.Join(strings.Fields(p.Text), " "))
	}
	return w.Flush()
}

// peopleOf reads the names for the ids in a recording. If they are not available the ids are shown, with the reason.
func peopleOf(e *env, file, names string) *people.Book {
	path := names
	if path == "" {
		path = filepath.Join(daemon.StateOf(file), peopleFile)
	}
	book, err := people.Read(path)
	if err == nil && names != "" {
		_, err = os.Stat(names)
	}
	if err != nil {
		fmt.Fprintf(e.err, "boardwatchd: %v\n", err)
	}
	return book
}
