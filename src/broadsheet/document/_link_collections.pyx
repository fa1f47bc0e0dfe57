# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled part of `link_collections`: groups similar links, climbing the tree level by level."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import os

import numpy as np

cdef enum:
    HIGHEST_CLIMB = 64  # a link without a similar one within this many levels is alone in its collection

cdef struct Group:
    # A container (or the path to it), together with the path from it down to its links.
    uint64_t place
    uint64_t shape
    int32_t number
    int32_t last_item
    int32_t items

cdef inline uint64_t mix(uint64_t value, uint64_t added) noexcept nogil:
    """Mix a number into a hash with the finaliser of splitmix64, which is the same on every platform."""
    value = (value ^ added) + <uint64_t> 0x9E3779B97F4A7C15
    value = (value ^ value >> 30) * <uint64_t> 0xBF58476D1CE4E5B9
    value = (value ^ value >> 27) * <uint64_t> 0x94D049BB133111EB
    return value ^ value >> 31

cdef struct State:
    int32_t* at
    int32_t* live
    uint64_t* shape
    Group* groups
    Py_ssize_t mask
    uint64_t seed  # random, so that no page can make all its links collide

cdef inline Group* slot_of(State* state, uint64_t place, uint64_t shape) noexcept nogil:
    """Return the group of this place and shape; a new one has no items."""
    cdef Group* groups = state.groups
    cdef Py_ssize_t slot = mix(mix(state.seed, shape), place) & state.mask
    while groups[slot].items and (groups[slot].place != place or groups[slot].shape != shape):
        slot = (slot + 1) & state.mask
    groups[slot].place = place
    groups[slot].shape = shape
    return &groups[slot]

cdef uint64_t path_of(int32_t node, const int32_t[::1] parent, const int32_t[::1] tag) noexcept nogil:
    """Return a hash of the tags from a node up to the root."""
    cdef uint64_t path = 0
    while node >= 0:
        path = mix(path, <uint64_t> tag[node])
        node = parent[node]
    return path

cdef void find_containers(
    State* state, Py_ssize_t size, const int32_t[::1] parent, const int32_t[::1] tag,
    int32_t[::1] container, uint64_t[::1] shape,
) noexcept nogil:
    """Climb from all links at once; each stops at the first ancestor where two children lead to similar links."""
    cdef Group* group
    cdef Py_ssize_t remaining = size
    cdef Py_ssize_t climbing
    cdef Py_ssize_t k
    cdef int32_t link
    cdef int32_t above
    cdef int climb
    for climb in range(HIGHEST_CLIMB):
        memset(state.groups, 0, (state.mask + 1) * sizeof(Group))
        for k in range(remaining):
            link = state.live[k]
            state.shape[link] = mix(state.shape[link], <uint64_t> tag[state.at[link]])
            group = slot_of(state, parent[state.at[link]], state.shape[link])
            if not group.items or group.last_item != state.at[link]:
                group.last_item = state.at[link]
                group.items += 1
        climbing = 0
        for k in range(remaining):
            link = state.live[k]
            above = parent[state.at[link]]
            group = slot_of(state, above, state.shape[link])
            container[link] = above
            shape[link] = state.shape[link]
            if group.items < 2 and above >= 0:
                state.at[link] = above
                state.live[climbing] = link
                climbing += 1
        remaining = climbing
        if not remaining:
            return
        # Shrink the table along with the remaining links, so that clearing it never costs more than filling it.
        while state.mask > 15 and state.mask + 1 > 4 * remaining:
            state.mask >>= 1

cdef int32_t number_collections(
    State* state, Py_ssize_t size, const int32_t[::1] container, const uint64_t[::1] shape,
    int32_t[::1] collection, int32_t[::1] position, int32_t[::1] first,
) noexcept nogil:
    """Number the collections by their first links, and the links within each; return the number of collections."""
    cdef Group* group
    cdef int32_t collections = 0
    cdef Py_ssize_t k
    for k in range(size):
        group = slot_of(state, container[k], shape[k])
        if not group.items:
            group.number = collections
            first[collections] = k
            collections += 1
        collection[k] = group.number
        position[k] = group.items
        group.items += 1
    return collections

cdef void hash_identities(
    State* state, int32_t collections, const int32_t[::1] first, const int32_t[::1] container,
    const uint64_t[::1] shape, const int32_t[::1] parent, const int32_t[::1] tag, uint64_t[::1] identity,
) noexcept nogil:
    """Hash each collection's path to its container, its shape, and its number among those equal in both."""
    cdef Group* group
    cdef uint64_t path
    cdef int32_t k
    for k in range(collections):
        path = path_of(container[first[k]], parent, tag)
        group = slot_of(state, path, shape[first[k]])
        identity[k] = mix(mix(path, shape[first[k]]), <uint64_t> group.items)
        group.items += 1

