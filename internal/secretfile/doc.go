// Package secretfile writes small files that hold secrets: nobody but their owner may read them, and after a power cut
// there is the old content or the new one.
//
// It does not know what stands in them. What to do with a damaged one is the callers' business.
//
//	err := secretfile.Replace(path, body)                    // the directory is there
//	err = secretfile.ReadJSON(path, 1<<20, version, &state) // a file that is not there says nothing
//
// # The input it must survive
//
// A file that a crash has left half written beside the old one: it is written over, with the owner's rights.
//
// # Limits
//
// One writer for each path at a time. The content is in memory as a whole. Each call waits for the disk twice, for the
// content and for the name.
package secretfile
