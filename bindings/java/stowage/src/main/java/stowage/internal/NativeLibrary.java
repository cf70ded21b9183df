package stowage.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds the shared library once, and keeps it loaded until the program ends. Searches in this order: the file that the system
 * property {@code stowage.library} or the environment variable {@code STOWAGE_LIBRARY} names; the folders of {@code
 * java.library.path}; the resource {@code stowage/native/OS-ARCHITECTURE/libstowage.so} where a jar has one; the system's own
 * search.
 */
public final class NativeLibrary {
  private NativeLibrary() {}

  private static final SymbolLookup LOOKUP = open();

  static MemorySegment find(String function) {
    return LOOKUP.find(function)
        .orElseThrow(() -> new UnsatisfiedLinkError("the library stowage has no function " + function));
  }

  /** The reason for which a call was not made, such as a segment of an arena that was closed. The library itself throws nothing. */
  public static RuntimeException refused(Throwable reason) {
    return switch (reason) {
      case RuntimeException refused -> refused;
      case Error refused -> throw refused;
      default -> throw new AssertionError("a call of the library threw", reason);
    };
  }

  private static SymbolLookup open() {
    String file = System.mapLibraryName("stowage");
    return named("stowage.library", "STOWAGE_LIBRARY")
        .or(() -> onPath(System.getProperty("java.library.path", ""), file))
        .map(path -> SymbolLookup.libraryLookup(path, Arena.global()))
        .or(() -> fromResource(NativeLibrary.class.getClassLoader(), file, Path.of(System.getProperty("java.io.tmpdir"))))
        .orElseGet(() -> fromSystem(file));
  }

  /** The file that a system property or else an environment variable names. */
  static Optional<Path> named(String property, String variable) {
    String named = System.getProperty(property, System.getenv(variable));
    if (named == null) {
      return Optional.empty();
    }
    Path path = Path.of(named);
    if (!Files.isRegularFile(path)) {
      throw new UnsatisfiedLinkError(property + " or " + variable + " names " + path + ", which is no file");
    }
    return Optional.of(path);
  }

  static Optional<Path> onPath(String folders, String file) {
    for (String folder : folders.split(java.io.File.pathSeparator)) {
      Path path = Path.of(folder, file);
      if (!folder.isEmpty() && Files.isRegularFile(path)) {
        return Optional.of(path.toAbsolutePath());
      }
    }
    return Optional.empty();
  }

  /** The system loads files, not resources. The resource is copied to a temporary file, which is loaded and then deleted. */
  static Optional<SymbolLookup> fromResource(ClassLoader loader, String file, Path temporary) {
    String name = "stowage/native/" + System.getProperty("os.name") + "-" + System.getProperty("os.arch") + "/" + file;
    try (InputStream resource = loader.getResourceAsStream(name)) {
      if (resource == null) {
        return Optional.empty();
      }
      Path folder = Files.createTempDirectory(temporary, "stowage");
      Path copy = folder.resolve(file);
      try {
        Files.copy(resource, copy);
        return Optional.of(SymbolLookup.libraryLookup(copy, Arena.global()));
      } finally {
        Files.deleteIfExists(copy);
        Files.deleteIfExists(folder);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot unpack " + name, failure);
    }
  }

  private static SymbolLookup fromSystem(String file) {
    try {
      return SymbolLookup.libraryLookup(file, Arena.global());
    } catch (IllegalArgumentException none) {
      UnsatisfiedLinkError error = new UnsatisfiedLinkError(
          "there is no " + file + ": name it with -Dstowage.library=FILE, or its folder with -Djava.library.path=FOLDER");
      error.initCause(none);
      throw error;
    }
  }
}
