# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled part of `line_features`: the elements around lines, repetition, and the position of lines."""

from libc.math cimport log1pf
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

cdef enum:
    LEVELS = 6  # ancestors considered per line, each with more lines than the one before
    FAR = 60  # longer distances are capped
    SUMS = 5

cdef float FURTHER = 0.7  # the weight of text one level further down for the wider container
cdef float MIN_COST = 30.0  # the minimum penalty of a line that is not running text
cdef float LONGEST = 4000.0
cdef float MOST = 200.0

cdef enum:
    LOGARITHMS = 4002  # the largest cap, 0, and one more to interpolate to

cdef float logarithms[LOGARITHMS]
cdef Py_ssize_t number
for number in range(LOGARITHMS):
    logarithms[number] = log1pf(number)

cdef inline float log_capped(float count, float cap) noexcept nogil:
    """Return log(1 + count), with the count capped.

    Logarithms are interpolated from a table, because computing them took half of the time.
    """
    cdef float capped = count if count < cap else cap
    cdef Py_ssize_t index = <Py_ssize_t>capped
    return logarithms[index] + (capped - index) * (logarithms[index + 1] - logarithms[index])

cdef inline float log_distance(Py_ssize_t distance) noexcept nogil:
    if distance < 0:
        return -log_capped(-distance, FAR)
    return log_capped(distance, FAR)

cdef inline float share(float amount, float total) noexcept nogil:
    return amount / (total if total > 1 else 1)

cdef struct Lines:
    Py_ssize_t count
    const int32_t* block
    const float* length
    const float* characters
    const float* links
    const float* running

cdef struct Elements:
    Py_ssize_t count
    const int32_t* tag
    const int32_t* parent
    int32_t* first  # the lines inside: [first, end)
    int32_t* end
    int32_t* widest  # the outermost element with the same lines
    int32_t* children

cdef struct Output:
    float* rows
    Py_ssize_t width
    Py_ssize_t column

cdef inline void put(Output* out, Py_ssize_t row, Py_ssize_t offset, float value) noexcept nogil:
    out.rows[row * out.width + out.column + offset] = value

cdef void find_ranges(Elements* elements, const int32_t* piece_start, const int32_t* piece_end,
                      const int32_t* line_of_piece) noexcept nogil:
    cdef Py_ssize_t i
    cdef int32_t parent
    for i in range(elements.count):
        elements.first[i] = line_of_piece[piece_start[i]]
        elements.end[i] = line_of_piece[piece_end[i]]
        parent = elements.parent[i]
        elements.widest[i] = <int32_t>i
        if parent >= 0:
            elements.children[parent] += 1
            if elements.first[parent] == elements.first[i] and elements.end[parent] == elements.end[i]:
                elements.widest[i] = elements.widest[parent]

cdef inline int32_t around(const Elements* elements, int32_t node) noexcept nogil:
    """Return the nearest ancestor with more lines, or the root."""
    cdef int32_t parent = elements.parent[elements.widest[node]]
    return parent if parent >= 0 else 0

cdef void add_sums(const Lines* lines, double* sums) noexcept nogil:
    cdef Py_ssize_t i, k
    for i in range(lines.count):
        for k in range(SUMS):
            sums[(i + 1) * SUMS + k] = sums[i * SUMS + k]
        sums[(i + 1) * SUMS] += lines.length[i]
        sums[(i + 1) * SUMS + 1] += lines.links[i]
        sums[(i + 1) * SUMS + 2] += lines.characters[i]
        sums[(i + 1) * SUMS + 3] += lines.running[i]
        sums[(i + 1) * SUMS + 4] += lines.running[i] > 0

