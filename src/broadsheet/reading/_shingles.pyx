# cython: boundscheck=False, wraparound=False, cdivision=True
"""One pass over a text that hashes its shingles and keeps the smallest of them, without a copy of the text."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memmove

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t index) nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 character) nogil

# As in document/characters.py.
cdef enum:
    LETTER = 2
    UPPER = 3
    MARK = 4
    DIGIT = 5
    UNSPACED = 9
    INVISIBLE = 10

cdef enum:
    WORD_UNITS = 2  # a word weighs as much as two characters of a script without spaces
    MAX_TOKENS = 64  # of one shingle

cdef uint64_t SEED = 0x9E3779B97F4A7C15
cdef uint64_t FACTOR = 0xFF51AFD7ED558CCD

cdef inline uint64_t mixed(uint64_t value) noexcept nogil:
    value ^= value >> 33
    value *= FACTOR
    value ^= value >> 33
    value *= <uint64_t>0xC4CEB9FE1A85EC53
    return value ^ value >> 33

cdef struct Window:
    uint64_t token[MAX_TOKENS]
    uint8_t units[MAX_TOKENS]
    unsigned int first
    unsigned int last
    int weight
    int wanted

cdef struct Smallest:
    uint32_t* values
    Py_ssize_t number
    Py_ssize_t size

cdef inline void keep(Smallest* kept, uint32_t value) noexcept nogil:
    """Insert a value into the sorted, distinct ones, of which the largest may fall out."""
    cdef Py_ssize_t low = 0, high = kept.number, middle
    if kept.number == kept.size and value >= kept.values[kept.number - 1]:
        return
    while low < high:
        middle = (low + high) >> 1
        if kept.values[middle] < value:
            low = middle + 1
        else:
            high = middle
    if low < kept.number and kept.values[low] == value:
        return
    if kept.number < kept.size:
        kept.number += 1
    memmove(&kept.values[low + 1], &kept.values[low], (kept.number - low - 1) * sizeof(uint32_t))
    kept.values[low] = value

cdef inline void push(Window* window, uint64_t token, uint8_t units, Smallest* kept) noexcept nogil:
    """Add a token to the window; if it is full, keep the hash of its tokens."""
    cdef unsigned int at
    cdef uint64_t value
    window.token[window.last % MAX_TOKENS] = token
    window.units[window.last % MAX_TOKENS] = units
    window.last += 1
    window.weight += units
    while window.weight - window.units[window.first % MAX_TOKENS] >= window.wanted:
        window.weight -= window.units[window.first % MAX_TOKENS]
        window.first += 1
    if window.weight >= window.wanted:
        value = SEED
        for at in range(window.first, window.last):
            value = (value ^ window.token[at % MAX_TOKENS]) * FACTOR
            value ^= value >> 29
        keep(kept, <uint32_t> (mixed(value) >> 32))

def smallest(str text not None, const uint8_t[::1] classes not None, int words, Py_ssize_t size):
    """Return the smallest distinct hashes of a text's shingles, sorted, as 32-bit numbers in the machine's order."""
    if not 0 < words * WORD_UNITS <= MAX_TOKENS or size < 1 or classes.shape[0] < 0x110000:
        raise ValueError("shingles of 1 to 32 words, at least one of them, and the classes of all code points")
    cdef Smallest kept = Smallest(<uint32_t*> malloc((size + 1) * sizeof(uint32_t)), 0, size)
    if kept.values == NULL:
        raise MemoryError
    cdef Window window
    window.first, window.last, window.weight, window.wanted = 0, 0, 0, words * WORD_UNITS
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i, length = PyUnicode_GET_LENGTH(text)
    cdef Py_UCS4 character
    cdef uint8_t its_class
    cdef uint64_t word = 0
    with nogil:
        for i in range(length):
            character = PyUnicode_READ(kind, data, i)
            its_class = classes[character]
            if its_class == INVISIBLE:
                continue
            if its_class == LETTER or its_class == UPPER or its_class == DIGIT or (its_class == MARK and word):
                if its_class == UPPER:
                    character = Py_UNICODE_TOLOWER(character)
                word = ((word if word else SEED) ^ <uint64_t> character) * FACTOR
                word ^= word >> 32
                continue
            if word:
                push(&window, word, WORD_UNITS, &kept)
                word = 0
            if its_class == UNSPACED:
                push(&window, mixed(<uint64_t> character), 1, &kept)
        if word:
            push(&window, word, WORD_UNITS, &kept)
    try:
        return (<char*> kept.values)[: kept.number * sizeof(uint32_t)]
    finally:
        free(kept.values)

def overlap(bytes one not None, bytes other not None, Py_ssize_t size):
    """Return how many hashes two texts share, and how many each has, of those that both would have kept."""
    cdef Py_ssize_t first = len(one) // sizeof(uint32_t), second = len(other) // sizeof(uint32_t)
    if not first or not second:
        return 0, 0, 0
    # The content of a bytes object is aligned.
    cdef const uint32_t* a = <const uint32_t*> <const char*> one
    cdef const uint32_t* b = <const uint32_t*> <const char*> other
    cdef uint32_t last = <uint32_t> -1
    cdef Py_ssize_t i = 0, j = 0, shared = 0
    # A text with fewer shingles than are kept has all of them here.
    if first == size:
        last = a[first - 1]
    if second == size and b[second - 1] < last:
        last = b[second - 1]
    with nogil:
        while i < first and j < second and a[i] <= last and b[j] <= last:
            if a[i] == b[j]:
                shared += 1
                i += 1
                j += 1
            elif a[i] < b[j]:
                i += 1
            else:
                j += 1
        while i < first and a[i] <= last:
            i += 1
        while j < second and b[j] <= last:
            j += 1
    return shared, i, j
