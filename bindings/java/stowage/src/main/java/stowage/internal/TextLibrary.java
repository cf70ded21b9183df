package stowage.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/**
 * The library of {@code stowage_text.h}. It is found once: the file that the system property {@code
 * stowage.text.library} or the environment variable {@code STOWAGE_TEXT_LIBRARY} names; the folders of {@code java.library.path};
 * the system's own search. It uses the library of {@code stowage.h} that is loaded already.
 */
final class TextLibrary {
  private TextLibrary() {}

  private static final SymbolLookup LOOKUP = open();

  private static SymbolLookup open() {
    // Loads the library that this one uses.
    NativeLibrary.find("stowage_version");
    String file = System.mapLibraryName("stowage_text");
    var found = NativeLibrary.named("stowage.text.library", "STOWAGE_TEXT_LIBRARY")
        .or(() -> NativeLibrary.onPath(System.getProperty("java.library.path", ""), file));
    try {
      return found.isPresent()
          ? SymbolLookup.libraryLookup(found.get(), Arena.global())
          : SymbolLookup.libraryLookup(file, Arena.global());
    } catch (IllegalArgumentException none) {
      UnsatisfiedLinkError error = new UnsatisfiedLinkError(
          "there is no " + file + ": name it with -Dstowage.text.library=FILE, or its folder with -Djava.library.path=FOLDER");
      error.initCause(none);
      throw error;
    }
  }

  static MemorySegment find(String name) {
    return LOOKUP.find(name)
        .orElseThrow(() -> new UnsatisfiedLinkError("the library stowage_text has no function " + name));
  }
}
