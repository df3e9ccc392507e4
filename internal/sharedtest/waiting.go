package sharedtest

import (
	"flag"
	"strconv"
)

// Waiting is for TestMain of a package whose tests wait much and compute little: n of its parallel tests run at once,
// unless the command says how many.
func Waiting(n int) {
	flag.Parse()
	isSet := false
	flag.Visit(func(f *flag.Flag) { isSet = isSet || f.Name == "test.parallel" || f.Name == "test.cpu" })
	if !isSet {
		_ = flag.Set("test.parallel", strconv.Itoa(n)) // the flag is the testing package's own
	}
}
