package configs

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

// Example is a configuration with every key explained, all at their defaults.
//
//go:embed boardwatchd.example.yaml
var Example []byte

// Schema is the JSON Schema of the configuration.
//
//go:embed boardwatchd.schema.json
var Schema []byte

//go:embed profiles/*.yaml
var profiles embed.FS

const (
	profileDir = "profiles"
	profileExt = ".yaml"
)

// ProfileNames are the rule profiles that come with the program, in the order of the alphabet: one file each.
func ProfileNames() []string {
	entries, err := profiles.ReadDir(profileDir)
	if err != nil {
		panic("configs: internal error: " + err.Error()) // embedded
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), profileExt)
	}
	slices.Sort(names) // of names without extension: fide-blitz before fide-blitz-supervised
	return names
}

// Profile returns the YAML text of one of ProfileNames.
func Profile(name string) ([]byte, error) {
	text, err := profiles.ReadFile(profileDir + "/" + name + profileExt)
	if err != nil {
		return nil, fmt.Errorf("there is no rule profile %q; there are %s", name, strings.Join(ProfileNames(), ", "))
	}
	return text, nil
}
