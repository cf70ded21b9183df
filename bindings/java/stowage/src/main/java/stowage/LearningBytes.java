package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import com.google.flatbuffers.Table;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import stowage.wire.Learning;

/** Buffers of {@code learning.fbs}. */
final class LearningBytes {
  private LearningBytes() {}

  static ByteBuffer finish(FlatBufferBuilder fbb, byte kind, int body) {
    Learning.finishLearningBuffer(fbb, Learning.createLearning(fbb, 1, kind, body));
    return fbb.dataBuffer();
  }

  static Table body(ByteBuffer bytes, Table body) {
    return Learning.getRootAsLearning(bytes).body(body);
  }

  static int texts(FlatBufferBuilder fbb, List<String> texts) {
    return fbb.createVectorOfTables(texts.stream().mapToInt(fbb::createString).toArray());
  }

  static List<String> texts(int count, IntFunction<String> at) {
    return IntStream.range(0, count).mapToObj(at).toList();
  }

  static double[] doubles(int count, IntToDoubleFunction at) {
    return IntStream.range(0, count).mapToDouble(at).toArray();
  }

  static long[] longs(int count, IntToLongFunction at) {
    return IntStream.range(0, count).mapToLong(at).toArray();
  }
}
