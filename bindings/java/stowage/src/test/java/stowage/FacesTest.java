package stowage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The JSON of random instances, plans and operations, as {@code tests/faces/write_faces.cpp} has written it. */
class FacesTest {
  private static final String END = "-after.stow";

  private final String folder = System.getenv("STOWAGE_FACES_FOLDER");

  private byte[] read(String name) throws IOException {
    return Files.readAllBytes(Path.of(folder, name));
  }

  private void same(String name, ByteBuffer made) throws IOException {
    byte[] bytes = new byte[made.remaining()];
    made.duplicate().get(bytes);
    assertArrayEquals(read(name), bytes, name);
  }

  private void same(String name, String made) throws IOException {
    assertArrayEquals(read(name), made.getBytes(StandardCharsets.UTF_8), name);
  }

  @Test
  void jsonHasTheSameBytesInEveryLanguage() throws IOException {
    assumeTrue(folder != null, "scripts/test-bindings.sh writes the files");
    List<String> cases;
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      cases = files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(END))
          .map(name -> name.substring(0, name.length() - END.length())).toList();
    }
    assertFalse(cases.isEmpty());
    for (String k : cases) {
      ByteBuffer instance = ByteBuffer.wrap(read(k + ".stow"));
      String json = Json.of(instance);
      same(k + ".json", json);
      same(k + "-back.stow", Json.instance(json));
      json = Json.of(instance, Plan.read(read(k + "-plan.stow")));
      same(k + "-plan.json", json);
      same(k + "-plan-back.stow", Json.plan(instance, json).bytes());
      ByteBuffer operations = Json.operations(instance, new String(read(k + "-operations.json"), StandardCharsets.UTF_8));
      same(k + "-operations.stow", operations);
      try (Session session = Session.open(instance)) {
        session.applyBytes(operations);
        same(k + END, session.snapshot());
      }
    }
  }
}
