package stowage;

/**
 * How the size in one resource follows from usage. Immutable: {@link #of} sets the percentile, the {@code with} methods set
 * further properties.
 *
 * @param percentile share of the samples, by weight, that the size covers, in (0, 1]
 * @param halfLife seconds in which the weight of a sample halves; 0 = all weigh the same
 * @param window seconds: of each replica, the largest usage in a window counts as one sample; 0 = each sample counts
 * @param margin usage counts (1 + margin) times
 * @param bump usage at which a replica was killed counts this many times; at least 1
 * @param floor the smallest size
 * @param ceiling the largest size; 0 = none
 * @param uncertain whether demand is the mean of usage, with its variance
 */
public record SizeRule(
    double percentile,
    double halfLife,
    double window,
    double margin,
    double bump,
    double floor,
    double ceiling,
    boolean uncertain) {

  /** The size that covers a share of the samples. */
  public static SizeRule of(double percentile) {
    return new SizeRule(percentile, 0, 0, 0, 1, 0, 0, false);
  }

  /** The same with a half-life in seconds. */
  public SizeRule withHalfLife(double halfLife) {
    return new SizeRule(percentile, halfLife, window, margin, bump, floor, ceiling, uncertain);
  }

  /** The same with a window in seconds. */
  public SizeRule withWindow(double window) {
    return new SizeRule(percentile, halfLife, window, margin, bump, floor, ceiling, uncertain);
  }

  /** The same with a margin. */
  public SizeRule withMargin(double margin) {
    return new SizeRule(percentile, halfLife, window, margin, bump, floor, ceiling, uncertain);
  }

  /** The same with a factor for replicas that were killed. */
  public SizeRule withBump(double bump) {
    return new SizeRule(percentile, halfLife, window, margin, bump, floor, ceiling, uncertain);
  }

  /** The same with a smallest and a largest size; a ceiling of 0 = none. */
  public SizeRule withBounds(double floor, double ceiling) {
    return new SizeRule(percentile, halfLife, window, margin, bump, floor, ceiling, uncertain);
  }

  /** The same with uncertain demand. */
  public SizeRule withUncertain() {
    return new SizeRule(percentile, halfLife, window, margin, bump, floor, ceiling, true);
  }
}
