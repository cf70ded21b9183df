package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Text of programs as UTF-8. A string of Java may hold half of a surrogate pair, for which UTF-8 has no bytes. Such a half becomes
 * bytes that are no UTF-8, so that the library refuses them as any others, with the path of the field.
 */
final class Text {
  private Text() {}

  static byte[] utf8(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int done = 0;
    for (int k = 0; k < text.length(); k += Character.charCount(text.codePointAt(k))) {
      int letter = text.codePointAt(k);
      if (letter >= Character.MIN_SURROGATE && letter <= Character.MAX_SURROGATE) {
        bytes.writeBytes(text.substring(done, k).getBytes(StandardCharsets.UTF_8));
        bytes.write(0xe0 | letter >> 12);
        bytes.write(0x80 | letter >> 6 & 0x3f);
        bytes.write(0x80 | letter & 0x3f);
        done = k + 1;
      }
    }
    bytes.writeBytes(text.substring(done).getBytes(StandardCharsets.UTF_8));
    return bytes.toByteArray();
  }

  /** Adds a string to a buffer. */
  static int add(FlatBufferBuilder to, String text) {
    try {
      return to.createString(text);
    } catch (IllegalArgumentException half) {
      // Nothing was written.
      return to.createString(ByteBuffer.wrap(utf8(text)));
    }
  }
}
