package stowage;

import java.util.List;

/** What is known of apps before anything is measured, such as a family, a load or a data size: an entry per app. */
public sealed interface Feature {

  /**
   * A feature in numbers.
   *
   * @param name its name
   * @param numbers one per app; NaN = not known
   */
  record Numbers(String name, double... numbers) implements Feature {}

  /**
   * A feature in words.
   *
   * @param name its name
   * @param words one per app; empty = not known
   */
  record Words(String name, List<String> words) implements Feature {

    /** The same with the words one by one. */
    public Words(String name, String... words) {
      this(name, List.of(words));
    }
  }
}
