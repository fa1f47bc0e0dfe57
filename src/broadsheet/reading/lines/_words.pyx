# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled part of `words`: the words of lines and of elements' names, looked up among those that are known."""

from libc.math cimport log1pf
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

cdef enum:
    FIRST_WORDS = 8  # of a line, from its beginning
    LAST_WORDS = 4  # and from its end, where it has more
    SHORT_LINE = 6  # lines of so many words are also looked up as a whole
    WORD_BYTES = 24  # a longer word is told by its beginning
    NAME_LETTERS = 8
    COMPARED = 30  # words of a line that are compared with the title
    MOST_LEVELS = 40  # elements around a line whose names are looked at
    MOST_NAMES = 64  # names around a line
    ZONES = 3
    UNKNOWN = -1

cdef uint64_t AT_THE_END = 0x5851F42D4C957F2D
cdef uint64_t WHOLE = 0x14057B7EF767814F
cdef uint64_t BEGIN = 0xCBF29CE484222325
cdef uint64_t PRIME = 0x100000001B3

cdef struct Table:
    const uint64_t* keys
    const int32_t* values
    Py_ssize_t mask

cdef inline int32_t look_up(const Table* table, uint64_t key) noexcept nogil:
    """Return the number of a key, -1 where it is not known; a table always has a free place."""
    cdef Py_ssize_t place = <Py_ssize_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> 32) & table.mask
    while table.values[place] >= 0:
        if table.keys[place] == key:
            return table.values[place]
        place = (place + 1) & table.mask
    return UNKNOWN

def fill_table(const uint64_t[::1] words not None, uint64_t[::1] keys not None, int32_t[::1] values not None):
    """Place each word's key so that it is found again, with its own number; of two equal ones the first stays."""
    cdef Py_ssize_t mask = keys.shape[0] - 1, place, i
    for i in range(words.shape[0]):
        place = <Py_ssize_t>((words[i] * <uint64_t>0x9E3779B97F4A7C15) >> 32) & mask
        while values[place] >= 0 and keys[place] != words[i]:
            place = (place + 1) & mask
        if values[place] < 0:
            keys[place], values[place] = words[i], <int32_t>i

