# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled parts of `url_features`, `page_shape` and `term_model`.

They compute the features of a URL, the text of a link, or a page's columns, and the scores of its terms.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc
from libc.stdlib cimport free as free_memory
from libc.string cimport memset

cdef enum:
    MOST_SEGMENTS = 32  # deeper segments are added to the last; no real URL has this many
    MOST_NUMBERS = 64
    SHORT_WORD = 3
    MOST_RESERVED_WORDS = 3  # the words of a longer segment are those of a headline
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
    Segment segments[MOST_SEGMENTS]
    int depth
    Number numbers[MOST_NUMBERS]
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
            if address.count < MOST_NUMBERS:
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
            address.depth = min(address.depth + 1, MOST_SEGMENTS)
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
    return segment.words <= MOST_RESERVED_WORDS

def measure_address(str path not None, str query not None, dict vocabulary not None, float[::1] row not None):
    """Compute the features `url_features.ADDRESS` of a query and a lower-case path without its extension."""
    cdef Address address
    cdef Segment empty
    cdef Segment* last = &empty
    cdef Segment* slug = &empty
    cdef Segment* segment
    cdef int k, slug_at = 0, digits = 0, words = 0, longest = 0, last_longest = 0, numbers = 0, mixed = 0
    cdef int service = 0, listing = 0, media = 0, length
    if row.shape[0] < 38:
        raise ValueError("a row of URL features needs room for 38 numbers")
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
    if row.shape[0] < 8:
        raise ValueError("a row of anchor features needs room for 8 numbers")
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

# The compiled part of `page_shape`: one pass each over the lines, links and nodes of a page.

cdef enum:
    TEASER_LEAST = 8  # words of text between two headlines that make it a teaser of the first
    TEASER_MOST = 70
    BREAK = 4  # words in a line of mostly links that separates two texts
    MOST_DATE_WORDS = 8
    LEAST_DATE_DIGITS = 3
    MOST_DATE_DIGITS = 16
    FEW_WORDS = 4
    SLUG_MARKS = 4  # hyphens between the words of a headline in a URL
    MOST_OF_HREF = 300
    MAIN_SHARE = 5  # the main element has at least three fifths of the words in paragraphs
    MAIN_OF = 3
    BYLINE_WORDS = 12  # in a short line that may date an article, beside its author
    DATE_LINES = 15  # lines after the main heading among which such a line is looked for
    FAR = 200  # lines after which no first paragraph is looked for
    GAP = 6  # lines without a paragraph that end an opening
    SHAPES = 67
    CODES = 256  # the number of tag codes
    HEADING = 1
    MAIN_HEADING = 2
    ITEM = 4
    CONTROL = 8
    TITLE = 16

cdef struct Text:
    int lines
    int with_text
    int few_words
    int paragraphs
    int long_paragraphs
    int longest
    long in_paragraphs
    long free
    long run_most
    long run_second
    int teasers
    long unbroken_most
    long mss
    int dates

cdef struct Main:
    # The last element with most of the words in paragraphs.
    Py_ssize_t node
    int headings
    int items
    int children
    int headlines
    int links
    long words
    long in_links

cdef struct Headings:
    int count
    int linked
    int main
    int main_words
    Py_ssize_t text_from  # the first piece after the first main heading, or -1
    int title_words

cdef struct Opening:
    # What follows the main heading.
    int date
    int paragraph
    int links
    int dates
    long words

cdef struct Anchors:
    double words
    double squares
    int headlines
    long headline_words
    int empty
    int slugs
    int fragments
    long length

cdef inline void end_run(Text* text, long run) noexcept nogil:
    text.teasers += TEASER_LEAST <= run <= TEASER_MOST
    if run > text.run_most:
        text.run_most, text.run_second = run, text.run_most
    elif run > text.run_second:
        text.run_second = run

