// Package config turns a YAML file that a person wrote into a typed Config,
// or into a list of problems that the same person can mend.
//
// It knows the keys, their ranges and their defaults: one table (schema.go)
// from which the reader, the defaults and the JSON Schema in configs/ are all
// made. It does not know what the values do. It opens no port and touches no
// file but the one it is asked to load, and those that ReadSecret and
// Channel.Look are asked about.
//
// # Secrets
//
// A configuration is readable by everybody and gets copied, so it holds none:
// alerts.channels name files (token_file, secret_file), and an address with a
// user name in it is refused. What is written where a secret may stand by
// mistake is not repeated in a problem, and of an address only scheme and host
// are shown (Channel.Host): the topic of an ntfy server is half a password.
//
// # Rule profiles
//
// A rule profile is YAML with every key of rules.Profile; twelve come with the
// program (configs/profiles), one file each, and --profile FILE.yaml takes
// another. The table of its keys is made of the fields of that struct, so a
// key that is added there is read, checked and in the JSON Schema at once.
// rules.Profile.Check decides what is a rule set; here its answer gets a
// place in the file. Config.Rules are the rule sets in force, complete, local
// rules included.
//
// # What it must survive
//
// Anything at all: unknown keys at every level, duplicates, wrong types, tabs,
// byte order marks, other encodings, empty files, several documents, anchors
// and aliases (refused, never expanded), huge and binary files. The cap is
// MaxBytes; at that size the worst input that was found takes 17 ms and
// allocates 8.5 MB in all on a busy 2-core machine (yaml.v3 spends about 260
// bytes of memory per byte of `a: #`), against a bar of 50 ms and 16 MiB. A
// profile's file has at most 2.6 KB; the same cap holds for it.
//
// Every problem is reported at once, not only the first, as
//
//	file:line:column: key: what is wrong; what would be right
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
// Core is the part that decisions depend on, for one board. Core.Canonical
// gives its only byte form, compact JSON with a fixed order of keys and
// integers in microseconds, and that goes into the journal's opening record:
// a replay depends on the journal alone and never on this file. Compatibility:
// keys may be added, with the value that older programs behaved by as their
// default; none is renamed, removed or given another meaning, and the number
// in "v" rises only if that promise has to be broken. ParseCanonical refuses
// keys that it does not know, since they were written by a newer program whose
// decisions this one could not repeat.
//
// Added since: "rules", behind "profile", a list of complete profiles (1.5 KB
// each; three for auto). Without the key there are no rules and nothing is
// ruled on, which is how the programs before it behaved.
package config
