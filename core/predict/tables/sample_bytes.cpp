#include "core/predict/tables/sample_bytes.h"

namespace stowage {
namespace {

void write_texts(const std::vector<std::string>& texts, StateWriter& writer) {
  writer.word(texts.size());
  for (const std::string& text : texts) writer.text(text);
}

/// Steps of a watch that it takes to read an entry.
constexpr std::uint64_t kStepsToRead = 8;

/// A list of what read() gives.
template <class Value, class Read>
std::vector<Value> read_list(StateReader& reader, WatchRef watch, Read&& read) {
  const std::size_t size = reader.count(8);
  std::vector<Value> list;
  list.reserve(size);
  while (list.size() < size && !watch.step(kStepsToRead)) list.push_back(read());
  return list;
}

std::vector<std::string> read_texts(StateReader& reader, WatchRef watch) {
  return read_list<std::string>(reader, watch, [&] { return reader.text(); });
}

std::vector<double> read_numbers(StateReader& reader, WatchRef watch) {
  return read_list<double>(reader, watch, [&] { return reader.number(); });
}

void write_indices(const std::vector<std::uint32_t>& indices, StateWriter& writer) {
  writer.word(indices.size());
  for (const std::uint32_t index : indices) writer.word(index);
}

std::vector<std::uint32_t> read_indices(StateReader& reader, WatchRef watch) {
  return read_list<std::uint32_t>(reader, watch, [&] {
    const std::uint64_t value = reader.word();
    // Beyond every index and every degree of collocation, so that it is refused.
    return value > 0xFFFFFFFF ? 0xFFFFFFFF : static_cast<std::uint32_t>(value);
  });
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

Samples read_samples(StateReader& reader, WatchRef watch) {
  Samples samples;
  const std::uint64_t measure = reader.word();
  samples.measure = static_cast<SampledMeasure>(measure > 1 ? 2 : measure);
  samples.resources = read_texts(reader, watch);
  samples.apps = read_texts(reader, watch);
  samples.features.resize(reader.count(24));
  for (SampleFeature& feature : samples.features) {
    feature.name = reader.text();
    feature.numbers = read_numbers(reader, watch);
    feature.words = read_texts(reader, watch);
  }
  samples.asked = read_numbers(reader, watch);
  samples.row_app = read_indices(reader, watch);
  samples.row_amounts = read_numbers(reader, watch);
  samples.row_collocation = read_indices(reader, watch);
  samples.row_value = read_numbers(reader, watch);
  return samples;
}

}  // namespace stowage
