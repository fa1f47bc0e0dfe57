"""The compiled part of `parent`: a native thread that keeps watching while other code holds the GIL."""

from libc.stdlib cimport free, malloc

cdef extern from "<pthread.h>" nogil:
    ctypedef unsigned long pthread_t
    int pthread_create(pthread_t* thread, const void* attributes, void* (*start)(void*) noexcept nogil, void* argument)
    int pthread_detach(pthread_t thread)

cdef extern from "<unistd.h>" nogil:
    int getppid()
    int usleep(unsigned int microseconds)
    void _exit(int code)

cdef struct Watch:
    int parent
    long long check
    long long grace

cdef void* watch(void* argument) noexcept nogil:
    cdef Watch* state = <Watch*> argument
    cdef long long waited = 0
    while getppid() == state.parent:
        usleep(<unsigned int> state.check)
    while waited < state.grace:
        usleep(<unsigned int> state.check)
        waited += state.check
    _exit(1)
    return NULL

def exit_with(int parent, double check, double grace):
    """End this process `grace` seconds after its parent process changes; check for that every `check` seconds."""
    cdef pthread_t thread
    cdef Watch* state = <Watch*> malloc(sizeof(Watch))
    if state is NULL:
        raise MemoryError
    state.parent, state.check, state.grace = parent, <long long> (check * 1e6), <long long> (grace * 1e6)
    if pthread_create(&thread, NULL, watch, state):
        free(state)
        raise OSError("cannot start the thread that watches the parent process")
    pthread_detach(thread)
