package electron

// What the tests of the relay see of it.
var (
	NewRelay = newRelay
	Disguise = disguise
)

// Address is what the driver connects to.
func (r *relay) Address() string { return r.address() }

// Close ends every connection.
func (r *relay) Close() { r.close() }
