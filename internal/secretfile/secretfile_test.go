package secretfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReplaceMakesAndReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	for _, body := range []string{"one", "another, longer", ""} {
		if err := Replace(path, []byte(body)); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		info, serr := os.Stat(path)
		if err != nil || serr != nil || string(b) != body || info.Mode().Perm() != Mode {
			t.Errorf("%q %v %v %v", b, info.Mode(), err, serr)
		}
	}
}

func TestALeftoverOfACrashIsNoObstacle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path+".new", []byte("half of something that everybody may read"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != Mode || info.Size() != 1 {
		t.Errorf("%v %v", info, err)
	}
	if _, err := os.Stat(path + ".new"); err == nil {
		t.Error("the leftover is still there")
	}
}

func TestARenameThatFailsLeavesNothingBehind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := os.Mkdir(path, 0o700); err != nil { // no file takes its place
		t.Fatal(err)
	}
	if err := Replace(path, []byte("new")); err == nil {
		t.Fatal("no error")
	}
	if _, err := os.Stat(path + ".new"); err == nil {
		t.Error("the new file is still there")
	}
}

func TestWhatCannotBeWrittenLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "key")
	if err := os.Mkdir(path+".new", 0o700); err != nil { // in the way
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("old"), Mode); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("new")); err == nil {
		t.Fatal("no error")
	}
	if b, err := os.ReadFile(path); string(b) != "old" || err != nil {
		t.Errorf("%q %v", b, err)
	}
}

func TestNothingIsReadWhereThereIsNoDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	into := struct{ N int }{7}
	for _, path := range []string{file + "-2", filepath.Join(file, "round.json")} {
		if err := ReadJSON(path, 1<<10, 1, &into); err != nil || into.N != 7 {
			t.Errorf("%s: %v, %+v", path, err, into)
		}
	}
}
