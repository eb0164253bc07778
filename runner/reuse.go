package runner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
)

// reuse gives the service that runs already where `reuse` says, nil if none does. Under CI nothing is reused: what answers
// there was left by somebody else, and a port of our own cannot collide with it.
func (s *suiteRun) reuse(ctx context.Context, svc *plan.Service, vals spec.Values) (*service, error) {
	if svc.Reuse == nil || ci(s.run.env) {
		return nil, nil
	}
	text, err := svc.Reuse.String(ctx, vals, nil)
	if err != nil || text == "" {
		return nil, err
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("reuse is no URL like http://localhost:8080 but %q", text)
	}
	why := s.answers(ctx, svc, vals, u)
	if why == nil {
		s.event(journal.Warning{Text: fmt.Sprintf("service %q: what answers at %s is used, nothing was started", svc.Spec.Name, text)},
			journal.Buffered)
		return &service{plan: svc, values: addressOf(u.Scheme, u.Hostname(), portOf(u)), started: time.Now()}, nil
	}
	var answer *statusError
	if errors.As(why, &answer) {
		s.event(journal.Warning{Text: fmt.Sprintf("service %q: something answers at %s but is not ready, so one was started: %s",
			svc.Spec.Name, text, why)}, journal.Buffered)
	}
	return nil, nil
}

// ci tells that the environment is one of continuous integration.
func ci(env map[string]any) bool {
	v, _ := env["CI"].(string)
	return v != "" && v != "0" && !strings.EqualFold(v, "false")
}

// answers asks for the ready page of the service at u, or for u itself: then any answer will do.
func (s *suiteRun) answers(ctx context.Context, svc *plan.Service, vals spec.Values, u *url.URL) error {
	at := u.String()
	strict := false
	if svc.HTTP != nil {
		vals["self"] = addressOf(u.Scheme, u.Hostname(), portOf(u))
		page, err := svc.HTTP.String(ctx, vals, nil)
		delete(vals, "self")
		if err != nil {
			return err
		}
		strict = true
		if at = page; !strings.Contains(page, "://") {
			at = strings.TrimSuffix(u.String(), "/") + "/" + strings.TrimPrefix(page, "/")
		}
	}
	err := askHTTP(ctx, at)
	var answer *statusError
	if !strict && errors.As(err, &answer) {
		return nil
	}
	return err
}

// statusError is an answer that says that a service is not ready.
type statusError struct {
	url  string
	code int
}

// Error names the answer.
func (e *statusError) Error() string {
	return fmt.Sprintf("%s answers %d %s", e.url, e.code, http.StatusText(e.code))
}

func portOf(u *url.URL) int {
	if n, err := strconv.Atoi(u.Port()); err == nil {
		return n
	}
	if u.Scheme == "https" {
		return 443
	}
	return 80
}

// addressOf is services.NAME.
func addressOf(scheme, host string, port int) map[string]any {
	at := scheme + "://" + host
	if strings.Contains(host, ":") {
		at = scheme + "://[" + host + "]"
	}
	if !(scheme == "http" && port == 80) && !(scheme == "https" && port == 443) {
		at += ":" + strconv.Itoa(port)
	}
	return map[string]any{"port": port, "host": host, "url": at}
}
