package suites_test

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// A twin is a suite of examples/jobs with one thing made wrong: it must fail, for the right reason, with a block that
// says so.
var _ = Describe("the twin of every job", Label("browser"), Ordered, ContinueOnFailure, func() {
	var dir string

	BeforeAll(func() {
		// Beside jobs, so that ../shop and ../fragments are where the suites say; hidden, so that nobody finds it.
		var err error
		dir, err = os.MkdirTemp(filepath.Join(root, "examples"), ".twins-")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(os.RemoveAll, dir)
		Expect(os.CopyFS(filepath.Join(dir, "files"), os.DirFS(filepath.Join(root, "examples", "jobs", "files")))).To(Succeed())
	})

	DescribeTable("fails as it should", func(ctx SpecContext, job, right, wrong string, says ...string) {
		text, err := os.ReadFile(filepath.Join(root, "examples", "jobs", job+".yaml"))
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.Count(string(text), right)).To(BeNumerically(">", 0), "the twin of %s changes nothing", job)
		mutant := strings.Replace(string(text), right, wrong, 1)
		mutant = strings.Replace(mutant, "\nbase_url:", "\ntimeouts: { action: 1s, expect: 1s, wait: 1s }\nbase_url:", 1)
		if job == "quarantine" {
			mutant = strings.Replace(mutant, "\ntimeouts: { expect: 2s }\n", "\n", 1)
		}
		path := filepath.Join(dir, job+".yaml")
		Expect(os.WriteFile(path, []byte(mutant), 0o600)).To(Succeed())
		rel, err := filepath.Rel(root, path)
		Expect(err).NotTo(HaveOccurred())
		out, err := checkrow(ctx, "run", "--output", filepath.Join(GinkgoT().TempDir(), "run"), rel)
		Expect(exitCode(err)).To(Equal(1), out)
		for _, s := range says {
			Expect(out).To(ContainSubstring(s))
		}
	},
		twin("login once", "login-once", `"#logins", "1"`, `"#logins", "2"`,
			`expected the text of #logins to be "2", got "1"`, "(assertion)"),
		twin("checkout under a late banner", "late-banner", `do: [[click, "#accept"]]`, `do: [[hover, "#accept"]]`,
			"is covered by div#cookie-banner", "(not-actionable, covered)"),
		twin("upload and download", "upload-download", "[expect, text, .file >> .size, 65 bytes]", "[expect, text, .file >> .size, 66 bytes]",
			`"66 bytes"`, `"65 bytes"`, "(assertion)"),
		twin("two people", "two-people", `"Grace: It does now."]`, `"Grace: It does not."]`,
			`"Grace: It does not."`, `"Grace: It does now."`, "(assertion)"),
		twin("API then UI", "api-then-ui", "json.total == 3290", "json.total == 3291",
			"json.total is 3290", "(assertion"),
		twin("the stock table", "admin-table", `exists("td.margin") == (matrix.role == "admin")`, `exists("td.margin")`,
			"role=clerk", `exists("td.margin") is false`),
		twin("a flaky widget", "flaky-widget", "retry: { times: 9, every: 200ms, unsafe: true }", "retry: { times: 1, unsafe: true }",
			`visible("#stars") is false`),
		twin("wrong passwords", "wrong-password", "password: teapot-43 }", "password: teapot-42 }",
			"provoke a response with status 401 from /login", "not-provoked"),
		twin("client-side routing", "client-routing", "[back]", "[reload]",
			`expected`, `"#guide > li"`),
		twin("payment in a frame", "payment-frame", "4242 4242 4242 4242", "4000 0000 0000 0002",
			"from=here", "role=status"),
		twin("dialogs", "dialogs", "[dialog, accept, Amazing Grace]", "[wait, role=button Change nickname]",
			"(dialog-blocked)", "[dialog, accept]"),
		twin("a slow back office", "slow-office", `text("#state") != "shipped"`, `text("#state") != "lost"`,
			"while"),
		twin("secrets in CI", "ci-secrets", `[expect, text, "#user", ada@example.test]`, `[expect, text, "#user", grace@example.test]`,
			`"grace@example.test"`, "(assertion)"),
		twin("retry policy", "retry-policy", "when: status == 503", "when: status == 500",
			"503"),
		twin("quarantine and known bug", "quarantine", `[expect, text, "#total", €56.90]`, `[expect, text, "#total", €51]`,
			"SHOP-17", "known_bug"),
		twin("a page that is looked over", "looked-over", "provokes: { page_error: agents }", "timeout: 30s",
			"(reading 'agents')", "(assertion, qa)"),
		twin("a fragment three times", "fragment-thrice", "steps.second.count == 8", "steps.second.count == 9",
			"steps.second.count is 8"),
	)
})

// twin is an Entry of the table with time enough for a cold start of the shop.
func twin(says string, parameters ...any) TableEntry {
	return Entry(says, append([]any{SpecTimeout(5 * time.Minute)}, parameters...)...)
}
