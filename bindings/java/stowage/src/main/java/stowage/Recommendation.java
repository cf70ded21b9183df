package stowage;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a model recommends for one app. Configurations are given by their index in {@link Recommendations#configurations}.
 *
 * @param app name of the app
 * @param reason why the recommendation is as it is
 * @param choice the recommended configuration; empty unless the reason is {@link RecommendationReason#MEETS_GOAL}
 * @param probability that the choice meets the goal or, where there is none, that the most probable configuration does
 * @param runnerUp the next cheaper size, which misses the confidence; where there is no choice, the most probable configuration
 * @param runnerUpProbability probability with which it meets the goal
 * @param cost cost of one container of the chosen size; 0 without a choice
 * @param savingAsked share of the cost that the choice saves against what the app asks for; negative where it costs more, empty
 *     where nothing was asked or chosen
 * @param savingLargest the same against the configuration that costs most; empty where nothing was chosen
 * @param nextSample the sample to take next: the one with the largest expected saving
 * @param nextSaving what it is expected to save, as a share of the cost of the configuration that costs most
 * @param samples number of samples of the app that the recommendation rests on
 * @param similar number of profiled apps that it rests on, in effect
 * @param curve what is known of each configuration; empty unless asked for
 */
public record Recommendation(
    String app,
    RecommendationReason reason,
    OptionalInt choice,
    double probability,
    OptionalInt runnerUp,
    double runnerUpProbability,
    double cost,
    OptionalDouble savingAsked,
    OptionalDouble savingLargest,
    OptionalInt nextSample,
    double nextSaving,
    long samples,
    long similar,
    List<Point> curve) {

  /**
   * What is known of one configuration for one app.
   *
   * @param curveMean mean of the measure
   * @param curveLow what one in twenty is below
   * @param curveHigh what one in twenty is above
   * @param curveProbability probability of meeting the goal
   */
  public record Point(double curveMean, double curveLow, double curveHigh, double curveProbability) {}
}
