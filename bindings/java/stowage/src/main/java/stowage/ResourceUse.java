package stowage;

/**
 * The use of a resource in its peak period, in its unit.
 *
 * @param resource the resource
 * @param peakPeriod period of highest demand
 * @param demand demand placed
 * @param capacity capacity of the nodes in use
 * @param stranded free capacity on nodes that accept no replica of any app that demands the resource
 */
public record ResourceUse(
    int resource,
    int peakPeriod,
    double demand,
    double capacity,
    double stranded) {}
