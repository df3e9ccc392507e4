package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"

	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/said"
	"boardwatchd/internal/show"
)

var decodeCommand = command{
	name: "decode", args: "FILE", brief: "the frames of a recording, one line each\n(latest:BOARD is the newest journal of a board)",
	example: "boardwatchd decode latest:board-1 | head",
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		format := formatFlag(fs)
		files, _, err := parseRecordings(e, fs, args)
		if err != nil {
			return err
		}
		if err := checkFormat(*format); err != nil {
			return err
		}
		if len(files) != 1 {
			return usage("name one recording; %d are given", len(files))
		}
		return decodeFile(e, files[0], *format)
	},
}

// frameLine is one frame as an object.
type frameLine struct {
	T      said.Seconds `json:"t"`
	Seq    int64        `json:"seq"`
	Offset int64        `json:"offset"`
	ID     string       `json:"id"`
	Name   string       `json:"name"`
	Hex    string       `json:"hex"`
	Text   string       `json:"text"`
}

func decodeFile(e *env, file, format string) (err error) {
	src, err := open(e, file)
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, src.Close()) }()
	out := bufio.NewWriter(e.out)
	var dec dgt.Decoder
	garbage := int64(0)
	err = replay.Inputs(src, func(r record.Record) {
		if r.Kind == record.Up || r.Kind == record.Down || r.Kind == record.Gap {
			dec.Abort()
			return
		}
		if r.Kind != record.Rx {
			return
		}
		dec.Feed(r.Body)
		for {
			f, ok := dec.Next()
			if !ok {
				break
			}
			printFrame(out, format, r, f)
		}
		if g := dec.Stats().Garbage; g != garbage {
			fmt.Fprintf(e.err, "boardwatchd decode: record %d: %d bytes that are no message\n", r.Seq, g-garbage)
			garbage = g
		}
	})
	if _, n := dec.Pending(); n > 0 {
		fmt.Fprintf(e.err, "boardwatchd decode: %d bytes of a message that does not end\n", n)
	}
	return firstError(err, out.Flush(), damaged(e, src))
}

func printFrame(out *bufio.Writer, format string, r record.Record, f dgt.Frame) {
	l := frameLine{
		T: said.Seconds(r.At), Seq: int64(r.Seq), Offset: f.Offset,
		ID: fmt.Sprintf("%02x", byte(f.ID)), Name: f.ID.String(), Hex: hex.EncodeToString(f.Data), Text: show.Frame(f),
	}
	if format == "jsonl" {
		b, _ := json.Marshal(l) // plain strings and numbers
		fmt.Fprintf(out, "%s\n", b)
		return
	}
	fmt.Fprintf(out, "%s %d %s %s %s\n", l.T.AppendTo(nil), l.Offset, l.ID, l.Name, l.Text)
}
