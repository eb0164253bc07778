//go:build linux || darwin

package proc

// Listen is what the watchdog does until its pipe ends.
var Listen = listen
