# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The attributes of a page as columns, and the compiled passes over them."""

from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memset

from broadsheet.document._tables cimport (
    DONE, NO_MEMORY, Buffer, Table, append_bytes, release_table, reserve, rows_of, text_of,
)

import os

import numpy as np

from broadsheet.document._attribute_names import CODES, NAMES, TOKENS

cdef enum:
    MAX_WANTED = 16  # attributes asked for at once
    OTHER_CODE = 0
    # The 32-bit FNV-1a hash.
    HASH_FACTOR = 16777619

cdef enum:
    T_NODE = 0
    T_KIND, T_START, T_END, TOKEN_COLUMNS

cdef dict CODE_OF = CODES
cdef list NAME_BYTES = [name.encode() for name in NAMES]
# The codes of those that hold tokens come first.
cdef int32_t LAST_TOKENS = len(TOKENS)

cdef struct Wanted:
    # An attribute that is asked for: its code and, if it has none of its own, its name.
    int32_t code
    const char* name
    Py_ssize_t length

cdef Wanted wanted(str name) except *:
    cdef Wanted asked
    asked.code = CODE_OF.get(name, OTHER_CODE)
    asked.name = PyUnicode_AsUTF8AndSize(name, &asked.length)
    return asked

cdef inline bint is_space(char byte) noexcept nogil:
    return byte == 32 or 9 <= byte <= 13 and byte != 11