cdef void read_lines(
    Text* text, const int[::1] line, const int[::1] link, const int[::1] block, const int[::1] parent,
    const int[::1] words, const int[::1] characters, const int[::1] digits, int paragraph, int long_paragraph,
    long* before, int* held, int* held_count,
) noexcept nogil:
    """Read the page line by line; fill `before` with the words in paragraphs before each piece, `held` with those of
    each parent element, and `held_count` with its number of paragraphs."""
    cdef Py_ssize_t k = 0, first, j, count = line.shape[0]
    cdef long run = 0, unbroken = 0, best = 0, free, all_words, length, in_link
    cdef int holder, number
    while k < count:
        first, free, all_words, length, in_link, number = k, 0, 0, 0, 0, 0
        while k < count and line[k] == line[first]:
            all_words += words[k + 1] - words[k]
            length += characters[k + 1] - characters[k]
            number += digits[k + 1] - digits[k]
            if link[k] < 0:
                free += words[k + 1] - words[k]
            else:
                in_link += characters[k + 1] - characters[k]
            k += 1
        text.lines += 1
        text.free += free
        text.with_text += free > 0
        text.few_words += 0 < free <= FEW_WORDS
        text.longest = max(text.longest, <int> free)
        text.dates += all_words <= MOST_DATE_WORDS and LEAST_DATE_DIGITS <= number <= MOST_DATE_DIGITS
        for j in range(first, k):
            before[j + 1] = before[first]
        if free >= paragraph:
            text.paragraphs += 1
            text.long_paragraphs += free >= long_paragraph
            text.in_paragraphs += free
            holder = max(parent[block[first]], 0)
            held[holder] += free
            held_count[holder] += 1
            for j in range(first, k):
                before[j + 1] += free
        if 2 * in_link > length:
            best = max(best - length, 0)
            text.unbroken_most = max(text.unbroken_most, unbroken)
            unbroken = 0
            if all_words >= BREAK:
                end_run(text, run)
                run = 0
            else:
                run += free
        else:
            best += length
            text.mss = max(text.mss, best)
            run += free
            unbroken += free
    end_run(text, run)
    text.unbroken_most = max(text.unbroken_most, unbroken)

cdef void read_anchors(
    Anchors* anchors, const int[::1] node, const int[::1] start, const int[::1] end, const unsigned char[::1] hrefs,
    const int[::1] words, const int[::1] piece_start, const int[::1] piece_end, int headline,
) noexcept nogil:
    cdef Py_ssize_t k, j
    cdef int count, marks
    for k in range(node.shape[0]):
        count = words[piece_end[node[k]]] - words[piece_start[node[k]]]
        anchors.words += count
        anchors.squares += <double> count * count
        anchors.empty += count == 0
        if count >= headline:
            anchors.headlines += 1
            anchors.headline_words += count
        anchors.length += end[k] - start[k]
        anchors.fragments += end[k] > start[k] and hrefs[start[k]] == c"#"
        marks = 0
        for j in range(start[k], min(end[k], start[k] + MOST_OF_HREF)):
            marks += hrefs[j] == c"-" or hrefs[j] == c"_"
        anchors.slugs += marks >= SLUG_MARKS

cdef void read_signs(const unsigned char[::1] text, int* quotes, int* money, int* questions) noexcept nogil:
    """Count quotation marks, currency signs and question marks in UTF-8."""
    cdef Py_ssize_t k = 0, size = text.shape[0]
    cdef unsigned char c, d, e
    for k in range(size):
        c = text[k]
        if c < 0x80:
            quotes[0] += c == c'"'
            money[0] += c == c"$"
            questions[0] += c == c"?"
        elif c == 0xC2 and k + 1 < size:
            d = text[k + 1]
            quotes[0] += d == 0xAB or d == 0xBB
            money[0] += d == 0xA3 or d == 0xA5
        elif c >= 0xE2 and k + 2 < size:
            d, e = text[k + 1], text[k + 2]
            if c == 0xE2:
                quotes[0] += d == 0x80 and 0x9C <= e <= 0x9E
                money[0] += d == 0x82 and e == 0xAC
            elif c == 0xE3:
                quotes[0] += d == 0x80 and 0x8C <= e <= 0x8F
            elif c == 0xEF:
                questions[0] += d == 0xBC and e == 0x9F

