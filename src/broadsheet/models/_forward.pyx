# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Compiled forward pass of `net`, in the calling thread.

NumPy calls a BLAS library, and most of these split every product among their own threads. A small product is over
before those threads have started, and on a busy machine waiting for them takes far longer than the product itself.
"""

from libc.math cimport expf
from libc.stdint cimport int8_t, int32_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from broadsheet.models.distances import distance_steps

cdef extern from *:
    """
    #include <math.h>
    #include <stdint.h>
    #if defined(__x86_64__)
    #include <immintrin.h>
    #endif
    #define STRIP 16
    #define MAX_TAPS 3
    #define CACHE_LINE 64

    typedef struct {
        void (*layer)(const float *const *, int, Py_ssize_t, Py_ssize_t, const float *, const float *, Py_ssize_t,
                      int, const float *, float *, Py_ssize_t, Py_ssize_t);
        float (*attend)(const float *, Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t, const float *, const float *,
                        float *, float *);
        void (*add_words)(const int32_t *, int, const int8_t *, const float *, Py_ssize_t, float *);
        float (*dot)(const float *, const float *, Py_ssize_t);
    } Kernel;

    typedef int8_t Steps __attribute__((vector_size(4), aligned(1), may_alias));
    #define NAME(function) function##_portable
    #define TARGET
    #define LANES 4
    #define WIDEN(bytes) __builtin_convertvector(*(const Steps *)(bytes), VECTOR)
    #include "_layer.h"
    static const Kernel PORTABLE = {layer_portable, attend_portable, add_words_portable, dot_portable};

    #if defined(__x86_64__)
    #define NAME(function) function##_avx2
    #define TARGET __attribute__((target("avx2,fma")))
    #define LANES 8
    #define WIDEN(bytes) _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(bytes))))
    #include "_layer.h"
    static const Kernel AVX2 = {layer_avx2, attend_avx2, add_words_avx2, dot_avx2};
    #endif

    #if defined(__x86_64__)
    #define NAME(function) function##_avx512
    #define TARGET __attribute__((target("avx512f")))
    #define LANES 16
    #define WIDEN(bytes) _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(bytes))))
    #include "_layer.h"
    static const Kernel AVX512 = {layer_avx512, attend_avx512, add_words_avx512, dot_avx512};
    #endif

    enum { KERNELS = 3 };

    /* Returns a kernel, the fastest first; NULL if this processor cannot run it. */
    static const Kernel *kernel_at(int place)
    {
    #if defined(__x86_64__)
        if (place == 0)
            return __builtin_cpu_supports("avx512f") ? &AVX512 : NULL;
        if (place == 1)
            return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &AVX2 : NULL;
    #endif
        return place == KERNELS - 1 ? &PORTABLE : NULL;
    }
    """
    enum:
        STRIP
        MAX_TAPS
        CACHE_LINE
        KERNELS

    ctypedef struct Kernel:
        void (*layer)(const float**, int, Py_ssize_t, Py_ssize_t, const float*, const float*, Py_ssize_t, int,
                      const float*, float*, Py_ssize_t, Py_ssize_t) noexcept nogil
        float (*attend)(const float*, Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t, const float*, const float*, float*,
                        float*) noexcept nogil
        void (*add_words)(const int32_t*, int, const int8_t*, const float*, Py_ssize_t, float*) noexcept nogil
        float (*dot)(const float*, const float*, Py_ssize_t) noexcept nogil

    const Kernel* kernel_at(int place) noexcept nogil

cdef enum:
    MAX_SCORE = 30  # scores are clipped to this range, which keeps `exp` finite

def kernels():
    """Return the numbers of the kernels that this processor can run, the fastest first."""
    return [place for place in range(KERNELS) if kernel_at(place) != NULL]

cdef int FASTEST = kernels()[0]

def _whole_strips(Py_ssize_t width):
    """Return a width rounded up to whole strips."""
    return (width + STRIP - 1) // STRIP * STRIP

def _aligned(array not None):
    """Return a copy of an array that begins with a cache line, so that no vector in it is spread over two."""
    memory = np.empty(array.nbytes + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy

def _in_strips(weights not None):
    """Return a matrix of weights strip by strip, its columns padded with zeros to whole strips."""
    depth, width = weights.shape
    padded = np.zeros((depth, _whole_strips(width)), np.float32)
    padded[:, :width] = weights
    return _aligned(padded.reshape(depth, -1, STRIP).transpose(1, 0, 2)).reshape(-1)

def _padded(vector not None):
    """Return a vector padded with zeros to whole strips."""
    return _in_strips(vector[None])

def _depth_padded(weights not None, depth):
    """Return a matrix with rows of zeros below it, for the padding of the layer before."""
    return np.concatenate((weights, np.zeros((depth - len(weights), weights.shape[1]), np.float32)))

cdef inline float* aligned(float* memory) noexcept nogil:
    """Return the first place from here on where a cache line begins."""
    return memory + -(<uintptr_t> memory // sizeof(float)) % (CACHE_LINE // sizeof(float))

cdef class Forward:
    """The weights of a net, arranged for the kernels, which do no bounds checks: `Net` is validated on creation."""

    cdef const float[::1] attention, attention_bias, distance_bias, attention_output, attention_output_bias
    cdef const float[::1] features, bias, layers, layer_bias, pooling, summary, summary_bias
    cdef const float[::1] own, common, both, comparison_bias, hidden, hidden_bias, output, scale
    cdef const int8_t[:, ::1] steps
    cdef const int32_t[::1] reaches
    cdef Py_ssize_t feature_count, width, hidden_width, padding, heads, depth, window
    cdef float output_bias

    def __init__(self, weights not None, words not None, reaches not None):
        width = len(weights.bias)
        self.width = _whole_strips(width)
        self.hidden_width = _whole_strips(len(weights.hidden_bias))
        self.feature_count = len(weights.features)
        self.features, self.bias = _in_strips(weights.features), _padded(weights.bias)
        taps = [
            np.concatenate([_depth_padded(tap, self.width) for tap in layer.reshape(3, width, width)])
            for layer in weights.layers
        ]
        self.layers = _aligned(np.concatenate([np.zeros(0, np.float32), *map(_in_strips, taps)]))
        self.layer_bias = np.concatenate([np.zeros(0, np.float32), *map(_padded, weights.layer_bias)])
        self.arrange_heads(weights)
        self.pooling = _padded(weights.pooling)
        self.summary = _in_strips(_depth_padded(weights.summary, self.width))
        self.summary_bias = _padded(weights.summary_bias)
        self.own, self.common, self.both = (
            _in_strips(_depth_padded(part, self.width)) for part in weights.comparison.reshape(3, width, width)
        )
        self.comparison_bias = _padded(weights.comparison_bias)
        self.hidden = _in_strips(_depth_padded(weights.hidden, self.width))
        self.hidden_bias, self.output = _padded(weights.hidden_bias), _padded(weights.output)
        self.output_bias = weights.output_bias[0]
        self.steps, self.scale = words.steps, words.scale
        self.reaches = np.array(reaches, np.int32)
        self.padding = max(reaches, default=0)

    def arrange_heads(self, weights not None):
        """Arrange the weights of attention, with the numbers of each head padded to whole strips."""
        heads, width = len(weights.distance_bias), len(weights.bias)
        own = width // heads
        depth = _whole_strips(own)
        projections = np.zeros((width + 1, 3, heads, depth), np.float32)
        given = np.vstack((weights.attention, weights.attention_bias))
        projections[:, :, :, :own] = given.reshape(width + 1, 3, heads, own)
        # Scores are divided by the root of the length of a query.
        projections[:, 0] /= np.float32(np.sqrt(own))
        projections = projections.reshape(width + 1, -1)
        self.attention = _in_strips(_depth_padded(projections[:-1], self.width))
        self.attention_bias = _padded(projections[-1])
        output = np.zeros((heads, depth, width), np.float32)
        output[:, :own] = weights.attention_output.reshape(heads, own, width)
        self.attention_output = _in_strips(output.reshape(-1, width))
        self.attention_output_bias = _padded(weights.attention_output_bias)
        steps = distance_steps()
        by_distance = np.zeros((heads, len(steps) + STRIP), np.float32)
        by_distance[:, : len(steps)] = weights.distance_bias[:, steps]
        self.distance_bias = _aligned(by_distance.reshape(-1))
        self.heads, self.depth, self.window = heads, depth, len(steps) // 2

    def probabilities(self, const float[:, ::1] rows not None, const int32_t[:, ::1] words not None,
                      const int32_t[::1] counts not None, const float[::1] lengths not None, *, kernel=None):
        """Return the probability of the positive class for each line; there has to be at least one.

        `kernel` is one of `kernels`, by default the fastest. Raises if the sums overflow.
        """
        cdef Py_ssize_t count = rows.shape[0]
        if not count or rows.shape[1] != self.feature_count or words.shape[0] != count or counts.shape[0] != count or lengths.shape[0] != count:
            raise ValueError(f"each line needs a row of {self.feature_count} features, a row of words and a length")
        probabilities = np.empty(count, np.float32)
        cdef float[::1] out = probabilities
        # The state of the lines before and after a layer, with zeros for lines beyond the page's ends; the hidden
        # units; and the page's vectors and weights.
        cdef Py_ssize_t size = (count + 2 * self.padding) * self.width
        cdef const Kernel* chosen = kernel_at(FASTEST if kernel is None else kernel)
        if chosen == NULL:
            raise ValueError(f"this processor has no kernel {kernel}")
        cdef float* memory = <float*> malloc(
            (2 * size + count * (self.hidden_width + 1) + 3 * self.width + self.width * self.width
             + 4 * count * self.heads * self.depth + (self.depth + 1) * (count + STRIP) + 2 * self.window + 1 + STRIP)
            * sizeof(float) + 2 * CACHE_LINE
        )
        if memory == NULL:
            raise MemoryError
        cdef bint finite
        with nogil:
            finite = self.run(chosen, rows, words, counts, lengths, &out[0], aligned(memory))
        free(memory)
        if not finite:
            raise OverflowError("the sums of the net are not finite")
        return probabilities

    cdef bint run(self, const Kernel* kernel, const float[:, ::1] rows, const int32_t[:, ::1] words,
                  const int32_t[::1] counts, const float[::1] lengths, float* out, float* memory) noexcept nogil:
        cdef Py_ssize_t count = rows.shape[0], width = self.width, line, number
        cdef Py_ssize_t size = (count + 2 * self.padding) * width
        cdef float* state = memory + self.padding * width
        cdef float* following = state + size
        cdef float* hidden = memory + 2 * size
        cdef float* page = hidden + count * self.hidden_width
        cdef const float* taps[MAX_TAPS]
        cdef float score
        cdef bint finite = True
        self.clear_padding(memory, count)
        self.clear_padding(memory + size, count)
        for line in range(count):
            memcpy(state + line * width, &self.bias[0], width * sizeof(float))
            if counts[line]:
                kernel.add_words(&words[line, 0], counts[line], &self.steps[0, 0], &self.scale[0], self.steps.shape[1], state + line * width)
        taps[0] = &rows[0, 0]
        kernel.layer(taps, 1, self.feature_count, self.feature_count, &self.features[0], state, width, 0, NULL, state, width, count)
        for number in range(self.reaches.shape[0]):
            taps[0] = state - self.reaches[number] * width
            taps[1] = state
            taps[2] = state + self.reaches[number] * width
            kernel.layer(taps, 3, width, width, &self.layers[number * 3 * width * width], &self.layer_bias[number * width], 0, 0, state, following, width, count)
            state, following = following, state
        finite = self.attend(kernel, state, following, lengths, count, aligned(page))
        state, following = following, state
        self.compare_with_summary(kernel, state, following, lengths, count, aligned(page))
        taps[0] = following
        kernel.layer(taps, 1, width, width, &self.hidden[0], &self.hidden_bias[0], 0, 0, NULL, hidden, self.hidden_width, count)
        for line in range(count):
            score = self.output_bias + kernel.dot(hidden + line * self.hidden_width, &self.output[0], self.hidden_width)
            score = -MAX_SCORE if score < -MAX_SCORE else MAX_SCORE if score > MAX_SCORE else score
            out[line] = 1 / (1 + expf(-score))
            # Whatever is not a number is not even equal to itself.
            finite = finite and out[line] == out[line]
        return finite

    cdef void clear_padding(self, float* state, Py_ssize_t count) noexcept nogil:
        """Set the lines beyond the page's ends to zero."""
        cdef Py_ssize_t padding = self.padding * self.width
        memset(state, 0, padding * sizeof(float))
        memset(state + padding + count * self.width, 0, padding * sizeof(float))

    cdef bint attend(self, const Kernel* kernel, const float* state, float* following, const float[::1] lengths,
                     Py_ssize_t count, float* memory) noexcept nogil:
        """Add to each line what attention to the lines around it gives; return whether all scores are finite."""
        cdef Py_ssize_t context_width = self.heads * self.depth, projected_width = 3 * context_width
        cdef float* lines = memory
        cdef float* context = lines + count * projected_width
        cdef float* padded_lengths = context + count * context_width
        cdef const float* taps[MAX_TAPS]
        taps[0] = state
        kernel.layer(taps, 1, self.width, self.width, &self.attention[0], &self.attention_bias[0], 0, 1, NULL, lines, projected_width, count)
        memcpy(padded_lengths, &lengths[0], count * sizeof(float))
        memset(padded_lengths + count, 0, STRIP * sizeof(float))
        cdef float doubt = kernel.attend(lines, self.heads, self.depth, count, self.window, &self.distance_bias[0], padded_lengths, padded_lengths + count + STRIP, context)
        taps[0] = context
        kernel.layer(taps, 1, context_width, context_width, &self.attention_output[0], &self.attention_output_bias[0], 0, 0, state, following, self.width, count)
        return doubt == 0

    cdef void compare_with_summary(self, const Kernel* kernel, const float* state, float* following,
                                const float[::1] lengths, Py_ssize_t count, float* memory) noexcept nogil:
        """Add to each line what comparing it with the summary of the page gives."""
        cdef Py_ssize_t width = self.width, line, k, j, strip, at
        cdef float* mean = memory
        cdef float* summary = mean + width
        cdef float* start = summary + width
        cdef float* comparison = start + width
        cdef float* scores = comparison + width * width
        cdef const float* taps[MAX_TAPS]
        cdef float most = 0, total = 0, share
        memset(mean, 0, width * sizeof(float))
        for line in range(count):
            scores[line] = lengths[line] + kernel.dot(state + line * width, &self.pooling[0], width)
            if line == 0 or scores[line] > most:
                most = scores[line]
        for line in range(count):
            scores[line] = expf(scores[line] - most)
            total += scores[line]
        for line in range(count):
            share = scores[line] / total
            for k in range(width):
                mean[k] += share * state[line * width + k]
        taps[0] = mean
        kernel.layer(taps, 1, width, width, &self.summary[0], &self.summary_bias[0], 0, 0, NULL, summary, width, 1)
        # What a line has in common with the summary is their product, number by number. Multiplying the weights by the
        # summary instead of every line saves a third of the work.
        memcpy(start, &self.comparison_bias[0], width * sizeof(float))
        for strip in range(width // STRIP):
            for k in range(width):
                at = (strip * width + k) * STRIP
                for j in range(STRIP):
                    start[strip * STRIP + j] += summary[k] * self.common[at + j]
                    comparison[at + j] = self.own[at + j] + summary[k] * self.both[at + j]
        taps[0] = state
        kernel.layer(taps, 1, width, width, comparison, start, 0, 0, state, following, width, count)
