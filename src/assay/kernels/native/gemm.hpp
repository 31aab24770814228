// The int8 matrix: how it lies in memory, and the C interface to multiplying with it.
#pragma once

#include <cstdint>

namespace assay {

// Columns of a panel, rows of the largest tile that stands in registers.
inline constexpr int64_t kPanel = 32;
inline constexpr int64_t kMaxTileRows = 12;

}  // namespace assay

extern "C" {

// A matrix (n, k), packed. `packed` holds panels of 32 output channels (the last padded with zeros),
// each `k4` groups of 4 inputs: [group][channel][4]. `compensation[c]` is -128 times the sum of
// channel c, which undoes the 128 added to activations. In an interleaved matrix (gate and up) a
// panel holds 16 channels of the first half of n, then the same 16 of the second half.
struct AssayMatrix {
  const int8_t* packed;
  const float* scale;           // (panels * 32), in the order of the panels
  const int32_t* compensation;  // likewise
  const float* bias;            // likewise, or null
  int64_t n;
  int64_t k;
  int64_t k4;
  int64_t panels;
};
}
