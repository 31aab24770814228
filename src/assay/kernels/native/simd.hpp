// Arithmetic on AVX-512 vectors that the kernels share.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace assay {

inline constexpr float kLog2E = 1.44269504088896341f;

// Lanes [0, count) of 16; none where count <= 0, all where count >= 16.
inline __mmask16 first_lanes(int64_t count) {
  if (count >= 16) return 0xFFFF;
  return count <= 0 ? 0 : static_cast<__mmask16>((1u << count) - 1);
}

// 2^x to 1e-7 relative; 0 for -inf. Coefficients: minimax over [-0.5, 0.5].
inline __m512 exp2_precise(__m512 x) {
  const __m512 fraction = _mm512_reduce_ps(x, 0);
  __m512 y = _mm512_set1_ps(1.32765e-3f);
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(9.67554e-3f));
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(5.550713e-2f));
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(2.402212e-1f));
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(6.9314697e-1f));
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(1.0f));
  return _mm512_scalef_ps(y, _mm512_roundscale_ps(x, 0));
}

// 2^x to 1e-4 relative, which a bfloat16 does not show; 0 for -inf. Minimax over [0, 1].
inline __m512 exp2_coarse(__m512 x) {
  const __m512 fraction = _mm512_reduce_ps(x, 1);  // x - floor(x)
  __m512 y = _mm512_set1_ps(7.802452e-2f);
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(2.2606716e-1f));
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(6.9583353e-1f));
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(9.9992522e-1f));
  return _mm512_scalef_ps(y, x);  // by 2^floor(x)
}

// x / (1 + e^-x).
inline __m512 silu(__m512 x) {
  const __m512 e = exp2_precise(_mm512_mul_ps(x, _mm512_set1_ps(-kLog2E)));
  const __m512 d = _mm512_add_ps(e, _mm512_set1_ps(1.0f));
  return _mm512_div_ps(x, d);
}

}  // namespace assay
