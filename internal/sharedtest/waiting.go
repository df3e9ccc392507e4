package sharedtest

import (
	"flag"
	"strconv"
)

// Waiting is for TestMain of a package whose tests mostly wait: n of its parallel tests run at once, unless the command
// line sets the number.
func Waiting(n int) {
	flag.Parse()
	isSet := false
	flag.Visit(func(f *flag.Flag) { isSet = isSet || f.Name == "test.parallel" || f.Name == "test.cpu" })
	if !isSet {
		_ = flag.Set("test.parallel", strconv.Itoa(n)) // the flag is the testing package's own
	}
}
