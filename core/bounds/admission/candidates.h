// The applications of an instance as bounds on what is left out see them.
#pragma once

#include <vector>

#include "core/bounds/bounds.h"
#include "core/model/instance.h"
#include "core/run/request.h"

namespace stowage {

struct Candidates {
  /// Above all rounding errors of sums, and above the tolerance of the checker.
  static constexpr double kMargin = 1e-8;

  struct Application {
    AppId first;  ///< the lowest index of its apps
    double weight;
    std::vector<AppId> apps;     ///< that want replicas
    std::vector<double> demand;  ///< per dimension: least demand of what is not in every plan, scaled units
  };
  std::vector<Application> applications;  ///< that may be admitted
  std::vector<double> carried;            ///< per dimension: most that the nodes carry beside what is in every plan
  std::vector<std::uint32_t> held;        ///< per app: replicas in every plan
  std::vector<std::uint8_t> may_stay;     ///< per app: whether it is on some node, where it may stay even if it is not eligible
  double hopeless = 0;                    ///< weight of the applications for which no nodes have room
  bool whole_weights = true;              ///< whether all weights are whole numbers

  /// Where the supply ends it, they are incomplete, and nobody uses them.
  Candidates(const Instance& instance, const Supply& supply, const Request& request);
  /// The weight left out where at most `most` of the applications that may be admitted is.
  [[nodiscard]] double left_out(double most) const;

 private:
  void find_held(const Instance& instance, const Supply& supply, const Request& request);
  void find_carried(const Instance& instance, const Supply& supply, const Request& request);
};

}  // namespace stowage
