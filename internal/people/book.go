package people

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"boardwatchd/internal/disk"
	"boardwatchd/rules/words"
)

// A Book is one file of names. Its methods may be called from any goroutine.
type Book struct {
	path string
	now  func() time.Time

	said  atomic.Pointer[map[string]string] // texts by id; readers never wait for the disk
	named sync.Map                          // names by id that Named received and that are not in known yet

	mu      sync.Mutex // guards the following fields, and is held while the file is written
	known   entries
	pending []change       // changes that the file does not contain yet
	version os.FileInfo    // of the file as last read or written; nil: there was none
	damaged words.Sentence // report on a file that could not be understood; empty: none was
	unread  error          // the file exists and cannot be read
	unsaved error          // the reason why the file is not up to date
}

// A change is applied to the present content of the file, and reports whether it changed anything.
type change func(*entries) bool

// Open reads the file. A missing one counts as empty; a damaged one is renamed, so that it is not overwritten.
func Open(path string, now func() time.Time) *Book {
	b := &Book{path: path, now: now}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load()
	return b
}

// Read opens a book for programs that only show journals: it never writes. The error is a *DamagedError or the
// system's; the book is then empty.
func Read(path string) (*Book, error) {
	e, err := read(path)
	b := &Book{now: time.Now}
	b.know(e)
	return b, err
}

// Said returns the text of an id, or its argument. Texts of a journal pass through it before people see them. A nil
// book is empty.
func (b *Book) Said(text string) string {
	if b == nil {
		return text
	}
	if name, ok := b.named.Load(text); ok {
		return name.(string)
	}
	if name, ok := (*b.said.Load())[text]; ok {
		return name
	}
	return text
}

// Player returns the id of a name, and makes one if there is none. An empty name has an empty id.
func (b *Book) Player(name string) (id string) {
	if name == "" || !plain(name) {
		return name
	}
	b.lock()
	defer b.mu.Unlock()
	fresh := "p-" + strings.ToLower(rand.Text()[:10])
	b.change(func(e *entries) bool {
		i := slices.IndexFunc(e.Players, func(x Entry) bool { return x.Name == name })
		if i < 0 {
			e.Players, i = append(e.Players, Entry{ID: fresh, Name: name}), len(e.Players)
		}
		id = e.Players[i].ID
		return b.touch(&e.Players[i].Day) || id == fresh
	})
	return id
}

// PlayersOf is Player for many names, with one write. The ids have the order of the names.
func (b *Book) PlayersOf(names []string) []string {
	ids := make([]string, len(names))
	fresh := map[string]string{}
	for _, name := range names {
		fresh[name] = "p-" + strings.ToLower(rand.Text()[:10])
	}
	b.lock()
	defer b.mu.Unlock()
	b.change(func(e *entries) (changed bool) {
		known := make(map[string]int, len(e.Players))
		for i := len(e.Players) - 1; i >= 0; i-- {
			known[e.Players[i].Name] = i
		}
		for n, name := range names {
			if ids[n] = name; name == "" || !plain(name) {
				continue
			}
			i, ok := known[name]
			if !ok {
				i = len(e.Players)
				e.Players, known[name], changed = append(e.Players, Entry{ID: fresh[name], Name: name}), i, true
			}
			ids[n] = e.Players[i].ID
			changed = b.touch(&e.Players[i].Day) || changed
		}
		return changed
	})
	return ids
}

// Named adds names of players who got their ids on other computers, and reports whether there were new ones. It never
// waits for the disk: Flush or the next change writes them.
func (b *Book) Named(players map[string]string) (fresh bool) {
	for id, name := range players {
		if strings.HasPrefix(id, "p-") && plain(id) && name != "" && plain(name) {
			fresh = fresh || b.Said(id) != name
			b.named.Store(id, name)
		}
	}
	return fresh
}

// lock locks the book and adds the names that Named has received.
func (b *Book) lock() {
	b.mu.Lock()
	players := map[string]string{}
	b.named.Range(func(id, name any) bool {
		players[id.(string)] = name.(string)
		return true
	})
	if len(players) == 0 {
		return
	}
	b.note(func(e *entries) (changed bool) {
		known := make(map[string]int, len(e.Players))
		for i := range e.Players {
			known[e.Players[i].ID] = i
		}
		for _, id := range slices.Sorted(maps.Keys(players)) {
			i, ok := known[id]
			if !ok {
				i = len(e.Players)
				e.Players = append(e.Players, Entry{ID: id})
			}
			renamed := e.Players[i].Name != players[id]
			e.Players[i].Name = players[id]
			changed = b.touch(&e.Players[i].Day) || renamed || changed
		}
		return changed
	})
	for id, name := range players {
		b.named.CompareAndDelete(id, name)
	}
}

// Device stores the name of a device.
func (b *Book) Device(id, name string) {
	if id == "" || name == "" || !plain(id) || !plain(name) {
		return
	}
	b.lock()
	defer b.mu.Unlock()
	b.change(func(e *entries) bool {
		i := slices.IndexFunc(e.Devices, func(x Entry) bool { return x.ID == id })
		if i < 0 {
			e.Devices, i = append(e.Devices, Entry{ID: id}), len(e.Devices)
		}
		renamed := e.Devices[i].Name != name
		e.Devices[i].Name = name
		return b.touch(&e.Devices[i].Day) || renamed
	})
}

