// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

/**
 * The use of a resource in the period where it is highest.
 *
 * @param resource the resource
 * @param peakPeriod period of highest demand
 * @param demand demand placed in the peak period, load and daemon load included, and capacity of the nodes in use, in the
 *     resource's unit
 * @param capacity the capacity
 * @param stranded free capacity in the peak period on nodes that accept no replica of any app that demands the resource. Only
 *     the 64 smallest such apps are tried
 */
public record ResourceUse(
    int resource,
    int peakPeriod,
    double demand,
    double capacity,
    double stranded) {}
