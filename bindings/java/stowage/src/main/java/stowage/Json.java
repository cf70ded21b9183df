package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import stowage.internal.NativeLibrary;
import stowage.internal.StowageH;
import stowage.internal.StowageTextH;

/**
 * Instances, plans and a session's operations as the JSON that people write ({@code docs/reference/json-format.md}), and explanations in
 * words. The functions are those of a second library, {@code stowage_text}, which no jar has. It is found as the first one: by
 * {@code -Dstowage.text.library=FILE}, by {@code -Djava.library.path=FOLDER}, or where the system looks.
 *
 * <p>An interrupt of the thread ends its call: it throws {@link StowageException} with {@link Status#CANCELLED}, and the thread stays
 * interrupted. The library goes on to its end on another thread, and its result is dropped.
 *
 * {@snippet :
 * ByteBuffer bytes = Json.instance(Files.readString(Path.of("cluster.json")));
 * try (Instance instance = Instance.load(bytes, Limits.DEFAULTS)) {
 *   System.out.println(Json.of(bytes, instance.plan(Request.of("auto"))));
 * }
 * }
 */
public final class Json {
  private Json() {}

  /**
   * Reads an instance and returns its bytes, for {@link Instance#load(ByteBuffer, Limits)}, {@link Session#open(ByteBuffer)} and
   * {@link Cluster#read}.
   *
   * @throws StowageException malformed: the text is not JSON, and the message has line and column; invalid: a key, a name or a
   *     quantity is wrong, and the path is that of the value; a limit exceeded, out of memory
   */
  public static ByteBuffer instance(String json) {
    return instance(json, Limits.DEFAULTS);
  }

  /**
   * The same with limits: of the bytes of the text, and of memory.
   *
   * @throws StowageException as {@link #instance(String)}
   */
  public static ByteBuffer instance(String json, Limits limits) {
    byte[] utf8 = Text.utf8(json);
    return made(utf8.length, arena -> {
      MemorySegment text = copied(arena, utf8);
      MemorySegment accepted = limits.encode(arena);
      return (instance, error) -> StowageTextH.stowage_instance_from_json(text, text.byteSize(), accepted, instance, error);
    });
  }

  /**
   * Writes the bytes of an instance, or of a snapshot. Nothing that planners read is lost.
   *
   * @throws StowageException as {@link Instance#load(ByteBuffer, Limits)}
   */
  public static String of(ByteBuffer instance) {
    byte[] copy = Calls.copyOf(instance);
    return text(made(copy.length, arena -> {
      MemorySegment bytes = copied(arena, copy);
      return (json, error) -> StowageTextH.stowage_instance_to_json(bytes, bytes.byteSize(), MemorySegment.NULL, json, error);
    }));
  }

  /**
   * Writes a plan, with the names of the instance whose bytes are given.
   *
   * @throws StowageException invalid: the plan does not belong to the instance; as {@link Instance#load(ByteBuffer, Limits)}
   */
  public static String of(ByteBuffer instance, Plan plan) {
    return written(instance, plan, StowageTextH::stowage_plan_to_json);
  }

  /**
   * Reads a plan, with names of the instance whose bytes are given.
   *
   * @throws StowageException as {@link #instance(String)} and {@link Instance#load(ByteBuffer, Limits)}
   */
  public static Plan plan(ByteBuffer instance, String json) {
    byte[] copy = Calls.copyOf(instance);
    byte[] utf8 = Text.utf8(json);
    return Plan.decode(made(copy.length + utf8.length, arena -> {
      MemorySegment bytes = copied(arena, copy);
      MemorySegment text = copied(arena, utf8);
      return (plan, error) -> StowageTextH.stowage_plan_from_json(
          bytes, bytes.byteSize(), text, text.byteSize(), MemorySegment.NULL, plan, error);
    }));
  }

  /**
   * Reads operations on a session ({@code docs/understand/sessions.md}) and returns their bytes, for {@link Session#applyBytes}: a list of
   * operations, one operation, or a batch. The instance is the one that the session was opened on, or a snapshot: operations depend
   * on its resources, periods and kinds alone.
   *
   * @throws StowageException as {@link #instance(String)} and {@link Instance#load(ByteBuffer, Limits)}, with paths such as {@code
   *     [3].replicas}
   */
  public static ByteBuffer operations(ByteBuffer instance, String json) {
    return operations(instance, json, Limits.DEFAULTS);
  }

  /**
   * The same with limits: those of an instance, of the bytes of the text, and of the memory of the operations.
   *
   * @throws StowageException as {@link #operations(ByteBuffer, String)}
   */
  public static ByteBuffer operations(ByteBuffer instance, String json, Limits limits) {
    byte[] copy = Calls.copyOf(instance);
    byte[] utf8 = Text.utf8(json);
    return made(copy.length + utf8.length, arena -> {
      MemorySegment bytes = copied(arena, copy);
      MemorySegment text = copied(arena, utf8);
      MemorySegment accepted = limits.encode(arena);
      return (operations, error) -> StowageTextH.stowage_operations_from_json(
          bytes, bytes.byteSize(), text, text.byteSize(), accepted, operations, error);
    });
  }

