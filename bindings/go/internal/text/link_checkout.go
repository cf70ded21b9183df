//go:build stowage_text && !stowage_system

package text

// The static libraries of this checkout's release build. In the published module, link_source.go stands in place of this file
// (scripts/package.sh).

// #cgo CFLAGS: -DSTOWAGE_STATIC
// #cgo linux LDFLAGS: -L${SRCDIR}/../../../../build/release/capi/text -l:libstowage_text.a
// #cgo linux LDFLAGS: -L${SRCDIR}/../../../../build/release/capi -l:libstowage.a -lstdc++ -lm -lpthread
// #cgo darwin LDFLAGS: ${SRCDIR}/../../../../build/release/capi/text/libstowage_text.a
// #cgo darwin LDFLAGS: ${SRCDIR}/../../../../build/release/capi/libstowage.a -lc++
import "C"
