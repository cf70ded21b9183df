// Package stowage plans where long-running applications run, before they run. The input is apps with replicas and demand, nodes
// with capacity, and constraints on which apps may share a node. The result is a plan that an independent checker has verified,
// a lower bound that shows how good the plan is, and a reason for every replica that does not fit.
//
// An [Instance] is built with a [Builder] or loaded from bytes. It is immutable, and any number of goroutines may use it at
// once. [Instance.Plan] runs a planner, which its context cancels; functions whose name ends in Context are those with a context of
// functions that have none. Plans and reports are plain values. The same instance, request and seed give the same plan, byte for
// byte.
//
// The package needs cgo, a C++20 compiler and a 64-bit system. The library is compiled from the source in the module. The build tag
// stowage_system links the installed library that pkg-config finds instead.
package stowage
