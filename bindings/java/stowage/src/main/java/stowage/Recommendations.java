package stowage;

import java.util.List;

/**
 * The answer to a {@link Question}.
 *
 * @param resources names of the resources
 * @param configurations the configurations that the model knows
 * @param apps what is recommended for each app of the samples
 */
public record Recommendations(List<String> resources, List<Configuration> configurations, List<Recommendation> apps) {

  /**
   * A size of a container, and how many containers of the app share a node.
   *
   * @param amounts one per resource
   * @param collocation degree of collocation
   */
  public record Configuration(List<Double> amounts, long collocation) {}
}
