package stowage;

import java.util.List;

/**
 * What replicas should ask for, in row-major tables. Those without another length have one of apps x resources.
 *
 * @param apps names of the apps
 * @param resources names of the resources
 * @param periods number of periods of the demand
 * @param size NaN = never measured
 * @param slack share of the size that was not used, on average over the samples
 * @param exceeded share of the samples above the size: throttled or, for memory, out of memory
 * @param demand demand of one replica for an instance; NaN = never measured; length: apps x resources x periods
 * @param variance variance of the demand; empty where no rule is uncertain
 * @param demandSlack as {@code slack}, of the demand
 * @param demandExceeded as {@code exceeded}, of the demand
 * @param measured number of samples that were measured
 * @param first times of the first sample; length: apps
 * @param last times of the last sample; length: apps
 * @param killed number of samples that were out of memory; length: apps
 */
public record Sizes(
    List<String> apps,
    List<String> resources,
    int periods,
    List<Double> size,
    List<Double> slack,
    List<Double> exceeded,
    List<Double> demand,
    List<Double> variance,
    List<Double> demandSlack,
    List<Double> demandExceeded,
    List<Long> measured,
    List<Double> first,
    List<Double> last,
    List<Long> killed) {}
