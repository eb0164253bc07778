package spec

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
)

// readyWithin is how long a service may take to be ready if it does not say.
const readyWithin = 30 * time.Second

func decodeServices(n Node, l *diag.List) []Service {
	entries := wantNames(n, "services", l)
	out := make([]Service, 0, len(entries))
	for _, e := range entries {
		m, ok := e.Value.Map("a service", ServiceKeys, l)
		if !ok {
			continue
		}
		out = append(out, Service{
			Name:  e.Name,
			Pos:   e.KeyPos,
			Exec:  wantArgv(m["exec"], l),
			Env:   wantEnv(m["env"], l),
			Ready: decodeReady(m["ready"], l),
			Grace: WantDuration(m["grace"], "grace", l),
			If:    wantScalar(m["if"], "if", l),
			Ports: wantPorts(m["ports"], l),
			Reuse: wantReuse(m["reuse"], l),
		})
	}
	return out
}

// wantArgv gives the cells of a program call; a single text is not split, for nobody agrees on how.
func wantArgv(n Node, l *diag.List) []Node {
	if n.IsZero() {
		return nil
	}
	items, ok := n.Seq()
	if !ok {
		hint := ""
		if text, isText := n.Text(); isText && !n.Empty() {
			hint = "write [" + strings.Join(strings.Fields(text), ", ") + "]"
		}
		n.report(l, diag.WantKind("exec", "a list", n.Sort()), hint)
		return nil
	}
	if len(items) == 0 {
		n.report(l, `"exec" is empty`, "write [program, argument, …]")
		return nil
	}
	for i, item := range items {
		wantScalar(item, "item "+strconv.Itoa(i+1)+` of "exec"`, l)
	}
	return items
}

func decodeReady(n Node, l *diag.List) Ready {
	if n.IsZero() {
		return Ready{}
	}
	m, ok := n.Map("ready", ReadyKeys, l)
	if !ok {
		return Ready{}
	}
	r := Ready{
		Pos:    n.KeyPos(),
		HTTP:   wantScalar(m["http"], "http", l),
		TCP:    wantScalar(m["tcp"], "tcp", l),
		Log:    wantScalar(m["log"], "log", l),
		Within: readyWithin,
	}
	if v, ok := m["within"]; ok {
		r.Within = WantDuration(v, "within", l)
	}
	if pattern, ok := r.Log.Text(); ok && !strings.Contains(pattern, "${{") {
		if _, err := regexp.Compile(pattern); err != nil {
			r.Log.report(l, "the regular expression does not compile: "+regexpWords(err), "")
		}
	}
	if r.HTTP.IsZero() && r.TCP.IsZero() && r.Log.IsZero() && len(m) > 0 && !n.Has("http") && !n.Has("tcp") && !n.Has("log") {
		n.report(l, "ready says no way to tell", "one of http, log, tcp")
	}
	return r
}

// regexpWords takes the package's name out of its message.
func regexpWords(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}
