package doctor

import (
	"context"
	"strings"

	"boardwatchd/internal/config"
)

// firewall looks for a firewall that may block phones. Reading its rules requires root, so usually only its presence is
// visible.
func firewall(ctx context.Context, v *visit) {
	ports := v.lanPorts()
	if len(ports) == 0 {
		return
	}
	found := false
	if enabled(v.read("/etc/ufw/ufw.conf")) {
		found = true
		rules := v.read("/etc/ufw/user.rules")
		for _, p := range ports {
			v.judge("ufw", p, strings.Contains(rules, "--dport "+p+" -j ACCEPT"), rules != "", "sudo ufw allow "+p+"/tcp")
		}
	}
	if v.Computer.running("firewalld") {
		found = true
		for _, p := range ports {
			said, err := v.Run(ctx, "firewall-cmd", "--query-port="+p+"/tcp")
			said = strings.TrimSpace(said) // "no" has a non-zero exit status
			v.judge("firewalld", p, said == "yes", err == nil || said == "no", "sudo firewall-cmd --permanent --add-port="+p+"/tcp && sudo firewall-cmd --reload")
		}
	}
	if found {
		return // both of them write rules of nftables themselves
	}
	rules, err := v.Run(ctx, "nft", "list", "ruleset")
	switch {
	case err != nil && v.UID != 0:
		v.line(OK, "sudo boardwatchd doctor looks at nftables as well", "no ufw and no firewalld is at work")
	case err != nil || !drops(rules):
		v.ok("no firewall was found that shuts phones out")
	default:
		for _, p := range ports {
			v.judge("nftables", p, accepts(rules, p), true, "sudo nft add rule inet filter input tcp dport "+p+" accept (with your own table and chain)")
		}
	}
}

func (v *visit) judge(name, port string, open, certain bool, remedy string) {
	switch {
	case open:
		v.ok("%s lets phones in at port %s", name, port)
	case certain:
		v.warn(remedy, "%s seems to block port %s", name, port)
	default:
		v.warn(remedy, "%s is at work and may block port %s", name, port)
	}
}

// lanPorts returns the ports that phones need.
func (v *visit) lanPorts() (ports []string) {
	for _, a := range []string{v.Config.HTTP.Listen, v.Config.HTTP.Secure} {
		if a != config.Off && !loopback(a) {
			ports = append(ports, port(a))
		}
	}
	return ports
}

func enabled(conf string) bool {
	for _, line := range strings.Split(conf, "\n") {
		if strings.EqualFold(strings.TrimSpace(line), "ENABLED=yes") {
			return true
		}
	}
	return false
}

// drops reports whether incoming traffic is refused unless a rule accepts it: by the policy, or by a last rule of the
// chain.
func drops(rules string) bool {
	inside := false
	for _, line := range strings.Split(rules, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "hook input"):
			inside = true
			if strings.Contains(line, "policy drop") {
				return true
			}
		case line == "}":
			inside = false
		case inside && (line == "drop" || strings.HasPrefix(line, "reject") || strings.HasSuffix(line, " drop") && strings.HasPrefix(line, "counter")):
			return true
		}
	}
	return false
}

func accepts(rules, port string) bool {
	for _, line := range strings.Split(rules, "\n") {
		_, after, ok := strings.Cut(line, "dport ")
		if ok && strings.Contains(line, "accept") && strings.Contains(" "+strings.NewReplacer("{", " ", "}", " ", ",", " ").Replace(after)+" ", " "+port+" ") {
			return true
		}
	}
	return false
}
