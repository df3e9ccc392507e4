package daemon

import (
	"sync/atomic"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/hall/roster"
)

// A room is the space on a hall's disk for what the computers send. If there is too little the hall takes no more
// journals, so that waiting decisions, phones and the round can still be saved.
type room struct {
	dir        string
	least      int64       // bytes; 0: no limit
	testWrites atomic.Bool // the directory took no file at the start: it is tried until it does
	lacks      atomic.Value
	sizes      atomic.Pointer[map[string]int64] // of the mirrored journals, by computer
}

// fewFiles is for how many more files the disk must have room: a computer could fill it with empty ones.
const fewFiles = 1000

// readOnly is ST_RDONLY of Linux, MNT_RDONLY of others.
const readOnly = 1

// full reports whether there is too little room. A reported lack stays until there is clearly more.
func (r *room) full() bool {
	var s unix.Statfs_t
	takes := !r.testWrites.Load() || takesFiles(r.dir) == nil
	if takes && unix.Statfs(r.dir, &s) != nil {
		return r.why() != ""
	}
	if !takes || int64(s.Flags)&readOnly != 0 {
		r.lacks.Store(roster.NoWrite)
		return true
	}
	r.testWrites.Store(false)
	why := lacking(int64(s.Bavail)*int64(s.Bsize), r.least, int64(s.Files), int64(s.Ffree), r.why())
	r.lacks.Store(why)
	return why != ""
}

// why is the reason for too little room; "": there is enough.
func (r *room) why() roster.NoRoom {
	why, _ := r.lacks.Load().(roster.NoRoom) // nil before the first look
	return why
}

// lacking determines what is too little. A file system without a number of files reports 0.
func lacking(free, least, files, freeFiles int64, told roster.NoRoom) roster.NoRoom {
	few := int64(fewFiles)
	if told != "" {
		least, few = least/4*5, few*2
	}
	switch {
	case free < least:
		return roster.NoSpace
	case files > 0 && freeFiles < few:
		return roster.NoFiles
	}
	return ""
}

// mirrored is how many bytes of a computer's journals are here, or with "" of all.
func (r *room) mirrored(computer string) int64 {
	of := r.sizes.Load()
	switch {
	case of == nil:
		return 0
	case computer == "":
		return sum(*of)
	}
	return (*of)[computer]
}
