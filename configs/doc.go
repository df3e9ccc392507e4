// Package configs holds the files that people copy and edit, embedded so that
// the one binary carries them.
//
// It knows their bytes and nothing else: the example, the schema, the rule
// profiles and the cases. What the keys mean and how they are
// checked is internal/config's; tests there keep the example equal to the
// defaults and the schema equal to the table of keys:
//
//	go test ./internal/config -run Schema -update
package configs
