// How much given queries attend to the pairs in some blocks, head by head, in all layers; and which
// pairs have the highest scores.

#include <omp.h>

#include <algorithm>

#include "attention.hpp"
#include "attention_tile.hpp"
#include "scratch.hpp"

namespace assay {
namespace {

struct Asked {
  AssayHeads heads;
  const uint16_t* storage;  // where block 0 begins
  const int32_t* table;
  const uint16_t* queries;  // (layers, num_heads, count, head_dim), scaled
  float* out;               // (layers, num_kv_heads, tokens)
  int64_t tokens, padded;   // padded: to whole tiles
  int64_t count, group;     // queries a head; query heads to a key head

  int64_t rows() const { return count * group; }
};

// A thread's memory.
struct Workspace {
  uint16_t* keys;  // a packed tile
  float* scores;   // (rows, padded)
  float* mean;     // (padded)
};

// The 64 keys from `first` on of one head in one layer, or as many as there are.
Tile locate(const Asked& asked, int64_t layer, int64_t kv_head, int64_t first) {
  const AssayHeads& heads = asked.heads;
  const int64_t head_stride = heads.block_size * heads.head_dim;
  const int64_t at = (layer * 2 * heads.num_kv_heads + kv_head) * head_stride;
  Tile tile{};
  tile.count = std::min(kKeys, asked.tokens - first);
  for (int64_t i = 0; i < tile.count; ++i) {
    const int64_t token = first + i;
    tile.keys[i] = asked.storage + asked.table[token / heads.block_size] * heads.block_stride + at +
                   token % heads.block_size * heads.head_dim;
  }
  return tile;
}

template <int DIM>
using Score = void (*)(const uint16_t*, const uint16_t*, float (*)[kKeys], Fetch&);

// By rows - 1, over whole tiles.
template <int DIM>
inline constexpr Score<DIM> kScore[kGroup] = {score<DIM, 1, 4>, score<DIM, 2, 4>, score<DIM, 3, 4>,
                                              score<DIM, 4, 4>, score<DIM, 5, 4>, score<DIM, 6, 4>};

// Scores of all rows against one tile of keys; minus infinity where there is no key.
template <int DIM>
void score_tile(const Asked& asked, const uint16_t* queries, const Tile& tile, Fetch& fetch,
                int64_t first, Workspace& work) {
  for (int64_t part = 0; part < kKeys; part += 16) {
    if (part + 16 <= tile.count) {
      pack_keys<DIM, true>(tile, part, work.keys, fetch);
    } else {
      pack_keys<DIM, false>(tile, part, work.keys, fetch);
    }
  }
  alignas(64) float scores[kGroup][kKeys];
  for (int64_t row = 0; row < asked.rows(); row += kGroup) {
    const int64_t count = std::min<int64_t>(kGroup, asked.rows() - row);
    kScore<DIM>[count - 1](queries + row * DIM, work.keys, scores, fetch);
    for (int64_t r = 0; r < count; ++r) {
      float* target = work.scores + (row + r) * asked.padded + first;
      for (int64_t i = 0; i < kKeys; i += 16) {
        const __mmask16 there = first_lanes(tile.count - i);
        const __m512 s = _mm512_load_ps(scores[r] + i);
        _mm512_storeu_ps(target + i, _mm512_mask_blend_ps(there, _mm512_set1_ps(-1e30f), s));
      }
    }
  }
}

// mean += softmax(scores) * factor, which the scores are overwritten for.
void add_softmax(float* scores, int64_t padded, float factor, float* mean) {
  const __m512 log2e = _mm512_set1_ps(kLog2E);
  __m512 largest = _mm512_set1_ps(-1e30f), sum = _mm512_setzero_ps();
  for (int64_t i = 0; i < padded; i += 16) {
    largest = _mm512_max_ps(largest, _mm512_loadu_ps(scores + i));
  }
  const __m512 top = _mm512_set1_ps(_mm512_reduce_max_ps(largest) * kLog2E);
  for (int64_t i = 0; i < padded; i += 16) {
    const __m512 w = exp2_coarse(_mm512_fmsub_ps(_mm512_loadu_ps(scores + i), log2e, top));
    _mm512_storeu_ps(scores + i, w);
    sum = _mm512_add_ps(sum, w);
  }
  const __m512 scale = _mm512_set1_ps(factor / _mm512_reduce_add_ps(sum));
  for (int64_t i = 0; i < padded; i += 16) {
    const __m512 w = _mm512_loadu_ps(scores + i);
    _mm512_storeu_ps(mean + i, _mm512_fmadd_ps(w, scale, _mm512_loadu_ps(mean + i)));
  }
}

template <int DIM>
void attend_head(const Asked& asked, int64_t layer, int64_t kv_head, Workspace& work) {
  const int64_t head = layer * asked.heads.num_heads + kv_head * asked.group;
  const uint16_t* queries = asked.queries + head * asked.count * DIM;
  Tile now = locate(asked, layer, kv_head, 0);
  for (int64_t first = 0; first < asked.tokens; first += kKeys) {
    Tile next{};
    if (first + kKeys < asked.tokens) next = locate(asked, layer, kv_head, first + kKeys);
    Fetch fetch(next);
    score_tile<DIM>(asked, queries, now, fetch, first, work);
    now = next;
  }
  float* out = asked.out + (layer * asked.heads.num_kv_heads + kv_head) * asked.tokens;
  std::fill_n(out, asked.tokens, 0.0f);
  for (int64_t g = 0; g < asked.group; ++g) {
    std::fill_n(work.mean, asked.padded, 0.0f);
    for (int64_t q = 0; q < asked.count; ++q) {
      float* scores = work.scores + (g * asked.count + q) * asked.padded;
      add_softmax(scores, asked.padded, 1.0f / static_cast<float>(asked.count), work.mean);
    }
    for (int64_t i = 0; i < asked.tokens; ++i) out[i] = std::max(out[i], work.mean[i]);
  }
}

// Among `padded` keys, those of at least `least`.
int64_t count_from(const int16_t* keys, int64_t padded, int16_t least) {
  const __m512i bound = _mm512_set1_epi16(least);
  int64_t count = 0;
  for (int64_t i = 0; i < padded; i += 32) {
    count += __builtin_popcount(_mm512_cmpge_epi16_mask(_mm512_loadu_si512(keys + i), bound));
  }
  return count;
}

// The greatest key of which, with those above it, there are at least `count`: by bisection.
int16_t find_lowest_kept(const int16_t* keys, int64_t padded, int64_t count) {
  int32_t low = INT16_MIN, high = INT16_MAX;
  while (low < high) {
    const int32_t middle = low + (high - low + 1) / 2;
    if (count_from(keys, padded, static_cast<int16_t>(middle)) >= count) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return static_cast<int16_t>(low);
}

// The bits of 16 floats as integers that are ordered as they are.
inline __m512i ordered(__m512 scores) {
  const __m512i bits = _mm512_castps_si512(scores);
  return _mm512_xor_si512(bits, _mm512_srli_epi32(_mm512_srai_epi32(bits, 31), 1));
}

// Room for choosing among the scores of a row.
struct Choice {
  int16_t* upper;   // the halves of all keys, to whole vectors
  int16_t* lower;
  int32_t* places;  // of those that share the upper half of the lowest that is kept
};

// out[i] = whether scores[i] is among the `count` highest; of equal ones the first are. Finds the
// lowest that is kept by the upper half of its bits, then by the lower half among those that share
// the upper.
void keep_highest(const float* scores, int64_t tokens, int64_t count, const Choice& room,
                  bool* out) {
  std::fill_n(out, tokens, false);
  if (count <= 0) return;
  const int64_t padded = (tokens + 31) / 32 * 32;
  const __m512i flip = _mm512_set1_epi32(0x8000);  // an unsigned half as a signed one
  for (int64_t i = 0; i < tokens; i += 16) {
    const __m512i keys = ordered(_mm512_maskz_loadu_ps(first_lanes(tokens - i), scores + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(room.upper + i),
                        _mm512_cvtepi32_epi16(_mm512_srai_epi32(keys, 16)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(room.lower + i),
                        _mm512_cvtepi32_epi16(_mm512_xor_si512(keys, flip)));
  }
  std::fill(room.upper + tokens, room.upper + padded, INT16_MIN);
  const int16_t bound = find_lowest_kept(room.upper, padded, count);
  int64_t shared = 0;
  for (int64_t i = 0; i < tokens; i += 32) {
    const __m512i keys = _mm512_loadu_si512(room.upper + i), least = _mm512_set1_epi16(bound);
    const __mmask32 there = tokens - i >= 32 ? ~0u : (1u << (tokens - i)) - 1;
    const __mmask32 above = _mm512_mask_cmpgt_epi16_mask(there, keys, least);
    _mm256_mask_storeu_epi8(out + i, there, _mm256_maskz_set1_epi8(above, 1));
    count -= __builtin_popcount(above);
    for (uint32_t same = _mm512_mask_cmpeq_epi16_mask(there, keys, least); same; same &= same - 1) {
      const int64_t place = i + __builtin_ctz(same);
      room.places[shared] = static_cast<int32_t>(place);
      room.lower[shared++] = room.lower[place];
    }
  }
  const int64_t rest = (shared + 31) / 32 * 32;
  std::fill(room.lower + shared, room.lower + rest, INT16_MIN);
  const int16_t last = find_lowest_kept(room.lower, rest, count);
  for (int64_t i = 0; i < shared; ++i) {
    if (room.lower[i] <= last) continue;
    out[room.places[i]] = true;
    --count;
  }
  for (int64_t i = 0; i < shared && count > 0; ++i) {
    if (room.lower[i] != last) continue;
    out[room.places[i]] = true;
    --count;
  }
}

template <int DIM>
void attend_heads(const Asked& asked, int64_t layers, Workspace* works) {
#pragma omp for schedule(static)
  for (int64_t item = 0; item < layers * asked.heads.num_kv_heads; ++item) {
    const int64_t kv_heads = asked.heads.num_kv_heads;
    attend_head<DIM>(asked, item / kv_heads, item % kv_heads, works[omp_get_thread_num()]);
  }
}

}  // namespace
}  // namespace assay

using namespace assay;

extern "C" {

// out (layers, num_kv_heads, tokens): the attention of `count` queries of each head, scaled, on the
// first `tokens` keys in the blocks of `table` and nothing else: the mean over the queries, then the
// greatest of the heads that share a key. `storage` is where block 0 begins. Returns 0, -1 if there
// is no memory, or -2 if head_dim is none of those below.
int assay_query_attention(const AssayHeads* heads, int64_t layers, const uint16_t* storage,
                          const int32_t* table, int64_t tokens, const uint16_t* queries,
                          int64_t count, float* out, int threads) {
  const int64_t dim = heads->head_dim, padded = (tokens + kKeys - 1) / kKeys * kKeys;
  if (dim != 32 && dim != 64 && dim != 96 && dim != 128) return -2;
  const Asked asked{*heads, storage, table,  queries,
                    out,    tokens,  padded, count,
                    heads->num_heads / heads->num_kv_heads};
  const int64_t each = kKeys * dim * 2 + (asked.rows() + 1) * padded * 4 + Pieces::kSpare +
                       static_cast<int64_t>(sizeof(Workspace));
  char* const memory = Scratch::reserve(threads * each);
  if (!memory) return -1;
  Pieces pieces(memory);
  Workspace* const works = pieces.take<Workspace>(threads);
  for (int i = 0; i < threads; ++i) {
    works[i] = {pieces.take<uint16_t>(kKeys * dim), pieces.take<float>(asked.rows() * padded),
                pieces.take<float>(padded)};
  }
#pragma omp parallel num_threads(threads)
  switch (dim) {
    case 32: attend_heads<32>(asked, layers, works); break;
    case 64: attend_heads<64>(asked, layers, works); break;
    case 96: attend_heads<96>(asked, layers, works); break;
    case 128: attend_heads<128>(asked, layers, works); break;
  }
  return 0;
}

// out (rows, tokens): where the counts[row] highest of each row's scores (rows, tokens) are; no count
// exceeds `tokens`. Returns as above.
int assay_keep_highest(const float* scores, int64_t rows, int64_t tokens, const int32_t* counts,
                       bool* out, int threads) {
  const int64_t padded = (tokens + 31) / 32 * 32, each = padded * 8;
  char* const memory = Scratch::reserve(threads * each);
  if (!memory) return -1;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t row = 0; row < rows; ++row) {
    char* const own = memory + omp_get_thread_num() * each;
    const Choice room{reinterpret_cast<int16_t*>(own), reinterpret_cast<int16_t*>(own) + padded,
                      reinterpret_cast<int32_t*>(own) + padded};
    keep_highest(scores + row * tokens, tokens, counts[row], room, out + row * tokens);
  }
  return 0;
}
}
