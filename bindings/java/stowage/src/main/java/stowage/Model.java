package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import stowage.internal.StowageH;

/**
 * A model that has learned how apps perform by size and degree of collocation. Immutable; any number of threads may use it at
 * once. Close frees it; without close, it is freed after it has become unreachable. After close, every call throws
 * {@link IllegalStateException}.
 */
public final class Model implements AutoCloseable {
  private final Handle handle;

  private Model(MemorySegment raw) {
    handle = new Handle(this, "model", raw, StowageH::stowage_model_free);
  }

  /**
   * Learns from profiled apps: each measured with some configurations.
   *
   * @throws StowageException malformed, invalid, a limit exceeded, out of memory
   */
  public static Model learn(Samples profiles) {
    return learn(profiles, Limits.DEFAULTS);
  }

  /**
   * The same with limits; {@code bytes}, {@code apps} and {@code cells} (rows) count.
   *
   * @throws StowageException as {@link #learn(Samples)}
   */
  public static Model learn(Samples profiles, Limits limits) {
    return made(Learning.encode(profiles), limits, StowageH::stowage_model_learn);
  }

  /**
   * Reads a model that {@link #save} wrote. Bytes that were truncated or changed are refused.
   *
   * @throws StowageException malformed, invalid, a limit exceeded, out of memory
   */
  public static Model load(ByteBuffer bytes) {
    return load(bytes, Limits.DEFAULTS);
  }

  /**
   * The same with limits, as for {@link #learn(Samples, Limits)}.
   *
   * @throws StowageException as {@link #load(ByteBuffer)}
   */
  public static Model load(ByteBuffer bytes, Limits limits) {
    return made(bytes, limits, StowageH::stowage_model_load);
  }

  private interface Making {
    int call(MemorySegment bytes, long size, MemorySegment limits, MemorySegment model, MemorySegment error);
  }

  private static Model made(ByteBuffer bytes, Limits limits, Making function) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment readable = Calls.readable(arena, bytes);
      MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment accepted = limits.encode(arena);
      Calls.check(arena, error -> function.call(readable, readable.byteSize(), accepted, out, error));
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
   * @throws StowageException malformed, invalid, a limit exceeded, out of memory
   */
  public Recommendations recommend(Question question) {
    return Learning.recommendations(handle.use(model -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment asked = Calls.readable(arena, Learning.encode(question));
        return Calls.bytes(arena, (answer, error) ->
            StowageH.stowage_model_recommend(model, asked, asked.byteSize(), answer, error));
      }
    }));
  }

  /** Waits for the calls that use the model and frees it. Closing again does nothing. */
  @Override
  public void close() {
    handle.close();
  }
}
