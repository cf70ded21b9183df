// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;

/**
 * The answer to Usage.
 *
 * @param apps the apps
 * @param resources the resources
 * @param periods the periods
 * @param size naN = never measured. Length: apps x resources
 * @param slack share of the size that was not used, on average over the samples. Length: apps x resources
 * @param exceeded share of the samples above the size: throttled or, for memory, out of memory. Length: apps x resources
 * @param demand demand of one replica for an instance; NaN = never measured. Length: apps x resources x periods
 * @param variance variance of the demand. Length: apps x resources; empty where no rule is uncertain
 * @param demandSlack as {@code slack} and {@code exceeded}, of the demand
 * @param demandExceeded the demand exceeded
 * @param measured number of samples that were measured. Length: apps x resources
 * @param first times of the first and the last sample. Length: apps
 * @param last the last
 * @param killed number of samples that were out of memory. Length: apps
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
