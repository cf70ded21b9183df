package stowage.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/**
 * A library beside that of {@code stowage.h}, which it uses and which no jar has. It is found once: the file that a system property
 * such as {@code stowage.text.library} or an environment variable such as {@code STOWAGE_TEXT_LIBRARY} names; the folders of {@code
 * java.library.path}; the system's own search.
 */
final class OptionalLibrary {
  private final String name;
  private final SymbolLookup lookup;

  /** @param part such as {@code text} */
  OptionalLibrary(String part) {
    name = "stowage_" + part;
    // Loads the library that this one uses.
    NativeLibrary.find("stowage_version");
    String file = System.mapLibraryName(name);
    String property = "stowage." + part + ".library";
    var found = NativeLibrary.named(property, name.toUpperCase(java.util.Locale.ROOT) + "_LIBRARY")
        .or(() -> NativeLibrary.onPath(System.getProperty("java.library.path", ""), file));
    try {
      lookup = found.isPresent()
          ? SymbolLookup.libraryLookup(found.get(), Arena.global())
          : SymbolLookup.libraryLookup(file, Arena.global());
    } catch (IllegalArgumentException none) {
      UnsatisfiedLinkError error = new UnsatisfiedLinkError(
          "there is no " + file + ": name it with -D" + property + "=FILE, or its folder with -Djava.library.path=FOLDER");
      error.initCause(none);
      throw error;
    }
  }

  MemorySegment find(String function) {
    return lookup.find(function)
        .orElseThrow(() -> new UnsatisfiedLinkError("the library " + name + " has no function " + function));
  }
}
