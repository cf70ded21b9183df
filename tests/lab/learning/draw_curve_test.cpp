// `stowage-lab draw curve`.
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

TEST(DrawCurve, ShowsBandSamplesGoalAndChoice) {
  TemporaryFolder folder;
  const std::string profiles = folder.file("profiles.csv");
  const std::string samples = folder.file("samples.csv");
  const std::string model = folder.file("model.stowm");
  const std::string script = folder.file("curve.gp");
  ASSERT_EQ(run_lab({"generate", "profiles", "--apps", "40", "--seed", "1", "-o", profiles}).code, 0);
  ASSERT_EQ(run_lab({"generate", "profiles", "--apps", "2", "--seed", "2", "--samples", "3", "-o", samples}).code, 0);
  ASSERT_EQ(run({"learn", profiles, "-o", model}).code, 0);
  const std::vector<std::string> command = {"draw", "curve", model, samples, "--goal", "0.3", "--app", "app-2"};
  const Outcome outcome = run_lab(joined(command, {"-o", folder.file("curve.svg")}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(content(folder.file("curve.svg")), "<svg"));
  const std::string text = content(script);
  EXPECT_TRUE(has(text, "app-2: 3 samples, goal 0.3")) << text;
  for (const char* panel : {"'1 cpu'", "'16 cpu'", "filledcurves", "$band4", "$chosen", "title 'goal'"})
    EXPECT_TRUE(has(text, panel)) << panel << "\n" << text;
  EXPECT_FALSE(has(text, "$band5"));

  // The only degree is 1.
  EXPECT_EQ(run_lab(joined(command, {"--degrees", "-o", folder.file("degrees.svg")})).code, 0);
  EXPECT_TRUE(has(content(folder.file("degrees.gp")), "'containers per node'"));

  EXPECT_TRUE(has(run_lab(joined(command, {"-o", folder.file("curve.png")})).err, ".svg"));
  EXPECT_TRUE(
      has(run_lab({"draw", "curve", model, samples, "--goal", "0.3", "--app", "none", "-o", script + ".svg"}).err, "--app"));
  EXPECT_TRUE(has(run_lab({"draw", "curve", profiles, samples, "--goal", "0.3", "-o", script + ".svg"}).err, profiles));
}

}  // namespace
}  // namespace stowage::cli::testing
