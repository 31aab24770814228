// Attention straight over the block storage, for any mix of chunks and single tokens.
//
// The work is cut into items: some queries of one sequence and all query heads that share one key
// head, the rows of an item. An item's keys are walked in tiles of 64 with the running maximum and
// sum of FlashAttention (https://arxiv.org/abs/2205.14135). All tiles of all items are laid end to
// end and shared out evenly, so that a long sequence does not keep one thread; an item that
// falls to several threads is merged from their parts (as in Stream-K and FlashDecoding).

#include "attention.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "attention_tile.hpp"
#include "scratch.hpp"

namespace assay {
namespace {

// Rows of an item, unless one query has more.
constexpr int64_t kMaxRows = 96;

struct Step {
  AssayHeads heads;
  AssaySequences sequences;
  const uint16_t* query;  // (tokens, num_heads, head_dim)
  const uint16_t* layer;
  float* out;             // (tokens, num_heads, head_dim)
  int64_t group;          // query heads to a key head
  int64_t max_queries;    // in an item
  int64_t max_rows;
};

struct Item {
  int64_t sequence, kv_head;
  int64_t first_query, num_queries;  // within the step
  int64_t position;                  // of the first query
  int64_t first_tile, last_tile;     // tiles of the sequence that it sees

  int64_t tiles() const { return last_tile - first_tile; }
};

struct Workspace {
  uint16_t* query;  // (rows, head_dim)
  Packed packed;
  Partial partial;
  Partial kept[2];  // of an item begun by another thread; of one that another thread ends
  Tile tiles[2];    // this one and the next
};

template <typename Visit>
void for_each_item(const Step& step, Visit visit) {
  const AssaySequences& all = step.sequences;
  for (int64_t s = 0; s < all.count; ++s) {
    for (int64_t q = all.first_rows[s]; q < all.first_rows[s + 1]; q += step.max_queries) {
      const int64_t count = std::min(step.max_queries, all.first_rows[s + 1] - q);
      const int64_t position = all.starts[s] + q - all.first_rows[s];
      const int64_t window = step.heads.window;
      const int64_t first_key = window ? std::max<int64_t>(0, position - window + 1) : 0;
      Item item{s, 0, q, count, position, first_key / kKeys, (position + count + kKeys - 1) / kKeys};
      for (; item.kv_head < step.heads.num_kv_heads; ++item.kv_head) visit(item);
    }
  }
}

// What a tile costs: reading and packing it, and its products.
int64_t tile_cost(const Step& step, const Item& item) {
  return 24 + item.num_queries * step.group;
}

// The item's keys [first, end), at most 64.
void locate(const Step& step, const Item& item, int64_t first, int64_t end, Tile& tile) {
  const AssayHeads& heads = step.heads;
  const int32_t* table = step.sequences.tables + step.sequences.table_starts[item.sequence];
  tile.count = std::min(kKeys, end - first);
  tile.to_values = heads.num_kv_heads * heads.block_size * heads.head_dim;
  int64_t block = first / heads.block_size, slot = first % heads.block_size;
  for (int64_t i = 0; i < tile.count; ++block, slot = 0) {
    const uint16_t* row = step.layer + table[block] * heads.block_stride +
                          (item.kv_head * heads.block_size + slot) * heads.head_dim;
    const int64_t until = std::min(tile.count, i + heads.block_size - slot);
    for (; i < until; ++i, row += heads.head_dim) tile.keys[i] = row;
  }
  for (int64_t i = tile.count; i < kKeys; ++i) tile.keys[i] = nullptr;
}

// Tiles [first, last) of an item, counted from its own first.
struct Share {
  Item item;
  int64_t first, last;

