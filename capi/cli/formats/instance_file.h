// Instances in files of any format. The content of a file decides its format.
#pragma once

#include <stowage.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/formats/instance/instance_tables.h"
#include "capi/cli/formats/output_format.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

/// The bytes of an instance in wire form: a mapped .stow file, or the encoded content of another format.
class InstanceBytes {
 public:
  explicit InstanceBytes(std::unique_ptr<InputFile> file) : file_(std::move(file)) {}
  /// @param from_json whether a text says the same in JSON or YAML, whose paths are the same
  /// @param unused sentences about what the file holds that has no meaning
  explicit InstanceBytes(flatbuffers::DetachedBuffer buffer, bool from_json = false, std::vector<std::string> unused = {})
      : buffer_(std::move(buffer)), from_json_(from_json), unused_(std::move(unused)) {}
  /// Bytes that the library wrote.
  explicit InstanceBytes(Buffer snapshot) : snapshot_(std::move(snapshot)) {}

  [[nodiscard]] std::span<const std::uint8_t> bytes() const {
    if (file_) return file_->bytes();
    return snapshot_.empty() ? std::span<const std::uint8_t>(buffer_.data(), buffer_.size()) : snapshot_.span();
  }
  [[nodiscard]] bool from_json() const { return from_json_; }
  [[nodiscard]] const std::vector<std::string>& unused() const { return unused_; }
  /// Well-formed. Its indices are in range once the library has accepted the bytes.
  [[nodiscard]] const wire::Instance& root() const { return *wire::GetInstance(bytes().data()); }

 private:
  std::unique_ptr<InputFile> file_;
  flatbuffers::DetachedBuffer buffer_;
  bool from_json_ = false;
  std::vector<std::string> unused_;
  Buffer snapshot_;
};

/// What a file holds.
enum class Content {
  kInstanceBytes,
  kInstanceJson,
  kInstanceYaml,
  kInstanceTsv,
  kInstanceTables,
  kPlanBytes,
  kPlanJson,
  kPlanCsv,
  kUnknown,
};
Content content_of(const InputFile& file);

/// Turns a file of any format into an instance. `given.node`, such as "cores=64,memory=128", replaces the node classes by an
/// open-ended one of that capacity; a .tsv needs it. A table of apps needs that, or a table of classes.
InstanceBytes read_instance(std::unique_ptr<InputFile> file, const GivenNodes& given);

/// Opens the instance at a path. A folder is an instance of tables: its table of apps is opened, and `given` gets its tables of
/// node classes and of what runs, unless it has others.
std::unique_ptr<InputFile> open_instance(const std::string& path, GivenNodes& given);

/// What instances are written as.
const Formats& instance_formats();

/// Writes an instance that the library has accepted, in the format that format_of() finds; tables into a folder.
void write_instance(const InstanceBytes& instance, const std::string& path, const std::string& asked = {},
                    CsvCells cells = CsvCells::kExact);

/// Replaces the node classes of `data` as read_instance() does. Fails where nodes are listed.
void set_single_class(InstanceData& data, const std::string& node);

}  // namespace stowage::cli
