package stowage;

import java.util.List;

/**
 * Measurements of apps with some configurations, in columns. Tables are row-major. A configuration is an amount of each resource
 * for a container, and a degree of collocation. Immutable: {@link #of} sets the properties that all samples have, the {@code
 * with} methods set further ones.
 *
 * @param measure what was measured
 * @param resources names of the resources
 * @param apps unique names
 * @param features what is known of the apps before anything is measured
 * @param asked what each app asks for today; NaN in all resources of an app = not known; length: apps x resources; null = nothing
 *     is known
 * @param rowApp app of each row, an index into {@code apps}
 * @param rowAmounts amounts of each row, above 0; length: rows x resources
 * @param rowCollocation containers of the app that share a node; length: rows; null = all 1
 * @param rowValue what was measured in each row; length: rows
 */
public record Samples(
    Measure measure,
    List<String> resources,
    List<String> apps,
    List<Feature> features,
    double[] asked,
    int[] rowApp,
    double[] rowAmounts,
    int[] rowCollocation,
    double[] rowValue) {

  /** Samples of performance, with one container of the app on a node. */
  public static Samples of(
      List<String> resources, List<String> apps, int[] rowApp, double[] rowAmounts, double[] rowValue) {
    return new Samples(
        Measure.PERFORMANCE, resources, apps, List.of(), null, rowApp, rowAmounts, null, rowValue);
  }

  /** The same with another measure. */
  public Samples withMeasure(Measure measure) {
    return new Samples(measure, resources, apps, features, asked, rowApp, rowAmounts, rowCollocation, rowValue);
  }

  /** The same with features of the apps. */
  public Samples withFeatures(Feature... features) {
    return new Samples(measure, resources, apps, List.of(features), asked, rowApp, rowAmounts, rowCollocation, rowValue);
  }

  /** The same with what the apps ask for today. */
  public Samples withAsked(double... asked) {
    return new Samples(measure, resources, apps, features, asked, rowApp, rowAmounts, rowCollocation, rowValue);
  }

  /** The same with a degree of collocation of each row. */
  public Samples withRowCollocation(int... rowCollocation) {
    return new Samples(measure, resources, apps, features, asked, rowApp, rowAmounts, rowCollocation, rowValue);
  }
}