cdef class Attributes:
    """One row per attribute, in document order.

    `first` is where the attributes of each node begin. The other columns are the code of the name, and the beginning and end
    of the value in `text`. A name without a code of its own is written before its value, with a NUL byte in between.
    """

    cdef readonly tuple columns
    cdef readonly bytes text
    cdef const int32_t[::1] first, name, start, end
    cdef const char* content

    def __init__(self, first, columns, bytes text not None):
        """Keep the columns."""
        self.columns = (first, *columns)
        self.text, self.content = text, text
        self.first, self.name, self.start, self.end = self.columns

    cdef inline Py_ssize_t end_of(self, Py_ssize_t node) noexcept nogil:
        return self.first[node + 1] if node + 1 < self.first.shape[0] else self.name.shape[0]

    cdef inline Py_ssize_t name_start(self, Py_ssize_t row) noexcept nogil:
        """Return where the name of an attribute without a code begins; it ends one byte before the value."""
        return self.end[row - 1] if row else 0

    cdef Py_ssize_t find(self, Py_ssize_t node, const Wanted* asked) noexcept nogil:
        """Return the row of a node's attribute, -1 if it has none of this name."""
        cdef Py_ssize_t row, start
        for row in range(self.first[node], self.end_of(node)):
            if self.name[row] != asked.code:
                continue
            if asked.code != OTHER_CODE:
                return row
            start = self.name_start(row)
            if (
                self.start[row] - 1 - start == asked.length
                and memcmp(self.content + start, asked.name, asked.length) == 0
            ):
                return row
        return -1

    cdef value(self, Py_ssize_t node, const Wanted* asked):
        cdef Py_ssize_t row
        if not 0 <= node < self.first.shape[0]:
            raise IndexError("there is no such row")
        row = self.find(node, asked)
        if row < 0:
            return None
        return PyUnicode_DecodeUTF8(self.content + self.start[row], self.end[row] - self.start[row], NULL)

    def get(self, Py_ssize_t node, str name not None):
        """Return the value of a node's attribute, None if it has none of this name."""
        cdef Wanted asked = wanted(name)
        return self.value(node, &asked)

    def values(self, list nodes not None, tuple names not None):
        """Return the values of some attributes of each node, None for those that it does not have."""
        cdef Wanted asked[MAX_WANTED]
        cdef Py_ssize_t node, k
        cdef list found = []
        if len(names) > MAX_WANTED:
            raise ValueError(f"at most {MAX_WANTED} attributes can be asked for at once")
        for k in range(len(names)):
            asked[k] = wanted(names[k])
        for node in nodes:
            values = PyTuple_New(len(names))
            for k in range(len(names)):
                value = self.value(node, &asked[k])
                Py_INCREF(value)
                PyTuple_SET_ITEM(values, k, value)
            found.append(values)
        return found

    def rows_with(self, str name not None):
        """Return the nodes that have an attribute, each with its value, in document order."""
        cdef Wanted asked = wanted(name)
        cdef Py_ssize_t node, row
        cdef list found = []
        if asked.code == OTHER_CODE:
            raise ValueError(f"{name!r} has no code in `_attribute_names`")
        for node in range(self.first.shape[0]):
            for row in range(self.first[node], self.end_of(node)):
                if self.name[row] == asked.code:
                    found.append((node, self.text[self.start[row]:self.end[row]].decode()))
        return found

    def names(self, Py_ssize_t node):
        """Return the names of a node's attributes."""
        if not 0 <= node < self.first.shape[0]:
            raise IndexError("there is no such row")
        rows = range(self.first[node], self.end_of(node))
        return [self.written_name(row).decode() for row in rows]

    cdef bytes written_name(self, Py_ssize_t row):
        if self.name[row] != OTHER_CODE:
            return NAME_BYTES[self.name[row]]
        return self.text[self.name_start(row):self.start[row] - 1]

    def tokens(self):
        """Return the words in the attributes of `Tokens.KINDS`: their text, and node, kind, start and end of each."""
        cdef Table table
        cdef Buffer text
        cdef int status
        memset(&table, 0, sizeof(table))
        memset(&text, 0, sizeof(text))
        table.columns = TOKEN_COLUMNS
        try:
            with nogil:
                status = self.collect_tokens(&table, &text)
            if status:
                raise MemoryError
            return text_of(&text), *np.frombuffer(rows_of(&table), np.int32).reshape(TOKEN_COLUMNS, table.size)
        finally:
            release_table(&table)
            free(text.data)

    cdef int collect_tokens(self, Table* tokens, Buffer* text) noexcept nogil:
        cdef Py_ssize_t node, row
        cdef int status
        for node in range(self.first.shape[0]):
            for row in range(self.first[node], self.end_of(node)):
                if 0 < self.name[row] <= LAST_TOKENS:
                    status = self.split(row, node, tokens, text)
                    if status:
                        return status
        return DONE

    cdef int split(self, Py_ssize_t row, Py_ssize_t node, Table* tokens, Buffer* text) noexcept nogil:
        """Add the words of one attribute."""
        cdef Py_ssize_t at = text.size
        cdef Py_ssize_t start
        cdef int status = append_bytes(text, self.content + self.start[row], self.end[row] - self.start[row])
        if status:
            return status
        while at < text.size:
            while at < text.size and is_space(text.data[at]):
                at += 1
            start = at
            while at < text.size and not is_space(text.data[at]):
                at += 1
            if at > start:
                if reserve(tokens):
                    return NO_MEMORY
                tokens.column[T_NODE][tokens.size] = node
                tokens.column[T_KIND][tokens.size] = self.name[row] - 1
                tokens.column[T_START][tokens.size] = start
                tokens.column[T_END][tokens.size] = at
                tokens.size += 1
        return DONE

    def sets(self, list valued not None, list named not None):
        """Return the index of each node's attribute set, and the distinct sets as bytes.

        A set has the `valued` attributes with their values, and the `named` ones without, in the order of the page:
        names and values, each ended by a NUL byte.
        """
        cdef Sets sets
        cdef Py_ssize_t node
        cdef int status = DONE
        relevant = {name.encode(): counted for names, counted in ((named, NAMED), (valued, VALUED)) for name in names}
        codes = np.zeros(len(NAMES), np.int8)
        for name, counted in relevant.items():
            codes[CODE_OF.get(name.decode(), OTHER_CODE)] = counted
        indices = np.empty(self.first.shape[0], np.int32)
        cdef int32_t[::1] view = indices
        cdef int8_t[::1] counts = codes
        memset(&sets, 0, sizeof(sets))
        sets.seed = int.from_bytes(os.urandom(4), "little")
        try:
            if grow_sets(&sets):
                raise MemoryError
            sets.start[0] = 0
            for node in range(view.shape[0]):
                status = self.write_set(node, &sets, &counts[0], relevant)
                if status or (sets.size == sets.capacity and grow_sets(&sets)):
                    raise MemoryError
                view[node] = intern_set(&sets)
            return indices, [sets.text.data[sets.start[k]:sets.start[k + 1]] for k in range(sets.size)]
        finally:
            free(sets.text.data)
            free(sets.start)
            free(sets.hash)
            free(sets.slots)

    cdef int write_set(self, Py_ssize_t node, Sets* sets, const int8_t* counts, dict relevant) except -1:
        """Write the relevant attributes of a node after those of the last set."""
        cdef Py_ssize_t row
        cdef int counted, status = DONE
        cdef bytes name
        for row in range(self.first[node], self.end_of(node)):
            counted = counts[self.name[row]]
            if counted == IGNORED:
                continue
            name = self.written_name(row)
            if self.name[row] == OTHER_CODE:
                counted = relevant.get(name, IGNORED)
                if counted == IGNORED:
                    continue
            status = append_bytes(&sets.text, <const char*> name, len(name)) or append_bytes(&sets.text, b"\0", 1)
            if not status and counted == VALUED:
                status = append_bytes(
                    &sets.text, self.content + self.start[row], self.end[row] - self.start[row]
                )
            status = status or append_bytes(&sets.text, b"\0", 1)
            if status:
                return status
        return DONE

