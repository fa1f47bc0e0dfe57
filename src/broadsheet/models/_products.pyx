# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The compiled part of `net`: products of small matrices, in the thread that asks for them.

NumPy's own are a BLAS library's, most of which share every product among threads of their own. Those of small matrices
are over before the threads have begun, and where other programs use the cores, waiting for them takes far longer than
the product.
"""

cdef extern from *:
    """
    #define LANES_OF_(name) name##_lanes
    #define LANES_OF(name) LANES_OF_(name)

    #define ADD_PRODUCT add_product_anywhere
    #define TARGET
    #define LANES 4
    #include "_product.h"

    #if defined(__x86_64__)
    #define ADD_PRODUCT add_product_avx2
    #define TARGET __attribute__((target("avx2,fma")))
    #define LANES 8
    #include "_product.h"
    #endif

    static void add_product_here(const float *left, Py_ssize_t step, const float *right, float *sums,
                                 Py_ssize_t count, Py_ssize_t depth, Py_ssize_t width)
    {
    #if defined(__x86_64__)
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
            add_product_avx2(left, step, right, sums, count, depth, width);
            return;
        }
    #endif
        add_product_anywhere(left, step, right, sums, count, depth, width);
    }
    """
    void add_product_here(const float* left, Py_ssize_t step, const float* right, float* sums,
                          Py_ssize_t count, Py_ssize_t depth, Py_ssize_t width) noexcept nogil
    void add_product_anywhere(const float* left, Py_ssize_t step, const float* right, float* sums,
                              Py_ssize_t count, Py_ssize_t depth, Py_ssize_t width) noexcept nogil

def add_product(const float[:, :] left not None, const float[:, ::1] right not None, float[:, ::1] sums not None, *,
                bint anywhere=False):
    """Add to `sums` the product of `left` and `right`.

    The numbers of a row of `left` lie side by side. `anywhere` does it as a processor would of which nothing is known.
    """
    cdef Py_ssize_t count = left.shape[0], depth = left.shape[1], width = right.shape[1], size = sizeof(float)
    if right.shape[0] != depth or sums.shape[0] != count or sums.shape[1] != width:
        raise ValueError(f"the product of {count} x {depth} and {right.shape[0]} x {width} numbers does not fit")
    if not count or not depth or not width:
        return
    if depth > 1 and left.strides[1] != size or left.strides[0] % size:
        raise ValueError("the numbers of a row have to lie side by side")
    cdef Py_ssize_t step = left.strides[0] // size
    with nogil:
        if anywhere:
            add_product_anywhere(&left[0, 0], step, &right[0, 0], &sums[0, 0], count, depth, width)
        else:
            add_product_here(&left[0, 0], step, &right[0, 0], &sums[0, 0], count, depth, width)
