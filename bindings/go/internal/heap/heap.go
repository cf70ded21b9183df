// Package heap measures for tests how much memory the C allocator has in use.
package heap

// #include <malloc.h>
import "C"

// InUse is the number of bytes that malloc has allocated and that were not freed, over all arenas.
func InUse() uint64 {
	info := C.mallinfo2()
	return uint64(info.uordblks) + uint64(info.hblkhd)
}
