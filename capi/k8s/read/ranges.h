// Algorithms over whole containers, as std::ranges has them. The standard library of the WebAssembly build has only those that
// take iterators.
#ifndef STOWAGE_CAPI_K8S_READ_RANGES_H_
#define STOWAGE_CAPI_K8S_READ_RANGES_H_

#include <algorithm>
#include <functional>
#include <iterator>

namespace stowage::k8s::ranges {

template <class Range, class Test, class Of = std::identity>
auto find_if(Range&& in, Test test, Of of = {}) {
  return std::find_if(std::begin(in), std::end(in),
                      [&](auto&& one) { return static_cast<bool>(std::invoke(test, std::invoke(of, one))); });
}

template <class Range, class Value, class Of = std::identity>
auto find(Range&& in, const Value& value, Of of = {}) {
  return find_if(
      in, [&](auto&& one) { return one == value; }, of);
}

template <class Range, class Test, class Of = std::identity>
bool any_of(Range&& in, Test test, Of of = {}) {
  return find_if(in, test, of) != std::end(in);
}

template <class Range, class Test, class Of = std::identity>
bool none_of(Range&& in, Test test, Of of = {}) {
  return !any_of(in, test, of);
}

template <class Range, class Test, class Of = std::identity>
bool all_of(Range&& in, Test test, Of of = {}) {
  return none_of(in, std::not_fn(test), of);
}

template <class Less, class Of>
auto compared(Less& less, Of& of) {
  return [&](auto&& a, auto&& b) { return std::invoke(less, std::invoke(of, a), std::invoke(of, b)); };
}

template <class Range, class Less = std::less<>, class Of = std::identity>
void sort(Range&& all, Less less = {}, Of of = {}) {
  std::sort(std::begin(all), std::end(all), compared(less, of));
}

template <class Range, class Less = std::less<>, class Of = std::identity>
void stable_sort(Range&& all, Less less = {}, Of of = {}) {
  std::stable_sort(std::begin(all), std::end(all), compared(less, of));
}

/// The first that is not less than the value in what is sorted.
template <class Range, class Value, class Of = std::identity>
auto lower_bound(Range&& in, const Value& value, Of of = {}) {
  return std::lower_bound(std::begin(in), std::end(in), value,
                          [&](auto&& one, const Value& its) { return std::invoke(of, one) < its; });
}

}  // namespace stowage::k8s::ranges

#endif  // STOWAGE_CAPI_K8S_READ_RANGES_H_
