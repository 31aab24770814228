// Working memory of a call: grows to the largest that a thread has asked for, and goes with it.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace assay {

class Scratch {
 public:
  // At least `bytes`, valid until this thread asks again; null if there is no memory.
  static char* reserve(int64_t bytes) {
    static thread_local Scratch scratch;
    bytes = (bytes + 4095) / 4096 * 4096;
    if (bytes > scratch.capacity_) {
      std::free(scratch.memory_);
      scratch.memory_ = static_cast<char*>(std::aligned_alloc(4096, bytes));
      scratch.capacity_ = scratch.memory_ ? bytes : 0;
    }
    return scratch.memory_;
  }

 private:
  ~Scratch() { std::free(memory_); }

  char* memory_ = nullptr;
  int64_t capacity_ = 0;
};

// Hands out a stretch of memory from its beginning, each piece on cache lines of its own.
class Pieces {
 public:
  // What 16 pieces may take beyond their sizes.
  static constexpr int64_t kSpare = 64 * 16;

  explicit Pieces(char* memory) : next_(memory) {}

  template <typename T>
  T* take(int64_t count) {
    T* piece = reinterpret_cast<T*>(next_);
    next_ += (count * static_cast<int64_t>(sizeof(T)) + 63) / 64 * 64;
    return piece;
  }

 private:
  char* next_;
};

}  // namespace assay
