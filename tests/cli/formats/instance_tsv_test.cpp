#include "capi/cli/formats/instance/instance_tsv.h"

#include "capi/text/base/failure.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

const std::string kHeader = "app_id\tnb_instances\tcore\tmemory\tinter_degree\tinter_aff\n";

std::string refusal_of(const std::string& lines) {
  try {
    read_instance_tsv(kHeader + lines, "w.tsv");
  } catch (const Failure& failure) {
    return failure.what();
  }
  ADD_FAILURE() << "accepted: " << lines;
  return {};
}

TEST(InstanceTsv, ReadsThePublishedLayout) {
  const InstanceData data =
      read_instance_tsv(kHeader + "1\t1\t1\t8\t0\t[]\n5\t18\t2\t8.5\t2\t[(7, 2), (1, 0)]\n7\t3\t0.5\t2\t1\t[(7,1)]", "w.tsv");
  EXPECT_EQ(data.apps.names, (std::vector<std::string>{"1", "5", "7"}));
  EXPECT_EQ(data.apps.replicas, (std::vector<std::uint32_t>{1, 18, 3}));
  EXPECT_EQ(data.apps.demand, (std::vector<double>{1, 8, 2, 8.5, 0.5, 2}));
  EXPECT_EQ(data.limits.row_begin, (std::vector<std::uint32_t>{0, 0, 2, 3}));
  EXPECT_EQ(data.limits.app, (std::vector<std::uint32_t>{2, 0, 2}));
  EXPECT_EQ(data.limits.at_most, (std::vector<std::uint32_t>{2, 0, 1}));
  EXPECT_EQ(data.resources[0].name, "cpu");
  EXPECT_EQ(data.resources[1].unit, "GiB");
}

TEST(InstanceTsv, ListsAreProfiles) {
  const InstanceData data =
      read_instance_tsv(kHeader + "a\t1\t[1, 2.5,3]\t8\t0\t[]\r\nb\t1\t1\t[4,5, 6]\t1\t[('a', 2)]\r\n", "w.tsv");
  EXPECT_EQ(data.periods, 3U);
  EXPECT_EQ(data.apps.demand, (std::vector<double>{1, 2.5, 3, 8, 8, 8, 1, 1, 1, 4, 5, 6}));
  EXPECT_EQ(data.limits.app, (std::vector<std::uint32_t>{0}));
}

TEST(InstanceTsv, KnowsItsHeader) {
  EXPECT_TRUE(is_instance_tsv(kHeader));
  EXPECT_TRUE(is_instance_tsv("app_id\tnb_instances\tcore\tmemory\tinter_degree\tinter_aff\r\n"));
  EXPECT_FALSE(is_instance_tsv("app_id,nb_instances,core,memory,inter_degree,inter_aff\n"));
  EXPECT_FALSE(is_instance_tsv("app_id\tnb_instances\tcore\tmemory\tinter_degree\tinter_affinity\n"));
  EXPECT_FALSE(is_instance_tsv(""));
}

