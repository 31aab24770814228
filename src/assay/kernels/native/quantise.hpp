// Activations rounded to int8, each row to its own step. A row's few values that stand far above the
// rest do not coarsen the steps of the others: they have a second digit, multiplied apart.
#pragma once

#include <cstdint>

#include "gemm.hpp"
#include "scratch.hpp"

namespace assay {

// A row is rounded to steps of this many times its root mean square / 127. The few values beyond
// are written with a second digit; a row without any uses its greatest value instead.
inline constexpr float kLimit = 4.0f;

// Second digits of four neighbouring values that have one sign, worth `factor` (128 or -128) each.
struct High {
  int32_t group;
  uint32_t digits;
  float factor;
  int32_t row;
};

// Rows rounded to whole numbers: levels - 128, plus the second digits, times row_scale.
struct Quantised {
  uint8_t* levels;   // (rows, k4 * 4)
  float* row_scale;  // (rows)
  High* high;        // (rows, capacity)
  int32_t* counts;   // (rows): how many of `high` are used
  int64_t capacity;

  // Beyond kLimit times the root mean square there are fewer than k / kLimit^2 values.
  static int64_t capacity_for(int64_t k) { return k / static_cast<int64_t>(kLimit * kLimit) + 1; }
};

// Rounds rows [first, last) of `x` (rows, k), each to its own scale; with `norm` they are
// RMS-normalised first.
void quantise_rows(const float* x, int64_t k, int64_t k4, const float* norm, float eps,
                   int64_t first, int64_t last, Quantised out);

// This thread's part of `rows` rows for a product with `matrix`; called by all threads of a
// parallel region.
void quantise_part(const AssayMatrix& matrix, const float* x, int64_t rows, const float* norm,
                   float eps, Quantised out);

// The memory for `rows` rows that `matrix` is multiplied with, and the rows in it.
int64_t quantised_bytes(const AssayMatrix& matrix, int64_t rows);
Quantised take_quantised(Pieces& pieces, const AssayMatrix& matrix, int64_t rows);

}  // namespace assay