cdef inline Py_ssize_t gap(const uint8_t* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return how many bytes at `i` stand between words, 0 where a word goes on."""
    cdef uint8_t c = text[i], d
    if c < 128:
        return 0 if (48 <= c <= 57) or (65 <= c <= 90) or (97 <= c <= 122) else 1
    if i + 1 >= end:
        return 0
    d = text[i + 1]
    if c == 0xC2 and 0xA0 <= d <= 0xBF:
        return 2
    if (c == 0xE2 and (d == 0x80 or d == 0x81)) or (c == 0xE3 and d == 0x80) or (c == 0xEF and (d == 0xBC or d == 0xBD)):
        return 3 if i + 2 < end else end - i
    return 0

cdef inline uint64_t next_word(const uint8_t* text, Py_ssize_t* i, Py_ssize_t end) noexcept nogil:
    """Return the key of the next word and move behind it; 0 where there is none."""
    cdef uint64_t key = BEGIN
    cdef Py_ssize_t step, length = 0
    cdef uint8_t c
    while i[0] < end:
        step = gap(text, i[0], end)
        if step:
            i[0] += step
            if length:
                break
            continue
        if length < WORD_BYTES:
            c = text[i[0]]
            key = (key ^ (c + 32 if 65 <= c <= 90 else c)) * PRIME
        length += 1
        i[0] += 1
    if not length:
        return 0
    return key if key else 1

def keys_of(const uint8_t[::1] text not None):
    """Return the keys of all words of a text."""
    cdef Py_ssize_t i = 0
    cdef uint64_t key
    found = []
    while i < text.shape[0]:
        key = next_word(&text[0], &i, text.shape[0])
        if key:
            found.append(key)
    return found

def keys_of_texts(const uint8_t[::1] texts not None):
    """Return the keys of words, words that end lines (behind >) and whole lines (behind =), one on each line of a text."""
    cdef Py_ssize_t i = 0, end = 0, size = texts.shape[0]
    cdef uint64_t key, whole
    found = []
    while end < size:
        i = end
        while end < size and texts[end] != 10:
            end += 1
        if i < end and texts[i] == 61:
            whole = WHOLE
            while i < end:
                key = next_word(&texts[0], &i, end)
                if key:
                    whole = (whole ^ key) * PRIME
            found.append(whole)
        elif i < end:
            key = AT_THE_END if texts[i] == 62 else 0
            found.append(next_word(&texts[0], &i, end) ^ key)
        end += 1
    return found

cdef inline Py_ssize_t add(const Table* known, uint64_t key, int32_t* found, Py_ssize_t count) noexcept nogil:
    cdef int32_t number = look_up(known, key)
    cdef Py_ssize_t i
    if number < 0:
        return count
    for i in range(count):
        if found[i] == number:
            return count
    found[count] = number
    return count + 1

def line_words(const uint8_t[::1] text not None, const int32_t[::1] start not None, const int32_t[::1] end not None,
               const uint64_t[::1] title not None, const uint64_t[::1] keys not None,
               const int32_t[::1] values not None, int32_t offset, int32_t[:, ::1] found not None,
               int32_t[::1] counts not None, float[::1] overlap not None):
    """Find the known words of each line, their numbers raised by `offset`, and the share of words the title has too.

    `found` has a row per line, wide enough for all that can be found; `title` is sorted.
    """
    cdef Table known
    cdef Py_ssize_t row, i, n, k, same, count, low, high, middle
    cdef uint64_t key, whole
    cdef uint64_t last[LAST_WORDS]
    known.keys, known.values, known.mask = &keys[0], &values[0], keys.shape[0] - 1
    if not start.shape[0]:
        return
    with nogil:
        for row in range(start.shape[0]):
            i, n, count, same, whole = start[row], 0, 0, 0, WHOLE
            while i < end[row]:
                key = next_word(&text[0], &i, end[row])
                if not key:
                    break
                if n < FIRST_WORDS:
                    count = add(&known, key, &found[row, 0], count)
                if n < COMPARED:
                    low, high = 0, title.shape[0]
                    while low < high:
                        middle = (low + high) // 2
                        if title[middle] < key:
                            low = middle + 1
                        else:
                            high = middle
                    same += low < title.shape[0] and title[low] == key
                whole = (whole ^ key) * PRIME
                last[n % LAST_WORDS] = key
                n += 1
            if n > FIRST_WORDS:
                for k in range(LAST_WORDS):
                    count = add(&known, last[k] ^ AT_THE_END, &found[row, 0], count)
            if 0 < n <= SHORT_LINE:
                count = add(&known, whole, &found[row, 0], count)
            for k in range(count):
                found[row, k] += offset
            counts[row] = <int32_t>count
            overlap[row] = <float>same / (1 if not n else n if n < COMPARED else COMPARED)

cdef inline int is_upper(uint8_t c) noexcept nogil:
    return 65 <= c <= 90

cdef inline int is_letter(uint8_t c) noexcept nogil:
    return 65 <= c <= 90 or 97 <= c <= 122

cdef inline uint64_t next_name(const uint8_t* text, Py_ssize_t* i, Py_ssize_t end) noexcept nogil:
    """Return the code of the next word of a name, its first letters, and move behind it; 0 where there is none.

    A word ends where a capital begins, and at what is no letter.
    """
    cdef uint64_t code = 0
    cdef Py_ssize_t letters = 0
    cdef uint8_t c
    while i[0] < end and not is_letter(text[i[0]]):
        i[0] += 1
    while i[0] < end and is_letter(text[i[0]]):
        c = text[i[0]]
        if letters and is_upper(c) and not is_upper(text[i[0] - 1]):
            break
        if letters < NAME_LETTERS:
            code |= <uint64_t>(c + 32 if is_upper(c) else c) << (8 * letters)
        letters += 1
        i[0] += 1
    return code

def name_codes(const uint8_t[::1] text not None, const int32_t[::1] start not None, const int32_t[::1] end not None,
               const int32_t[::1] node not None):
    """Return the words in elements' names as pairs of a node and a code."""
    cdef Py_ssize_t token, i
    cdef uint64_t code
    found = []
    for token in range(start.shape[0]):
        i = start[token]
        while i < end[token]:
            code = next_name(&text[0], &i, end[token])
            if code:
                found.append((node[token], code))
    return found

def element_names(const uint8_t[::1] text not None, const int32_t[::1] start not None,
                  const int32_t[::1] end not None, const int32_t[::1] node not None,
                  const uint64_t[::1] keys not None, const int32_t[::1] values not None,
                  uint64_t[::1] signature not None, int32_t[::1] place not None, int32_t[::1] known not None):
    """Add up each element's names, and list those that are known: element `i` has `known[place[i]:place[i + 1]]`.

    Return how many are listed. Tokens come in the order of their elements; `known` has room for every letter.
    """
    cdef Table table
    cdef Py_ssize_t token, i, count = 0, at = 0, nodes = signature.shape[0]
    cdef uint64_t code
    cdef int32_t number
    table.keys, table.values, table.mask = &keys[0], &values[0], keys.shape[0] - 1
    with nogil:
        for token in range(start.shape[0]):
            while at <= node[token]:
                place[at] = <int32_t>count
                at += 1
            i = start[token]
            while i < end[token]:
                code = next_name(&text[0], &i, end[token])
                if not code:
                    break
                signature[node[token]] += code * <uint64_t>0x9E3779B97F4A7C15
                number = look_up(&table, code)
                if number >= 0:
                    known[count] = number
                    count += 1
        while at <= nodes:
            place[at] = <int32_t>count
            at += 1
    return count

def path_names(const int32_t[::1] block not None, const int32_t[::1] parent not None,
               const int32_t[::1] tag not None, const int32_t[:, ::1] ranges not None,
               const float[::1] running not None, const int32_t[::1] place not None,
               const int32_t[::1] known not None, int32_t names, int32_t size,
               int32_t[:, ::1] found not None, int32_t[::1] counts not None):
    """Add to each line's words the names and tags of the elements around it, each once.

    There are three zones: the two elements next to the line, those further out, and those that hold most of the
    page's running text. Each has numbers of its own: `names` for names, then the tags, `size` together. Elements that
    hold nearly the whole page say nothing of its parts, and are left out.
    """
    cdef Py_ssize_t row, level, k, count, total = block.shape[0]
    cdef int32_t node, number, zone
    cdef double whole
    cdef int32_t* seen = <int32_t*>calloc(ZONES * size, sizeof(int32_t))
    cdef double* sums = <double*>calloc(total + 1, sizeof(double))
    if not (seen and sums):
        free(seen)
        free(sums)
        raise MemoryError
    with nogil:
        for row in range(total):
            sums[row + 1] = sums[row] + running[row]
        whole = sums[total]
        for row in range(total):
            node, level, count = block[row], 0, 0
            while node > 0 and level < MOST_LEVELS and count < MOST_NAMES:
                if 10 * (ranges[1, node] - ranges[0, node]) >= 9 * total and total > 1:
                    break
                zone = 0 if level < 2 else 1
                if whole > 0 and 2 * (sums[ranges[1, node]] - sums[ranges[0, node]]) >= whole:
                    zone = 2
                number = zone * size + names + tag[node]
                if seen[number] != row + 1:
                    seen[number] = <int32_t>(row + 1)
                    found[row, counts[row]] = number
                    counts[row] += 1
                    count += 1
                for k in range(place[node], place[node + 1]):
                    number = zone * size + known[k]
                    if seen[number] != row + 1 and count < MOST_NAMES:
                        seen[number] = <int32_t>(row + 1)
                        found[row, counts[row]] = number
                        counts[row] += 1
                        count += 1
                level += 1
                node = parent[node]
    free(seen)
    free(sums)

cdef struct Marks:
    int stops
    int commas
    int bars
    int brackets
    int signs

cdef inline float many(float count) noexcept nogil:
    return log1pf(count)

def line_marks(const uint8_t[::1] text not None, const int32_t[::1] start not None, const int32_t[::1] end not None,
               const uint8_t[::1] kind_of_byte not None, const uint8_t[::1] edge_of_byte not None,
               float[:, ::1] rows not None, Py_ssize_t column):
    """Fill columns of `rows` with how many marks of five kinds a line holds, and how it begins and ends."""
    cdef Py_ssize_t row, i, k, first, last
    cdef int count[6]
    cdef uint8_t edge
    with nogil:
        for row in range(start.shape[0]):
            for k in range(6):
                count[k] = 0
            first = last = -1
            for i in range(start[row], end[row]):
                count[kind_of_byte[text[i]]] += 1
                if text[i] > 32:
                    last = i
                    if first < 0:
                        first = i
            for k in range(5):
                rows[row, column + k] = many(count[k + 1])
            for k in range(20):
                rows[row, column + 5 + k] = 0
            if first >= 0:
                rows[row, column + 5 + edge_of_byte[text[first]]] = 1
                edge = 6 if is_stop(&text[0], last) else edge_of_byte[text[last]]
                rows[row, column + 15 + edge] = 1

cdef inline int is_stop(const uint8_t* text, Py_ssize_t last) noexcept nogil:
    """Tell whether a full stop or closing quotation mark of another script ends here."""
    cdef uint8_t c = text[last], b, a
    if last < 2 or c < 128:
        return 0
    b, a = text[last - 1], text[last - 2]
    if a == 0xE3 and b == 0x80:
        return c == 0x82 or c == 0x8D or c == 0x8F  # 。」』
    if a == 0xEF and b == 0xBC:
        return c == 0x81 or c == 0x9F or c == 0x89  # ！？）
    if a == 0xE2 and b == 0x80:
        return c == 0xA6 or c == 0x9D or c == 0x9C  # …”“
    if a == 0xE0 and b == 0xA5:
        return c == 0xA4  # ।
    return (b == 0xC2 and c == 0xBB) or (b == 0xD8 and c == 0x9F) or (b == 0xDB and c == 0x94)  # » ؟ ۔

def begun_alike(const uint8_t[::1] text not None, const int32_t[::1] start not None, const int32_t[::1] end not None,
                float[:, ::1] rows not None, Py_ssize_t column):
    """Fill a column with how many lines begin with the same six bytes: readers' comments and lists do."""
    cdef Py_ssize_t row, i, k, mask = 1, place
    cdef uint64_t key
    while mask < 2 * start.shape[0]:
        mask *= 2
    cdef uint64_t* keys = <uint64_t*>calloc(mask, sizeof(uint64_t))
    cdef int32_t* counts = <int32_t*>calloc(mask, sizeof(int32_t))
    cdef int32_t* places = <int32_t*>calloc(start.shape[0] + 1, sizeof(int32_t))
    if not (keys and counts and places):
        free(keys)
        free(counts)
        free(places)
        raise MemoryError
    with nogil:
        for row in range(start.shape[0]):
            i = start[row]
            while i < end[row] and text[i] <= 32:
                i += 1
            key = 0
            for k in range(6):
                key = key << 8 | (text[i + k] if i + k < end[row] else 0)
            place = <Py_ssize_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> 32) & (mask - 1)
            while counts[place] and keys[place] != key:
                place = (place + 1) & (mask - 1)
            keys[place] = key
            counts[place] += 1
            places[row] = <int32_t>place
        for row in range(start.shape[0]):
            rows[row, column] = many(counts[places[row]] if counts[places[row]] < 20 else 20)
    free(keys)
    free(counts)
    free(places)
