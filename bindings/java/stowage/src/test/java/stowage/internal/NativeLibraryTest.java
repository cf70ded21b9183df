package stowage.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  private static final Path FOLDER = Path.of(System.getProperty("stowage.test.libraryFolder"));

  @Test
  void foldersAreSearchedInOrder(@TempDir Path empty) {
    String folders = empty + File.pathSeparator + File.pathSeparator + FOLDER;
    assertEquals(
        Optional.of(FOLDER.resolve("libstowage.so").toAbsolutePath()), NativeLibrary.onPath(folders, "libstowage.so"));
    assertEquals(Optional.empty(), NativeLibrary.onPath(empty.toString(), "libstowage.so"));
  }

  @Test
  void aBundledLibraryIsLoadedAndLeavesNoFile(@TempDir Path jar, @TempDir Path temporary) throws Exception {
    Path resource = jar.resolve("stowage/native/" + System.getProperty("os.name") + "-" + System.getProperty("os.arch"));
    Files.createDirectories(resource);
    Files.copy(FOLDER.resolve("libstowage.so"), resource.resolve("libstowage.so"));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
      assertTrue(
          NativeLibrary.fromResource(loader, "libstowage.so", temporary).orElseThrow().find("stowage_version").isPresent());
      assertTrue(NativeLibrary.fromResource(loader, "libother.so", temporary).isEmpty());
    }
    try (var files = Files.list(temporary)) {
      assertEquals(List.of(), files.toList());
    }
  }
}
