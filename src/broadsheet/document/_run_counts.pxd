"""Counts of the characters and words in a run of text."""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memset

cdef enum:
    # What is counted, in the order of the columns of `Sums`; the last one depends on where the run is.
    S_CHARACTERS
    S_WORDS, S_LETTERS, S_UPPER, S_DIGITS, S_PUNCTUATION, S_LINK_CHARACTERS, SUM_COLUMNS

cdef enum:
    # The classes of `characters`, as compile-time constants so that the switch over them becomes a jump table.
    SYMBOL, SPACE, LETTER, UPPER, MARK, DIGIT, PUNCTUATION, APOSTROPHE, JOINER, UNSPACED, INVISIBLE, CLASSES

cdef enum:
    OUTSIDE, INSIDE, AFTER_APOSTROPHE, AFTER_JOINER

cdef inline void count_run(
    const uint8_t* at, const uint8_t* end, const uint8_t* classes, int32_t* counts
) noexcept nogil:
    """Count a run of text, as `characters.count_characters` does; `classes` has the class of every character."""
    cdef int32_t tally[CLASSES]
    cdef int32_t words = 0
    cdef int32_t visible = 0
    cdef int32_t spaces = 0
    cdef uint32_t code
    cdef uint8_t kind
    cdef int k
    cdef int state = OUTSIDE
    cdef bint pending_space = False
    cdef bint last_was_digit = False
    cdef bint begun = False
    memset(tally, 0, sizeof(tally))
    while at < end:
        code = at[0]
        if code < 0x80:
            at += 1
        elif code < 0xE0:
            code = (code & 0x1F) << 6 | at[1] & 0x3F
            at += 2
        elif code < 0xF0:
            code = (code & 0x0F) << 12 | (at[1] & 0x3F) << 6 | at[2] & 0x3F
            at += 3
        else:
            code = (code & 0x07) << 18 | (at[1] & 0x3F) << 12 | (at[2] & 0x3F) << 6 | at[3] & 0x3F
            at += 4
        kind = classes[code]
        if kind == LETTER:
            # The most common case first: a letter inside a word.
            if state == INSIDE:
                tally[LETTER] += 1
                while at < end and at[0] < 0x80 and classes[at[0]] == LETTER:
                    tally[LETTER] += 1
                    at += 1
                last_was_digit = False
                continue
        elif kind == SPACE:
            pending_space = True
            state = OUTSIDE
            continue
        elif kind == INVISIBLE:
            continue
        if pending_space:
            # White space before the first visible character does not count.
            spaces += begun
            pending_space = False
        begun = True
        tally[kind] += 1
        if kind == MARK:
            continue
        if kind == LETTER or kind == UPPER or kind == DIGIT:
            if not (
                state == INSIDE
                or (state == AFTER_APOSTROPHE and kind != DIGIT)
                or (state == AFTER_JOINER and kind == DIGIT)
            ):
                words += 1
            state = INSIDE
            last_was_digit = kind == DIGIT
        elif kind == UNSPACED:
            words += 1
            state = OUTSIDE
        elif kind == APOSTROPHE and state == INSIDE and not last_was_digit:
            state = AFTER_APOSTROPHE
        elif kind == JOINER and state == INSIDE and last_was_digit:
            state = AFTER_JOINER
        else:
            state = OUTSIDE
    for k in range(CLASSES):
        visible += tally[k]
    counts[S_CHARACTERS] = visible + spaces
    counts[S_WORDS] = words
    counts[S_LETTERS] = tally[LETTER] + tally[UPPER] + tally[UNSPACED]
    counts[S_UPPER] = tally[UPPER]
    counts[S_DIGITS] = tally[DIGIT]
    counts[S_PUNCTUATION] = tally[PUNCTUATION] + tally[APOSTROPHE] + tally[JOINER]