  int64_t key(int64_t tile) const { return (item.first_tile + tile) * kKeys; }
  int64_t end() const { return std::min(key(last), item.position + item.num_queries); }
};

void begin_item(const Step& step, const Item& item, Workspace& work) {
  const int64_t dim = step.heads.head_dim, rows = item.num_queries * step.group;
  for (int64_t q = 0; q < item.num_queries; ++q) {
    const int64_t head = (item.first_query + q) * step.heads.num_heads + item.kv_head * step.group;
    std::memcpy(work.query + q * step.group * dim, step.query + head * dim, step.group * dim * 2);
  }
  std::memset(work.partial.values, 0, rows * dim * sizeof(float));
  std::fill_n(work.partial.maximum, rows, kNothing);
  std::fill_n(work.partial.weight, rows, 0.0f);
}

// All rows of the item against a packed tile of keys from `key`.
template <int DIM>
void attend_tile(const Step& step, const Item& item, int64_t key, Workspace& work, Fetch& fetch) {
  const int64_t rows = item.num_queries * step.group, window = step.heads.window;
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
                                             work.partial, fetch);
  }
}

// Attends a share; meanwhile asks for the first keys of `next`, the share after it, if any.
// work.tiles[0] holds the share's first tile, and in the end that of the next.
template <int DIM>
void attend_share(const Step& step, const Share& share, const Share* next, Workspace& work) {
  begin_item(step, share.item, work);
  for (int64_t tile = share.first; tile < share.last; ++tile) {
    Tile &now = work.tiles[0], &then = work.tiles[1];
    then.count = 0;
    if (tile + 1 < share.last) {
      locate(step, share.item, share.key(tile + 1), share.end(), then);
    } else if (next) {
      locate(step, next->item, next->key(next->first), next->end(), then);
    }
    Fetch fetch(then);
    pack<DIM>(now, work.packed, fetch);
    attend_tile<DIM>(step, share.item, share.key(tile), work, fetch);
    std::swap(now, then);
  }
}

void write_out(const Step& step, const Item& item, const Partial& partial) {
  const int64_t dim = step.heads.head_dim;
  for (int64_t row = 0; row < item.num_queries * step.group; ++row) {
    const int64_t token = item.first_query + row / step.group;
    const int64_t head = item.kv_head * step.group + row % step.group;
    float* target = step.out + (token * step.heads.num_heads + head) * dim;
    const __m512 factor = _mm512_set1_ps(1.0f / partial.weight[row]);
    for (int64_t d = 0; d < dim; d += 16) {
      const __m512 v = _mm512_loadu_ps(partial.values + row * dim + d);
      _mm512_storeu_ps(target + d, _mm512_mul_ps(v, factor));
    }
  }
}

void keep(const Step& step, const Item& item, const Partial& partial, const Partial& target) {
  const int64_t rows = item.num_queries * step.group;
  std::memcpy(target.values, partial.values, rows * step.heads.head_dim * sizeof(float));
  std::memcpy(target.maximum, partial.maximum, rows * sizeof(float));
  std::memcpy(target.weight, partial.weight, rows * sizeof(float));
}

