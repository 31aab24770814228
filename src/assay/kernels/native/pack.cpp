// From a matrix as it is stored to the order that the products read.

#include <algorithm>

#include "gemm.hpp"
#include "simd.hpp"

namespace assay {
namespace {

// `count` channels of k weights each, one behind the other, as one half of a panel: 16 channels'
// groups of 4 side by side, a panel's width apart; zeros stand in for what is not there.
void pack_channels(const int8_t* weight, int64_t k, int64_t count, int8_t* target,
                   int32_t* compensation) {
  const __m512i ones = _mm512_set1_epi8(1);
  __m512i sums = _mm512_setzero_si512();
  for (int64_t i = 0; i < k; i += 64) {
    const int64_t left = k - i;
    const __mmask64 bytes = left >= 64 ? ~__mmask64{0} : (__mmask64{1} << left) - 1;
    __m512i square[16];
#pragma GCC unroll 16
    for (int64_t row = 0; row < 16; ++row) {
      square[row] = row < count ? _mm512_maskz_loadu_epi8(bytes, weight + row * k + i)
                                : _mm512_setzero_si512();
    }
    transpose_16(square);
#pragma GCC unroll 16
    for (int64_t group = 0; group < 16; ++group) {
      if (i + group * 4 >= k) break;
      _mm512_storeu_si512(target + (i / 4 + group) * kPanel * 4, square[group]);
      sums = _mm512_dpbusd_epi32(sums, ones, square[group]);
    }
  }
  _mm512_storeu_si512(compensation, _mm512_mullo_epi32(sums, _mm512_set1_epi32(-128)));
}

}  // namespace
}  // namespace assay

using namespace assay;

extern "C" {

// Packs int8 (n, k), row major, as AssayMatrix says; `scale` and `bias` (n; bias may be null) are
// brought into its order. The targets hold panels * 32 channels.
void assay_pack(const int8_t* weight, const float* scale, const float* bias, int64_t n, int64_t k,
                int interleaved, int8_t* packed, float* packed_scale, int32_t* compensation,
                float* packed_bias, int threads) {
  const int64_t k4 = (k + 3) / 4;
  const int64_t panels = (n + kPanel - 1) / kPanel;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t panel = 0; panel < panels; ++panel) {
    for (int64_t part = 0; part < 2; ++part) {
      // 16 channels that lie side by side in both orders; the rest of a last panel is zeros.
      int64_t first = panel * kPanel + part * 16, limit = n;
      if (interleaved) {
        first = panel * 16 + part * (n / 2);
        limit = part ? n : n / 2;
      }
      const int64_t count = std::clamp<int64_t>(limit - first, 0, 16);
      const int64_t at = panel * kPanel + part * 16;
      pack_channels(weight + first * k, k, count, packed + (panel * k4 * kPanel + part * 16) * 4,
                    compensation + at);
      for (int64_t i = 0; i < 16; ++i) {
        packed_scale[at + i] = i < count ? scale[first + i] : 0.0f;
        if (packed_bias) packed_bias[at + i] = i < count && bias ? bias[first + i] : 0.0f;
      }
    }
  }
}
}
