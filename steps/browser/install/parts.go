package install

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Part is something that a run can do without, and what it is without it.
type Part struct {
	What   string `json:"what"` // video, fonts, sandbox
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Fix    string `json:"enable_how,omitempty"`
}

// Parts tells what this machine has beside driver and browser. It starts nothing.
func Parts(env Env) []Part {
	return []Part{videos(env), fonts(env), sandbox(env)}
}

func videos(env Env) Part {
	if found := env.look("ffmpeg"); len(found) > 0 {
		return Part{What: "video", OK: true, Detail: found[0]}
	}
	return Part{What: "video", Detail: "there is no ffmpeg on PATH: videos of tests cannot be made", Fix: "install ffmpeg (apt-get install ffmpeg, brew install ffmpeg)"}
}

// fontFolders are where systems without a font service of their own keep fonts.
var fontFolders = []string{"/usr/share/fonts", "/usr/local/share/fonts"}

func fonts(env Env) Part {
	if runtime.GOOS != "linux" {
		return Part{What: "fonts", OK: true, Detail: "those of the system"}
	}
	folders := append([]string(nil), fontFolders...)
	for i, f := range folders {
		folders[i] = filepath.Join(env.Root+"/", f)
	}
	if home := env.get("HOME"); home != "" {
		folders = append(folders, filepath.Join(home, ".fonts"), filepath.Join(home, ".local", "share", "fonts"))
	}
	for _, f := range folders {
		if holdsFont(f) {
			return Part{What: "fonts", OK: true, Detail: f}
		}
	}
	return Part{What: "fonts", Detail: "no font was found: text in screenshots is boxes, and its size is wrong",
		Fix: "install some (apt-get install fonts-liberation fonts-noto-color-emoji)"}
}

// holdsFont tells that some file below a folder is a font.
func holdsFont(folder string) bool {
	found := false
	// An error is a folder that is not there, or that nobody may read: it has no fonts.
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		switch strings.ToLower(filepath.Ext(path)) {
		case ".ttf", ".otf", ".ttc", ".pfb", ".woff2":
			found = !d.IsDir()
		}
		if found {
			return fs.SkipAll
		}
		return nil
	})
	return found
}

func sandbox(env Env) Part {
	if runtime.GOOS != "linux" {
		return Part{What: "sandbox", OK: true, Detail: "that of the system"}
	}
	if os.Geteuid() == 0 {
		return Part{What: "sandbox", Detail: "the browser of root runs without its sandbox", Fix: "run as another user if the pages are not your own"}
	}
	for _, rule := range []struct{ file, off, fix string }{
		{"/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"},
		{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile for the browser"},
		{"/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"},
	} {
		text, err := os.ReadFile(filepath.Join(env.Root+"/", rule.file))
		if err == nil && strings.TrimSpace(string(text)) == rule.off {
			return Part{What: "sandbox", Detail: "the kernel forbids what the browser's sandbox is made of (" + rule.file + ")", Fix: rule.fix}
		}
	}
	return Part{What: "sandbox", OK: true, Detail: "user namespaces"}
}
