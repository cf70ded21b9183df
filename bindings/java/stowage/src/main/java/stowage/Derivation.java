package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * How an instance differs from another one, for {@link Instance#derive}. What is not said stays. Factors multiply each other:
 * those for all, of a resource, and of an app or a class. A number that is given outright stands as it is. Each app, resource and
 * class may be named once.
 *
 * {@snippet :
 * Derivation growth = new Derivation().demand(1.3).app("web", new Derivation.OfApp().replicas(20));
 * try (Instance grown = instance.derive(growth)) {
 *   Plan plan = grown.plan(Request.of("auto"));
 * }
 * }
 */
public final class Derivation {
  private static final int NOT_GIVEN = -1;

  record Change<T>(String name, int index, T of) {}

  // Writers reads what is given.
  String name = "";
  double demand = 1;
  double replicas = 1;
  double capacity = 1;
  double load = 1;
  double price = 1;
  double limits = 1;
  final List<Change<OfResource>> resources = new ArrayList<>();
  final List<Change<OfApp>> apps = new ArrayList<>();
  final List<Change<OfClass>> classes = new ArrayList<>();

  /** Changes nothing. */
  public Derivation() {}

  /** Name of the instance that results. */
  public Derivation name(String value) {
    name = value;
    return this;
  }

  /** Factor on the demand of all apps. Uncertain demand scales as a whole. */
  public Derivation demand(double factor) {
    demand = factor;
    return this;
  }

  /** Factor on the replicas of all apps, rounded up. */
  public Derivation replicas(double factor) {
    replicas = factor;
    return this;
  }

  /** Factor on the capacity of all classes. Daemon load stays. */
  public Derivation capacity(double factor) {
    capacity = factor;
    return this;
  }

  /** Factor on the load of listed nodes. Daemon load stays. */
  public Derivation load(double factor) {
    load = factor;
    return this;
  }

  /** Factor on the prices of all classes. */
  public Derivation price(double factor) {
    price = factor;
    return this;
  }

  /** Share of the affinity limits between different apps that stays, at most 1. */
  public Derivation limits(double share) {
    limits = share;
    return this;
  }

  /** What changes of the resource with this name. */
  public Derivation resource(String named, OfResource change) {
    resources.add(new Change<>(named, NOT_GIVEN, change));
    return this;
  }

  /** What changes of the resource with this index. */
  public Derivation resource(int index, OfResource change) {
    resources.add(new Change<>("", index, change));
    return this;
  }

  /** What changes of the app with this name. */
  public Derivation app(String named, OfApp change) {
    apps.add(new Change<>(named, NOT_GIVEN, change));
    return this;
  }

  /** What changes of the app with this index. */
  public Derivation app(int index, OfApp change) {
    apps.add(new Change<>("", index, change));
    return this;
  }

  /** What changes of the node class with this name. */
  public Derivation nodeClass(String named, OfClass change) {
    classes.add(new Change<>(named, NOT_GIVEN, change));
    return this;
  }

  /** What changes of the node class with this index. */
  public Derivation nodeClass(int index, OfClass change) {
    classes.add(new Change<>("", index, change));
    return this;
  }

  /**
   * Factors on what concerns one resource.
   *
   * @param demand factor on the demand of all apps
   * @param capacity factor on the capacity of all classes
   * @param load factor on the load of listed nodes
   */
  public record OfResource(double demand, double capacity, double load) {}

  /** What changes of one app. */
  public static final class OfApp {
    int replicas = NOT_GIVEN;
    double replicaFactor = 1;
    double[] demand;
    double demandFactor = 1;

    /** Changes nothing. */
    public OfApp() {}

    /** The number of replicas. */
    public OfApp replicas(int value) {
      replicas = value;
      return this;
    }

    /** Factor on the replicas, rounded up. */
    public OfApp replicaFactor(double factor) {
      replicaFactor = factor;
      return this;
    }

    /** Demand of one replica. Length: resources, or resources x periods. */
    public OfApp demand(double... values) {
      demand = values.clone();
      return this;
    }

    /** Factor on the demand. */
    public OfApp demandFactor(double factor) {
      demandFactor = factor;
      return this;
    }
  }

  /** What changes of one node class. */
  public static final class OfClass {
    int count = NOT_GIVEN;
    double[] capacity;
    double capacityFactor = 1;
    double price = -1;

    /** Changes nothing. */
    public OfClass() {}

    /** Number of nodes of the class; 0 = as many as needed. */
    public OfClass count(int value) {
      count = value;
      return this;
    }

    /** Capacity per resource. */
    public OfClass capacity(double... values) {
      capacity = values.clone();
      return this;
    }

    /** Factor on the capacity. */
    public OfClass capacityFactor(double factor) {
      capacityFactor = factor;
      return this;
    }

    /** Cost of one node in use. */
    public OfClass price(double value) {
      price = value;
      return this;
    }
  }

  ByteBuffer encode() {
    FlatBufferBuilder fbb = new FlatBufferBuilder(256);
    stowage.wire.Derivation.finishDerivationBuffer(fbb, Writers.derivation(fbb, this));
    return fbb.dataBuffer();
  }
}
