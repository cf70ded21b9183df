// What of the record Plan is written by hand; records.py puts the rest before it.
  /**
   * A node in use, or one that is kept without replicas.
   *
   * @param nodeClass its class
   * @param listed its position among the listed nodes; empty for an anonymous node of its class
   * @param copies number of nodes with this content for which it stands: 1 except for anonymous nodes of compact plans
   */
  public record Node(int nodeClass, OptionalInt listed, long copies) {}

  /** An independent view of the plan's bytes, with its own position and limit. */
  @Override
  public ByteBuffer bytes() {
    return bytes.duplicate().order(bytes.order());
  }

  /** Number of nodes in use, copies included. */
  public long nodesInUse() {
    return nodes.stream().mapToLong(Node::copies).sum();
  }

  /**
   * Reads the bytes of a plan from another source. Only {@link Instance#verify(ByteBuffer)} checks whether the plan belongs to the
   * instance and satisfies its constraints.
   *
   * @throws StowageException malformed, invalid, a limit exceeded: the bytes would take far more memory than they have; cancelled
   */
  public static Plan read(byte[] bytes) {
    return read(ByteBuffer.wrap(bytes), Limits.DEFAULTS, null);
  }

  /**
   * The same, from a buffer's position up to its limit, neither of which changes.
   *
   * @param limits those of the bytes count
   * @param control null = none
   * @throws StowageException as {@link #read(byte[])}
   * @throws IllegalStateException the arena of the buffer is closed; another call uses the control, or it is closed
   * @throws WrongThreadException the arena of the buffer is that of another thread
   */
  public static Plan read(ByteBuffer bytes, Limits limits, Control control) {
    byte[] copy = Calls.copyOf(bytes);
    Calls.verify(StowageH.STOWAGE_KIND_PLAN, copy, limits, control);
    return decode(Calls.littleEndian(copy));
  }

  private static StowageException malformed() {
    return new StowageException(Status.MALFORMED, "the bytes are not a plan", "");
  }

  static Plan decode(ByteBuffer bytes) {
    stowage.wire.Plan root = stowage.wire.Plan.getRootAsPlan(bytes);
    int nodes = root.nodeClassLength();
    boolean compact = root.copiesVector() != null;
    if (root.listedLength() != nodes || compact && root.copiesLength() != nodes || root.planner() == null) {
      throw malformed();
    }
    return Records.plan(root, bytes);
  }

  static List<Node> nodes(stowage.wire.Plan from) {
    boolean compact = from.copiesVector() != null;
    return Reports.view(
        from.nodeClassLength(),
        k -> new Node((int) from.nodeClass(k), Reports.known(from.listed(k)), compact ? from.copies(k) : 1));
  }
