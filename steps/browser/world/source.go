package world

import (
	"crypto/rand"
	"embed"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"
)

//go:embed core/*.js
var files embed.FS

// worldName is the name of the isolated world, binding the function by which it reports.
const (
	worldName = "cr"
	binding   = "__crhit"
)

// secret names the event by which the probe hands elements over. Pages must not guess it; one for the whole process
// keeps the source the same for all pages, so that the browser compiles it once.
var secret = sync.OnceValue(func() string {
	b := make([]byte, 12)
	_, _ = rand.Read(b) // it never fails
	return "cr" + hex.EncodeToString(b)
})

// coreSource is the script of the world: the parts in one scope, installed once per document.
var coreSource = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("(() => {\nif (globalThis.__cr && globalThis.__cr.run) { if (globalThis === globalThis.top) " + binding + "('@'); return; }\n")
	b.WriteString("const SECRET = " + strconv.Quote(secret()) + ";\n")
	for _, name := range []string{"dom", "query", "role", "press", "ops", "once", "run"} {
		b.WriteString(source(name))
	}
	b.WriteString("})()")
	return b.String()
})

// source gives one part without its comment lines.
func source(name string) string {
	data, err := files.ReadFile("core/" + name + ".js")
	if err != nil {
		panic(err) // embedded at build time
	}
	var b strings.Builder
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			b.WriteString(strings.TrimLeft(line, " "))
		}
	}
	return b.String()
}

func probeSource() string { return strings.TrimSpace(source("probe")) }
