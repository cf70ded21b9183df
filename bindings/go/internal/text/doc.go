// Package text is the raw C ABI of stowage_text.h: one Go function per C function. It is empty without the tag stowage_text.
package text
