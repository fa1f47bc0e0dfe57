/* The inner loops of `_grid_neighbours`: plain C, so that compilers turn them into vector instructions. */
#include <stdint.h>
#include <stddef.h>

/* Settings are summed up eight at a time. */
#define LANES 8

static inline void mark_mismatches(const uint16_t *restrict column, uint16_t value, uint16_t bit,
                                   uint16_t *restrict marks, ptrdiff_t size) {
    for (ptrdiff_t row = 0; row < size; row++)
        marks[row] |= (uint16_t)(-(uint16_t)(column[row] != value)) & bit;
}

/* Add up the weights of the mismatches of one row for all settings; return whether any is within its limit. */
static inline int sum_mismatches(const float *restrict table, const uint16_t *restrict marks, ptrdiff_t stride,
                                 ptrdiff_t words, const float *restrict limits, float *restrict sums) {
    int within = 0;
    for (int lane = 0; lane < LANES; lane++) sums[lane] = 0.0f;
    for (ptrdiff_t word = 0; word < words; word++) {
        const float *low = table + ((2 * word) * 256 + (marks[word * stride] & 255)) * LANES;
        const float *high = table + ((2 * word + 1) * 256 + (marks[word * stride] >> 8)) * LANES;
        for (int lane = 0; lane < LANES; lane++) sums[lane] += low[lane] + high[lane];
    }
    for (int lane = 0; lane < LANES; lane++) within |= sums[lane] <= limits[lane];
    return within;
}
