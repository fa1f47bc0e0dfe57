/* One layer of a net over all lines of a page, attention of lines to those around them, sums of word embeddings, and dot
   products, in one thread. Included once per instruction set, with

   NAME(function)  the function's name,
   TARGET          the attribute that enables the instruction set,
   LANES           the number of floats in one vector register,
   WIDEN(bytes)    as many floats from signed bytes.

   Compilers split vectors wider than a register into scalars, so LANES has to match TARGET. */

typedef float NAME(lanes) __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
typedef int32_t NAME(bits) __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(4), may_alias));

#define VECTOR NAME(lanes)
#define BITS NAME(bits)
#define VECTORS (STRIP / LANES)
/* Twelve sums, the weights and one broadcast factor fit into the 16 registers that every target has. */
#define ROWS (12 / VECTORS)

/* Computes one strip of columns for a few lines; `rows` is a constant wherever this is inlined. */
TARGET static inline __attribute__((always_inline)) void NAME(block)(
    int rows, const float *const *taps, int tap_count, Py_ssize_t step, Py_ssize_t depth, const float *weights,
    const float *start, Py_ssize_t start_step, int is_linear, const float *residual, float *out, Py_ssize_t width)
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
            VECTOR sum = is_linear ? sums[i][v] : (VECTOR)((BITS)sums[i][v] & ~(sums[i][v] < 0));
            if (residual)
                sum += *(const VECTOR *)(residual + i * width + v * LANES);
            *(VECTOR *)(out + i * width + v * LANES) = sum;
        }
}

#define BLOCK(rows) \
    case rows: \
        NAME(block)(rows, at, tap_count, step, depth, weights, start + row * start_step + column, start_step, \
                    is_linear, residual ? residual + row * width + column : NULL, out + row * width + column, width); \
        break;

/* For each line, out = residual + relu(start + the sum over taps of the line's row in it times weights); without relu
   if the layer is linear.

   Rows of taps are `step` floats apart and `depth` long, those of `start` are `start_step` apart, those of `residual` and
   `out` are `width` long, a multiple of STRIP. The weights come strip by strip, so that those in use stay in the
   processor's nearest cache: in whole rows they would compete for a few places in it. */
TARGET static void NAME(layer)(const float *const *taps, int tap_count, Py_ssize_t step, Py_ssize_t depth,
                               const float *weights, const float *start, Py_ssize_t start_step, int is_linear,
                               const float *residual, float *out, Py_ssize_t width, Py_ssize_t count)
{
    for (Py_ssize_t column = 0; column < width; column += STRIP, weights += tap_count * depth * STRIP)
        for (Py_ssize_t row = 0; row < count; row += ROWS) {
            const float *at[MAX_TAPS];
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
                            is_linear, residual ? residual + row * width + column : NULL, out + row * width + column, width);
            }
        }
}

/* Returns e to the power of numbers that are not positive, exact to the last bits; tiny results become about 1e-38. */
TARGET static inline __attribute__((always_inline)) VECTOR NAME(exponential)(VECTOR x)
{
    /* Adding this rounds to a whole number, which the lowest bits of the sum then hold. */
    const float rounding = 12582912.0f;
    const VECTOR least = (VECTOR){} - 87.0f;
    BITS is_tiny = x < least;
    x = (VECTOR)(((BITS)x & ~is_tiny) | ((BITS)least & is_tiny));
    VECTOR shifted = x * 1.44269504088896341f + rounding;
    VECTOR doublings = shifted - rounding;
    VECTOR rest = x - doublings * 0.693359375f - doublings * -2.12194440e-4f;
    VECTOR power = rest * 1.9875691500e-4f + 1.3981999507e-3f;
    power = power * rest + 8.3334519073e-3f;
    power = power * rest + 4.1665795894e-2f;
    power = power * rest + 1.6666665459e-1f;
    power = power * rest + 5.0000001201e-1f;
    power = power * rest * rest + rest + 1.0f;
    return (VECTOR)((BITS)power + ((BITS)shifted << 23));
}

/* Four floats, the vector that every target has. */
typedef float NAME(few) __attribute__((vector_size(4 * sizeof(float)), aligned(4), may_alias));
typedef int32_t NAME(few_bits) __attribute__((vector_size(4 * sizeof(int32_t)), aligned(4), may_alias));
#define FEW NAME(few)