  /**
   * Puts a plan into words, as the command {@code stowage plan} does: which nodes to buy, use, keep and free, how sure that is, what
   * decides, and a table of at most {@code shown} nodes.
   *
   * @throws IllegalArgumentException where {@code shown} is negative
   * @throws StowageException as {@link #of(ByteBuffer, Plan)}
   */
  public static String words(ByteBuffer instance, Plan plan, int shown) {
    if (shown < 0) throw new IllegalArgumentException("shown is negative: " + shown);
    return written(instance, plan, (bytes, size, planBytes, planSize, limits, words, error) ->
        StowageTextH.stowage_plan_to_text(bytes, size, planBytes, planSize, shown, limits, words, error));
  }

  /**
   * Makes a page of a plan: an HTML document with the answer of {@link #words}, how sure it is, what decides, a picture of all nodes, and
   * tables. It needs no other file and runs no script.
   *
   * @throws StowageException as {@link #of(ByteBuffer, Plan)}
   */
  public static String html(ByteBuffer instance, Plan plan) {
    return written(instance, plan, StowageTextH::stowage_plan_to_html);
  }

  /**
   * Draws a plan: the picture of its page, as an SVG document.
   *
   * @throws StowageException as {@link #of(ByteBuffer, Plan)}
   */
  public static String svg(ByteBuffer instance, Plan plan) {
    return written(instance, plan, StowageTextH::stowage_plan_to_svg);
  }

  /** A function of the library that makes a text of an instance and one of its plans. */
  private interface Writer {
    int write(MemorySegment bytes, long size, MemorySegment plan, long planSize, MemorySegment limits, MemorySegment text,
        MemorySegment error);
  }

  private static String written(ByteBuffer instance, Plan plan, Writer writer) {
    byte[] copy = Calls.copyOf(instance);
    return text(made(copy.length + plan.bytes().remaining(), arena -> {
      MemorySegment bytes = copied(arena, copy);
      MemorySegment planBytes = Calls.readable(arena, plan.bytes());
      return (text, error) -> writer.write(
          bytes, bytes.byteSize(), planBytes, planBytes.byteSize(), MemorySegment.NULL, text, error);
    }));
  }

  /**
   * Explains a plan in words, as the command {@code stowage explain} does: what determines its number of nodes, and why replicas are
   * unplaced.
   *
   * @throws StowageException as {@link #of(ByteBuffer, Plan)}
   */
  public static String explanation(ByteBuffer instance, Plan plan) {
    byte[] copy = Calls.copyOf(instance);
    ByteBuffer report;
    try (Instance loaded = Instance.load(ByteBuffer.wrap(copy), Limits.DEFAULTS)) {
      report = loaded.explanation(plan, StowageH.STOWAGE_ALL_UNPLACED, null);
    }
    return text(made(copy.length + plan.bytes().remaining(), arena -> {
      MemorySegment bytes = copied(arena, copy);
      MemorySegment planBytes = Calls.readable(arena, plan.bytes());
      MemorySegment reportBytes = Calls.readable(arena, report);
      return (words, error) -> StowageTextH.stowage_explanation_to_text(
          bytes, bytes.byteSize(), planBytes, planBytes.byteSize(), reportBytes, reportBytes.byteSize(), MemorySegment.NULL, words,
          error);
    }));
  }

  private interface Preparation {
    Calls.Filling prepare(Arena arena);
  }

  /** Of fewer bytes, text is made in a few milliseconds. */
  private static final int LARGE = 128 << 10;

  /** Makes a call that reads so many bytes. */
  private static ByteBuffer made(long bytes, Preparation preparation) {
    Callable<ByteBuffer> call = () -> {
      try (Arena arena = Arena.ofConfined()) {
        return Calls.bytes(arena, preparation.prepare(arena));
      }
    };
    if (Thread.currentThread().isInterrupted()) {
      throw Watched.interrupted();
    }
    FutureTask<ByteBuffer> task = new FutureTask<>(call);
    if (bytes < LARGE) {
      task.run();
    } else {
      Thread.ofPlatform().daemon().name("stowage-json").start(task);
    }
    try {
      return task.get();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw Watched.interrupted();
    } catch (ExecutionException failure) {
      throw NativeLibrary.refused(failure.getCause());
    }
  }

  private static MemorySegment copied(Arena arena, byte[] bytes) {
    return Calls.readable(arena, ByteBuffer.wrap(bytes));
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }
}
