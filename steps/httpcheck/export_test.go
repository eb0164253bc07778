package httpcheck

// Resolve is resolve, for the fuzzer.
var Resolve = resolve
