package stowage;

import stowage.internal.StowageH;

/** What a commit takes of a plan that was made for an earlier version of the cluster. */
public enum CommitMode {
  /** Nothing. */
  EXACT(StowageH.STOWAGE_COMMIT_EXACT),
  /** The whole plan if everything that it places still fits, else nothing. */
  WHOLE(StowageH.STOWAGE_COMMIT_WHOLE),
  /** Each app whose replicas all still fit. */
  FITTING(StowageH.STOWAGE_COMMIT_FITTING);

  final int number;

  CommitMode(int number) {
    this.number = number;
  }
}
