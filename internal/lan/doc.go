// Package lan finds the addresses under which a phone can reach this computer.
//
// It knows interfaces and addresses. It does not know ports, names, or whether a firewall or an access point blocks
// phones: this computer cannot see that. An address is listed if its interface is up and not a loopback; those of
// bridges and tunnels that programs have made (containers, virtual machines) come last, link-local ones are left out,
// because a phone cannot use them without naming an interface.
package lan
