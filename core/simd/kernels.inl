// The kernels, written once over a few vector operations and included once per instruction set. The including file defines
// STOWAGE_TARGET (a function attribute, perhaps empty), opens a namespace, and defines in it
//   std::uint64_t at_least(const Unit* values, Unit need)   for std::int16_t and std::int32_t: bit k = values[k] >= need
//   Sums                                                    a vector of partial sums, or one number
//   Sums excess_of_chunk(residual, leaving, arriving)       for kExcessChunk entries of std::int16_t: partial sums of
//                                                           max(0, arriving[h] - leaving[h] - residual[h])
//   Sums add(Sums, Sums)                                    sums lane by lane
//   std::int32_t total(Sums)                                sum of all lanes
// The other loops are plain C++; the compiler vectorizes them for the target.

template <class Unit>
STOWAGE_TARGET std::uint32_t find_block(const ResidualColumns<Unit>& columns, const Unit* need, std::uint32_t block,
                                        std::uint64_t* mask) {
  const Unit* const values = columns.values;
  const std::uint32_t rows = columns.rows;
  // Two levels: one comparison of 64 block maxima covers 4096 nodes, and most blocks are too full for most apps.
  for (; block < columns.blocks; block = (block / kBlock + 1) * kBlock) {
    const std::size_t group = block / kBlock * std::size_t{kBlock};
    std::uint64_t candidates = ~std::uint64_t{0} << (block % kBlock);
    for (std::uint32_t h = 0; h < rows && candidates != 0; ++h) {
      candidates &= at_least(columns.block_max + h * columns.block_stride + group, need[h]);
    }
    for (; candidates != 0; candidates &= candidates - 1) {
      const std::size_t found = group + static_cast<std::size_t>(std::countr_zero(candidates));
      std::uint64_t nodes = ~std::uint64_t{0};
      for (std::uint32_t h = 0; h < rows && nodes != 0; ++h) {
        nodes &= at_least(values + h * columns.stride + found * kBlock, need[h]);
      }
      if (nodes != 0) {
        *mask = nodes;
        return static_cast<std::uint32_t>(found);
      }
    }
  }
  return columns.blocks;
}

template <class Unit>
STOWAGE_TARGET bool covers(const Unit* residual, const Unit* need, std::size_t size) {
  // Inside of a chunk there are no branches; the loop can end after each chunk.
  constexpr std::size_t kChunk = 64;
  std::size_t h = 0;
  for (; h + kChunk <= size; h += kChunk) {
    Unit less = 0;
    for (std::size_t k = h; k < h + kChunk; ++k) less = static_cast<Unit>(less | (residual[k] < need[k] ? 1 : 0));
    if (less != 0) return false;
  }
  Unit less = 0;
  for (; h < size; ++h) less = static_cast<Unit>(less | (residual[h] < need[h] ? 1 : 0));
  return less == 0;
}

template <class Unit>
STOWAGE_TARGET void subtract(Unit* residual, const Unit* need, Unit times, std::size_t size) {
  if (times == 1) {
    for (std::size_t h = 0; h < size; ++h) residual[h] = static_cast<Unit>(residual[h] - need[h]);
  } else {
    for (std::size_t h = 0; h < size; ++h) residual[h] = static_cast<Unit>(residual[h] - times * need[h]);
  }
}

template <class Unit>
STOWAGE_TARGET Unit block_max(const Unit* values) {
  Unit largest = values[0];
  for (std::uint32_t k = 1; k < kBlock; ++k) largest = values[k] > largest ? values[k] : largest;
  return largest;
}

template <class Unit>
STOWAGE_TARGET Unit minimum(const Unit* values, std::size_t size) {
  Unit smallest = values[0];
  for (std::size_t k = 1; k < size; ++k) smallest = values[k] < smallest ? values[k] : smallest;
  return smallest;
}

// Sum of term(h) over h < size, as eight partial sums that are added in a fixed order, so that vectors of every width give the
// same result.
template <class Term>
STOWAGE_TARGET inline double sum_in_lanes(std::size_t size, Term term) {
  constexpr std::size_t kLanes = 8;
  double lane[kLanes] = {};
  std::size_t h = 0;
  for (; h + kLanes <= size; h += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) lane[l] += term(h + l);
  }
  for (; h < size; ++h) lane[h % kLanes] += term(h);
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

template <class Unit>
STOWAGE_TARGET double weighted_sum(const Unit* values, const double* weight, std::size_t size) {
  return sum_in_lanes(size, [=](std::size_t h) STOWAGE_TARGET { return weight[h] * values[h]; });
}

template <class Unit>
STOWAGE_TARGET double dot(const double* a, const double* b, std::size_t size) {
  return sum_in_lanes(size, [=](std::size_t h) STOWAGE_TARGET { return a[h] * b[h]; });
}

template <class Unit>
STOWAGE_TARGET double squared_distance(const double* a, const double* b, std::size_t size) {
  return sum_in_lanes(size, [=](std::size_t h) STOWAGE_TARGET { return (a[h] - b[h]) * (a[h] - b[h]); });
}

template <class Unit>
STOWAGE_TARGET void unite(std::uint64_t* __restrict set, const std::uint64_t* __restrict row, std::size_t size) {
  for (std::size_t w = 0; w < size; ++w) set[w] |= row[w];
}