cdef int begin(State* state, Py_ssize_t size) except -1:
    """Allocate the tables for so many links; `end` has to free them, even if this fails."""
    cdef Py_ssize_t capacity = 16
    memset(state, 0, sizeof(State))
    while capacity < 2 * size:
        capacity *= 2
    state.mask = capacity - 1
    state.seed = int.from_bytes(os.urandom(8), "little")
    state.at = <int32_t*> malloc((size + 1) * sizeof(int32_t))
    state.live = <int32_t*> malloc((size + 1) * sizeof(int32_t))
    state.shape = <uint64_t*> malloc((size + 1) * sizeof(uint64_t))
    state.groups = <Group*> malloc(capacity * sizeof(Group))
    if state.at == NULL or state.live == NULL or state.shape == NULL or state.groups == NULL:
        raise MemoryError
    return 0

cdef void end(State* state) noexcept nogil:
    free(state.at)
    free(state.live)
    free(state.shape)
    free(state.groups)

cdef int32_t group(
    State* state, const int32_t[::1] parent, const int32_t[::1] tag, const int32_t[::1] node, const int32_t[::1] style,
    int32_t[::1] container, uint64_t[::1] shape, int32_t[::1] collection, int32_t[::1] position, int32_t[::1] first,
) noexcept nogil:
    """Group the links and return the number of collections; the table is empty before and after."""
    cdef Py_ssize_t size = node.shape[0]
    cdef Py_ssize_t mask = state.mask
    cdef Py_ssize_t k
    cdef int32_t collections
    for k in range(size):
        state.at[k] = node[k]
        state.live[k] = k
        state.shape[k] = <uint32_t> style[k]
    find_containers(state, size, parent, tag, container, shape)
    state.mask = mask
    memset(state.groups, 0, (mask + 1) * sizeof(Group))
    collections = number_collections(state, size, container, shape, collection, position, first)
    memset(state.groups, 0, (mask + 1) * sizeof(Group))
    return collections

def group_links(
    const int32_t[::1] parent not None, const int32_t[::1] tag not None,
    const int32_t[::1] node not None, const int32_t[::1] style not None,
):
    """Return each link's collection and position in it, and each collection's container and identity."""
    cdef Py_ssize_t size = node.shape[0]
    cdef int32_t collections
    cdef State state
    containers, numbers, positions, firsts = (np.empty(size, np.int32) for _ in range(4))
    shapes, identities = (np.empty(size, np.uint64) for _ in range(2))
    cdef int32_t[::1] container = containers
    cdef int32_t[::1] collection = numbers
    cdef int32_t[::1] position = positions
    cdef int32_t[::1] first = firsts
    cdef uint64_t[::1] shape = shapes
    cdef uint64_t[::1] identity = identities
    try:
        begin(&state, size)
        with nogil:
            collections = group(&state, parent, tag, node, style, container, shape, collection, position, first)
            hash_identities(&state, collections, first, container, shape, parent, tag, identity)
    finally:
        end(&state)
    return numbers, positions, containers[firsts[:collections]], identities[:collections].copy()

def largest_group(
    const int32_t[::1] parent not None, const int32_t[::1] tag not None,
    const int32_t[::1] node not None, const int32_t[::1] style not None,
    const int32_t[::1] piece_start not None, const int32_t[::1] piece_end not None,
    const int32_t[::1] words not None, int least,
):
    """Return the largest number of links with at least so many words in one collection.

    `words` are the prefix sums over the pieces of the page.
    """
    cdef Py_ssize_t size = node.shape[0]
    cdef Py_ssize_t k
    cdef int32_t largest = 0
    cdef State state
    table = np.empty((4, size), np.int32)
    shapes = np.empty(size, np.uint64)
    cdef int32_t[:, ::1] columns = table
    cdef uint64_t[::1] shape = shapes
    cdef int32_t[::1] collection = columns[1]
    cdef int32_t[::1] often = columns[2]
    try:
        begin(&state, size)
        with nogil:
            group(&state, parent, tag, node, style, columns[0], shape, collection, often, columns[3])
            for k in range(size):
                often[k] = 0
            for k in range(size):
                if words[piece_end[node[k]]] - words[piece_start[node[k]]] >= least:
                    often[collection[k]] += 1
                    largest = max(largest, often[collection[k]])
    finally:
        end(&state)
    return largest