cdef void read_headings(
    Headings* headings, const unsigned char* kinds, const int[::1] tag, const int[::1] end, const int[::1] link_node,
    const int[::1] words, const int[::1] piece_start, const int[::1] piece_end,
) noexcept nogil:
    """Count the headings, and those that contain a link or are inside one."""
    cdef Py_ssize_t k, links = link_node.shape[0], at = 0
    cdef int in_link = 0, kind, own
    headings.text_from = -1
    headings.title_words = -1
    for k in range(tag.shape[0]):
        kind = kinds[tag[k]]
        while at < links and link_node[at] < k:
            in_link = max(in_link, end[link_node[at]])
            at += 1
        if not kind:
            continue
        own = words[piece_end[k]] - words[piece_start[k]]
        if kind & TITLE and headings.title_words < 0:
            headings.title_words = own
        if kind & HEADING:
            headings.count += 1
            headings.linked += k < in_link or (at < links and link_node[at] < end[k])
        if kind & MAIN_HEADING:
            headings.main += 1
            headings.main_words = max(headings.main_words, own)
            if headings.text_from < 0:
                headings.text_from = piece_end[k]

cdef void read_opening(
    Opening* opening, Py_ssize_t k, const int[::1] line, const int[::1] link, const int[::1] words,
    const int[::1] characters, const int[::1] digits, int paragraph,
) noexcept nogil:
    """Read the lines from piece `k` on to the first paragraph, and those after it for as long as paragraphs follow."""
    cdef Py_ssize_t first, count = line.shape[0]
    cdef long free, all_words, length, in_link
    cdef int number, is_date, at = 0, gap = 0
    opening.date, opening.paragraph = DATE_LINES, FAR
    # The heading may share its line with what follows.
    while 0 < k < count and line[k] == line[k - 1]:
        k += 1
    while k < count and gap < GAP and at < FAR + gap + opening.words:
        first, free, all_words, length, in_link, number = k, 0, 0, 0, 0, 0
        while k < count and line[k] == line[first]:
            all_words += words[k + 1] - words[k]
            length += characters[k + 1] - characters[k]
            number += digits[k + 1] - digits[k]
            if link[k] < 0:
                free += words[k + 1] - words[k]
            else:
                in_link += characters[k + 1] - characters[k]
            k += 1
        is_date = all_words <= BYLINE_WORDS and LEAST_DATE_DIGITS <= number <= MOST_DATE_DIGITS
        if is_date:
            opening.date = min(opening.date, at)
        if free >= paragraph:
            opening.paragraph = min(opening.paragraph, at)
            opening.words += free
            gap = 0
        elif opening.words:
            gap += 1
        else:
            opening.links += 2 * in_link > length
            opening.dates += is_date
        at += 1

cdef void read_main(
    Main* main, const unsigned char* kinds, const int[::1] tag, const int[::1] parent, const int[::1] end,
    const int[::1] link_node, const int[::1] link, const int[::1] words, const int[::1] piece_start,
    const int[::1] piece_end, const long* before, long total, int headline,
) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(tag.shape[0] - 1, -1, -1):
        if MAIN_SHARE * (before[piece_end[k]] - before[piece_start[k]]) >= MAIN_OF * total:
            main.node = k
            break
    for k in range(main.node, end[main.node]):
        main.headings += kinds[tag[k]] & HEADING
        main.items += (kinds[tag[k]] & ITEM) != 0
        main.children += parent[k] == main.node
    for k in range(link_node.shape[0]):
        if main.node <= link_node[k] < end[main.node]:
            main.links += 1
            main.headlines += words[piece_end[link_node[k]]] - words[piece_start[link_node[k]]] >= headline
    for k in range(piece_start[main.node], piece_end[main.node]):
        main.words += words[k + 1] - words[k]
        if link[k] >= 0:
            main.in_links += words[k + 1] - words[k]

cdef inline double share(double part, double total) noexcept nogil:
    return part / total if total else 0.0

