// YAML as JSON and back: what reads instances knows one form of text.
#pragma once

#include <string>
#include <string_view>

namespace stowage::cli {

/// Whether a text looks like YAML: its first line that is no comment begins a document or a mapping.
bool looks_like_yaml(std::string_view text);

/// The JSON that says the same as the one document of a YAML text. Words and numbers are those of YAML 1.2's core schema: "no"
/// and "12:30" are texts. Aliases are written out, up to 16 times the size of the text. Failures name file, line and column:
/// where the text is no YAML, for tags that are not of JSON's types, merge keys, keys that are not texts, and a second
/// document.
std::string json_of_yaml(std::string_view text, const std::string& file);

/// The same of any number of documents: their JSON, one after the other on one line. Empty documents are left out.
std::string json_documents_of_yaml(std::string_view text, const std::string& file);

/// The YAML that says the same as a JSON text; also readers of YAML 1.1 find the same types. Lists and objects that hold no
/// other stand on one line.
std::string yaml_of_json(std::string_view json);

}  // namespace stowage::cli
