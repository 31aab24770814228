// The likeliest legal token of each row of logits, and what its probability is worked out from.
//
// A row is read twice, the second time out of the cache: for its two highest logits, and for the
// sums of exponentials that probability and entropy are worked out from. One thread has all of a row and takes its sums in a fixed order, so that what
// is found depends on that row alone, to the last bit. Where constraints leave little to read the
// calling thread does it all: on a busy machine another may take milliseconds to begin.

#include "sample.hpp"

#include "simd.hpp"

namespace assay {
namespace {

// Logits of a chunk: those of 16 words of a mask. Sums within one are taken in float32.
constexpr int64_t kChunk = 512;
// Chunks that it takes to bring in other threads.
constexpr int64_t kMinShared = 512;

struct Row {
  const float* logits;
  const uint32_t* mask;  // bit t % 32 of word t / 32: whether token t is legal; null: all are
  int64_t size;

  __mmask16 legal(int64_t first) const {
    const __mmask16 lanes = first_lanes(size - first);
    return mask ? lanes & (mask[first / 32] >> first % 32) : lanes;
  }

  // 16 logits, minus infinity for those that are not among `lanes`.
  __m512 read(int64_t first, __mmask16 lanes) const {
    return _mm512_mask_loadu_ps(_mm512_set1_ps(-__builtin_inff()), lanes, logits + first);
  }

  bool is_closed(int64_t chunk) const {
    if (!mask) return false;
    const __mmask16 words = first_lanes((size - chunk + 31) / 32);
    const __m512i bits = _mm512_maskz_loadu_epi32(words, mask + chunk / 32);
    return _mm512_test_epi32_mask(bits, bits) == 0;
  }

  // Calls `visit` with the bounds of each chunk in which a token may be legal.
  template <typename Visit>
  void walk(Visit visit) const {
    for (int64_t chunk = 0; chunk < size; chunk += kChunk) {
      if (!is_closed(chunk)) visit(chunk, chunk + kChunk < size ? chunk + kChunk : size);
    }
  }
};

// Token, count and the two highest logits. Each of 16 lanes finds its own; they are told apart last.
void find_highest(const Row& row, AssayLikeliest& found) {
  __m512 top = _mm512_set1_ps(-__builtin_inff()), second = top;
  __m512i place = _mm512_setzero_si512();
  int64_t num_legal = 0;
  row.walk([&](int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += 16) {
      const __mmask16 lanes = row.legal(first);
      if (lanes == 0) continue;
      const __m512 x = row.read(first, lanes);
      const __mmask16 higher = _mm512_cmp_ps_mask(x, top, _CMP_GT_OQ);
      second = _mm512_max_ps(_mm512_min_ps(x, top), second);
      top = _mm512_mask_mov_ps(top, higher, x);
      place = _mm512_mask_set1_epi32(place, higher, static_cast<int>(first));
      num_legal += __builtin_popcount(lanes);
    }
  });
  const float peak = _mm512_reduce_max_ps(top);
  const __mmask16 tied = _mm512_cmp_ps_mask(top, _mm512_set1_ps(peak), _CMP_EQ_OQ);
  const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const int token = _mm512_mask_reduce_min_epi32(tied, _mm512_add_epi32(place, lane));
  const __mmask16 winner = static_cast<__mmask16>(1u << token % 16);
  found.token = token;
  found.num_legal = num_legal;
  found.peak = peak;
  found.second = _mm512_reduce_max_ps(_mm512_mask_mov_ps(top, winner, second));
}

// No logit counts as further below the peak than this, where its weight is as good as none: so the
// weight of minus infinity, times its distance, is 0.
constexpr float kFarBelow = -100.0f;

// The sums of exp(logit - peak) and of that times (logit - peak); not numbers where a logit or the
// peak is none.
void sum_weights(const Row& row, AssayLikeliest& found) {
  const __m512 highest = _mm512_set1_ps(found.peak), log2e = _mm512_set1_ps(kLog2E);
  const __m512 lowest = _mm512_set1_ps(kFarBelow);
  double total = 0.0, spread = 0.0;
  row.walk([&](int64_t begin, int64_t end) {
    __m512 sum = _mm512_setzero_ps(), moment = sum;
    for (int64_t first = begin; first < end; first += 16) {
      const __mmask16 lanes = row.legal(first);
      if (lanes == 0) continue;
      const __m512 below = _mm512_sub_ps(row.read(first, lanes), highest);
      const __m512 weight = exp2_precise(_mm512_mul_ps(below, log2e));
      sum = _mm512_add_ps(sum, weight);
      // Of a number and none the second operand counts, so that none stays none.
      moment = _mm512_fmadd_ps(weight, _mm512_max_ps(lowest, below), moment);
    }
    total += _mm512_reduce_add_ps(sum);
    spread += _mm512_reduce_add_ps(moment);
  });
  found.total = total;
  found.spread = spread;
}

struct Rows {
  const float* logits;
  int64_t vocab_size;
  const uint32_t* masks;
  int64_t num_words;
  const int64_t* chosen;
  int64_t count;

  Row operator[](int64_t i) const {
    return {logits + chosen[i] * vocab_size, masks ? masks + chosen[i] * num_words : nullptr,
            vocab_size};
  }

  bool are_worth_sharing() const {
    int64_t chunks = 0;
    for (int64_t i = 0; i < count && chunks < kMinShared; ++i) {
      (*this)[i].walk([&](int64_t, int64_t) { ++chunks; });
    }
    return chunks >= kMinShared;
  }
};

}  // namespace
}  // namespace assay

using namespace assay;

extern "C" {

// Of `logits` (any, vocab_size) the `count` rows that `rows` names, and of `masks` (any, num_words),
// unless null, the same. Bits past the vocabulary do not count.
void assay_weigh_choices(const float* logits, int64_t vocab_size, const uint32_t* masks,
                          int64_t num_words, const int64_t* rows, int64_t count,
                          AssayLikeliest* found, int threads) {
  const Rows all{logits, vocab_size, masks, num_words, rows, count};
  const bool is_shared = all.are_worth_sharing();
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (is_shared)
  for (int64_t i = 0; i < count; ++i) {
    const Row row = all[i];
    find_highest(row, found[i]);
    sum_weights(row, found[i]);
  }
}
}
