package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// process is one that runs now.
type process struct {
	pid, group int
	command    string
	marked     bool // it carries the mark of the chain in its environment
}

// processes finds those of the chain: what carries its mark in the environment, and what is in the group of one that did:
// the children of a browser wipe theirs. A zombie has ended.
func (c *chain) processes() []process {
	var all []process
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		p, ok := inspect(dir, "TMPDIR="+c.tmp)
		if !ok {
			continue
		}
		if p.marked && p.group == p.pid {
			c.groups[p.pid] = true
		}
		all = append(all, p)
	}
	var out []process
	for _, p := range all {
		if p.marked || c.groups[p.group] && strings.Contains(p.command, "--type=") {
			out = append(out, p)
		}
	}
	return out
}

func inspect(dir, mark string) (process, bool) {
	pid, _ := strconv.Atoi(filepath.Base(dir))
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil || pid == os.Getpid() {
		return process{}, false
	}
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	fields := strings.Fields(string(rest)) // state, parent, group
	if len(fields) < 3 || fields[0] == "Z" || fields[0] == "X" {
		return process{}, false
	}
	p := process{pid: pid}
	p.group, _ = strconv.Atoi(fields[2])
	env, _ := os.ReadFile(dir + "/environ") // of another user's process nothing can be read: it is not ours
	for _, v := range bytes.Split(env, []byte{0}) {
		p.marked = p.marked || bytes.HasPrefix(v, []byte(mark)) // a browser has a folder of its own below
	}
	line, _ := os.ReadFile(dir + "/cmdline")
	p.command = strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))
	return p, true
}

func describe(list []process) []string {
	var out []string
	for _, p := range list {
		text := p.command
		if len(text) > 120 {
			text = text[:120] + "…"
		}
		out = append(out, fmt.Sprintf("%d %s", p.pid, text))
	}
	return out
}
