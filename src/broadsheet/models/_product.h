/* Adds the product of two matrices to a third, in one thread. Included once per instruction set, with

   ADD_PRODUCT  the function's name,
   TARGET       the attribute that enables the instruction set,
   LANES        the number of floats in one vector register.

   Compilers split vectors wider than a register into scalars, so LANES has to match TARGET. */

typedef float LANES_OF(ADD_PRODUCT) __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));

#define VECTOR LANES_OF(ADD_PRODUCT)
/* Twelve sums, two vectors of weights and one broadcast factor: 15 of the 16 registers that every target has. */
#define ROWS 6
#define COLUMNS (2 * LANES)

/* Rows of `left` are `step` floats apart; those of `right` and `sums` are `width` floats long. */
TARGET static void ADD_PRODUCT(const float *left, Py_ssize_t step, const float *right, float *sums,
                               Py_ssize_t count, Py_ssize_t depth, Py_ssize_t width)
{
    Py_ssize_t column = 0;
    for (; column + COLUMNS <= width; column += COLUMNS) {
        Py_ssize_t row = 0;
        for (; row + ROWS <= count; row += ROWS) {
            const float *factors = left + row * step;
            float *into = sums + row * width + column;
            VECTOR first[ROWS], second[ROWS];
            for (int i = 0; i < ROWS; i++) {
                first[i] = *(const VECTOR *)(into + i * width);
                second[i] = *(const VECTOR *)(into + i * width + LANES);
            }
            for (Py_ssize_t k = 0; k < depth; k++) {
                const float *weights = right + k * width + column;
                const VECTOR low = *(const VECTOR *)weights, high = *(const VECTOR *)(weights + LANES);
                for (int i = 0; i < ROWS; i++) {
                    first[i] += factors[i * step + k] * low;
                    second[i] += factors[i * step + k] * high;
                }
            }
            for (int i = 0; i < ROWS; i++) {
                *(VECTOR *)(into + i * width) = first[i];
                *(VECTOR *)(into + i * width + LANES) = second[i];
            }
        }
        for (; row < count; row++) {
            float *into = sums + row * width + column;
            VECTOR first = *(const VECTOR *)into, second = *(const VECTOR *)(into + LANES);
            for (Py_ssize_t k = 0; k < depth; k++) {
                const float *weights = right + k * width + column;
                first += left[row * step + k] * *(const VECTOR *)weights;
                second += left[row * step + k] * *(const VECTOR *)(weights + LANES);
            }
            *(VECTOR *)into = first;
            *(VECTOR *)(into + LANES) = second;
        }
    }
    for (; column < width; column++) {
        for (Py_ssize_t row = 0; row < count; row++) {
            float sum = sums[row * width + column];
            for (Py_ssize_t k = 0; k < depth; k++)
                sum += left[row * step + k] * right[k * width + column];
            sums[row * width + column] = sum;
        }
    }
}

#undef VECTOR
#undef ROWS
#undef COLUMNS
#undef ADD_PRODUCT
#undef TARGET
#undef LANES
