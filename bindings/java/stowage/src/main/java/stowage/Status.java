package stowage;

import stowage.internal.StowageH;

/** Why a call failed; {@code stowage.h} fixes the numbers. */
public enum Status {
  /** A null where none is allowed. */
  INVALID_ARGUMENT(StowageH.STOWAGE_INVALID_ARGUMENT),
  /** The bytes are not a well-formed buffer of the expected kind and version. */
  MALFORMED(StowageH.STOWAGE_MALFORMED),
  /** Well-formed, but a value is wrong or contradicts another; see {@link StowageException#path()}. */
  INVALID(StowageH.STOWAGE_INVALID),
  /** The planner does not honour a feature that the instance uses. */
  UNSUPPORTED(StowageH.STOWAGE_UNSUPPORTED),
  /** Larger than the caller's limits or than the library's number ranges. */
  LIMIT_EXCEEDED(StowageH.STOWAGE_LIMIT_EXCEEDED),
  /** No planner, option, app, node or other item has that name. */
  NOT_FOUND(StowageH.STOWAGE_NOT_FOUND),
  /** The library ran out of memory. */
  OUT_OF_MEMORY(StowageH.STOWAGE_OUT_OF_MEMORY),
  /** A defect of the library, or a number that this version does not know. */
  INTERNAL(StowageH.STOWAGE_INTERNAL),
  /** A {@link Control} or an interrupt ended the call before it had an answer; nothing changed. */
  CANCELLED(StowageH.STOWAGE_CANCELLED),
  /** The session is used by the call that waits for the caller; nothing was done. */
  BUSY(StowageH.STOWAGE_BUSY);

  private final int number;

  Status(int number) {
    this.number = number;
  }

  /** Its name in {@code stowage.h}, such as {@code "STOWAGE_INVALID"}. */
  public String nativeName() {
    return StowageH.stowage_status_text(number).reinterpret(Long.MAX_VALUE).getString(0);
  }

  static Status of(int number) {
    for (Status status : values()) {
      if (status.number == number) {
        return status;
      }
    }
    return INTERNAL;
  }
}
