package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import stowage.wire.AffinityLimits;
import stowage.wire.Conjunction;
import stowage.wire.Interference;
import stowage.wire.Origin;
import stowage.wire.PlacementRule;
import stowage.wire.Residence;
import stowage.wire.Resource;

/**
 * Collects an instance. Its methods return the position of the added item, by which later calls and plans refer to it. {@link
 * #build} checks the values and reports the path of a wrong one. Used by one thread at a time.
 */
public final class InstanceBuilder {
  /** How variance enters the capacity constraint, in the order of {@code instance.fbs}; see {@code docs/reference/schema.md}. */
  public enum ChanceModel {
    /** Mean + normal quantile of the confidence x standard deviation is at most the capacity (P1, section 2.4). */
    GAUSSIAN,
    /** Hoeffding's bound, from the supports (P1, section 2.3). */
    BOUNDED_SUPPORT,
    /** Mean + the given factor x standard deviation is at most the capacity. */
    FACTOR
  }

  /** What a {@link Cardinality} counts, in the order of {@code instance.fbs}; see {@code docs/reference/schema.md}. */
  public enum CardinalityKind {
    /** Replicas with the target tags in the subject's node set. */
    REPLICAS,
    /** Node sets that the subjects occupy. */
    NODE_SETS,
    /** The difference between the numbers of subjects in two node sets. */
    SKEW
  }

  /**
   * One condition of a rule.
   *
   * @param kind what it counts
   * @param subject the subjects are the replicas that carry all these tags
   * @param target the replicas that carry all these tags are counted
   * @param min smallest count allowed
   * @param max largest count allowed; empty = no upper bound
   * @param group name of a {@link NodeGroup}; empty or {@code "node"} = each node is a set of its own
   * @param negated whether the cardinality holds exactly where the condition does not
   */
  public record Cardinality(
      CardinalityKind kind,
      List<String> subject,
      List<String> target,
      int min,
      OptionalInt max,
      String group,
      boolean negated) {}

  /**
   * A placement rule, which holds where all cardinalities of at least one conjunction hold.
   *
   * @param name for people
   * @param anyOf conjunctions
   * @param weight cost per violation of a soft rule; empty = a hard rule, which no plan violates
   * @param operator whether the rule comes from the cluster's operator, not from an application
   */
  public record Rule(String name, List<List<Cardinality>> anyOf, OptionalDouble weight, boolean operator) {}

  /**
   * A family of node sets, such as the zones: either sets of listed nodes, or nodes with the same value of a label.
   *
   * @param name of the family
   * @param sets positions of listed nodes by the name of the set
   * @param byLabel key of the label; empty = none
   */
  public record NodeGroup(String name, Map<String, int[]> sets, String byLabel) {}

  private record Triple(int app, int other, int count) {}

  private static final int NONE = -1;
  private static final OptionalDouble HARD = OptionalDouble.empty();

  private final String name;
  private int periods = 1;
  private final List<String[]> resources = new ArrayList<>();
  private final List<Double> devices = new ArrayList<>();
  private final List<App> apps = new ArrayList<>();
  private final List<NodeClass> classes = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Triple> limits = new ArrayList<>();
  private final List<Triple> running = new ArrayList<>();
  private final List<Triple> pinned = new ArrayList<>();
  private final List<Exchange> traffic = new ArrayList<>();
  private final List<NodeGroup> groups = new ArrayList<>();
  private final List<Rule> rules = new ArrayList<>();
  private ChanceModel chanceModel;
  private double confidence;
  private double factor;
  private List<String> kinds;
  private double[] coefficient;
  private int interferenceResource;
  private double[] maxCost;

  /** Starts an instance; the name is for people and may be empty. */
  public InstanceBuilder(String name) {
    this.name = name;
  }

  private static <T> int add(List<T> list, T item) {
    list.add(item);
    return list.size() - 1;
  }

  /** Sets the number of periods of demand profiles; default: 1 = constant demand. */
  public void periods(int count) {
    periods = count;
  }

  /** Adds a resource, such as "cpu" in "cores". All demands and capacities list the resources in this order. */
  public int resource(String name, String unit) {
    devices.add(0.0);
    return add(resources, new String[] {name, unit});
  }

