//go:build stowage_text && !stowage_system

package text

// #error "The module has no source of stowage_text: the tag stowage_text needs stowage_system, and an installed stowage-text."
import "C"
