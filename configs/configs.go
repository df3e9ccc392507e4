package configs

import _ "embed"

// Example is a configuration with every key explained, all at their defaults.
//
//go:embed boardwatchd.example.yaml
var Example []byte

// Schema is the JSON Schema of the configuration.
//
//go:embed boardwatchd.schema.json
var Schema []byte
