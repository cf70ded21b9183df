package stowage;

/** The failure of a call. Its message is one English sentence, after the path of the field where there is one. */
public final class StowageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What kind of failure it is. */
  private final Status status;
  /** The field at fault, or empty. */
  private final String path;

  StowageException(Status status, String message, String path) {
    super(path.isEmpty() ? message : path + ": " + message);
    this.status = status;
    this.path = path;
  }

  /** The status. */
  public Status status() {
    return status;
  }

  /** The field at fault, such as {@code "apps.demand[51]"}, or {@code ""}. */
  public String path() {
    return path;
  }
}
