// A search that pauses, so that what comes after it has a turn.
#pragma once

#include "core/base/status.h"
#include "core/plan/plan.h"

namespace stowage {

/// A search for the first goals of a request, in rounds that later goals wait for.
class Rounds {
 public:
  Rounds() = default;
  Rounds(const Rounds&) = delete;
  Rounds(Rounds&&) = delete;
  Rounds& operator=(const Rounds&) = delete;
  Rounds& operator=(Rounds&&) = delete;
  virtual ~Rounds() = default;
  /// Goes on for a while, about twice as long as the last time.
  /// @param plan becomes the best plan so far
  virtual Error round(Plan& plan) = 0;
  /// Whether nothing more comes of it.
  [[nodiscard]] virtual bool has_ended() const = 0;
};

}  // namespace stowage
