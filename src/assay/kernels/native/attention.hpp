// Shapes that attention and the storage of keys and values agree on.
#pragma once

#include <cstdint>

extern "C" {

// A layer's keys and values lie, for each block, as (2, num_kv_heads, block_size, head_dim)
// bfloat16, keys first; blocks are `block_stride` elements apart. head_dim is a multiple of 32.
// `window`: a query sees that many positions, itself included; 0: all before it.
struct AssayHeads {
  int64_t num_heads;
  int64_t num_kv_heads;
  int64_t head_dim;
  int64_t block_size;
  int64_t block_stride;
  int64_t window;
};

// What a sequence keeps of the tokens before those in its blocks: in each layer and for each key head
// `counts` (layers, num_kv_heads) pairs, in `pages` (layers, num_kv_heads, max_pages), `block_size`
// pairs a page. A page is numbered by where its keys lie in the storage, in pages; its values lie
// num_kv_heads pages further. Null: nothing.
struct AssayWindow {
  const int32_t* pages;
  const int32_t* counts;
  int64_t max_pages;
};

// The sequences of a step. Sequence s has queries first_rows[s] .. first_rows[s + 1] in slots from
// starts[s]; its blocks are tables[table_starts[s]] onwards. All its queries see windows[s], if
// `windows` is not null, and then the slots up to their own.
struct AssaySequences {
  const int64_t* first_rows;
  const int64_t* starts;
  const int64_t* table_starts;
  const int32_t* tables;
  const AssayWindow* windows;
  int64_t count;
};
}
