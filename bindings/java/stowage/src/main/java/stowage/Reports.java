package stowage;

import com.google.flatbuffers.Table;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.RandomAccess;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import stowage.wire.Report;
import stowage.wire.ReportBody;

/** Reports and the catalogue as records, and what {@link Records} is made of. */
final class Reports {
  private Reports() {}

  private static final long NONE = 0xFFFFFFFFL;

  static OptionalInt known(long index) {
    return index == NONE ? OptionalInt.empty() : OptionalInt.of((int) index);
  }

  static OptionalLong given(long number, long none) {
    return number == none ? OptionalLong.empty() : OptionalLong.of(number);
  }

  static OptionalDouble notNegative(double number) {
    return number < 0 ? OptionalDouble.empty() : OptionalDouble.of(number);
  }

  /** The word of an enumerator, such as "affinity-limit"; the number of one that only a later library knows. */
  static String word(String[] words, int number) {
    return number < words.length ? words[number] : Integer.toString(number);
  }

  static String text(String text) {
    return text == null ? "" : text;
  }

  static <T> List<T> all(int count, IntFunction<T> at) {
    return IntStream.range(0, count).mapToObj(at).toList();
  }

  /** A list whose entries are created on access. */
  static <T> List<T> view(int size, IntFunction<T> at) {
    final class View extends AbstractList<T> implements RandomAccess {
      @Override
      public T get(int index) {
        return at.apply(Objects.checkIndex(index, size));
      }

      @Override
      public int size() {
        return size;
      }
    }
    return new View();
  }

  private static Table body(ByteBuffer bytes, byte kind, Table body) {
    Report report = Report.getRootAsReport(bytes);
    if (report.bodyType() != kind) {
      throw new StowageException(Status.INTERNAL, "the library returned another report than asked for", "");
    }
    return report.body(body);
  }

  static Commit commit(ByteBuffer bytes) {
    return Records.commit((stowage.wire.Commit) body(bytes, ReportBody.Commit, new stowage.wire.Commit()));
  }

  static Explanation explanation(ByteBuffer bytes) {
    return Records.explanation((stowage.wire.Explanation) body(bytes, ReportBody.Explanation, new stowage.wire.Explanation()));
  }

  static Headroom headroom(ByteBuffer bytes) {
    return Records.headroom((stowage.wire.Headroom) body(bytes, ReportBody.Headroom, new stowage.wire.Headroom()));
  }

  static HeadroomOfApps headroomOfApps(ByteBuffer bytes) {
    return Records.headroomOfApps((stowage.wire.HeadroomOfApps) body(bytes, ReportBody.HeadroomOfApps, new stowage.wire.HeadroomOfApps()));
  }

  static MoveOrder moveOrder(ByteBuffer bytes) {
    return Records.moveOrder((stowage.wire.MoveOrder) body(bytes, ReportBody.MoveOrder, new stowage.wire.MoveOrder()));
  }

  static Verification verification(ByteBuffer bytes) {
    var from = (stowage.wire.Verification) body(bytes, ReportBody.Verification, new stowage.wire.Verification());
    if (from.metrics() == null) {
      throw new StowageException(Status.INTERNAL, "the library returned a verification without metrics", "");
    }
    return Records.verification(from);
  }

  static List<Loss> losses(ByteBuffer bytes) {
    var from = (stowage.wire.Losses) body(bytes, ReportBody.Losses, new stowage.wire.Losses());
    return all(from.lossesLength(), k -> Records.loss(from.losses(k)));
  }

  static List<BoundEntry> bounds(ByteBuffer bytes) {
    var from = (stowage.wire.Bounds) body(bytes, ReportBody.Bounds, new stowage.wire.Bounds());
    return all(from.entriesLength(), k -> Records.boundEntry(from.entries(k)));
  }

  static List<Planner> catalogue(ByteBuffer bytes) {
    stowage.wire.Catalogue from = stowage.wire.Catalogue.getRootAsCatalogue(bytes);
    return all(from.plannersLength(), k -> Records.planner(from.planners(k)));
  }

  static List<OverriddenRule> overridden(stowage.wire.Explanation from) {
    return all(
        Math.min(from.overriddenLength(), from.overriddenByLength()),
        k -> new OverriddenRule((int) from.overridden(k), (int) from.overriddenBy(k)));
  }

  static List<Loss.Move> lossMoves(stowage.wire.Loss from) {
    return all(from.appLength(), k -> new Loss.Move((int) from.app(k), known(from.to(k)), (int) from.count(k)));
  }

  /** Cuts the moves of an order at the ends of its waves. */
  static List<List<Move>> waves(stowage.wire.MoveOrder from) {
    List<Move> moves = all(from.movesLength(), k -> Records.move(from.moves(k)));
    return all(
        from.waveEndsLength(),
        k -> moves.subList(k == 0 ? 0 : (int) from.waveEnds(k - 1), (int) from.waveEnds(k)));
  }
}
