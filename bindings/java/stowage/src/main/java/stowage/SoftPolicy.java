package stowage;

/** How violated soft placement rules count beside the objective, in the order of {@code request.fbs}. */
public enum SoftPolicy {
  /** Before the objective: as few violations as possible, whatever that costs. */
  FIRST,
  /** Only among plans that are equal otherwise: violations never cost a node. */
  LAST,
  /** Added to the objective, at {@link Request.Builder#softPrice} per unit of violation. */
  PRICE,
  /** A policy that this version does not know; not for requests. */
  UNKNOWN;

  static SoftPolicy of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
