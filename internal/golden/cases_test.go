package golden

import (
	"os"
	"path/filepath"
	"testing"

	"boardwatchd/internal/config"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/scenario"
	"boardwatchd/internal/sharedtest"
	"boardwatchd/internal/watch"
)

// cases are the program's own, and those beside the project where they are.
func cases(t *testing.T) (items []item) {
	for _, c := range scenario.Own() {
		items = append(items, caseItem("case ", c))
	}
	t.Run("the cases beside the project", func(t *testing.T) {
		path := sharedtest.Path(t, "scenarios", "scenarios.yaml")
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := scenario.Read(filepath.Base(path), src)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Cases {
			items = append(items, caseItem("public case ", c))
		}
	})
	return items
}

func caseItem(prefix string, c scenario.Case) item {
	return item{prefix + c.ID, func(said func(int64, record.Kind, []byte)) error {
		_, _, err := c.Play(scenario.Options{Record: func(r record.Record) error {
			if !r.Kind.Input() {
				said(r.At, r.Kind, r.Body)
			}
			return nil
		}})
		return err
	}}
}

// recordings are the public ones, as text, where they are.
func recordings(t *testing.T) (items []item) {
	t.Run("the recordings beside the project", func(t *testing.T) {
		for _, name := range []string{"dgtdriver-game1", "dgtdriver-game2-rotated", "dgtdriver-game3-johan"} {
			path := sharedtest.Path(t, "captures", name+".hex")
			items = append(items, item{"recording " + name, func(said func(int64, record.Kind, []byte)) error { return judge(path, said) }})
		}
	})
	return items
}

func judge(path string, said func(int64, record.Kind, []byte)) error {
	src, err := recording.Open(path, nil)
	if err != nil {
		return err
	}
	defer src.Close()
	_, _, err = replay.Run(src, replay.Options{
		Board: "1", Config: config.Default().Core(config.NewBoard("1", "")).Canonical(),
		Effect: func(cause record.Record, e watch.Effect) { said(cause.At, e.Kind, e.Body) },
	})
	return err
}