def measure_shape(
    columns not None, bytes tag_kinds not None, tuple counted not None,
    int paragraph, int long_paragraph, int headline, float[::1] row not None,
):
    """Compute the features `page_shape.COMPILED` of a page's columns, followed by the counts of the `counted` tags.

    `tag_kinds` has the kinds of each tag code as a bit set: heading (1), main heading (2), list item (4), form control
    (8), title (16).
    """
    cdef const int[::1] tag = columns.nodes.tag
    cdef const int[::1] parent = columns.nodes.parent
    cdef const int[::1] end = columns.nodes.end
    cdef const int[::1] piece_start = columns.nodes.piece_start
    cdef const int[::1] piece_end = columns.nodes.piece_end
    cdef const int[::1] link = columns.pieces.link
    cdef const int[::1] words = columns.sums.words
    cdef const int[::1] characters = columns.sums.characters
    cdef const int[::1] link_node = columns.hrefs.node
    cdef const unsigned char[::1] text = columns.text
    cdef Py_ssize_t size = tag.shape[0], count = link.shape[0], links = link_node.shape[0], k
    cdef const unsigned char* kinds = tag_kinds
    cdef Text line_totals
    cdef Anchors anchors
    cdef Headings headings
    cdef Opening opening
    cdef Main main
    cdef int quotes = 0, money = 0, questions = 0, holders = 0, together = 0, controls = 0, longest = 0, free
    cdef long after = 0, in_long = 0, all_words = words[count], letters = columns.sums.letters[count]
    cdef int histogram[CODES]
    cdef double mean
    if row.shape[0] < SHAPES + len(counted) or len(tag_kinds) > CODES or not size:
        raise ValueError("a row of shape features needs room for all of them, and the page at least one element")
    memset(&line_totals, 0, sizeof(Text))
    memset(&anchors, 0, sizeof(Anchors))
    memset(&headings, 0, sizeof(Headings))
    memset(&opening, 0, sizeof(Opening))
    memset(&main, 0, sizeof(Main))
    memset(histogram, 0, sizeof(histogram))
    cdef long* before = <long*> calloc(count + 1, sizeof(long))
    cdef int* held = <int*> calloc(2 * size, sizeof(int))
    if before == NULL or held == NULL:
        free_memory(before)
        free_memory(held)
        raise MemoryError
    try:
        read_lines(
            &line_totals, columns.pieces.line, link, columns.pieces.block, parent, words, characters, columns.sums.digits,
            paragraph, long_paragraph, before, held, held + size,
        )
        read_anchors(
            &anchors, link_node, columns.hrefs.start, columns.hrefs.end, columns.href_text, words, piece_start, piece_end,
            headline,
        )
        read_headings(&headings, kinds, tag, end, link_node, words, piece_start, piece_end)
        if headings.text_from >= 0:
            read_opening(
                &opening, headings.text_from, columns.pieces.line, link, words, characters, columns.sums.digits, paragraph
            )
        if line_totals.in_paragraphs:
            read_main(
                &main, kinds, tag, parent, end, link_node, link, words, piece_start, piece_end, before,
                line_totals.in_paragraphs, headline,
            )
        read_signs(text, &quotes, &money, &questions)
        for k in range(size):
            histogram[tag[k]] += 1
            controls += (kinds[tag[k]] & CONTROL) != 0
            holders += held[size + k] > 0
            if held[k] > held[together]:
                together = k
        for k in range(count):
            free = words[k + 1] - words[k]
            longest = max(longest, free)
            if link[k] < 0 and free >= paragraph:
                in_long += free
                after += free if k >= headings.text_from else 0
        mean = share(anchors.words, links)
        row[0] = all_words
        row[1] = links
        row[2] = share(columns.sums.link_characters[count], characters[count])
        row[3] = line_totals.free / <double> max(links, 1)
        row[4] = anchors.headlines
        row[5] = anchors.headline_words / <double> max(line_totals.free, 1)
        row[6] = share(anchors.headlines, links)
        row[7] = mean
        row[8] = sqrt(max(share(anchors.squares, links) - mean * mean, 0))
        row[9] = share(anchors.empty, links)
        row[10] = anchors.slugs
        row[11] = share(anchors.slugs, links)
        row[12] = anchors.fragments
        row[13] = share(anchors.length, links)
        row[14] = line_totals.paragraphs
        row[15] = line_totals.long_paragraphs
        row[16] = line_totals.longest
        row[17] = share(line_totals.in_paragraphs, line_totals.free)
        row[18] = held[size + together]
        row[19] = share(held[together], line_totals.in_paragraphs)
        row[20] = held[together]
        row[21] = holders
        row[22] = share(holders, line_totals.paragraphs)
        row[23] = share(line_totals.free, line_totals.with_text)
        row[24] = share(line_totals.few_words, line_totals.lines)
        row[25] = line_totals.run_most
        row[26] = share(line_totals.run_most, line_totals.free)
        row[27] = line_totals.run_second
        row[28] = line_totals.teasers
        row[29] = line_totals.unbroken_most
        row[30] = share(line_totals.unbroken_most, line_totals.free)
        row[31] = line_totals.mss
        row[32] = share(line_totals.mss, characters[count])
        row[33] = line_totals.dates
        row[34] = share(piece_start[main.node], count) if main.words else 0
        row[35] = share(piece_end[main.node], count) if main.words else 0
        row[36] = end[main.node] - main.node if main.words else 0
        row[37] = main.words
        row[38] = main.links
        row[39] = share(main.in_links, main.words)
        row[40] = (main.words - main.in_links) / <double> max(main.links, 1)
        row[41] = main.headings
        row[42] = main.headlines
        row[43] = main.children
        row[44] = main.items
        row[45] = headings.count
        row[46] = headings.linked
        row[47] = share(headings.linked, headings.count)
        row[48] = headings.main
        row[49] = headings.main_words
        row[50] = share(after, in_long) if headings.text_from >= 0 and in_long else -1
        row[51] = max(headings.title_words, 0)
        row[52] = share(quotes, all_words)
        row[53] = share(money, all_words)
        row[54] = share(questions, all_words)
        row[55] = share(columns.sums.digits[count], characters[count])
        row[56] = share(columns.sums.upper[count], letters)
        row[57] = share(columns.sums.punctuation[count], characters[count])
        row[58] = longest
        row[59] = controls
        row[60] = opening.date if headings.text_from >= 0 else -1
        row[61] = opening.paragraph if headings.text_from >= 0 else -1
        row[62] = opening.links if headings.text_from >= 0 else -1
        row[63] = opening.dates if headings.text_from >= 0 else -1
        row[64] = opening.words if headings.text_from >= 0 else -1
        row[65] = share(opening.words, line_totals.free) if headings.text_from >= 0 else -1
        row[66] = share(headings.text_from, count) if headings.text_from >= 0 else -1
        for k, code in enumerate(counted):
            row[SHAPES + k] = histogram[<int> code]
    finally:
        free_memory(before)
        free_memory(held)

