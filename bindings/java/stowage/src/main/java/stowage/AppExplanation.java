package stowage;

import java.util.List;

/**
 * Why an app's replicas are unplaced.
 *
 * @param app the app
 * @param unplaced how many of its replicas
 * @param openNodes nodes of the plan that could take one more
 * @param blockedByCapacity nodes that refuse it for lack of capacity
 * @param blockedByLimits nodes that refuse it by a limit
 * @param blockedByBoth nodes that refuse it for both
 * @param closest nodes that came closest
 * @param relaxations what would help, the smallest first
 */
public record AppExplanation(
    int app,
    int unplaced,
    long openNodes,
    long blockedByCapacity,
    long blockedByLimits,
    long blockedByBoth,
    List<CloseNode> closest,
    List<Relaxation> relaxations) {}
