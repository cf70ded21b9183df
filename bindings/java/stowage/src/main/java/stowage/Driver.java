// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One reason why a plan needs this many nodes.
 *
 * @param kind the kind
 * @param resource the resource
 * @param period the period
 * @param app the app
 * @param nodes the nodes
 * @param cost what these nodes cost; empty without prices, and where any nodes would do
 */
public record Driver(
    String kind,
    OptionalInt resource,
    OptionalInt period,
    OptionalInt app,
    double nodes,
    OptionalDouble cost) {}