cdef enum:
    # How an attribute counts: not at all, by its presence, or with its value.
    IGNORED, NAMED, VALUED

cdef struct Sets:
    # Distinct attribute sets, serialised one after another into one buffer and looked up by their hash.
    Buffer text
    Py_ssize_t* start
    uint32_t* hash
    int32_t* slots
    int32_t size
    int32_t capacity
    uint32_t seed  # random, so that no page can make all its sets collide

cdef int grow_sets(Sets* sets) noexcept nogil:
    cdef int32_t capacity = 2 * sets.capacity if sets.capacity else 1024
    cdef void* start = realloc(sets.start, (capacity + 1) * sizeof(Py_ssize_t))
    cdef void* hashes
    cdef void* slots
    cdef int32_t k
    cdef uint32_t slot
    if start == NULL:
        return NO_MEMORY
    sets.start = <Py_ssize_t*> start
    hashes = realloc(sets.hash, capacity * sizeof(uint32_t))
    if hashes == NULL:
        return NO_MEMORY
    sets.hash = <uint32_t*> hashes
    slots = realloc(sets.slots, 2 * capacity * sizeof(int32_t))
    if slots == NULL:
        return NO_MEMORY
    sets.slots = <int32_t*> slots
    sets.capacity = capacity
    memset(sets.slots, 0xFF, 2 * capacity * sizeof(int32_t))
    for k in range(sets.size):
        slot = sets.hash[k] % (2 * capacity)
        while sets.slots[slot] >= 0:
            slot = (slot + 1) % (2 * capacity)
        sets.slots[slot] = k
    return DONE

cdef int32_t intern_set(Sets* sets) noexcept nogil:
    """Return the index of the set just written at the end; a duplicate is removed from the buffer."""
    cdef Py_ssize_t start = sets.start[sets.size]
    cdef Py_ssize_t length = sets.text.size - start
    cdef uint32_t value = sets.seed
    cdef uint32_t slot
    cdef int32_t known
    cdef Py_ssize_t k
    for k in range(start, sets.text.size):
        value = (value ^ <uint8_t> sets.text.data[k]) * HASH_FACTOR
    slot = value % (2 * sets.capacity)
    while sets.slots[slot] >= 0:
        known = sets.slots[slot]
        if (
            sets.hash[known] == value and sets.start[known + 1] - sets.start[known] == length
            and memcmp(sets.text.data + sets.start[known], sets.text.data + start, length) == 0
        ):
            sets.text.size = start
            return known
        slot = (slot + 1) % (2 * sets.capacity)
    sets.slots[slot] = sets.size
    sets.hash[sets.size] = value
    sets.start[sets.size + 1] = sets.text.size
    sets.size += 1
    return sets.size - 1
