package main

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Package main cannot be imported, so its specs stand inside it.
func TestShop(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "the shop")
}
