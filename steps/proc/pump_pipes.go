//go:build linux || darwin

package proc

import (
	"os"
	"sync"
	"syscall"
	"time"
)

// pipePump moves the streams by a goroutine each: for systems without a pidfd.
type pipePump struct {
	files   []*os.File // our ends
	moving  sync.WaitGroup
	reading sync.WaitGroup
	ended   chan struct{} // the leader has ended; it is not reaped yet
}

// launchPipes starts a process with its output on pipes.
func launchPipes(path string, s Spec, out, errOut *capture) (pid int, _ pump, err error) {
	p := &pipePump{ended: make(chan struct{})}
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			_ = f.Close()
		}
		if err != nil {
			p.close()
		}
	}()
	var input *os.File
	if len(s.Stdin) == 0 {
		null, err := os.Open(os.DevNull)
		if err != nil {
			return 0, nil, err
		}
		theirs = append(theirs, null)
	} else {
		r, w, err := os.Pipe()
		if err != nil {
			return 0, nil, err
		}
		theirs, p.files, input = append(theirs, r), append(p.files, w), w
	}
	var readers []*os.File
	for range 2 {
		r, w, err := os.Pipe()
		if err != nil {
			return 0, nil, err
		}
		theirs, readers, p.files = append(theirs, w), append(readers, r), append(p.files, r)
	}
	fds := make([]uintptr, 0, len(theirs))
	for _, f := range theirs {
		fds = append(fds, f.Fd()) // this makes it blocking, as a child wants it
	}
	pid, _, err = syscall.StartProcess(path, s.Argv, &syscall.ProcAttr{Dir: s.Dir, Env: unique(s.Env), Files: s.ends(fds),
		Sys: &syscall.SysProcAttr{Setpgid: true}})
	if err != nil {
		return 0, nil, err
	}
	if input != nil {
		p.moving.Go(func() {
			_, _ = input.Write(s.Stdin) // a child that closed its input has had enough
			_ = input.Close()
		})
	}
	for i, to := range []*capture{out, errOut} {
		p.reading.Go(func() { read(readers[i], to) })
	}
	p.moving.Go(func() {
		awaitExit(pid)
		close(p.ended)
	})
	return pid, p, nil
}

// read moves one stream until its end, or until drain sets a deadline.
func read(from *os.File, to *capture) {
	buf := readBuffers.Get().(*[64 << 10]byte)
	defer readBuffers.Put(buf)
	for {
		n, err := from.Read(buf[:])
		to.add(buf[:n])
		if err != nil {
			return
		}
	}
}

func (p *pipePump) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.ended:
		return true
	case <-timer.C:
		return false
	}
}

func (p *pipePump) rest(d time.Duration) { time.Sleep(d) }

// drain lets the readers come to the end. A stranger may hold a pipe open; the deadline ends that, it comes late enough
// for what lies in the pipe.
func (p *pipePump) drain() {
	until := time.Now().Add(100 * time.Millisecond)
	for _, f := range p.files {
		_ = f.SetDeadline(until)
	}
	p.reading.Wait()
	p.close()
	select {
	case <-p.ended:
		p.moving.Wait()
	default: // it does not die: its waiter stays with it
	}
}

func (p *pipePump) close() {
	for _, f := range p.files {
		_ = f.Close()
	}
}
