# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled kernel of `trees`. It does no bounds checks, because `TreeNodes` is validated on creation."""

from libc.math cimport isnan
from libc.stdint cimport int32_t, uint8_t

cdef struct Trees:
    const int32_t* feature
    const float* threshold
    const int32_t* left
    const int32_t* right
    const uint8_t* missing_left
    const float* value
    Py_ssize_t width

cdef inline int32_t step(const Trees* trees, int32_t node, const float* row) noexcept nogil:
    """Return the child of an inner node to which a row of features goes."""
    cdef float value = row[trees.feature[node]]
    if value <= trees.threshold[node] or (isnan(value) and trees.missing_left[node]):
        return trees.left[node]
    return trees.right[node]

cdef Trees view_trees(nodes):
    cdef const int32_t[::1] feature = nodes.feature
    cdef const float[::1] threshold = nodes.threshold
    cdef const int32_t[::1] left = nodes.left
    cdef const int32_t[::1] right = nodes.right
    cdef const uint8_t[::1] missing_left = nodes.missing_left
    cdef const float[:, ::1] value = nodes.value
    cdef Trees trees
    trees.feature, trees.threshold = &feature[0], &threshold[0]
    trees.left, trees.right = &left[0], &right[0]
    trees.missing_left, trees.value = &missing_left[0], &value[0, 0]
    trees.width = value.shape[1]
    return trees

def add_scores(nodes not None, const float[:, ::1] rows not None, double[:, ::1] scores not None):
    """Add the trees' outputs to each row's scores."""
    cdef Trees trees = view_trees(nodes)
    cdef const int32_t[::1] root = nodes.root
    cdef const int32_t[::1] column = nodes.column
    cdef Py_ssize_t row, tree, k
    cdef int32_t node
    if not rows.shape[0]:
        return
    with nogil:
        for row in range(rows.shape[0]):
            for tree in range(root.shape[0]):
                node = root[tree]
                while trees.feature[node] >= 0:
                    node = step(&trees, node, &rows[row, 0])
                for k in range(trees.width):
                    scores[row, column[tree] + k] += trees.value[node * trees.width + k]

def add_contributions(nodes not None, const float[:, ::1] rows not None, double[:, :, ::1] contributions not None):
    """Add to each row how far the tests of each feature moved the trees' outputs, per class."""
    cdef Trees trees = view_trees(nodes)
    cdef const int32_t[::1] root = nodes.root
    cdef const int32_t[::1] column = nodes.column
    cdef Py_ssize_t row, tree, k
    cdef int32_t node, child
    if not rows.shape[0]:
        return
    with nogil:
        for row in range(rows.shape[0]):
            for tree in range(root.shape[0]):
                node = root[tree]
                while trees.feature[node] >= 0:
                    child = step(&trees, node, &rows[row, 0])
                    for k in range(trees.width):
                        contributions[row, column[tree] + k, trees.feature[node]] += (
                            <double> trees.value[child * trees.width + k] - <double> trees.value[node * trees.width + k]
                        )
                    node = child
