package station

import (
	"os"
	"strings"
)

// BootID identifies this run of the host's clock, for Options.Boot, if the system provides an identity.
func BootID(getenv func(string) string) string {
	if id := getenv("BOARDWATCHD_BOOT_ID"); id != "" {
		return id // the service's sandbox hides the file
	}
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
