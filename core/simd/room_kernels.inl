// The kernels of headroom, written once and included once per instruction set. The including file defines STOWAGE_TARGET, a
// function attribute, perhaps empty, and the vector types. The compiler lowers vectors to what the target has.

template <class Vector>
STOWAGE_TARGET inline bool any_room(const Vector& rooms) {
  const auto bits = rooms >= 1;
  RoomHalf low;
  RoomHalf high;
  std::memcpy(&low, &bits, sizeof low);
  std::memcpy(&high, reinterpret_cast<const char*>(&bits) + sizeof low, sizeof high);
  low |= high;
  return (low[0] | low[1] | low[2] | low[3]) != 0;
}

template <class Vector, class Real>
STOWAGE_TARGET bool least_rooms(const Real* free, std::size_t stride, const std::uint32_t* row, const Real* inverse,
                                std::size_t size, Real* rooms) {
  // Rows between two looks at whether some column still has room.
  constexpr std::size_t kRows = 4;
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(Real);
  Vector most = {};
  for (std::size_t first = 0; first < kBlock; first += 2 * kLanes) {
    Vector a = Vector{} + static_cast<Real>(kRoomEndless);
    Vector b = a;
    for (std::size_t begin = 0; begin < size; begin += kRows) {
      if (begin > 0 && !any_room(a > b ? a : b)) break;
      const std::size_t end = begin + kRows < size ? begin + kRows : size;
      for (std::size_t h = begin; h < end; ++h) {
        const Real* const at = free + row[h] * stride + first;
        Vector free_a;
        Vector free_b;
        std::memcpy(&free_a, at, sizeof free_a);
        std::memcpy(&free_b, at + kLanes, sizeof free_b);
        const Vector more_a = free_a * inverse[h];
        const Vector more_b = free_b * inverse[h];
        a = more_a < a ? more_a : a;
        b = more_b < b ? more_b : b;
      }
    }
    const Vector larger = a > b ? a : b;
    most = larger > most ? larger : most;
    std::memcpy(rooms + first, &a, sizeof a);
    std::memcpy(rooms + first + kLanes, &b, sizeof b);
  }
  return any_room(most);
}

STOWAGE_TARGET void confident_rooms(const double* free, const double* spread, const ConfidentNeed& need, double* rooms) {
  const double mean = need.mean;
  const double square = need.factor * need.factor;
  const double each = square * need.spread;
  for (std::size_t k = 0; k < kBlock; ++k) {
    // k x mean + factor x sqrt(there + k x spread) = left, the smaller solution.
    const double left = free[k] > 0 ? free[k] : 0;
    const double there = square * spread[k];
    const double root = std::sqrt(each * each + 4 * mean * (left * each + there * mean));
    const double room = 2 * (left * left - there) / (2 * left * mean + each + root + kRoomTiny);
    rooms[k] = room < rooms[k] ? room : rooms[k];
  }
}

STOWAGE_TARGET RoomSums add_up(const double* rooms, const double* weight, const std::uint8_t* lives, std::size_t blocks,
                               double most, double margin) {
  RoomVector room = {};
  RoomVector open = {};
  RoomVector largest = {};
  RoomVector nearest = room + 1;
  for (std::size_t first = 0; first < blocks * kBlock; first += kRoomLanes) {
    if (first % kBlock == 0 && lives[first / kBlock] == 0) {
      first += kBlock - kRoomLanes;
      continue;
    }
    RoomVector weights;
    RoomVector given;
    std::memcpy(&weights, weight + first, sizeof weights);
    std::memcpy(&given, rooms + first, sizeof given);
    // Half a replica is no room, and far from a whole number.
    const RoomVector value = given > 0.5 ? given : RoomVector{} + 0.5;
    const RoomVector within = value < most ? value : RoomVector{} + most;
    const RoomVector whole = __builtin_convertvector(__builtin_convertvector(within, RoomWhole), RoomVector);
    const RoomVector above = value - whole;
    const RoomVector single = weights < 1 ? weights : RoomVector{} + 1;
    const RoomVector counted = whole * single;
    const RoomVector one = whole < 1 ? whole : RoomVector{} + 1;
    room += weights * whole;
    open += weights * one;
    largest = counted > largest ? counted : largest;
    nearest = above < nearest ? above : nearest;
  }
  RoomSums sums;
  double least = 1;
  for (std::size_t l = 0; l < kRoomLanes; ++l) {
    sums.room += room[l];
    sums.open += open[l];
    sums.most = largest[l] > sums.most ? largest[l] : sums.most;
    least = nearest[l] < least ? nearest[l] : least;
  }
  sums.unsure = least < margin;
  return sums;
}

STOWAGE_TARGET RoomSums add_up_coarse(const float* rooms, const std::int32_t* counts, const std::uint8_t* lives,
                                      std::size_t blocks, float most, float margin) {
  CoarseWhole room = {};
  CoarseWhole open = {};
  CoarseWhole largest = {};
  CoarseVector nearest = CoarseVector{} + 1;
  for (std::size_t first = 0; first < blocks * kBlock; first += kCoarseLanes) {
    if (first % kBlock == 0 && lives[first / kBlock] == 0) {
      first += kBlock - kCoarseLanes;
      continue;
    }
    CoarseWhole counted;
    CoarseVector given;
    std::memcpy(&counted, counts + first, sizeof counted);
    std::memcpy(&given, rooms + first, sizeof given);
    const CoarseVector value = given > 0.5F ? given : CoarseVector{} + 0.5F;
    const CoarseVector within = value < most ? value : CoarseVector{} + most;
    const CoarseWhole whole = __builtin_convertvector(within, CoarseWhole);
    const CoarseWhole here = whole & counted;
    room += here;
    open -= here > 0;
    largest = here > largest ? here : largest;
    if (margin > 0) {
      const CoarseVector above = value - __builtin_convertvector(whole, CoarseVector);
      nearest = above < nearest ? above : nearest;
    }
  }
  RoomSums sums;
  float least = 1;
  for (std::size_t l = 0; l < kCoarseLanes; ++l) {
    sums.room += room[l];
    sums.open += open[l];
    sums.most = largest[l] > sums.most ? largest[l] : sums.most;
    least = nearest[l] < least ? nearest[l] : least;
  }
  sums.unsure = least < margin;
  return sums;
}

constexpr RoomKernels kRoomKernels = {least_rooms<RoomVector, double>, least_rooms<CoarseVector, float>, confident_rooms,
                                      add_up, add_up_coarse};
