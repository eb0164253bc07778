package browser

import (
	"context"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// reachArgs restrict the browser to some hosts and schemes. The browser's own resolver knows no other host, so nothing in it
// gets further: no page, frame, worker, popup, redirect or WebSocket, and no address either (DECISIONS 24). A proxy would
// resolve names itself, and WebRTC could send past it. Schemes are held to by a gate.
func (e *Engine) reachArgs(ctx context.Context, o steps.SessionOptions) ([]string, error) {
	if o.Hosts == nil && !gated(o) {
		return nil, nil
	}
	if err := undone(o); err != nil {
		return nil, err
	}
	out := []string{"--no-proxy-server"}
	var pins, free []string
	if gated(o) {
		g, err := e.openGate(o)
		if err != nil {
			return nil, err
		}
		out, pins = g.args(), []string{"MAP " + g.name + " 127.0.0.1"}
	}
	out = append(out, "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp")
	if o.Hosts == nil {
		return out, nil
	}
	for _, h := range o.Hosts {
		ip, err := pinned(ctx, h, o.Public)
		if err != nil {
			return nil, err
		}
		if ip != "" {
			pins = append(pins, "MAP "+h+" "+ip)
		} else {
			free = append(free, "EXCLUDE "+h)
		}
	}
	rules := strings.Join(append(append(pins, "MAP * ~NOTFOUND"), free...), ", ")
	return append(out, "--host-resolver-rules="+rules), nil
}

// undone refuses switches that would undo what a suite may reach.
func undone(o steps.SessionOptions) error {
	key, switches := "allowed_domains", []string{"--host-resolver-rules", "--host-rules"}
	if o.Hosts == nil {
		key, switches = "allowed_schemes", nil
	}
	if gated(o) {
		switches = append(switches, "--proxy-", "--no-proxy-server")
	}
	for _, a := range o.Args {
		for _, bad := range switches {
			if strings.HasPrefix(a, bad) {
				name, _, _ := strings.Cut(a, "=")
				return problem(steps.Validation, "domains", fmt.Sprintf("%s and the switch %s exclude each other", key, name))
			}
		}
	}
	return nil
}

// lookupTime bounds the search for the address of one listed host.
const lookupTime = 5 * time.Second

// notFound stands for the address of a host that has none, as rules of the browser's resolver have it.
const notFound = "~NOTFOUND"

// pinned gives the address that a host is held to, where one in a private network is not allowed: else its name could lead
// there later. It is "" for a host that needs none.
func pinned(ctx context.Context, h string, public bool) (string, error) {
	if !public || strings.HasPrefix(h, "*.") || h == "localhost" || strings.HasSuffix(h, ".localhost") || net.ParseIP(strings.Trim(h, "[]")) != nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	list, err := net.DefaultResolver.LookupIP(ctx, "ip", h)
	if err != nil || len(list) == 0 {
		return notFound, nil // whoever asks again may be given a private one
	}
	i := slices.IndexFunc(list, func(ip net.IP) bool { return !steps.PrivateAddress(ip) })
	if i < 0 {
		return "", problem(steps.PolicyDenied, "private-network", fmt.Sprintf("the host %q is %s, which the policy does not allow: private_networks", h, list[0]))
	}
	at := list[i].String()
	if list[i].To4() == nil {
		at = "[" + at + "]"
	}
	return at, nil
}

// barred says why a URL may not be reached, or "".
func (s *session) barred(raw string) string { return barred(s.o, raw) }

func barred(o steps.SessionOptions, raw string) string {
	if o.Hosts == nil && o.Schemes == nil {
		return ""
	}
	scheme, h := steps.WebHost(raw)
	if o.Schemes != nil && !slices.Contains(o.Schemes, asWeb(scheme)) {
		return fmt.Sprintf("%s is not in allowed_schemes", scheme)
	}
	if o.Hosts != nil && h != "" && !steps.Hosted(o.Hosts, h) {
		return fmt.Sprintf("the host %s is not in allowed_domains", h)
	}
	return ""
}

// asWeb takes a WebSocket for what it begins as.
func asWeb(scheme string) string {
	switch scheme {
	case "ws":
		return "http"
	case "wss":
		return "https"
	}
	return scheme
}

// mayOpen judges a URL that a row goes to.
func (s *session) mayOpen(to string) error {
	scheme, _, _ := strings.Cut(to, ":")
	if strings.EqualFold(scheme, "file") && s.o.Schemes == nil {
		return problem(steps.PolicyDenied, "scheme", fmt.Sprintf("%s is not opened: file is not in allowed_schemes", to),
			next("allow-file-scheme", "say that files may be opened: browser: { allowed_schemes: [http, https, file] }"))
	}
	if why := s.barred(to); why != "" {
		return problem(steps.PolicyDenied, "reach", to+" is not opened: "+why)
	}
	return nil
}

// unresolved is what the browser says of a host that it is not to know.
const unresolved = "ERR_NAME_NOT_RESOLVED"

// strayed gives the error of a navigation that was led to where it may not go, or err.
func (s *session) strayed(err error) error {
	led := s.o.Hosts != nil && err != nil && strings.Contains(err.Error(), unresolved) || gated(s.o)
	if err == nil || !led {
		return err
	}
	l := &s.rings
	l.mu.Lock()
	defer l.mu.Unlock()
	list, _ := l.network.since(0)
	for i := len(list) - 1; i >= 0; i-- {
		if e := list[i]; e.navigation && e.failed {
			if why := s.barred(e.url); why != "" {
				return problem(steps.PolicyDenied, "reach", e.url+" is not reached: "+why)
			}
			break
		}
	}
	return err
}

var socketURL = regexp.MustCompile(`'(wss?://[^']+)'`)

// denied marks a fault that comes of what may not be reached, and says so. The caller holds the lock of the rings.
func (r *rings) denied(f steps.Fault) steps.Fault {
	if r.reach.Hosts == nil && r.reach.Schemes == nil {
		return f
	}
	at := f.URL
	if m := socketURL.FindStringSubmatch(f.Text); m != nil {
		at = m[1]
	}
	request := f.Kind == steps.FaultRequest || f.Kind == steps.FaultHTTP
	if !request && !strings.Contains(f.Text, unresolved) {
		return f
	}
	if why := barred(r.reach, at); why != "" {
		f.Category = steps.PolicyDenied
		f.Text += " (" + why + ")"
	}
	return f
}

// stray notes a request whose scheme may not be used. The caller holds the lock of the rings.
func (r *rings) stray(e *netEntry) {
	if r.reach.Schemes == nil {
		return
	}
	if why := barred(steps.SessionOptions{Schemes: r.reach.Schemes}, e.url); why != "" {
		e.faulty = true
		f := e.fault(steps.FaultRequest)
		f.Text, f.Category = e.method+" "+e.url+": "+why, steps.PolicyDenied
		r.faults.add(f)
	}
}
