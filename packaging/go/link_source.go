//go:build !stowage_system

package capi

// The library, compiled from the parts beside this file. It is optimized whatever CGO_CXXFLAGS says, and without debugging
// information, which would make programs many times as large.

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -DNDEBUG -DSTOWAGE_STATIC
// #cgo CFLAGS: -DSTOWAGE_STATIC
// #cgo LDFLAGS: -lpthread
// #cgo linux LDFLAGS: -lm
import "C"
