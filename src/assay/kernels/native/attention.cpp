// Attention straight over the block storage, for any mix of chunks and single tokens.
//
// The work is cut into items: some queries of one sequence and all query heads that share one key
// head, the rows of an item. An item's keys are walked in tiles of 64 with the running maximum and
// sum of FlashAttention (https://arxiv.org/abs/2205.14135). Four tiles are a span; an item's spans
// are attended apart and merged in order. All spans of all items are laid end to end and shared out
// among the threads, so that a long sequence does not keep one (as in Stream-K and FlashDecoding).
//
// Tiles and spans begin at fixed positions of a sequence, and a row's sums are taken in the same
// order whatever stands beside it: what a query gets depends neither on the other sequences of the
// step nor on how its own is cut into chunks nor on the number of threads, to the last bit.
//
// The keys of an item are the pairs that its sequence's window keeps for its head in this layer, if
// any, and then those in the slots of its blocks. Positions here count both.

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "attention_items.hpp"
#include "attention_tile.hpp"
#include "scratch.hpp"

namespace assay {
namespace {

// A thread's memory.
struct Workspace {
  uint16_t* query;  // (rows, head_dim)
  Packed packed;
  Partial span;   // the span at hand
  Partial total;  // the item's spans so far
  Partial later;  // (spans): those of an item that another thread has begun
  Tile tiles[2];  // this one and the next
};

void clear(const Partial& partial, int64_t rows, int64_t dim) {
  std::memset(partial.values, 0, rows * dim * sizeof(float));
  std::fill_n(partial.maximum, rows, kNothing);
  std::fill_n(partial.weight, rows, 0.0f);
}

// The `index`-th of several partial results of so many rows.
Partial at(const Partial& partial, int64_t index, int64_t rows, int64_t dim) {
  return {partial.maximum + index * rows, partial.weight + index * rows,
          partial.values + index * rows * dim};
}

// into += from, of later keys.
void merge(const Partial& from, const Partial& into, int64_t rows, int64_t dim) {
  for (int64_t row = 0; row < rows; ++row) {
    const float top = std::max(from.maximum[row], into.maximum[row]);
    const float ours = __builtin_exp2f(into.maximum[row] - top);
    const float theirs = __builtin_exp2f(from.maximum[row] - top);
    into.maximum[row] = top;
    into.weight[row] = into.weight[row] * ours + from.weight[row] * theirs;
    for (int64_t d = row * dim; d < (row + 1) * dim; ++d) {
      into.values[d] = into.values[d] * ours + from.values[d] * theirs;
    }
  }
}

void write_out(const Step& step, const Item& item, const Partial& total) {
  const int64_t dim = step.heads.head_dim;
  for (int64_t row = 0; row < rows_of(step, item); ++row) {
    const int64_t token = item.first_query + row / step.group;
    const int64_t head = item.kv_head * step.group + row % step.group;
    float* target = step.out + (token * step.heads.num_heads + head) * dim;
    const __m512 factor = _mm512_set1_ps(1.0f / total.weight[row]);
    for (int64_t d = 0; d < dim; d += 16) {
      const __m512 v = _mm512_loadu_ps(total.values + row * dim + d);
      _mm512_storeu_ps(target + d, _mm512_mul_ps(v, factor));
    }
  }
}

// ---------------------------------------------------------------- attending

// Those of the tile's keys, the item's from `first` on, that its window keeps; returns how many.
int64_t locate_kept(const Step& step, const Item& item, int64_t first, Tile& tile) {
  const AssayHeads& heads = step.heads;
  const int64_t count = std::min(tile.count, item.num_kept - first);
  if (count <= 0) return 0;
  const AssayWindow& window = step.sequences.windows[item.sequence];
  const int32_t* pages =
      window.pages + (step.layer_index * heads.num_kv_heads + item.kv_head) * window.max_pages;
  int64_t page = first / heads.block_size, slot = first % heads.block_size;
  for (int64_t i = 0; i < count; ++page, slot = 0) {
    const uint16_t* row =
        step.storage + (pages[page] * heads.block_size + slot) * heads.head_dim;
    const int64_t until = std::min(count, i + heads.block_size - slot);
    for (; i < until; ++i, row += heads.head_dim) tile.keys[i] = row;
  }
  return count;
}

// The item's keys [first, end), at most 64.
void locate(const Step& step, const Item& item, int64_t first, int64_t end, Tile& tile) {
  const AssayHeads& heads = step.heads;
  const int32_t* table = step.sequences.tables + step.sequences.table_starts[item.sequence];
  tile.count = std::min(kKeys, end - first);
  tile.to_values = heads.num_kv_heads * heads.block_size * heads.head_dim;
  const uint16_t* layer = step.storage + step.layer_index * 2 * tile.to_values;
  int64_t i = locate_kept(step, item, first, tile);
  first += i - item.num_kept;
  int64_t block = first / heads.block_size, slot = first % heads.block_size;
  for (; i < tile.count; ++block, slot = 0) {
    const uint16_t* row = layer + table[block] * heads.block_stride +
                          (item.kv_head * heads.block_size + slot) * heads.head_dim;
    const int64_t until = std::min(tile.count, i + heads.block_size - slot);
    for (; i < until; ++i, row += heads.head_dim) tile.keys[i] = row;
  }
  for (int64_t i = tile.count; i < kKeys; ++i) tile.keys[i] = nullptr;
}

void locate_first(const Step& step, const Share& share, Tile& tile) {
  const int64_t first = share.item.span_begin(share.first);
  locate(step, share.item, first * kKeys, share.item.key_end(first + 1), tile);
}

void copy_queries(const Step& step, const Item& item, uint16_t* target) {
  const int64_t items = step.group * step.heads.head_dim;
  for (int64_t q = 0; q < item.num_queries; ++q) {
    const int64_t head = (item.first_query + q) * step.heads.num_heads + item.kv_head * step.group;
    std::memcpy(target + q * items, step.query + head * step.heads.head_dim, items * 2);
  }
}

// All rows of the item against a packed tile of keys from `key`.
template <int DIM>
void attend_tile(const Step& step, const Item& item, int64_t key, Workspace& work, Fetch& fetch) {
  const int64_t rows = rows_of(step, item), window = step.heads.window;
  for (int64_t row = 0; row < rows; row += kGroup) {
    const int64_t count = std::min<int64_t>(kGroup, rows - row);
    int64_t hidden[kGroup], visible[kGroup];
    for (int64_t r = 0; r < count; ++r) {
      visible[r] = item.position + (row + r) / step.group + 1 - key;
      hidden[r] = window ? visible[r] - window : 0;
    }
    const int64_t seen = std::min(kKeys, visible[count - 1]);
    if (seen <= 0 || hidden[0] >= kKeys) continue;
    kAttend<DIM>[count - 1][(seen - 1) / 16](work.query, work.packed, row, hidden, visible,
                                             work.span, fetch);
  }
}

// Attends a share; meanwhile asks for the first keys of `next`, the share after it, if any.
// work.tiles[0] holds the share's first tile, and in the end that of the next. The spans are left
// in work.total if the share begins its item, else in work.later.
template <int DIM>
void attend_share(const Step& step, const Share& share, const Share* next, Workspace& work) {
  const Item& item = share.item;
  const int64_t rows = rows_of(step, item), end = item.span_end(share.last - 1);
  copy_queries(step, item, work.query);
  const Partial span = work.span;
  for (int64_t index = share.first; index < share.last; ++index) {
    if (!share.begins()) {
      work.span = at(work.later, index - share.first, rows, DIM);
    } else if (index == share.first) {
      work.span = work.total;
    } else {
      work.span = span;
    }
    clear(work.span, rows, DIM);
    for (int64_t tile = item.span_begin(index); tile < item.span_end(index); ++tile) {
      Tile &now = work.tiles[0], &then = work.tiles[1];
      then.count = 0;
      if (tile + 1 < end) {
        locate(step, item, (tile + 1) * kKeys, item.key_end(tile + 2), then);
      } else if (next) {
        locate_first(step, *next, then);
      }
      Fetch fetch(then);
      pack<DIM>(now, work.packed, fetch);
      attend_tile<DIM>(step, item, tile * kKeys, work, fetch);
      std::swap(now, then);
    }
    if (share.begins() && index > share.first) merge(work.span, work.total, rows, DIM);
  }
  work.span = span;
  if (share.begins() && share.ends()) write_out(step, item, work.total);
}

// A thread's shares. Only the first may belong to an item begun by another, and only the last to
// one that another ends.
template <int DIM>
void attend_part(const Step& step, Workspace* works) {
  const int64_t thread = omp_get_thread_num();
  const Line line(step, omp_get_num_threads());
  Workspace& work = works[thread];
  Share share{};
  line.walk([&](const Item& item, int64_t begin) {
    const Share next = line.share_of(thread, item, begin);
    if (next.first >= next.last) return;
    if (share.last > 0) {
      attend_share<DIM>(step, share, &next, work);
    } else {
      locate_first(step, next, work.tiles[0]);
    }
    share = next;
  });
  if (share.last > 0) attend_share<DIM>(step, share, nullptr, work);
#pragma omp barrier
  if (share.last == 0 || !share.begins() || share.ends()) return;
  // What others have made of the last item is added to what this thread has.
  line.walk([&](const Item& item, int64_t begin) {
    if (item.first_query != share.item.first_query || item.kv_head != share.item.kv_head) return;
    const int64_t rows = rows_of(step, item);
    int64_t done = share.last;
    for (int64_t other = thread + 1; done < item.last_span(); ++other) {
      const Share theirs = line.share_of(other, item, begin);
      for (int64_t i = 0; i < theirs.last - theirs.first; ++i) {
        merge(at(works[other].later, i, rows, DIM), work.total, rows, DIM);
      }
      done = theirs.last;
    }
    write_out(step, item, work.total);
  });
}

Partial take_partial(Pieces& pieces, int64_t rows, int64_t dim) {
  return {pieces.take<float>(rows), pieces.take<float>(rows), pieces.take<float>(rows * dim)};
}

}  // namespace
}  // namespace assay

