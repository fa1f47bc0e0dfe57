# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled part of `_page_shape`: one pass each over the lines, links and nodes of a page."""

from libc.math cimport sqrt
from libc.stdlib cimport calloc
from libc.stdlib cimport free as free_memory
from libc.string cimport memset

cdef enum:
    TEASER_LEAST = 8  # words of text between two headlines that make it a teaser of the first
    TEASER_MOST = 70
    BREAK = 4  # words in a line of mostly links that separates two texts
    MAX_DATE_WORDS = 8
    MIN_DATE_DIGITS = 3
    MAX_DATE_DIGITS = 16
    FEW_WORDS = 4
    SLUG_MARKS = 4  # hyphens between the words of a headline in a URL
    MAX_OF_HREF = 300
    MAIN_SHARE = 5  # the main element has at least three fifths of the words in paragraphs
    MAIN_OF = 3
    BYLINE_WORDS = 12  # in a short line that may date an article, beside its author
    FAR = 200  # lines after which no first paragraph is looked for
    GAP = 6  # lines without a paragraph that end an opening
    SHAPES = 67
    CODES = 256  # the number of tag codes
    HEADING = 1
    MAIN_HEADING = 2
    ITEM = 4
    CONTROL = 8
    TITLE = 16

cdef struct Line:
    long words
    long free  # words outside links
    long characters
    long in_links  # characters in links
    int digits

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

cdef inline Py_ssize_t read_line(
    Line* own, Py_ssize_t k, const int[::1] line, const int[::1] link, const int[::1] words,
    const int[::1] characters, const int[::1] digits,
) noexcept nogil:
    """Count what is in the rest of the line of piece `k`, and return the first piece after it."""
    cdef Py_ssize_t first = k, count = line.shape[0]
    own.words = own.free = own.characters = own.in_links = own.digits = 0
    while k < count and line[k] == line[first]:
        own.words += words[k + 1] - words[k]
        own.characters += characters[k + 1] - characters[k]
        own.digits += digits[k + 1] - digits[k]
        if link[k] < 0:
            own.free += words[k + 1] - words[k]
        else:
            own.in_links += characters[k + 1] - characters[k]
        k += 1
    return k

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
    cdef long run = 0, unbroken = 0, best = 0
    cdef int holder
    cdef Line own
    while k < count:
        first = k
        k = read_line(&own, k, line, link, words, characters, digits)
        text.lines += 1
        text.free += own.free
        text.with_text += own.free > 0
        text.few_words += 0 < own.free <= FEW_WORDS
        text.longest = max(text.longest, <int> own.free)
        text.dates += own.words <= MAX_DATE_WORDS and MIN_DATE_DIGITS <= own.digits <= MAX_DATE_DIGITS
        for j in range(first, k):
            before[j + 1] = before[first]
        if own.free >= paragraph:
            text.paragraphs += 1
            text.long_paragraphs += own.free >= long_paragraph
            text.in_paragraphs += own.free
            holder = max(parent[block[first]], 0)
            held[holder] += own.free
            held_count[holder] += 1
            for j in range(first, k):
                before[j + 1] += own.free
        if 2 * own.in_links > own.characters:
            best = max(best - own.characters, 0)
            text.unbroken_most = max(text.unbroken_most, unbroken)
            unbroken = 0
            if own.words >= BREAK:
                end_run(text, run)
                run = 0
            else:
                run += own.free
        else:
            best += own.characters
            text.mss = max(text.mss, best)
            run += own.free
            unbroken += own.free
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
        for j in range(start[k], min(end[k], start[k] + MAX_OF_HREF)):
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
    const int[::1] characters, const int[::1] digits, int paragraph, int date_lines,
) noexcept nogil:
    """Read the lines from piece `k` on to the first paragraph, and those after it for as long as paragraphs follow."""
    cdef Py_ssize_t count = line.shape[0]
    cdef int is_date, at = 0, gap = 0
    cdef Line own
    opening.date, opening.paragraph = date_lines, FAR
    # The heading may share its line with what follows.
    while 0 < k < count and line[k] == line[k - 1]:
        k += 1
    while k < count and gap < GAP and at < FAR + gap + opening.words:
        k = read_line(&own, k, line, link, words, characters, digits)
        is_date = own.words <= BYLINE_WORDS and MIN_DATE_DIGITS <= own.digits <= MAX_DATE_DIGITS
        if is_date:
            opening.date = min(opening.date, at)
        if own.free >= paragraph:
            opening.paragraph = min(opening.paragraph, at)
            opening.words += own.free
            gap = 0
        elif opening.words:
            gap += 1
        else:
            opening.links += 2 * own.in_links > own.characters
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
    int paragraph, int long_paragraph, int headline, int date_lines, float[::1] row not None, float[::1] counts not None,
):
    """Compute the features `page_shape.COMPILED` of a page's columns, and the counts of the `counted` tags.

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
    if row.shape[0] != SHAPES or counts.shape[0] != len(counted):
        raise ValueError(f"the features of a shape are {SHAPES}, not {row.shape[0]}, and one count for each counted tag")
    if len(tag_kinds) > CODES or not size:
        raise ValueError(f"at most {CODES} tags are known, and a page has at least one element")
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
                &opening, headings.text_from, columns.pieces.line, link, words, characters, columns.sums.digits, paragraph,
                date_lines,
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
            counts[k] = histogram[<int> code]
    finally:
        free_memory(before)
        free_memory(held)
