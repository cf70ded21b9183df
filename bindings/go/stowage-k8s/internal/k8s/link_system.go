//go:build stowage_system

package k8s

// #cgo pkg-config: stowage
// #cgo LDFLAGS: -lstowage_k8s
import "C"
