package hub

import (
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/members"
)

// Bounds of the server.
const (
	maxStored  = 1 << 30 // bytes of JetStream's files
	maxPayload = 1 << 20
	// maxInMemory limits JetStream in memory, in bytes: a message that is dropped there before the hall has it is
	// fetched from the board.
	maxInMemory = 16 << 20
	keptFor     = 24 * time.Hour
	// maxConns limits the connections, those of strangers included, because each holds a descriptor, and the mirror and
	// the page need descriptors too. It is twice the members, since a computer that comes back may still have its
	// earlier connection.
	maxConns = 2*members.MaxComputers + 64
)

func (h *Hub) streamDir() string { return filepath.Join(h.opt.Dir, "jetstream") }

// storeDir is the directory for the server's files; the server needs one for a stream in memory as well.
func (h *Hub) storeDir() (dir string, err error) {
	if !h.inMemory {
		return h.streamDir(), nil
	}
	if h.opt.Memory == "" {
		h.tempDir, err = os.MkdirTemp("", "boardwatchd-hall-")
		return h.tempDir, err
	}
	h.tempDir = filepath.Join(h.opt.Memory, "jetstream")
	return h.tempDir, os.RemoveAll(h.tempDir) // left by a program that was killed
}

// dropStore removes the directory of a stream in memory.
func (h *Hub) dropStore() {
	if h.tempDir != "" {
		_ = os.RemoveAll(h.tempDir) // a directory that stays is empty
	}
}

func (h *Hub) serverOptions() (*server.Options, error) {
	host, port, err := splitAddress(h.opt.Listen)
	if err != nil {
		return nil, err
	}
	store, err := h.storeDir()
	if err != nil {
		return nil, err
	}
	return &server.Options{
		ServerName: "boardwatchd", Host: host, Port: port,
		JetStream: true, StoreDir: store, JetStreamMaxMemory: maxInMemory, JetStreamMaxStore: maxStored,
		MaxConn: maxConns, NoSigs: true, MaxPayload: maxPayload, WriteDeadline: 2 * time.Second,
		PingInterval: 5 * time.Second, MaxPingsOut: 2, DisableJetStreamBanner: true,
		TLS: true, TLSConfig: h.tls, TLSTimeout: 5, TLSHandshakeFirst: true,
		CustomClientAuthentication: h.door, AlwaysEnableNonce: true,
	}, nil
}

// answerTime is how long a computer may take to answer a question.
const answerTime = time.Minute

func splitAddress(listen string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(listen)
	if err != nil {
		return "", 0, err
	}
	if port, err = strconv.Atoi(text); err != nil {
		return "", 0, err
	}
	if host == "" {
		host = "0.0.0.0"
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// startPatience is how long the server may take until it accepts connections: it reads its stream first.
const startPatience = 30 * time.Second

// startServer starts the embedded server.
func (h *Hub) startServer() error {
	h.door = &door{hub: h.public}
	h.door.let(&h.roll, time.Now())
	o, err := h.serverOptions()
	if err != nil {
		return err
	}
	s, err := server.NewServer(o)
	if err != nil {
		return fmt.Errorf("the hall's server: %w", err)
	}
	s.SetLoggerV2(serverLog{h.opt.Log}, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startPatience) {
		s.Shutdown()
		return errors.New("the hall's server does not start at " + h.opt.Listen + ": is another boardwatchd hall running?")
	}
	h.server = s
	return nil
}

// admit puts a list of computers and invitations into force at the server. Connections of others are ended.
func (h *Hub) admit(r *members.Roll) error {
	over := h.door.let(r, time.Now())
	all, err := h.server.Connz(&server.ConnzOptions{Username: true, Limit: math.MaxInt32})
	if err != nil {
		return fmt.Errorf("the connections of the hall's server: %w", err)
	}
	for _, c := range all.Conns {
		if over(c.AuthorizedUser) {
			_ = h.server.DisconnectClientByID(c.Cid) // the client may have left already
		}
	}
	return nil
}

// certificate is the server's, followed by the authority's, whose key computers know.
func (h *Hub) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	leaf, err := h.authority.Certificate(hello)
	if err != nil {
		return nil, err
	}
	both := *leaf
	both.Certificate = [][]byte{leaf.Certificate[0], h.authority.CA()}
	return &both, nil
}

// serverLog writes the server's lines to the hall's log.
type serverLog struct{ log zerolog.Logger }

func (l serverLog) Noticef(string, ...any) {}
func (l serverLog) Debugf(string, ...any)  {}
func (l serverLog) Tracef(string, ...any)  {}
func (l serverLog) Warnf(format string, v ...any) {
	l.log.Debug().Str("server", "nats").Msgf(format, v...)
}
func (l serverLog) Errorf(format string, v ...any) {
	l.log.Warn().Str("server", "nats").Msgf(format, v...)
}
func (l serverLog) Fatalf(format string, v ...any) {
	l.log.Error().Str("server", "nats").Msgf(format, v...)
}