  /**
   * Sets the amount of one device of a resource, such as one GPU; default: 0 = divisible at will. A replica takes a part of one
   * device, or whole ones.
   */
  public void device(int resource, double amount) {
    devices.set(resource, amount);
  }

  /** Adds a node class. */
  public int nodeClass(NodeClass nodeClass) {
    return add(classes, nodeClass);
  }

  /** Adds an app. */
  public int app(App app) {
    return add(apps, app);
  }

  /** Adds a listed node. */
  public int node(Node node) {
    return add(nodes, node);
  }

  /**
   * Adds an affinity limit: beside at least one replica of app {@code beside}, at most {@code atMost} replicas of app {@code
   * limited} on the same node. If both are the same app, at most {@code atMost} of its replicas per node.
   */
  public void limit(int beside, int limited, int atMost) {
    limits.add(new Triple(beside, limited, atMost));
  }

  /** States that replicas of an app run on a listed node. */
  public void running(int app, int node, int replicas) {
    running.add(new Triple(app, node, replicas));
  }

  /** Requires replicas of an app on a listed node in every plan. */
  public void pin(int app, int node, int replicas) {
    pinned.add(new Triple(app, node, replicas));
  }

  /** Adds a family of node sets. */
  public void nodeGroup(NodeGroup group) {
    groups.add(group);
  }

  /** Adds a placement rule. */
  public void rule(Rule rule) {
    rules.add(rule);
  }

  /**
   * Sets the chance constraint: the demand on a node stays within its capacity with probability {@code confidence}, in (0, 1);
   * with the Gaussian model at least 0.5. The model {@code FACTOR} uses the factor and no confidence.
   */
  public void uncertainty(ChanceModel model, double confidence, double factor) {
    chanceModel = model;
    this.confidence = confidence;
    this.factor = factor;
  }

  private record Exchange(int app, int peer, double amount) {}

  /**
   * States that the replicas of two apps exchange traffic: of all replicas together, in any unit. Each pair stands once. With the
   * objective {@link Objective#TRAFFIC}, plans keep it on nodes.
   */
  public void traffic(int app, int peer, double amount) {
    traffic.add(new Exchange(app, peer, amount));
  }

  /**
   * Names the kinds of apps, and sets the coefficients: how much a kind (row) is slowed by load of a kind (column). Length:
   * kinds x kinds, row-major.
   */
  public void interference(List<String> kinds, double... coefficient) {
    this.kinds = List.copyOf(kinds);
    this.coefficient = coefficient.clone();
  }

  /**
   * The resource that is the load in the sense of {@link #interference}: of an app, its largest demand over time. Default: the
   * first resource.
   */
  public void interferenceResource(int resource) {
    interferenceResource = resource;
  }

  /**
   * Limits what side effects may cost a replica of each kind, its own load included: the sum over all kinds of coefficient x
   * load on its node. Length: kinds; infinity = no limit.
   */
  public void maxCost(double... maxCost) {
    this.maxCost = maxCost.clone();
  }

  /**
   * Encodes and loads the instance, whose bytes are not copied.
   *
   * @throws StowageException invalid, with the path of the field; and as {@link Instance#load(byte[])}
   */
  public Instance build() {
    try (Arena arena = Arena.ofConfined()) {
      return Instance.load(new Encoder(capacity -> arena.allocate(capacity, 16).asByteBuffer()).encode(), Limits.DEFAULTS);
    }
  }

  /**
   * Encodes the instance ({@code instance.fbs}) into a direct buffer. Fails only for values that the encoding cannot represent.
   *
   * @throws StowageException invalid, with the path of the field
   */
  public ByteBuffer bytes() {
    ByteBuffer bytes = new Encoder(ByteBuffer::allocateDirect).encode();
    NativeMemory.hold(bytes);
    return bytes;
  }

  private static StowageException invalid(String path, String message) {
    return new StowageException(Status.INVALID, message, path);
  }

  static <T> int[] column(List<T> items, ToIntFunction<T> value) {
    return items.stream().mapToInt(value).toArray();
  }

  /** Writes the instance. */
  final class Encoder {
    final FlatBufferBuilder fbb;
    private final Map<String, Integer> tags = new LinkedHashMap<>();

    Encoder(IntFunction<ByteBuffer> memory) {
      fbb = new FlatBufferBuilder(size(), new FlatBufferBuilder.ByteBufferFactory() {
        @Override
        public ByteBuffer newByteBuffer(int capacity) {
          return memory.apply(capacity).order(ByteOrder.LITTLE_ENDIAN);
        }
      });
    }