// Note stores a note and returns the text for the journal. That is the note's id, or the note itself if it cannot be
// stored on the disk, because it must not be lost.
func (b *Book) Note(text string) string {
	if text == "" || len(text) > maxText {
		return text
	}
	b.lock()
	defer b.mu.Unlock()
	salt := hex.EncodeToString(random(16))
	id := noteID(salt, text)
	b.change(func(e *entries) bool {
		e.Notes = append(e.Notes, Note{ID: id, Salt: salt, Text: text, Day: b.today()})
		return true
	})
	if b.unsaved == nil {
		return id
	}
	b.pending = b.pending[:len(b.pending)-1] // this note's
	e := b.known.clone()
	e.drop(func(x, _ string) bool { return x == id })
	b.know(e)
	return text
}

// random returns random bytes. It never fails: crypto/rand ends the program instead.
func random(n int) []byte {
	body := make([]byte, n)
	rand.Read(body)
	return body
}

func noteID(salt, text string) string {
	sum := sha256.Sum256([]byte(salt + text))
	return "n-" + hex.EncodeToString(sum[:16])
}

// Forget removes the texts of ids, and returns unknown ids. The error says that the file still contains them.
func (b *Book) Forget(ids ...string) (unknown []string, err error) {
	b.lock()
	defer b.mu.Unlock()
	b.refresh()
	for _, id := range ids {
		if _, ok := (*b.said.Load())[id]; !ok {
			unknown = append(unknown, id)
		}
	}
	b.change(func(e *entries) bool {
		return e.drop(func(id, _ string) bool { return slices.Contains(ids, id) })
	})
	return unknown, b.unsaved
}

// longestRest is the longest plausible time in days without use of a list, from one yearly event to the next. After a
// longer time the clock may be wrong.
const longestRest = 400

// firstDay is earlier than any list of this program: an earlier date comes from a computer whose clock was not set.
const firstDay = "2026-01-01"

// Expire removes entries that were not needed for that number of days; 0 removes none. A clock that may be wrong
// removes nothing on its first day: on the very first day of all, or after more than 400 days without one.
func (b *Book) Expire(days int) (gone int, err error) {
	if days <= 0 {
		return 0, nil
	}
	b.lock()
	defer b.mu.Unlock()
	now, today := b.now().UTC(), b.today()
	limit := now.AddDate(0, 0, -days).Format(dayLayout)
	b.change(func(e *entries) bool {
		gone = 0
		if e.Looked < now.AddDate(0, 0, -longestRest).Format(dayLayout) {
			e.Doubted = today
		}
		looked := e.Looked != today
		e.Looked = today
		if e.Doubted == today {
			e.date(today)
			return looked
		}
		return e.drop(func(_, day string) bool {
			old := day < limit
			if old {
				gone++
			}
			return old
		}) || looked
	})
	return gone, b.unsaved
}

// date sets the day of entries that have none.
func (e *entries) date(today string) {
	for _, list := range [][]Entry{e.Players, e.Devices} {
		for i := range list {
			if list[i].Day < firstDay {
				list[i].Day = today
			}
		}
	}
	for i := range e.Notes {
		if e.Notes[i].Day < firstDay {
			e.Notes[i].Day = today
		}
	}
}

// drop removes the entries for which the function returns true.
func (e *entries) drop(which func(id, day string) bool) bool {
	before := len(e.Players) + len(e.Devices) + len(e.Notes)
	ofEntry := func(x Entry) bool { return which(x.ID, x.Day) }
	e.Players, e.Devices = slices.DeleteFunc(e.Players, ofEntry), slices.DeleteFunc(e.Devices, ofEntry)
	e.Notes = slices.DeleteFunc(e.Notes, func(x Note) bool { return which(x.ID, x.Day) })
	return len(e.Players)+len(e.Devices)+len(e.Notes) != before
}

// Players returns the players in the book, in the order in which they were added; Devices and Notes likewise.
func (b *Book) Players() []Entry { return list(b, &b.known.Players) }

// Devices returns the devices of people who have decided.
func (b *Book) Devices() []Entry { return list(b, &b.known.Devices) }

// Notes returns the notes that people have written.
func (b *Book) Notes() []Note { return list(b, &b.known.Notes) }

func list[T any](b *Book, of *[]T) []T {
	b.lock()
	defer b.mu.Unlock()
	return slices.Clone(*of)
}

// Flush reads the file if another program has changed it, and writes unsaved changes.
func (b *Book) Flush() {
	b.lock()
	defer b.mu.Unlock()
	b.refresh()
	if gone := b.version != nil && stat(b.path) == nil; gone || len(b.pending) > 0 || b.unsaved != nil {
		b.write()
	}
}

// Warning returns the problem of the file, as a sentence of the page's texts; empty: none.
func (b *Book) Warning() words.Sentence {
	b.lock()
	defer b.mu.Unlock()
	switch {
	case b.unsaved != nil:
		return words.Say("notice.people_unsaved", disk.WhyAt(b.unsaved))
	case b.unread != nil:
		return words.Say("notice.people_unread", disk.WhyAt(b.unread))
	default:
		return b.damaged
	}
}

func (b *Book) today() string { return b.now().UTC().Format(dayLayout) }

// touch notes that an entry is needed today.
func (b *Book) touch(day *string) bool {
	if today := b.today(); *day < today {
		*day = today
		return true
	}
	return false
}

// know replaces the known entries by the content of a file.
func (b *Book) know(e entries) {
	b.known = e
	said := make(map[string]string, len(e.Players)+len(e.Devices)+len(e.Notes))
	for _, x := range e.Players {
		said[x.ID] = x.Name
	}
	for _, x := range e.Devices {
		said[x.ID] = x.Name
	}
	for _, x := range e.Notes {
		said[x.ID] = x.Text
	}
	b.said.Store(&said)
}
