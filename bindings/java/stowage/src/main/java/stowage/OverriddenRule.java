package stowage;

/**
 * A placement rule of an application that gives way to an operator's, which it contradicts.
 *
 * @param rule position among the instance's rules
 * @param by position of the operator's
 */
public record OverriddenRule(int rule, int by) {}
