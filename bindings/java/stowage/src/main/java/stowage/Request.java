// Made by scripts/generate-bindings.py from the schemas. Do not edit.
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
    private long seed;
    private long deadlineMs;
    private long workLimit;
    private int threads = 1;
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
    private String survive = "";
    private String leaveFree = "";
    private List<PlanGoal> goals = List.of();
    private boolean trace;

    private Builder(String planner) {
      this.planner = planner;
    }

    private Builder(Builder other) {
      planner = other.planner;
      options.putAll(other.options);
      keep.addAll(other.keep);
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
      survive = other.survive;
      leaveFree = other.leaveFree;
      goals = other.goals;
      trace = other.trace;
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

    /**
     * Sets the seed.
     */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Wall-clock limit of the run, rounded up to milliseconds, after which it returns its best plan so far. 0 = the planner's
     * default ({@code Planner.defaultDeadlineMs}): 1 s for {@code auto}; none if {@code workLimit} is set.
     */
    public Builder deadline(Duration deadline) {
      deadlineMs = milliseconds(deadline);
      return this;
    }

    /**
     * Limit on work units; 0 = none. The {@code work} of an earlier plan as the limit repeats that plan's run exactly (see
     * {@code Plan.work}).
     */
    public Builder workLimit(long workLimit) {
      this.workLimit = workLimit;
      return this;
    }

    /**
     * Number of threads that the run may use; 0 = 1. The plan does not depend on it.
     */
    public Builder threads(int threads) {
      this.threads = threads;
      return this;
    }

    /**
     * Limit on the nodes in use; 0 = as many as the instance has. Replicas that do not fit are reported unplaced.
     */
    public Builder nodeLimit(int nodeLimit) {
      this.nodeLimit = nodeLimit;
      return this;
    }

    /**
     * True: running replicas that are not pinned are planned as if they ran nowhere.
     */
    public Builder ignoreRunning(boolean ignoreRunning) {
      this.ignoreRunning = ignoreRunning;
      return this;
    }

    /**
     * Limit on the running replicas that move to another node; 0 = none moves.
     */
    public Builder moveBudget(int moveBudget) {
      this.moveBudget = moveBudget;
      return this;
    }

    /**
     * What to minimize once all replicas are placed. A planner that does not pursue the objective refuses the request.
     *
     * @throws IllegalArgumentException for {@link Objective#UNKNOWN}
     */
    public Builder objective(Objective objective) {
      this.objective = asked(objective, Objective.UNKNOWN);
      return this;
    }

    /**
     * True: an application is placed as a whole or not at all (P2, Eq. 4). Apps that share a tag that begins with "appID:" are
     * one application. Replicas that already run stay.
     */
    public Builder allOrNothing(boolean allOrNothing) {
      this.allOrNothing = allOrNothing;
      return this;
    }

    /**
     * True: anonymous nodes of one class with the same content are one entry of the plan, with their number as its copies. The
     * size of the plan then depends on the number of different nodes, not on the number of nodes.
     */
    public Builder compact(boolean compact) {
      this.compact = compact;
      return this;
    }

    /**
     * How soft rules count beside the objective. Plans are compared, and called optimal, by this.
     *
     * @throws IllegalArgumentException for {@link SoftPolicy#UNKNOWN}
     */
    public Builder soft(SoftPolicy soft) {
      this.soft = asked(soft, SoftPolicy.UNKNOWN);
      return this;
    }

    /**
     * The search ends once it has found nothing better for this time, rounded up to milliseconds; 0 = it does not end for that.
     * Counts from the first plan on.
     */
    public Builder patience(Duration patience) {
      patienceMs = milliseconds(patience);
      return this;
    }

    /**
     * Where not all replicas fit: true = the most capacity is used, false = the most replicas are placed; by priority and weight
     * in either case.
     */
    public Builder fill(boolean fill) {
      this.fill = fill;
      return this;
    }

    /**
     * The most that side effects may cost a replica, whatever its kind: a hard constraint beside the instance's max cost. 0 =
     * none.
     */
    public Builder maxCost(double maxCost) {
      this.maxCost = maxCost;
      return this;
    }

    /**
     * The plan survives losses: its nodes have places for the replicas of lost ones, while all others stay. "*": of each node by
     * itself. Else the key of a label: of all nodes with the same value, such as each zone. Spare nodes that hold nothing are
     * added where needed; they count as nodes of the plan. Replicas that are pinned to a lost node are lost with it. Empty or
     * empty: no loss. Only with {@code Objective.NODES}.
     */
    public Builder survive(String survive) {
      this.survive = Objects.requireNonNull(survive);
      return this;
    }

    /**
     * The key of a label, such as rack: as many as possible of its values have no node with a replica or with load. This comes
     * after placing replicas, and before soft rules, nodes and their cost. Empty or empty: nothing is left free on purpose. Only
     * with {@code Objective.NODES}; not together with {@code keep} or {@code survive}.
     */
    public Builder leaveFree(String leaveFree) {
      this.leaveFree = Objects.requireNonNull(leaveFree);
      return this;
    }

    /**
     * What to minimize once all replicas are placed, the most important goal first: a later goal never worsens an earlier one
     * beyond its tolerance. Takes the place of {@code objective} and {@code soft}. Soft rules come first where no goal names
     * them. With {@code GoalKind.MOVES} and no {@code moveBudget}, any number of running replicas may move. Empty: what {@code
     * objective} and {@code soft} say.
     */
    public Builder goals(List<PlanGoal> goals) {
      this.goals = List.copyOf(goals);
      return this;
    }

    /**
     * True: the plan tells what the parts of the search did ({@code Plan.trace}). It is the same plan otherwise.
     */
    public Builder trace(boolean trace) {
      this.trace = trace;
      return this;
    }

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
    int survive = from.survive.isEmpty() ? 0 : Text.add(fbb, from.survive);
    int leaveFree = from.leaveFree.isEmpty() ? 0 : Text.add(fbb, from.leaveFree);
    int goals = from.goals.isEmpty() ? 0 : Writers.tables(fbb, from.goals, Writers::planGoal);
    stowage.wire.Request.startRequest(fbb);
    stowage.wire.Request.addPlanner(fbb, planner);
    stowage.wire.Request.addOptions(fbb, options);
    stowage.wire.Request.addKeep(fbb, keep);
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
    stowage.wire.Request.addSurvive(fbb, survive);
    stowage.wire.Request.addLeaveFree(fbb, leaveFree);
    stowage.wire.Request.addGoals(fbb, goals);
    stowage.wire.Request.addTrace(fbb, from.trace);
    stowage.wire.Request.finishRequestBuffer(fbb, stowage.wire.Request.endRequest(fbb));
    return fbb.dataBuffer();
  }
}
