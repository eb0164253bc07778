package qa_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestQA(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "qa")
}
