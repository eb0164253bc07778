package diag_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestDiag(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "diag")
}
