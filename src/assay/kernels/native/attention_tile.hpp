// One tile of attention: 64 keys and values of one head, and a few rows of queries against them.
//
// Products are bfloat16 with float32 sums. vdpbf16ps takes two dimensions, or two keys, at a time:
// keys are transposed and values interleaved as they are read. Reading is from memory more often
// than from cache, so the next tile is asked for a little at every step of this one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "simd.hpp"

namespace assay {

inline constexpr int64_t kKeys = 64;       // keys in a tile
inline constexpr int kGroup = 6;           // rows that stand in registers
inline constexpr float kNothing = -1e30f;  // the maximum over no keys

// Where the keys of a tile lie, null from `count` on; values lie `to_values` further.
struct Tile {
  const uint16_t* keys[kKeys];
  int64_t count;
  int64_t to_values;
};

// Asks for a tile's keys and values, a few lines at a time, in the second-level cache: the first has
// too few places for lines on their way.
class Fetch {
 public:
  explicit Fetch(const Tile& tile)
      : next_(tile.keys), end_(tile.keys + tile.count), to_values_(tile.to_values) {}

  // The key of one position and its value.
  template <int DIM>
  void one() {
    if (next_ == end_) return;
    const uint16_t* row = *next_++;
#pragma GCC unroll 4
    for (int i = 0; i < DIM; i += 32) {
      _mm_prefetch(row + i, _MM_HINT_T1);
      _mm_prefetch(row + to_values_ + i, _MM_HINT_T1);
    }
  }

 private:
  const uint16_t* const* next_;
  const uint16_t* const* end_;
  int64_t to_values_;
};

// A tile as the products take it.
struct Packed {
  uint16_t* keys;    // (head_dim / 2, 64, 2)
  uint16_t* values;  // (32, head_dim, 2)
};

// 32 elements of a row; with FULL it is there, else it may be null, and zeros stand in.
template <bool FULL>
__m512i read_row(const uint16_t* row, int64_t offset) {
  if constexpr (FULL) return _mm512_loadu_si512(row + offset);
  return row ? _mm512_loadu_si512(row + offset) : _mm512_setzero_si512();
}

// Packs 16 keys from `part`.
template <int DIM, bool FULL>
void pack_keys(const Tile& tile, int64_t part, uint16_t* out, Fetch& fetch) {
  const uint16_t* const* rows = tile.keys + part;
  for (int d = 0; d < DIM; d += 32) {
    __m512i square[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) square[i] = read_row<FULL>(rows[i], d);
    transpose_16(square);
    uint16_t* target = out + d * kKeys + part * 2;
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) _mm512_storeu_si512(target + i * kKeys * 2, square[i]);
    for (int i = 0; i < 2; ++i) fetch.one<DIM>();
  }
}

// Packs 16 keys and values from `part`; with FULL all of them are there.
template <int DIM, bool FULL>
void pack_part(const Tile& tile, int64_t part, Packed out, Fetch& fetch) {
  const uint16_t* const* rows = tile.keys + part;
  pack_keys<DIM, FULL>(tile, part, out.keys, fetch);
  const __m512i low = _mm512_set_epi16(47, 15, 46, 14, 45, 13, 44, 12, 43, 11, 42, 10, 41, 9, 40, 8,
                                       39, 7, 38, 6, 37, 5, 36, 4, 35, 3, 34, 2, 33, 1, 32, 0);
  const __m512i high = _mm512_add_epi16(low, _mm512_set1_epi16(16));
  for (int i = 0; i < 16; i += 2) {
    uint16_t* target = out.values + (part + i) * DIM;
#pragma GCC unroll 4
    for (int d = 0; d < DIM; d += 32, target += 64) {
      const __m512i a = read_row<FULL>(rows[i], tile.to_values + d);
      const __m512i b = read_row<FULL>(rows[i + 1], tile.to_values + d);
      _mm512_storeu_si512(target, _mm512_permutex2var_epi16(a, low, b));
      _mm512_storeu_si512(target + 32, _mm512_permutex2var_epi16(a, high, b));
    }
    if (i % 4 == 0) fetch.one<DIM>();
  }
}

template <int DIM>
void pack(const Tile& tile, Packed out, Fetch& fetch) {
  for (int64_t part = 0; part < tile.count; part += 16) {
    if (part + 16 <= tile.count) {
      pack_part<DIM, true>(tile, part, out, fetch);
    } else {
      pack_part<DIM, false>(tile, part, out, fetch);
    }
  }
}

