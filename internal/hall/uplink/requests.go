package uplink

// requests are the ids of what people told a board, with the numbers of the records: a second one is not carried out
// again.
type requests struct {
	seqs  map[string]int64
	order []string
	under map[string]bool // handed to the board, and the outcome is not known
}

// keptRequests is how many are remembered for each board. A phone asks again within minutes.
const keptRequests = 4096

func (r *requests) add(id string, seq int64) {
	if r.seqs == nil {
		r.seqs = map[string]int64{}
	}
	if _, ok := r.seqs[id]; !ok {
		r.order = append(r.order, id)
	}
	r.seqs[id] = seq
	if len(r.order) > keptRequests {
		delete(r.seqs, r.order[0])
		r.order = r.order[1:]
	}
}

// hand notes that the board is given a request, over that its outcome is known.
func (r *requests) hand(id string) {
	if id == "" {
		return
	}
	if r.under == nil {
		r.under = map[string]bool{}
	}
	r.under[id] = true
}

func (r *requests) over(id string)        { delete(r.under, id) }
func (r *requests) handed(id string) bool { return r.under[id] }

// forget lets a request be carried out anew.
func (r *requests) forget(id string) { delete(r.seqs, id) }

// seq is the number of a request's record; 0: it was not told.
func (r *requests) seq(id string) int64 { return r.seqs[id] }
