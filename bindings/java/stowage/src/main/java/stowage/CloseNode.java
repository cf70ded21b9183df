package stowage;

import java.util.List;
import java.util.OptionalInt;

/**
 * A node that comes close to accepting one more replica of the app.
 *
 * @param node node of the plan; empty = a new, empty node of the class
 * @param nodeClass its class
 * @param obstacles all obstacles there
 * @param distance a smaller distance is closer; see {@code report.fbs}
 */
public record CloseNode(
    OptionalInt node,
    int nodeClass,
    List<Obstacle> obstacles,
    double distance) {}