    ByteBuffer encode() {
      int wireLimits = limits.isEmpty() ? 0 : limits();
      int wireApps = Columns.apps(this, apps);
      int wireNodes = nodes.isEmpty() ? 0 : Columns.nodes(this, nodes);
      int wireClasses = offsets(classes, one -> Columns.nodeClass(this, one));
      Iterator<Double> device = devices.iterator();
      int wireResources =
          offsets(resources, one -> Resource.createResource(fbb, Text.add(fbb, one[0]), text(one[1]), device.next()));
      int wireRunning = residences(running);
      int wirePinned = residences(pinned);
      int wireGroups = groups.isEmpty() ? 0 : offsets(groups, this::group);
      int wireRules = rules.isEmpty() ? 0 : rules();
      int uncertainty = chanceModel == null
          ? 0
          : stowage.wire.Uncertainty.createUncertainty(fbb, chanceModel.ordinal(), confidence, factor);
      int interference = coefficient == null
          ? 0
          : Interference.createInterference(
              fbb, texts(kinds), doubles(coefficient), interferenceResource, optional(maxCost));
      int wireTraffic = traffic.isEmpty() ? 0 : traffic();
      int wireName = text(name);
      int wireTags = texts(List.copyOf(tags.keySet()));
      stowage.wire.Instance.startInstance(fbb);
      stowage.wire.Instance.addName(fbb, wireName);
      stowage.wire.Instance.addResources(fbb, wireResources);
      stowage.wire.Instance.addPeriods(fbb, periods);
      stowage.wire.Instance.addApps(fbb, wireApps);
      stowage.wire.Instance.addClasses(fbb, wireClasses);
      stowage.wire.Instance.addNodes(fbb, wireNodes);
      stowage.wire.Instance.addLimits(fbb, wireLimits);
      stowage.wire.Instance.addRunning(fbb, wireRunning);
      stowage.wire.Instance.addPinned(fbb, wirePinned);
      stowage.wire.Instance.addTags(fbb, wireTags);
      stowage.wire.Instance.addGroups(fbb, wireGroups);
      stowage.wire.Instance.addRules(fbb, wireRules);
      stowage.wire.Instance.addUncertainty(fbb, uncertainty);
      stowage.wire.Instance.addInterference(fbb, interference);
      stowage.wire.Instance.addTraffic(fbb, wireTraffic);
      stowage.wire.Instance.finishInstanceBuffer(fbb, stowage.wire.Instance.endInstance(fbb));
      return fbb.dataBuffer().slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    private int traffic() {
      stowage.wire.Instance.startTrafficVector(fbb, traffic.size());
      for (int k = traffic.size() - 1; k >= 0; --k) {
        Exchange one = traffic.get(k);
        stowage.wire.Traffic.createTraffic(fbb, one.app, one.peer, one.amount);
      }
      return fbb.endVector();
    }

    /** Estimate of the encoded instance in bytes, on the high side, so that the buffer need not grow. */
    private int size() {
      int amounts = 4 * resources.size() + 24;
      long size = 4096 + 12L * (limits.size() + running.size() + pinned.size()) + 16L * traffic.size();
      for (App app : apps) {
        size += 8L * (app.demand().length + amounts) + 2L * app.name().length();
      }
      for (Node node : nodes) {
        size += 8L * ((node.load() == null ? 0 : node.load().length) + amounts) + 2L * node.name().length();
      }
      return (int) Math.min(size, 1 << 30);
    }

    private int limits() {
      int[] rowBegin = new int[apps.size() + 1];
      for (Triple limit : limits) {
        if (limit.app < 0 || limit.app >= apps.size()) {
          throw invalid("limits", "there is no app " + limit.app);
        }
        ++rowBegin[limit.app + 1];
      }
      Arrays.parallelPrefix(rowBegin, Integer::sum);
      int[] next = rowBegin.clone();
      int[] app = new int[limits.size()];
      int[] atMost = new int[limits.size()];
      for (Triple limit : limits) {
        int at = next[limit.app]++;
        app[at] = limit.other;
        atMost[at] = limit.count;
      }
      return AffinityLimits.createAffinityLimits(fbb, words(rowBegin), words(app), words(atMost));
    }

    /** The kind of each app; null without an interference table. */
    int[] appKinds() {
      if (coefficient == null) {
        return null;
      }
      int[] all = new int[apps.size()];
      for (int k = 0; k < all.length; ++k) {
        String kind = apps.get(k).kind();
        all[k] = kind.isEmpty() ? 0 : kinds.indexOf(kind);
        if (all[k] < 0) {
          throw invalid("apps[" + k + "].kind", "there is no kind \"" + kind + "\"");
        }
      }
      return all;
    }

    /** The daemon load of the nodes; null where none has one of its own. */
    double[] daemons() {
      return nodes.stream().allMatch(node -> node.daemon() == null)
          ? null
          : profiles("nodes[%d].daemon", nodes, this::daemonOf, true);
    }

    /** The node's own daemon load or else its class's. */
    private double[] daemonOf(Node node) {
      boolean known = node.nodeClass() >= 0 && node.nodeClass() < classes.size();
      return node.daemon() == null && known ? classes.get(node.nodeClass()).daemon() : node.daemon();
    }

    private int group(NodeGroup from) {
      int begins = 0;
      int members = 0;
      int setNames = 0;
      if (!from.sets().isEmpty()) {
        List<int[]> sets = List.copyOf(from.sets().values());
        int[] begin = new int[sets.size() + 1];
        for (int k = 0; k < sets.size(); ++k) {
          begin[k + 1] = begin[k] + sets.get(k).length;
        }
        begins = words(begin);
        members = words(sets.stream().flatMapToInt(Arrays::stream).toArray());
        setNames = texts(List.copyOf(from.sets().keySet()));
      }
      return stowage.wire.NodeGroup.createNodeGroup(
          fbb, Text.add(fbb, from.name()), begins, members, setNames, text(from.byLabel()));
    }

    private int rules() {
      int[] all = new int[rules.size()];
      for (int k = 0; k < all.length; ++k) {
        Rule rule = rules.get(k);
        int[] anyOf = new int[rule.anyOf().size()];
        for (int c = 0; c < anyOf.length; ++c) {
          List<Cardinality> conjunction = rule.anyOf().get(c);
          int[] allOf = new int[conjunction.size()];
          for (int i = 0; i < allOf.length; ++i) {
            allOf[i] = cardinality(conjunction.get(i), "rules[" + k + "].any_of[" + c + "].all_of[" + i + "]");
          }
          anyOf[c] = Conjunction.createConjunction(fbb, fbb.createVectorOfTables(allOf));
        }
        int origin = rule.operator() ? Origin.Operator : Origin.Application;
        all[k] = PlacementRule.createPlacementRule(
            fbb,
            text(rule.name()),
            fbb.createVectorOfTables(anyOf),
            rule.weight().equals(HARD),
            rule.weight().orElse(1),
            origin);
      }
      return fbb.createVectorOfTables(all);
    }

    private int cardinality(Cardinality from, String path) {
      int group = NONE;
      if (!from.group().isEmpty() && !from.group().equals("node")) {
        group = groups.stream().map(NodeGroup::name).toList().indexOf(from.group());
        if (group < 0) {
          throw invalid(path + ".group", "there is no group \"" + from.group() + "\"");
        }
      }
      int subject = words(tagIndices(from.subject()));
      int target = from.target().isEmpty() ? 0 : words(tagIndices(from.target()));
      return stowage.wire.Cardinality.createCardinality(
          fbb, from.kind().ordinal(), subject, target, unsigned(from.min()), unsigned(from.max().orElse(NONE)), unsigned(group),
          from.negated());
    }

    private static long unsigned(int word) {
      return Integer.toUnsignedLong(word);
    }

    /** Collects amounts per item, one per resource. */
    <T> double[] rows(String path, List<T> items, Function<T, double[]> row, boolean optional) {
      return amounts(path, items, row, resources.size(), optional);
    }

    /** Collects amounts per item: one per resource, or per resource and period where any item has a profile. */
    <T> double[] profiles(String path, List<T> items, Function<T, double[]> row, boolean optional) {
      int width = resources.size();
      boolean profile = items.stream().map(row).anyMatch(amounts -> amounts != null && amounts.length > width);
      return amounts(path, items, row, profile ? width * periods : width, optional);
    }

    /**
     * Collects amounts per item, with the same number of entries for each item; null where no item has any and the column may
     * be absent.
     */
    private <T> double[] amounts(String path, List<T> items, Function<T, double[]> row, int width, boolean optional) {
      if (optional && items.stream().map(row).allMatch(amounts -> amounts == null)) {
        return null;
      }
      double[] all = new double[items.size() * width];
      for (int item = 0; item < items.size(); ++item) {
        double[] amounts = row.apply(items.get(item));
        if (amounts == null && optional) {
          continue;
        }
        int length = amounts == null ? 0 : amounts.length;
        if (length == width && amounts != null) {
          System.arraycopy(amounts, 0, all, item * width, width);
        } else if (amounts != null && width != resources.size() && length == resources.size()) {
          for (int k = 0; k < length; ++k) {
            Arrays.fill(all, item * width + k * periods, item * width + (k + 1) * periods, amounts[k]);
          }
        } else {
          throw invalid(path.formatted(item), "has " + length + " entries, not " + width);
        }
      }
      return all;
    }

    int words(int[] values) {
      fbb.createUnintializedVector(Integer.BYTES, values.length, Integer.BYTES).asIntBuffer().put(values);
      return fbb.endVector();
    }

    int doubles(double[] values) {
      fbb.createUnintializedVector(Double.BYTES, values.length, Double.BYTES).asDoubleBuffer().put(values);
      return fbb.endVector();
    }

    int optional(double[] values) {
      return values == null ? 0 : doubles(values);
    }

    int optionalWords(int[] values) {
      return values == null ? 0 : words(values);
    }

    /** Writes a column, or nothing where all entries are 0. */
    <T> int unless(List<T> items, ToIntFunction<T> value) {
      int[] all = column(items, value);
      return Arrays.stream(all).allMatch(one -> one == 0) ? 0 : words(all);
    }

    /** Writes a column, or nothing where all entries are what an absent column stands for. */
    <T> int unless(List<T> items, ToDoubleFunction<T> value, double absent) {
      double[] all = items.stream().mapToDouble(value).toArray();
      return Arrays.stream(all).allMatch(one -> one == absent) ? 0 : doubles(all);
    }

    /** Writes a column of flags, or nothing where none is set. */
    <T> int flags(List<T> items, Predicate<T> flag) {
      if (items.stream().noneMatch(flag)) {
        return 0;
      }
      byte[] flags = new byte[items.size()];
      for (int k = 0; k < flags.length; ++k) {
        flags[k] = (byte) (flag.test(items.get(k)) ? 1 : 0);
      }
      return fbb.createByteVector(flags);
    }

    int text(String value) {
      return value.isEmpty() ? 0 : Text.add(fbb, value);
    }

    int texts(List<String> values) {
      return values.isEmpty() ? 0 : offsets(values, text -> Text.add(fbb, text));
    }

    private <T> int offsets(List<T> items, ToIntFunction<T> write) {
      return fbb.createVectorOfTables(column(items, write));
    }

    /** Writes the names, or nothing where no item has a name. */
    <T> int names(List<T> items, Function<T, String> name) {
      List<String> all = items.stream().map(name).toList();
      return all.stream().allMatch(String::isEmpty) ? 0 : texts(all);
    }

    private int[] tagIndices(List<String> names) {
      return column(names, name -> {
        Integer known = tags.putIfAbsent(name, tags.size());
        return known == null ? tags.size() - 1 : known;
      });
    }

    <T> int[] tagRows(List<T> items, Function<T, List<String>> of) {
      int[] begin = new int[items.size() + 1];
      List<int[]> all = new ArrayList<>();
      for (int k = 0; k < items.size(); ++k) {
        all.add(tagIndices(of.apply(items.get(k))));
        begin[k + 1] = begin[k] + all.get(k).length;
      }
      int[] index = all.stream().flatMapToInt(Arrays::stream).toArray();
      return index.length == 0 ? new int[2] : new int[] {words(begin), words(index)};
    }

    private int residences(List<Triple> list) {
      if (list.isEmpty()) {
        return 0;
      }
      stowage.wire.Instance.startRunningVector(fbb, list.size());
      for (Triple one : list.reversed()) {
        Residence.createResidence(fbb, one.app, one.other, one.count);
      }
      return fbb.endVector();
    }
  }
}
