"""Makes the code of the Go module."""

from .header import NOTE

WIRE = f"""\
// {NOTE}

// Package wire has the code that flatc makes of the schemas. Programs need it only for what package stowage has no type for: to
// read the bytes of an instance or a snapshot, by [GetRootAsInstance], or to write them without a builder.
//
// The readers trust the bytes. Read those that the library returned, or that stowage.Check admits; others can make a reader panic or
// return nonsense. Names follow from the schemas, whose fields are only ever added.
package wire
"""