cdef void put_levels(const Lines* lines, const Elements* elements, const double* sums, Output* out) noexcept nogil:
    cdef Py_ssize_t row, level
    cdef int32_t node, first, end
    cdef float length, count, total = sums[lines.count * SUMS]
    cdef const double* low
    cdef const double* high
    for row in range(lines.count):
        node = lines.block[row]
        for level in range(LEVELS):
            first, end = elements.first[node], elements.end[node]
            low, high = &sums[first * SUMS], &sums[end * SUMS]
            length, count = high[0] - low[0], end - first
            put(out, row, level * 9, log_capped(count, MOST))
            put(out, row, level * 9 + 1, log_capped(length, LONGEST))
            put(out, row, level * 9 + 2, share(length, total))
            put(out, row, level * 9 + 3, share(high[1] - low[1], high[2] - low[2]))
            put(out, row, level * 9 + 4, share(high[3] - low[3], length))
            put(out, row, level * 9 + 5, log_capped(high[4] - low[4], MOST))
            put(out, row, level * 9 + 6, log_capped(share(length, count), LONGEST))
            put(out, row, level * 9 + 7, share(row - first, count))
            put(out, row, level * 9 + 8, log_capped(elements.children[node], MOST))
            node = around(elements, node)
    out.column += LEVELS * 9

cdef struct Group:
    uint64_t key
    int32_t lines
    float length
    float running
    float links
    float characters

cdef inline Group* group_of(Group* groups, Py_ssize_t mask, uint64_t key) noexcept nogil:
    """Return the group of a key, or the free slot for it."""
    cdef Py_ssize_t slot = <Py_ssize_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> 32) & mask
    while groups[slot].lines and groups[slot].key != key:
        slot = (slot + 1) & mask
    return &groups[slot]

cdef void put_repeats(const Lines* lines, const uint64_t* keys, Group* groups, Py_ssize_t mask,
                      float running, Output* out) noexcept nogil:
    """Write the number of lines with the same key, and their text."""
    cdef Py_ssize_t row
    cdef Group* group
    for row in range(lines.count):
        group = group_of(groups, mask, keys[row])
        group.key = keys[row]
        group.lines += 1
        group.length += lines.length[row]
        group.running += lines.running[row]
        group.links += lines.links[row]
        group.characters += lines.characters[row]
    for row in range(lines.count):
        group = group_of(groups, mask, keys[row])
        put(out, row, 0, log_capped(group.lines, MOST))
        put(out, row, 1, log_capped(group.length, LONGEST))
        put(out, row, 2, log_capped(group.length / group.lines, LONGEST))
        put(out, row, 3, share(group.running, running))
        put(out, row, 4, share(group.links, group.characters))
    out.column += 5

cdef void find_keys(const Lines* lines, const Elements* elements, const uint64_t* names, const int32_t* inner,
                    int kind, uint64_t* keys) noexcept nogil:
    """Compute the keys by which lines are grouped: 0 the names of their elements, 1 their paths, 2 both."""
    cdef Py_ssize_t row, step
    cdef int32_t node
    cdef uint64_t alike, path
    for row in range(lines.count):
        node = lines.block[row]
        alike = names[node] * 31 + <uint64_t>elements.tag[node]
        path = <uint64_t>elements.tag[node]
        for step in range(4):
            node = elements.parent[node] if elements.parent[node] > 0 else 0
            path = path * 211 + <uint64_t>elements.tag[node]
        if kind == 0:
            keys[row] = alike
        elif kind == 1:
            keys[row] = path
        else:
            keys[row] = path * 1000003 + alike * 7 + <uint64_t>elements.tag[inner[row]]

cdef void put_container(const Lines* lines, const Elements* elements, int32_t container, float text_share,
                        int32_t* scratch, Output* out) noexcept nogil:
    """Write the positions of lines relative to an element; `scratch` is zeroed space for one more number than lines."""
    cdef Py_ssize_t row, chain = 0
    cdef int32_t node = container, first = elements.first[container], end = elements.end[container]
    cdef int32_t first_text = first, last_text = end, inside
    while node >= 0:
        scratch[elements.first[node]] += 1
        scratch[elements.end[node]] -= 1
        chain += 1
        node = elements.parent[node]
    for row in range(first, end):
        if lines.running[row] > 0:
            last_text = <int32_t>row
    for row in range(end - 1, first - 1, -1):
        if lines.running[row] > 0:
            first_text = <int32_t>row
    for row in range(lines.count):
        if row:
            scratch[row] += scratch[row - 1]
        inside = first <= row < end
        put(out, row, 0, inside)
        put(out, row, 1, log_distance(row - first))
        put(out, row, 2, log_distance(end - row))
        put(out, row, 3, share(row - first, end - first) if inside else (-1 if row < first else 2))
        put(out, row, 4, log_distance(row - first_text))
        put(out, row, 5, log_distance(row - last_text))
        put(out, row, 6, log_capped(chain - scratch[row], FAR))
        put(out, row, 7, text_share)
        put(out, row, 8, around(elements, lines.block[row]) == container)
    for row in range(lines.count + 1):
        scratch[row] = 0
    out.column += 9

