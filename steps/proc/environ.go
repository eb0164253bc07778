package proc

import "strings"

// passed are the variables a child gets from the environment of checkrow; see [Environ].
var passed = map[string]bool{
	"PATH": true, "HOME": true, "TMPDIR": true, "USER": true, "LOGNAME": true, "TZ": true, "LANG": true, "LANGUAGE": true,
	"XDG_CACHE_HOME": true, "XDG_CONFIG_HOME": true, "CI": true, "NO_COLOR": true,
	"GOPATH": true, "GOCACHE": true, "GOMODCACHE": true, "GOFLAGS": true, "GOENV": true, "GOROOT": true, "GOTOOLCHAIN": true, "GOWORK": true, "CGO_ENABLED": true,
	"GOPROXY": true, "GONOPROXY": true, "GOPRIVATE": true, "GOINSECURE": true, "GOSUMDB": true, "GONOSUMDB": true, "GONOSUMCHECK": true,
	"http_proxy": true, "https_proxy": true, "no_proxy": true, "all_proxy": true,
	"HTTP_PROXY": true, "HTTPS_PROXY": true, "NO_PROXY": true, "ALL_PROXY": true,
	"SSL_CERT_FILE": true, "SSL_CERT_DIR": true, "NODE_EXTRA_CA_CERTS": true,
	"npm_config_registry": true, "npm_config_cafile": true, "npm_config_cache": true, "npm_config_prefix": true,
	"npm_config_userconfig": true, "npm_config_globalconfig": true,
}

// Environ is the environment of a child: of base (the environment of checkrow) the variables below, then the declared
// ones (NAME=value), which win, then the mark of the run.
//
//	PATH HOME TMPDIR USER LOGNAME TZ LANG LANGUAGE LC_* XDG_CACHE_HOME XDG_CONFIG_HOME CI NO_COLOR
//	GOPATH GOCACHE GOMODCACHE GOFLAGS GOENV GOROOT GOTOOLCHAIN GOWORK CGO_ENABLED
//	GOPROXY GONOPROXY GOPRIVATE GOINSECURE GOSUMDB GONOSUMDB GONOSUMCHECK
//	http_proxy https_proxy no_proxy all_proxy, in capitals too
//	SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS
//	npm_config_{registry,cafile,cache,prefix,userconfig,globalconfig}
//
// It is what a toolchain needs to find its caches, proxies and certificates, so that `go run` and `npm` work in a child as
// they do in the shell. Left out on purpose: SHELL and TERM (output goes to a pipe, and a run should not depend on who
// started it), other npm_config_* (tokens), everything else. A suite declares what it needs beyond that.
func Environ(base, declared []string, mark string) []string {
	return environ(base, declared, mark, func(name string) bool { return passed[name] || strings.HasPrefix(name, "LC_") })
}

// StrictEnviron is [Environ] under a policy: of base only PATH, HOME and TMPDIR.
func StrictEnviron(base, declared []string, mark string) []string {
	return environ(base, declared, mark, func(name string) bool { return name == "PATH" || name == "HOME" || name == "TMPDIR" })
}

func environ(base, declared []string, mark string, pass func(string) bool) []string {
	env := make([]string, 0, len(base)+len(declared)+1)
	for _, kv := range base {
		if name, _, ok := strings.Cut(kv, "="); ok && pass(name) {
			env = append(env, kv)
		}
	}
	env = append(env, declared...)
	if mark != "" {
		env = append(env, MarkEnv+"="+mark)
	}
	return unique(env)
}
