package journal

import (
	"sync/atomic"
	"time"
)

// spent counts the time that the journal takes.
type spent struct{ append, sync atomic.Int64 }

func since(n *atomic.Int64, start time.Time) { n.Add(int64(time.Since(start))) }

// Spent is the time that callers of Append have waited for it so far, observers included and syncs not; and the time of the
// syncs, for which nobody waits who has something else to do.
func (w *Writer) Spent() (appending, syncing time.Duration) {
	return time.Duration(w.spent.append.Load()), time.Duration(w.spent.sync.Load())
}
