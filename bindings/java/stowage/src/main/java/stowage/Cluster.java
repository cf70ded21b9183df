package stowage;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.internal.StowageH;

/**
 * Says by name what an instance or the snapshot of a session holds: apps, nodes with their states, and what runs where. Positions
 * of apps and nodes shift when others leave, names stay. What has no name is called {@code #} and its position; a class {@code
 * node} where it is the only one, else {@code class} and its position.
 *
 * {@snippet :
 * Plan plan = session.plan(Request.of("auto"));
 * for (Cluster.NamedPlacement one : session.cluster().name(plan)) {
 *   System.out.println(one.node() + ": " + one.replicas() + " of " + one.app());
 * }
 * }
 *
 * @param fingerprint fingerprint of the instance, as in its plans
 * @param version version of the session; 0 for an instance that is no snapshot
 * @param resources names of the resources
 * @param classes names of the node classes
 * @param apps the apps
 * @param nodes the listed nodes
 * @param running replicas that run, in the order of the instance
 * @param pinned replicas that are pinned, in the order of the instance
 */
public record Cluster(
    long fingerprint,
    long version,
    List<String> resources,
    List<String> classes,
    List<NamedApp> apps,
    List<NamedNode> nodes,
    List<Residence> running,
    List<Residence> pinned) {

  /**
   * An app.
   *
   * @param name its name
   * @param replicas number of its replicas, running ones included
   */
  public record NamedApp(String name, long replicas) {}

  /**
   * A listed node. In an instance that is no snapshot, a closed node is {@link NodeState#CORDONED}.
   *
   * @param name its name
   * @param nodeClass name of its class
   * @param state its state
   */
  public record NamedNode(String name, String nodeClass, NodeState state) {}

  /**
   * A number of replicas of an app on a listed node.
   *
   * @param app name of the app
   * @param node name of the node
   * @param replicas number of replicas
   */
  public record Residence(String app, String node, long replicas) {}

  /**
   * {@code replicas} replicas of an app on a node, and as many on each of the node's copies. A listed node has its own name; others
   * have their class and a number, such as {@code large-2}, and copies the numbers that follow.
   *
   * @param app name of the app
   * @param node name of the node
   * @param nodeClass name of the node's class
   * @param replicas number of replicas
   * @param copies number of nodes with this content, as in {@link Plan.Node#copies}
   */
  public record NamedPlacement(String app, String node, String nodeClass, int replicas, long copies) {}

  /**
   * Reads an instance, or the snapshot of a session.
   *
   * @throws StowageException as {@link Instance#load(ByteBuffer, Limits)}
   * @throws IllegalStateException the arena of the buffer is closed
   * @throws WrongThreadException the arena of the buffer is that of another thread
   */
  public static Cluster read(ByteBuffer bytes) {
    return read(bytes, Limits.DEFAULTS, null);
  }

  /**
   * The same with limits and a control.
   *
   * @param control null = none
   * @throws StowageException as {@link Instance#load(ByteBuffer, Limits)}
   * @throws IllegalStateException another call uses the control, or it is closed; as {@link #read(ByteBuffer)}
   */
  public static Cluster read(ByteBuffer bytes, Limits limits, Control control) {
    byte[] copy = Calls.copyOf(bytes);
    Calls.verify(StowageH.STOWAGE_KIND_INSTANCE, copy, limits, control);
    long fingerprint;
    // The library checks every reference, so that what follows stays within the bytes.
    try (Instance instance = Instance.load(ByteBuffer.wrap(copy), limits, control)) {
      fingerprint = instance.fingerprint();
    }
    var root = stowage.wire.Instance.getRootAsInstance(Calls.littleEndian(copy));
    var session = root.session();
    var columns = root.apps();
    List<String> classes =
        named(root.classesLength(), k -> className(root.classes(k).name(), k, root.classesLength()));
    boolean appNames = columns.namesLength() > 0;
    List<NamedApp> apps = IntStream.range(0, columns.replicasLength())
        .mapToObj(k -> new NamedApp(appNames ? columns.names(k) : "#" + k, columns.replicas(k)))
        .toList();
    List<NamedNode> nodes = nodes(root, classes);
    return new Cluster(
        fingerprint,
        session == null ? 0 : session.version(),
        named(root.resourcesLength(), k -> root.resources(k).name()),
        classes,
        apps,
        nodes,
        IntStream.range(0, root.runningLength()).mapToObj(k -> residence(root.running(k), apps, nodes)).toList(),
        IntStream.range(0, root.pinnedLength()).mapToObj(k -> residence(root.pinned(k), apps, nodes)).toList());
  }

  private static List<String> named(int count, java.util.function.IntFunction<String> name) {
    return IntStream.range(0, count).mapToObj(name).toList();
  }

  private static String className(String given, int position, int classes) {
    if (given != null && !given.isEmpty()) {
      return given;
    }
    return classes == 1 ? "node" : "class" + position;
  }

  private static List<NamedNode> nodes(stowage.wire.Instance root, List<String> classes) {
    var nodes = root.nodes();
    if (nodes == null) {
      return List.of();
    }
    var session = root.session();
    boolean names = nodes.namesLength() > 0;
    boolean closed = nodes.closedLength() > 0;
    List<NamedNode> all = new ArrayList<>(nodes.nodeClassLength());
    for (int k = 0; k < nodes.nodeClassLength(); ++k) {
      NodeState state = closed && nodes.closed(k) != 0 ? NodeState.CORDONED : NodeState.OPEN;
      if (session != null) {
        state = NodeState.of(session.nodeState(k));
      }
      all.add(new NamedNode(names ? nodes.names(k) : "#" + k, classes.get((int) nodes.nodeClass(k)), state));
    }
    return List.copyOf(all);
  }

  private static Residence residence(stowage.wire.Residence one, List<NamedApp> apps, List<NamedNode> nodes) {
    return new Residence(apps.get((int) one.app()).name(), nodes.get((int) one.node()).name(), one.replicas());
  }

  /**
   * The nodes on which replicas of an app run, in the order of the nodes. Empty where none runs and where there is no such app.
   */
  public List<Residence> whereIs(String app) {
    return running.stream().filter(one -> one.app().equals(app)).toList();
  }

  /**
   * Names the placements of a plan that was made for this cluster.
   *
   * @throws StowageException invalid: the plan was made for another cluster, or for an earlier state of it
   */
  public List<NamedPlacement> name(Plan plan) {
    List<String> names = nodeNames(plan);
    return plan.placements().stream().map(one -> {
      if (one.node() < 0 || one.node() >= names.size() || one.app() < 0 || one.app() >= apps.size()) {
        throw foreign("a placement refers to nothing");
      }
      Plan.Node node = plan.nodes().get(one.node());
      return new NamedPlacement(
          apps.get(one.app()).name(), names.get(one.node()), classes.get(node.nodeClass()), one.replicas(), node.copies());
    }).toList();
  }

  /**
   * The names of a plan's nodes, as in {@link NamedPlacement}; of copies, that of the first.
   *
   * @throws StowageException as {@link #name}
   */
  public List<String> nodeNames(Plan plan) {
    if (plan.instance() != fingerprint) {
      throw foreign("it was made for another instance");
    }
    Map<String, Numbering> numbers = new HashMap<>();
    classes.forEach(one -> numbers.put(one, new Numbering()));
    for (NamedNode node : nodes) {
      int dash = node.name().lastIndexOf('-');
      if (dash >= 0 && numbers.containsKey(node.name().substring(0, dash))) {
        numbers.get(node.name().substring(0, dash)).leaveOut(node.name().substring(dash + 1));
      }
    }
    List<String> names = new ArrayList<>(plan.nodes().size());
    for (Plan.Node node : plan.nodes()) {
      int listed = node.listed().orElse(0);
      if (node.nodeClass() < 0 || node.nodeClass() >= classes.size() || listed < 0
          || node.listed().isPresent() && listed >= nodes.size()) {
        throw foreign("a node does not exist");
      }
      if (node.listed().isPresent()) {
        names.add(nodes.get(listed).name());
        continue;
      }
      String nodeClass = classes.get(node.nodeClass());
      names.add(nodeClass + "-" + numbers.get(nodeClass).advance(1));
      if (node.copies() > 1) {
        numbers.get(nodeClass).advance(node.copies() - 1);
      }
    }
    return List.copyOf(names);
  }

  private static StowageException foreign(String why) {
    return new StowageException(Status.INVALID, "the plan does not belong to the cluster: " + why, "");
  }

  /** Hands out the numbers from 1 that no name takes. It steps over many at once, as a node may stand for any number. */
  private static final class Numbering {
    private final TreeSet<Long> taken = new TreeSet<>();
    private long last = 0;

    void leaveOut(String text) {
      // Longer numbers are never reached.
      if (text.matches("[1-9][0-9]{0,17}")) {
        taken.add(Long.parseLong(text));
      }
    }

    /** The {@code steps}-th number after the last one. */
    long advance(long steps) {
      long left = steps;
      while (!taken.isEmpty()) {
        long free = Math.max(0, taken.first() - last - 1);
        if (left <= free) {
          break;
        }
        left -= free;
        last = Math.max(last, taken.pollFirst());
      }
      last += left;
      return last;
    }
  }
}
