# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The compiled part of `columns`: sorts the nodes of a page by their tags."""

from libc.stdint cimport int32_t

import numpy as np

def sort_by_tag(const int32_t[::1] tag not None, Py_ssize_t codes):
    """Return all rows, those of each tag together and in order, and where those of each code begin.

    Codes are below `codes`, which the table ends with, so that the rows of a tag end where those of the next begin.
    """
    cdef Py_ssize_t row, size = tag.shape[0], code
    ordered, begin = np.empty(size, np.int32), np.zeros(codes + 1, np.int32)
    cdef int32_t[::1] rows = ordered
    cdef int32_t[::1] place = begin
    with nogil:
        for row in range(size):
            place[tag[row]] += 1
        # First the end of each tag's rows; filling them from the last to the first leaves where they begin.
        for code in range(1, codes + 1):
            place[code] += place[code - 1]
        for row in range(size - 1, -1, -1):
            place[tag[row]] -= 1
            rows[place[tag[row]]] = <int32_t> row
    ordered.setflags(write=False)
    return ordered, begin.tolist()
