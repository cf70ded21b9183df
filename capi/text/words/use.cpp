#include "capi/text/words/use.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

UseTable::UseTable(const wire::Plan& plan, const wire::Instance& instance)
    : plan_(plan),
      instance_(instance),
      resources_(instance.resources()->size()),
      periods_(periods_told_apart(instance)),
      uses_(instance.classes()->size()) {
  for (ClassUse& use : uses_) use.demand.assign(resources_ * periods_, 0);
  const wire::Apps& apps = *instance.apps();
  const wire::Nodes* nodes = instance.nodes();
  const auto of = [&](std::uint32_t node) -> ClassUse& { return uses_[plan.node_class()->Get(node)]; };
  for (std::uint32_t node = 0; node < plan.node_class()->size(); ++node) {
    of(node).nodes += copies_of(plan, node);
    const std::uint32_t listed = plan.listed()->Get(node);
    if (listed != kNone && nodes != nullptr && nodes->load() != nullptr) {
      add(of(node).demand, *nodes->load(), nodes->node_class()->size(), listed, 1);
    }
  }
  for (const wire::Placed* one : *plan.placed()) {
    add(of(one->node()).demand, *apps.demand(), apps.replicas()->size(), one->app(),
        static_cast<double>(one->replicas()) * copies_of(plan, one->node()));
  }
  for (std::size_t r = 0; r < resources_; ++r) {
    std::size_t peak = 0;
    for (std::size_t p = 1; p < periods_; ++p) {
      if (demand(r, p) > demand(r, peak)) peak = p;
    }
    peaks_.push_back(peak);
  }
}

double UseTable::demand(std::size_t resource, std::size_t period) const {
  double sum = 0;
  for (const ClassUse& use : uses_) sum += use.demand[resource * periods_ + period];
  return sum;
}

double UseTable::capacity(std::size_t resource) const {
  double sum = 0;
  for (std::size_t c = 0; c < uses_.size(); ++c) sum += capacity_of(resource, c) * static_cast<double>(uses_[c].nodes);
  return sum;
}

double UseTable::share(std::size_t resource, std::size_t period, std::size_t node_class) const {
  const double all = capacity_of(resource, node_class) * static_cast<double>(uses_[node_class].nodes);
  return all > 0 ? uses_[node_class].demand[resource * periods_ + period] / all : 0;
}

double UseTable::share_of_node(std::size_t resource, std::size_t period, std::uint32_t node,
                               std::span<const wire::Placed> on_node) const {
  double sum = share_of_load(resource, period, node);
  for (const wire::Placed& one : on_node) sum += share_of_replicas(resource, period, plan_.node_class()->Get(node), one);
  return sum;
}

double UseTable::share_of_replicas(std::size_t resource, std::size_t period, std::size_t node_class,
                                   const wire::Placed& placed) const {
  const wire::Apps& apps = *instance_.apps();
  const double all = capacity_of(resource, node_class);
  return all > 0 ? placed.replicas() * cell(*apps.demand(), apps.replicas()->size(), placed.app(), resource, period) / all : 0;
}

double UseTable::share_of_load(std::size_t resource, std::size_t period, std::uint32_t node) const {
  const wire::Nodes* nodes = instance_.nodes();
  const std::uint32_t listed = plan_.listed()->Get(node);
  if (listed == kNone || nodes == nullptr || nodes->load() == nullptr) return 0;
  const double all = capacity_of(resource, plan_.node_class()->Get(node));
  return all > 0 ? cell(*nodes->load(), nodes->node_class()->size(), listed, resource, period) / all : 0;
}

double UseTable::capacity_of(std::size_t resource, std::size_t node_class) const {
  return instance_.classes()
      ->Get(static_cast<std::uint32_t>(node_class))
      ->capacity()
      ->Get(static_cast<std::uint32_t>(resource));
}

void UseTable::add(std::vector<double>& to, const flatbuffers::Vector<double>& column, std::size_t items, std::size_t item,
                   double times) const {
  const bool constant = column.size() == items * resources_;
  const double* row = column.data() + item * resources_ * (constant ? 1 : periods_);
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += times * row[constant ? k / periods_ : k];
}

