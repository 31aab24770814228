// Linear layers: rows are normalised, rounded and multiplied, and the products finished, in one go.

#include <omp.h>

#include <algorithm>

#include "gemm.hpp"
#include "product.hpp"
#include "quantise.hpp"
#include "scratch.hpp"

namespace assay {
namespace {

// Rows that a thread takes through a gated MLP at a time.
constexpr int64_t kMlpRows = 64;

}  // namespace
}  // namespace assay

using namespace assay;

extern "C" {

// out (rows, n) = x (rows, k) times the matrix, or out += it. `norm` (k): x is RMS-normalised
// first; may be null. Returns 0, or -1 if there is no memory.
int assay_linear(const AssayMatrix* matrix, const float* x, int64_t rows, const float* norm,
                 float eps, float* out, int add, int threads) {
  char* const memory = Scratch::reserve(quantised_bytes(*matrix, rows));
  if (!memory) return -1;
  Pieces pieces(memory);
  const Product product{matrix, take_quantised(pieces, *matrix, rows), out};
#pragma omp parallel num_threads(threads)
  {
    quantise_part(*matrix, x, rows, norm, eps, product.a);
#pragma omp barrier
    if (add) {
      multiply_part<Finish::kAdd>(product, rows);
    } else {
      multiply_part<Finish::kStore>(product, rows);
    }
  }
  return 0;
}

// hidden (rows, k) += down(silu(gate(y)) * up(y)) for y, the RMS-normalised hidden. Returns as above.
int assay_gated_mlp(const AssayMatrix* gate_up, const AssayMatrix* down, float* hidden,
                    int64_t rows, const float* norm, float eps, int threads) {
  // With many rows each thread takes some through both products, as many at a time as its
  // second-level cache holds; with few all share the columns of each.
  const bool apart = row_shares(rows, threads) == threads;
  const int64_t each = apart ? std::min(kMlpRows, (rows + threads - 1) / threads) : rows;
  const int64_t copies = apart ? threads : 1;
  int64_t bytes = quantised_bytes(*gate_up, each) + quantised_bytes(*down, each) +
                  each * down->k * static_cast<int64_t>(sizeof(float));
  bytes = (bytes + 63) / 64 * 64;
  char* const memory = Scratch::reserve(copies * bytes);
  if (!memory) return -1;
#pragma omp parallel num_threads(threads)
  {
    const int64_t thread = omp_get_thread_num(), count = omp_get_num_threads();
    Pieces pieces(memory + (apart ? thread * bytes : 0));
    float* const gated = pieces.take<float>(each * down->k);
    Product first{gate_up, take_quantised(pieces, *gate_up, each), gated};
    Product second{down, take_quantised(pieces, *down, each), hidden};
    if (apart) {
      const int64_t end = rows * (thread + 1) / count;
      for (int64_t row = rows * thread / count; row < end; row += each) {
        const int64_t block = std::min(each, end - row);
        second.out = hidden + row * gate_up->k;
        quantise_rows(second.out, gate_up->k, gate_up->k4, norm, eps, 0, block, first.a);
        multiply<Finish::kGate>(first, 0, block, 0, gate_up->panels);
        quantise_rows(gated, down->k, down->k4, nullptr, 0, 0, block, second.a);
        multiply<Finish::kAdd>(second, 0, block, 0, down->panels);
      }
    } else {
      quantise_part(*gate_up, hidden, rows, norm, eps, first.a);
#pragma omp barrier
      multiply_part<Finish::kGate>(first, rows);
#pragma omp barrier
      quantise_part(*down, gated, rows, nullptr, 0, second.a);
#pragma omp barrier
      multiply_part<Finish::kAdd>(second, rows);
    }
  }
  return 0;
}
}
