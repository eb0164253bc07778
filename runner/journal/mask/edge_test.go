package mask_test

import (
	"encoding/base64"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = DescribeTable("Where a text was cut, halves are hidden", func(in, want string) {
	Expect(masker("hunter22-Secret").String(in)).To(Equal(want))
},
	Entry("the beginning of one", "the password is hunter22-…", "the password is •••…"),
	Entry("the end of one", "…22-Secret is the password", "…••• is the password"),
	Entry("both", "a hunter2… 90 bytes …2-Secret b", "a •••… 90 bytes …••• b"),
	Entry("one in base64", "at "+base64.StdEncoding.EncodeToString([]byte("hunter22-Secret"))[:12]+"…", "at •••…"),
	Entry("one that is escaped", "a %68unter22…", "a •••…"),
	Entry("a whole one beside", "hunter22-Secret …", "••• …"),
	Entry("four letters of one, which are enough", "the hunt… goes on", "the •••… goes on"),
	Entry("not what only looks so", "hun… and …ret", "hun… and …ret"),
	Entry("nothing else", "a long text…", "a long text…"))
