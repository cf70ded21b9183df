package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import stowage.internal.StowageH;
import stowage.wire.LearningBody;

/**
 * A model that has learned how apps perform by size and degree of collocation. Immutable; any number of threads may use it.
 * Close frees it; without close, it is freed after it has become unreachable. After close, every call throws
 * {@link IllegalStateException}.
 */
public final class Model implements AutoCloseable {
  private final Handle handle;

  private Model(MemorySegment raw) {
    handle = new Handle(this, "model", raw, StowageH::stowage_model_free);
  }

  /**
   * Learns from profiled apps.
   *
   * @throws StowageException invalid, a limit exceeded, out of memory
   */
  public static Model learn(Samples profiles) {
    FlatBufferBuilder fbb = new FlatBufferBuilder(1024);
    ByteBuffer bytes = LearningBytes.finish(fbb, LearningBody.Samples, profiles.encode(fbb));
    return make(bytes, Limits.DEFAULTS, StowageH::stowage_model_learn);
  }

  /**
   * Reads a model that {@link #save} wrote.
   *
   * @throws StowageException malformed, invalid, a limit exceeded, out of memory
   */
  public static Model load(ByteBuffer bytes) {
    return load(bytes, Limits.DEFAULTS);
  }

  /**
   * The same with limits.
   *
   * @throws StowageException as {@link #load(ByteBuffer)}
   */
  public static Model load(ByteBuffer bytes, Limits limits) {
    return make(bytes, limits, StowageH::stowage_model_load);
  }

  private interface Make {
    int call(MemorySegment bytes, long size, MemorySegment limits, MemorySegment model, MemorySegment error);
  }

  private static Model make(ByteBuffer bytes, Limits limits, Make make) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment readable = Calls.readable(arena, bytes);
      MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment accepted = limits.encode(arena);
      Calls.check(arena, error -> make.call(readable, readable.byteSize(), accepted, out, error));
      return new Model(out.get(ValueLayout.ADDRESS, 0));
    }
  }

  /**
   * The model as bytes, the same on every platform.
   *
   * @throws StowageException out of memory
   */
  public ByteBuffer save() {
    return handle.use(model -> {
      try (Arena arena = Arena.ofConfined()) {
        return Calls.bytes(arena, (bytes, error) -> StowageH.stowage_model_save(model, bytes, error));
      }
    });
  }

  /**
   * Recommends a size and a degree of collocation for each app, or the sample to take next.
   *
   * @throws StowageException invalid, a limit exceeded, out of memory
   */
  public Recommendations recommend(Question question) {
    ByteBuffer bytes = question.encode();
    return handle.use(model -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment asked = Calls.readable(arena, bytes);
        return Recommendations.decode(Calls.bytes(
            arena,
            (answer, error) -> StowageH.stowage_model_recommend(model, asked, asked.byteSize(), answer, error)));
      }
    });
  }

  /** Waits for the calls that use the model and frees it. Closing again does nothing. */
  @Override
  public void close() {
    handle.close();
  }
}
