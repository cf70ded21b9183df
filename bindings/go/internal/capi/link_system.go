//go:build stowage_system

package capi

// #cgo pkg-config: stowage
import "C"
