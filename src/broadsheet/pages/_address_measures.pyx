# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled part of `url_features`: one pass each over a URL and the text of a link."""

from libc.string cimport memset

cdef enum:
    MAX_SEGMENTS = 32  # deeper segments are added to the last; no real URL has this many
    MAX_NUMBERS = 64
    SHORT_WORD = 3
    ADDRESS_NUMBERS = 38
    ANCHOR_NUMBERS = 8
    MAX_RESERVED_WORDS = 3  # the words of a longer segment are those of a headline
    SERVICE = 1
    LISTING = 2
    MEDIA = 4

cdef struct Segment:
    int length
    int letters
    int words
    int short_words
    int longest_word
    int digits
    int longest_number
    int longest_mixed
    int ends_in_digit
    int service
    int listing
    int media

cdef struct Number:
    # A run of digits.
    Py_ssize_t start
    Py_ssize_t end
    int value
    int segment
    int in_date

cdef struct Address:
    Segment segments[MAX_SEGMENTS]
    int depth
    Number numbers[MAX_NUMBERS]
    int count
    int date  # 0 none, 1 a year, 2 a month, 3 a day

cdef inline int is_digit(Py_UCS4 c) noexcept nogil:
    return 48 <= c <= 57

cdef inline int is_year(Number* number) noexcept nogil:
    return number.end - number.start == 4 and 1900 <= number.value < 2100

cdef inline int is_month(Number* number) noexcept nogil:
    return number.end - number.start <= 2 and 1 <= number.value <= 12

cdef inline int is_day(Number* number) noexcept nogil:
    return number.end - number.start <= 2 and 1 <= number.value <= 31

cdef int joins(str text, Number* first, Number* second) except -1:
    """Tell whether two numbers can be parts of one date: separated by one mark, or by the three letters of a month."""
    cdef Py_ssize_t gap = second.start - first.end
    cdef Py_UCS4 mark = text[first.end]
    if gap == 1:
        return mark in "/-_."
    return gap == 5 and mark == "/" and text[second.start - 1] == "/" and text[first.end + 1 : first.end + 4].isalpha()

cdef int compact_date(Number* number) noexcept nogil:
    """Tell whether a run of digits is a day (3) or a month (2) written without separators."""
    cdef Py_ssize_t size = number.end - number.start
    cdef int year, month, day
    if size == 8:
        year, month, day = number.value // 10000, number.value // 100 % 100, number.value % 100
        return 3 if 1900 <= year < 2100 and 1 <= month <= 12 and 1 <= day <= 31 else 0
    if size == 6:
        year, month = number.value // 100, number.value % 100
        return 2 if 1900 <= year < 2100 and 1 <= month <= 12 else 0
    return 0

cdef int find_date(str text, Address* address) except -1:
    """Mark the numbers that form a date, which do not count as numbers; the most precise date counts."""
    cdef Number* here
    cdef int k, precision, used
    for k in range(address.count):
        here = &address.numbers[k]
        precision, used = compact_date(here), 1
        if k + 2 < address.count and joins(text, here, here + 1) and joins(text, here + 1, here + 2):
            if is_year(here) and is_month(here + 1) and is_day(here + 2):
                precision, used = 3, 3
            elif is_day(here) and is_month(here + 1) and is_year(here + 2):
                precision, used = 3, 3
        if not precision and k + 1 < address.count and is_year(here) and joins(text, here, here + 1):
            if here[1].start - here.end > 1 and is_day(here + 1):
                precision, used = 3, 2  # the month is a word
            elif is_month(here + 1):
                precision, used = 2, 2
        if not precision and is_year(here):
            precision = 1
        if precision > address.date:
            address.date = precision
        while precision and used:
            used -= 1
            here[used].in_date = 1
    return 0

cdef int read_path(str text, dict vocabulary, Address* address) except -1:
    """Fill in the segments and numbers of a lower-case path."""
    cdef Py_ssize_t size = len(text)
    cdef Py_ssize_t i, word = -1, number = -1, run = -1
    cdef int value = 0, letters_in_run = 0, digits_in_run = 0, kind, length
    cdef Segment* segment = NULL
    cdef Py_UCS4 c
    cdef bint letter, digit
    for i in range(size + 1):
        c = text[i] if i < size else u"/"
        digit = is_digit(c)
        letter = not digit and c.isalpha()
        if word >= 0 and not letter:
            length = i - word
            segment.words += 1
            segment.short_words += length <= SHORT_WORD
            segment.longest_word = max(segment.longest_word, length)
            kind = vocabulary.get(text[word:i], 0)
            segment.service += (kind & SERVICE) != 0
            segment.listing += (kind & LISTING) != 0
            segment.media += (kind & MEDIA) != 0
            word = -1
        if number >= 0 and not digit:
            if address.count < MAX_NUMBERS:
                address.numbers[address.count] = Number(number, i, value, address.depth - 1, 0)
                address.count += 1
            number = -1
        if run >= 0 and not letter and not digit:
            if letters_in_run and digits_in_run:
                segment.longest_mixed = max(segment.longest_mixed, letters_in_run + digits_in_run)
            run = -1
        if c == u"/":
            segment = NULL
            continue
        if segment == NULL:
            address.depth = min(address.depth + 1, MAX_SEGMENTS)
            segment = &address.segments[address.depth - 1]
        segment.length += 1
        segment.ends_in_digit = digit
        if letter or digit:
            if run < 0:
                run, letters_in_run, digits_in_run = i, 0, 0
            letters_in_run += letter
            digits_in_run += digit
        if letter:
            segment.letters += 1
            if word < 0:
                word = i
        if digit:
            segment.digits += 1
            if number < 0:
                number, value = i, 0
            # Longer numbers are not dates, so their value is not needed.
            value = value * 10 + (<int> c - 48) if i - number < 8 else 0
    return 0

