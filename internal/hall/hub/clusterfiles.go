package hub

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/nats-io/nkeys"

	"boardwatchd/internal/secretfile"
)

// clusterConf is the configuration of one server.
//
// The accounts separate the hall's traffic from the servers' own. The servers ask the hall about every connection other
// than the two users below, and accept the answer of the issuer alone. The file holds public keys only.
var clusterConf = template.Must(template.New("").Parse(`# Written by boardwatchd hall cluster. nats-server {{.Version}} or newer: nats-server -c {{.File}}
# Beside this file: tls.pem, tls.key{{if .Routes}}, routes.pem, routes.key{{end}}; nobody but the server may read the keys.
server_name: "{{.Name}}"
listen: "{{.Listen}}:{{.Port}}"
tls { cert_file: "./tls.pem", key_file: "./tls.key", handshake_first: true, timeout: 5 }
max_payload: {{.Payload}}
write_deadline: "2s"
ping_interval: "5s"
ping_max: 2
jetstream { store_dir: "./{{.Name}}.jetstream", max_memory_store: 16777216, max_file_store: {{.Stored}} }
accounts {
  {{.System}} {
    users: [ { nkey: {{.SystemKey}}, permissions: { publish: ["$SYS.REQ.SERVER.PING.CONNZ", "$SYS.REQ.SERVER.*.KICK"], subscribe: ["_INBOX.>"] } } ]
  }
  {{.Hall}} {
    jetstream: enabled
    users: [ { nkey: {{.HallKey}} } ]
  }
}
system_account: {{.System}}
authorization {
  timeout: 2
  auth_callout { issuer: {{.Issuer}}, account: {{.Hall}}, auth_users: [ {{.HallKey}}, {{.SystemKey}} ] }
}
{{- if .Routes}}
cluster {
  name: boardwatchd
  listen: "{{.Listen}}:{{.RoutePort}}"
  tls { cert_file: "./routes.pem", key_file: "./routes.key", ca_file: "./routes.pem", verify: true, timeout: 5 }
  routes: [ {{range $i, $r := .Routes}}{{if $i}}, {{end}}"tls://{{$r}}"{{end}} ]
}
{{- end}}
`))

// routeAbove is the distance from the port for computers to the port for the other servers, the same as between NATS'
// two default ports.
const routeAbove = 2000

// clusterVersion is the NATS server for which the configuration is written and with which it was tried.
const clusterVersion = "2.15"

// WriteCluster writes into a directory what NATS servers at these addresses need: one configuration for each, and
// certificates and keys for all. It returns the names of the configurations.
func (f Files) WriteCluster(dir string, servers []string, now time.Time) (confs []string, err error) {
	if err := CheckServers(servers); err != nil {
		return nil, err
	}
	for _, d := range []string{f.dir, dir} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	keys, err := f.publicKeys()
	if err != nil {
		return nil, err
	}
	if err := f.writeServerCertificate(dir); err != nil {
		return nil, err
	}
	var hosts, routes []string
	var ports []int
	for _, s := range servers {
		host, port, err := splitAddress(s)
		if err != nil || port < 1 || port+routeAbove > 65535 {
			return nil, fmt.Errorf("hall.cluster: %q is not a host and a port from 1 to %d", s, 65535-routeAbove)
		}
		hosts, ports = append(hosts, host), append(ports, port)
		routes = append(routes, net.JoinHostPort(host, strconv.Itoa(port+routeAbove)))
	}
	if len(servers) > 1 {
		if err := writeRouteCertificate(dir, hosts, now); err != nil {
			return nil, err
		}
	} else {
		routes = nil
	}
	for i, port := range ports {
		name := fmt.Sprintf("nats-%d", i+1)
		listen := "0.0.0.0" // a name may be that of another address
		if ip := net.ParseIP(hosts[i]); ip != nil {
			listen = hosts[i]
			if ip.To4() == nil {
				listen = "[" + listen + "]"
			}
		}
		var b bytes.Buffer
		err := clusterConf.Execute(&b, map[string]any{
			"Name": name, "File": name + ".conf", "Listen": listen, "Port": port, "RoutePort": port + routeAbove, "Routes": routes, "Version": clusterVersion,
			"Payload": maxPayload, "Stored": maxStored, "Hall": hallAccount, "System": systemAccount,
			"HallKey": keys[0], "SystemKey": keys[1], "Issuer": keys[2],
		})
		if err != nil {
			panic("hub: internal error: " + err.Error()) // the template is constant
		}
		if err := secretfile.Replace(filepath.Join(dir, name+".conf"), b.Bytes()); err != nil {
			return nil, err
		}
		confs = append(confs, name+".conf")
	}
	return confs, nil
}

// publicKeys are the public keys of the hall, the system account and the issuer.
func (f Files) publicKeys() (keys []string, err error) {
	for _, open := range []func() (nkeys.KeyPair, error){f.Key, f.system, f.issuer} {
		key, err := open()
		if err != nil {
			return nil, err
		}
		public, err := key.PublicKey()
		if err != nil {
			return nil, err
		}
		keys = append(keys, public)
	}
	return keys, nil
}

// writeServerCertificate writes the certificate that computers see. They check the authority's key and no date.
func (f Files) writeServerCertificate(dir string) error {
	a, err := f.Authority()
	if err != nil {
		return err
	}
	leaf, err := a.Certificate(nil)
	if err != nil {
		return err
	}
	return writePair(dir, "tls", leaf.PrivateKey, leaf.Certificate[0], a.CA())
}

// routeLife is long, because the servers check the dates of the certificate that they use among themselves.
const routeLife = 10 * 365 * 24 * time.Hour

// writeRouteCertificate makes the certificate by which the servers recognise each other. All have the same one and
// accept no other.
func writeRouteCertificate(dir string, hosts []string, now time.Time) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "boardwatchd cluster"},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(routeLife), IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else {
			c.DNSNames = append(c.DNSNames, strings.ToLower(h))
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		return err
	}
	return writePair(dir, "routes", key, der)
}

func writePair(dir, name string, key any, chain ...[]byte) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	var certs bytes.Buffer
	for _, c := range chain {
		certs.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c}))
	}
	if err := secretfile.Replace(filepath.Join(dir, name+".pem"), certs.Bytes()); err != nil {
		return err
	}
	return secretfile.Replace(filepath.Join(dir, name+".key"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}
