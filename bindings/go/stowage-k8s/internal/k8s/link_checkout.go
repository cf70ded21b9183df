//go:build !stowage_system

package k8s

// The static libraries of this checkout's release build.

// #cgo CFLAGS: -DSTOWAGE_STATIC
// #cgo linux LDFLAGS: -L${SRCDIR}/../../../../../build/release/capi/k8s -l:libstowage_k8s.a
// #cgo linux LDFLAGS: -L${SRCDIR}/../../../../../build/release/capi/text -l:libstowage_text.a
// #cgo linux LDFLAGS: -L${SRCDIR}/../../../../../build/release/capi -l:libstowage.a -lstdc++ -lm -lpthread
// #cgo darwin LDFLAGS: ${SRCDIR}/../../../../../build/release/capi/k8s/libstowage_k8s.a
// #cgo darwin LDFLAGS: ${SRCDIR}/../../../../../build/release/capi/text/libstowage_text.a
// #cgo darwin LDFLAGS: ${SRCDIR}/../../../../../build/release/capi/libstowage.a -lc++
import "C"
