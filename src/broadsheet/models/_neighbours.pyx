# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled kernel of `instance_base`. It does no bounds checks, because `InstanceBase` is validated on creation."""

import numpy as np

from libc.float cimport DBL_EPSILON, DBL_MAX
from libc.math cimport fabs
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cdef extern from "_votes.h" nogil:
    int32_t winner(const int32_t* votes, const int32_t* rank, Py_ssize_t classes, int* tied)

cdef struct Search:
    # The rows, and how often each class occurs with each row: entries [first[row], first[row + 1]).
    const int32_t* rows
    const int32_t* first
    const int32_t* classes
    const int32_t* counts
    Py_ssize_t features
    Py_ssize_t class_count
    # The tree of rows with common prefixes.
    const int32_t* low
    const int32_t* depth
    const int32_t* child
    const int32_t* child_end
    # The query.
    const double* weights
    const double* scales
    const int32_t* query
    # The nearest distances so far, and the class counts at each.
    Py_ssize_t k
    double* distances
    int32_t* votes

cdef inline double difference(const Search* s, Py_ssize_t column, int32_t value) noexcept nogil:
    """Return the weighted difference of one feature: overlap, or the scaled distance of two numbers."""
    if s.query[column] == value:
        return 0.0
    if s.scales[column] > 0.0:
        return fabs(<double> s.query[column] - <double> value) / s.scales[column] * s.weights[column]
    return s.weights[column]

cdef inline bint is_stored(const Search* s, int32_t row) noexcept nogil:
    """Return whether a row still counts: all its instances may have been taken out."""
    cdef int32_t entry
    for entry in range(s.first[row], s.first[row + 1]):
        if s.counts[entry] > 0:
            return True
    return False

cdef void add_votes(const Search* s, int32_t row, int32_t* votes) noexcept nogil:
    cdef int32_t entry
    for entry in range(s.first[row], s.first[row + 1]):
        votes[s.classes[entry]] += s.counts[entry]

cdef void add_row(Search* s, int32_t row, double distance) noexcept nogil:
    """Add a row to the nearest distances; rows at the same distance vote together."""
    cdef Py_ssize_t place, later
    cdef Py_ssize_t width = s.class_count
    if not is_stored(s, row):
        return
    for place in range(s.k):
        if fabs(distance - s.distances[place]) < DBL_EPSILON:
            add_votes(s, row, s.votes + place * width)
            return
        if distance < s.distances[place]:
            for later in range(s.k - 1, place, -1):
                s.distances[later] = s.distances[later - 1]
                memcpy(s.votes + later * width, s.votes + (later - 1) * width, width * sizeof(int32_t))
            s.distances[place] = distance
            memset(s.votes + place * width, 0, width * sizeof(int32_t))
            add_votes(s, row, s.votes + place * width)
            return

cdef inline bint too_far(const Search* s, double distance) noexcept nogil:
    return distance > s.distances[s.k - 1] + DBL_EPSILON

cdef int32_t insertion_point(const Search* s, int32_t node, Py_ssize_t column, int32_t value) noexcept nogil:
    """Return the first child of a node whose value in a column is at least the given one."""
    cdef int32_t start = s.child[node]
    cdef int32_t end = s.child_end[node]
    cdef int32_t middle
    while start < end:
        middle = (start + end) // 2
        if s.rows[s.low[middle] * s.features + column] < value:
            start = middle + 1
        else:
            end = middle
    return start

cdef void visit(Search* s, int32_t node, Py_ssize_t start, double distance) noexcept nogil:
    """Search below a node, whose distance in the columns before `start` is known."""
    cdef const int32_t* row = s.rows + s.low[node] * s.features
    cdef Py_ssize_t column
    cdef int32_t nearest, below, above, child, value
    cdef double next_below, next_above
    for column in range(start, s.depth[node]):
        distance += difference(s, column, row[column])
        if too_far(s, distance):
            return
    if s.depth[node] == s.features:
        add_row(s, s.low[node], distance)
        return
    column = s.depth[node]
    nearest = insertion_point(s, node, column, s.query[column])
    if s.scales[column] > 0.0:
        # Numbers: from the nearest value outwards, until both sides are too far.
        above, below = nearest, nearest - 1
        while above < s.child_end[node] or below >= s.child[node]:
            next_above = next_below = DBL_MAX
            if above < s.child_end[node]:
                next_above = difference(s, column, s.rows[s.low[above] * s.features + column])
            if below >= s.child[node]:
                next_below = difference(s, column, s.rows[s.low[below] * s.features + column])
            if next_above <= next_below:
                child = above
                above += 1
            else:
                child = below
                below -= 1
                next_above = next_below
            if too_far(s, distance + next_above):
                return
            visit(s, child, column + 1, distance + next_above)
        return
    # Symbols: the child with the same value first, because it lowers the limit for the others.
    value = s.query[column]
    if nearest < s.child_end[node] and s.rows[s.low[nearest] * s.features + column] == value:
        visit(s, nearest, column + 1, distance)
    else:
        nearest = -1
    distance += s.weights[column]
    for child in range(s.child[node], s.child_end[node]):
        if too_far(s, distance):
            return
        if child != nearest:
            visit(s, child, column + 1, distance)

cdef int32_t identical(const Search* s) noexcept nogil:
    """Return the row that equals the query in all features and still counts, or -1."""
    cdef int32_t node = 0
    cdef int32_t found
    cdef Py_ssize_t column = 0
    cdef const int32_t* row
    while True:
        row = s.rows + s.low[node] * s.features
        while column < s.depth[node]:
            if row[column] != s.query[column]:
                return -1
            column += 1
        if column == s.features:
            return s.low[node] if is_stored(s, s.low[node]) else -1
        found = insertion_point(s, node, column, s.query[column])
        if found == s.child_end[node]:
            return -1
        node = found

