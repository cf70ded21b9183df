#include "core/predict/size_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>

namespace stowage {
namespace {

/// Apps that need 1 to 4 cores: performance is the share of the need that is met.
Samples needy_apps(std::uint32_t apps) {
  Samples samples;
  samples.resources = {"cpu"};
  samples.features = {{"load", {}, {}}};
  for (std::uint32_t app = 0; app < apps; ++app) {
    const double need = 1 + 3.0 * app / apps;
    samples.apps.push_back("app-" + std::to_string(app));
    samples.features[0].numbers.push_back(need);
    for (const double cores : {1.0, 2.0, 3.0, 4.0}) {
      samples.row_app.push_back(app);
      samples.row_amounts.push_back(cores);
      samples.row_collocation.push_back(1);
      samples.row_value.push_back(std::min(1.0, cores / need));
    }
  }
  return samples;
}

Goal reach(double value) {
  Goal goal;
  goal.value = value;
  return goal;
}

Samples new_app(double need) {
  Samples samples;
  samples.resources = {"cpu"};
  samples.apps = {"new"};
  samples.features = {{"load", {need}, {}}};
  return samples;
}

TEST(SizeModel, RecommendsTheSizeThatTheLoadNeeds) {
  Result<SizeModel> model = SizeModel::learn(needy_apps(40));
  ASSERT_TRUE(model.ok());
  Result<std::vector<Recommendation>> found = model->recommend(new_app(1.5), reach(0.9));
  ASSERT_TRUE(found.ok());
  ASSERT_TRUE(found->front().choice.has_value());
  EXPECT_EQ(model->configurations()[*found->front().choice].amounts, std::vector<double>{2});
  EXPECT_GE(found->front().probability, 0.8);
  EXPECT_NEAR(found->front().saving_largest, 0.5, 1e-12);
}

TEST(SizeModel, ASampleOutweighsWhatIsStated) {
  Result<SizeModel> model = SizeModel::learn(needy_apps(40));
  ASSERT_TRUE(model.ok());
  Samples samples = new_app(1.5);
  samples.features.clear();
  samples.row_app = {0};
  samples.row_amounts = {2};
  samples.row_collocation = {1};
  samples.row_value = {0.55};
  Result<std::vector<Recommendation>> found = model->recommend(samples, reach(0.9));
  ASSERT_TRUE(found.ok());
  ASSERT_TRUE(found->front().choice.has_value());
  EXPECT_EQ(model->configurations()[*found->front().choice].amounts, std::vector<double>{4});
  EXPECT_EQ(found->front().samples, 1u);
}

TEST(SizeModel, ProbabilitiesGrowWithResources) {
  Result<SizeModel> model = SizeModel::learn(needy_apps(40));
  ASSERT_TRUE(model.ok());
  Result<std::vector<CurvePoint>> curve = model->curves(new_app(2.5), reach(0.9));
  ASSERT_TRUE(curve.ok());
  for (std::size_t c = 0; c < curve->size(); ++c) {
    EXPECT_LE((*curve)[c].low, (*curve)[c].high);
    if (c > 0) {
      EXPECT_GE((*curve)[c].probability, (*curve)[c - 1].probability);
    }
  }
}

TEST(SizeModel, RefusesAConfigurationThatNoProfileHas) {
  Result<SizeModel> model = SizeModel::learn(needy_apps(5));
  ASSERT_TRUE(model.ok());
  Samples samples = new_app(2);
  samples.row_app = {0};
  samples.row_amounts = {2.5};
  samples.row_collocation = {1};
  samples.row_value = {0.5};
  Result<std::vector<Recommendation>> found = model->recommend(samples, reach(0.9));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().path, "rows[0]");
  EXPECT_NE(found.error().message.find("cpu=2.5"), std::string::npos);
  EXPECT_EQ(model->recommend(new_app(2), reach(2)).error().path, "goal");
  samples = Samples();
  samples.resources = {"cpu"};
  EXPECT_EQ(SizeModel::learn(samples).error().path, "rows");
}

TEST(SizeModel, LearnsFromPartialProfilesAndFromOneApp) {
  Samples partly = needy_apps(30);
  for (std::size_t k = partly.rows(); k-- > 0;)
    if (k % 3 == 0) {
      const auto at = static_cast<std::ptrdiff_t>(k);
      partly.row_app.erase(partly.row_app.begin() + at);
      partly.row_amounts.erase(partly.row_amounts.begin() + at);
      partly.row_collocation.erase(partly.row_collocation.begin() + at);
      partly.row_value.erase(partly.row_value.begin() + at);
    }
  for (const Samples& profiles : {partly, needy_apps(1)}) {
    Result<SizeModel> model = SizeModel::learn(profiles);
    ASSERT_TRUE(model.ok());
    EXPECT_TRUE(model->recommend(new_app(2), reach(0.9)).ok());
  }
}

// Regressions of hundreds of apps take most of the time. The shortest of some tries counts: other programs may be busy.
TEST(SizeModel, LearningEndsWithItsWatch) {
  const Samples profiles = needy_apps(500);
  const auto seconds = [&](std::optional<std::chrono::microseconds> after) {
    double least = 1e9;
    for (int k = 0; k < (after ? 5 : 1); ++k) {
      const std::clock_t begin = std::clock();
      std::optional<Watch::Time::time_point> end;
      if (after) end = Watch::Time::now() + *after;
      Watch watch(nullptr, end);
      const Result<SizeModel> model = SizeModel::learn(profiles, {}, watch);
      EXPECT_TRUE(after.has_value() || bool(model));
      least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return least;
  };
  const double whole = seconds({});
  EXPECT_LT(seconds(std::chrono::microseconds(static_cast<std::int64_t>(whole * 2e5))), whole * .7);
}

TEST(SizeModel, BytesAreCheckedAndGiveTheSameModel) {
  Result<SizeModel> model = SizeModel::learn(needy_apps(4));
  ASSERT_TRUE(model.ok());
  std::vector<std::uint8_t> bytes = model->bytes();
  Result<SizeModel> again = SizeModel::from_bytes(bytes);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->bytes(), bytes);
  for (std::size_t size = 0; size < bytes.size(); size += 3) EXPECT_FALSE(SizeModel::from_bytes({bytes.data(), size}).ok());
  for (std::size_t at = 0; at < bytes.size(); at += 7) {
    bytes[at] ^= 4;
    EXPECT_EQ(SizeModel::from_bytes(bytes).error().code, Code::kMalformed);
    bytes[at] ^= 4;
  }
}

}  // namespace
}  // namespace stowage
