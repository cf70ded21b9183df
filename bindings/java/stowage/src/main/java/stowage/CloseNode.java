package stowage;

import java.util.List;
import java.util.OptionalInt;

/**
 * A node that came close to taking one more replica.
 *
 * @param node node of the plan; empty: a new, empty node of the class
 * @param nodeClass its class
 * @param obstacles everything that fails there
 * @param distance smaller is closer
 */
public record CloseNode(
    OptionalInt node,
    int nodeClass,
    List<Obstacle> obstacles,
    double distance) {}
