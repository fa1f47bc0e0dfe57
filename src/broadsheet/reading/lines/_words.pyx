# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled part of `line_features` and `vocabulary`: words of lines and element names, looked up by hash."""

from libc.math cimport log1pf
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

import numpy as np

cdef enum:
    FIRST_WORDS = 8  # words looked up at the beginning of a line
    LAST_WORDS = 4  # and at its end, if it has more
    SHORT_LINE = 6  # lines of up to this many words are also looked up as a whole
    WORD_BYTES = 24  # longer words are truncated
    NAME_LETTERS = 8
    COMPARED = 30  # words of a line compared with the title
    MAX_LEVELS = 40  # ancestors of a line whose names are looked up
    MAX_NAMES = 64  # names per line
    ZONES = 3
    RECENT = 1024  # names of elements that are recognised when they come again; ten bits of a hash
    UNKNOWN = -1

cdef uint64_t AT_THE_END = 0x5851F42D4C957F2D
cdef uint64_t WHOLE = 0x14057B7EF767814F
cdef uint64_t ON_BODY = 0xA24BAED4963EE407
cdef uint64_t IN_LINKS = 0xD6E8FEB86659FD93
cdef uint64_t BEGIN = 0xCBF29CE484222325
cdef uint64_t PRIME = 0x100000001B3

cdef struct Table:
    const uint64_t* keys
    const int32_t* values
    Py_ssize_t mask

cdef inline int32_t look_up(const Table* table, uint64_t key) noexcept nogil:
    """Return the id of a key or -1; a table always has a free slot."""
    cdef Py_ssize_t slot = <Py_ssize_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> 32) & table.mask
    while table.values[slot] >= 0:
        if table.keys[slot] == key:
            return table.values[slot]
        slot = (slot + 1) & table.mask
    return UNKNOWN

def fill_table(const uint64_t[::1] words not None, uint64_t[::1] keys not None, int32_t[::1] values not None):
    """Insert the key of each word with its index; of equal keys the first is kept."""
    cdef Py_ssize_t mask = keys.shape[0] - 1, slot, i
    for i in range(words.shape[0]):
        slot = <Py_ssize_t>((words[i] * <uint64_t>0x9E3779B97F4A7C15) >> 32) & mask
        while values[slot] >= 0 and keys[slot] != words[i]:
            slot = (slot + 1) & mask
        if values[slot] < 0:
            keys[slot], values[slot] = words[i], <int32_t>i

