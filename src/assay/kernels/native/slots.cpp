// Copying keys and values: of tokens from block to block, in all layers, and of single heads.

#include <algorithm>
#include <cstring>

#include "attention.hpp"
#include "simd.hpp"

namespace assay {
namespace {

__m512 read_rounded(const uint16_t* source) {
  const __m256i raw = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(raw), 16));
}

void write_rounded(uint16_t* target, __m512 values) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(target), (__m256i)_mm512_cvtneps_pbh(values));
}

// One key turned on. `half` is a multiple of 16.
void turn(const uint16_t* key, const float* cosine, const float* sine, int64_t half,
          uint16_t* target) {
  for (int64_t i = 0; i < half; i += 16) {
    const __m512 first = read_rounded(key + i), second = read_rounded(key + half + i);
    const __m512 c = _mm512_loadu_ps(cosine + i), s = _mm512_loadu_ps(sine + i);
    write_rounded(target + i, _mm512_fnmadd_ps(second, s, _mm512_mul_ps(first, c)));
    write_rounded(target + half + i, _mm512_fmadd_ps(first, s, _mm512_mul_ps(second, c)));
  }
}

}  // namespace
}  // namespace assay

using namespace assay;

extern "C" {

// Copies `count` tokens from slot `source_slot` on of the blocks `sources` to `target_slot` on of
// `targets`, slots counted through the blocks. `storage` is where block 0 begins. cosine, sine
// (head_dim / 2) turn the keys; null: they stay as they are.
void assay_copy_slots(const AssayHeads* shape, int64_t layers, uint16_t* storage,
                      const int32_t* sources, int64_t source_slot, const int32_t* targets,
                      int64_t target_slot, int64_t count, const float* cosine, const float* sine,
                      int threads) {
  const int64_t dim = shape->head_dim, size = shape->block_size, heads = shape->num_kv_heads;
  const int64_t head_stride = size * dim, layer_stride = 2 * heads * head_stride;
  const auto place = [&](const int32_t* blocks, int64_t slot) {
    return storage + blocks[slot / size] * shape->block_stride + slot % size * dim;
  };
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t layer = 0; layer < layers; ++layer) {
    for (int64_t token = 0; token < count; ++token) {
      const uint16_t* from = place(sources, source_slot + token) + layer * layer_stride;
      uint16_t* to = place(targets, target_slot + token) + layer * layer_stride;
      for (int64_t head = 0; head < 2 * heads; ++head, from += head_stride, to += head_stride) {
        if (cosine && head < heads) {
          turn(from, cosine, sine, dim / 2, to);
        } else {
          std::memcpy(to, from, dim * sizeof(uint16_t));
        }
      }
    }
  }
}

// Copies `count` keys of `dim` elements and their values from `sources` to `targets`, both numbered
// by where a key lies in `storage`, in keys; values lie `to_value` further. No place is both.
void assay_move_pairs(uint16_t* storage, const int64_t* sources, const int64_t* targets,
                      int64_t count, int64_t to_value, int64_t dim, int threads) {
  constexpr int64_t kAhead = 12;  // pairs that are asked for before they are copied
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t pair = 0; pair < count; ++pair) {
    const uint16_t* from = storage + sources[pair] * dim;
    uint16_t* to = storage + targets[pair] * dim;
    const uint16_t* next = storage + sources[std::min(pair + kAhead, count - 1)] * dim;
    for (int64_t i = 0; i < dim; i += 32) {
      _mm_prefetch(next + i, _MM_HINT_T0);
      _mm_prefetch(next + to_value * dim + i, _MM_HINT_T0);
    }
    std::memcpy(to, from, dim * sizeof(uint16_t));
    std::memcpy(to + to_value * dim, from + to_value * dim, dim * sizeof(uint16_t));
  }
}
}
