// Rounding rows to int8 digits (quantise.hpp says what of), normalised in passing.

#include "quantise.hpp"

#include <omp.h>

#include <algorithm>

#include "simd.hpp"

namespace assay {
namespace {

constexpr float kTiny = 1e-30f;

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

}  // namespace

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

void quantise_part(const AssayMatrix& matrix, const float* x, int64_t rows, const float* norm,
                   float eps, Quantised out) {
  const int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
  quantise_rows(x, matrix.k, matrix.k4, norm, eps, rows * thread / threads,
                rows * (thread + 1) / threads, out);
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

}  // namespace assay
