"""The compiled part of `deadline`: a native thread that can end the process while other code holds the GIL."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cdef extern from "<pthread.h>" nogil:
    ctypedef unsigned long pthread_t
    int pthread_create(pthread_t* thread, const void* attributes, void* (*start)(void*) noexcept nogil, void* argument)
    int pthread_detach(pthread_t thread)

cdef extern from "<unistd.h>" nogil:
    int usleep(unsigned int microseconds)
    ssize_t write(int descriptor, const void* data, size_t size)
    void _exit(int code)

cdef extern from * nogil:
    int ACQUIRE "__ATOMIC_ACQUIRE"
    int RELEASE "__ATOMIC_RELEASE"
    int __atomic_load_n(int* value, int order)
    void __atomic_store_n(int* value, int added, int order)

cdef enum:
    STEP = 20_000  # microseconds between two checks

cdef struct Watch:
    long long left
    int code
    size_t size
    char* line
    int over

cdef void* watch(void* argument) noexcept nogil:
    cdef Watch* own = <Watch*> argument
    while not __atomic_load_n(&own.over, ACQUIRE):
        if own.left <= 0:
            write(2, own.line, own.size)
            _exit(own.code)
        usleep(STEP)
        own.left -= STEP
    free(own.line)
    free(own)
    return NULL

cdef class Deadline:
    """Ends this process after some seconds with a line on standard error, unless cancelled first."""

    cdef Watch* own

    def __cinit__(self, double seconds, bytes line, int code):
        cdef pthread_t thread
        self.own = <Watch*> malloc(sizeof(Watch))
        if self.own is NULL:
            raise MemoryError
        self.own.line = <char*> malloc(len(line))
        if self.own.line is NULL:
            free(self.own)
            self.own = NULL
            raise MemoryError
        memcpy(self.own.line, <const char*> line, len(line))
        self.own.left, self.own.code, self.own.size, self.own.over = <long long> (seconds * 1e6), code, len(line), 0
        if pthread_create(&thread, NULL, watch, self.own):
            free(self.own.line)
            free(self.own)
            self.own = NULL
            raise OSError("cannot start the thread that enforces a deadline")
        pthread_detach(thread)

    def cancel(self):
        """Stop watching the time."""
        if self.own is not NULL:
            __atomic_store_n(&self.own.over, 1, RELEASE)
            self.own = NULL

    def __dealloc__(self):
        self.cancel()
