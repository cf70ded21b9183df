package stowage;

/** What was measured of apps, in the order of {@code learning.fbs}. */
public enum Measure {
  /** In [0, 1], higher is better. */
  PERFORMANCE,
  /** In milliseconds, above 0, lower is better. */
  LATENCY
}
