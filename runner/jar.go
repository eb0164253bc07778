package runner

import (
	"context"
	"errors"
	"net/http"

	"github.com/checkrow/checkrow/steps"
)

// jar gives the cookies of the player's session, opened when first asked.
type jar struct{ p *player }

var _ steps.Jar = jar{}

var errNoCookies = errors.New("this browser engine does not share its cookies")

func (j jar) session(ctx context.Context) (steps.Jar, error) {
	s, o := j.p.open(ctx)
	if o != nil {
		return nil, &problem{*o}
	}
	if shares, can := s.(steps.Jar); can {
		return shares, nil
	}
	return nil, errNoCookies
}

// Cookies implements steps.Jar.
func (j jar) Cookies(ctx context.Context, url string) ([]*http.Cookie, error) {
	s, err := j.session(ctx)
	if err != nil {
		return nil, err
	}
	return s.Cookies(ctx, url)
}

// SetCookies implements steps.Jar.
func (j jar) SetCookies(ctx context.Context, url string, list []*http.Cookie) error {
	s, err := j.session(ctx)
	if err != nil {
		return err
	}
	return s.SetCookies(ctx, url, list)
}
