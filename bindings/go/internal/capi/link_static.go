//go:build !stowage_system

package capi

// The static library of the release build of this source tree. CGO_LDFLAGS=-L... is looked at first, so that it names another.

// #cgo CFLAGS: -DSTOWAGE_STATIC
// #cgo LDFLAGS: -L${SRCDIR}/../../../../build/release/capi -l:libstowage.a -lstdc++ -lm -lpthread
import "C"