cdef void put_containers(const Lines* lines, const Elements* elements, float running, float* direct, float* wider,
                         int32_t* scratch, Output* out) noexcept nogil:
    """Write the positions of lines relative to the element whose own paragraphs have most text, and to a wider one."""
    cdef Py_ssize_t row
    cdef int32_t node, best = 0, widest = 0
    for row in range(lines.count):
        node = around(elements, lines.block[row])
        direct[node] += lines.running[row]
        wider[node] += lines.running[row]
        wider[around(elements, node)] += FURTHER * lines.running[row]
    for row in range(elements.count):
        if direct[row] > direct[best]:
            best = <int32_t>row
        if wider[row] > wider[widest]:
            widest = <int32_t>row
    put_container(lines, elements, best, share(direct[best], running), scratch, out)
    put_container(lines, elements, widest, share(wider[widest], running), scratch, out)

cdef void put_places(const Lines* lines, const double* sums, float longest, Output* out) noexcept nogil:
    """Write the positions of lines on the page, and relative to running text and to the best run of it."""
    cdef Py_ssize_t row, start = 0, lowest_at = 0, best_start = 0, best_end = 0, last = -FAR
    cdef double total = 0, lowest = 0, best = 0, page_length = sums[lines.count * SUMS]
    cdef double running = sums[lines.count * SUMS + 3]
    for row in range(lines.count):
        if lines.running[row] > 0:
            total += lines.length[row]
        else:
            total -= lines.length[row] if lines.length[row] > MIN_COST else MIN_COST
        if total - lowest > best:
            best, best_start, best_end = total - lowest, lowest_at, row + 1
        if total < lowest:
            lowest, lowest_at = total, row + 1
    for row in range(lines.count):
        if lines.running[row] > 0:
            last = row
        put(out, row, 0, share(row, lines.count))
        put(out, row, 1, share(lines.length[row], longest))
        put(out, row, 2, share(sums[row * SUMS], page_length))
        put(out, row, 3, share(sums[row * SUMS + 3], running))
        put(out, row, 4, log_distance(row - last))
        put(out, row, 6, log_distance(row - best_start))
        put(out, row, 7, log_distance(best_end - row))
        put(out, row, 8, best_start <= row < best_end)
    last = lines.count + FAR
    for row in range(lines.count - 1, -1, -1):
        if lines.running[row] > 0:
            last = row
        put(out, row, 5, log_distance(last - row))
    out.column += 9

cdef void put_headings(const Lines* lines, const Elements* elements, const int32_t* level_of_tag, Py_ssize_t title,
                       Output* out) noexcept nogil:
    """Write the positions of lines relative to the headings before them, the first `h1`, and the title's line or -1."""
    cdef Py_ssize_t row, last = -1, first = -1
    cdef int32_t level, before = 0, count = 0
    for row in range(lines.count):
        level = level_of_tag[elements.tag[lines.block[row]]]
        if level:
            last, before = row, level
            count += 1
            if level == 1 and first < 0:
                first = row
        put(out, row, 0, level == 1)
        put(out, row, 1, level == 2)
        put(out, row, 2, level > 2)
        put(out, row, 3, log_distance(row - last) if last >= 0 else log_distance(FAR))
        put(out, row, 4, before / 6.0)
        put(out, row, 5, log_capped(count, FAR))
        put(out, row, 7, log_distance(row - title) if title >= 0 else 0)
        put(out, row, 8, title >= 0)
    for row in range(lines.count):
        put(out, row, 6, log_distance(row - first) if first >= 0 else log_distance(-FAR))
    out.column += 9

