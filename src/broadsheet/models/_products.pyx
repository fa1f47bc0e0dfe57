# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Compiled kernel of `net`: products of small matrices in the calling thread.

NumPy calls a BLAS library, and most of these split every product among their own threads. A small product is over
before those threads have started, and on a busy machine waiting for them takes far longer than the product itself.
"""

cdef extern from *:
    """
    #define LANES_OF_(name) name##_lanes
    #define LANES_OF(name) LANES_OF_(name)

    #define ADD_PRODUCT add_product_portable
    #define TARGET
    #define LANES 4
    #include "_product.h"

    #if defined(__x86_64__)
    #define ADD_PRODUCT add_product_avx2
    #define TARGET __attribute__((target("avx2,fma")))
    #define LANES 8
    #include "_product.h"
    #endif

    static void add_product_native(const float *left, Py_ssize_t step, const float *right, float *sums,
                                 Py_ssize_t count, Py_ssize_t depth, Py_ssize_t width)
    {
    #if defined(__x86_64__)
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
            add_product_avx2(left, step, right, sums, count, depth, width);
            return;
        }
    #endif
        add_product_portable(left, step, right, sums, count, depth, width);
    }
    """
    void add_product_native(const float* left, Py_ssize_t step, const float* right, float* sums,
                          Py_ssize_t count, Py_ssize_t depth, Py_ssize_t width) noexcept nogil
    void add_product_portable(const float* left, Py_ssize_t step, const float* right, float* sums,
                              Py_ssize_t count, Py_ssize_t depth, Py_ssize_t width) noexcept nogil

def add_product(const float[:, :] left not None, const float[:, ::1] right not None, float[:, ::1] sums not None, *,
                bint portable=False):
    """Add the product of `left` and `right` to `sums`; each row of `left` has to be contiguous.

    `portable` uses the code for processors without AVX2, whatever this one has.
    """
    cdef Py_ssize_t count = left.shape[0], depth = left.shape[1], width = right.shape[1], size = sizeof(float)
    if right.shape[0] != depth or sums.shape[0] != count or sums.shape[1] != width:
        raise ValueError(f"the product of {count} x {depth} and {right.shape[0]} x {width} numbers does not fit into {sums.shape[0]} x {sums.shape[1]}")
    if not count or not depth or not width:
        return
    if depth > 1 and left.strides[1] != size or left.strides[0] % size:
        raise ValueError("the rows of the left matrix must be contiguous")
    cdef Py_ssize_t step = left.strides[0] // size
    with nogil:
        if portable:
            add_product_portable(&left[0, 0], step, &right[0, 0], &sums[0, 0], count, depth, width)
        else:
            add_product_native(&left[0, 0], step, &right[0, 0], &sums[0, 0], count, depth, width)
