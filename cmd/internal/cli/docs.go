package cli

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/cmd/internal/manual"
)

func (a *app) docsCmd() *cobra.Command {
	var serve, man string
	c := &cobra.Command{Use: "docs [DIR]", Short: "write or serve the reference and the recipes", Args: atMostOne,
		Long: `docs makes the reference from the tables that check suites: the language, rows,
steps, reports, codes, the command line and recipes. It writes each page as HTML
and Markdown into a folder, or serves them until it is stopped. With --man it
writes man pages. Files of the same names are replaced.`,
		Example: "  checkrow docs out\n  checkrow docs --serve :8000\n  checkrow docs --man man/man1",
		RunE: func(_ *cobra.Command, args []string) error {
			n := len(args)
			for _, flag := range []string{serve, man} {
				if flag != "" {
					n++
				}
			}
			switch {
			case n != 1:
				return usagef("checkrow docs takes one of DIR, --serve ADDRESS and --man DIR")
			case serve != "":
				return a.serveDocs(serve)
			case man != "":
				return a.writeDocs(man, a.manPages())
			}
			return a.writeDocs(args[0], a.docFiles())
		}}
	c.Flags().StringVar(&serve, "serve", "", "serve the pages at `ADDRESS`: :8000 is port 8000 of this machine alone")
	c.Flags().StringVar(&man, "man", "", "write man pages into `DIR`")
	return c
}

// docFile is one file of the reference.
type docFile struct{ name, text string }

// docFiles are the pages in both forms.
func (a *app) docFiles() []docFile {
	pages := a.referencePages()
	var out []docFile
	for _, p := range pages {
		out = append(out, docFile{p.Name + ".html", manual.HTML(p, pages)}, docFile{p.Name + ".md", p.Text})
	}
	return out
}

func (a *app) writeDocs(dir string, files []docFile) error {
	to := a.abs(dir)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return environment(fmt.Errorf("making the folder %q: %w", dir, err))
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(to, f.name), []byte(f.text), 0o644); err != nil {
			return environment(fmt.Errorf("writing %q: %w", f.name, err))
		}
	}
	a.printf("%s in %s, the first is %s\n", plural(len(files), "file"), dir, files[0].name)
	return nil
}

// serveDocs answers until a signal comes.
func (a *app) serveDocs(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return usagef("checkrow docs: --serve %q is no address such as :8000", address)
	}
	if host == "" {
		host = "127.0.0.1" // nobody else is to read what a machine serves by accident
	}
	files := map[string]string{}
	for _, f := range a.docFiles() {
		files["/"+f.name] = f.text
	}
	files["/"] = files["/index.html"]
	ctx, stop := a.stoppable()
	defer stop()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return environment(fmt.Errorf("serving the reference: %w", err))
	}
	server := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if strings.HasSuffix(r.URL.Path, ".md") {
			w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		} else {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		_, _ = w.Write([]byte(text)) // a reader that went away needs no answer
	})}
	a.printf("the reference is at http://%s/\n", listener.Addr())
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err = <-served:
		return environment(fmt.Errorf("serving the reference: %w", err))
	case <-ctx.Done():
	}
	err = server.Close()
	if end := <-served; !errors.Is(end, http.ErrServerClosed) {
		err = errors.Join(err, end)
	}
	if err != nil {
		return environment(fmt.Errorf("closing the server: %w", err))
	}
	return nil // somebody who stops a server has had what they wanted
}
