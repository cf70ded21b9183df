// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

/**
 * What was measured.
 */
public enum Measure {
  /**
   * In [0, 1], higher is better.
   */
  PERFORMANCE,
  /**
   * In milliseconds, above 0, lower is better.
   */
  LATENCY
}
