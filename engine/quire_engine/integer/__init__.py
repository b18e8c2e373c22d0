"""Passes in whole numbers: the same bits at any width, with any number of threads, on any processor.

Numbers of a row become digits of 8 bits, and every sum of products is a sum of integers, which has no
rounding and so
no order. What is between the sums is a row's own affair, in an order that is fixed. The law "accelerated
equals plain"
then needs no padding and no self-test of widths, and a text is the same on computers of different kinds.
"""

from quire_engine.integer.kernel_cache import keep_compiled_kernels

keep_compiled_kernels()
