package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"boardwatchd/configs"
)

var update = flag.Bool("update", false, "write configs/boardwatchd.schema.json anew")

func TestExampleEqualsTheDefaults(t *testing.T) {
	got, err := Parse("boardwatchd.example.yaml", configs.Example)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, Default()) {
		t.Errorf("the example says %+v\nthe defaults are   %+v", got, Default())
	}
}

// exampleWithEntries returns the example with its commented lists of boards and channels filled in.
func exampleWithEntries() string {
	lines := strings.Split(string(configs.Example), "\n")
	inside := ""
	for i, l := range lines {
		indent := l[:len(l)-len(strings.TrimLeft(l, " "))]
		switch commented := strings.TrimPrefix(l, indent+"# "); {
		case l == "boards: []" || l == "  channels: []":
			lines[i] = ""
		case l == "# boards:" || l == "  # channels:":
			inside = indent + "#"
			lines[i] = indent + commented
		case inside == "" || !strings.HasPrefix(l, inside):
			inside = ""
		default:
			lines[i] = indent + commented
		}
	}
	return strings.Join(lines, "\n")
}

func TestExampleBoardEqualsItsDefaults(t *testing.T) {
	got, err := Parse("boardwatchd.example.yaml", []byte(exampleWithEntries()))
	if err != nil {
		t.Fatal(err)
	}
	if want := []Board{NewBoard("board1", Auto)}; !reflect.DeepEqual(got.Boards, want) {
		t.Errorf("the example's board is %+v, want %+v", got.Boards, want)
	}
}

func TestExampleChannelEqualsItsDefaults(t *testing.T) {
	got, err := Parse("boardwatchd.example.yaml", []byte(exampleWithEntries()))
	if err != nil {
		t.Fatal(err)
	}
	var want Channel
	setDefaults(channelKeys, &want)
	want.Name, want.Type, want.URL = "hall-tablet", Ntfy, "http://192.168.1.10:8090/arbiters"
	if !reflect.DeepEqual(got.Alerts.Channels, []Channel{want}) {
		t.Errorf("the example's channels are %+v, want %+v", got.Alerts.Channels, want)
	}
}

// Every key of the table is in the example, at its place, with a comment above it that names the range.
func TestExampleExplainsEveryKey(t *testing.T) {
	lines := strings.Split(exampleWithEntries(), "\n")
	// The key is looked for after the line of its section, because names occur twice (boards).
	var walk func(keys []key, indent string, after int, table string)
	walk = func(keys []key, indent string, after int, table string) {
		for _, k := range keys {
			if k.kind == retired {
				continue
			}
			written := regexp.MustCompile("^" + indent + "(- )?" + k.name + ":")
			at := -1
			for i := after; i < len(lines) && at < 0; i++ {
				if written.MatchString(lines[i]) {
					at = i
				}
			}
			if at < 0 {
				t.Errorf("%s is not in the example", k.name)
				continue
			}
			above := ""
			for i := at - 1; i >= 0 && strings.Contains(lines[i], "#"); i-- {
				above = lines[i] + above
			}
			if above == "" && k.kind == decimal {
				above = table // a table of figures has one explanation as a whole
			}
			if above == "" && k.kind != section && k.kind != list {
				t.Errorf("%s is not explained", k.name)
			}
			for _, c := range k.choices {
				if !strings.Contains(above, c) {
					t.Errorf("%s: the value %s is not mentioned", k.name, c)
				}
			}
			if k.kind == duration || k.kind == size {
				for _, end := range regexp.MustCompile(`from (\S+) to (\S+),`).FindStringSubmatch(k.bounds())[1:] {
					if !regexp.MustCompile(`\b` + end + `\b`).MatchString(above) {
						t.Errorf("%s: the bound %s is not mentioned in %q", k.name, end, above)
					}
				}
			}
			if k.kind == section {
				if above == "" {
					above = table
				}
				walk(k.sub, indent+"  ", at, above)
			} else if k.kind == list {
				walk(k.sub, indent+"  (  )?", at, "")
			}
		}
	}
	walk(root, "", 0, "")
}

func TestSchemaIsFresh(t *testing.T) {
	const path = "../../configs/boardwatchd.schema.json"
	if *update {
		if err := os.WriteFile(path, JSONSchema(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(configs.Schema, JSONSchema()) {
		t.Error("configs/boardwatchd.schema.json is stale: go test ./internal/config -run Schema -update")
	}
	if !json.Valid(configs.Schema) {
		t.Error("not JSON")
	}
}

// The schema's patterns accept every default, so that an editor does not
// complain about the example.
func TestSchemaAcceptsTheDefaults(t *testing.T) {
	var walk func(keys []key)
	walk = func(keys []key) {
		for _, k := range keys {
			if s := k.schema(); s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(k.def) {
				t.Errorf("%s: %q does not match %s", k.name, k.def, s.Pattern)
			}
			walk(k.sub)
		}
	}
	walk(root)
}
