// What attention is cut into: items, and stretches of them for the threads (see attention.cpp).
#pragma once

#include <algorithm>
#include <cstdint>

#include "attention.hpp"
#include "attention_tile.hpp"

namespace assay {

// Rows of an item, unless one query has more.
inline constexpr int64_t kMaxRows = 96;
// Tiles of a span.
inline constexpr int64_t kSpan = 4;

struct Step {
  AssayHeads heads;
  AssaySequences sequences;
  const uint16_t* query;    // (tokens, num_heads, head_dim)
  const uint16_t* storage;  // where page 0 lies
  int64_t layer_index;
  float* out;           // (tokens, num_heads, head_dim)
  int64_t group;        // query heads to a key head
  int64_t max_queries;  // in an item
};

struct Item {
  int64_t sequence, kv_head;
  int64_t first_query, num_queries;  // within the step
  int64_t num_kept;                  // pairs of the window
  int64_t position;                  // of the first query
  int64_t first_tile, last_tile;     // tiles of the sequence that it sees

  int64_t first_span() const { return first_tile / kSpan; }
  int64_t last_span() const { return (last_tile + kSpan - 1) / kSpan; }
  int64_t span_begin(int64_t span) const { return std::max(first_tile, span * kSpan); }
  int64_t span_end(int64_t span) const { return std::min(last_tile, (span + 1) * kSpan); }
  // One past its last key before `tile`.
  int64_t key_end(int64_t tile) const { return std::min(tile * kKeys, position + num_queries); }
};

// Spans [first, last) of an item, for one thread.
struct Share {
  Item item;
  int64_t first, last;

  bool begins() const { return first == item.first_span(); }
  bool ends() const { return last == item.last_span(); }
};

inline int64_t num_kept(const Step& step, int64_t sequence, int64_t kv_head) {
  const AssayWindow* windows = step.sequences.windows;
  if (!windows || !windows[sequence].counts) return 0;
  return windows[sequence].counts[step.layer_index * step.heads.num_kv_heads + kv_head];
}

template <typename Visit>
void for_each_item(const Step& step, Visit visit) {
  const AssaySequences& all = step.sequences;
  for (int64_t s = 0; s < all.count; ++s) {
    for (int64_t q = all.first_rows[s]; q < all.first_rows[s + 1]; q += step.max_queries) {
      const int64_t count = std::min(step.max_queries, all.first_rows[s + 1] - q);
      for (int64_t kv_head = 0; kv_head < step.heads.num_kv_heads; ++kv_head) {
        const int64_t kept = num_kept(step, s, kv_head);
        const int64_t position = kept + all.starts[s] + q - all.first_rows[s];
        const int64_t reach = step.heads.window;
        const int64_t first_key = reach ? std::max<int64_t>(0, position - reach + 1) : 0;
        const int64_t last_tile = (position + count + kKeys - 1) / kKeys;
        visit(Item{s, kv_head, q, count, kept, position, first_key / kKeys, last_tile});
      }
    }
  }
}

// What a tile costs: reading and packing it, and its products.
inline int64_t tile_cost(const Step& step, const Item& item) {
  return 24 + item.num_queries * step.group;
}

inline int64_t rows_of(const Step& step, const Item& item) { return item.num_queries * step.group; }

// All items on one line, each as long as it costs; the threads cut it into equal stretches. A span
// belongs to the stretch that it begins in.
class Line {
 public:
  Line(const Step& step, int64_t threads) : step_(step), threads_(threads) {
    for_each_item(step, [&](const Item& item) { total_ += cost(item); });
  }

  // Calls visit(item, begin) for each item, `begin` being its place on the line.
  template <typename Visit>
  void walk(Visit visit) const {
    int64_t begin = 0;
    for_each_item(step_, [&](const Item& item) {
      visit(item, begin);
      begin += cost(item);
    });
  }

  Share share_of(int64_t thread, const Item& item, int64_t begin) const {
    return {item, first_span(thread, item, begin), first_span(thread + 1, item, begin)};
  }

 private:
  int64_t cost(const Item& item) const {
    return (item.last_tile - item.first_tile) * tile_cost(step_, item);
  }

  // The first span that begins at or after the thread's stretch does.
  int64_t first_span(int64_t thread, const Item& item, int64_t begin) const {
    const int64_t behind = total_ * thread / threads_ - begin;
    if (behind <= 0) return item.first_span();
    const int64_t each = tile_cost(step_, item);
    const int64_t tile = item.first_tile + (behind + each - 1) / each;
    return std::min(item.last_span(), (tile + kSpan - 1) / kSpan);
  }

  const Step& step_;
  int64_t threads_;
  int64_t total_ = 0;
};

}  // namespace assay