using namespace assay;

extern "C" {

// out (tokens, num_heads, head_dim) float32: `query` (as assay_rotate_and_store leaves it) attends
// over the window of its sequence and the keys up to its own, in one layer. `storage` is where
// block 0 begins. Returns 0, -1 if there is no memory, or -2 if head_dim is none of those below.
int assay_attend_layer(const AssayHeads* heads, const AssaySequences* sequences, const uint16_t* query,
                 const uint16_t* storage, int64_t layer, float* out, int threads) {
  const int64_t dim = heads->head_dim, group = heads->num_heads / heads->num_kv_heads;
  if (dim != 32 && dim != 64 && dim != 96 && dim != 128) return -2;
  const int64_t max_queries = std::max<int64_t>(1, kMaxRows / group);
  const Step step{*heads, *sequences, query, storage, layer, out, group, max_queries};
  int64_t most = 0, most_later = 0;  // rows of an item; rows of its spans but the first
  for_each_item(step, [&](const Item& item) {
    const int64_t rows = rows_of(step, item);
    most = std::max(most, rows);
    most_later = std::max(most_later, rows * (item.last_span() - item.first_span() - 1));
  });
  const int64_t each = most * dim * 2 + kKeys * dim * 4 + (2 * most + most_later) * (dim + 2) * 4 +
                       Pieces::kSpare + static_cast<int64_t>(sizeof(Workspace));
  char* const memory = Scratch::reserve(threads * each);
  if (!memory) return -1;
  Pieces pieces(memory);
  Workspace* const works = pieces.take<Workspace>(threads);
  for (int i = 0; i < threads; ++i) {
    works[i].query = pieces.take<uint16_t>(most * dim);
    works[i].packed = {pieces.take<uint16_t>(kKeys * dim), pieces.take<uint16_t>(kKeys * dim)};
    works[i].span = take_partial(pieces, most, dim);
    works[i].total = take_partial(pieces, most, dim);
    works[i].later = take_partial(pieces, most_later, dim);
  }
#pragma omp parallel num_threads(threads)
  switch (dim) {
    case 32: attend_part<32>(step, works); break;
    case 64: attend_part<64>(step, works); break;
    case 96: attend_part<96>(step, works); break;
    case 128: attend_part<128>(step, works); break;
  }
  return 0;
}
}
