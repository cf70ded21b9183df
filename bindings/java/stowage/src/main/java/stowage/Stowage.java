package stowage;

import java.lang.foreign.Arena;
import java.util.List;
import stowage.internal.StowageH;

/** The library itself. */
public final class Stowage {
  private Stowage() {}

  /** Version of the library that is loaded, {@code "major.minor.patch"}. */
  public static String version() {
    return StowageH.stowage_version().reinterpret(Long.MAX_VALUE).getString(0);
  }

  /**
   * Version of the {@code stowage.h} that these classes were generated from. Before 1.0 it must equal the version of the
   * library.
   */
  public static String headerVersion() {
    return StowageH.STOWAGE_VERSION_MAJOR + "." + StowageH.STOWAGE_VERSION_MINOR + "." + StowageH.STOWAGE_VERSION_PATCH;
  }

  /**
   * The catalogue of planners.
   *
   * @throws StowageException out of memory
   */
  public static List<Planner> planners() {
    try (Arena arena = Arena.ofConfined()) {
      return Reports.catalogue(Calls.bytes(arena, StowageH::stowage_planners));
    }
  }
}
