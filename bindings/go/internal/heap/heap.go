// Package heap tells tests how much memory the C allocator has handed out.
package heap

// #include <malloc.h>
import "C"

// InUse is the bytes that malloc has handed out and that were not freed, over all arenas.
func InUse() uint64 {
	info := C.mallinfo2()
	return uint64(info.uordblks) + uint64(info.hblkhd)
}
