// What pairs are worth by their sketches: a few int8 for a key instead of the key.

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "scratch.hpp"
#include "simd.hpp"

using namespace assay;

namespace {

constexpr float kLeast = -1e30f;

struct Head {
  const int8_t* codes;     // (rank, tokens)
  const uint16_t* worth;   // (tokens), float16
  const float* queries;    // (group, rank), scaled
  float* out;              // (tokens)
  int64_t tokens, rank, group;
};

// logits (tokens) = the query against all codes; returns the logarithm of the sum of exp(logits).
float score(const Head& head, const float* query, float* logits) {
  __m512 largest = _mm512_set1_ps(kLeast);
  for (int64_t i = 0; i < head.tokens; i += 16) {
    const __mmask16 there = first_lanes(head.tokens - i);
    __m512 sum = _mm512_setzero_ps();
    for (int64_t r = 0; r < head.rank; ++r) {
      const __m128i codes = _mm_maskz_loadu_epi8(there, head.codes + r * head.tokens + i);
      sum = _mm512_fmadd_ps(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(codes)),
                            _mm512_set1_ps(query[r]), sum);
    }
    _mm512_storeu_ps(logits + i, sum);
    largest = _mm512_mask_max_ps(largest, there, largest, sum);
  }
  const float peak = _mm512_reduce_max_ps(largest);
  const __m512 log2e = _mm512_set1_ps(kLog2E), top = _mm512_set1_ps(peak * kLog2E);
  __m512 total = _mm512_setzero_ps();
  for (int64_t i = 0; i < head.tokens; i += 16) {
    const __m512 x = _mm512_fmsub_ps(_mm512_loadu_ps(logits + i), log2e, top);
    total = _mm512_mask_add_ps(total, first_lanes(head.tokens - i), total, exp2_coarse(x));
  }
  return peak + std::log(_mm512_reduce_add_ps(total));
}

void rescore(const Head& head, float factor, float least, float* logits) {
  std::fill_n(head.out, head.tokens, least);
  for (int64_t g = 0; g < head.group; ++g) {
    const __m512 total = _mm512_set1_ps(score(head, head.queries + g * head.rank, logits));
    for (int64_t i = 0; i < head.tokens; i += 16) {
      const __mmask16 there = first_lanes(head.tokens - i);
      const __m512 log = _mm512_sub_ps(_mm512_loadu_ps(logits + i), total);
      const __m512 best = _mm512_max_ps(_mm512_maskz_loadu_ps(there, head.out + i), log);
      _mm512_mask_storeu_ps(head.out + i, there, best);
    }
  }
  __m512 sum = _mm512_setzero_ps();
  for (int64_t i = 0; i < head.tokens; i += 16) {
    sum = _mm512_add_ps(sum, _mm512_maskz_loadu_ps(first_lanes(head.tokens - i), head.out + i));
  }
  const __m512 mean =
      _mm512_set1_ps(_mm512_reduce_add_ps(sum) / static_cast<float>(head.tokens));
  for (int64_t i = 0; i < head.tokens; i += 16) {
    const __mmask16 there = first_lanes(head.tokens - i);
    const __m512 log = _mm512_sub_ps(_mm512_maskz_loadu_ps(there, head.out + i), mean);
    const __m512 worth = _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(there, head.worth + i));
    _mm512_mask_storeu_ps(head.out + i, there,
                          _mm512_fmadd_ps(log, _mm512_set1_ps(factor), worth));
  }
}

}  // namespace

extern "C" {

// out (heads, tokens) = worth (heads, tokens; float16) + factor * what the queries favour: the
// logarithm of the attention on a pair, at least `least`, the greatest of a group, less its mean
// over the head's pairs. codes (heads, rank, tokens), queries (heads, group, rank), scaled by all
// that the codes lack. Returns 0, or -1 if there is no memory.
int assay_rescore(const int8_t* codes, const uint16_t* worth, const float* queries, int64_t heads,
                  int64_t group, int64_t rank, int64_t tokens, float factor, float least,
                  float* out, int threads) {
  const int64_t each = (tokens + 15) / 16 * 16;
  char* const memory = Scratch::reserve(threads * each * 4);
  if (!memory) return -1;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t head = 0; head < heads; ++head) {
    float* logits = reinterpret_cast<float*>(memory) + omp_get_thread_num() * each;
    rescore({codes + head * rank * tokens, worth + head * tokens, queries + head * group * rank,
             out + head * tokens, tokens, rank, group},
            factor, least, logits);
  }
  return 0;
}
}
