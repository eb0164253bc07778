package proc

// UsePipes makes the package use the way of systems without pidfds until restore.
func UsePipes() (restore func()) {
	old := pollWorks
	pollWorks = func() bool { return false }
	return func() { pollWorks = old }
}