cdef void search(Search* s, Py_ssize_t k) noexcept nogil:
    """Find the k nearest distances to the query."""
    cdef Py_ssize_t place
    s.k = k
    memset(s.votes, 0, k * s.class_count * sizeof(int32_t))
    for place in range(k):
        s.distances[place] = DBL_MAX
    visit(s, 0, 0, 0.0)

cdef int32_t classify_one(Search* s, Py_ssize_t k, const int32_t* rank, int32_t* votes, double* distance) noexcept nogil:
    """Return the class of the query: that of the k nearest distances, of one more if they tie."""
    cdef Py_ssize_t place, code
    cdef int tied, still_tied
    cdef int32_t best, second
    cdef int32_t row = identical(s) if k == 1 else -1
    memset(votes, 0, s.class_count * sizeof(int32_t))
    if row >= 0:
        add_votes(s, row, votes)
        distance[0] = 0.0
    else:
        search(s, k)
        for place in range(k):
            for code in range(s.class_count):
                votes[code] += s.votes[place * s.class_count + code]
        distance[0] = s.distances[0]
    best = winner(votes, rank, s.class_count, &tied)
    if not tied:
        return best
    search(s, k + 1)
    for code in range(s.class_count):
        s.votes[code] = votes[code] + s.votes[k * s.class_count + code]
    second = winner(s.votes, rank, s.class_count, &still_tied)
    return best if still_tied else second

def classify(base not None, const int32_t[:, ::1] queries not None, const double[::1] weights not None,
             const double[::1] scales not None, const int32_t[::1] counts not None, const int32_t[::1] rank not None,
             Py_ssize_t k):
    """Return the class, the votes per class and the nearest distance of each query."""
    cdef const int32_t[:, ::1] rows = base.rows
    cdef const int32_t[::1] first = base.first
    cdef const int32_t[::1] classes = base.classes
    cdef const int32_t[::1] low = base.tree.low
    cdef const int32_t[::1] depth = base.tree.depth
    cdef const int32_t[::1] child = base.tree.child
    cdef const int32_t[::1] child_end = base.tree.child_end
    cdef Py_ssize_t number = queries.shape[0]
    cdef Py_ssize_t class_count = rank.shape[0]
    result_array = np.zeros(number, np.int32)
    votes_array = np.zeros((number, class_count), np.int32)
    distance_array = np.zeros(number, np.float64)
    cdef int32_t[::1] result = result_array
    cdef int32_t[:, ::1] votes = votes_array
    cdef double[::1] distance = distance_array
    cdef Py_ssize_t row
    cdef Search s
    if not number:
        return result_array, votes_array, distance_array
    s.rows, s.first, s.classes, s.counts = &rows[0, 0], &first[0], &classes[0], &counts[0]
    s.features, s.class_count = rows.shape[1], class_count
    s.low, s.depth, s.child, s.child_end = &low[0], &depth[0], &child[0], &child_end[0]
    s.weights, s.scales = &weights[0], &scales[0]
    s.distances = <double*> malloc((k + 1) * sizeof(double))
    s.votes = <int32_t*> malloc((k + 1) * class_count * sizeof(int32_t))
    if s.distances == NULL or s.votes == NULL:
        free(s.distances)
        free(s.votes)
        raise MemoryError("no memory for the nearest distances")
    with nogil:
        for row in range(number):
            s.query = &queries[row, 0]
            result[row] = classify_one(&s, k, &rank[0], &votes[row, 0], &distance[row])
    free(s.distances)
    free(s.votes)
    return result_array, votes_array, distance_array

def grow(const int32_t[:, ::1] rows not None):
    """Return the tree of distinct rows in ascending order, as columns: first row, branching column, children.

    The subtree of a node is the range of rows that agree in all columns before its own.
    """
    cdef Py_ssize_t size = rows.shape[0]
    cdef Py_ssize_t features = rows.shape[1]
    common_array = np.zeros(size, np.int32)
    table = np.zeros((5, 2 * size), np.int32)
    cdef int32_t[::1] common = common_array
    cdef int32_t[:, ::1] nodes = table
    cdef Py_ssize_t node = 0
    cdef Py_ssize_t end = 1
    cdef Py_ssize_t row, start
    cdef int32_t shortest
    with nogil:
        for row in range(1, size):
            while common[row] < features and rows[row, common[row]] == rows[row - 1, common[row]]:
                common[row] += 1
        nodes[1, 0] = <int32_t> size
        while node < end:
            shortest = <int32_t> features
            for row in range(nodes[0, node] + 1, nodes[1, node]):
                if common[row] < shortest:
                    shortest = common[row]
            nodes[2, node] = shortest
            if nodes[1, node] - nodes[0, node] > 1:
                nodes[3, node] = <int32_t> end
                start = nodes[0, node]
                for row in range(nodes[0, node] + 1, nodes[1, node] + 1):
                    if row == nodes[1, node] or common[row] == shortest:
                        nodes[0, end] = <int32_t> start
                        nodes[1, end] = <int32_t> row
                        end += 1
                        start = row
                nodes[4, node] = <int32_t> end
            node += 1
    # The end of each node's rows is needed only while the tree grows.
    return [table[column, :end].copy() for column in (0, 2, 3, 4)]
