// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;

/**
 * Why an app's replicas are unplaced.
 *
 * @param app the app
 * @param unplaced the unplaced
 * @param openNodes nodes of the plan that accept one more replica
 * @param blockedByCapacity nodes of the plan that refuse one more replica: for lack of capacity alone, for limits or rules
 *     alone, for both
 * @param blockedByLimits the blocked by limits
 * @param blockedByBoth the blocked by both
 * @param closest the closest
 * @param relaxations smallest first
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
