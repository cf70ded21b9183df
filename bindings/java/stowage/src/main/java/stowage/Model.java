package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import stowage.internal.StowageH;

/**
 * A model that has learned how apps perform by size and degree of collocation. Immutable; any number of threads may use it at
 * once. Close never waits: calls under way go on, and the last one frees it. Without close, it is freed after it has become
 * unreachable. A call that begins after close throws {@link IllegalStateException}.
 *
 * <p>An interrupt of the thread ends its call within about 50 ms: it throws {@link StowageException} with {@link
 * Status#CANCELLED}, and the thread stays interrupted. A {@link Control} does the same; it throws {@link IllegalStateException}
 * where another call uses the control or it is closed.
 */
public final class Model implements AutoCloseable {
  private final Handle handle;

  /** @param bytes about what the library allocated for it */
  private Model(MemorySegment raw, long bytes) {
    handle = new Handle(this, "model", raw, bytes, StowageH::stowage_model_free);
  }

  /**
   * Learns from profiled apps: each measured with some configurations.
   *
   * @throws StowageException malformed, invalid, a limit exceeded, out of memory, cancelled
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
    return learn(profiles, limits, null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #learn(Samples)}
   */
  public static Model learn(Samples profiles, Limits limits, Control control) {
    return made(Learning.encode(profiles), limits, control, StowageH::stowage_model_learn_watched);
  }

  /**
   * Reads a model that {@link #save} wrote. Bytes that were truncated or changed are refused.
   *
   * @throws StowageException malformed, invalid, a limit exceeded, out of memory, cancelled
   * @throws IllegalStateException the arena of the buffer is closed
   * @throws WrongThreadException the arena of the buffer is that of another thread
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
    return load(bytes, limits, null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #load(ByteBuffer)}
   */
  public static Model load(ByteBuffer bytes, Limits limits, Control control) {
    return made(bytes, limits, control, StowageH::stowage_model_load_watched);
  }

  private static Model made(ByteBuffer bytes, Limits limits, Control control, Calls.Making function) {
    return Calls.made(bytes, limits, control, function, (made, size) -> new Model(made, NativeMemory.ofBytes(size)));
  }

  /**
   * The model as bytes, the same on every platform.
   *
   * @throws StowageException out of memory, cancelled
   */
  public ByteBuffer save() {
    return save(null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #save()}
   */
  public ByteBuffer save(Control control) {
    return Watched.whole(control, raw -> handle.use(model -> {
      try (Arena arena = Arena.ofConfined()) {
        return Calls.bytes(arena, (bytes, error) -> StowageH.stowage_model_save_watched(model, raw, bytes, error));
      }
    }));
  }

  /**
   * Recommends a size and a degree of collocation for each app, or the sample to take next.
   *
   * @throws StowageException malformed, invalid, a limit exceeded, out of memory, cancelled
   */
  public Recommendations recommend(Question question) {
    return recommend(question, null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #recommend(Question)}
   */
  public Recommendations recommend(Question question, Control control) {
    ByteBuffer encoded = Learning.encode(question);
    return Learning.recommendations(Watched.whole(control, raw -> handle.use(model -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment asked = Calls.readable(arena, encoded);
        return Calls.bytes(arena, (answer, error) ->
            StowageH.stowage_model_recommend_watched(model, asked, asked.byteSize(), raw, answer, error));
      }
    })));
  }

  /** Frees the model once no call uses it any more; nobody waits for that. Closing again does nothing. */
  @Override
  public void close() {
    handle.close();
  }
}
