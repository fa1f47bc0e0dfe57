# cython: boundscheck=False, wraparound=False
"""The weighted edit distance, in compiled code: it is asked for nearly every text of a page."""

from libc.stdlib cimport free, malloc

#: What it costs to insert a character of the goal, to change one into another, and to delete one of the text.
cdef long INSERT = 1
cdef long CHANGE = 2
cdef long DELETE = 4


def edit_distance(str text not None, str goal not None):
    """Return what it costs to turn a text into a goal: 1 to insert, 2 to change and 4 to delete a character."""
    cdef Py_ssize_t rows = len(text)
    cdef Py_ssize_t columns = len(goal)
    cdef Py_ssize_t row, column
    cdef long diagonal, above, cost
    cdef Py_UCS4 character
    cdef long *costs = <long *> malloc((columns + 1) * sizeof(long))
    cdef Py_UCS4 *wanted = <Py_UCS4 *> malloc((columns + 1) * sizeof(Py_UCS4))
    if costs == NULL or wanted == NULL:
        free(costs)
        free(wanted)
        raise MemoryError
    try:
        for column in range(columns):
            wanted[column] = goal[column]
        for column in range(columns + 1):
            costs[column] = column * INSERT
        for row in range(rows):
            character = text[row]
            diagonal = costs[0]
            costs[0] += DELETE
            for column in range(columns):
                above = costs[column + 1]
                cost = diagonal if wanted[column] == character else diagonal + CHANGE
                if above + DELETE < cost:
                    cost = above + DELETE
                if costs[column] + INSERT < cost:
                    cost = costs[column] + INSERT
                costs[column + 1] = cost
                diagonal = above
        return costs[columns]
    finally:
        free(costs)
        free(wanted)
