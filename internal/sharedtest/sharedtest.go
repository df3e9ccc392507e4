package sharedtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file in $BOARDWATCHD_SHARED, or in ../shared beside the project, and skips the test if it
// is missing.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	root := os.Getenv("BOARDWATCHD_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for !isFile(filepath.Join(dir, "go.mod")) {
			up := filepath.Dir(dir)
			if up == dir {
				t.Skip("no go.mod above the test: set BOARDWATCHD_SHARED to the folder that holds captures/ and data/")
			}
			dir = up
		}
		root = filepath.Join(filepath.Dir(dir), "shared")
	}
	path := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the test material is not here (%v): set BOARDWATCHD_SHARED to the folder that holds captures/ and data/", err)
	}
	return path
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
