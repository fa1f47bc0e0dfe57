# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The compiled parts of `link_history` and `_pairs`: what is done for every link of every visit."""

from libc.stdlib cimport free, malloc, qsort

cdef struct Occurrence:
    long long collection
    long long target
    int place


cdef int by_place(const void* one, const void* other) noexcept nogil:
    cdef const Occurrence* a = <const Occurrence*> one
    cdef const Occurrence* b = <const Occurrence*> other
    if a.collection != b.collection:
        return -1 if a.collection < b.collection else 1
    if a.target != b.target:
        return -1 if a.target < b.target else 1
    return -1 if a.place < b.place else 1


def number_names(dict known, names, long long[::1] numbers):
    """Write the number of each name; new ones get the next."""
    cdef Py_ssize_t place = 0
    for name in names:
        found = known.get(name)
        if found is None:
            found = known[name] = len(known)
        numbers[place] = found
        place += 1


def sort_occurrences(
    const long long[::1] collections,
    const long long[::1] targets,
    const int[::1] positions,
    long long[:, ::1] occurrences,
    int[::1] sorted_positions,
):
    """Write collection, target and number among equals of each link, in the order of all three, and their positions."""
    cdef Py_ssize_t size = targets.shape[0], row
    cdef long long number = 0
    cdef Occurrence* links = <Occurrence*> malloc(max(size, 1) * sizeof(Occurrence))
    if links is NULL:
        raise MemoryError
    for row in range(size):
        links[row] = Occurrence(collections[row], targets[row], <int> row)
    qsort(links, size, sizeof(Occurrence), &by_place)
    for row in range(size):
        if row and links[row].collection == links[row - 1].collection and links[row].target == links[row - 1].target:
            number += 1
        else:
            number = 0
        occurrences[row, 0], occurrences[row, 1], occurrences[row, 2] = links[row].collection, links[row].target, number
        sorted_positions[row] = positions[links[row].place]
    free(links)


def compare_occurrences(
    const long long[:, ::1] before,
    const int[::1] earlier,
    const long long[:, ::1] after,
    const int[::1] later,
    long long[::1] comparisons,
    long long[::1] moves,
):
    """Count for its target each occurrence that two visits share, and whether its position changed.

    Both are sorted as `sort_occurrences` writes them.
    """
    cdef Py_ssize_t one = 0, other = 0, column
    cdef long long difference, target
    while one < before.shape[0] and other < after.shape[0]:
        difference = 0
        for column in range(3):
            if before[one, column] != after[other, column]:
                difference = -1 if before[one, column] < after[other, column] else 1
                break
        if difference < 0:
            one += 1
        elif difference > 0:
            other += 1
        else:
            target = after[other, 1]
            comparisons[target] += 1
            moves[target] += earlier[one] != later[other]
            one += 1
            other += 1


def count_snapshot(
    const long long[::1] targets,
    double at,
    long long snapshot,
    long long[::1] linked,
    long long[::1] newest,
    long long[::1] first,
    double[::1] first_seen,
    double[::1] last_seen,
):
    """Count a snapshot for each of some distinct targets; a time that is not known yet is NaN."""
    cdef Py_ssize_t place
    cdef long long target
    for place in range(targets.shape[0]):
        target = targets[place]
        if newest[target] != snapshot:
            linked[target] += 1
            newest[target] = snapshot
        if first[target] < 0:
            first[target] = snapshot
        if not first_seen[target] <= at:
            first_seen[target] = at
        if not last_seen[target] >= at:
            last_seen[target] = at
