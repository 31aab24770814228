// Rounded rows times an int8 matrix (VNNI), finished while the sums are in registers.
//
// y[m][n] = row_scale[m] * scale[n] * sum_k a[m][k] * w[n][k] + bias[n], the sum exact in int32.
#pragma once

#include <cstdint>

#include "gemm.hpp"
#include "quantise.hpp"

namespace assay {

// What becomes of y: stored, added to what is there, or silu of the first half times the second.
enum class Finish { kStore, kAdd, kGate };

struct Product {
  const AssayMatrix* matrix;
  Quantised a;
  float* out;  // (rows, n), or (rows, n / 2) where gated
};

// How many threads share the rows; the others share the columns.
int64_t row_shares(int64_t rows, int64_t threads);

// Rows [first_row, last_row) times panels [first_panel, last_panel).
template <Finish FINISH>
void multiply(const Product& product, int64_t first_row, int64_t last_row, int64_t first_panel,
              int64_t last_panel);

// This thread's part of the product; called by all threads of a parallel region.
template <Finish FINISH>
void multiply_part(const Product& product, int64_t rows);

}  // namespace assay
