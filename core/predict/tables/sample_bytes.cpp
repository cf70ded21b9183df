#include "core/predict/tables/sample_bytes.h"

namespace stowage {
namespace {

void write_texts(const std::vector<std::string>& texts, StateWriter& writer) {
  writer.word(texts.size());
  for (const std::string& text : texts) writer.text(text);
}

std::vector<std::string> read_texts(StateReader& reader) {
  std::vector<std::string> texts(reader.count(8));
  for (std::string& text : texts) text = reader.text();
  return texts;
}

void write_indices(const std::vector<std::uint32_t>& indices, StateWriter& writer) {
  writer.word(indices.size());
  for (const std::uint32_t index : indices) writer.word(index);
}

std::vector<std::uint32_t> read_indices(StateReader& reader) {
  std::vector<std::uint32_t> indices(reader.count(8));
  for (std::uint32_t& index : indices) {
    const std::uint64_t value = reader.word();
    // Beyond every index and every degree of collocation, so that it is refused.
    index = value > 0xFFFFFFFF ? 0xFFFFFFFF : static_cast<std::uint32_t>(value);
  }
  return indices;
}

}  // namespace

void write_samples(const Samples& samples, StateWriter& writer) {
  writer.word(static_cast<std::uint64_t>(samples.measure));
  write_texts(samples.resources, writer);
  write_texts(samples.apps, writer);
  writer.word(samples.features.size());
  for (const SampleFeature& feature : samples.features) {
    writer.text(feature.name);
    writer.numbers(feature.numbers);
    write_texts(feature.words, writer);
  }
  writer.numbers(samples.asked);
  write_indices(samples.row_app, writer);
  writer.numbers(samples.row_amounts);
  write_indices(samples.row_collocation, writer);
  writer.numbers(samples.row_value);
}

Samples read_samples(StateReader& reader) {
  Samples samples;
  const std::uint64_t measure = reader.word();
  samples.measure = static_cast<SampledMeasure>(measure > 1 ? 2 : measure);
  samples.resources = read_texts(reader);
  samples.apps = read_texts(reader);
  samples.features.resize(reader.count(24));
  for (SampleFeature& feature : samples.features) {
    feature.name = reader.text();
    feature.numbers = reader.numbers();
    feature.words = read_texts(reader);
  }
  samples.asked = reader.numbers();
  samples.row_app = read_indices(reader);
  samples.row_amounts = reader.numbers();
  samples.row_collocation = read_indices(reader);
  samples.row_value = reader.numbers();
  return samples;
}

}  // namespace stowage
