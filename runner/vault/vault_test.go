package vault_test

import (
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/vault"
)

var _ = Describe("The private store", func() {
	var base string
	BeforeEach(func() { base = filepath.Join(GinkgoT().TempDir(), "private") })

	It("keeps files that only the owner can read, and removes them", func() {
		v, err := vault.Open(base)
		Expect(err).NotTo(HaveOccurred())
		Expect(base).NotTo(BeAnExistingFile(), "nothing is made before it is needed")
		path, err := v.Put("suites/a.yaml ada.json", []byte("secret"))
		Expect(err).NotTo(HaveOccurred())
		Expect(os.ReadFile(path)).To(Equal([]byte("secret")))
		for p, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700, base: 0o700} {
			info, err := os.Stat(p)
			Expect(err).NotTo(HaveOccurred())
			Expect(info.Mode().Perm()).To(Equal(want), p)
		}
		again, err := v.Put("suites/a.yaml ada.json", []byte("newer"))
		Expect(err).NotTo(HaveOccurred())
		Expect(again).NotTo(Equal(path), "who reads the first may go on")
		Expect(v.Close()).To(Succeed())
		Expect(path).NotTo(BeAnExistingFile())
		Expect(base).NotTo(BeAnExistingFile())
		_, err = v.Put("late", nil)
		Expect(err).To(HaveOccurred())
	})

	It("removes what a killed run left, and nothing of one that lives", func() {
		alive, err := vault.Open(base)
		Expect(err).NotTo(HaveOccurred())
		path, err := alive.Put("state", []byte("x"))
		Expect(err).NotTo(HaveOccurred())
		dead, fresh, other := filepath.Join(base, "run-dead"), filepath.Join(base, "run-fresh"), filepath.Join(base, "notes")
		for _, dir := range []string{dead, fresh, other} {
			Expect(os.Mkdir(dir, 0o700)).To(Succeed())
		}
		Expect(os.WriteFile(filepath.Join(dead, "state"), []byte("secret"), 0o600)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dead, "lock"), nil, 0o600)).To(Succeed())
		old := filepath.Join(base, "run-old")
		Expect(os.Mkdir(old, 0o700)).To(Succeed())
		Expect(os.Chtimes(old, time.Now(), time.Now().Add(-time.Hour))).To(Succeed())
		next, err := vault.Open(base)
		Expect(err).NotTo(HaveOccurred())
		Expect(dead).NotTo(BeAnExistingFile())
		Expect(old).NotTo(BeAnExistingFile())
		Expect(fresh).To(BeADirectory(), "another run may just be making it")
		Expect(other).To(BeADirectory())
		Expect(path).To(BeAnExistingFile())
		Expect(next.Close()).To(Succeed())
		Expect(alive.Close()).To(Succeed())
	})

	It("closes a folder that others could look into", func() {
		Expect(os.Mkdir(base, 0o755)).To(Succeed())
		v, err := vault.Open(base)
		Expect(err).NotTo(HaveOccurred())
		_, err = v.Put("x", nil)
		Expect(err).NotTo(HaveOccurred())
		info, err := os.Stat(base)
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o700)))
		Expect(v.Close()).To(Succeed())
	})

	It("uses no folder that is a link", func() {
		Expect(os.Symlink(GinkgoT().TempDir(), base)).To(Succeed())
		v, err := vault.Open(base)
		Expect(err).NotTo(HaveOccurred())
		_, err = v.Put("x", nil)
		Expect(err).To(MatchError(ContainSubstring("no folder")))
	})
})
