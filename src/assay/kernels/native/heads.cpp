// Between the projection and attention: turn queries and keys by their position, round, and put
// keys and values where the block storage keeps them.

#include <algorithm>

#include "attention.hpp"
#include "simd.hpp"

namespace assay {
namespace {

void store_rounded(uint16_t* target, __m512 values) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(target), (__m256i)_mm512_cvtneps_pbh(values));
}

// One head, turned and multiplied by `factor`. `half` is a multiple of 16.
void rotate(const float* head, const float* cosine, const float* sine, int64_t half, float factor,
            uint16_t* target) {
  const __m512 scale = _mm512_set1_ps(factor);
  for (int64_t i = 0; i < half; i += 16) {
    const __m512 first = _mm512_loadu_ps(head + i), second = _mm512_loadu_ps(head + half + i);
    const __m512 c = _mm512_loadu_ps(cosine + i), s = _mm512_loadu_ps(sine + i);
    const __m512 a = _mm512_fnmadd_ps(second, s, _mm512_mul_ps(first, c));
    const __m512 b = _mm512_fmadd_ps(first, s, _mm512_mul_ps(second, c));
    store_rounded(target + i, _mm512_mul_ps(a, scale));
    store_rounded(target + half + i, _mm512_mul_ps(b, scale));
  }
}

// Where a token's key of the first head is written, in elements.
int64_t slot_of(const AssayHeads& shape, const AssaySequences& all, int64_t token) {
  const int64_t* after = std::upper_bound(all.first_rows, all.first_rows + all.count, token);
  const int64_t sequence = after - all.first_rows - 1;
  const int64_t position = all.starts[sequence] + token - all.first_rows[sequence];
  const int64_t at = all.table_starts[sequence] + position / shape.block_size;
  return all.tables[at] * shape.block_stride + position % shape.block_size * shape.head_dim;
}

}  // namespace
}  // namespace assay

using namespace assay;

extern "C" {

// heads (tokens, num_heads + 2 * num_kv_heads, head_dim): queries, keys, values. Writes `query`
// (tokens, num_heads, head_dim), turned and scaled, and keys (turned) and values into the storage
// of one layer. cosine, sine: (tokens, head_dim / 2).
void assay_rotate_and_store(const AssayHeads* shape, const AssaySequences* sequences,
                            const float* heads, const float* cosine, const float* sine, float scale,
                            uint16_t* query, uint16_t* layer, int threads) {
  const int64_t dim = shape->head_dim, half = dim / 2, head_stride = shape->block_size * dim;
  const int64_t width = (shape->num_heads + 2 * shape->num_kv_heads) * dim;
  const int64_t tokens = sequences->first_rows[sequences->count];
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t token = 0; token < tokens; ++token) {
    const float* head = heads + token * width;
    const float *c = cosine + token * half, *s = sine + token * half;
    uint16_t* target = query + token * shape->num_heads * dim;
    for (int64_t h = 0; h < shape->num_heads; ++h, head += dim, target += dim) {
      rotate(head, c, s, half, scale, target);
    }
    target = layer + slot_of(*shape, *sequences, token);
    for (int64_t h = 0; h < shape->num_kv_heads; ++h, head += dim, target += head_stride) {
      rotate(head, c, s, half, 1.0f, target);
    }
    for (int64_t h = 0; h < shape->num_kv_heads; ++h, head += dim, target += head_stride) {
      for (int64_t i = 0; i < dim; i += 16) store_rounded(target + i, _mm512_loadu_ps(head + i));
    }
  }
}

// Each of `count` heads of `dim` (a multiple of 16) in every row, `width` apart, is RMS-normalised.
void assay_normalise_heads(float* rows, int64_t tokens, int64_t width, int64_t count, int64_t dim,
                           const float* norm, float eps, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t token = 0; token < tokens; ++token) {
    float* head = rows + token * width;
    for (int64_t h = 0; h < count; ++h, head += dim) {
      __m512 squares = _mm512_setzero_ps();
      for (int64_t i = 0; i < dim; i += 16) {
        const __m512 v = _mm512_loadu_ps(head + i);
        squares = _mm512_fmadd_ps(v, v, squares);
      }
      const float mean = _mm512_reduce_add_ps(squares) / static_cast<float>(dim);
      const __m512 factor = _mm512_set1_ps(1.0f / __builtin_sqrtf(mean + eps));
      for (int64_t i = 0; i < dim; i += 16) {
        const __m512 v = _mm512_mul_ps(_mm512_loadu_ps(head + i), _mm512_loadu_ps(norm + i));
        _mm512_storeu_ps(head + i, _mm512_mul_ps(v, factor));
      }
    }
  }
}
}
