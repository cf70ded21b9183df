// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;

/** Writes what an instance has many of. */
final class Columns {
  private Columns() {}

  static int apps(InstanceBuilder.Encoder e, List<App> apps) {
    int names = e.names(apps, App::name);
    int replicas = e.words(InstanceBuilder.column(apps, App::replicas));
    int demand = e.doubles(e.profiles("apps[%d].demand", apps, App::demand, false));
    int priority = e.unless(apps, App::priority);
    int variance = e.optional(e.rows("apps[%d].variance", apps, App::variance, true));
    int supportMin = e.optional(e.rows("apps[%d].support_min", apps, App::supportMin, true));
    int supportMax = e.optional(e.rows("apps[%d].support_max", apps, App::supportMax, true));
    int kind = e.optionalWords(e.appKinds());
    int[] tagBegin = e.tagRows(apps, App::tags);
    int weight = e.unless(apps, App::weight, 1.0);
    int[] onlyBegin = e.tagRows(apps, App::only);
    int[] notBegin = e.tagRows(apps, App::not);
    return stowage.wire.Apps.createApps(
        e.fbb, names, replicas, demand, priority, variance, supportMin, supportMax, kind, tagBegin[0], tagBegin[1], weight, onlyBegin[0], onlyBegin[1], notBegin[0], notBegin[1]);
  }

  static int nodes(InstanceBuilder.Encoder e, List<Node> nodes) {
    int nodeClass = e.words(InstanceBuilder.column(nodes, Node::nodeClass));
    int names = e.names(nodes, Node::name);
    int load = e.optional(e.profiles("nodes[%d].load", nodes, Node::load, true));
    int loadVariance = e.optional(e.rows("nodes[%d].load_variance", nodes, Node::loadVariance, true));
    int closed = e.flags(nodes, Node::closed);
    int[] tagBegin = e.tagRows(nodes, Node::tags);
    int daemon = e.optional(e.daemons());
    return stowage.wire.Nodes.createNodes(
        e.fbb, nodeClass, names, load, loadVariance, closed, tagBegin[0], tagBegin[1], daemon);
  }

  static int nodeClass(InstanceBuilder.Encoder e, NodeClass from) {
    return stowage.wire.NodeClass.createNodeClass(
        e.fbb, e.text(from.name()), e.doubles(from.capacity()), from.count(), from.price().orElse(-1), e.texts(from.labels()), e.optional(from.daemon()));
  }
}
