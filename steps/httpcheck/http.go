// Package httpcheck holds the step kind http: one request, and what is expected of the answer.
package httpcheck

import (
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

const (
	// defaultTimeout is how long a request may take, its redirects and body included, if the step does not say.
	defaultTimeout = 30 * time.Second
	// defaultRedirects is how many redirects are followed if the step does not say.
	defaultRedirects = 10
	// maxBody is how much of a body is read, and maxText how much of it is a text for expressions, which take no more.
	maxBody = 10 << 20
	maxText = 4 << 20
	// maxFile bounds a body that is read from a file.
	maxFile = 100 << 20
)

// Kind is http.
var Kind = steps.Kind{
	Name: "http",
	Doc: "Sends one HTTP request and judges the answer: a status of 400 or more fails unless expect reads status. " +
		"Its limit is 30s unless timeout says otherwise; what cannot be reached is tried twice more, for GET and HEAD.",
	Example: "- http: { method: POST, url: /api/orders, json: { id: teapot, quantity: 2 } }\n" +
		"  expect: [status == 201, json.total == 8400, 'headers[\"content-type\"] startsWith \"application/json\"']\n",
	Keys:   []spec.Key{{Name: "http", Type: "map", Doc: "the request", Required: true, Keys: requestKeys}},
	Decode: decode,
}

// requestKeys are the keys of the map under http.
var requestKeys = []spec.Key{
	{Name: "method", Type: "text", Doc: "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE …", Default: "GET, POST with a body", Aka: []string{"verb", "type"}},
	{Name: "url", Type: "text", Doc: "the URL, or a path on base_url", Required: true, Aka: []string{"uri", "path", "get", "href", "endpoint"}},
	{Name: "query", Type: "map of texts", Doc: "NAME: text, or a list of texts; added to the URL", Aka: []string{"params", "queryparams", "qs"}},
	{Name: "headers", Type: "map of texts", Doc: "NAME: text, or a list of texts", Aka: []string{"header"}},
	{Name: "json", Type: "any", Doc: "the body as JSON, in written order", Excludes: []string{"form", "body", "file"}, Aka: []string{"data"}},
	{Name: "form", Type: "map of texts", Doc: "the body as a form: NAME: text, or a list of texts", Excludes: []string{"json", "body", "file"}},
	{Name: "body", Type: "text", Doc: "the body as it is", Excludes: []string{"json", "form", "file"}, Aka: []string{"text", "payload", "content"}},
	{Name: "file", Type: "text", Doc: "a file that is the body, beside the suite", Excludes: []string{"json", "form", "body"}},
	{Name: "auth", Type: "map", Doc: "{basic: [USER, PASSWORD]} or {bearer: TOKEN}", Keys: authKeys, Aka: []string{"authorization"}},
	{Name: "redirects", Type: "any", Doc: "how many redirects are followed, or false", Default: "10", Aka: []string{"followredirects", "follow", "maxredirects"}},
	{Name: "timeout", Type: "duration", Doc: "how long the request may take, redirects and body included", Default: "30s"},
	{Name: "tls", Type: "map", Doc: "{insecure: true}, {ca: FILE} or {client_cert: FILE}", Keys: tlsKeys, Aka: []string{"ssl"}},
	{Name: "with_page_cookies", Type: "bool", Doc: "send the cookies of the page, and give it those that are set", Aka: []string{"cookies", "pagecookies"}},
}

var authKeys = []spec.Key{
	{Name: "basic", Type: "texts", Doc: "user and password", Excludes: []string{"bearer"}},
	{Name: "bearer", Type: "text", Doc: "a token", Excludes: []string{"basic"}, Aka: []string{"token"}},
}

var tlsKeys = []spec.Key{
	{Name: "insecure", Type: "bool", Doc: "any certificate will do", Excludes: []string{"ca"}, Aka: []string{"skipverify", "insecureskipverify", "verify"}},
	{Name: "ca", Type: "text", Doc: "a PEM file of certificates to trust beside the system's, beside the suite", Excludes: []string{"insecure"},
		Aka: []string{"cert", "cacert", "cafile"}},
	{Name: "client_cert", Type: "text", Doc: "a PEM file of the certificate to show to the server, beside the suite", Aka: []string{"clientcert", "certificate"}},
	{Name: "client_key", Type: "text", Doc: "a PEM file of its key", Default: "the file of client_cert", Aka: []string{"clientkey", "key"}},
}

// misplaced are keys of steps that are written into the map under http by mistake.
var misplaced = []string{"expect", "within", "every", "retry", "save", "id", "name", "if", "skip", "soft", "optional", "provokes", "session"}

// request is a compiled http step. It is not changed by running it.
type request struct {
	method    string
	url       spec.Text
	query     []field
	headers   []field
	payload   payload // nil: none
	basic     []spec.Text
	bearer    *spec.Text
	redirects int           // -1: not followed
	wants     []steps.Ask   // what a policy judges
	timeout   time.Duration // 0: the runner sets the limit that the step says
	insecure  bool
	ca        *spec.Text
	identity  *identity // nil: none is shown
	cookies   bool
	anyStatus bool // an expect reads status
}

// field is a name with its values: of a query, a form, a header.
type field struct {
	name   string
	values []spec.Text
}

// safe tells a request that changes nothing and may be sent again.
func (r *request) safe() bool {
	return r.method == "GET" || r.method == "HEAD" || r.method == "OPTIONS"
}

// result is the type of steps.ID, and of the names in its expect.
func result() spec.Type {
	text := spec.Type{Base: spec.String}
	status := spec.Type{Base: spec.Int, Doc: "the status of the answer: 200"}
	headers := spec.Type{Base: spec.Map, Elem: &text, Fold: true, Doc: "its headers; the case of names does not matter"}
	body := spec.Type{Base: spec.String, Doc: "its body as text"}
	json := spec.Type{Base: spec.Any, Doc: "its body as JSON; nil if it is none"}
	return steps.Result(map[string]spec.Type{
		"status": status, "headers": headers, "body": body, "json": json,
		"value": {Base: spec.Any, Doc: "json if the body is JSON, else body"},
		"data": {Base: spec.Struct, Fields: map[string]spec.Type{
			"status": status, "headers": headers, "body": body, "json": json,
			"url":       {Base: spec.String, Doc: "the URL that answered"},
			"redirects": {Base: spec.List, Elem: &spec.Type{Base: spec.Map}, Doc: "{method, url, status, to} of each redirect"},
		}},
	})
}
