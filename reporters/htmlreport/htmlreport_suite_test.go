package htmlreport_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestHTMLReport(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "htmlreport")
}
