package hub

import (
	"testing"

	"boardwatchd/internal/hall/members"
)

// Strangers in the hall's network must not use up the descriptors of the process, and leave room for all members.
func TestTheServerHasABoundOfConnections(t *testing.T) {
	t.Parallel()
	const descriptors = 16384 // of a hall: internal/daemon
	h := &Hub{opt: Options{Listen: "127.0.0.1:0"}}
	o, err := h.serverOptions()
	if err != nil {
		t.Fatal(err)
	}
	if o.MaxConn < members.MaxComputers || o.MaxConn > descriptors/2 {
		t.Errorf("%d connections", o.MaxConn)
	}
}
