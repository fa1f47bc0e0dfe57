# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled kernel of `setting_grid`. It does no bounds checks, because its caller makes all arrays itself."""

import numpy as np

from libc.float cimport DBL_EPSILON, DBL_MAX, FLT_MAX
from libc.math cimport fabs
from libc.stdint cimport int32_t, uint8_t, uint16_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cdef extern from "_mismatch.h" nogil:
    int LANES
    void mark_mismatches(const uint16_t* column, uint16_t value, uint16_t bit, uint16_t* marks, Py_ssize_t size)
    int sum_mismatches(const float* table, const uint16_t* marks, Py_ssize_t stride, Py_ssize_t words,
                       const float* limits, float* sums)

cdef enum:
    BLOCK = 512

cdef extern from "_votes.h" nogil:
    int32_t winner(const int32_t* votes, const int32_t* rank, Py_ssize_t classes, int* tied)

cdef struct Nearest:
    # The nearest distances of one setting, ascending, and the votes per class at each.
    Py_ssize_t size
    Py_ssize_t classes
    double* distances
    int32_t* votes

cdef void add_row(Nearest* nearest, double distance, const int32_t* first, const int32_t* codes,
                  const int32_t* counts, Py_ssize_t row) noexcept nogil:
    """Add a row to the nearest distances; rows at the same distance vote together."""
    cdef Py_ssize_t place, later
    cdef Py_ssize_t width = nearest.classes
    cdef int32_t entry
    for place in range(nearest.size):
        if fabs(distance - nearest.distances[place]) < DBL_EPSILON:
            break
        if distance < nearest.distances[place]:
            for later in range(nearest.size - 1, place, -1):
                nearest.distances[later] = nearest.distances[later - 1]
                memcpy(nearest.votes + later * width, nearest.votes + (later - 1) * width, width * sizeof(int32_t))
            nearest.distances[place] = distance
            memset(nearest.votes + place * width, 0, width * sizeof(int32_t))
            break
    else:
        return
    for entry in range(first[row], first[row + 1]):
        nearest.votes[place * width + codes[entry]] += counts[entry]

cdef void choose(const Nearest* nearest, const int32_t* identical, const int32_t* rank, int32_t* sums,
                 uint8_t* result) noexcept nogil:
    """Write the class for every number of nearest distances but the last, which only resolves ties."""
    cdef Py_ssize_t k, code
    cdef Py_ssize_t width = nearest.classes
    cdef int tied, still_tied
    cdef int32_t best, second
    memset(sums, 0, 2 * width * sizeof(int32_t))
    for k in range(nearest.size - 1):
        for code in range(width):
            sums[code] += nearest.votes[k * width + code]
        if k == 0 and identical != NULL:
            memcpy(sums + width, identical, width * sizeof(int32_t))
        else:
            memcpy(sums + width, sums, width * sizeof(int32_t))
        best = winner(sums + width, rank, width, &tied)
        if tied:
            for code in range(width):
                sums[width + code] += nearest.votes[(k + 1) * width + code]
            second = winner(sums + width, rank, width, &still_tied)
            if not still_tied:
                best = second
        result[k] = <uint8_t> best

def classify(const uint16_t[:, ::1] columns not None, const uint16_t[:, ::1] queries not None,
             const int32_t[::1] starts not None, const double[:, :, ::1] exact not None,
             const float[:, :, ::1] table not None, Py_ssize_t settings,
             const int32_t[::1] first not None, const int32_t[::1] codes not None,
             const int32_t[::1] counts not None, const uint8_t[::1] stored not None, const int32_t[::1] rank not None,
             Py_ssize_t most):
    """Return the class of every query for every setting of the weights and every k up to `most`."""
    cdef Py_ssize_t features = columns.shape[0]
    cdef Py_ssize_t size = columns.shape[1]
    cdef Py_ssize_t classes = rank.shape[0]
    cdef Py_ssize_t words = table.shape[0] // 2
    cdef Py_ssize_t blocks = (size + BLOCK - 1) // BLOCK
    result_array = np.zeros((queries.shape[0], settings, most), np.uint8)
    cdef uint8_t[:, :, ::1] result = result_array
    cdef Py_ssize_t query, step, block, begin, width, row, setting, feature, position, word
    cdef int32_t entry
    cdef bint has_identical
    cdef double distance
    cdef float sums[8]
    cdef float limits[8]
    cdef uint16_t* marks = <uint16_t*> malloc(words * BLOCK * sizeof(uint16_t))
    cdef double* distances = <double*> malloc(settings * (most + 1) * sizeof(double))
    cdef int32_t* votes = <int32_t*> malloc(settings * (most + 1) * classes * sizeof(int32_t))
    cdef int32_t* scratch = <int32_t*> malloc(3 * classes * sizeof(int32_t))
    cdef Nearest nearest
    nearest.size, nearest.classes = most + 1, classes
    if marks == NULL or distances == NULL or votes == NULL or scratch == NULL:
        free(marks)
        free(distances)
        free(votes)
        free(scratch)
        raise MemoryError("no memory for the nearest distances")
    with nogil:
        for query in range(queries.shape[0]):
            for setting in range(8):
                limits[setting] = FLT_MAX if setting < settings else -1.0
            for position in range(settings * (most + 1)):
                distances[position] = DBL_MAX
            memset(votes, 0, settings * (most + 1) * classes * sizeof(int32_t))
            memset(scratch, 0, 3 * classes * sizeof(int32_t))
            has_identical = False
            for step in range(blocks):
                # The block where the query would be stored comes first: what is there lowers the limits soonest.
                block = (starts[query] // BLOCK + step) % blocks
                begin = block * BLOCK
                width = min(<Py_ssize_t> BLOCK, size - begin)
                memset(marks, 0, words * BLOCK * sizeof(uint16_t))
                for feature in range(features):
                    mark_mismatches(&columns[feature, begin], queries[query, feature],
                                    <uint16_t> (1 << (feature % 16)), marks + (feature // 16) * BLOCK, width)
                for row in range(width):
                    if not sum_mismatches(&table[0, 0, 0], marks + row, BLOCK, words, limits, sums):
                        continue
                    if not stored[begin + row]:
                        continue
                    for setting in range(settings):
                        if sums[setting] > limits[setting]:
                            continue
                        distance = 0.0
                        for word in range(words):
                            distance += exact[2 * word, marks[word * BLOCK + row] & 255, setting]
                            distance += exact[2 * word + 1, marks[word * BLOCK + row] >> 8, setting]
                        nearest.distances = distances + setting * (most + 1)
                        nearest.votes = votes + setting * (most + 1) * classes
                        add_row(&nearest, distance, &first[0], &codes[0], &counts[0], begin + row)
                        if nearest.distances[most] < DBL_MAX:
                            # Sums of floats are only close: what may still be as near is compared exactly.
                            limits[setting] = <float> (nearest.distances[most] * 1.00001 + 1e-6)
                    for word in range(words):
                        if marks[word * BLOCK + row]:
                            break
                    else:
                        has_identical = True
                        for entry in range(first[begin + row], first[begin + row + 1]):
                            scratch[2 * classes + codes[entry]] += counts[entry]
            for setting in range(settings):
                nearest.distances = distances + setting * (most + 1)
                nearest.votes = votes + setting * (most + 1) * classes
                choose(&nearest, scratch + 2 * classes if has_identical else NULL, &rank[0], scratch,
                       &result[query, setting, 0])
    free(marks)
    free(distances)
    free(votes)
    free(scratch)
    return result_array