// into += from: two parts of an item, over different keys.
void merge(const Step& step, const Item& item, const Partial& from, Partial& into) {
  const int64_t dim = step.heads.head_dim;
  for (int64_t row = 0; row < item.num_queries * step.group; ++row) {
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

// Where the work of `thread` begins, in units of cost.
int64_t boundary(int64_t total, int64_t thread, int64_t threads) { return total * thread / threads; }

// The first of an item's tiles that lies at or after `cost`; the item begins at `begin`.
int64_t tile_at(int64_t cost, int64_t begin, int64_t each, int64_t tiles) {
  return std::clamp<int64_t>((cost - begin + each - 1) / each, 0, cost <= begin ? 0 : tiles);
}

// Puts what a thread has made of a share where it belongs.
void finish_share(const Step& step, const Share& share, Workspace& work) {
  if (share.last - share.first == share.item.tiles()) {
    write_out(step, share.item, work.partial);
  } else {
    keep(step, share.item, work.partial, work.kept[share.first == 0]);
  }
}

template <int DIM>
void attend_part(const Step& step, int64_t total, Workspace* works) {
  const int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
  const int64_t from = boundary(total, thread, threads), to = boundary(total, thread + 1, threads);
  Workspace& work = works[thread];
  int64_t begin = 0;
  Share share{};
  for_each_item(step, [&](const Item& item) {
    const int64_t each = tile_cost(step, item), tiles = item.tiles();
    const Share next{item, tile_at(from, begin, each, tiles), tile_at(to, begin, each, tiles)};
    begin += each * tiles;
    if (next.first >= next.last) return;
    if (share.last > 0) {
      attend_share<DIM>(step, share, &next, work);
      finish_share(step, share, work);
    } else {
      locate(step, item, next.key(next.first), next.end(), work.tiles[0]);
    }
    share = next;
  });
  if (share.last > 0) {
    attend_share<DIM>(step, share, nullptr, work);
    finish_share(step, share, work);
  }
#pragma omp barrier
  // Whoever had an item's first tile puts its parts together.
  begin = 0;
  for_each_item(step, [&](const Item& item) {
    const int64_t each = tile_cost(step, item), tiles = item.tiles();
    const int64_t first = tile_at(from, begin, each, tiles), last = tile_at(to, begin, each, tiles);
    if (first == 0 && last > 0 && last < tiles) {
      for (int64_t other = thread + 1, done = last; done < tiles; ++other) {
        const int64_t next = tile_at(boundary(total, other + 1, threads), begin, each, tiles);
        if (next > done) merge(step, item, works[other].kept[0], work.kept[1]);
        done = next;
      }
      write_out(step, item, work.kept[1]);
    }
    begin += each * tiles;
  });
}

Partial take_partial(Pieces& pieces, const Step& step) {
  return {pieces.take<float>(step.max_rows), pieces.take<float>(step.max_rows),
          pieces.take<float>(step.max_rows * step.heads.head_dim)};
}

Workspace take_workspace(Pieces& pieces, const Step& step) {
  const int64_t dim = step.heads.head_dim;
  return {pieces.take<uint16_t>(step.max_rows * dim),
          {pieces.take<uint16_t>(kKeys * dim), pieces.take<uint16_t>(kKeys * dim)},
          take_partial(pieces, step),
          {take_partial(pieces, step), take_partial(pieces, step)},
          {}};
}

}  // namespace
}  // namespace assay

using namespace assay;

extern "C" {

// out (tokens, num_heads, head_dim) float32: `query` (as assay_rotate_and_store leaves it) attends
// over the keys of its sequence up to its own position. Returns 0, -1 if there
// is no memory, or -2 if head_dim is none of those below.
int assay_attend(const AssayHeads* heads, const AssaySequences* sequences, const uint16_t* query,
                 const uint16_t* layer, float* out, int threads) {
  Step step{*heads, *sequences, query, layer, out, heads->num_heads / heads->num_kv_heads, 0, 0};
  step.max_queries = std::max<int64_t>(1, kMaxRows / step.group);
  step.max_rows = step.max_queries * step.group;
  const int64_t dim = heads->head_dim;
  if (dim != 32 && dim != 64 && dim != 96 && dim != 128) return -2;
  const int64_t each = step.max_rows * (dim * 14 + 24) + kKeys * dim * 4 + Pieces::kSpare;
  char* const memory = Scratch::reserve(threads * (each + static_cast<int64_t>(sizeof(Workspace))));
  if (!memory) return -1;
  Pieces pieces(memory);
  Workspace* works = pieces.take<Workspace>(threads);
  for (int i = 0; i < threads; ++i) works[i] = take_workspace(pieces, step);
  int64_t total = 0;
  for_each_item(step, [&](const Item& item) { total += tile_cost(step, item) * item.tiles(); });
#pragma omp parallel num_threads(threads)
  switch (dim) {
    case 32: attend_part<32>(step, total, works); break;
    case 64: attend_part<64>(step, total, works); break;
    case 96: attend_part<96>(step, total, works); break;
    case 128: attend_part<128>(step, total, works); break;
  }
  return 0;
}
}
