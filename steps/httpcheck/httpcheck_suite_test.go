package httpcheck_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestHTTPCheck(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "httpcheck")
}
