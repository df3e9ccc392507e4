package scenario

import (
	"sync"

	"boardwatchd/configs"
)

// Own returns the cases that come with the program, by file and in the order of each file. The slice is shared and must
// not be changed.
func Own() []Case { return own() }

var own = sync.OnceValue(func() (cases []Case) {
	const dir = "cases"
	entries, err := configs.Cases.ReadDir(dir)
	must(err)
	for _, e := range entries {
		src, err := configs.Cases.ReadFile(dir + "/" + e.Name())
		must(err)
		f, err := Read("configs/cases/"+e.Name(), src)
		must(err)
		cases = append(cases, f.Cases...)
	}
	return cases
})

// Near returns a hint if an id is nearly one of the list, " (did you mean …?)", or "".
func Near(id string, ids []string) string { return near(id, ids) }

func must(err error) {
	if err != nil {
		panic("scenario: internal error: " + err.Error()) // embedded files, tested
	}
}