inline __m512bh broadcast_pair(const uint16_t* pair) {
  int32_t both;
  std::memcpy(&both, pair, 4);
  return (__m512bh)_mm512_set1_epi32(both);
}

// Keeps GCC from loading anew at each use.
inline __m512bh load_once(const uint16_t* from) {
  __m512bh v = (__m512bh)_mm512_loadu_si512(from);
  asm("" : "+v"(v));
  return v;
}

// scores[r]: ROWS rows of `query` against the first 16 * COLUMNS keys.
template <int DIM, int ROWS, int COLUMNS>
void score(const uint16_t* query, const uint16_t* keys, float (*scores)[kKeys], Fetch& fetch) {
  __m512 sums[ROWS][COLUMNS];
#pragma GCC unroll 6
  for (int r = 0; r < ROWS; ++r) {
#pragma GCC unroll 4
    for (int c = 0; c < COLUMNS; ++c) sums[r][c] = _mm512_setzero_ps();
  }
  for (int d = 0; d < DIM; d += 2, keys += kKeys * 2) {
    __m512bh k[COLUMNS];
#pragma GCC unroll 4
    for (int c = 0; c < COLUMNS; ++c) k[c] = load_once(keys + c * 32);
#pragma GCC unroll 6
    for (int r = 0; r < ROWS; ++r) {
      const __m512bh q = broadcast_pair(query + r * DIM + d);
#pragma GCC unroll 4
      for (int c = 0; c < COLUMNS; ++c) sums[r][c] = _mm512_dpbf16_ps(sums[r][c], k[c], q);
    }
    if (d % 4 == 0) fetch.one<DIM>();
  }
#pragma GCC unroll 6
  for (int r = 0; r < ROWS; ++r) {
#pragma GCC unroll 4
    for (int c = 0; c < COLUMNS; ++c) {
      asm("" : "+v"(sums[r][c]));  // see multiply_tile
      _mm512_storeu_ps(scores[r] + c * 16, sums[r][c]);
    }
  }
}

// values[r] = values[r] * shrink[r] + weights[r] times the first `num_keys` values, for
// 16 * COLUMNS dimensions.
template <int DIM, int ROWS, int COLUMNS>
void add_values(const uint16_t (*weights)[kKeys], const float* shrink, const uint16_t* tile,
                int num_keys, float* values, Fetch& fetch) {
  __m512 sums[ROWS][COLUMNS];
#pragma GCC unroll 6
  for (int r = 0; r < ROWS; ++r) {
    const __m512 factor = _mm512_set1_ps(shrink[r]);
#pragma GCC unroll 4
    for (int c = 0; c < COLUMNS; ++c) {
      sums[r][c] = _mm512_mul_ps(_mm512_loadu_ps(values + r * DIM + c * 16), factor);
    }
  }
  for (int key = 0; key < num_keys; key += 2, tile += DIM * 2) {
    __m512bh v[COLUMNS];
#pragma GCC unroll 4
    for (int c = 0; c < COLUMNS; ++c) v[c] = load_once(tile + c * 32);
#pragma GCC unroll 6
    for (int r = 0; r < ROWS; ++r) {
      const __m512bh w = broadcast_pair(weights[r] + key);
#pragma GCC unroll 4
      for (int c = 0; c < COLUMNS; ++c) sums[r][c] = _mm512_dpbf16_ps(sums[r][c], v[c], w);
    }
    if (key % 4 == 0) fetch.one<DIM>();
  }
#pragma GCC unroll 6
  for (int r = 0; r < ROWS; ++r) {
#pragma GCC unroll 4
    for (int c = 0; c < COLUMNS; ++c) {
      asm("" : "+v"(sums[r][c]));
      _mm512_storeu_ps(values + r * DIM + c * 16, sums[r][c]);
    }
  }
}

// What rows have come to so far: the largest score (in powers of two), the sum of the weights and
// the weighted sum of values (rows, head_dim).
struct Partial {
  float* maximum;
  float* weight;
  float* values;
};

// A row's scores of keys [hidden, visible) in the tile; minus infinity elsewhere.
template <int COLUMNS>
void read_scores(const float* scores, int64_t hidden, int64_t visible, __m512 (&out)[COLUMNS]) {
  const __m512 minus_infinity = _mm512_set1_ps(-__builtin_inff());
  if (hidden <= 0 && visible >= COLUMNS * 16) {
#pragma GCC unroll 4
    for (int c = 0; c < COLUMNS; ++c) out[c] = _mm512_loadu_ps(scores + c * 16);
    return;
  }
#pragma GCC unroll 4
  for (int c = 0; c < COLUMNS; ++c) {
    const __mmask16 lanes = first_lanes(visible - c * 16) & ~first_lanes(hidden - c * 16);
    out[c] = _mm512_mask_loadu_ps(minus_infinity, lanes, scores + c * 16);
  }
}