double UseTable::cell(const flatbuffers::Vector<double>& column, std::size_t items, std::size_t item, std::size_t resource,
                      std::size_t period) const {
  const std::size_t row = item * resources_ + resource;
  return column.data()[column.size() == items * resources_ ? row : row * periods_ + period];
}

PlacedByNode::PlacedByNode(const wire::Plan& plan)
    : placed_(plan.placed()->size() == 0 ? nullptr : plan.placed()->Get(0), plan.placed()->size()),
      begin_(plan.node_class()->size() + std::size_t{1}, 0) {
  for (const wire::Placed& one : placed_) ++begin_[one.node() + std::size_t{1}];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
}

double largest_capacity(const wire::Instance& instance, std::uint32_t resource) {
  double largest = 0;
  for (const wire::NodeClass* one : *instance.classes()) largest = std::max(largest, one->capacity()->Get(resource));
  return largest;
}

std::vector<double> utilization(const wire::Plan& plan, const wire::Instance& instance) {
  const UseTable use(plan, instance);
  std::vector<double> result;
  for (std::size_t r = 0; r < use.resources(); ++r) {
    const double all = use.capacity(r);
    result.push_back(all > 0 ? use.demand(r, use.peak(r)) / all : 0);
  }
  return result;
}

std::string use_header(const UseTable& use, const Names& names, std::size_t resource) {
  const std::string name = names.resource(static_cast<std::uint32_t>(resource));
  return names.periods() > 1 ? name + ", period " + std::to_string(use.peak(resource) + 1) : name;
}

TextTable classes_table(const wire::Plan& plan, const UseTable& use, const Names& names) {
  std::vector<std::string> header = {"class", "nodes"};
  if (plan.cost() >= 0) header.emplace_back("cost");
  for (std::size_t r = 0; r < use.resources(); ++r) header.push_back(use_header(use, names, r));
  TextTable table(std::move(header));
  std::size_t used = 0;
  for (std::uint32_t c = 0; c < use.classes(); ++c) {
    const std::uint64_t nodes = use.nodes(c);
    if (nodes == 0) continue;
    ++used;
    std::vector<std::string> row = {names.node_class(c), for_people(static_cast<double>(nodes), 0)};
    if (plan.cost() >= 0) {
      row.push_back(for_people(names.instance().classes()->Get(c)->price() * static_cast<double>(nodes), 4));
    }
    for (std::size_t r = 0; r < use.resources(); ++r) row.push_back(percent_text(use.share(r, use.peak(r), c)));
    table.add(std::move(row));
  }
  if (used > 1) {
    std::vector<std::string> row = {"all", for_people(static_cast<double>(nodes_in_use(plan)), 0)};
    if (plan.cost() >= 0) row.push_back(for_people(plan.cost(), 4));
    for (std::size_t r = 0; r < use.resources(); ++r) {
      row.push_back(percent_text(use.capacity(r) > 0 ? use.demand(r, use.peak(r)) / use.capacity(r) : 0));
    }
    table.add(std::move(row));
  }
  return table;
}

