// Package people keeps the names behind the ids in journals.
//
// A journal cannot be changed without breaking its chain, and names must be removable. So a journal holds ids only: of
// players, of the devices of people who decide, and of the notes that they write. This package keeps the texts of the
// ids in one file beside the journals, people.json. If the file is lost, only the texts are: ids are shown.
//
//	book := people.Open("/var/lib/boardwatchd/people.json", time.Now)
//	id := book.Player("Ivanova, Anna") // "p-7k3m9q2x4v", the same at every call
//	book.Said(id)                      // "Ivanova, Anna"
//
// # The file
//
//	{"version": 1,
//	 "players": [{"id": "p-7k3m9q2x4v", "name": "Ivanova, Anna", "day": "2026-11-23"}],
//	 "devices": [{"id": "7k3m9q2x4v", "name": "Anna's phone", "day": "2026-11-23"}],
//	 "notes": [{"id": "n-32 hex digits", "salt": "32 hex digits", "text": "seen by two arbiters", "day": "2026-11-23"}]}
//
// Ids of players are random: a journal does not reveal whether it is about a certain name. A note's id is the first
// half of SHA-256 over salt and text, both as text: while the file has the note, the journal proves that it is
// unchanged, and after its removal nothing can be guessed from the rest, because the salt is removed with it. Day is
// the day on which an entry was last needed, UTC.
//
// # Promises
//
//   - Said returns the known text, or its argument: older journals contain names and notes themselves.
//   - Several programs may use one file: each change reads it again under a lock and replaces it as a whole.
//   - A file that cannot be read is set aside under another name and reported by Warning. Changes that cannot be
//     written are kept in memory, reported by Warning, and written when possible: Flush tries.
//   - Said and Named never wait for the disk. The next change, or Flush, writes the names that Named has received.
//
// # Limits
//
// At most 8 MiB and 20,000 entries of each kind; beyond that, those needed longest ago are removed. Entries are removed
// by Forget, by Expire and with the file; this program does not control copies elsewhere (exports, backups, the pages
// of phones).
package people
