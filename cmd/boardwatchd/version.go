package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"

	"boardwatchd/internal/watch"
)

// version is the program's version. Release builds set it with -ldflags "-X main.version=1.2.3".
var version = "0.1.0-dev"

var versionCommand = command{
	name: "version", brief: "version, revision of the core, Go version",
	example: "boardwatchd version",
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return usage("%q: version takes no arguments", rest[0])
		}
		fmt.Fprintf(e.out, "boardwatchd %s, core revision %s, %s %s/%s\n", version, watch.Revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return nil
	},
}
