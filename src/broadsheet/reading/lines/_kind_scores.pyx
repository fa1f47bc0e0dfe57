# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A compiled pass over some lines of a page: how much each looks like one kind of line."""

from libc.stdint cimport int32_t, int64_t

def kind_scores(list pieces not None, int kind, const int64_t[::1] first not None, const float[:, ::1] rows not None,
                const int32_t[:, ::1] words not None, const int32_t[::1] counts not None,
                const float[::1] mean not None, const float[::1] deviation not None,
                const float[:, ::1] features not None, const float[:, ::1] word_weights not None,
                const float[::1] bias not None, double limit):
    """Return the log-odds of the lines of some pieces, which are not before the first line.

    `LineKinds` has the same names for its weights, and checks their shapes.
    """
    cdef Py_ssize_t line, number
    cdef double score, value
    cdef list scores = []
    for piece in pieces:
        line = line_of(first, piece)
        score = bias[kind]
        for number in range(rows.shape[1]):
            value = (rows[line, number] - mean[number]) / deviation[number]
            value = -limit if value < -limit else limit if value > limit else value
            score += value * features[number, kind]
        for number in range(counts[line]):
            if words[line, number] >= word_weights.shape[0]:
                raise ValueError("the lines were measured with another vocabulary than that of the weights")
            score += word_weights[words[line, number], kind]
        scores.append(score)
    return scores

cdef Py_ssize_t line_of(const int64_t[::1] first, int64_t piece) noexcept:
    """Return the last line that does not begin after a piece, or the first line."""
    cdef Py_ssize_t low = 0, high = first.shape[0], middle
    while high - low > 1:
        middle = (low + high) // 2
        if first[middle] <= piece:
            low = middle
        else:
            high = middle
    return low
