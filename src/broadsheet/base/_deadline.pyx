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
    long long remaining
    int code
    size_t size
    char* line
    int cancelled

cdef void* watch(void* argument) noexcept nogil:
    cdef Watch* state = <Watch*> argument
    while not __atomic_load_n(&state.cancelled, ACQUIRE):
        if state.remaining <= 0:
            write(2, state.line, state.size)
            _exit(state.code)
        usleep(STEP)
        state.remaining -= STEP
    free(state.line)
    free(state)
    return NULL

cdef class Deadline:
    """Ends this process after some seconds with a line on standard error, unless cancelled first."""

    cdef Watch* state

    def __cinit__(self, double seconds, bytes line, int code):
        cdef pthread_t thread
        self.state = <Watch*> malloc(sizeof(Watch))
        if self.state is NULL:
            raise MemoryError
        self.state.line = <char*> malloc(len(line))
        if self.state.line is NULL:
            free(self.state)
            self.state = NULL
            raise MemoryError
        memcpy(self.state.line, <const char*> line, len(line))
        self.state.remaining, self.state.cancelled = <long long> (seconds * 1e6), 0
        self.state.code, self.state.size = code, len(line)
        if pthread_create(&thread, NULL, watch, self.state):
            free(self.state.line)
            free(self.state)
            self.state = NULL
            raise OSError("cannot start the thread that enforces a deadline")
        pthread_detach(thread)

    def cancel(self):
        """Stop watching the time."""
        if self.state is not NULL:
            __atomic_store_n(&self.state.cancelled, 1, RELEASE)
            self.state = NULL

    def __dealloc__(self):
        self.cancel()
