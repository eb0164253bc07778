// Command shop is a small web shop to point checkrow at: catalogue with search, cart, checkout with a card form in an
// iframe, orders, login with roles, back office, chat, returns with upload and download, a client-side routed tea guide,
// reviews by a third party, and an API. It keeps everything in memory.
//
//	shop [--port N] [--dispatch TIME]   serve; port 0 takes a free one; an order without a later date ships after TIME
//	shop order --url URL ID             print the state of an order
//
// SHOP_PASSWORD in the environment is the password of ada@example.test (default teapot-42).
//
// Query switches turn on what a test wants to see, on every page that is loaded with them:
//
//	?slow=MS          answers late
//	?fail=N&key=K     answers 503 to the first N requests with this K
//	?fault=A,B        cookie      a cookie banner over the page
//	                  latecookie  the same, 300 ms after the page is loaded
//	                  console     a console error
//	                  page        an uncaught error of an inline script
//	                  chat        an uncaught error of a chat widget's script
//	                  api500      the catalogue's API answers 500
//	                  api401      the page asks an API that answers 401
//	                  late        a request that fails, 600 ms after the page is loaded
//	                  flood       1,500 console messages at once (?n= sets how many)
//	                  burst       2,500 requests within some seconds (?n= sets how many)
//	                  alt         product pictures without alternative text
//	                  total       a total that forgets every line after the second
//	                  shift       a banner that pushes the page down after it was painted
//	/reviews?widget=N&key=K           the reviews' script fails N times, then loads
//	/checkout?pay=elsewhere           the card form comes from another site
//	/orders/ID?live                   the page follows the order by itself
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "order" {
		if err := printOrder(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "shop:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "shop:", err)
		os.Exit(1)
	}
}

// serve runs the shop until ctx ends.
func serve(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("shop", flag.ContinueOnError)
	port := flags.Int("port", 8080, "port to listen on; 0 takes a free one")
	dispatch := flags.Duration("dispatch", 2*time.Second, "from paid to shipped")
	if err := flags.Parse(args); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		return fmt.Errorf("listening on port %d: %w", *port, err)
	}
	fmt.Printf("the shop is open at http://%s\n", listener.Addr())
	goods := newShop(cmp.Or(os.Getenv("SHOP_PASSWORD"), "teapot-42"), *dispatch)
	server := &http.Server{Handler: goods.handler(), ReadHeaderTimeout: 10 * time.Second,
		// A chat that is still open ends with the shop.
		BaseContext: func(net.Listener) context.Context { return ctx }}
	closed := make(chan error, 1)
	go func() {
		<-ctx.Done()
		// No long goodbye: a test that is over has no open request that matters.
		late, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		closed <- server.Shutdown(late)
	}()
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	<-closed
	return nil
}

// printOrder asks a running shop for one order and prints "ID STATE TOTAL".
func printOrder(args []string) error {
	flags := flag.NewFlagSet("shop order", flag.ContinueOnError)
	url := flags.String("url", "http://127.0.0.1:8080", "where the shop runs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("order takes exactly one order id, got %d", flags.NArg())
	}
	client := &http.Client{Timeout: 10 * time.Second}
	resp, err := client.Get(*url + "/api/orders/" + flags.Arg(0))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("order %s: %s", flags.Arg(0), resp.Status)
	}
	var o order
	if err := json.NewDecoder(resp.Body).Decode(&o); err != nil {
		return err
	}
	fmt.Printf("%s %s %s\n", o.ID, o.State, euro(o.Total))
	return nil
}
