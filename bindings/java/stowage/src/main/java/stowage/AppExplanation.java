package stowage;

import java.util.List;

/**
 * Why an app's replicas are unplaced.
 *
 * @param app the app
 * @param unplaced number of its unplaced replicas
 * @param openNodes nodes of the plan that accept one more replica
 * @param blockedByCapacity nodes that refuse it for lack of capacity alone
 * @param blockedByLimits nodes that refuse it by a limit or rule alone
 * @param blockedByBoth nodes that refuse it for both
 * @param closest nodes that come closest to accepting it
 * @param relaxations changes that make room for it, the smallest first
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