template <class Unit>
STOWAGE_TARGET void exponentiate(double* values, std::size_t size, int halvings) {
  // e^x = (e^(x / 2^n))^(2^n). For arguments up to 2^-4, the error of the Taylor series of degree 8 is below 2^-53.
  const double scale = 1.0 / static_cast<double>(1 << halvings);
  for (std::size_t h = 0; h < size; ++h) {
    const double y = values[h] * scale;
    values[h] =
        1 +
        y * (1 + y * (1.0 / 2 + y * (1.0 / 6 + y * (1.0 / 24 + y * (1.0 / 120 +
                                                                    y * (1.0 / 720 + y * (1.0 / 5040 + y * (1.0 / 40320))))))));
  }
  for (int k = 0; k < halvings; ++k) {
    for (std::size_t h = 0; h < size; ++h) values[h] *= values[h];
  }
}

template <class Unit>
STOWAGE_TARGET Unit exchange_minimum(const Unit* residual, const Unit* leaving, const Unit* arriving, Unit least,
                                     std::size_t size) {
  // Most exchanges fail. Callers put the scarcest entries first, so that most failures show in the first chunk.
  constexpr std::size_t kChunk = 32;
  const auto chunk_minimum = [=](std::size_t from, std::size_t to) STOWAGE_TARGET {
    Unit smallest = std::numeric_limits<Unit>::max();
    for (std::size_t h = from; h < to; ++h) {
      const Unit left = static_cast<Unit>(residual[h] + leaving[h] - arriving[h]);
      smallest = left < smallest ? left : smallest;
    }
    return smallest;
  };
  Unit smallest = std::numeric_limits<Unit>::max();
  std::size_t h = 0;
  for (; h + kChunk <= size; h += kChunk) {
    const Unit lowest = chunk_minimum(h, h + kChunk);
    smallest = lowest < smallest ? lowest : smallest;
    if (smallest < least) return smallest;
  }
  const Unit lowest = chunk_minimum(h, size);
  return lowest < smallest ? lowest : smallest;
}

// Excess over a whole number of chunks.
STOWAGE_TARGET inline std::int32_t excess_of_chunks(const std::int16_t* residual, const std::int16_t* leaving,
                                                    const std::int16_t* arriving, std::size_t size) {
  Sums sums = {};
  for (std::size_t h = 0; h < size; h += kExcessChunk) {
    sums = add(sums, excess_of_chunk(residual + h, leaving + h, arriving + h));
  }
  return total(sums);
}

template <class Unit>
STOWAGE_TARGET std::int32_t excess(const Unit* residual, const Unit* leaving, const Unit* arriving, std::int32_t most,
                                   std::size_t size) {
  std::int32_t sum = 0;
  std::size_t h = 0;
  if (most == std::numeric_limits<std::int32_t>::max()) {
    h = size - size % kExcessChunk;
    sum = excess_of_chunks(residual, leaving, arriving, h);
  }
  // Most exchanges exceed `most` in the first chunk.
  for (; h + kExcessChunk <= size; h += kExcessChunk) {
    sum += total(excess_of_chunk(residual + h, leaving + h, arriving + h));
    if (sum > most) return sum;
  }
  for (; h < size; ++h) {
    const Unit over = static_cast<Unit>(arriving[h] - leaving[h] - residual[h]);
    sum += over > 0 ? over : 0;
  }
  return sum;
}

template <class Unit>
STOWAGE_TARGET std::size_t first_exchange(const Unit* arriving, const Partner<Unit>* partners, std::size_t count,
                                          std::size_t size, ExcessCost cost, std::int32_t* there) {
  for (std::size_t k = 0; k < count; ++k) {
    const Partner<Unit>& partner = partners[k];
    // Most exchanges fail in the first chunk, which holds the scarcest periods.
    const std::int32_t early = total(excess_of_chunk(partner.residual, partner.leaving, arriving));
    if (cost(early) > partner.affordable) continue;
    const std::int32_t excess = early + excess_of_chunks(partner.residual + kExcessChunk, partner.leaving + kExcessChunk,
                                                         arriving + kExcessChunk, size - kExcessChunk);
    if (cost(excess) > partner.affordable) continue;
    *there = excess;
    return k;
  }
  return count;
}

template <class Unit>
STOWAGE_TARGET void block_dot(const double* rows, std::size_t stride, const double* weight, std::size_t size, double* sums) {
  // This number of sums stays in registers.
  constexpr std::size_t kLanes = 16;
  for (std::size_t first = 0; first < kBlock; first += kLanes) {
    double lane[kLanes] = {};
    for (std::size_t h = 0; h < size; ++h) {
      for (std::size_t l = 0; l < kLanes; ++l) lane[l] += weight[h] * rows[h * stride + first + l];
    }
    for (std::size_t l = 0; l < kLanes; ++l) sums[first + l] = lane[l];
  }
}

template <class Unit>
STOWAGE_TARGET std::uint64_t at_least_unit(const Unit* values, Unit need) {
  return at_least(values, need);
}

// Null for other units, which need no such kernel.
template <class Unit, class Kernel>
constexpr auto if_16_bits(Kernel* kernel) {
  if constexpr (std::is_same_v<Unit, std::int16_t>) {
    return kernel;
  } else {
    return nullptr;
  }
}

template <class Unit>
constexpr Kernels<Unit> kKernels = {find_block<Unit>,
                                    at_least_unit<Unit>,
                                    covers<Unit>,
                                    subtract<Unit>,
                                    block_max<Unit>,
                                    minimum<Unit>,
                                    weighted_sum<Unit>,
                                    dot<Unit>,
                                    squared_distance<Unit>,
                                    exponentiate<Unit>,
                                    unite<Unit>,
                                    exchange_minimum<Unit>,
                                    block_dot<Unit>,
                                    if_16_bits<Unit>(excess<std::int16_t>),
                                    if_16_bits<Unit>(first_exchange<std::int16_t>)};
