// Tiles of up to 12 rows by 32 channels, multiplied in registers, and the order that they come in.

#include "product.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "simd.hpp"

namespace assay {
namespace {

// Rows of activations that stay in the second-level cache while the weights stream past.
constexpr int64_t kMaxBlockBytes = 384 << 10;
// At least this many rows make it worth to share rows, rather than columns, among threads.
constexpr int64_t kMinRowsEach = 48;

inline __m512i broadcast_four(const uint8_t* levels) {
  int32_t four;
  std::memcpy(&four, levels, 4);
  return _mm512_set1_epi32(four);
}

// sum += a . w in fours. Spelled out because compilers copy the sums of large tiles to and fro.
inline void accumulate(__m512i& sum, __m512i a, __m512i w) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(w));
}

// Adds the products of second digits to the float32 sums of a tile that begins with `row`.
inline void add_high(const High* from, const High* to, int64_t row, const int8_t* weights,
                     float (*sums)[kPanel]) {
  const __m512i zero = _mm512_setzero_si512();
  for (; from != to; ++from) {
    const __m512i v = _mm512_set1_epi32(static_cast<int32_t>(from->digits));
    const __m512 factor = _mm512_set1_ps(from->factor);
    const int8_t* w = weights + from->group * int64_t{kPanel * 4};
    float* target = sums[from->row - row];
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      const __m512i high = _mm512_dpbusd_epi32(zero, v, _mm512_loadu_si512(w + i * 64));
      const __m512 sum = _mm512_load_ps(target + i * 16);
      _mm512_store_ps(target + i * 16, _mm512_fmadd_ps(_mm512_cvtepi32_ps(high), factor, sum));
    }
  }
}

// The part of a product that a call of multiply_tile does: a run of rows, one panel; the second
// digits in the rows; and a stretch of weights to fetch meanwhile, two lines a group.
struct TileArea {
  int64_t row, panel;
  const High *high, *high_end;
  const int8_t *ahead, *ahead_end;
};

template <int ROWS, Finish FINISH>
void multiply_tile(const Product& product, const TileArea& area) {
  const AssayMatrix& matrix = *product.matrix;
  const int64_t row = area.row, panel = area.panel;
  const int64_t k4 = matrix.k4, width = k4 * 4;
  const int8_t* const panel_weights = matrix.packed + panel * k4 * kPanel * 4;
  const int8_t* weights = panel_weights;
  // Addresses of rows as the instruction set can form them: a base and 0, 1 or 2 times the width.
  const uint8_t* a[4];
  for (int64_t r = 0; r < 4; ++r) a[r] = product.a.levels + (row + 3 * r) * width;
  __m512i sums[ROWS][2];
  const __m512i start[2] = {_mm512_loadu_si512(matrix.compensation + panel * kPanel),
                            _mm512_loadu_si512(matrix.compensation + panel * kPanel + 16)};
#pragma GCC unroll 16
  for (int r = 0; r < ROWS; ++r) sums[r][0] = start[0], sums[r][1] = start[1];
  const int8_t* const end = weights + k4 * 128;
  const int8_t* ahead = area.ahead;
  do {
    const __m512i w0 = _mm512_loadu_si512(weights), w1 = _mm512_loadu_si512(weights + 64);
    if (ahead < area.ahead_end) {
      _mm_prefetch(ahead, _MM_HINT_T1);
      _mm_prefetch(ahead + 64, _MM_HINT_T1);
      ahead += 128;
    }
#pragma GCC unroll 16
    for (int r = 0; r < ROWS; ++r) {
      const __m512i v = broadcast_four(a[r / 3] + r % 3 * width);
      accumulate(sums[r][0], v, w0);
      accumulate(sums[r][1], v, w1);
    }
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) a[r] += 4;
    weights += 128;
  } while (weights != end);
  // Without this GCC keeps a second copy of the sums on the stack throughout the loop.
#pragma GCC unroll 16
  for (int r = 0; r < ROWS; ++r) asm("" : "+v"(sums[r][0]), "+v"(sums[r][1]));
  alignas(64) float exact[ROWS][kPanel];
#pragma GCC unroll 16
  for (int r = 0; r < ROWS; ++r) {
    _mm512_store_ps(exact[r], _mm512_cvtepi32_ps(sums[r][0]));
    _mm512_store_ps(exact[r] + 16, _mm512_cvtepi32_ps(sums[r][1]));
  }
  add_high(area.high, area.high_end, row, panel_weights, exact);
  const float* scale = matrix.scale + panel * kPanel;
  const __m512 s0 = _mm512_loadu_ps(scale), s1 = _mm512_loadu_ps(scale + 16);
  __m512 b0 = _mm512_setzero_ps(), b1 = b0;
  if (matrix.bias) {
    b0 = _mm512_loadu_ps(matrix.bias + panel * kPanel);
    b1 = _mm512_loadu_ps(matrix.bias + panel * kPanel + 16);
  }
  for (int r = 0; r < ROWS; ++r) {
    const __m512 row_scale = _mm512_set1_ps(product.a.row_scale[row + r]);
    const __m512 y0 = _mm512_fmadd_ps(_mm512_mul_ps(_mm512_load_ps(exact[r]), s0), row_scale, b0);
    const __m512 y1 = _mm512_fmadd_ps(_mm512_mul_ps(_mm512_load_ps(exact[r] + 16), s1), row_scale, b1);
    if constexpr (FINISH == Finish::kGate) {
      const int64_t half = matrix.n / 2, column = panel * 16;
      float* out = product.out + (row + r) * half + column;
      _mm512_mask_storeu_ps(out, first_lanes(half - column), _mm512_mul_ps(silu(y0), y1));
    } else {
      const int64_t column = panel * kPanel;
      float* out = product.out + (row + r) * matrix.n + column;
      const __mmask16 m0 = first_lanes(matrix.n - column), m1 = first_lanes(matrix.n - column - 16);
      if constexpr (FINISH == Finish::kAdd) {
        _mm512_mask_storeu_ps(out, m0, _mm512_add_ps(y0, _mm512_maskz_loadu_ps(m0, out)));
        _mm512_mask_storeu_ps(out + 16, m1, _mm512_add_ps(y1, _mm512_maskz_loadu_ps(m1, out + 16)));
      } else {
        _mm512_mask_storeu_ps(out, m0, y0);
        _mm512_mask_storeu_ps(out + 16, m1, y1);
      }
    }
  }
}

