package stowage

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

// shared is an object of the library and the number of calls that use it. Nobody waits for it: once it is closed, no call begins,
// and the last one that is under way frees the object.
type shared[Handle any] struct {
	mutex  sync.Mutex // held for counting, never during a call
	handle Handle
	free   func(Handle)
	weight int64
	users  int
	closed bool
}

// share takes an object over for its owner, from whom nothing leads back. The object is freed by close, or after the owner has
// become unreachable. weight estimates the bytes that the library holds for it.
func share[Owner, Handle any](owner *Owner, handle Handle, free func(Handle), weight int64) *shared[Handle] {
	one := &shared[Handle]{handle: handle, free: free, weight: weight}
	runtime.AddCleanup(owner, (*shared[Handle]).close, one)
	native.add(one.weight)
	return one
}

// use calls a function with the object, which stays until it returns. Fails with ErrClosed.
func (s *shared[Handle]) use(call func(Handle) error) error {
	if s == nil {
		return ErrClosed
	}
	s.mutex.Lock()
	if s.closed {
		s.mutex.Unlock()
		return ErrClosed
	}
	s.users++
	s.mutex.Unlock()
	defer s.leave()
	return call(s.handle)
}

func (s *shared[Handle]) leave() {
	s.mutex.Lock()
	s.users--
	last := s.closed && s.users == 0
	s.mutex.Unlock()
	if last {
		s.release()
	}
}

// close does nothing where it has been called before.
func (s *shared[Handle]) close() {
	if s == nil {
		return
	}
	s.mutex.Lock()
	last := !s.closed && s.users == 0
	s.closed = true
	s.mutex.Unlock()
	if last {
		s.release()
	}
}

func (s *shared[Handle]) release() {
	s.free(s.handle)
	native.held.Add(-s.weight)
}

// memory of the library, which Go's collector does not see. It is told to collect as if it saw it: with GOGC=100, once as many bytes
// have come since its last collection as the library and the heap of Go held then.
type memory struct {
	held, added atomic.Int64
	mutex       sync.Mutex
	collections uint64 // at the last look
}

var native memory

// fewBytes are never worth a collection.
const fewBytes = 64 << 20

func (m *memory) add(bytes int64) {
	held := m.held.Add(bytes)
	if added := m.added.Add(bytes); added <= fewBytes || !m.mutex.TryLock() {
		return
	}
	defer m.mutex.Unlock()
	seen := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/heap/live:bytes"}, {Name: "/gc/gogc:percent"}}
	metrics.Read(seen)
	if cycles := seen[0].Value.Uint64(); cycles != m.collections {
		// What came before the last collection has been looked at.
		m.collections = cycles
		m.added.Store(bytes)
		return
	}
	added := m.added.Load()
	share := float64(seen[2].Value.Uint64()) / 100 // huge where collection is off
	if float64(added) > share*(float64(held-added)+float64(seen[1].Value.Uint64())) {
		runtime.GC()
		m.added.Store(0)
	}
}

// The weight of an instance or a model, and of a session, which looks up names, by the size of its bytes: as measured, rounded up.
func weightOf(bytes int) int64        { return 4<<10 + 2*int64(bytes) }
func sessionWeightOf(bytes int) int64 { return 16<<10 + 16*int64(bytes) }
