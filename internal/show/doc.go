// Package show renders what the machine said (the JSON objects that docs/api.md describes) as lines for people, and the
// frames of a board for who looks at the wire.
//
// It knows the objects' fields and nothing of where they come from. Objects it does not know, and bytes that are no
// object, are shown as they are, so that nothing is hidden. It keeps nothing: each line is made of its own object
// alone.
package show
