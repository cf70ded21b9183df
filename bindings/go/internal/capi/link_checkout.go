//go:build !stowage_system

package capi

// The static library of this checkout's release build. On Linux, the linker searches the folder of CGO_LDFLAGS=-L... first. In the
// published module, link_source.go stands in place of this file, with the library's source (scripts/package.sh).

// #cgo CFLAGS: -DSTOWAGE_STATIC
// #cgo linux LDFLAGS: -L${SRCDIR}/../../../../build/release/capi -l:libstowage.a -lstdc++ -lm -lpthread
// #cgo darwin LDFLAGS: ${SRCDIR}/../../../../build/release/capi/libstowage.a -lc++
import "C"