TEST(InstanceTsv, RefusalsNameLineAndColumn) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1\t1\t1\t8\t0", "w.tsv: line 2: has 5 columns; expected 6"},
      {"1\t1\t1\t8\t0\t[]\textra", "line 2: has more than 6 columns"},
      {"1\tmany\t1\t8\t0\t[]", "line 2: nb_instances: \"many\" is not a whole number"},
      {"1\t-1\t1\t8\t0\t[]", "line 2: nb_instances: \"-1\" is not a whole number"},
      {"1\t4294967296\t1\t8\t0\t[]", "line 2: nb_instances"},
      {"1\t1\tx\t8\t0\t[]", "line 2: core: \"x\" is not a number"},
      {"1\t1\tnan\t8\t0\t[]", "line 2: core: \"nan\" is not a number"},
      {"1\t1\t1\t-8\t0\t[]", "line 2: memory: \"-8\" is not a number"},
      {"1\t1\t[1, 2\t8\t0\t[]", "line 2: core: the list has no end"},
      {"1\t1\t[1, 2]\t[1, 2, 3]\t0\t[]", "line 2: memory: the list has 3 values; the first list of the file has 2"},
      {"1\t1\t1\t8\t0\t[]\n1\t1\t1\t8\t0\t[]", "line 3: app_id: \"1\" occurs twice"},
      {"x\t1\t1\t8\t0\t[]\nx\t1\t1\t8\t0\t[]", "line 3: app_id: \"x\" occurs twice"},
      {"1\t1\t1\t8\t1\t[(2, 0)]", "line 2: inter_aff: there is no app \"2\""},
      {"a\t1\t1\t8\t1\t[(b, 0)]", "line 2: inter_aff: there is no app \"b\""},
      {"1\t1\t1\t8\t2\t[(1, 0)]", "line 2: inter_degree: is 2, but inter_aff has 1 entries"},
      {"1\t1\t1\t8\t1\t[(1, x)]", "line 2: inter_aff: \"x)]\" does not start with a limit"},
      {"1\t1\t1\t8\t1\t[(1, 0)", "line 2: inter_aff: expected ','"},
      {"1\t1\t1\t8\t1\t(1, 0)", "line 2: inter_aff: expected '['"},
      {"1\t1\t1\t8\t1\t[(1, 0)] 7", "line 2: inter_aff: has text after the list"},
      {"\t1\t1\t8\t0\t[]", "line 2: app_id: is empty"},
  };
  for (const auto& [lines, expected] : cases)
    EXPECT_NE(refusal_of(lines).find(expected), std::string::npos) << refusal_of(lines);
}

TEST(InstanceTsv, EveryByteEditIsReadOrRefused) {
  const std::string text = kHeader + "1\t2\t[1, 2]\t8\t1\t[(2, 1)]\n2\t1\t1\t[3, 4]\t2\t[(1, 0), (2, 1)]\n";
  for (std::size_t at = kHeader.size(); at < text.size(); ++at) {
    for (int letter = 0; letter < 256; ++letter) {
      std::string edited = text;
      edited[at] = static_cast<char>(letter);
      try {
        const InstanceData data = read_instance_tsv(edited, "w.tsv");
        for (const std::uint32_t app : data.limits.app) ASSERT_LT(app, data.apps.names.size());
      } catch (const Failure&) {
        continue;
      }
    }
  }
}

TEST(InstanceTsv, WhatItWritesItReads) {
  const TemporaryFolder folder;
  const std::string text = kHeader + "1\t2\t[1, 2.25]\t8\t1\t[(2, 1)]\n2\t1\t1\t[3, 4]\t2\t[(2, 1), (1, 0)]\n";
  InstanceData data = read_instance_tsv(text, "w.tsv");
  set_single_class(data, "cores=64,mem=128Gi");
  EXPECT_EQ(data.classes[0].capacity, (std::vector<double>{64, 128}));
  const auto bytes = bytes_of(encode_instance(data));
  const std::string path = folder.file("out.tsv");
  OutputFile out(path);
  write_instance_tsv(*wire::GetInstance(bytes.data()), out);
  out.commit();
  InstanceData again = read_instance_tsv(content(path), "out.tsv");
  set_single_class(again, "cores=64,mem=128Gi");
  EXPECT_EQ(bytes_of(encode_instance(again)), bytes);
}

TEST(InstanceTsv, NamesWhatItCannotExpress) {
  const TemporaryFolder folder;
  const auto bytes = encoded(content(STOWAGE_CLI_DATA "/everything.json"));
  OutputFile out(folder.file("out.tsv"));
  EXPECT_THROW(write_instance_tsv(*wire::GetInstance(bytes.data()), out), Failure);
}

TEST(InstanceTsv, PublishedFileComesBackByteForByte) {
  STOWAGE_NEEDS_SHARED(path, "data/tianchi-2018-b/TClab_dataset_2D.csv");
  const TemporaryFolder folder;
  ASSERT_EQ(run({"convert", path, folder.file("a.stow"), "--node", "cores=64,memory=128"}).code, 0);
  ASSERT_EQ(run({"convert", folder.file("a.stow"), folder.file("b.tsv")}).code, 0);
  EXPECT_EQ(content(folder.file("b.tsv")), content(path));
}

}  // namespace
}  // namespace stowage::cli::testing
