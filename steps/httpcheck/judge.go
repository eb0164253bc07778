package httpcheck

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// tooLong is the cause of a request that its own limit ended.
type tooLong struct{ limit time.Duration }

// Error says what took too long.
func (t tooLong) Error() string { return "no complete answer within " + t.limit.String() }

// run renders the request, sends it and judges the answer.
func (r *request) run(ctx context.Context, e steps.Env) steps.Observation {
	b, err := r.build(ctx, e)
	if err != nil {
		return unusable(ctx, err)
	}
	if r.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.timeout, tooLong{r.timeout})
		defer cancel()
	}
	x := r.send(ctx, b, e)
	if x.err != nil {
		return x.failure(ctx)
	}
	return r.judge(x)
}

// unusable is the failure of a step that could not be made into a request.
func unusable(ctx context.Context, err error) steps.Observation {
	var known steps.Observed
	var bad *problem
	switch {
	case errors.As(err, &known):
		o := known.Observation()
		o.Success = false
		return o
	case ctx.Err() != nil:
		return steps.Fail(steps.Timeout, "timeout", context.Cause(ctx).Error())
	case errors.As(err, &bad):
		return steps.Fail(steps.Validation, "url", bad.Error())
	}
	return steps.Fail(steps.Validation, "http", err.Error())
}

// failure is the observation of a request without a whole answer.
func (x *exchange) failure(ctx context.Context) steps.Observation {
	var known steps.Observed
	var many *tooMany
	var files *net.OpError
	o := steps.Observation{Took: x.took, Sent: steps.MaybeSent, Detail: &steps.Detail{Output: x.lines()}, Argv: []string{x.method, x.url.Redacted()}}
	fail := func(c steps.Category, sub, why string) steps.Observation {
		o.Category, o.Sub, o.Error = c, sub, x.asked()+": "+why
		return o
	}
	switch {
	case errors.As(x.err, &known):
		return unusable(ctx, x.err)
	case ctx.Err() != nil:
		return fail(steps.Timeout, "http", context.Cause(ctx).Error())
	case errors.As(x.err, &many):
		return fail(steps.HTTP, "redirects", many.Error()+" (the last one to "+x.hops[len(x.hops)-1].to+")")
	case x.tries == 0: // nothing was sent
		return steps.Fail(steps.Validation, "http", x.err.Error())
	case x.res != nil:
		return fail(steps.HTTP, "transport", fmt.Sprintf("the answer broke off after %s of its body: %s", size(int64(len(x.body))), words(x.err)))
	case errors.As(x.err, &files) && files.Timeout():
		return fail(steps.Timeout, "http", words(x.err))
	}
	why := words(x.err)
	if x.tries > 1 {
		why += fmt.Sprintf(" (%d tries)", x.tries)
	}
	return fail(steps.HTTP, "transport", why)
}

// asked names the request.
func (x *exchange) asked() string { return x.req.method + " " + x.req.url.Redacted() }

// words say what went wrong between us and the server.
func words(err error) string {
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var op *net.OpError
	at := ""
	if errors.As(err, &op) && op.Addr != nil {
		at = " by " + op.Addr.String()
	}
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Sprintf("no host has the name %q", dns.Name)
	case errors.As(err, &dns):
		return fmt.Sprintf("the name %q could not be looked up: %s", dns.Name, dns.Err)
	case errors.As(err, &cert):
		return "the certificate is not trusted: " + strings.TrimPrefix(cert.Err.Error(), "x509: ") + "; tls.ca names one to trust"
	case errors.As(err, &record):
		return "the server does not speak TLS; write http:// instead of https://"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused" + at
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the server broke the connection off"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the server closed the connection without a whole answer"
	case strings.Contains(reason(err), "server gave HTTP response to HTTPS client"): // the library has no type for it
		return "the server does not speak TLS; write http:// instead of https://"
	}
	return reason(err)
}

// judge makes the observation of an answer.
func (r *request) judge(x *exchange) steps.Observation {
	a := read(x)
	o := steps.Observation{
		Success: true, Took: max(x.took, 1), Sent: steps.Answered, Argv: []string{x.req.method, x.req.url.Redacted()},
		Data: a.preview(), Value: a.shown(), Full: a.full(), Warnings: a.warnings, Detail: &steps.Detail{Output: x.lines()},
	}
	if x.tries > 1 {
		o.Warnings = append(o.Warnings, fmt.Sprintf("%s was answered at try %d, before that: %s", x.asked(), x.tries, words(x.before)))
	}
	status := fmt.Sprintf("%d %s", x.res.StatusCode, http.StatusText(x.res.StatusCode))
	o.Summary = strings.TrimSpace(status) + " in " + x.took.Round(time.Millisecond).String()
	if x.res.StatusCode >= 400 && !r.anyStatus {
		o.Success, o.Category, o.Sub = false, steps.HTTP, fmt.Sprintf("status-%d", x.res.StatusCode)
		o.Error = x.asked() + " answered " + strings.TrimSpace(status)
		if len(x.hops) > 0 {
			o.Error += " after " + redirects(len(x.hops))
		}
		o.Error += ", expected less than 400"
		o.Detail.Want, o.Detail.Got = "a status below 400", strings.TrimSpace(status)
	}
	return o
}

func redirects(n int) string {
	if n == 1 {
		return "1 redirect"
	}
	return fmt.Sprintf("%d redirects", n)
}