def element_lines(const int32_t[::1] parent not None, const int32_t[::1] piece_start not None,
                  const int32_t[::1] piece_end not None, const int64_t[::1] first not None, Py_ssize_t pieces):
    """Return four rows with one column per element: first line, end of its lines, outermost element with the same lines,
    number of children. `first` is the first piece of each line, of so many pieces in all."""
    cdef Elements elements
    cdef Py_ssize_t line = 0, piece
    elements.count = parent.shape[0]
    found = np.zeros((4, elements.count), np.int32)
    cdef int32_t[:, ::1] ranges = found
    cdef int32_t* line_of_piece = <int32_t*> malloc((pieces + 1) * sizeof(int32_t))
    if line_of_piece == NULL:
        raise MemoryError
    for piece in range(pieces + 1):
        # Each line counts from the piece after its first one.
        while line < first.shape[0] and first[line] < piece:
            line += 1
        line_of_piece[piece] = <int32_t> line
    elements.parent = &parent[0]
    elements.first, elements.end = &ranges[0, 0], &ranges[1, 0]
    elements.widest, elements.children = &ranges[2, 0], &ranges[3, 0]
    find_ranges(&elements, &piece_start[0], &piece_end[0], line_of_piece)
    free(line_of_piece)
    return found

def measure(const int32_t[::1] tag not None, const int32_t[::1] parent not None, int32_t[:, ::1] ranges not None,
            const uint64_t[::1] names not None, const int32_t[::1] block not None, const int32_t[::1] inner not None,
            const float[:, ::1] text not None, const int32_t[::1] level_of_tag not None, Py_ssize_t title,
            float[:, ::1] rows not None, Py_ssize_t column):
    """Fill columns of `rows` from `column` on, and return the next free one.

    `ranges` comes from `element_lines`; `names` is a hash of each element's names; `block` and `inner` are the block
    element of each line and the owner of its first piece; the rows of `text` are length, characters, characters in
    links, and running text.
    """
    cdef Lines lines
    cdef Elements elements
    cdef Output out
    lines.count, elements.count = block.shape[0], parent.shape[0]
    if not lines.count:
        return column
    lines.block = &block[0]
    lines.length, lines.characters, lines.links, lines.running = &text[0, 0], &text[1, 0], &text[2, 0], &text[3, 0]
    elements.tag, elements.parent = &tag[0], &parent[0]
    elements.first, elements.end = &ranges[0, 0], &ranges[1, 0]
    elements.widest, elements.children = &ranges[2, 0], &ranges[3, 0]
    out.rows, out.width, out.column = &rows[0, 0], rows.shape[1], column
    cdef Py_ssize_t mask = 1
    while mask < 2 * lines.count:
        mask *= 2
    cdef double* sums = <double*>calloc((lines.count + 1) * SUMS, sizeof(double))
    cdef Group* groups = <Group*>calloc(3 * mask, sizeof(Group))
    cdef uint64_t* keys = <uint64_t*>calloc(lines.count, sizeof(uint64_t))
    cdef float* direct = <float*>calloc(2 * elements.count, sizeof(float))
    cdef int32_t* scratch = <int32_t*>calloc(lines.count + 1, sizeof(int32_t))
    cdef float longest = 0
    cdef Py_ssize_t row
    cdef int kind
    try:
        if not (sums and groups and keys and direct and scratch):
            raise MemoryError
        with nogil:
            for row in range(lines.count):
                longest = lines.length[row] if lines.length[row] > longest else longest
            add_sums(&lines, sums)
            put_levels(&lines, &elements, sums, &out)
            for kind in range(3):
                find_keys(&lines, &elements, &names[0], &inner[0], kind, keys)
                put_repeats(&lines, keys, groups + kind * mask, mask - 1, sums[lines.count * SUMS + 3], &out)
            put_containers(&lines, &elements, sums[lines.count * SUMS + 3], direct, direct + elements.count, scratch, &out)
            put_places(&lines, sums, longest, &out)
            put_headings(&lines, &elements, &level_of_tag[0], title, &out)
        return out.column
    finally:
        free(sums)
        free(groups)
        free(keys)
        free(direct)
        free(scratch)