namespace {

/// Apps that a line about a node names.
constexpr std::size_t kAppsOfANode = 6;

/// Nodes of a plan with the same class and apps.
struct EqualNodes {
  std::uint32_t node = 0;  // one of them
  std::uint64_t count = 0;
  std::span<const wire::Placed> placed;
  double use = 0;  // the largest share of a resource that is taken
};

/// Whether new nodes hold the same.
bool alike(const wire::Plan& plan, const EqualNodes& a, const EqualNodes& b) {
  return plan.listed()->Get(a.node) == kNone && plan.listed()->Get(b.node) == kNone &&
         plan.node_class()->Get(a.node) == plan.node_class()->Get(b.node) &&
         std::equal(
             a.placed.begin(), a.placed.end(), b.placed.begin(), b.placed.end(),
             [](const wire::Placed& x, const wire::Placed& y) { return x.app() == y.app() && x.replicas() == y.replicas(); });
}

/// New nodes with the same content one after the other; among these, and among listed ones, in the plan's order.
void sort_by_content(const wire::Plan& plan, std::vector<EqualNodes>& nodes) {
  const auto less = [&](const EqualNodes& a, const EqualNodes& b) {
    const std::uint32_t listed_a = plan.listed()->Get(a.node);
    const std::uint32_t listed_b = plan.listed()->Get(b.node);
    if (listed_a != listed_b) return listed_a < listed_b;
    const std::uint32_t class_a = plan.node_class()->Get(a.node);
    const std::uint32_t class_b = plan.node_class()->Get(b.node);
    if (class_a != class_b) return class_a < class_b;
    return std::lexicographical_compare(a.placed.begin(), a.placed.end(), b.placed.begin(), b.placed.end(),
                                        [](const wire::Placed& x, const wire::Placed& y) {
                                          return std::pair(x.app(), x.replicas()) < std::pair(y.app(), y.replicas());
                                        });
  };
  std::stable_sort(nodes.begin(), nodes.end(), less);
}

std::vector<EqualNodes> equal_nodes(const wire::Plan& plan, const UseTable& use) {
  const PlacedByNode placed(plan);
  std::vector<EqualNodes> all(plan.node_class()->size());
  for (std::uint32_t node = 0; node < all.size(); ++node) all[node] = {node, copies_of(plan, node), placed.on(node), 0};
  sort_by_content(plan, all);
  std::vector<EqualNodes> merged;
  for (EqualNodes& one : all) {
    if (!merged.empty() && alike(plan, merged.back(), one)) {
      merged.back().count += one.count;
      merged.back().node = std::min(merged.back().node, one.node);
      continue;
    }
    for (std::size_t r = 0; r < use.resources(); ++r) {
      one.use = std::max(one.use, use.share_of_node(r, use.peak(r), one.node, one.placed));
    }
    merged.push_back(one);
  }
  std::sort(merged.begin(), merged.end(), [](const EqualNodes& a, const EqualNodes& b) { return a.node < b.node; });
  return merged;
}

}  // namespace

std::string apps_text(std::span<const wire::Placed> placed, const Names& names) {
  if (placed.empty()) return "nothing";
  std::string text;
  const std::size_t told = placed.size() > kAppsOfANode ? kAppsOfANode - 1 : placed.size();
  for (std::size_t k = 0; k < told; ++k) {
    const wire::Placed& one = placed[k];
    if (k > 0) text += ", ";
    if (one.replicas() > 1) text += std::to_string(one.replicas()) + " ";
    text += names.app(one.app());
  }
  if (told < placed.size()) text += " and " + counted(placed.size() - told, "more app");
  return text;
}

TextTable nodes_table(const wire::Plan& plan, const UseTable& use, const Names& names, const std::vector<std::string>& nodes,
                      std::size_t shown) {
  std::vector<EqualNodes> lines = equal_nodes(plan, use);
  const std::size_t all = lines.size();
  std::uint64_t hidden = 0;
  if (all > shown) {
    std::stable_sort(lines.begin(), lines.end(), [](const EqualNodes& a, const EqualNodes& b) { return a.use > b.use; });
    const auto first = lines.begin() + static_cast<std::ptrdiff_t>((shown + 1) / 2);
    const auto last = lines.end() - static_cast<std::ptrdiff_t>(shown / 2);
    for (auto one = first; one != last; ++one) hidden += one->count;
    lines.erase(first, last);
  }
  std::vector<std::string> header = {all > shown ? "fullest nodes" : "node"};
  for (std::size_t r = 0; r < use.resources(); ++r) header.push_back(use_header(use, names, r));
  header.emplace_back("apps");
  TextTable table(std::move(header));
  table.last_is_text();
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const EqualNodes& one = lines[k];
    if (hidden > 0 && k == (shown + 1) / 2) {
      std::vector<std::string> gap(use.resources() + 1, "...");
      gap.push_back(counted(hidden, "more node"));
      table.add(std::move(gap));
    }
    std::vector<std::string> row = {one.count == 1 ? nodes[one.node]
                                                   : for_people(static_cast<double>(one.count), 0) + " x " +
                                                         names.node_class(plan.node_class()->Get(one.node))};
    for (std::size_t r = 0; r < use.resources(); ++r) {
      row.push_back(percent_text(use.share_of_node(r, use.peak(r), one.node, one.placed)));
    }
    row.push_back(apps_text(one.placed, names));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace stowage::cli
