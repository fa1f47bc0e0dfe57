/* One layer of a net over all lines of a page, sums of word embeddings, and dot products, in one thread. Included once
   per instruction set, with

   NAME(function)  the function's name,
   TARGET          the attribute that enables the instruction set,
   LANES           the number of floats in one vector register,
   WIDEN(bytes)    as many floats from signed bytes.

   Compilers split vectors wider than a register into scalars, so LANES has to match TARGET. */

typedef float NAME(lanes) __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
typedef int32_t NAME(bits) __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(4), may_alias));

#define VECTOR NAME(lanes)
#define VECTORS (STRIP / LANES)
/* Twelve sums, the weights and one broadcast factor fit into the 16 registers that every target has. */
#define ROWS (12 / VECTORS)

/* Computes one strip of columns for a few lines; `rows` is a constant wherever this is inlined. */
TARGET static inline __attribute__((always_inline)) void NAME(block)(
    int rows, const float *const *taps, int tap_count, Py_ssize_t step, Py_ssize_t depth, const float *weights,
    const float *start, Py_ssize_t start_step, const float *residual, float *out, Py_ssize_t width)
{
    VECTOR sums[ROWS][VECTORS];
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++)
            sums[i][v] = *(const VECTOR *)(start + i * start_step + v * LANES);
    for (int tap = 0; tap < tap_count; tap++) {
        const float *factors = taps[tap];
        for (Py_ssize_t k = 0; k < depth; k++, weights += STRIP)
            for (int i = 0; i < rows; i++)
                for (int v = 0; v < VECTORS; v++)
                    sums[i][v] += factors[i * step + k] * *(const VECTOR *)(weights + v * LANES);
    }
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++) {
            /* The bits of negative sums are cleared; what is not a number stays so. */
            VECTOR sum = (VECTOR)((NAME(bits))sums[i][v] & ~(sums[i][v] < 0));
            if (residual)
                sum += *(const VECTOR *)(residual + i * width + v * LANES);
            *(VECTOR *)(out + i * width + v * LANES) = sum;
        }
}

#define BLOCK(rows) \
    case rows: \
        NAME(block)(rows, at, tap_count, step, depth, weights, start + row * start_step + column, start_step, \
                    residual ? residual + row * width + column : NULL, out + row * width + column, width); \
        break;

/* For each line, out = residual + relu(start + the sum over taps of the line's row in it times weights).

   Rows of taps are `step` floats apart and `depth` long, those of `start` are `start_step` apart, those of `residual` and
   `out` are `width` long, a multiple of STRIP. The weights come strip by strip, so that those in use stay in the
   processor's nearest cache: in whole rows they would compete for a few places in it. */
TARGET static void NAME(layer)(const float *const *taps, int tap_count, Py_ssize_t step, Py_ssize_t depth,
                               const float *weights, const float *start, Py_ssize_t start_step, const float *residual,
                               float *out, Py_ssize_t width, Py_ssize_t count)
{
    for (Py_ssize_t column = 0; column < width; column += STRIP, weights += tap_count * depth * STRIP)
        for (Py_ssize_t row = 0; row < count; row += ROWS) {
            const float *at[MOST_TAPS];
            for (int tap = 0; tap < tap_count; tap++)
                at[tap] = taps[tap] + row * step;
            switch (count - row) {
                BLOCK(1)
                BLOCK(2)
#if ROWS > 3
                BLOCK(3)
                BLOCK(4)
                BLOCK(5)
#endif
#if ROWS > 6
                BLOCK(6)
                BLOCK(7)
                BLOCK(8)
                BLOCK(9)
                BLOCK(10)
                BLOCK(11)
#endif
            default:
                NAME(block)(ROWS, at, tap_count, step, depth, weights, start + row * start_step + column, start_step,
                            residual ? residual + row * width + column : NULL, out + row * width + column, width);
            }
        }
}

/* Adds the scaled embeddings of some words, rows of `width` bytes, to a line. Embeddings are bytes because the cost is
   memory access: there are many rows, scattered over a large table. */
TARGET static void NAME(add_words)(const int32_t *words, int count, const int8_t *rows, const float *scale,
                                   Py_ssize_t width, float *line)
{
    Py_ssize_t column = 0;
    for (; column + 4 * LANES <= width; column += 4 * LANES) {
        VECTOR sums[4];
        for (int v = 0; v < 4; v++)
            sums[v] = *(const VECTOR *)(line + column + v * LANES);
        for (int k = 0; k < count; k++) {
            const int8_t *row = rows + (Py_ssize_t)words[k] * width + column;
            for (int v = 0; v < 4; v++)
                sums[v] += scale[words[k]]
                           * WIDEN(row + v * LANES);
        }
        for (int v = 0; v < 4; v++)
            *(VECTOR *)(line + column + v * LANES) = sums[v];
    }
    for (; column < width; column++)
        for (int k = 0; k < count; k++)
            line[column] += scale[words[k]] * rows[(Py_ssize_t)words[k] * width + column];
}

/* Returns the product of two vectors, whose length is a multiple of STRIP. */
TARGET static float NAME(dot)(const float *left, const float *right, Py_ssize_t length)
{
    VECTOR sums = {};
    float sum = 0;
    for (Py_ssize_t k = 0; k < length; k += LANES)
        sums += *(const VECTOR *)(left + k) * *(const VECTOR *)(right + k);
    for (int lane = 0; lane < LANES; lane++)
        sum += sums[lane];
    return sum;
}

#undef BLOCK
#undef ROWS
#undef VECTORS
#undef VECTOR
#undef LANES
#undef TARGET
#undef WIDEN
#undef NAME
