package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed peer
var peerFiles embed.FS

// installPeer puts Playwright Test and the specs in the cache folder; npm is asked only the first time.
func installPeer(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "checkrow", "bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	entries, err := peerFiles.ReadDir("peer")
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		text, err := peerFiles.ReadFile("peer/" + e.Name())
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), text, 0o644); err != nil {
			return "", err
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules/@playwright/test/cli.js")); err == nil {
		return dir, nil
	}
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("installing Playwright Test: %w\n%s", err, out)
	}
	return dir, nil
}
