package stowage;

/**
 * A placement rule of an application that contradicts a rule of the operator, which prevails.
 *
 * @param rule index of the rule in the instance
 * @param by index of the operator's rule
 */
public record OverriddenRule(int rule, int by) {}
