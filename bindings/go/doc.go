// Package stowage plans where long-running applications run, before they run: apps with replicas and demand, nodes with
// capacity, and limits on who may sit beside whom go in; a plan comes out that an independent checker has verified, with a lower
// bound that says how good it is, and a reason for whatever did not fit.
//
// An [Instance] is made with a [Builder] or loaded from bytes, is immutable, and serves any number of goroutines at once.
// [Instance.Plan] runs a planner; its context cancels it. Plans and reports are plain values. The same instance, request and seed
// give the same plan, byte for byte.
//
// The package needs cgo and a 64-bit system. It links the static library of the source tree it stands in; CGO_LDFLAGS=-L... names
// another folder, and the build tag stowage_system takes the installed library that pkg-config knows.
package stowage
