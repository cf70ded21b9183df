package stowage.internal;

import java.lang.foreign.MemorySegment;

/** The library of {@code stowage_text.h}. */
final class TextLibrary {
  private TextLibrary() {}

  private static final OptionalLibrary LIBRARY = new OptionalLibrary("text");

  static MemorySegment find(String function) {
    return LIBRARY.find(function);
  }
}
