# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled kernel of `net`: sums of word embeddings. It does no bounds checks, because `Net` is validated on creation."""

from libc.stdint cimport int8_t, int32_t

def add_rows(const int32_t[:, ::1] words not None, const int32_t[::1] counts not None,
             const int8_t[:, ::1] rows not None, const float[::1] scale not None, float[:, ::1] sums not None):
    """Add to each line of `sums` the scaled embeddings of its words, the first `counts` entries of its row in `words`.

    Embeddings are bytes because the cost is memory access: there are many rows, scattered over a large table.
    """
    cdef Py_ssize_t line, k, i, width = rows.shape[1]
    cdef const int8_t* row
    cdef float* total
    cdef float step
    if not words.shape[0]:
        return
    with nogil:
        for line in range(words.shape[0]):
            total = &sums[line, 0]
            for k in range(counts[line]):
                row, step = &rows[words[line, k], 0], scale[words[line, k]]
                for i in range(width):
                    total[i] += step * row[i]
