// Working memory of a call: grows to the largest that a thread has asked for, and goes with it.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace assay {

class Scratch {
 public:
  static Scratch& of_thread() {
    static thread_local Scratch scratch;
    return scratch;
  }

  ~Scratch() { std::free(memory_); }

  // Forgets what was taken. Returns whether `bytes` (counting 64 for each piece) can be taken.
  bool reserve(int64_t bytes) {
    taken_ = 0;
    bytes = (bytes + 64 * 16 + 4095) / 4096 * 4096;
    if (bytes <= capacity_) return true;
    std::free(memory_);
    memory_ = static_cast<char*>(std::aligned_alloc(4096, bytes));
    capacity_ = memory_ ? bytes : 0;
    return memory_ != nullptr;
  }

  template <typename T>
  T* take(int64_t count) {
    T* piece = reinterpret_cast<T*>(memory_ + taken_);
    taken_ += (count * static_cast<int64_t>(sizeof(T)) + 63) / 64 * 64;
    return piece;
  }

 private:
  char* memory_ = nullptr;
  int64_t capacity_ = 0;
  int64_t taken_ = 0;
};

}  // namespace assay
