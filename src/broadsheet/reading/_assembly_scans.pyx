# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled passes over the columns that turn labelled pieces into an article: runs of text, XPath steps, times of day."""

from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport int8_t, int32_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

import numpy as np

cdef enum:
    CODES = 256  # the number of tag codes
    NEAR = 4  # at most three characters precede a time
    CLOCK_BYTES = 80

cdef inline bint is_space(uint8_t c) noexcept nogil:
    # As Python's `\s` and `lstrip` have it for str, which count the four separators from 28 on too.
    return c == 32 or 9 <= c <= 13 or 28 <= c <= 31

cdef object plain_text(const char* text, Py_ssize_t start, Py_ssize_t end):
    """Return a text as a browser shows it if that only takes stripping it, as for nearly all text in ASCII, or None."""
    cdef Py_ssize_t at
    while start < end and is_space(text[start]):
        start += 1
    while end > start and is_space(text[end - 1]):
        end -= 1
    for at in range(start, end):
        # A byte beyond ASCII is negative.
        if text[at] < 32 or text[at] == 127 or text[at] == 32 and text[at + 1] == 32:
            return None
    return PyUnicode_DecodeASCII(text + start, end - start, NULL)

def label_runs(const int8_t[::1] labels not None, const int32_t[::1] block not None, const int32_t[::1] line not None,
               const int32_t[::1] start not None, const int32_t[::1] end not None):
    """Group text with the same label on one line, and on lines separated by a single break, leaving out label 0.

    Return the label, the block and the stretches of each run. A stretch is uninterrupted text: its line, and its bytes
    `[start, end)` in the text buffer.
    """
    cdef Py_ssize_t k
    cdef int32_t last_label = 0, last_block = -1, last_line = -1, first = 0, last_end = -1
    cdef list runs = [], stretches = []
    for k in range(labels.shape[0]):
        if not labels[k]:
            continue
        # Block boundaries start a new line as well, so a difference of one within a block is a single `br`.
        if labels[k] != last_label or block[k] != last_block or line[k] - last_line > 1:
            if last_label:
                stretches.append((last_line, first, last_end))
            stretches = []
            runs.append((labels[k], block[k], stretches))
            last_label, last_block, first = labels[k], block[k], start[k]
        elif line[k] != last_line or start[k] != last_end:
            stretches.append((last_line, first, last_end))
            first = start[k]
        last_line, last_end = line[k], end[k]
    if last_label:
        stretches.append((last_line, first, last_end))
    return runs

def plain_runs(list runs not None, bytes text not None):
    """Return the text of each run of one stretch that only has to be stripped, and None for all others."""
    cdef const char* data = text
    cdef Py_ssize_t first, end
    cdef list texts = []
    for _, _, stretches in runs:
        if len(stretches) == 1:
            _, first, end = stretches[0]
            texts.append(plain_text(data, first, end))
        else:
            texts.append(None)
    return texts

def sibling_steps(const int32_t[::1] parent not None, const int32_t[::1] tag not None, const int32_t[::1] end not None,
                  list rows not None, tuple names not None, int unknown, tag_name not None):
    """Return the parent, and the last step of the XPath, of each row and of all its ancestors, as two dictionaries.

    `tag_name` is asked for the names of elements with the tag code `unknown`.
    """
    cdef Py_ssize_t size = parent.shape[0]
    cdef int32_t node, above, child, row
    cdef int32_t tally[CODES]
    cdef dict parents = {}, steps = {}, unknown_steps = {}
    if len(names) > CODES:
        raise ValueError("there are more tag codes than expected")
    cdef int32_t* position = <int32_t*> malloc(2 * size * sizeof(int32_t) + 1)
    cdef int32_t* total = position + size
    cdef uint8_t* counted = <uint8_t*> calloc(2 * size + 1, 1)
    cdef uint8_t* seen = counted + size
    if position == NULL or counted == NULL:
        free(position)
        free(counted)
        raise MemoryError
    memset(tally, 0, sizeof(tally))
    try:
        for row in rows:
            node = row
            while node >= 0 and not seen[node]:
                seen[node] = True
                above = parent[node]
                if above < 0:
                    position[node] = total[node] = 1
                elif not counted[above]:
                    counted[above] = True
                    child = above + 1
                    while child < end[above]:
                        tally[tag[child]] += 1
                        position[child] = tally[tag[child]]
                        child = end[child]
                    if tally[unknown]:
                        unknown_steps |= _unknown_steps(above, tag, end, unknown, tag_name)
                    child = above + 1
                    while child < end[above]:
                        total[child] = tally[tag[child]]
                        child = end[child]
                    child = above + 1
                    while child < end[above]:
                        tally[tag[child]] = 0
                        child = end[child]
                parents[node] = above
                if tag[node] == unknown:
                    steps[node] = unknown_steps[node] if above >= 0 else tag_name(node)
                elif total[node] > 1:
                    steps[node] = f"{names[tag[node]]}[{position[node]}]"
                else:
                    steps[node] = names[tag[node]]
                node = above
    finally:
        free(position)
        free(counted)
    return parents, steps

