package trust

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"text/template"
	"time"
)

// MobileConfig returns an unsigned configuration profile with the authority, for iPhones and iPads, to be served as
// application/x-apple-aspen-config. After installing it, full trust has to be switched on by hand in Settings, General,
// About, Certificate Trust Settings. It removes itself when the authority ends. Source: Apple, Device Management,
// TopLevel and CertificateRoot.
func (a *Authority) MobileConfig() []byte {
	ca := a.authority()
	print := sha256.Sum256(ca.Raw)
	key := keyPrint(ca.PublicKey.(*ecdsa.PublicKey)) // the same in a renewed one, which then replaces the old one
	var b bytes.Buffer
	err := profile.Execute(&b, map[string]string{
		"Name":    ca.Subject.CommonName,
		"ID":      fmt.Sprintf("boardwatchd.authority.%x", key[:8]),
		"Profile": uuid(print[:16]),
		"Payload": uuid(print[16:]),
		"Content": base64.StdEncoding.EncodeToString(ca.Raw),
		"Ends":    ca.NotAfter.UTC().Format(time.RFC3339),
	})
	if err != nil {
		panic("trust: internal error: " + err.Error())
	}
	return b.Bytes()
}

// uuid makes a UUID of 16 bytes, always the same one (RFC 9562, version 8): the profile of the same authority, loaded
// again, replaces the earlier one.
func uuid(b []byte) string {
	u := [16]byte(b)
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("%X-%X-%X-%X-%X", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

var profile = template.Must(template.New("").Parse(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>PayloadType</key><string>Configuration</string>
	<key>PayloadVersion</key><integer>1</integer>
	<key>PayloadIdentifier</key><string>{{.ID}}</string>
	<key>PayloadUUID</key><string>{{.Profile}}</string>
	<key>PayloadDisplayName</key><string>{{html .Name}}</string>
	<key>PayloadDescription</key><string>Lets this device trust the boardwatchd page of this event. It is limited to names and addresses of local networks.</string>
	<key>PayloadOrganization</key><string>boardwatchd</string>
	<key>PayloadRemovalDisallowed</key><false/>
	<key>RemovalDate</key><date>{{.Ends}}</date>
	<key>PayloadContent</key>
	<array>
		<dict>
			<key>PayloadType</key><string>com.apple.security.root</string>
			<key>PayloadVersion</key><integer>1</integer>
			<key>PayloadIdentifier</key><string>{{.ID}}.certificate</string>
			<key>PayloadUUID</key><string>{{.Payload}}</string>
			<key>PayloadDisplayName</key><string>{{html .Name}}</string>
			<key>PayloadCertificateFileName</key><string>boardwatchd.crt</string>
			<key>PayloadContent</key><data>{{.Content}}</data>
		</dict>
	</array>
</dict>
</plist>
`))
