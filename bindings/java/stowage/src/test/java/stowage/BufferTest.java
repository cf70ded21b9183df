package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Buffers that cannot be read: of a closed arena, and of another thread's. */
class BufferTest {
  private static Map<String, Consumer<ByteBuffer>> readers(PublicFunctions shared) {
    Map<String, Consumer<ByteBuffer>> all = new TreeMap<>();
    all.put("Instance.load", bytes -> Instance.load(bytes, Limits.DEFAULTS));
    all.put("Session.open", Session::open);
    all.put("Model.load", Model::load);
    all.put("Cluster.read", Cluster::read);
    all.put("Plan.read", bytes -> Plan.read(bytes, Limits.DEFAULTS, null));
    all.put("verify", shared.instance::verify);
    all.put("applyBytes", shared.session::applyBytes);
    all.put("commit", bytes -> shared.session.commit(bytes, CommitMode.EXACT));
    all.put("reject", shared.session::reject);
    all.put("Json.of", Json::of);
    all.put("Json.of plan", bytes -> Json.of(bytes, shared.plan));
    all.put("Json.plan", bytes -> Json.plan(bytes, "{}"));
    all.put("Json.operations", bytes -> Json.operations(bytes, "[]"));
    all.put("Json.words", bytes -> Json.words(bytes, shared.plan, 1));
    all.put("Json.explanation", bytes -> Json.explanation(bytes, shared.plan));
    return all;
  }

  private static ByteBuffer copy(Arena arena, ByteBuffer bytes) {
    return arena.allocate(bytes.remaining()).copyFrom(MemorySegment.ofBuffer(bytes)).asByteBuffer();
  }

  @Test
  void aClosedArena() {
    ByteBuffer bytes = Support.small().bytes();
    ByteBuffer closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = copy(arena, bytes);
    }
    try (PublicFunctions shared = new PublicFunctions(bytes)) {
      readers(shared).forEach((name, reader) -> {
        IllegalStateException failure = assertThrows(IllegalStateException.class, () -> reader.accept(closed), name);
        assertEquals("the arena of the buffer is closed", failure.getMessage());
      });
    }
  }

  @Test
  void theArenaOfAnotherThread() throws InterruptedException {
    ByteBuffer bytes = Support.small().bytes();
    AtomicReference<Throwable> outcome = new AtomicReference<>();
    try (Arena arena = Arena.ofConfined(); PublicFunctions shared = new PublicFunctions(bytes)) {
      ByteBuffer foreign = copy(arena, bytes);
      Thread thread = new Thread(() -> readers(shared).forEach((name, reader) -> {
        try {
          assertThrows(WrongThreadException.class, () -> reader.accept(foreign), name);
        } catch (Throwable failure) {
          outcome.set(failure);
        }
      }));
      thread.start();
      thread.join();
      assertEquals(null, outcome.get());
      // Its own thread may.
      assertEquals(shared.instance.fingerprint(), Cluster.read(foreign).fingerprint());
    }
  }

  @Test
  void bytesBetweenPositionAndLimitAreRead() {
    ByteBuffer bytes = Support.small().bytes();
    try (PublicFunctions shared = new PublicFunctions(bytes)) {
      for (boolean direct : new boolean[] {false, true}) {
        ByteBuffer plan = shared.plan.bytes();
        int size = plan.remaining() + 5;
        ByteBuffer shifted = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
        shifted.position(3).put(plan).limit(size - 2).position(3);
        Plan again = Plan.read(shifted, Limits.DEFAULTS, null);
        assertEquals(shared.plan.placements(), again.placements());
        assertEquals(3, shifted.position());
        // What is read is a copy.
        shifted.put(8, (byte) 77);
        assertEquals(shared.plan.bytes(), again.bytes());
      }
    }
  }
}
