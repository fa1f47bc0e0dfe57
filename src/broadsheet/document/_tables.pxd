"""Columns and text that grow while a compiled pass fills them."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, strlen

cdef enum:
    MAX_COLUMNS = 9

cdef enum:
    # What a pass ends with.
    DONE, NO_MEMORY, TOO_DEEP, TOO_LONG

cdef struct Table:
    # Columns of equal length that grow together.
    int32_t* column[MAX_COLUMNS]
    int columns
    Py_ssize_t size
    Py_ssize_t capacity

cdef struct Buffer:
    char* data
    Py_ssize_t size
    Py_ssize_t capacity

cdef inline int grow(Table* table) noexcept nogil:
    # Most pages have fewer rows than this, and moving many columns to larger places takes long.
    cdef Py_ssize_t capacity = 2 * table.capacity if table.capacity else 4096
    cdef void* grown
    cdef int k
    for k in range(table.columns):
        grown = realloc(table.column[k], capacity * sizeof(int32_t))
        if grown == NULL:
            return NO_MEMORY
        table.column[k] = <int32_t*> grown
    table.capacity = capacity
    return DONE

cdef inline int reserve(Table* table) noexcept nogil:
    return grow(table) if table.size == table.capacity else DONE

cdef inline int append_bytes(Buffer* buffer, const char* data, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t capacity = buffer.capacity
    cdef void* grown
    if buffer.size + length > capacity:
        capacity = 2 * (buffer.size + length) + 4096
        if capacity > 0x7FFFFFFF:
            return TOO_LONG
        grown = realloc(buffer.data, capacity)
        if grown == NULL:
            return NO_MEMORY
        buffer.data = <char*> grown
        buffer.capacity = capacity
    memcpy(buffer.data + buffer.size, data, length)
    buffer.size += length
    return DONE

cdef inline int append(Buffer* buffer, const char* data) noexcept nogil:
    return append_bytes(buffer, data, strlen(data))

cdef inline bytes rows_of(Table* table):
    """Return all columns one after another, for one array, which is faster than an array for each."""
    cdef Py_ssize_t length = table.size * sizeof(int32_t)
    cdef bytes content = PyBytes_FromStringAndSize(NULL, table.columns * length)
    cdef int k
    for k in range(table.columns if length else 0):
        memcpy(PyBytes_AS_STRING(content) + k * length, table.column[k], length)
    return content

cdef inline bytes text_of(Buffer* buffer):
    return buffer.data[:buffer.size] if buffer.size else b""

cdef inline void release_table(Table* table) noexcept nogil:
    cdef int k
    for k in range(MAX_COLUMNS):
        free(table.column[k])