/* Returns the sum of the numbers in a vector. */
TARGET static inline __attribute__((always_inline)) float NAME(sum)(VECTOR x)
{
    FEW sums = {};
    for (int lane = 0; lane < LANES; lane += 4)
        sums += *(const FEW *)((const float *)&x + lane);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* Returns the largest of the numbers in a vector. */
TARGET static inline __attribute__((always_inline)) float NAME(most)(VECTOR x)
{
    FEW mosts = *(const FEW *)&x;
    for (int lane = 4; lane < LANES; lane += 4) {
        FEW next = *(const FEW *)((const float *)&x + lane);
        NAME(few_bits) is_more = next > mosts;
        mosts = (FEW)(((NAME(few_bits))next & is_more) | ((NAME(few_bits))mosts & ~is_more));
    }
    float left = mosts[0] > mosts[1] ? mosts[0] : mosts[1], right = mosts[2] > mosts[3] ? mosts[2] : mosts[3];
    return left > right ? left : right;
}

/* Computes the scores of a few vectors of lines for one query; `vectors` is a constant wherever this is inlined. */
TARGET static inline __attribute__((always_inline)) void NAME(scores)(
    int vectors, const float *query, const float *columns, Py_ssize_t depth, Py_ssize_t span, const float *biases,
    const float *lengths, float *out)
{
    VECTOR sums[4];
    for (int v = 0; v < vectors; v++)
        sums[v] = *(const VECTOR *)(biases + v * LANES) + *(const VECTOR *)(lengths + v * LANES);
    for (Py_ssize_t k = 0; k < depth; k++)
        for (int v = 0; v < vectors; v++)
            sums[v] += query[k] * *(const VECTOR *)(columns + k * span + v * LANES);
    for (int v = 0; v < vectors; v++)
        *(VECTOR *)(out + v * LANES) = sums[v];
}

/* For each line and head, out = the mean of the values of the lines at most `window` away, weighted by the softmax over
   query times key + distance bias + length.

   A row of `lines` is the queries, keys and values of all heads, each `depth` long, a multiple of STRIP. `distance_bias`
   has `2 * window + 1` numbers per head; behind these, and behind the lengths, a strip may be read. `memory` holds
   `depth * (count + STRIP) + 2 * window + 1 + STRIP` numbers. Returns 0, or what is not a number if a score is not
   finite. */
TARGET static float NAME(attend)(const float *lines, Py_ssize_t heads, Py_ssize_t depth, Py_ssize_t count,
                                Py_ssize_t window, const float *distance_bias, const float *lengths, float *memory,
                                float *out)
{
    const Py_ssize_t width = heads * depth, step = 3 * width, span = count + STRIP;
    float *columns = memory, *shares = memory + depth * span;
    VECTOR doubt = {}; /* stays 0 as long as all scores are finite, and is not a number otherwise */
    for (Py_ssize_t head = 0; head < heads; head++, distance_bias += 2 * window + 1 + STRIP) {
        const float *queries = lines + head * depth, *keys = queries + width, *values = keys + width;
        /* Column by column, one vector holds the same number of the keys of neighbours. */
        for (Py_ssize_t k = 0; k < depth; k++) {
            for (Py_ssize_t line = 0; line < count; line++)
                columns[k * span + line] = keys[line * step + k];
            for (Py_ssize_t line = count; line < span; line++)
                columns[k * span + line] = 0;
        }
        for (Py_ssize_t line = 0; line < count; line++) {
            const float *query = queries + line * step;
            Py_ssize_t first = line < window ? 0 : line - window;
            Py_ssize_t end = count - line <= window ? count : line + window + 1, seen = end - first, at = 0;
            const float *biases = distance_bias + window + first - line;
            VECTOR mosts = (VECTOR){} - INFINITY, totals = {};
            /* Several sums at once, because each addition takes a few cycles. */
            for (; at + 3 * LANES < seen; at += 4 * LANES)
                NAME(scores)(4, query, columns + first + at, depth, span, biases + at, lengths + first + at,
                             shares + at);
            for (; at < seen; at += LANES)
                NAME(scores)(1, query, columns + first + at, depth, span, biases + at, lengths + first + at,
                             shares + at);
            for (at = seen; at % LANES; at++)
                shares[at] = -1e30f;
            for (at = 0; at < seen; at += LANES) {
                VECTOR score = *(const VECTOR *)(shares + at);
                BITS is_more = score > mosts;
                mosts = (VECTOR)(((BITS)score & is_more) | ((BITS)mosts & ~is_more));
                doubt += score * 0.0f;
            }
            float most = NAME(most)(mosts);
            for (at = 0; at < seen; at += LANES) {
                VECTOR share = NAME(exponential)(*(const VECTOR *)(shares + at) - most);
                *(VECTOR *)(shares + at) = share;
                totals += share;
            }
            float total = NAME(sum)(totals);
            for (Py_ssize_t k = 0; k < depth; k += LANES) {
                VECTOR sums[4] = {};
                const float *value = values + first * step + k;
                for (at = 0; at + 4 <= seen; at += 4, value += 4 * step)
                    for (int part = 0; part < 4; part++)
                        sums[part] += shares[at + part] * *(const VECTOR *)(value + part * step);
                for (; at < seen; at++, value += step)
                    sums[0] += shares[at] * *(const VECTOR *)value;
                *(VECTOR *)(out + line * width + head * depth + k) = (sums[0] + sums[1] + sums[2] + sums[3]) / total;
            }
        }
    }
    return NAME(sum)(doubt);
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
    for (Py_ssize_t k = 0; k < length; k += LANES)
        sums += *(const VECTOR *)(left + k) * *(const VECTOR *)(right + k);
    return NAME(sum)(sums);
}

#undef BLOCK
#undef ROWS
#undef VECTORS
#undef VECTOR
#undef FEW
#undef BITS
#undef LANES
#undef TARGET
#undef WIDEN
#undef NAME
