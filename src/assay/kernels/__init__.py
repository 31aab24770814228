"""The hot operators in C++, for processors that have AVX-512 with VNNI and bfloat16.

`library` builds nothing: the shared library is compiled when the package is installed, if there is
a compiler, and loaded when first wanted. `native` calls it with tensors. Whoever uses it has a
PyTorch way of doing the same for where there is no library or no such processor.
"""
