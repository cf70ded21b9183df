package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import stowage.internal.StowageK8sH;

/**
 * Questions about Kubernetes clusters, answered as by the command {@code stowage k8s} ({@code docs/reference/cli.md}). The functions are
 * those of a library of its own, {@code stowage_k8s}, which no jar has: {@code -Dstowage.k8s.library=FILE} or {@code
 * -Djava.library.path=FOLDER} names it.
 *
 * {@snippet :
 * ByteBuffer objects = ByteBuffer.wrap(Files.readAllBytes(Path.of("dump.json")));
 * System.out.println(Kubernetes.answer(List.of("consolidate"), objects).text());
 * ByteBuffer instance = Json.instance(Kubernetes.answer(List.of("instance"), objects).text());
 * }
 */
public final class Kubernetes {
  private Kubernetes() {}

  /**
   * An answer.
   *
   * @param code 2 where something does not fit, 4 where that depends on objects that were not given, else 0
   * @param text for people or, with the argument {@code -json}, JSON
   */
  public record Answer(int code, String text) {}

  /**
   * Answers a question.
   *
   * @param arguments those of the command, such as {@code fit} and {@code -json}, without files of objects
   * @param objects lists and objects as kubectl prints them in JSON, one document after the other
   * @throws StowageException malformed: the objects are not JSON, and the message has the line; invalid: an argument or a value is
   *     wrong, and the path is that of the value; cancelled: the thread is interrupted, and stays so
   * @throws UnsatisfiedLinkError there is no library {@code stowage_k8s}
   */
  public static Answer answer(List<String> arguments, ByteBuffer objects) {
    return answer(arguments, objects, Map.of(), null);
  }

  /**
   * The same with prices and types, and a control.
   *
   * @param files the texts of the files that {@code -price} and {@code -types} name
   * @param control ends the call; null = none
   * @throws StowageException as {@link #answer(List, ByteBuffer)}; cancelled: by the control
   */
  public static Answer answer(List<String> arguments, ByteBuffer objects, Map<String, String> files, Control control) {
    String list = arguments.stream().map(Kubernetes::quoted).collect(Collectors.joining(","));
    String texts = files.entrySet().stream()
        .map(one -> quoted(one.getKey()) + ":" + quoted(one.getValue()))
        .collect(Collectors.joining(","));
    byte[] json = Text.utf8("{\"arguments\":[" + list + "],\"files\":{" + texts + "}}");
    return Watched.whole(control, raw -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment request = Calls.readable(arena, ByteBuffer.wrap(json));
        MemorySegment given = Calls.readable(arena, objects);
        MemorySegment code = arena.allocate(ValueLayout.JAVA_INT);
        ByteBuffer text = Calls.bytes(arena, (answer, error) -> StowageK8sH.stowage_k8s_answer(
            request, request.byteSize(), given, given.byteSize(), raw, code, answer, error));
        return new Answer(code.get(ValueLayout.JAVA_INT, 0), StandardCharsets.UTF_8.decode(text).toString());
      }
    });
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (char letter : text.toCharArray()) {
      if (letter == '"' || letter == '\\') {
        json.append('\\').append(letter);
      } else if (letter < ' ') {
        json.append(String.format("\\u%04x", (int) letter));
      } else {
        json.append(letter);
      }
    }
    return json.append('"').toString();
  }
}
