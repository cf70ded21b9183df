package stowage;

/**
 * How much of a resource is used in its peak period, in its unit.
 *
 * @param resource the resource
 * @param peakPeriod period of highest demand
 * @param demand demand placed
 * @param capacity capacity of the nodes in use
 * @param stranded what is left on nodes that take no more replica of any app that needs it
 */
public record ResourceUse(
    int resource,
    int peakPeriod,
    double demand,
    double capacity,
    double stranded) {}
