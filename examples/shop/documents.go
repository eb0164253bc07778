package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
)

// document is a file that a visitor attached to a return.
type document struct {
	ID, Name, SHA256 string
	Body             []byte
}

// Size is the length in bytes.
func (d document) Size() int { return len(d.Body) }

const (
	largest  = 1 << 20 // bytes of one document
	mostDocs = 10      // documents of one visitor
)

// attach is the form of the returns page.
func (s *shop) attach(w http.ResponseWriter, r *http.Request) {
	d, problem := read(w, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	who := s.visitor(w, r)
	if problem == "" && len(who.Files) >= mostDocs {
		problem = fmt.Sprintf("You have attached %d files already.", mostDocs)
	}
	if problem != "" {
		s.render(w, r, http.StatusUnprocessableEntity, "returns", view{Title: "Send something back", Error: problem}, who)
		return
	}
	who.Files = append(who.Files, d)
	http.Redirect(w, r, "/returns", http.StatusSeeOther)
}

// read takes the document out of a form.
func read(w http.ResponseWriter, r *http.Request) (*document, string) {
	r.Body = http.MaxBytesReader(w, r.Body, largest+1<<16)
	file, header, err := r.FormFile("file")
	if err != nil {
		return nil, "Please choose a file of at most 1 MB."
	}
	defer file.Close()
	body, err := io.ReadAll(file)
	switch {
	case err != nil || len(body) > largest:
		return nil, "Please choose a file of at most 1 MB."
	case len(body) == 0:
		return nil, "This file is empty."
	}
	name := filepath.Base(strings.ReplaceAll(header.Filename, `\`, "/"))
	return &document{ID: token("d-"), Name: name, Body: body, SHA256: fmt.Sprintf("%x", sha256.Sum256(body))}, ""
}

// fetch gives a document back to the visitor who attached it.
func (s *shop) fetch(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	files := s.visitor(w, r).Files
	s.mu.Unlock()
	i := slices.IndexFunc(files, func(d *document) bool { return d.ID == r.PathValue("id") })
	if i < 0 {
		http.NotFound(w, r)
		return
	}
	// Never shown in the page: what somebody uploads must not run as part of the shop.
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": files[i].Name}))
	_, _ = w.Write(files[i].Body)
}

// prices is the catalogue as a CSV file.
func (s *shop) prices(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="prices.csv"`)
	fmt.Fprintln(w, "id,name,price")
	for _, p := range s.products {
		fmt.Fprintf(w, "%s,%q,%d.%02d\n", p.ID, p.Name, p.Price/100, p.Price%100)
	}
}
