package install

// What the specs reach into.
var (
	Unpack   = unpack
	Patch    = patch
	Registry = registry
	Unwrap   = unwrap
	Download = download
	Debian   = debian
)

// NpmRC reads one key of an .npmrc file.
var NpmRC = npmrc
