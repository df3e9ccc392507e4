// Package secretfile writes small files with secrets: only their owner may read them, and after a power cut a file has
// its old content or its new one.
//
// It does not know their content. The callers decide about a damaged file.
//
//	err := secretfile.Replace(path, body)                    // the directory is there
//	err = secretfile.ReadJSON(path, 1<<20, version, &state) // a file that is not there says nothing
//
// # The input it must survive
//
// A file that a crash has left half written beside the old one: it is overwritten, with the owner's rights.
//
// # Limits
//
// One writer for each path at a time. The whole content is in memory. Each call waits for the disk twice, for the
// content and for the name.
package secretfile