cdef dict _unknown_steps(int32_t above, const int32_t[::1] tag, const int32_t[::1] end, int unknown, tag_name):
    """Return the last steps of an element's children whose tags have no code of their own."""
    cdef int32_t child = above + 1
    cdef dict positions = {}, counts = {}
    while child < end[above]:
        if tag[child] == unknown:
            name = tag_name(child)
            counts[name] = counts.get(name, 0) + 1
            positions[child] = name, counts[name]
        child = end[child]
    return {child: f"{name}[{number}]" if counts[name] > 1 else name for child, (name, number) in positions.items()}

cdef inline bint goes_on(const uint8_t[::1] text, Py_ssize_t i, Py_ssize_t limit) noexcept nogil:
    """Tell whether a number may be an hour: at most two digits, and then a separator or "am" or "pm"."""
    cdef int number = 0
    while i < limit and 48 <= text[i] <= 57:
        i += 1
        number += 1
    if i < limit and is_space(text[i]):
        i += 1
    return number <= 2 and i < limit and (text[i] >= 128 or (<Py_UCS4> text[i]) in u":.hHaApP")

cdef inline bint is_letter_byte(uint8_t c) noexcept nogil:
    """Tell whether a byte begins only letters in UTF-8: of Cyrillic, Chinese and Korean, whose pages have many lines."""
    return c == 0xD0 or c == 0xD1 or 0xE5 <= c <= 0xE9 or c == 0xEB or c == 0xEC

def clock_candidates(const uint8_t[::1] text not None, const int32_t[::1] start not None,
                     const int32_t[::1] digits not None):
    """Return the pieces that may begin with a time of day: with an hour after at most three other characters.

    `digits` are the prefix sums of the pieces' digits. What follows most characters outside ASCII is not checked.
    """
    cdef Py_ssize_t k, i, limit, count = start.shape[0]
    cdef int seen
    cdef uint8_t c
    cdef list pieces = []
    for k in range(count):
        # No piece is blank, so the first digit is within as many pieces.
        if digits[min(k + NEAR, count)] == digits[k]:
            continue
        i, limit = start[k], min(start[k] + CLOCK_BYTES, text.shape[0])
        while i < limit and is_space(text[i]):
            i += 1
        for seen in range(NEAR):
            if i >= limit:
                break
            c = text[i]
            if is_letter_byte(c):
                break
            if c >= 128 or 48 <= c <= 57 and goes_on(text, i, limit):
                pieces.append(k)
                break
            if 48 <= c <= 57:
                break
            if 97 <= (c | 32) <= 122 or c == 95:
                break
            i += 1
    return pieces

def short_links(bytes text not None, const int32_t[::1] start not None, const int32_t[::1] end not None, int most):
    """Return the links of at most `most` bytes, and those that are only a query, given their bytes `[start, end)`."""
    cdef Py_ssize_t row
    cdef const char* data = text
    return [row for row in range(start.shape[0]) if end[row] - start[row] <= most or data[start[row]] == b"?"]

def mark_slices(const int32_t[::1] start not None, const int32_t[::1] end not None, Py_ssize_t length):
    """Return which of `length` positions are in at least one of the slices, which may nest or overlap."""
    cdef Py_ssize_t k
    cdef int32_t* change = <int32_t*> calloc(length + 1, sizeof(int32_t))
    if change == NULL:
        raise MemoryError
    for k in range(start.shape[0]):
        change[start[k]] += 1
        change[end[k]] -= 1
    return covered(change, length)

def mark_elements(const int32_t[::1] tag not None, bytes wanted not None, const int32_t[::1] start not None,
                  const int32_t[::1] end not None, Py_ssize_t length):
    """Return which of `length` positions are in the slice of a node with one of the `wanted` tags, a byte for each."""
    cdef Py_ssize_t k
    cdef const char* is_wanted = wanted
    cdef int32_t* change = <int32_t*> calloc(length + 1, sizeof(int32_t))
    if change == NULL:
        raise MemoryError
    for k in range(tag.shape[0]):
        if is_wanted[tag[k]]:
            change[start[k]] += 1
            change[end[k]] -= 1
    return covered(change, length)

cdef covered(int32_t* change, Py_ssize_t length):
    """Return which positions are inside, given the changes of depth at each, which are freed."""
    cdef Py_ssize_t k
    cdef int32_t depth = 0
    mask = np.empty(length, np.bool_)
    cdef uint8_t[::1] is_covered = mask.view(np.uint8)
    for k in range(length):
        depth += change[k]
        is_covered[k] = depth > 0
    free(change)
    return mask
