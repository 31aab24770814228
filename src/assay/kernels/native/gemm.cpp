// Linear layers: normalise, quantise rows, multiply in int8 (VNNI), and finish what was multiplied
// (scale, bias, add to the residual, or gate) while it is in registers.
//
// y[m][n] = row_scale[m] * scale[n] * sum_k a[m][k] * w[n][k], the sum exact in int32. A row's few
// values that stand far above the rest do not coarsen the steps of the others: they have a second
// digit, multiplied apart.

#include "gemm.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "scratch.hpp"
#include "simd.hpp"

namespace assay {
namespace {

// Rows of activations that stay in the second-level cache while the weights stream past.
constexpr int64_t kMaxBlockBytes = 384 << 10;
// At least this many rows make it worth to share rows, rather than columns, among threads.
constexpr int64_t kMinRowsEach = 48;
// A row is rounded to steps of this many times its root mean square / 127. The few values beyond
// are written with a second digit; a row without any uses its greatest value instead.
constexpr float kLimit = 4.0f;
// Rows that a thread takes through a gated MLP at a time.
constexpr int64_t kMlpRows = 64;
constexpr float kTiny = 1e-30f;

enum class Finish { kStore, kAdd, kGate };

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

// Appends the second digits of 16 values from `group`.
void push_high(__m512i digits, int32_t group, int32_t row, High* list, int32_t& count) {
  alignas(16) uint32_t positive[4], negative[4];
  const __m512i zero = _mm512_setzero_si512();
  _mm_store_si128(reinterpret_cast<__m128i*>(positive),
                  _mm512_cvtusepi32_epi8(_mm512_max_epi32(digits, zero)));
  _mm_store_si128(reinterpret_cast<__m128i*>(negative),
                  _mm512_cvtusepi32_epi8(_mm512_max_epi32(_mm512_sub_epi32(zero, digits), zero)));
  for (int i = 0; i < 4; ++i) {
    if (positive[i]) list[count++] = {group + i, positive[i], 128.0f, row};
    if (negative[i]) list[count++] = {group + i, negative[i], -128.0f, row};
  }
}

// Rounds rows [first, last) of `x` (rows, k), each to its own scale; with `norm` they are
// RMS-normalised first.
void quantise_rows(const float* x, int64_t k, int64_t k4, const float* norm, float eps,
                   int64_t first, int64_t last, Quantised out) {
  const int64_t width = k4 * 4;
  const auto read = [&](const float* in, int64_t i, __m512& raw) {
    const __mmask16 lanes = first_lanes(k - i);
    raw = _mm512_maskz_loadu_ps(lanes, in + i);
    return norm ? _mm512_mul_ps(raw, _mm512_maskz_loadu_ps(lanes, norm + i)) : raw;
  };
  for (int64_t row = first; row < last; ++row) {
    const float* in = x + row * k;
    __m512 largest = _mm512_setzero_ps(), squares = largest, raw_squares = largest, raw;
    for (int64_t i = 0; i < k; i += 16) {
      const __m512 v = read(in, i, raw);
      raw_squares = _mm512_fmadd_ps(raw, raw, raw_squares);
      squares = _mm512_fmadd_ps(v, v, squares);
      largest = _mm512_max_ps(largest, _mm512_abs_ps(v));
    }
    const float count = static_cast<float>(k);
    const float rms = __builtin_sqrtf(_mm512_reduce_add_ps(squares) / count);
    const float limit = std::max(std::min(_mm512_reduce_max_ps(largest), kLimit * rms), kTiny);
    float scale = limit * (1.0f / 127.0f);
    if (norm) scale /= __builtin_sqrtf(_mm512_reduce_add_ps(raw_squares) / count + eps);
    out.row_scale[row] = scale;
    int32_t num_high = 0;
    const __m512 factor = _mm512_set1_ps(127.0f / limit);
    uint8_t* levels = out.levels + row * width;
    for (int64_t i = 0; i < width; i += 16) {
      __m512i level = _mm512_cvtps_epi32(_mm512_mul_ps(read(in, i, raw), factor));
      const __mmask16 beyond = _mm512_cmpgt_epi32_mask(_mm512_abs_epi32(level), _mm512_set1_epi32(127));
      if (beyond) {
        const __m512i rounded = _mm512_add_epi32(level, _mm512_set1_epi32(64));
        const __m512i digits = _mm512_maskz_srai_epi32(beyond, rounded, 7);
        level = _mm512_sub_epi32(level, _mm512_slli_epi32(digits, 7));
        push_high(digits, static_cast<int32_t>(i / 4), static_cast<int32_t>(row),
                  out.high + row * out.capacity, num_high);
      }
      const __m128i bytes = _mm512_cvtepi32_epi8(_mm512_add_epi32(level, _mm512_set1_epi32(128)));
      _mm_mask_storeu_epi8(levels + i, first_lanes(width - i), bytes);
    }
    out.counts[row] = num_high;
  }
}

struct Product {
  const AssayMatrix* matrix;
  Quantised a;
  float* out;  // (rows, n), or (rows, n / 2) where gated
};

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

// Rows [first_row, last_row) times panels [first_panel, last_panel).
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

// How many threads share the rows; the others share the columns.
int64_t row_shares(int64_t rows, int64_t threads) {
  int64_t shares = std::min<int64_t>(threads, std::max<int64_t>(1, rows / kMinRowsEach));
  while (threads % shares) --shares;
  return shares;
}

// This thread's part of the product; called by all threads of a parallel region.
template <Finish FINISH>
void multiply_part(const Product& product, int64_t rows) {
  const int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
  const int64_t shares = row_shares(rows, threads), columns = threads / shares;
  const int64_t r = thread / columns, c = thread % columns, panels = product.matrix->panels;
  multiply<FINISH>(product, rows * r / shares, rows * (r + 1) / shares, panels * c / columns,
                   panels * (c + 1) / columns);
}

void quantise_part(const AssayMatrix& matrix, const float* x, int64_t rows, const float* norm,
                   float eps, Quantised out) {
  const int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
  quantise_rows(x, matrix.k, matrix.k4, norm, eps, rows * thread / threads,
                rows * (thread + 1) / threads, out);
}

// `count` channels of k weights each, one behind the other, as one half of a panel: 16 channels'
// groups of 4 side by side, a panel's width apart; zeros stand in for what is not there.
void pack_channels(const int8_t* weight, int64_t k, int64_t count, int8_t* target,
                   int32_t* compensation) {
  const __m512i ones = _mm512_set1_epi8(1);
  __m512i sums = _mm512_setzero_si512();
  for (int64_t i = 0; i < k; i += 64) {
    const int64_t left = k - i;
    const __mmask64 bytes = left >= 64 ? ~__mmask64{0} : (__mmask64{1} << left) - 1;
    __m512i square[16];
#pragma GCC unroll 16
    for (int64_t row = 0; row < 16; ++row) {
      square[row] = row < count ? _mm512_maskz_loadu_epi8(bytes, weight + row * k + i)
                                : _mm512_setzero_si512();
    }
    transpose_16(square);
#pragma GCC unroll 16
    for (int64_t group = 0; group < 16; ++group) {
      if (i + group * 4 >= k) break;
      _mm512_storeu_si512(target + (i / 4 + group) * kPanel * 4, square[group]);
      sums = _mm512_dpbusd_epi32(sums, ones, square[group]);
    }
  }
  _mm512_storeu_si512(compensation, _mm512_mullo_epi32(sums, _mm512_set1_epi32(-128)));
}

int64_t quantised_bytes(const AssayMatrix& matrix, int64_t rows) {
  const int64_t high = Quantised::capacity_for(matrix.k) * static_cast<int64_t>(sizeof(High));
  return rows * (matrix.k4 * 4 + 8 + high) + Pieces::kSpare;
}

Quantised take_quantised(Pieces& pieces, const AssayMatrix& matrix, int64_t rows) {
  const int64_t capacity = Quantised::capacity_for(matrix.k);
  return {pieces.take<uint8_t>(rows * matrix.k4 * 4), pieces.take<float>(rows),
          pieces.take<High>(rows * capacity), pieces.take<int32_t>(rows), capacity};
}

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

// Packs int8 (n, k), row major, as AssayMatrix says; `scale` and `bias` (n; bias may be null) are
// brought into its order. The targets hold panels * 32 channels.
void assay_pack(const int8_t* weight, const float* scale, const float* bias, int64_t n, int64_t k,
                int interleaved, int8_t* packed, float* packed_scale, int32_t* compensation,
                float* packed_bias, int threads) {
  const int64_t k4 = (k + 3) / 4;
  const int64_t panels = (n + kPanel - 1) / kPanel;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t panel = 0; panel < panels; ++panel) {
    for (int64_t part = 0; part < 2; ++part) {
      // 16 channels that lie side by side in both orders; the rest of a last panel is zeros.
      int64_t first = panel * kPanel + part * 16, limit = n;
      if (interleaved) {
        first = panel * 16 + part * (n / 2);
        limit = part ? n : n / 2;
      }
      const int64_t count = std::clamp<int64_t>(limit - first, 0, 16);
      const int64_t at = panel * kPanel + part * 16;
      pack_channels(weight + first * k, k, count, packed + (panel * k4 * kPanel + part * 16) * 4,
                    compensation + at);
      for (int64_t i = 0; i < 16; ++i) {
        packed_scale[at + i] = i < count ? scale[first + i] : 0.0f;
        if (packed_bias) packed_bias[at + i] = i < count && bias ? bias[first + i] : 0.0f;
      }
    }
  }
}
}