cdef int longest_number(str text) except -1:
    """Return the length of the longest run of digits."""
    cdef int longest = 0, length = 0
    cdef Py_UCS4 c
    for c in text:
        length = length + 1 if is_digit(c) else 0
        longest = max(longest, length)
    return longest

cdef int counts_reserved(Segment* segment) noexcept nogil:
    return segment.words <= MAX_RESERVED_WORDS

def measure_address(str path not None, str query not None, dict vocabulary not None, float[::1] row not None):
    """Compute the features `url_features.ADDRESS` of a query and a lower-case path without its extension."""
    cdef Address address
    cdef Segment empty
    cdef Segment* last = &empty
    cdef Segment* slug = &empty
    cdef Segment* segment
    cdef int k, slug_at = 0, digits = 0, words = 0, longest = 0, last_longest = 0, numbers = 0, mixed = 0
    cdef int service = 0, listing = 0, media = 0, length
    if row.shape[0] != ADDRESS_NUMBERS:
        raise ValueError(f"the features of a URL are {ADDRESS_NUMBERS}, not {row.shape[0]}")
    memset(&address, 0, sizeof(Address))
    memset(&empty, 0, sizeof(Segment))
    read_path(path, vocabulary, &address)
    find_date(path, &address)
    for k in range(address.count):
        if not address.numbers[k].in_date:
            numbers += 1
            length = address.numbers[k].end - address.numbers[k].start
            longest = max(longest, length)
            if address.numbers[k].segment == address.depth - 1:
                last_longest = max(last_longest, length)
    for k in range(address.depth):
        segment = &address.segments[k]
        digits += segment.digits
        words += segment.words
        mixed = max(mixed, segment.longest_mixed)
        if segment.words >= slug.words:
            slug, slug_at = segment, k
        if k < address.depth - 1 and counts_reserved(segment):
            service += segment.service
            listing += segment.listing
            media += segment.media
    if address.depth:
        last = &address.segments[address.depth - 1]
    row[0] = address.depth
    row[1] = len(path)
    row[2] = not address.depth or path[len(path) - 1] == u"/"
    row[3] = last.length
    row[4] = last.words
    row[5] = last.letters
    row[6] = last.digits
    row[7] = last.short_words
    row[8] = last.longest_word
    row[9] = last_longest
    row[10] = last.ends_in_digit
    row[11] = last.longest_mixed
    row[12] = address.depth > 1 and not address.segments[address.depth - 2].letters
    row[13] = slug.words
    row[14] = slug.length
    row[15] = address.depth - 1 - slug_at if address.depth else 0
    row[16] = slug.short_words
    row[17] = slug.longest_word
    row[18] = address.segments[0].length if address.depth > 1 else 0
    row[19] = address.segments[0].words if address.depth > 1 else 0
    row[20] = words
    row[21] = digits
    row[22] = numbers
    row[23] = longest
    row[24] = mixed
    row[25] = address.date
    row[26] = query.count("=")
    row[27] = len(query)
    row[28] = longest_number(query)
    row[29] = last.service if counts_reserved(last) else 0
    row[30] = service
    row[31] = last.listing if counts_reserved(last) else 0
    row[32] = listing
    row[33] = address.depth > 1 and counts_reserved(&address.segments[address.depth - 2]) and address.segments[address.depth - 2].listing > 0
    row[34] = last.media if counts_reserved(last) else 0
    row[35] = media
    row[36] = address.depth == 1
    row[37] = last.length > 0 and not last.letters

def measure_anchor(str text not None, str marks not None, str ends not None, float[::1] row not None):
    """Compute the features `url_features.ANCHOR` of the text of a link with collapsed white space."""
    cdef Py_ssize_t size = len(text)
    cdef Py_ssize_t i, word = -1
    cdef int width = 0, words = 0, short_words = 0, longest = 0, digits = 0, letters = 0, upper = 0, marked = 0, length
    cdef Py_UCS4 c
    cdef bint letter
    if row.shape[0] != ANCHOR_NUMBERS:
        raise ValueError(f"the features of a link's text are {ANCHOR_NUMBERS}, not {row.shape[0]}")
    for i in range(size + 1):
        c = text[i] if i < size else u" "
        letter = c.isalpha()
        if word >= 0 and not letter:
            length = i - word
            words += 1
            short_words += length <= SHORT_WORD
            longest = max(longest, length)
            word = -1
        if i == size:
            break
        # A Hangul or Chinese character carries as much information as two letters of an alphabet.
        width += 2 if c >= 0x1100 else 1
        if letter:
            letters += 1
            upper += c.isupper()
            if word < 0:
                word = i
        elif is_digit(c):
            digits += 1
        elif c in marks:
            marked += 1
    row[0] = width
    row[1] = words
    row[2] = short_words
    row[3] = longest
    row[4] = digits
    row[5] = upper / <double> letters if letters else 0
    row[6] = marked
    row[7] = size > 0 and text[size - 1] in ends
