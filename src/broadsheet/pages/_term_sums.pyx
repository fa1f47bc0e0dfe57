# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled part of `term_model`: sums of the weights of a page's terms, and the terms that weigh most."""

from libc.stdint cimport int32_t

cdef int check_terms(const int32_t[::1] found, Py_ssize_t known) except -1:
    cdef Py_ssize_t k
    for k in range(found.shape[0]):
        if not 0 <= found[k] < known:
            raise IndexError(f"there is no term {found[k]}")
    return 0

def sum_terms(const int32_t[::1] found not None, const double[:, ::1] weights not None, double[::1] sums not None):
    """Add the weights of the terms found to the sums, one per kind."""
    cdef Py_ssize_t k, kind
    check_terms(found, weights.shape[0])
    for k in range(found.shape[0]):
        for kind in range(sums.shape[0]):
            sums[kind] += weights[found[k], kind]

def strongest_terms(
    const int32_t[::1] found not None, const float[:, ::1] weights not None, int kind, int rival, float factor,
    float least, int most,
):
    """Return the terms found that speak most for one kind against another, the strongest first, at most so many.

    Of equal ones, the first comes first. A term counts by the difference of its weights times the factor, which has to
    be `least` or more.
    """
    cdef Py_ssize_t k, at
    cdef int32_t strongest[8]
    cdef float margins[8]
    cdef float margin
    cdef Py_ssize_t size = 0
    if most > 8:
        raise ValueError("at most 8 terms can be named")
    check_terms(found, weights.shape[0])
    for k in range(found.shape[0]):
        margin = factor * (weights[found[k], kind] - weights[found[k], rival])
        if margin < least or size == most and margin <= margins[size - 1]:
            continue
        at = size if size < most else size - 1
        while at > 0 and margins[at - 1] < margin:
            margins[at], strongest[at] = margins[at - 1], strongest[at - 1]
            at -= 1
        margins[at], strongest[at] = margin, found[k]
        size += size < most
    return [strongest[k] for k in range(size)]