using Tile = void (*)(const Product&, const TileArea&);

template <Finish FINISH>
constexpr Tile kTiles[kMaxTileRows] = {
    multiply_tile<1, FINISH>, multiply_tile<2, FINISH>,  multiply_tile<3, FINISH>,
    multiply_tile<4, FINISH>, multiply_tile<5, FINISH>,  multiply_tile<6, FINISH>,
    multiply_tile<7, FINISH>, multiply_tile<8, FINISH>,  multiply_tile<9, FINISH>,
    multiply_tile<10, FINISH>, multiply_tile<11, FINISH>, multiply_tile<12, FINISH>};

// The second digits of rows [first, last), one behind the other; starts[row - first] is where those
// of a row begin.
void gather_high(const Quantised& a, int64_t first, int64_t last, std::vector<High>& all,
                 std::vector<int64_t>& starts) {
  all.clear();
  starts.clear();
  for (int64_t row = first; row < last; ++row) {
    starts.push_back(static_cast<int64_t>(all.size()));
    const High* list = a.high + row * a.capacity;
    all.insert(all.end(), list, list + a.counts[row]);
  }
  starts.push_back(static_cast<int64_t>(all.size()));
}

}  // namespace

template <Finish FINISH>
void multiply(const Product& product, int64_t first_row, int64_t last_row, int64_t first_panel,
              int64_t last_panel) {
  static thread_local std::vector<High> high;
  static thread_local std::vector<int64_t> starts;
  gather_high(product.a, first_row, last_row, high, starts);
  const int64_t width = product.matrix->k4 * 4;
  const int64_t panel_bytes = width * kPanel;
  const int64_t most = std::max<int64_t>(kMaxBlockBytes / width, kMaxTileRows);
  const int64_t blocks = (last_row - first_row + most - 1) / most;
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t begin = first_row + (last_row - first_row) * block / blocks;
    const int64_t end = first_row + (last_row - first_row) * (block + 1) / blocks;
    const int64_t tiles = (end - begin + kMaxTileRows - 1) / kMaxTileRows;
    // The next panel is fetched while this one is multiplied, in equal parts.
    const int64_t stretch = (panel_bytes / tiles + 127) / 128 * 128;
    for (int64_t panel = first_panel; panel < last_panel; ++panel) {
      const int8_t* next = product.matrix->packed + (panel + 1) * panel_bytes;
      const int64_t next_bytes = panel + 1 < last_panel ? panel_bytes : 0;
      for (int64_t tile = 0; tile < tiles; ++tile) {
        const int64_t row = begin + (end - begin) * tile / tiles;
        const int64_t after = begin + (end - begin) * (tile + 1) / tiles;
        const TileArea area{row,
                            panel,
                            high.data() + starts[row - first_row],
                            high.data() + starts[after - first_row],
                            next + std::min(next_bytes, tile * stretch),
                            next + std::min(next_bytes, (tile + 1) * stretch)};
        kTiles<FINISH>[after - row - 1](product, area);
      }
    }
  }
}

int64_t row_shares(int64_t rows, int64_t threads) {
  int64_t shares = std::min<int64_t>(threads, std::max<int64_t>(1, rows / kMinRowsEach));
  while (threads % shares) --shares;
  return shares;
}

template <Finish FINISH>
void multiply_part(const Product& product, int64_t rows) {
  const int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
  const int64_t shares = row_shares(rows, threads), columns = threads / shares;
  const int64_t r = thread / columns, c = thread % columns, panels = product.matrix->panels;
  multiply<FINISH>(product, rows * r / shares, rows * (r + 1) / shares, panels * c / columns,
                   panels * (c + 1) / columns);
}

template void multiply<Finish::kAdd>(const Product&, int64_t, int64_t, int64_t, int64_t);
template void multiply<Finish::kGate>(const Product&, int64_t, int64_t, int64_t, int64_t);
template void multiply_part<Finish::kStore>(const Product&, int64_t);
template void multiply_part<Finish::kAdd>(const Product&, int64_t);
template void multiply_part<Finish::kGate>(const Product&, int64_t);

}  // namespace assay
