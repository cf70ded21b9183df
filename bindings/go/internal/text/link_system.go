//go:build stowage_text && stowage_system

package text

// #cgo pkg-config: stowage-text
import "C"
