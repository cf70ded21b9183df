package stowage;

/**
 * How the size in one resource follows from usage; {@code learning.fbs} explains the fields.
 *
 * @param halfLife seconds; 0 = all samples weigh the same
 * @param window seconds; 0 = each sample counts
 * @param ceiling 0 = none
 */
public record SizeRule(
    double percentile, double halfLife, double window, double margin, double bump, double floor, double ceiling,
    boolean uncertain) {
  /** The least usage that this share of the samples does not exceed. */
  public SizeRule(double percentile) {
    this(percentile, 0, 0, 0, 1, 0, 0, false);
  }
}