cdef inline Py_ssize_t gap(const uint8_t* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return the length of the separator at `i` in bytes, or 0 inside a word."""
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

# The lower case of each byte, 0 for separators.
cdef uint8_t LOWER[256]
for _byte in range(256):
    LOWER[_byte] = ord(chr(_byte).lower()) if _byte < 128 and chr(_byte).isalnum() else _byte if _byte >= 128 else 0

cdef inline uint64_t next_word(const uint8_t* text, Py_ssize_t* i, Py_ssize_t end) noexcept nogil:
    """Return the key of the next word and advance past it; 0 if there is none."""
    cdef uint64_t key = BEGIN
    cdef Py_ssize_t at = i[0], step, length = 0
    cdef uint8_t c
    while at < end:
        c = LOWER[text[at]]
        step = 1 if not c else gap(text, at, end) if c >= 128 else 0
        if step:
            at += step
            if length:
                break
            continue
        if length < WORD_BYTES:
            key = (key ^ c) * PRIME
        length += 1
        at += 1
    i[0] = at
    if not length:
        return 0
    return key if key else 1

cdef inline bint skip_word(const uint8_t* text, Py_ssize_t* i, Py_ssize_t end) noexcept nogil:
    """Advance past the next word; return whether there is one."""
    cdef Py_ssize_t at = i[0], step
    cdef bint found = False
    cdef uint8_t c
    while at < end:
        c = LOWER[text[at]]
        step = 1 if not c else gap(text, at, end) if c >= 128 else 0
        if step and found:
            at += step
            break
        found = found or not step
        at += step if step else 1
    i[0] = at
    return found

def keys_of(const uint8_t[::1] text not None):
    """Return the keys of all words of a text."""
    cdef Py_ssize_t i = 0
    cdef uint64_t key
    keys = []
    while i < text.shape[0]:
        key = next_word(&text[0], &i, text.shape[0])
        if key:
            keys.append(key)
    return keys

def keys_of_texts(const uint8_t[::1] texts not None):
    """Return the keys of entries, one per line: words, words at line ends (prefix >) and complete lines (prefix =)."""
    cdef Py_ssize_t i = 0, end = 0, size = texts.shape[0]
    cdef uint64_t key, line_key
    keys = []
    while end < size:
        i = end
        while end < size and texts[end] != 10:
            end += 1
        if i < end and texts[i] == 61:
            line_key = WHOLE
            while i < end:
                key = next_word(&texts[0], &i, end)
                if key:
                    line_key = (line_key ^ key) * PRIME
            keys.append(line_key)
        elif i < end:
            key = AT_THE_END if texts[i] == 62 else 0
            keys.append(next_word(&texts[0], &i, end) ^ key)
        end += 1
    return keys

cdef inline Py_ssize_t add(const Table* known, uint64_t key, int32_t* words, Py_ssize_t count) noexcept nogil:
    cdef int32_t number = look_up(known, key)
    cdef Py_ssize_t i
    if number < 0:
        return count
    for i in range(count):
        if words[i] == number:
            return count
    words[count] = number
    return count + 1

def line_words(const uint8_t[::1] text not None, const int32_t[::1] start not None, const int32_t[::1] end not None,
               const uint64_t[::1] title not None, const uint64_t[::1] keys not None,
               const int32_t[::1] values not None, int32_t offset, int32_t[:, ::1] words not None,
               int32_t[::1] counts not None, float[::1] overlap not None):
    """Fill in the known words of each line, with `offset` added to their ids, and the share of its words in the title.

    `words` has one sufficiently wide row per line; `title` is sorted.
    """
    cdef Table known
    cdef Py_ssize_t row, i, n, k, same, count, low, high, middle, begin
    cdef uint64_t key, line_key
    cdef Py_ssize_t last[LAST_WORDS]
    known.keys, known.values, known.mask = &keys[0], &values[0], keys.shape[0] - 1
    if not start.shape[0]:
        return
    with nogil:
        for row in range(start.shape[0]):
            i, n, count, same, line_key = start[row], 0, 0, 0, WHOLE
            while i < end[row]:
                begin = i
                if n >= COMPARED:
                    # Of the words of a long line, only the last ones still matter.
                    if not skip_word(&text[0], &i, end[row]):
                        break
                    last[n % LAST_WORDS] = begin
                    n += 1
                    continue
                key = next_word(&text[0], &i, end[row])
                if not key:
                    break
                if n < FIRST_WORDS:
                    count = add(&known, key, &words[row, 0], count)
                low, high = 0, title.shape[0]
                while low < high:
                    middle = (low + high) // 2
                    if title[middle] < key:
                        low = middle + 1
                    else:
                        high = middle
                same += low < title.shape[0] and title[low] == key
                line_key = (line_key ^ key) * PRIME
                last[n % LAST_WORDS] = begin
                n += 1
            if n > FIRST_WORDS:
                for k in range(LAST_WORDS):
                    i = last[k]
                    count = add(&known, next_word(&text[0], &i, end[row]) ^ AT_THE_END, &words[row, 0], count)
            if 0 < n <= SHORT_LINE:
                count = add(&known, line_key, &words[row, 0], count)
            for k in range(count):
                words[row, k] += offset
            counts[row] = <int32_t>count
            overlap[row] = <float>same / (1 if not n else n if n < COMPARED else COMPARED)

# The lower case of each letter, 0 for everything else.
cdef uint8_t LETTER[256]
for _byte in range(256):
    LETTER[_byte] = LOWER[_byte] if _byte < 128 and chr(_byte).isalpha() else 0

cdef inline uint64_t next_name(const uint8_t* text, Py_ssize_t* i, Py_ssize_t end) noexcept nogil:
    """Return the code of the next word of a name, its first letters, and advance past it; 0 if there is none.

    Words end before a capital and at anything that is not a letter.
    """
    cdef uint64_t code = 0
    cdef Py_ssize_t at = i[0], begin
    cdef uint8_t lower
    cdef bint is_upper, was_upper = True
    while at < end and not LETTER[text[at]]:
        at += 1
    begin = at
    while at < end:
        lower = LETTER[text[at]]
        is_upper = lower != text[at]
        if not lower or (is_upper and not was_upper):
            break
        if at - begin < NAME_LETTERS:
            code |= <uint64_t>lower << (8 * (at - begin))
        was_upper = is_upper
        at += 1
    i[0] = at
    return code

def name_codes(const uint8_t[::1] text not None, const int32_t[::1] start not None, const int32_t[::1] end not None,
               const int32_t[::1] node not None):
    """Return the words in elements' names as pairs of a node and a code."""
    cdef Py_ssize_t token, i
    cdef uint64_t code
    pairs = []
    for token in range(start.shape[0]):
        i = start[token]
        while i < end[token]:
            code = next_name(&text[0], &i, end[token])
            if code:
                pairs.append((node[token], code))
    return pairs

def element_names(const uint8_t[::1] text not None, const int32_t[::1] start not None,
                  const int32_t[::1] end not None, const int32_t[::1] node not None,
                  const uint64_t[::1] keys not None, const int32_t[::1] values not None,
                  uint64_t[::1] signature not None, int32_t[::1] place not None, int32_t[::1] known not None):
    """Hash the names of each element, and list the known ones: element `i` has `known[place[i]:place[i + 1]]`.

    Return the number of known names. Tokens are in the order of their elements; `known` has room for every letter.
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

def term_keys(names, body_names, const uint8_t[::1] link_words not None):
    """Return the keys of terms: codes of names, of those on `body`, and words in links, separated by spaces."""
    return [*names, *(name ^ ON_BODY for name in body_names), *(key ^ IN_LINKS for key in keys_of(link_words))]

cdef inline Py_ssize_t add_once(int32_t number, uint8_t* seen, int32_t* found, Py_ssize_t count) noexcept nogil:
    """Add a known term that was not seen before, and return how many there are."""
    if number < 0 or seen[number]:
        return count
    seen[number] = 1
    found[count] = number
    return count + 1

cdef inline bint is_repeated(const uint8_t* text, int32_t start, int32_t end, int32_t* recent) noexcept nogil:
    """Tell whether a name is the same as the last one that fell into its place among the recent ones."""
    cdef int32_t length = end - start
    cdef int32_t known
    cdef uint64_t key = <uint64_t>length
    if length >= 8:
        memcpy(&key, text + start, 8)
        key = key * PRIME ^ <uint64_t>text[end - 1] << 32 ^ <uint64_t>length
    elif length:
        key = key << 16 ^ <uint64_t>text[start] << 8 ^ text[end - 1]
    cdef Py_ssize_t place = 2 * <Py_ssize_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> 54)
    known = recent[place]
    if recent[place + 1] == length and memcmp(text + known, text + start, length) == 0:
        return True
    recent[place], recent[place + 1] = start, length
    return False

def page_terms(const uint8_t[::1] names not None, const int32_t[::1] name_start not None,
               const int32_t[::1] name_end not None, const int32_t[::1] node not None, int32_t body,
               const uint8_t[::1] text not None, const int32_t[::1] start not None, const int32_t[::1] end not None,
               const int32_t[::1] link not None, const uint64_t[::1] keys not None, const int32_t[::1] values not None,
               Py_ssize_t size):
    """Return the known terms of a page, each once: in the names of elements, and in pieces of text within links.

    `body` is the row of the element whose names have keys of their own; `size` is the number of known terms.
    """
    cdef Table table
    cdef Py_ssize_t k, i, count = 0
    cdef uint64_t key
    # Where recent names begin, and their lengths: most elements are named as others before them.
    cdef int32_t recent[2 * RECENT]
    memset(recent, 0, sizeof(recent))
    terms = np.empty(size + 1, np.int32)
    cdef int32_t[::1] found = terms
    cdef uint8_t* seen = <uint8_t*>calloc(size + 1, 1)
    if not seen:
        raise MemoryError
    table.keys, table.values, table.mask = &keys[0], &values[0], keys.shape[0] - 1
    with nogil:
        for k in range(name_start.shape[0]):
            if node[k] != body and is_repeated(&names[0], name_start[k], name_end[k], recent):
                continue
            i = name_start[k]
            while i < name_end[k]:
                key = next_name(&names[0], &i, name_end[k])
                if not key:
                    break
                count = add_once(look_up(&table, key), seen, &found[0], count)
                if node[k] == body:
                    count = add_once(look_up(&table, key ^ ON_BODY), seen, &found[0], count)
        for k in range(start.shape[0]):
            if link[k] < 0:
                continue
            i = start[k]
            while i < end[k]:
                key = next_word(&text[0], &i, end[k])
                if not key:
                    break
                count = add_once(look_up(&table, key ^ IN_LINKS), seen, &found[0], count)
    free(seen)
    return terms[:count]

def words_in_links(const uint8_t[::1] text not None, const int32_t[::1] start not None,
                   const int32_t[::1] end not None, const int32_t[::1] link not None):
    """Return the words in pieces of text within links as a set of bytes, in lower case and without very long ones."""
    cdef Py_ssize_t k, i, at, stop
    cdef set found = set()
    for k in range(start.shape[0]):
        if link[k] < 0:
            continue
        i = start[k]
        while i < end[k]:
            at = i
            while at < end[k] and (not LOWER[text[at]] or (text[at] >= 128 and gap(&text[0], at, end[k]))):
                at += gap(&text[0], at, end[k]) if text[at] >= 128 else 1
            stop = at
            while stop < end[k] and LOWER[text[stop]] and not (text[stop] >= 128 and gap(&text[0], stop, end[k])):
                stop += 1
            if not next_word(&text[0], &i, end[k]):
                break
            if stop - at <= WORD_BYTES:
                found.add(bytes([LOWER[text[j]] for j in range(at, stop)]))
    return found

def path_names(const int32_t[::1] block not None, const int32_t[::1] parent not None,
               const int32_t[::1] tag not None, const int32_t[:, ::1] ranges not None,
               const float[::1] running not None, const int32_t[::1] place not None,
               const int32_t[::1] known not None, int32_t names, int32_t size,
               int32_t[:, ::1] words not None, int32_t[::1] counts not None):
    """Add the names and tags of the elements around each line to its words, each once.

    There are three zones: the two elements next to the line, those further out, and those with most of the page's
    running text. Each has its own range of `size` ids: `names` for names, followed by the tags. Elements around nearly
    the whole page are left out, because they say nothing about its parts.
    """
    cdef Py_ssize_t row, level, k, count, total = block.shape[0]
    cdef int32_t node, number, zone
    cdef double page_running
    cdef int32_t* seen = <int32_t*>calloc(ZONES * size, sizeof(int32_t))
    cdef double* sums = <double*>calloc(total + 1, sizeof(double))
    if not (seen and sums):
        free(seen)
        free(sums)
        raise MemoryError
    with nogil:
        for row in range(total):
            sums[row + 1] = sums[row] + running[row]
        page_running = sums[total]
        for row in range(total):
            node, level, count = block[row], 0, 0
            while node > 0 and level < MAX_LEVELS and count < MAX_NAMES:
                if 10 * (ranges[1, node] - ranges[0, node]) >= 9 * total and total > 1:
                    break
                zone = 0 if level < 2 else 1
                if page_running > 0 and 2 * (sums[ranges[1, node]] - sums[ranges[0, node]]) >= page_running:
                    zone = 2
                number = zone * size + names + tag[node]
                if seen[number] != row + 1:
                    seen[number] = <int32_t>(row + 1)
                    words[row, counts[row]] = number
                    counts[row] += 1
                    count += 1
                for k in range(place[node], place[node + 1]):
                    number = zone * size + known[k]
                    if seen[number] != row + 1 and count < MAX_NAMES:
                        seen[number] = <int32_t>(row + 1)
                        words[row, counts[row]] = number
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

cdef inline float log_count(float count) noexcept nogil:
    return log1pf(count)

def line_marks(const uint8_t[::1] text not None, const int32_t[::1] start not None, const int32_t[::1] end not None,
               const uint8_t[::1] kind_of_byte not None, const uint8_t[::1] edge_of_byte not None,
               float[:, ::1] rows not None, Py_ssize_t column):
    """Fill columns of `rows` with the number of marks of five kinds in each line, and how it begins and ends."""
    cdef Py_ssize_t row, i, k, first, last
    cdef int count[6]
    cdef uint8_t edge, kind
    with nogil:
        for row in range(start.shape[0]):
            for k in range(6):
                count[k] = 0
            first, last = start[row], end[row] - 1
            while first <= last and text[first] <= 32:
                first += 1
            while last > first and text[last] <= 32:
                last -= 1
            for i in range(first, last + 1):
                kind = kind_of_byte[text[i]]
                # Most bytes are of no kind, and adding to one number again and again is slow.
                if kind:
                    count[kind] += 1
            for k in range(5):
                rows[row, column + k] = log_count(count[k + 1])
            for k in range(20):
                rows[row, column + 5 + k] = 0
            if first <= last:
                rows[row, column + 5 + edge_of_byte[text[first]]] = 1
                edge = 6 if is_stop(&text[0], last) else edge_of_byte[text[last]]
                rows[row, column + 15 + edge] = 1

cdef inline int is_stop(const uint8_t* text, Py_ssize_t last) noexcept nogil:
    """Tell whether the text ends in a non-ASCII full stop or closing quotation mark."""
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
    """Fill a column with the number of lines that begin with the same six bytes, as in comments and lists."""
    cdef Py_ssize_t row, i, k, mask = 1, slot
    cdef uint64_t key
    while mask < 2 * start.shape[0]:
        mask *= 2
    cdef uint64_t* keys = <uint64_t*>calloc(mask, sizeof(uint64_t))
    cdef int32_t* counts = <int32_t*>calloc(mask, sizeof(int32_t))
    cdef int32_t* slots = <int32_t*>calloc(start.shape[0] + 1, sizeof(int32_t))
    if not (keys and counts and slots):
        free(keys)
        free(counts)
        free(slots)
        raise MemoryError
    with nogil:
        for row in range(start.shape[0]):
            i = start[row]
            while i < end[row] and text[i] <= 32:
                i += 1
            key = 0
            for k in range(6):
                key = key << 8 | (text[i + k] if i + k < end[row] else 0)
            slot = <Py_ssize_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> 32) & (mask - 1)
            while counts[slot] and keys[slot] != key:
                slot = (slot + 1) & (mask - 1)
            keys[slot] = key
            counts[slot] += 1
            slots[row] = <int32_t>slot
        for row in range(start.shape[0]):
            rows[row, column] = log_count(counts[slots[row]] if counts[slots[row]] < 20 else 20)
    free(keys)
    free(counts)
    free(slots)
