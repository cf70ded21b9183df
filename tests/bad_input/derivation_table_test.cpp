// Derivations that are malformed, and arguments that are missing. tests/unit/derive has the wrong values and their paths.
#include <limits>

#include "derivation_generated.h"
#include "tests/bad_input/harness.h"

namespace {

using stowage::test::Bytes;
using stowage::test::Loaded;
using stowage::test::Outcome;
namespace test = stowage::test;
namespace wire = stowage::wire;

wire::DerivationT full_derivation() {
  wire::DerivationT derivation;
  derivation.name = "grown";
  derivation.demand = 0.5;
  derivation.replicas = 2;
  derivation.by_resource.push_back(std::make_unique<wire::ResourceFactorsT>());
  derivation.by_resource[0]->resource = 0;
  derivation.by_resource[0]->load = 0.5;
  derivation.by_app.push_back(std::make_unique<wire::AppChangeT>());
  derivation.by_app[0]->name = "web";
  derivation.by_app[0]->replicas = 9;
  derivation.by_class.push_back(std::make_unique<wire::ClassChangeT>());
  derivation.by_class[0]->node_class = 1;
  derivation.by_class[0]->capacity_factor = 2;
  return derivation;
}

Bytes packed(const wire::DerivationT& derivation) { return test::finished(derivation, wire::DerivationIdentifier()); }

/// Derives, uses what results, and frees it.
Outcome derive(const stowage_instance* instance, const std::uint8_t* data, std::size_t size) {
  stowage_error error{};
  stowage_instance* derived = nullptr;
  const stowage_status status = stowage_instance_derive(instance, data, size, nullptr, &derived, &error);
  EXPECT_EQ(derived != nullptr, status == STOWAGE_OK);
  if (derived != nullptr) {
    stowage_buffer saved{nullptr, 0};
    EXPECT_EQ(stowage_instance_save(derived, &saved, &error), STOWAGE_OK) << error.message;
    const Loaded loaded(saved.data, saved.size, nullptr);
    EXPECT_TRUE(loaded.ok()) << loaded.result().path << loaded.result().message;
    EXPECT_EQ(stowage_instance_fingerprint(loaded.get()), stowage_instance_fingerprint(derived));
    stowage_buffer_free(&saved);
  }
  stowage_instance_free(derived);
  return test::outcome(status, error);
}
Outcome derive(const stowage_instance* instance, const Bytes& bytes) { return derive(instance, bytes.data(), bytes.size()); }

TEST(Derivations, MissingArguments) {
  const Loaded instance(test::pack(test::busy_instance()));
  const Bytes bytes = packed(full_derivation());
  stowage_instance* derived = nullptr;
  stowage_error error{};
  const auto path_of = [&](stowage_status status) {
    EXPECT_EQ(status, STOWAGE_INVALID_ARGUMENT);
    return std::string(error.path);
  };
  EXPECT_EQ(path_of(stowage_instance_derive(nullptr, bytes.data(), bytes.size(), nullptr, &derived, &error)), "instance");
  EXPECT_EQ(path_of(stowage_instance_derive(instance.get(), nullptr, 0, nullptr, &derived, &error)), "derivation");
  EXPECT_EQ(path_of(stowage_instance_derive(instance.get(), bytes.data(), bytes.size(), nullptr, nullptr, &error)), "derived");
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.struct_size = 3;
  EXPECT_EQ(path_of(stowage_instance_derive(instance.get(), bytes.data(), bytes.size(), &limits, &derived, &error)),
            "limits.struct_size");
  stowage_buffer buffer{nullptr, 0};
  EXPECT_EQ(path_of(stowage_instance_save(nullptr, &buffer, &error)), "instance");
  EXPECT_EQ(path_of(stowage_instance_save(instance.get(), nullptr, &error)), "bytes");
}

TEST(Derivations, BytesThatAreCutShortChangedOrOfAnotherKind) {
  for (const wire::InstanceT& data : {test::busy_instance(), test::full_instance()}) {
    const stowage_limits limits = test::small_limits();
    const Loaded instance(test::pack(data), &limits);
    ASSERT_TRUE(instance.ok());
    const Bytes bytes = packed(full_derivation());
    EXPECT_EQ(derive(instance.get(), bytes).status, STOWAGE_OK);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      const stowage_status status = derive(instance.get(), cut.data(), size).status;
      // The last bytes may be padding that nothing refers to.
      const bool is_padding = bytes.size() - size < 8;
      EXPECT_TRUE(status == STOWAGE_MALFORMED || (status == STOWAGE_OK && is_padding) ||
                  (status == STOWAGE_INVALID_ARGUMENT && size == 0))
          << size;
    }
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      for (const int flip : {0x01, 0x80, 0xFF}) {
        Bytes changed = bytes;
        changed[k] = static_cast<std::uint8_t>(changed[k] ^ flip);
        const stowage_status status = derive(instance.get(), changed).status;
        EXPECT_TRUE(status == STOWAGE_OK || status == STOWAGE_MALFORMED || status == STOWAGE_INVALID ||
                    status == STOWAGE_NOT_FOUND || status == STOWAGE_LIMIT_EXCEEDED)
            << k << " " << flip;
      }
    }
    EXPECT_EQ(derive(instance.get(), test::request_for("ff")).status, STOWAGE_MALFORMED);
    Bytes misaligned = bytes;
    misaligned.insert(misaligned.begin(), 3, 0);
    EXPECT_EQ(derive(instance.get(), misaligned.data() + 3, bytes.size()).status, STOWAGE_OK);
  }
}

TEST(Derivations, OfALaterFormat) {
  const Loaded instance(test::pack(test::busy_instance()));
  wire::DerivationT derivation;
  derivation.format = 2;
  EXPECT_EQ(derive(instance.get(), packed(derivation)).status, STOWAGE_MALFORMED);
}

TEST(Derivations, NamesThatAreNotThere) {
  const Loaded instance(test::pack(test::busy_instance()));
  wire::DerivationT derivation;
  derivation.by_app.push_back(std::make_unique<wire::AppChangeT>());
  derivation.by_app[0]->name = std::string("web\0", 4);
  const Outcome refused = derive(instance.get(), packed(derivation));
  EXPECT_EQ(refused.status, STOWAGE_NOT_FOUND);
  EXPECT_EQ(refused.path, "by_app[0].name");
}

}  // namespace
