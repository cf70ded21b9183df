//go:build !stowage_system

package capi

// The static library of this source tree's release build. The linker searches the folder of CGO_LDFLAGS=-L... first.

// #cgo CFLAGS: -DSTOWAGE_STATIC
// #cgo LDFLAGS: -L${SRCDIR}/../../../../build/release/capi -l:libstowage.a -lstdc++ -lm -lpthread
import "C"
