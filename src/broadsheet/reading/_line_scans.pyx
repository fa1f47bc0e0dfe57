# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled passes over the lines of a page: where its head ends, its lines as columns, and features of each line."""

from libc.math cimport expm1f, log1p, log1pf
from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np

cdef enum:
    OWN = 11  # features of a line itself, followed by those of its page
    STOPS_A_LENGTH = 8
    PAGE = 9

cdef double LONG = 80  # the minimum length of a line of running text
cdef float MAX_LINKS = 0.34  # the maximum share of links in its characters
cdef float DENSE = 1.5  # the additional length of a character of a script without spaces

def head_end(const int32_t[::1] tag not None, const int32_t[::1] parent not None, const int32_t[::1] end not None,
             const int32_t[::1] piece_start not None, const int32_t[::1] piece_end not None, int head,
             const uint8_t[::1] belongs not None):
    """Return the end of the pieces in the first element with the tag `head`, 0 without one.

    It ends at its first child with text whose tag does not belong there.
    """
    cdef Py_ssize_t row = 0, child
    while row < tag.shape[0] and tag[row] != head:
        row += 1
    if row == tag.shape[0]:
        return 0
    child = row + 1
    while child < end[row]:
        if not belongs[tag[child]] and piece_end[child] > piece_start[child]:
            return piece_start[child]
        child = end[child]
    return piece_end[row]

def line_columns(const int32_t[::1] line not None, const int32_t[::1] block not None,
                 const int32_t[::1] all_characters not None, const int32_t[::1] all_words not None,
                 const int32_t[::1] all_link_characters not None, Py_ssize_t begin):
    """Return the columns of `lines.Lines`, for the lines that start at the piece `begin` or later."""
    cdef Py_ssize_t k, row = 0, count = 0, pieces = line.shape[0], stop
    cdef float dense
    while 0 < begin < pieces and line[begin] == line[begin - 1]:
        begin += 1
    for k in range(begin, pieces):
        count += k == begin or line[k] != line[k - 1]
    firsts, ends = np.empty(count, np.int64), np.empty(count, np.int64)
    blocks = np.empty(count, np.int32)
    table = np.empty((5, count), np.float32)
    cdef int64_t[::1] first = firsts
    cdef int64_t[::1] end = ends
    cdef int32_t[::1] block_of = blocks
    cdef float[:, ::1] columns = table
    k = begin
    while k < pieces:
        stop = k + 1
        while stop < pieces and line[stop] == line[k]:
            stop += 1
        first[row], end[row], block_of[row] = k, stop, block[k]
        columns[0, row] = all_characters[stop] - all_characters[k]
        columns[1, row] = all_words[stop] - all_words[k]
        columns[2, row] = all_link_characters[stop] - all_link_characters[k]
        # Alphabetic scripts have hardly more than one word per four letters.
        dense = columns[1, row] - columns[0, row] / 4
        columns[3, row] = columns[0, row] + DENSE * (dense if dense > 0 else 0)
        if columns[3, row] >= LONG and columns[2, row] <= MAX_LINKS * columns[0, row]:
            columns[4, row] = columns[3, row]
        else:
            columns[4, row] = 0
        row += 1
        k = stop
    return firsts, ends, blocks, *table

def own_features(lines not None, sums not None, const int32_t[::1] depth not None, const float[::1] overlap not None,
                 float[:, ::1] rows not None, Py_ssize_t stops):
    """Fill the first columns of `rows` with the features of each line itself and those of the page.

    The column `stops` already holds the logarithm of the number of full stops in each line.
    """
    cdef const int64_t[::1] first = lines.first
    cdef const int64_t[::1] end = lines.end
    cdef const int32_t[::1] block = lines.block
    cdef const float[::1] characters = lines.characters
    cdef const float[::1] words = lines.words
    cdef const float[::1] links = lines.link_characters
    cdef const float[::1] length = lines.length
    cdef const float[::1] running = lines.running
    cdef const int32_t[::1] upper = sums.upper
    cdef const int32_t[::1] digits = sums.digits
    cdef const int32_t[::1] punctuation = sums.punctuation
    cdef Py_ssize_t row, k, count = first.shape[0]
    cdef int number, running_lines = 0
    cdef double all_length = 0, all_links = 0, all_running = 0, all_words = 0, all_characters = 0, longest = 0
    cdef float page[PAGE]
    with nogil:
        for row in range(count):
            all_length += length[row]
            all_links += links[row]
            all_words += words[row]
            all_characters += characters[row]
            longest = max(longest, length[row])
            if running[row] > 0:
                all_running += running[row]
                running_lines += 1
        page[0] = <float> log1p(min(count, 600))
        page[1] = <float> log1p(min(all_length, 30000.0))
        page[2] = <float> (all_links / all_length)
        page[3] = <float> (all_running / all_length)
        page[4] = <float> log1p(min(all_running, 20000.0))
        page[5] = <float> log1p(min(running_lines, 100))
        page[6] = <float> log1p(all_running / max(running_lines, 1))
        page[7] = <float> log1p(min(longest, 2000.0))
        page[8] = <float> all_words / <float> all_characters
        for row in range(count):
            number = digits[end[row]] - digits[first[row]]
            rows[row, 0] = log1pf(min(length[row], <float> 4000))
            rows[row, 1] = log1pf(min(words[row], <float> 4000))
            rows[row, 2] = links[row] / characters[row]
            rows[row, 3] = log1pf(min(characters[row] / max(words[row], <float> 1), <float> 60))
            rows[row, 4] = <float> ((upper[end[row]] - upper[first[row]]) / <double> characters[row])
            rows[row, 5] = <float> (number / <double> characters[row])
            rows[row, 6] = <float> log1p(min(number, 60))
            rows[row, 7] = <float> ((punctuation[end[row]] - punctuation[first[row]]) / <double> characters[row])
            rows[row, STOPS_A_LENGTH] = expm1f(rows[row, stops]) / length[row]
            rows[row, 9] = overlap[row]
            rows[row, 10] = <float> log1p(depth[block[row]])
            for k in range(PAGE):
                rows[row, OWN + k] = page[k]

def choose_in_order(const int64_t[::1] order not None, const float[::1] probabilities not None,
                    const float[::1] words not None):
    """Return a mask of the first lines of an order, as many as maximize the expected F-score of their words."""
    cdef Py_ssize_t k, count = order.shape[0], most = 0
    cdef double all_correct = 0, correct = 0, size = 0, best = -1, expected
    mask = np.zeros(count, np.uint8)
    cdef uint8_t[::1] chosen = mask
    for k in range(count):
        all_correct += <double> probabilities[k] * words[k]
    for k in range(count):
        size += words[order[k]]
        correct += <double> probabilities[order[k]] * words[order[k]]
        expected = 2 * correct / (size + all_correct + 1e-9)
        if expected > best:
            best, most = expected, k + 1
    for k in range(most):
        chosen[order[k]] = True
    return mask

def fill(uint8_t[::1] chosen not None, const float[::1] probabilities not None, const float[::1] links not None,
         Py_ssize_t longest, float least, float most):
    """Choose the lines in gaps of at most `longest` lines that are at least so likely and have at most so many links."""
    cdef Py_ssize_t k, row, last = -1
    for row in range(chosen.shape[0]):
        if not chosen[row]:
            continue
        if last >= 0 and row - last - 1 <= longest:
            for k in range(last + 1, row):
                chosen[k] = probabilities[k] >= least and links[k] <= most
        last = row
