package configs

import "embed"

// Cases are the program's own arbiter cases, in the form of the arbiters' case file: demonstrations, rehearsals and
// tests.
//
//go:embed cases/*.yaml
var Cases embed.FS
