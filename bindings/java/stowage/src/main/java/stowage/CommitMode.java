package stowage;

import stowage.internal.StowageH;

/** How a plan that was made for an earlier version of the cluster is taken. */
public enum CommitMode {
  /** Not at all. */
  EXACT(StowageH.STOWAGE_COMMIT_EXACT),
  /** Where everything that it places still fits. */
  WHOLE(StowageH.STOWAGE_COMMIT_WHOLE),
  /** App by app, those whose replicas all still fit. */
  FITTING(StowageH.STOWAGE_COMMIT_FITTING);

  final int number;

  CommitMode(int number) {
    this.number = number;
  }
}
