package alerttest

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
)

// helperWord turns the test binary into the helper.
const helperWord = "alerttest-helper"

// Helper belongs at the beginning of TestMain. Started with HelperCommand, the test binary posts its standard input to
// the receiver and ends: 0 for 2xx; 75 for 408, 429, 5xx and for no answer; else 1. Otherwise it returns at once.
func Helper() {
	if len(os.Args) != 3 || os.Args[1] != helperWord {
		return
	}
	os.Exit(help(os.Args[2]))
}

// HelperCommand returns the program and its arguments. A program with the race detector sleeps for a second when it
// ends, unless GORACE tells it otherwise.
func HelperCommand(url string) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the test binary: %w", err)
	}
	env, err := exec.LookPath("env")
	if err != nil {
		return nil, fmt.Errorf("find env: %w", err)
	}
	return []string{env, "GORACE=atexit_sleep_ms=0", self, helperWord, url}, nil
}

const tempFail = 75

func help(url string) int {
	// No client timeout: the process that started the helper ends it.
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	req, err := http.NewRequest(http.MethodPost, url, os.Stdin)
	if err != nil {
		return 1
	}
	req.Header.Set("X-Board", os.Getenv("BOARDWATCHD_BOARD"))
	req.Header.Set("X-Version", os.Getenv("BOARDWATCHD_VERSION"))
	resp, err := client.Do(req)
	if err != nil {
		fmt.Fprintln(os.Stderr, "no answer; the link was", os.Getenv("BOARDWATCHD_ACK_URL"))
		return tempFail
	}
	defer func() { _ = resp.Body.Close() }()
	switch s := resp.StatusCode; {
	case s/100 == 2:
		return 0
	case s == http.StatusRequestTimeout, s == http.StatusTooManyRequests, s/100 == 5:
		fmt.Fprintln(os.Stderr, "later:", s, os.Getenv("BOARDWATCHD_ACK_URL"))
		return tempFail
	default:
		fmt.Fprintln(os.Stderr, "never:", s, os.Getenv("BOARDWATCHD_ACK_URL"))
		return 1
	}
}