cdef int check_terms(const int32_t[::1] found, Py_ssize_t known) except -1:
    cdef Py_ssize_t k
    for k in range(found.shape[0]):
        if not 0 <= found[k] < known:
            raise IndexError(f"there is no term {found[k]}")
    return 0

def sum_terms(const int32_t[::1] found not None, const double[:, ::1] weights not None, double[::1] sums not None):
    """Add the weights of the terms found to the sums, one per kind."""
    cdef Py_ssize_t k, kind
    check_terms(found, weights.shape[0])
    for k in range(found.shape[0]):
        for kind in range(sums.shape[0]):
            sums[kind] += weights[found[k], kind]

def strongest_terms(
    const int32_t[::1] found not None, const float[:, ::1] weights not None, int kind, int rival, float factor,
    float least, int most,
):
    """Return the terms found that speak most for one kind against another, the strongest first, at most so many.

    Of equal ones, the first comes first. A term counts by the difference of its weights times the factor, which has to
    be `least` or more.
    """
    cdef Py_ssize_t k, at
    cdef int32_t strongest[8]
    cdef float margins[8]
    cdef float margin
    cdef Py_ssize_t size = 0
    if most > 8:
        raise ValueError("at most 8 terms can be named")
    check_terms(found, weights.shape[0])
    for k in range(found.shape[0]):
        margin = factor * (weights[found[k], kind] - weights[found[k], rival])
        if margin < least or size == most and margin <= margins[size - 1]:
            continue
        at = size if size < most else size - 1
        while at > 0 and margins[at - 1] < margin:
            margins[at], strongest[at] = margins[at - 1], strongest[at - 1]
            at -= 1
        margins[at], strongest[at] = margin, found[k]
        size += size < most
    return [strongest[k] for k in range(size)]
