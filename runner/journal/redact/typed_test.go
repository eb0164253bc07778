package redact_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal/redact"
)

var _ = DescribeTable("Rows into fields that are named for a password", func(row []string, want string) {
	Expect(redact.Argv(row)[len(row)-1]).To(Equal(want))
},
	Entry(nil, []string{"fill", "label=Password", "Tr0ub4dor"}, redact.Mark),
	Entry(nil, []string{"type", "#new-PWD", "Tr0ub4dor"}, redact.Mark),
	Entry(nil, []string{"find", "label", "Passphrase", "fill", "Tr0ub4dor"}, redact.Mark),
	Entry("hidden already", []string{"fill", "#password", "•••"}, "•••"),
	Entry("no such field", []string{"fill", "#name", "Tr0ub4dor"}, "Tr0ub4dor"),
	Entry("no such row", []string{"click", "#password", "--nth"}, "--nth"))

var _ = DescribeTable("What went into a password field is known from then on", func(sent, shown []string, want ...string) {
	Expect(append([]string{}, redact.Typed(sent, shown)...)).To(Equal(append([]string{}, want...)))
},
	Entry("filled in", []string{"fill", "#p", "Tr0ub4dor"}, []string{"fill", "#p", "•••"}, "Tr0ub4dor"),
	Entry("typed, with Enter", []string{"keyboard", "type", "Tr0ub4dor\n"}, []string{"keyboard", "type", "•••"}, "Tr0ub4dor"),
	Entry("but not a word", []string{"fill", "#p", "password"}, []string{"fill", "#p", "•••"}),
	Entry("nor a value of storage", []string{"storage", "local", "set", "theme", "dark-1"}, []string{"storage", "local", "set", "theme", "•••"}),
	Entry("nor what is shown", []string{"fill", "#q", "Tr0ub4dor"}, []string{"fill", "#q", "Tr0ub4dor"}))