// Rows from `row` of `query` against the first 16 * COLUMNS keys of a packed tile, of which row
// `row + r` sees [hidden[r], visible[r]).
template <int DIM, int ROWS, int COLUMNS>
void attend_rows(const uint16_t* query, Packed tile, int64_t row,
                 const int64_t* hidden, const int64_t* visible, const Partial& partial,
                 Fetch& fetch) {
  alignas(64) float scores[ROWS][kKeys];
  alignas(64) uint16_t weights[ROWS][kKeys];
  alignas(64) float tops[16], shrink[16], sums[16];
  score<DIM, ROWS, COLUMNS>(query + row * DIM, tile.keys, scores, fetch);
  for (int r = 0; r < ROWS; ++r) {
    __m512 s[COLUMNS];
    read_scores<COLUMNS>(scores[r], hidden[r], visible[r], s);
    __m512 largest = s[0];
#pragma GCC unroll 4
    for (int c = 1; c < COLUMNS; ++c) largest = _mm512_max_ps(largest, s[c]);
    tops[r] = _mm512_reduce_max_ps(largest);
  }
  const __mmask16 rows = first_lanes(ROWS);
  const __m512 log2e = _mm512_set1_ps(kLog2E);
  const __m512 before = _mm512_maskz_loadu_ps(rows, partial.maximum + row);
  const __m512 found = _mm512_mul_ps(_mm512_maskz_loadu_ps(rows, tops), log2e);
  const __m512 maximum = _mm512_max_ps(before, found);
  const __m512 factor = exp2_precise(_mm512_sub_ps(before, maximum));
  _mm512_mask_storeu_ps(partial.maximum + row, rows, maximum);
  _mm512_store_ps(shrink, factor);
  _mm512_store_ps(tops, maximum);
  for (int r = 0; r < ROWS; ++r) {
    __m512 s[COLUMNS], sum = _mm512_setzero_ps();
    read_scores<COLUMNS>(scores[r], hidden[r], visible[r], s);
    const __m512 top = _mm512_set1_ps(tops[r]);
#pragma GCC unroll 4
    for (int c = 0; c < COLUMNS; ++c) {
      const __m512 w = exp2_coarse(_mm512_fmsub_ps(s[c], log2e, top));
      sum = _mm512_add_ps(sum, w);
      _mm256_store_si256(reinterpret_cast<__m256i*>(weights[r] + c * 16),
                         (__m256i)_mm512_cvtneps_pbh(w));
    }
    sums[r] = _mm512_reduce_add_ps(sum);
  }
  const __m512 weight = _mm512_maskz_loadu_ps(rows, partial.weight + row);
  _mm512_mask_storeu_ps(partial.weight + row, rows,
                        _mm512_fmadd_ps(weight, factor, _mm512_maskz_loadu_ps(rows, sums)));
  float* values = partial.values + row * DIM;
#pragma GCC unroll 2
  for (int d = 0; d < DIM / 64 * 64; d += 64) {
    add_values<DIM, ROWS, 4>(weights, shrink, tile.values + d * 2, COLUMNS * 16, values + d, fetch);
  }
  if constexpr (DIM % 64 != 0) {
    constexpr int d = DIM / 64 * 64;
    add_values<DIM, ROWS, 2>(weights, shrink, tile.values + d * 2, COLUMNS * 16, values + d, fetch);
  }
}

using AttendRows = void (*)(const uint16_t*, Packed, int64_t, const int64_t*, const int64_t*,
                            const Partial&, Fetch&);

template <int DIM, int ROWS>
inline constexpr AttendRows kByColumns[4] = {
    attend_rows<DIM, ROWS, 1>, attend_rows<DIM, ROWS, 2>, attend_rows<DIM, ROWS, 3>,
    attend_rows<DIM, ROWS, 4>};

// By rows - 1, then columns - 1.
template <int DIM>
inline constexpr const AttendRows* kAttend[kGroup] = {kByColumns<DIM, 1>, kByColumns<DIM, 2>,
                                                      kByColumns<DIM, 3>, kByColumns<DIM, 4>,
                                                      kByColumns<DIM, 5>, kByColumns<DIM, 6>};

}  // namespace assay
