// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

/**
 * How violated soft placement rules count beside the objective. Their cost is the sum of extent x weight, {@code
 * Plan.violationCost}.
 */
public enum SoftPolicy {
  /**
   * Before the objective: a plan with less of it is better, whatever that costs.
   */
  FIRST,
  /**
   * Only among plans of the same value of the objective: violations never cost a node.
   */
  LAST,
  /**
   * Added to the objective: a unit of it costs {@code Request.softPrice}.
   */
  PRICE,
  /** A value that this version does not know; not for requests. */
  UNKNOWN;

  static SoftPolicy of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
