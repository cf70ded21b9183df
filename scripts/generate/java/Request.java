package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import stowage.wire.RequestOption;

/** Which planner to run, its options, and the limits of the run. Immutable. */
public final class Request {
  /** As the key of {@link Builder#survive}: each node by itself. */
  public static final String EACH_NODE = "*";

  private final Builder from;

  private Request(Builder from) {
    this.from = from;
  }

  /** A request for a planner of the catalogue, such as {@code "auto"}, with defaults for everything else. */
  public static Request of(String planner) {
    return builder(planner).build();
  }

  /** Starts a request for a planner of the catalogue. */
  public static Builder builder(String planner) {
    return new Builder(planner);
  }

  /** Makes requests. */
  public static final class Builder {
    private final String planner;
    private final Map<String, Object> options = new TreeMap<>();
    private final List<Kept> keep = new ArrayList<>();
    // MEMBERS

    private Builder(String planner) {
      this.planner = planner;
    }

    private Builder(Builder other) {
      planner = other.planner;
      options.putAll(other.options);
      keep.addAll(other.keep);
      // COPIES
    }

    /** An option that is a number, as the catalogue declares it. */
    public Builder option(String name, double number) {
      options.put(name, number);
      return this;
    }

    /** An option that is a word. */
    public Builder option(String name, String word) {
      options.put(name, word);
      return this;
    }

    /**
     * {@link SoftPolicy#PRICE} with the price of a unit of violation, in nodes or, where prices are given, in their currency.
     */
    public Builder softPrice(double price) {
      softPrice = price;
      return soft(SoftPolicy.PRICE);
    }

    /**
     * Keeps room for more replicas of an app, beside those that are placed. Several calls keep room for several apps, all at once;
     * no app twice. The room counts towards the nodes, and nowhere else. Only with {@link Objective#NODES}.
     *
     * @param app position of the app
     * @param replicas number of replicas, at least 1
     */
    public Builder keep(int app, int replicas) {
      keep.add(new Kept(app, replicas));
      return this;
    }

    /** Adds a goal behind those that are there: see {@link #goals}. */
    public Builder goal(PlanGoal goal) {
      List<PlanGoal> all = new ArrayList<>(goals);
      all.add(Objects.requireNonNull(goal));
      return goals(all);
    }

    /** The same in words: see {@link PlanGoal#words()}. */
    public Builder goal(String words) {
      return goal(PlanGoal.of(words));
    }

    /** The same, with neither resource nor tolerance. */
    public Builder goal(GoalKind what) {
      return goal(PlanGoal.of(what));
    }

    // SETTERS

    private static long milliseconds(Duration duration) {
      return duration.plusNanos(999_999).toMillis();
    }

    private static <T extends Enum<T>> T asked(T value, T unknown) {
      if (value == unknown) {
        throw new IllegalArgumentException("UNKNOWN cannot be asked for");
      }
      return Objects.requireNonNull(value);
    }

    /** The request as it is now. */
    public Request build() {
      return new Request(new Builder(this));
    }
  }

  private record Kept(int app, int replicas) {}

  private int options(FlatBufferBuilder fbb) {
    if (from.options.isEmpty()) {
      return 0;
    }
    int[] all = from.options.entrySet().stream().mapToInt(entry -> {
      int name = Text.add(fbb, entry.getKey());
      return entry.getValue() instanceof Double number
          ? RequestOption.createRequestOption(fbb, name, number, 0)
          : RequestOption.createRequestOption(fbb, name, 0, Text.add(fbb, (String) entry.getValue()));
    }).toArray();
    return stowage.wire.Request.createOptionsVector(fbb, all);
  }

  private int keep(FlatBufferBuilder fbb) {
    if (from.keep.isEmpty()) {
      return 0;
    }
    stowage.wire.Request.startKeepVector(fbb, from.keep.size());
    for (Kept kept : from.keep.reversed()) {
      stowage.wire.Kept.createKept(fbb, kept.app, kept.replicas);
    }
    return fbb.endVector();
  }

  ByteBuffer encode() {
    FlatBufferBuilder fbb = new FlatBufferBuilder(256);
    int planner = Text.add(fbb, from.planner);
    int options = options(fbb);
    int keep = keep(fbb);
    // PARTS
    stowage.wire.Request.startRequest(fbb);
    stowage.wire.Request.addPlanner(fbb, planner);
    stowage.wire.Request.addOptions(fbb, options);
    stowage.wire.Request.addKeep(fbb, keep);
    // NUMBERS
    stowage.wire.Request.finishRequestBuffer(fbb, stowage.wire.Request.endRequest(fbb));
    return fbb.dataBuffer();
  }
}
