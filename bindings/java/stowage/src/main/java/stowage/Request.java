package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    private long seed;
    private long deadlineMs;
    private long workLimit;
    private int threads;
    private int nodeLimit;
    private boolean ignoreRunning;
    private int moveBudget;
    private Objective objective = Objective.NODES;
    private boolean allOrNothing;
    private boolean compact;
    private SoftPolicy soft = SoftPolicy.FIRST;
    private double softPrice;
    private long patienceMs;
    private boolean fill;
    private double maxCost;
    private final List<Kept> keep = new ArrayList<>();
    private String survive = "";
    private String leaveFree = "";

    private Builder(String planner) {
      this.planner = planner;
    }

    private Builder(Builder other) {
      planner = other.planner;
      options.putAll(other.options);
      seed = other.seed;
      deadlineMs = other.deadlineMs;
      workLimit = other.workLimit;
      threads = other.threads;
      nodeLimit = other.nodeLimit;
      ignoreRunning = other.ignoreRunning;
      moveBudget = other.moveBudget;
      objective = other.objective;
      allOrNothing = other.allOrNothing;
      compact = other.compact;
      soft = other.soft;
      softPrice = other.softPrice;
      patienceMs = other.patienceMs;
      fill = other.fill;
      maxCost = other.maxCost;
      keep.addAll(other.keep);
      survive = other.survive;
      leaveFree = other.leaveFree;
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

    /** All 64 bits count. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Wall-clock limit of the run, rounded up to whole milliseconds, after which the run returns its best plan so far. Without
     * a deadline and a work limit, the planner's default deadline applies if it has one.
     */
    public Builder deadline(Duration deadline) {
      deadlineMs = milliseconds(deadline);
      return this;
    }

    /**
     * Limit on work units. An earlier plan's {@link Plan#work} as the limit repeats its run exactly, together with {@link
     * Plan#pace} as the option {@code pace} if that is above 0.
     */
    public Builder workLimit(long work) {
      workLimit = work;
      return this;
    }

    /** Number of threads that the run may use. The plan does not depend on it. */
    public Builder threads(int threads) {
      this.threads = threads;
      return this;
    }

    /** Limit on the nodes in use. Replicas that do not fit are reported unplaced. */
    public Builder nodeLimit(int nodes) {
      nodeLimit = nodes;
      return this;
    }

    /** Whether running replicas that are not pinned are planned as if they ran nowhere. */
    public Builder ignoreRunning(boolean ignore) {
      ignoreRunning = ignore;
      return this;
    }

    /** Limit on the running replicas that move to another node. */
    public Builder moveBudget(int replicas) {
      moveBudget = replicas;
      return this;
    }

    /**
     * The objective to minimize once all replicas are placed; default: {@link Objective#NODES}. A planner that does not pursue
     * it refuses with {@link Status#UNSUPPORTED}.
     *
     * @throws IllegalArgumentException for {@link Objective#UNKNOWN}
     */
    public Builder objective(Objective objective) {
      if (objective == Objective.UNKNOWN) {
        throw new IllegalArgumentException("no objective to ask for");
      }
      this.objective = java.util.Objects.requireNonNull(objective);
      return this;
    }

    /**
     * Whether an application is placed as a whole or not at all (P2, Eq. 4). Apps that share a tag that begins with "appID:"
     * are one application. Replicas that already run stay. A planner that does not honour placement rules refuses with {@link
     * Status#UNSUPPORTED}.
     */
    public Builder allOrNothing(boolean whole) {
      allOrNothing = whole;
      return this;
    }

    /**
     * Whether anonymous nodes of one class with the same content are one entry of the plan, with their number in {@link
     * Plan.Node#copies}.
     */
    public Builder compact(boolean compact) {
      this.compact = compact;
      return this;
    }

    /**
     * How soft rules count beside the objective; default: {@link SoftPolicy#FIRST}. {@link #softPrice} sets a price.
     *
     * @throws IllegalArgumentException for {@link SoftPolicy#UNKNOWN}
     */
    public Builder soft(SoftPolicy policy) {
      if (policy == SoftPolicy.UNKNOWN) {
        throw new IllegalArgumentException("no policy to ask for");
      }
      soft = java.util.Objects.requireNonNull(policy);
      return this;
    }

    /**
     * {@link SoftPolicy#PRICE} with the price of a unit of violation, in nodes or, where prices are given, in their currency.
     */
    public Builder softPrice(double price) {
      softPrice = price;
      return soft(SoftPolicy.PRICE);
    }

    /** The search ends once it has found nothing better for this time, rounded up to whole milliseconds. */
    public Builder patience(Duration patience) {
      patienceMs = milliseconds(patience);
      return this;
    }

    /** Whether the most capacity is used, instead of placing the most replicas, where not all replicas fit. */
    public Builder fill(boolean fill) {
      this.fill = fill;
      return this;
    }

    /** The most that side effects may cost a replica, whatever its kind, beside the instance's own limits. */
    public Builder maxCost(double most) {
      maxCost = most;
      return this;
    }

    /**
     * Keeps room for more replicas of an app, beside those that are placed. Several calls keep room for several apps, all at once;
     * no app twice. The room counts towards the nodes, and nowhere else. {@link Objective#NODES} only.
     *
     * @param app position of the app
     * @param replicas number of replicas, at least 1
     */
    public Builder keep(int app, int replicas) {
      keep.add(new Kept(app, replicas));
      return this;
    }

    /**
     * The plan's nodes have places for the replicas of lost ones, while all others stay. Spare nodes without replicas are added
     * where they are needed, and count as nodes in use. Replicas that are pinned to a lost node are lost with it. {@link
     * Objective#NODES} only.
     *
     * @param key {@link #EACH_NODE}: each node by itself is lost; else the key of a label, such as {@code "zone"}: all nodes with
     *     the same value; empty: none
     */
    public Builder survive(String key) {
      survive = java.util.Objects.requireNonNull(key);
      return this;
    }

    /**
     * As many as possible of a label's values have no node with a replica or with load. This comes after placing replicas, and
     * before soft rules, nodes and their cost. {@link Objective#NODES} only; not together with {@link #keep} or {@link
     * #survive}.
     *
     * @param key the key of the label, such as {@code rack}; empty: nothing is left free on purpose
     */
    public Builder leaveFree(String key) {
      leaveFree = java.util.Objects.requireNonNull(key);
      return this;
    }

    private static long milliseconds(Duration duration) {
      return duration.plusNanos(999_999).toMillis();
    }

    /** The request as it is now. */
    public Request build() {
      return new Request(new Builder(this));
    }
  }

  private record Kept(int app, int replicas) {}

  ByteBuffer encode() {
    FlatBufferBuilder fbb = new FlatBufferBuilder(256);
    int options = 0;
    if (!from.options.isEmpty()) {
      int[] all = from.options.entrySet().stream().mapToInt(entry -> {
        int name = Text.add(fbb, entry.getKey());
        return entry.getValue() instanceof Double number
            ? RequestOption.createRequestOption(fbb, name, number, 0)
            : RequestOption.createRequestOption(fbb, name, 0, Text.add(fbb, (String) entry.getValue()));
      }).toArray();
      options = stowage.wire.Request.createOptionsVector(fbb, all);
    }
    int planner = Text.add(fbb, from.planner);
    int keep = 0;
    if (!from.keep.isEmpty()) {
      stowage.wire.Request.startKeepVector(fbb, from.keep.size());
      for (Kept kept : from.keep.reversed()) {
        stowage.wire.Kept.createKept(fbb, kept.app, kept.replicas);
      }
      keep = fbb.endVector();
    }
    int survive = from.survive.isEmpty() ? 0 : Text.add(fbb, from.survive);
    int leaveFree = from.leaveFree.isEmpty() ? 0 : Text.add(fbb, from.leaveFree);
    stowage.wire.Request.startRequest(fbb);
    stowage.wire.Request.addPlanner(fbb, planner);
    stowage.wire.Request.addOptions(fbb, options);
    stowage.wire.Request.addSeed(fbb, from.seed);
    stowage.wire.Request.addDeadlineMs(fbb, from.deadlineMs);
    stowage.wire.Request.addWorkLimit(fbb, from.workLimit);
    stowage.wire.Request.addThreads(fbb, from.threads);
    stowage.wire.Request.addNodeLimit(fbb, from.nodeLimit);
    stowage.wire.Request.addIgnoreRunning(fbb, from.ignoreRunning);
    stowage.wire.Request.addMoveBudget(fbb, from.moveBudget);
    stowage.wire.Request.addObjective(fbb, from.objective.ordinal());
    stowage.wire.Request.addAllOrNothing(fbb, from.allOrNothing);
    stowage.wire.Request.addCompact(fbb, from.compact);
    stowage.wire.Request.addSoft(fbb, from.soft.ordinal());
    stowage.wire.Request.addSoftPrice(fbb, from.softPrice);
    stowage.wire.Request.addPatienceMs(fbb, from.patienceMs);
    stowage.wire.Request.addFill(fbb, from.fill);
    stowage.wire.Request.addMaxCost(fbb, from.maxCost);
    stowage.wire.Request.addKeep(fbb, keep);
    stowage.wire.Request.addSurvive(fbb, survive);
    stowage.wire.Request.addLeaveFree(fbb, leaveFree);
    stowage.wire.Request.finishRequestBuffer(fbb, stowage.wire.Request.endRequest(fbb));
    return fbb.dataBuffer();
  }
}
