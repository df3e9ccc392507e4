// Package people says who is meant by the ids in journals.
//
// A journal cannot be changed without breaking its chain, and names must be removable. So a journal holds ids only: of players, of the
// devices of those who decide, and of the notes that they write. This package keeps what the ids stand for in one file beside the
// journals, people.json. Where the file is lost, nothing else is: ids are shown.
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
// Ids of players are random: nobody can find out from a journal whether it is about a certain name. A note's id is the first half of
// SHA-256 over salt and text, both as text: while the file has the note, the journal proves that it is the one that was written, and
// when it is removed nothing can be guessed from what is left, for the salt is gone with it. Day is when an entry was last needed, UTC.
//
// # What it promises
//
//   - Said answers with what is known, or with its argument: older journals hold names and notes themselves.
//   - Several programs may use one file: each change reads it again under a lock and replaces it as a whole.
//   - A file that cannot be read is set aside under another name and told by Warning. One that cannot be written is kept in memory,
//     told by Warning, and written when it can be: Flush tries.
//
// # Limits
//
// At most 8 MiB and 20,000 entries of each kind; of more, those that were needed longest ago go. What is on file goes at Forget, at Expire and
// with the file; copies elsewhere (exports, backups, the pages of phones) are not in this program's hands.
package people
