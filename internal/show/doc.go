// Package show renders the machine's output (the JSON objects that docs/api.md describes) as lines for people, and a
// board's frames for people who examine the wire.
//
// It knows the objects' fields, and not their source. Unknown objects, and bytes that are no object, are shown
// unchanged, so that nothing is hidden. It keeps no state: each line depends on its own object alone.
package show
