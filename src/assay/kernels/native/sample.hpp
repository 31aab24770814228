// What is found of a row of logits.
#pragma once

#include <cstdint>

extern "C" {

// Over the legal tokens of a row. Where their logits are not finite numbers `peak` or `total` is not
// one either; where there is none `num_legal` is 0 and nothing else counts.
struct AssayLikeliest {
  int64_t token;      // the first with the highest logit
  int64_t num_legal;  // how many there are
  double total;       // the sum of exp(logit - peak)
  double spread;      // the sum of exp(logit - peak) * (logit - peak)
  float peak;         // the highest logit
  float second;       // the highest of the others
};
}
