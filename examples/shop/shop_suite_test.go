package main

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Package main cannot be imported, so its specs stand inside it.
func TestShop(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(30 * time.Second) // what must come, comes late on a busy machine
	RunSpecs(t, "the shop")
}
