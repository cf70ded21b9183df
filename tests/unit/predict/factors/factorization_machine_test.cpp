#include "core/predict/factors/factorization_machine.h"

#include <gtest/gtest.h>

#include "core/predict/factors/matrix_factorization.h"

namespace stowage {
namespace {

TEST(FactorizationMachine, GradientsAreThoseOfTheLoss) {
  FactorOptions options;
  options.factors = 3;
  options.seed = 5;
  FactorizationMachine machine(options);
  machine.append_features(6);
  const std::vector<ActiveFeature> x = {{0, 1}, {3, 0.5}, {5, -2}};
  for (int k = 0; k < 5; ++k) machine.learn(x, 0.7);
  const std::vector<double> gradient = machine.gradient(x, 0.2);
  const std::vector<double*> parameters = machine.parameters(x);
  ASSERT_EQ(gradient.size(), parameters.size());
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    const double before = *parameters[k];
    const auto loss = [&](double value) {
      *parameters[k] = value;
      const double error = machine.predict(x) - 0.2;
      *parameters[k] = before;
      return error * error;
    };
    EXPECT_NEAR(gradient[k], (loss(before + 1e-5) - loss(before - 1e-5)) / 2e-5, 1e-7);
  }
}

TEST(FactorizationMachine, LearnsAnInteractionBecauseItsRandomStartSurvives) {
  FactorizationMachine machine(FactorOptions{});
  machine.append_features(4);
  // y = 1 where both agree: no linear model does better than 0.5 everywhere.
  for (int epoch = 0; epoch < 2000; ++epoch)
    for (std::uint32_t a = 0; a < 2; ++a)
      for (std::uint32_t b = 0; b < 2; ++b) machine.learn(std::vector<ActiveFeature>{{a, 1}, {2 + b, 1}}, a == b ? 1 : 0);
  EXPECT_GT(machine.predict(std::vector<ActiveFeature>{{0, 1}, {2, 1}}), 0.8);
  EXPECT_LT(machine.predict(std::vector<ActiveFeature>{{0, 1}, {3, 1}}), 0.2);
}

TEST(FactorizationMachine, BytesAreCheckedAndGiveTheSameMachine) {
  FactorOptions options;
  options.factors = 2;
  FactorizationMachine machine(options);
  machine.append_features(3);
  machine.learn(std::vector<ActiveFeature>{{1, 1}, {2, 1}}, 0.5);
  std::vector<std::uint8_t> bytes = machine.bytes();
  Result<FactorizationMachine> again = FactorizationMachine::from_bytes(bytes);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->bytes(), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(FactorizationMachine::from_bytes({bytes.data(), size}).ok()) << size;
  for (std::size_t at = 0; at < bytes.size(); at += 5) {
    bytes[at] ^= 1;
    EXPECT_FALSE(FactorizationMachine::from_bytes(bytes).ok()) << at;
    bytes[at] ^= 1;
  }
}

TEST(MatrixFactorization, FindsAMissingCellOfATableOfRankOne) {
  std::vector<Rating> ratings;
  for (std::uint32_t r = 0; r < 8; ++r)
    for (std::uint32_t c = 0; c < 8; ++c)
      if (r != 6 || c != 6) ratings.push_back({r, c, (r + 1) * (c + 1) / 64.0});
  MatrixFactorizationOptions options;
  options.factors = 2;
  options.epochs = 2000;
  options.regularization = 0.001;
  const MatrixFactorization model(8, 8, ratings, options);
  EXPECT_NEAR(model.predict(6, 6), 49 / 64.0, 0.1);
}

}  // namespace
}  // namespace stowage
