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

// 2^x to 1e-4 relative, which a bfloat16 does not show; 1 for 0, 0 for -inf. Minimax over [0, 1].
inline __m512 exp2_coarse(__m512 x) {
  const __m512 fraction = _mm512_reduce_ps(x, 1);  // x - floor(x)
  __m512 y = _mm512_set1_ps(7.706705e-2f);
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(2.2764498e-1f));
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(6.9511679e-1f));
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(1.0f));
  return _mm512_scalef_ps(y, x);  // by 2^floor(x)
}

// x / (1 + e^-x) to 1e-5 relative.
inline __m512 silu(__m512 x) {
  const __m512 t = _mm512_mul_ps(x, _mm512_set1_ps(-kLog2E));
  const __m512 fraction = _mm512_reduce_ps(t, 1);
  // 2^fraction; minimax over [0, 1].
  __m512 y = _mm512_set1_ps(1.353417e-2f);
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(5.201146e-2f));
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(2.4144276e-1f));
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(6.9300383e-1f));
  y = _mm512_fmadd_ps(y, fraction, _mm512_set1_ps(1.00000259f));
  // Kept where its reciprocal is a normal number; x / d is as good as 0 there.
  const __m512 d = _mm512_min_ps(_mm512_add_ps(_mm512_scalef_ps(y, t), _mm512_set1_ps(1.0f)),
                                 _mm512_set1_ps(1e37f));
  const __m512 r = _mm512_rcp14_ps(d), q = _mm512_mul_ps(x, r);
  return _mm512_fmadd_ps(_mm512_fnmadd_ps(d, q, x), r, q);  // one Newton step
}

// 16 rows of 16 elements of 4 bytes, turned about their diagonal.
inline void transpose_16(__m512i (&rows)[16]) {
  __m512i t[16];
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    rows[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
    rows[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
    rows[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
    rows[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    t[i] = _mm512_shuffle_i32x4(rows[i], rows[i + 4], 0x88);
    t[i + 4] = _mm512_shuffle_i32x4(rows[i], rows[i + 4], 0xDD);
    t[i + 8] = _mm512_shuffle_i32x4(rows[i + 8], rows[i + 12], 0x88);
    t[i + 12] = _mm512_shuffle_i32x4(rows[i + 8], rows[i + 12], 0xDD);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    rows[i] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0x88);
    rows[i + 8] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0xDD);
    rows[i + 4] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0x88);
    rows[i + 12] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0xDD);
  }
}

}  // namespace assay
