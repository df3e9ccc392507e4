// Package config turns a YAML file written by a person into a typed Config, or into a list of problems that the person
// can correct.
//
// It knows the keys, their ranges and their defaults: one table (schema.go) from which the reader, the defaults and the
// JSON Schema in configs/ are all made. It does not know the effect of the values. It opens no port and no file except
// the one to be loaded, and the arguments of ReadSecret and Channel.Look.
//
// # Secrets
//
// A configuration is readable by everybody and gets copied, so it contains no secrets: alerts.channels name files
// (token_file, secret_file), and an address with a user name in it is refused. A value that may be a secret by mistake
// is not repeated in a problem, and of an address only scheme and host are shown (Channel.Host): the topic of an ntfy
// server serves as a password.
//
// # Rule profiles
//
// A rule profile is YAML with every key of rules.Profile; twelve come with the program (configs/profiles), one file
// each, and --profile FILE.yaml takes another. The table of its keys is made of the fields of that struct, so a key
// that is added there is read, checked and in the JSON Schema at once. rules.Profile.Check decides what a valid rule
// set is; this package adds the place in the file to its errors. Config.Rules are the rule sets in force, complete,
// local rules included.
//
// # What it must survive
//
// It survives any input: unknown keys at every level, duplicates, wrong types, tabs, byte order marks, other encodings,
// empty files, several documents, anchors and aliases (refused, never expanded), huge and binary files. The cap is
// MaxBytes; at that size the worst input that was found takes 17 ms and allocates 8.5 MB in all on a busy 2-core
// machine (yaml.v3 spends about 260 bytes of memory per byte of `a: #`), against a bar of 50 ms and 16 MiB. A profile's
// file has at most 2.6 KB; the same cap holds for it.
//
// All problems are reported together, not only the first, as
//
//	file:line:column: key: what is wrong; the remedy
//
// # Why the tree is walked by hand
//
// yaml.v3's KnownFields loses its strictness below every custom UnmarshalYAML
// that calls node.Decode (measured: `typo: 2` was accepted there), and its
// errors have no columns. The walk over yaml.Node is about as long as the
// struct tags would have been.
//
// # The copy in the journal
//
// Core is the part on which decisions depend, for one board. Core.Canonical returns its only byte form, compact JSON
// with a fixed order of keys and integers in microseconds, and that goes into the journal's opening record: a replay
// depends on the journal alone and never on this file. Compatibility: keys may be added, with the behaviour of older
// programs as their default; none is renamed, removed or given another meaning, and the number in "v" rises only if
// that promise has to be broken. ParseCanonical refuses unknown keys, since they were written by a newer program whose
// decisions this one could not repeat.
//
// Added since: "rules", after "profile", a list of complete profiles (1.5 KB each; three for auto). Without the key
// there are no rules and no rulings, which was the behaviour of earlier programs.
package config
