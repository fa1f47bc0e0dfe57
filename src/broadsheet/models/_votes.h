/* The vote of the nearest neighbours, for both kernels of memory-based learning. */

#include <stdint.h>

/* Return the class with the most votes, and of equals the one of the best rank; `tied` says whether there were equals. */
static inline int32_t winner(const int32_t *votes, const int32_t *rank, Py_ssize_t classes, int *tied)
{
    int32_t best = 0;
    *tied = 0;
    for (int32_t code = 1; code < classes; code++) {
        if (votes[code] > votes[best]) {
            best = code;
            *tied = 0;
        } else if (votes[code] == votes[best]) {
            *tied = 1;
            if (rank[code] < rank[best])
                best = code;
        }
    }
    return best;
}
