package stowage;

import java.util.List;

/**
 * What is known of apps before anything is measured. Exactly one of the two columns has an entry per app; the other is null.
 *
 * @param numbers NaN = not known
 * @param words empty = not known
 */
public record Feature(String name, double[] numbers, List<String> words) {}
